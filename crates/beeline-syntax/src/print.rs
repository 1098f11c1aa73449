//! Trees to text: the printer and the formatter.
//!
//! [`print_unit`], [`print_expr`] and [`print_subst`] write a tree so that it parses back to the
//! same tree. A tree keeps its parentheses, so that none need to be invented for a tree that was
//! parsed. For a tree built by hand they are: the text then means what the tree means, and reads
//! back with [`ExprKind::Paren`](crate::ast::ExprKind::Paren) (or `BEGIN … END`) added where
//! precedence asked for it.
//!
//! [`format()`] is the same with the comments and the empty lines of the source kept. Where lines
//! break is the business of `layout`, where comments go that of `writer`; the other modules
//! walk the tree. None of them knows what a name means.

mod exprs;
mod forms;
mod layout;
mod lists;
mod machine;
mod names;
mod substs;
mod writer;

use crate::ast::{Expr, Subst, Unit};
use crate::{CommentKind, Parsed};
use exprs::Place;
use writer::{SourceComment, Writer};

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

/// The text of a file, laid out anew: comments, empty lines and the tree stay as they are.
///
/// `base` is the position of the first byte of `text`, and `parsed` what the parser made of it. A
/// text with errors comes back as it is: what was not understood must not be moved about. A comment
/// on a line of its own stays before what it precedes, one at the end of a line stays there.
pub fn format(text: &str, base: u32, parsed: &Parsed) -> String {
    let Some(unit) = &parsed.unit else { return text.to_owned() };
    if parsed.problems.has_errors() {
        return text.to_owned();
    }
    let comments = parsed
        .comments
        .iter()
        .map(|c| SourceComment { span: c.span, line: c.kind != CommentKind::Block })
        .collect();
    let mut w = Writer::with_source(text, base, comments);
    w.unit(unit);
    let mut text = w.finish(WIDTH);
    text.push('\n');
    text
}

#[cfg(test)]
mod tests;
