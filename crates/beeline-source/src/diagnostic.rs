//! Diagnostics as data: what is wrong, where, and what to do about it.

use crate::codes::Code;
use crate::severity::Severity;
use crate::span::Span;

/// A further place that matters, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// What is there, in a few words; may be empty for the main place.
    pub text: String,
}

/// One thing to tell the user.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// Stable code, documented in [`crate::CODES`].
    pub code: Code,
    /// How bad it is.
    pub severity: Severity,
    /// One sentence in the user's words, without a final full stop.
    pub message: String,
    /// The main place.
    pub primary: Label,
    /// Further places.
    pub secondary: Vec<Label>,
    /// What to do next, one line each.
    pub help: Vec<String>,
}

impl Diagnostic {
    /// A new diagnostic with the severity that its code carries.
    pub fn new(code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            code,
            severity: code.severity(),
            message: message.into(),
            primary: Label { span, text: String::new() },
            secondary: Vec::new(),
            help: Vec::new(),
        }
    }

    /// Says what is at the main place.
    #[must_use]
    pub fn here(mut self, text: impl Into<String>) -> Diagnostic {
        self.primary.text = text.into();
        self
    }

    /// Adds a further place; a span that is nowhere is left out.
    #[must_use]
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        if span.is_real() {
            self.secondary.push(Label { span, text: text.into() });
        }
        self
    }

    /// Adds a help line.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Diagnostic {
        self.help.push(text.into());
        self
    }

    /// Is it an error?
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// A list of diagnostics that stops growing at a limit, so that hostile input cannot fill memory.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    errors: usize,
    dropped: usize,
}

/// How many diagnostics are kept; the rest is only counted.
const MAX_KEPT: usize = 500;

impl Diagnostics {
    /// An empty list.
    pub fn new() -> Diagnostics {
        Diagnostics::default()
    }

    /// Adds one, unless the very same thing was said of the very same place already.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        let same = |d: &Diagnostic| {
            d.primary.span == diagnostic.primary.span
                && d.code == diagnostic.code
                && d.message == diagnostic.message
        };
        if self.list.iter().rev().take(64).any(same) {
            return;
        }
        self.errors += usize::from(diagnostic.is_error());
        if self.list.len() < MAX_KEPT {
            self.list.push(diagnostic);
        } else {
            self.dropped += 1;
        }
    }

    /// Appends all of another list.
    pub fn extend(&mut self, other: Diagnostics) {
        self.dropped += other.dropped;
        for d in other.list {
            self.push(d);
        }
    }

    /// The kept ones, in the order they were found.
    pub fn list(&self) -> &[Diagnostic] {
        &self.list
    }

    /// The kept ones, by value.
    pub fn into_list(self) -> Vec<Diagnostic> {
        self.list
    }

    /// How many errors there were, kept or not.
    pub fn error_count(&self) -> usize {
        self.errors
    }

    /// Was there an error?
    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// How many were not kept.
    pub fn dropped(&self) -> usize {
        self.dropped
    }

    /// Is there nothing in it?
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Sorts by place.
    pub fn sort(&mut self) {
        self.list.sort_by_key(|d| (d.primary.span, d.severity));
    }
}

impl Extend<Diagnostic> for Diagnostics {
    fn extend<I: IntoIterator<Item = Diagnostic>>(&mut self, iter: I) {
        for d in iter {
            self.push(d);
        }
    }
}
