//! Where text comes from and how a place in it is named.
//!
//! This crate holds the source files of one run, [`Span`]s into them, and [`Diagnostic`]s as plain
//! data. It refuses to know the file system (see [`Loader`]), B, and how a diagnostic is shown.
//! Next door: `beeline-syntax` turns text into trees, `beeline-report` shows diagnostics.

mod codes;
mod diagnostic;
mod loader;
mod map;
mod severity;
mod span;

pub use codes::{CODES, Code};
pub use diagnostic::{Diagnostic, Diagnostics, Label};
pub use loader::{LoadError, Loader, MemoryLoader};
pub use map::{FileId, LineColumn, SourceFile, SourceMap};
pub use severity::Severity;
pub use span::Span;
