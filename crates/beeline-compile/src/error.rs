//! What can go wrong, as errors of Rust: their words are the message, and none has a cause of its own.

use crate::CompileError;
use std::error::Error;
use std::fmt;

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words)
    }
}

impl Error for CompileError {}
