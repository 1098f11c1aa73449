//! Compiled code that evaluations share: what symbolic values mean, and what searches look for.
//!
//! Plain data, and one trait: who holds a query need not know how it is run.

use super::{E, Frame, P};
use crate::answer::Stop;
use beeline_model::TypeId;
use beeline_source::Span;

/// Receives solutions: the names are in their slots. A stop beside it means that the candidate
/// satisfies all conjuncts that have a meaning, and at least one has none.
pub(crate) type Sink<'s, 'k> = &'k mut dyn FnMut(&mut Frame<'s>, Option<Stop>) -> Result<(), Stop>;

/// Something with solutions: a query, or a question for the solver.
pub(crate) trait Solutions: Send + Sync {
    /// Calls `k` with each solution.
    fn run<'s>(&self, f: &mut Frame<'s>, k: Sink<'s, '_>) -> Result<(), Stop>;

    /// Is a conjunct false that mentions none of the names? If none is, and one of them has no
    /// meaning, neither has the whole.
    fn is_ruled_out(&self, _: &mut Frame<'_>) -> Result<bool, Stop> {
        Ok(false)
    }
}

/// What a symbolic comprehension or lambda means.
pub(crate) struct Code {
    /// Slots it reads from outside; their words are the arguments of the symbolic value.
    pub free: Vec<usize>,
    /// Slots it binds inside: they are saved over a call, for the sake of recursion.
    pub bound: Vec<usize>,
    /// Slots of its own names.
    pub params: Vec<usize>,
    /// Their types.
    pub types: Vec<TypeId>,
    /// All conditions, with the names bound.
    pub test: P,
    pub shape: Shape,
    /// What the names range over, where the condition says `x : S` of each and nothing else.
    pub domain: Option<Vec<E>>,
    /// Where it is a set of integers and says no more than that they are in intervals: those.
    pub demands: Option<Demand>,
    /// Enumerates the names.
    pub all: Box<dyn Solutions>,
    /// Finds the last name from the others: a relation applied.
    pub last: Option<Box<dyn Solutions>>,
    pub span: Span,
    /// In B notation.
    pub text: Box<str>,
}

/// What the elements are.
pub(crate) enum Shape {
    /// The tuples of the names.
    Tuples,
    /// Pairs of the tuple and the value.
    Lambda(E),
    /// The values.
    Values(E),
}

/// What a comprehension over one integer demands of it.
pub(crate) enum Demand {
    AtLeast(E),
    AtMost(E),
    In(E),
    NotIn(E),
    Is(E),
    IsNot(E),
    All(Vec<Demand>),
    Any(Vec<Demand>),
    Not(Box<Demand>),
}

/// One recursive definition.
pub(crate) struct Recursion {
    /// Slots that the definitions of the group read from outside.
    pub free: Vec<usize>,
    /// Slots of the constants of the group, and the number of the definition of each.
    pub group: Vec<(usize, usize)>,
    pub body: E,
    pub span: Span,
}

/// A free type at run time.
pub(crate) struct FreeInfo {
    pub name: String,
    /// Names, and for a function the compiled set of its arguments.
    pub constructors: Vec<(String, Option<E>)>,
    /// Slots of the type's set parameters.
    pub parameters: Vec<usize>,
}

/// What a search is to beat: the worth is in a slot.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Aim {
    pub slot: usize,
    /// The best so far.
    pub best: Option<i64>,
    pub most: bool,
}

impl Aim {
    /// Can a worth between these be better than the best so far?
    pub fn may_improve(&self, lo: i64, hi: i64) -> bool {
        self.best.is_none_or(|best| if self.most { hi > best } else { lo < best })
    }
}
