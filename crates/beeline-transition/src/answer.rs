//! What an enumeration can say besides its results: faults of the model, and cuts of ours.

use crate::{Arguments, OperationIndex};
use beeline_model::Promise;
use beeline_source::Span;

/// Why something was left out. One list for the whole program: nothing is ever cut silently.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CutReason {
    /// Not all valuations of the constants.
    Constants,
    /// Not all initial states.
    InitialStates,
    /// An infinite or too large set was enumerated in part, or not at all.
    LargeSet,
    /// One evaluation took more steps than allowed.
    EvaluationSteps,
    /// Total time.
    Time,
    /// Number of states.
    States,
    /// Length of traces.
    Depth,
    /// Memory.
    Memory,
    /// Disk.
    Disk,
    /// An operation or check was left out.
    Ignored,
    /// States are told apart by a hash only.
    HashCompaction,
    /// States are told apart by a symmetry marker only.
    SymmetryMarker,
    /// A construct or property that is not supported.
    Unsupported,
    /// An evaluation error was skipped.
    SkippedError,
    /// A worker was lost.
    WorkerLost,
    /// The user stopped it.
    Interrupted,
    /// Something that the model claims and nobody looks at.
    NotChecked,
}

/// Something that was left out, and where.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cut {
    /// Why.
    pub reason: CutReason,
    /// The formula that was not evaluated completely.
    pub span: Span,
    /// In words.
    pub words: String,
}

impl Cut {
    /// Must the whole evaluation end, whatever else it could try?
    pub fn is_final(&self) -> bool {
        matches!(self.reason, CutReason::EvaluationSteps | CutReason::Interrupted)
    }
}

/// What the model did wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FaultKind {
    /// Division or modulo by zero, modulo of negatives, negative exponent.
    Arithmetic,
    /// A function is applied outside its domain.
    OutsideDomain,
    /// A relation that is no function is applied.
    NotAFunction,
    /// min, max or inter of the empty set.
    EmptySet,
    /// first, last, front, tail of an empty sequence; take, drop out of range; not a sequence.
    Sequence,
    /// card of an infinite set.
    InfiniteSet,
    /// A local variable or result is read before it has a value.
    Unassigned,
    /// Two parallel substitutions assign one variable.
    DoubleAssignment,
    /// The precondition of a called operation does not hold.
    Precondition,
    /// An ASSERT, or what an event owes its abstraction, does not hold.
    Promise(Promise),
    /// A loop invariant does not hold.
    LoopInvariant,
    /// A loop variant is negative or does not decrease.
    LoopVariant,
    /// An external function was used wrongly.
    External,
}

impl FaultKind {
    /// Is it about a formula without a meaning (and not about what an operation does)?
    pub fn is_well_definedness(self) -> bool {
        !matches!(
            self,
            FaultKind::Precondition
                | FaultKind::Promise(_)
                | FaultKind::LoopInvariant
                | FaultKind::LoopVariant
                | FaultKind::DoubleAssignment
        )
    }
}

/// A fault of the model: what, where, with which values.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fault {
    /// What.
    pub kind: FaultKind,
    /// Where.
    pub span: Span,
    /// In words, with the values that matter.
    pub words: String,
    /// The operation that was being executed.
    pub operation: Option<OperationIndex>,
    /// The values of its parameters, as words of the store, as far as they were chosen.
    pub arguments: Arguments,
}

/// What came of an enumeration besides the results themselves.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// What the model did wrong on the way. The enumeration went on where it could.
    pub faults: Vec<Fault>,
    /// What was left out. Empty means: all there is.
    pub cuts: Vec<Cut>,
    /// The receiver said that it has enough: what was not given is no cut of ours.
    pub stopped: bool,
}

impl Answer {
    /// Nothing was left out but what the receiver did not want.
    pub fn of(flow: Flow) -> Answer {
        Answer { stopped: flow == Flow::Enough, ..Answer::default() }
    }

    /// Hands all results of a list to a receiver, as long as it wants more.
    pub fn of_each<T>(
        list: impl IntoIterator<Item = T>,
        mut sink: impl FnMut(T) -> Flow,
    ) -> Answer {
        // `any` ends with the first result that was enough.
        let enough = list.into_iter().any(|result| sink(result) == Flow::Enough);
        Answer { stopped: enough, ..Answer::default() }
    }

    /// Was everything enumerated?
    pub fn complete(&self) -> bool {
        self.cuts.is_empty() && !self.stopped
    }

    /// Notes what the model did wrong, once.
    pub fn fault(&mut self, fault: Fault) {
        if !self.faults.contains(&fault) {
            self.faults.push(fault);
        }
    }

    /// Notes something that was left out, once.
    pub fn cut(&mut self, cut: Cut) {
        if !self.cuts.contains(&cut) {
            self.cuts.push(cut);
        }
    }
}

/// Whether the receiver of results wants more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// More, please.
    More,
    /// That is enough.
    Enough,
}

/// The truth of a predicate in one state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Truth {
    /// It holds.
    True,
    /// It does not hold.
    False,
    /// It has no meaning here.
    Undefined(Box<Fault>),
    /// The engine could not decide.
    Unknown(Box<Cut>),
}
