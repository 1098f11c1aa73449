//! Verdicts as types.

use beeline_explore::{CutNote, Cuts, Exploration};
use beeline_judge::Replayed;

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
    ModelError(String),
    /// There is no answer, and it is not the model's fault.
    Undetermined(String),
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
    pub(crate) fn by(_: &Replayed, finding: usize) -> Confirmed {
        Confirmed { finding }
    }

    /// The number of the finding in [`crate::Outcome::findings`].
    pub fn finding(&self) -> usize {
        self.finding
    }
}

impl Verdict {
    /// The word in machine output.
    pub fn word(&self) -> &'static str {
        match self {
            Verdict::Holds(_) => "holds",
            Verdict::Violated(_) => "violated",
            Verdict::GoalFound(_) => "goal_found",
            Verdict::NoErrorFound(_) => "no_error_found",
            Verdict::ModelError(_) => "model_error",
            Verdict::Undetermined(_) => "undetermined",
        }
    }

    /// Nothing wrong was seen: complete or not decides.
    pub(crate) fn of_nothing_found(exploration: &Exploration, cuts: &Cuts) -> Verdict {
        match Complete::of(exploration) {
            Some(complete) if cuts.is_empty() => Verdict::Holds(complete),
            _ if !cuts.is_empty() => Verdict::NoErrorFound(cuts.list()),
            _ => Verdict::Undetermined("the exploration ended early without a reason".to_owned()),
        }
    }
}
