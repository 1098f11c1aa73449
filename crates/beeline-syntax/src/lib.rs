//! The syntax of classical B: text to trees and back.
//!
//! [`parse_file`] and [`parse_formula`] read a text and return a tree with the problems they found;
//! they go on after an error, so that one run reports many. The printer writes a tree so that it
//! parses back to the same tree. This crate knows neither files nor types nor what a name means.
//!
//! ```
//! use beeline_syntax::ast::Unit;
//! use beeline_syntax::{parse_file, parse_formula, print_expr};
//!
//! let parsed = parse_formula("x:1..n&x  mod 2=0", 0);
//! let Some(Unit::Formula(formula)) = &parsed.unit else { panic!("no formula") };
//! assert_eq!(print_expr(formula), "x : 1..n & x mod 2 = 0");
//!
//! // A tree with holes, and every problem with its place.
//! let broken = parse_file("MACHINE M INVARIANT x + END", 0);
//! assert!(matches!(broken.unit, Some(Unit::Machine(_))));
//! let problem = &broken.problems.list()[0];
//! assert_eq!((problem.code.to_string().as_str(), problem.primary.span.start), ("B0201", 24));
//! ```

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
