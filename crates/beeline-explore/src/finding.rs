//! What an exploration can find, and the way there.

use beeline_source::Span;
use beeline_transition::{
    Arguments, ConjunctId, Constants, Fault, FaultKind, OperationIndex, State, StateRef, Step,
};

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FindingKind {
    /// A conjunct is false.
    Violated(ConjunctId),
    /// A conjunct is not well-defined.
    Undefined(ConjunctId, Box<Fault>),
    /// An operation fails: a formula without a meaning, or a broken promise.
    Operation(Box<Fault>),
    /// Initialisation fails.
    Initialisation(Box<Fault>),
    /// No operation is possible.
    Deadlock,
    /// Initialisation is not possible.
    NoInitialState,
    /// The goal was reached.
    Goal,
    /// The goal has no meaning.
    GoalUndefined(Box<Fault>),
}

impl FindingKind {
    /// Which of two findings in one state is told first; also, what counts as the same kind.
    pub fn key(&self) -> (u8, usize, Option<FaultKind>, Span) {
        let of_conjunct = |id| match id {
            ConjunctId::Invariant(_) => 0,
            ConjunctId::Assertion(_) => 2,
        };
        let of = |rank, index, fault: &Fault| (rank, index, Some(fault.kind), fault.span);
        match self {
            FindingKind::Violated(id) => (of_conjunct(*id), id.index(), None, Span::NONE),
            FindingKind::Undefined(id, f) => of(of_conjunct(*id) + 1, id.index(), f),
            FindingKind::Initialisation(f) => of(4, 0, f),
            FindingKind::NoInitialState => (5, 0, None, Span::NONE),
            FindingKind::Operation(f) => of(6, f.operation.map_or(0, |o| o.0), f),
            FindingKind::Deadlock => (7, 0, None, Span::NONE),
            FindingKind::Goal => (8, 0, None, Span::NONE),
            FindingKind::GoalUndefined(f) => of(9, 0, f),
        }
    }

    /// Are two findings of one kind, so that one of them is told?
    pub fn is_like(&self, other: &FindingKind) -> bool {
        self.key() == other.key()
    }

    /// Is something wrong (and not just found)?
    pub fn is_violation(&self) -> bool {
        !matches!(self, FindingKind::Goal)
    }
}

/// A finding and the way to it.
#[derive(Clone, Debug)]
pub struct Finding {
    /// What.
    pub kind: FindingKind,
    /// The last node of the path is where it was found.
    pub path: Path,
}

/// A way from the root, in the words of states.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Path {
    /// The valuation of the constants.
    pub constants: Constants,
    /// The state after initialisation, if the path comes that far.
    pub initial: Option<State>,
    /// The operations from there.
    pub steps: Vec<PathStep>,
}

/// One operation on a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathStep {
    /// Which one.
    pub operation: OperationIndex,
    /// One word a parameter.
    pub arguments: Arguments,
    /// One word a result.
    pub results: Vec<u32>,
    /// The state after it.
    pub target: State,
}

impl PathStep {
    /// A step to keep.
    pub fn of(step: Step<'_>) -> PathStep {
        PathStep {
            operation: step.operation,
            arguments: step.arguments.owned(),
            results: step.results.to_vec(),
            target: step.target.owned(),
        }
    }
}

impl Path {
    /// The last state, if the path has one.
    pub fn last(&self) -> Option<StateRef<'_>> {
        let last = self.steps.last().map(|step| &step.target);
        last.or(self.initial.as_ref()).map(State::view)
    }
}
