//! What a plan leaves to the propagating solver: which names, which conjuncts, and what each becomes.
//!
//! It does not know the solver: a [`Question`] is plain data, and whoever runs the plan puts it into
//! finite domains once the values around it are known.

use super::Plan;
use crate::name::Name;
use crate::template::{Term, Truth};
use beeline_model::{ConstantId, Expr, LocalId, Pred, TypeId};
use beeline_source::Span;
use std::collections::BTreeSet;

/// A term template with formulas as its known parts.
pub type TermPlan = Term<Expr, Pred, Range, LocalId>;
/// The same for predicates.
pub type TruthPlan = Truth<Expr, Pred, Range, LocalId>;

/// Names and constraints that are handed to the solver at run time.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// The names to be found.
    pub unknowns: Vec<Unknown>,
    /// What holds of them.
    pub constraints: Vec<Constraint>,
    /// If fixed constraints bound all unknowns: the constants that these constraints read. What they
    /// come to may be remembered as long as the constants stay the same.
    pub reads: Option<BTreeSet<ConstantId>>,
    /// What is done when the question cannot be put into finite domains.
    pub fallback: Plan,
}

/// A name to be found.
#[derive(Clone, Debug, PartialEq)]
pub struct Unknown {
    /// The name.
    pub name: Name,
    /// Its type.
    pub ty: TypeId,
    /// Where it is declared.
    pub span: Span,
    /// Sets it is an element of: the constraint that says just that, and the set.
    pub sets: Vec<(Option<usize>, Source)>,
    /// When it is tried, among numbers that nothing bounds: the least first.
    pub turn: (bool, bool),
}

/// Where the values of a name come from.
#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    /// It is an element of this.
    Element(Expr),
    /// It is a subset of this.
    Subset(Expr),
}

/// A conjunct.
#[derive(Clone, Debug, PartialEq)]
pub struct Constraint {
    /// As it is; who has no form for it tests it.
    pub pred: Pred,
    /// Its form, if it has one.
    pub template: Option<TruthPlan>,
    /// The unknowns in it.
    pub names: Vec<usize>,
    /// It reads nothing but unknowns and constants.
    pub fixed: bool,
}

/// What bound names of a template run over.
#[derive(Clone, Debug, PartialEq)]
pub struct Range {
    /// First the candidates of a set that is not known: a pattern, the names it binds, and the set.
    pub over: Option<(Expr, BTreeSet<Name>, Box<TermPlan>)>,
    /// How the others are found.
    pub plan: Plan,
}
