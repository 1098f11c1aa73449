//! The syntax of classical B: text to trees and back.
//!
//! [`parse_file`] and [`parse_formula`] read a text and return a tree with the problems they found;
//! they go on after an error, so that one run reports many. The printer writes a tree so that it
//! parses back to the same tree. This crate knows neither files nor types nor what a name means.

pub mod ast;
mod lexer;
pub mod limits;
pub mod operators;
mod parser;
pub mod print;
mod token;

pub use parser::{Parsed, parse_file, parse_formula};
pub use print::{format, print_expr, print_subst, print_unit};

use beeline_source::Span;

/// A comment; its text is what the span covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comment {
    /// Where it stands, with its signs.
    pub span: Span,
    /// How it is written.
    pub kind: CommentKind,
}

/// How a comment is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommentKind {
    /// `/* … */`
    Block,
    /// `// …`
    Line,
    /// `#! …`, the first line of a script.
    SheBang,
}
