//! Syntax alone: one file or text, without the files it refers to.

use crate::eventb;
use crate::files::{MAX_FILE_BYTES, load_diagnostic, read_text};
use crate::stack::on_large_stack;
use beeline_source::{Code, Diagnostic, Diagnostics, LoadError, SourceMap, Span};
use beeline_syntax::ast::Unit;
use beeline_syntax::{Parsed, parse_file};
use std::path::Path;
use std::sync::Arc;

/// One file, parsed.
#[derive(Debug)]
pub struct ParsedFile {
    /// The file alone; empty if it could not be read.
    pub sources: SourceMap,
    /// Its tree, comments and problems.
    pub parsed: Parsed,
    /// Bytes that are not UTF-8 were replaced: the text is not what is in the file.
    pub replaced: bool,
}

impl ParsedFile {
    /// A file that could not be had, and why.
    pub fn missing(name: &str, error: &LoadError) -> ParsedFile {
        let mut problems = Diagnostics::new();
        problems.push(load_diagnostic(name, error));
        let parsed = Parsed { unit: None, comments: Vec::new(), problems };
        ParsedFile { sources: SourceMap::new(), parsed, replaced: false }
    }

    /// What was found.
    pub fn diagnostics(&self) -> &Diagnostics {
        &self.parsed.problems
    }

    /// The tree, if there is one; with errors it has holes.
    pub fn unit(&self) -> Option<&Unit> {
        self.parsed.unit.as_ref()
    }

    /// The tree, if there is one without errors.
    pub fn sound_unit(&self) -> Option<&Unit> {
        self.unit().filter(|_| !self.diagnostics().has_errors())
    }

    /// Does it hold Event-B? That has no tree of one file, only problems.
    pub fn is_eventb(&self) -> bool {
        eventb::is_eventb(self.text())
    }

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
        Err(error) => ParsedFile::missing(&name, &error),
    }
}

/// Parses a text that has this name; `replaced` as [`read_text`] says.
pub fn parse_text(name: &str, text: Arc<str>, replaced: bool) -> ParsedFile {
    let mut sources = SourceMap::new();
    let Some(id) = sources.add(name, text.clone()) else {
        return ParsedFile::missing(name, &LoadError::TooLarge(MAX_FILE_BYTES));
    };
    let base = sources.file(id).base;
    if eventb::is_eventb(&text) {
        // It has no tree of one file: machines and contexts are read for what is wrong with them.
        let problems = on_large_stack(|| eventb::problems(name, &text, base));
        let parsed = Parsed { unit: None, comments: Vec::new(), problems };
        return ParsedFile { sources, parsed, replaced };
    }
    let mut parsed = on_large_stack(|| parse_file(&text, base));
    if replaced {
        let at = base + text.find('\u{fffd}').unwrap_or(0) as u32;
        let message = "this file is not valid UTF-8; the bad bytes were replaced";
        parsed.problems.push(
            Diagnostic::new(Code::NOT_UTF8, Span::new(at, at), message)
                .help("save the file as UTF-8"),
        );
        parsed.problems.sort();
    }
    ParsedFile { sources, parsed, replaced }
}
