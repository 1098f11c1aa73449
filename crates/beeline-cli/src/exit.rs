//! Exit codes: a contract with scripts.

use beeline::verdict::Verdict;
use std::process::ExitCode;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// All is well.
    Ok = 0,
    /// The answer is no: a file is not formatted, a denied warning was found, the model is
    /// violated; or a goal was found.
    No = 1,
    /// A mistake in the model or on the command line.
    Error = 2,
    /// No error was found, but the check is not complete.
    Incomplete = 3,
    /// There is no answer, and it is not the model's fault.
    Undetermined = 4,
}

impl Exit {
    /// The code of a verdict.
    pub fn of(verdict: &Verdict) -> Exit {
        match verdict {
            Verdict::Holds(_) => Exit::Ok,
            Verdict::Violated(_) | Verdict::GoalFound(_) => Exit::No,
            Verdict::ModelError(_) => Exit::Error,
            Verdict::NoErrorFound(_) => Exit::Incomplete,
            Verdict::Undetermined(_) => Exit::Undetermined,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}
