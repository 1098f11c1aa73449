//! Typed substitutions: how a state changes.

use crate::formula::deep;
use crate::{Conjunct, Expr, ExternalId, LocalId, OperationId, Pred, VariableId};
use beeline_source::Span;
use std::fmt;

/// A typed substitution.
#[derive(Clone, PartialEq)]
pub struct Subst {
    /// What it does.
    pub kind: SubstKind,
    /// Where it stands.
    pub span: Span,
}

impl fmt::Debug for Subst {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Subst { kind, span } = self;
        deep(|| f.debug_tuple("Subst").field(kind).field(span).finish())
    }
}

/// The forms of substitutions.
#[derive(Clone, Debug, PartialEq)]
pub enum SubstKind {
    /// Changes nothing.
    Skip,
    /// All targets at once.
    Assign(Vec<Assignment>),
    /// `x, y :: S`
    BecomesElement(Vec<Place>, Box<Expr>),
    /// `x, y : (P)`
    BecomesSuch(Box<BecomesSuch>),
    /// `PRE P THEN S END`
    Pre(Vec<Conjunct>, Box<Subst>),
    /// `ASSERT P THEN S END`, or what an event owes its abstraction.
    Assert(Promise, Vec<Conjunct>, Box<Subst>),
    /// `IF P THEN S ELSIF Q THEN T ELSE U END`
    If(Vec<(Pred, Subst)>, Option<Box<Subst>>),
    /// `SELECT P THEN S WHEN Q THEN T ELSE U END`; blocks if no branch is open and there is no ELSE.
    Select(Vec<(Vec<Conjunct>, Subst)>, Option<Box<Subst>>),
    /// `CHOICE S OR T END`
    Choice(Vec<Subst>),
    /// `CASE e OF EITHER a, b THEN S … ELSE U END END`
    Case(Box<Expr>, Vec<(Vec<Expr>, Subst)>, Option<Box<Subst>>),
    /// `ANY x WHERE P THEN S END`
    Any(Vec<LocalId>, Vec<Conjunct>, Box<Subst>),
    /// `LET x BE x = e IN S END`; later values may use earlier locals.
    Let(Vec<(LocalId, Expr)>, Box<Subst>),
    /// `VAR x IN S END`
    Var(Vec<LocalId>, Box<Subst>),
    /// `WHILE …`
    While(Box<While>),
    /// `S ; T`
    Sequence(Vec<Subst>),
    /// `S || T`
    Parallel(Vec<Subst>),
    /// `r <-- op(e)`
    Call(Box<Call>),
    /// A call of an external substitution.
    External(ExternalId, Vec<Expr>),
}

/// What is promised where a condition must hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Promise {
    /// `ASSERT`
    Assert,
    /// The guard of an event is at least as strong as that of the event it refines.
    GuardStrengthening,
    /// What an event does, the event it refines can do.
    Simulation,
    /// A witness exists.
    Witness,
    /// A theorem among the guards of an event.
    Theorem,
    /// A convergent event decreases the variant, an anticipated one does not increase it.
    Variant,
    /// The variant of a convergent or anticipated event is a natural number or a finite set.
    VariantBound,
    /// An operation may be called wherever the one that it refines may be.
    RefinedPrecondition,
    /// A refinement refuses nothing that its abstraction cannot refuse.
    Refusal,
    /// A refinement has a step wherever its abstraction has one.
    Enabledness,
}

impl Promise {
    /// The word in machine output when it is broken.
    pub fn word(self) -> &'static str {
        match self {
            Promise::Assert => "assert",
            Promise::GuardStrengthening => "guard_strengthening",
            Promise::Simulation => "simulation",
            Promise::Witness => "witness",
            Promise::Theorem => "theorem",
            Promise::Variant => "variant",
            Promise::VariantBound => "variant_bound",
            Promise::RefinedPrecondition => "refined_precondition",
            Promise::Refusal => "refusal",
            Promise::Enabledness => "enabledness",
        }
    }

    /// What is wrong when it is broken.
    pub fn broken(self) -> &'static str {
        match self {
            Promise::Assert => "the assertion does not hold",
            Promise::GuardStrengthening => "the guard of the refined event does not hold",
            Promise::Simulation => "the refined event has no such step",
            Promise::Witness => {
                "there is no witness for the parameters or variables of the refined event"
            }
            Promise::Theorem => "a theorem among the guards is false",
            Promise::Variant => "the variant does not decrease as required",
            Promise::VariantBound => "the variant is negative or infinite",
            Promise::RefinedPrecondition => {
                "the precondition does not hold where that of the refined operation does"
            }
            Promise::Refusal => "something is refused that the abstraction cannot refuse",
            Promise::Enabledness => "no operation is possible, although the abstraction has a step",
        }
    }
}

/// Something that holds a value during execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Place {
    /// A state variable.
    Variable(VariableId),
    /// An operation result or VAR variable.
    Local(LocalId),
}

/// One target and its new value.
#[derive(Clone, Debug, PartialEq)]
pub struct Assignment {
    /// Where the value goes.
    pub target: Target,
    /// The value, in the state before.
    pub value: Expr,
}

/// `x`, `f(i)(j)`, `r'a`: a place and a path into its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    /// The place that changes.
    pub place: Place,
    /// The way to the changed part, outermost first; empty for the whole value.
    pub path: Vec<Access>,
    /// Where it stands.
    pub span: Span,
}

/// One step into a value.
#[derive(Clone, Debug, PartialEq)]
pub enum Access {
    /// `f(i)`: overrides the function at `i`.
    Index(Expr),
    /// `r'a`, by position in the record type.
    Field(usize),
}

/// `x, y : (P)`. Inside `P` the new values are `after`, the places themselves are the old values.
#[derive(Clone, Debug, PartialEq)]
pub struct BecomesSuch {
    /// What changes.
    pub places: Vec<Place>,
    /// One local a place: its new value.
    pub after: Vec<LocalId>,
    /// The condition.
    pub predicate: Pred,
}

/// A loop.
#[derive(Clone, Debug, PartialEq)]
pub struct While {
    /// Values at the start of the loop that `invariant` speaks of as `x$0`.
    pub before: Vec<(LocalId, Place)>,
    /// Goes on while this holds.
    pub condition: Pred,
    /// One round.
    pub body: Subst,
    /// Holds before each round and at the end.
    pub invariant: Vec<Conjunct>,
    /// A natural number that each round decreases.
    pub variant: Expr,
}

/// A call of another operation.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// The operation.
    pub operation: OperationId,
    /// One value a parameter.
    pub arguments: Vec<Expr>,
    /// One target a result.
    pub results: Vec<Target>,
}
