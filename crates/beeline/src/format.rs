//! Formatting that checks itself: the formatted text must say the same as the original.

use crate::eventb;
use crate::parse::{ParsedFile, parse_text};
use crate::stack::on_large_stack;
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
    /// It is Event-B in a form that tools write, which has no layout.
    NoLayout,
}

/// The text of a file, formatted.
pub fn format(file: &ParsedFile) -> Result<String, FormatError> {
    if let [source] = file.sources.files()
        && eventb::is_eventb(&source.text)
    {
        return format_eventb(file, &source.text);
    }
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

/// Only blanks change, which is looked at once more.
fn format_eventb(file: &ParsedFile, text: &str) -> Result<String, FormatError> {
    let sound = !file.diagnostics().has_errors();
    match eventb::format(text) {
        None => Err(FormatError::NoLayout),
        Some(_) if file.replaced => Err(FormatError::NotUtf8),
        Some(_) if !sound => Err(FormatError::Errors),
        Some(formatted) => {
            let mark = '\u{feff}';
            let packed = |text: &str| -> String {
                text.trim_start_matches(mark).split_whitespace().collect()
            };
            let again = parse_text("formatted text", formatted.as_str().into(), false);
            match packed(&formatted) == packed(text) && !again.diagnostics().has_errors() {
                true => Ok(formatted),
                false => Err(FormatError::WouldChangeMeaning),
            }
        }
    }
}

/// A tree as text that parses back to the same tree; comments are not part of it.
pub fn print(unit: &Unit) -> String {
    on_large_stack(|| beeline_syntax::print_unit(unit))
}
