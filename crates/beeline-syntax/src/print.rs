//! Trees to text: the printer and the formatter.
//!
//! [`print_unit`], [`print_expr`] and [`print_subst`] write a tree so that it parses back to the
//! same tree. A tree keeps its parentheses, so that none need to be invented for a tree that was
//! parsed. For a tree built by hand they are: the text then means what the tree means, and reads
//! back with [`ExprKind::Paren`](crate::ast::ExprKind::Paren) (or `BEGIN … END`) added where
//! precedence asked for it.
//!
//! [`format`] is the same with the comments and the empty lines of the source kept. Where lines
//! break is the business of [`layout`], where comments go that of [`writer`]; the other modules
//! walk the tree. None of them knows what a name means.

mod exprs;
mod layout;
mod machine;
mod names;
mod substs;
mod writer;

use crate::ast::{Expr, Subst, Unit};
use exprs::Place;
use writer::Writer;

/// Lines are broken to stay within this many columns.
pub const WIDTH: usize = 100;

/// A file, formatted.
pub fn print_unit(unit: &Unit) -> String {
    let mut w = Writer::plain();
    w.unit(unit);
    let mut text = w.finish(WIDTH);
    text.push('\n');
    text
}

/// An expression or predicate, on one line.
pub fn print_expr(expr: &Expr) -> String {
    let mut w = Writer::plain();
    w.expr(expr, Place::BRACKETS);
    w.finish(usize::MAX)
}

/// A substitution, on as many lines as it needs, without a line end behind the last.
pub fn print_subst(subst: &Subst) -> String {
    let mut w = Writer::plain();
    w.subst(subst, substs::SEQUENCE);
    w.finish(WIDTH)
}

#[cfg(test)]
mod tests;
