//! Verdicts as types.

use crate::unconfirmed::Unconfirmed;
use beeline_compile::Fault;
use beeline_explore::{CutNote, Cuts, Exploration};
use beeline_judge::Replayed;
use std::fmt;

/// What is known about the model, in the stated scope.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// Every reachable state was visited and checked exactly.
    Holds(Complete),
    /// Something is wrong; the finding was replayed by the judge.
    Violated(Confirmed),
    /// The goal was reached; the trace was replayed by the judge.
    GoalFound(Confirmed),
    /// Nothing wrong was seen, but something was left out.
    NoErrorFound(Vec<CutNote>),
    /// The model cannot be run.
    ModelError(ModelError),
    /// There is no answer, and it is not the model's fault.
    Undetermined(Undetermined),
}

/// A verdict without what it rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum VerdictKind {
    Holds,
    Violated,
    GoalFound,
    NoErrorFound,
    ModelError,
    Undetermined,
}

/// Why a model cannot be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModelError {
    /// No values of the constants satisfy the properties.
    NoConstants,
    /// The properties are not well-defined.
    Undefined(Box<Fault>),
}

/// Why there is no answer, though the model is not to blame.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Undetermined {
    /// Something was found, but the way there was not found again.
    LostTrace,
    /// Something was found that the judge does not confirm.
    Unconfirmed {
        /// What was found, in words.
        found: String,
        /// Why the judge does not confirm it.
        why: Unconfirmed,
    },
    /// The judge finds a conjunct false that was proved; its label, if it has one.
    AgainstProof(Option<String>),
    /// Not everything was visited, and no cut says why.
    EndedEarly,
}

/// Evidence that nothing was left out. Only [`Complete::of`] makes it.
#[derive(Clone, Debug)]
pub struct Complete(());

impl Complete {
    /// The evidence, if the exploration was complete and found nothing.
    pub fn of(exploration: &Exploration) -> Option<Complete> {
        let nothing = exploration.findings.is_empty() && !exploration.lost_path;
        (exploration.is_complete() && nothing && !exploration.no_setup).then_some(Complete(()))
    }
}

/// Evidence that the judge replayed a trace and saw what it claims.
///
/// Only `Confirmed::by` makes it, and it takes what only the judge can give.
#[derive(Clone, Debug)]
pub struct Confirmed {
    finding: usize,
}

impl Confirmed {
    /// The finding of this number, by the judge's word on it.
    pub fn by(_: &Replayed, finding: usize) -> Confirmed {
        Confirmed { finding }
    }

    /// The number of the finding in [`crate::Outcome::findings`].
    pub fn finding(&self) -> usize {
        self.finding
    }
}

impl Verdict {
    /// Which one it is.
    pub fn kind(&self) -> VerdictKind {
        match self {
            Verdict::Holds(_) => VerdictKind::Holds,
            Verdict::Violated(_) => VerdictKind::Violated,
            Verdict::GoalFound(_) => VerdictKind::GoalFound,
            Verdict::NoErrorFound(_) => VerdictKind::NoErrorFound,
            Verdict::ModelError(_) => VerdictKind::ModelError,
            Verdict::Undetermined(_) => VerdictKind::Undetermined,
        }
    }

    /// The word in machine output.
    pub fn word(&self) -> &'static str {
        self.kind().word()
    }

    /// Why there is neither a finding nor a cut to show, in words.
    pub fn why(&self) -> Option<String> {
        match self {
            Verdict::ModelError(error) => Some(error.to_string()),
            Verdict::Undetermined(why) => Some(why.to_string()),
            _ => None,
        }
    }

    /// Nothing wrong was seen: complete or not decides.
    pub fn of_nothing_found(exploration: &Exploration, cuts: &Cuts) -> Verdict {
        match Complete::of(exploration) {
            Some(complete) if cuts.is_empty() => Verdict::Holds(complete),
            _ if !cuts.is_empty() => Verdict::NoErrorFound(cuts.list()),
            _ => Verdict::Undetermined(Undetermined::EndedEarly),
        }
    }
}

impl VerdictKind {
    /// The word in machine output.
    pub fn word(self) -> &'static str {
        match self {
            VerdictKind::Holds => "holds",
            VerdictKind::Violated => "violated",
            VerdictKind::GoalFound => "goal_found",
            VerdictKind::NoErrorFound => "no_error_found",
            VerdictKind::ModelError => "model_error",
            VerdictKind::Undetermined => "undetermined",
        }
    }
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ModelError::NoConstants => {
                f.write_str("no values of the constants satisfy the properties")
            }
            ModelError::Undefined(fault) => {
                write!(f, "the properties are not well-defined: {fault}")
            }
        }
    }
}

impl fmt::Display for Undetermined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Undetermined::LostTrace => {
                f.write_str("the trace of a finding could not be recomputed")
            }
            Undetermined::Unconfirmed { found, why } => {
                write!(f, "{found}, but the judge does not confirm it: {why}")
            }
            Undetermined::AgainstProof(label) => {
                let name = label.as_deref().unwrap_or("a conjunct");
                write!(f, "{name} was proved, but the judge finds it false")
            }
            Undetermined::EndedEarly => f.write_str("the exploration ended early without a reason"),
        }
    }
}
