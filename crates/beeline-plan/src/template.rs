//! Formulas with unknown names in a form that the solver has constraints for.
//!
//! The form is the same in a plan and in what runs; only the known parts differ: formulas there,
//! closures here. `E` and `P` are known expressions and predicates, `R` is what bound names run over,
//! and `L` a bound name.

use beeline_model::{BinaryOp, CompareOp, UnaryOp};
use beeline_source::Span;

/// A term template.
#[derive(Clone, Debug, PartialEq)]
pub enum Term<E, P, R, L> {
    /// No unknown name is in it.
    Known(E),
    /// An unknown name, by its number in the question.
    Name(usize),
    /// `-a`
    Negate(Box<Term<E, P, R, L>>),
    /// A binary operator.
    Binary(BinaryOp, Box<Term<E, P, R, L>>, Box<Term<E, P, R, L>>),
    /// A unary operator.
    Unary(UnaryOp, Box<Term<E, P, R, L>>),
    /// `f(a)`
    Apply(Box<Term<E, P, R, L>>, Box<Term<E, P, R, L>>),
    /// `{a, b, …}`
    Extension(Vec<Term<E, P, R, L>>),
    /// `bool(P)`
    Truth(Box<Truth<E, P, R, L>>),
    /// `IF P THEN a ELSE b END`
    If(Box<Truth<E, P, R, L>>, Box<Term<E, P, R, L>>, Box<Term<E, P, R, L>>),
    /// A sum over a range.
    Sum(R, Box<Term<E, P, R, L>>),
    /// A field of a record, by position.
    Field(Box<Term<E, P, R, L>>, usize),
    /// Further names with their values, in order; a condition for the whole to have a meaning.
    Let(Vec<Term<E, P, R, L>>, Option<Box<Truth<E, P, R, L>>>, Box<Term<E, P, R, L>>),
    /// Tuples of these names in the range, where the rest holds.
    Filter(R, Vec<L>, Box<Truth<E, P, R, L>>),
}

/// A truth template.
#[derive(Clone, Debug, PartialEq)]
pub enum Truth<E, P, R, L> {
    /// No unknown name is in it.
    Known(P),
    /// A comparison.
    Compare(CompareOp, Box<Term<E, P, R, L>>, Box<Term<E, P, R, L>>, Span),
    /// All of these.
    And(Vec<Truth<E, P, R, L>>),
    /// One of these.
    Or(Vec<Truth<E, P, R, L>>),
    /// Not this.
    Not(Box<Truth<E, P, R, L>>),
    /// Both or none.
    Iff(Box<Truth<E, P, R, L>>, Box<Truth<E, P, R, L>>),
    /// For all in a range of which the first holds, the second does.
    All(R, Box<Truth<E, P, R, L>>, Box<Truth<E, P, R, L>>),
    /// For some in a range.
    Some(R, Box<Truth<E, P, R, L>>),
    /// A partition into parts.
    Partition(Box<Term<E, P, R, L>>, Vec<Term<E, P, R, L>>),
    /// Further names with their values, in order.
    Let(Vec<Term<E, P, R, L>>, Box<Truth<E, P, R, L>>),
}
