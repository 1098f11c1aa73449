//! What an evaluation can end in when it does not end in a value.

use beeline_source::Span;
use std::fmt;

/// The result of an evaluation.
pub type Eval<T> = Result<T, EvalError>;

/// Why there is no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EvalError {
    /// The formula has no meaning here: a division by zero, a function outside its domain …
    IllDefined {
        /// In words, with the values.
        what: String,
        /// Where.
        span: Span,
    },
    /// A substitution broke what it promised.
    Violation {
        /// Which promise.
        kind: ViolationKind,
        /// In words.
        what: String,
        /// Where.
        span: Span,
    },
    /// The answer exists, but was not found.
    Unknown {
        /// Why not.
        reason: UnknownReason,
        /// Where.
        span: Span,
    },
    /// Something this evaluator does not do.
    Unsupported {
        /// In words.
        what: String,
        /// Where.
        span: Span,
    },
    /// A name was read that has no value (yet).
    Unset {
        /// Its name.
        what: String,
        /// Where.
        span: Span,
    },
    /// The typed model is not what it promises to be.
    Internal {
        /// In words.
        what: String,
        /// Where.
        span: Span,
    },
}

/// A promise that a substitution can break.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ViolationKind {
    /// The precondition of a called operation.
    Precondition,
    /// `ASSERT`, or what an event owes its abstraction
    Promise(beeline_model::Promise),
    /// The invariant of a loop.
    LoopInvariant,
    /// The variant of a loop.
    Variant,
    /// One place changed by both sides of `||`.
    Clash,
}

/// Why an answer was not found.
///
/// These are no cuts: the judge shares nothing with the engine, and visits no states that could be left out. Whatever
/// is unknown to it is not confirmed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum UnknownReason {
    /// An infinite set (or one that nothing bounds) would have to be listed.
    Infinite,
    /// A set is larger than the limit on listed elements.
    TooLarge,
    /// The budget of steps is used up.
    Steps,
    /// Stopped from outside.
    Stopped,
    /// Evaluation nests too deeply, as in a recursion without end.
    Depth,
    /// A comparison of sets that cannot be listed was not decided.
    Undecided,
}

/// Something that was decided within bounds only. A verdict that rests on it is not exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Note {
    /// What was bounded.
    pub kind: NoteKind,
    /// Where.
    pub span: Span,
}

/// What was decided within bounds only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NoteKind {
    /// Integers that nothing bounds were tried in `MININT..MAXINT`, strings as two samples.
    UnboundedEnumeration,
    /// A constant is equal to something that mentions it: one solution was taken, and there may be others.
    RecursiveDefinition,
    /// An infinite set was compared by its elements in `MININT..MAXINT`.
    SampledInclusion,
    /// A call of an external whose effect is outside the model was taken to do nothing.
    ExternalEffect,
}

impl EvalError {
    /// Ill-defined, in these words.
    pub fn ill_defined(what: impl Into<String>) -> EvalError {
        EvalError::IllDefined { what: what.into(), span: Span::NONE }
    }

    /// Not found out.
    pub fn unknown(reason: UnknownReason) -> EvalError {
        EvalError::Unknown { reason, span: Span::NONE }
    }

    /// Not done by this evaluator.
    pub fn unsupported(what: impl Into<String>) -> EvalError {
        EvalError::Unsupported { what: what.into(), span: Span::NONE }
    }

    /// The model broke a promise.
    pub fn internal(what: impl Into<String>) -> EvalError {
        EvalError::Internal { what: what.into(), span: Span::NONE }
    }

    /// Says where, unless that is already said more exactly.
    #[must_use]
    pub fn at(mut self, place: Span) -> EvalError {
        let span = self.span_mut();
        if *span == Span::NONE {
            *span = place;
        }
        self
    }

    /// Keeps this beside an earlier trouble. What was not found out weighs more than what has no
    /// meaning: it might have decided.
    pub(crate) fn join(self, trouble: &mut Option<EvalError>) {
        let earlier = trouble.take();
        *trouble = Some(match earlier {
            Some(earlier) => self.joined(earlier),
            None => self,
        });
    }

    /// The weightier of two troubles, the earlier one if they weigh the same.
    pub(crate) fn joined(self, earlier: EvalError) -> EvalError {
        match (&earlier, &self) {
            (EvalError::IllDefined { .. }, EvalError::Unknown { .. }) => self,
            _ => earlier,
        }
    }

    /// Where it happened.
    pub fn span(&self) -> Span {
        self.clone().span_mut().to_owned()
    }

    fn span_mut(&mut self) -> &mut Span {
        match self {
            EvalError::IllDefined { span, .. }
            | EvalError::Violation { span, .. }
            | EvalError::Unknown { span, .. }
            | EvalError::Unsupported { span, .. }
            | EvalError::Unset { span, .. }
            | EvalError::Internal { span, .. } => span,
        }
    }

    /// Is it a failure of the model, and not one of ours? Where constants and the state before are known, a
    /// name without a value is one that the model reads too early.
    pub fn is_fault(&self) -> bool {
        matches!(
            self,
            EvalError::IllDefined { .. } | EvalError::Violation { .. } | EvalError::Unset { .. }
        )
    }

    /// Would no neighbour that is false or true make up for it? (The budget is gone for all.)
    pub(crate) fn is_final(&self) -> bool {
        matches!(
            self,
            EvalError::Unknown {
                reason: UnknownReason::Steps | UnknownReason::Stopped | UnknownReason::Depth,
                ..
            } | EvalError::Internal { .. }
        )
    }
}

impl fmt::Display for UnknownReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            UnknownReason::Infinite => "an infinite or unbounded set would have to be enumerated",
            UnknownReason::TooLarge => "a set is too large to be enumerated",
            UnknownReason::Steps => "the budget of evaluation steps is used up",
            UnknownReason::Stopped => "its time or memory is used up",
            UnknownReason::Depth => "the evaluation nests too deeply",
            UnknownReason::Undecided => "a comparison of infinite sets was not decided",
        })
    }
}

impl fmt::Display for EvalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EvalError::IllDefined { what, .. } => write!(f, "not well-defined: {what}"),
            EvalError::Violation { what, .. } => f.write_str(what),
            EvalError::Unknown { reason, .. } => reason.fmt(f),
            EvalError::Unsupported { what, .. } => write!(f, "not supported: {what}"),
            EvalError::Unset { what, .. } => write!(f, "{what} has no value"),
            EvalError::Internal { what, .. } => write!(f, "internal: {what}"),
        }
    }
}

impl std::error::Error for EvalError {}
