//! Colour, or none.

/// How text is decorated: with ANSI sequences, or not at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Style {
    /// No decoration.
    #[default]
    Plain,
    /// ANSI colours.
    Colour,
}

/// The things that have a colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Paint {
    Error,
    Warning,
    Note,
    /// Line numbers and frames.
    Frame,
    /// The message.
    Bold,
}

impl Style {
    /// Appends a decorated text.
    pub(crate) fn paint(self, out: &mut String, paint: Paint, text: &str) {
        if self == Style::Plain || text.is_empty() {
            out.push_str(text);
            return;
        }
        out.push_str(match paint {
            Paint::Error => "\u{1b}[1;31m",
            Paint::Warning => "\u{1b}[1;33m",
            Paint::Note => "\u{1b}[1;32m",
            Paint::Frame => "\u{1b}[1;34m",
            Paint::Bold => "\u{1b}[1m",
        });
        out.push_str(text);
        out.push_str("\u{1b}[0m");
    }
}
