//! The mathematical language of Event-B: text to the same trees as classical B.
//!
//! `lexer` knows both ways to write every symbol, `parser` precedence and binding. The language is
//! strict where classical B is lenient: operators that readers confuse may not be mixed without
//! parentheses.

mod lexer;
mod parser;

pub use parser::names_in;

use beeline_source::{Diagnostic, Span};
use beeline_syntax::ast::{Expr, Subst};

/// Where the characters of a text stand among all sources.
#[derive(Clone, Copy, Debug)]
pub enum Positions<'p> {
    /// The text stands as it is, from this position on.
    From(u32),
    /// The position of each byte, and of the end: the text was unescaped.
    Map(&'p [u32]),
}

impl Positions<'_> {
    fn of(self, offset: usize) -> u32 {
        match self {
            Positions::From(base) => base + offset as u32,
            Positions::Map(map) => map.get(offset).or(map.last()).copied().unwrap_or(0),
        }
    }

    /// The span of a part of the text.
    pub fn span(self, start: usize, end: usize) -> Span {
        let start = self.of(start);
        Span::new(start, self.of(end).max(start))
    }
}

/// Reads a predicate or expression.
pub fn formula(text: &str, positions: Positions<'_>) -> Result<Expr, Diagnostic> {
    parser::Parser::new(text, positions)?.whole(|p| p.formula())
}

/// Reads an action.
pub fn assignment(text: &str, positions: Positions<'_>) -> Result<Subst, Diagnostic> {
    parser::Parser::new(text, positions)?.whole(|p| p.assignment())
}

/// Is this a name of the mathematical language?
pub fn is_name(text: &str) -> bool {
    lexer::is_name(text)
}

#[cfg(test)]
mod tests;
