//! Gives questions to the solver: formulas with unknown names become constraints over finite domains.
//!
//! `problem` is what is asked, with its known parts compiled; `ground` evaluates these, takes sets and
//! functions apart into integers, lets the solver search and puts its solutions together again; `sense`
//! says when a constraint has no meaning. It does not know how a question came about.

mod ground;
mod problem;
mod sense;

pub(crate) use problem::{Constraint, F, Problem, Range, Source, T, Unknown};
