//! Questions of plans in a form that runs: what `ground` turns into constraints over finite domains.
//!
//! Parts without unknown names are compiled as usual, the rest keeps the form that the plan gave it.
//! What has no such form is tested as soon as its names have values.

use crate::eval::frame::{E, P};
use crate::eval::query::{Pattern, Query};
use beeline_model::TypeId;
use beeline_plan::{Name, Term, Truth};
use beeline_source::Span;

/// Names and constraints that are handed to the solver at run time.
pub(crate) struct Problem {
    pub unknowns: Vec<Unknown>,
    pub atoms: Vec<Constraint>,
    /// If some atoms read constants alone: a number to remember what they come to by.
    pub number: Option<u32>,
    /// The slots of these constants.
    pub reads: Vec<usize>,
    /// What is done when the problem cannot be put into finite domains.
    pub fallback: Query,
}

/// A name to be found.
pub(crate) struct Unknown {
    pub name: Name,
    pub slot: usize,
    pub ty: TypeId,
    pub span: Span,
    /// Sets it is an element of: the atom that says just that, and the set.
    pub sets: Vec<(Option<usize>, Source)>,
    /// When it is tried, among numbers that nothing bounds: the least first.
    pub turn: (bool, bool),
}

/// Where the values of a name come from.
pub(crate) enum Source {
    Element(E),
    Subset(E),
}

/// A conjunct.
pub(crate) struct Constraint {
    pub template: Option<F>,
    pub test: P,
    /// The unknowns in it.
    pub names: Vec<usize>,
    /// It reads nothing but unknowns and constants.
    pub fixed: bool,
}

/// A term template: known parts are compiled.
pub(crate) type T = Term<E, P, Range, usize>;
/// A truth template.
pub(crate) type F = Truth<E, P, Range, usize>;

/// What bound names run over.
pub(crate) struct Range {
    /// First the candidates of a set that is not known.
    pub over: Option<(Pattern, Box<T>)>,
    pub query: Query,
}
