//! Syntax alone: one file or text, without the files it refers to.

use crate::{MAX_FILE_BYTES, load_diagnostic, on_large_stack, read_text};
use beeline_source::{Code, Diagnostic, Diagnostics, SourceMap, Span};
use beeline_syntax::ast::Unit;
use std::path::Path;
use std::sync::Arc;

/// One file, parsed.
#[derive(Debug)]
pub struct ParsedFile {
    /// The file alone; empty if it could not be read.
    pub sources: SourceMap,
    /// What was found.
    pub diagnostics: Diagnostics,
    /// The tree, if there is one; with errors it has holes.
    pub unit: Option<Unit>,
    /// Bytes that are not UTF-8 were replaced: the text is not what is in the file.
    pub replaced: bool,
}

impl ParsedFile {
    /// The text, if it could be read.
    pub fn text(&self) -> &str {
        self.sources.files().first().map_or("", |f| &f.text)
    }
}

/// Reads and parses a file.
pub fn parse_path(path: &Path) -> ParsedFile {
    let name = path.to_string_lossy();
    match read_text(path, MAX_FILE_BYTES) {
        Ok((text, replaced)) => parse_text(&name, text, replaced),
        Err(error) => {
            let mut diagnostics = Diagnostics::new();
            diagnostics.push(load_diagnostic(&name, &error));
            ParsedFile { sources: SourceMap::new(), diagnostics, unit: None, replaced: false }
        }
    }
}

/// Parses a text that has this name; `replaced` as [`read_text`] says.
pub fn parse_text(name: &str, text: Arc<str>, replaced: bool) -> ParsedFile {
    let mut sources = SourceMap::new();
    let mut diagnostics = Diagnostics::new();
    let Some(id) = sources.add(name, text.clone()) else {
        let message = format!("{name} is too large");
        diagnostics.push(Diagnostic::new(Code::FILE_TOO_LARGE, Span::NONE, message));
        return ParsedFile { sources, diagnostics, unit: None, replaced };
    };
    let base = sources.file(id).base;
    if replaced {
        let at = base + text.find('\u{fffd}').unwrap_or(0) as u32;
        let message = "this file is not valid UTF-8; the bad bytes were replaced";
        diagnostics.push(
            Diagnostic::new(Code::NOT_UTF8, Span::new(at, at), message)
                .help("save the file as UTF-8"),
        );
    }
    let unit = on_large_stack(|| parse(&text, base, &mut diagnostics));
    ParsedFile { sources, diagnostics, unit, replaced }
}

fn parse(_text: &str, _base: u32, _diagnostics: &mut Diagnostics) -> Option<Unit> {
    None
}
