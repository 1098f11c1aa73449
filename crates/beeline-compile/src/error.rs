//! What can go wrong, as errors of Rust: their words are the message, and none has a cause of its own.

use beeline_source::Span;
use std::error::Error;
use std::fmt;

/// Why a model cannot be compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompileError {
    /// Where.
    pub span: Span,
    /// In words.
    pub words: String,
}

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words)
    }
}

impl Error for CompileError {}
