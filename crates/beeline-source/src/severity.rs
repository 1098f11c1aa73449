//! How bad something is.

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The model has no meaning with this in it.
    Error,
    /// The model has a meaning, but perhaps not the one its author thinks.
    Warning,
    /// Worth knowing.
    Note,
}

impl Severity {
    /// Lower-case word for output.
    pub fn word(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        }
    }
}
