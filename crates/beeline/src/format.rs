//! Formatting that checks itself: the formatted text must say the same as the original.

use crate::{ParsedFile, on_large_stack, parse_text};
use beeline_syntax::ast::Unit;

/// Why a file is not formatted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FormatError {
    /// The text has errors: its diagnostics say which.
    Errors,
    /// The file is not UTF-8: writing it would lose bytes.
    NotUtf8,
    /// The formatted text would say something else; a fault of Beeline.
    WouldChangeMeaning,
}

/// The text of a file, formatted.
pub fn format(file: &ParsedFile) -> Result<String, FormatError> {
    let (Some(unit), [source]) = (file.sound_unit(), file.sources.files()) else {
        return Err(FormatError::Errors);
    };
    if file.replaced {
        return Err(FormatError::NotUtf8);
    }
    let text = on_large_stack(|| beeline_syntax::format(&source.text, source.base, &file.parsed));
    let again = parse_text("formatted text", text.as_str().into(), false);
    let same = on_large_stack(|| again.unit() == Some(unit));
    if same && !again.diagnostics().has_errors() {
        Ok(text)
    } else {
        Err(FormatError::WouldChangeMeaning)
    }
}

/// A tree as text that parses back to the same tree; comments are not part of it.
pub fn print(unit: &Unit) -> String {
    on_large_stack(|| beeline_syntax::print_unit(unit))
}
