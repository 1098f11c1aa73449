//! Exit codes: a contract with scripts.

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
    pub fn of(verdict: &beeline::verdict::Verdict) -> Exit {
        match verdict.exit_code() {
            0 => Exit::Ok,
            1 => Exit::No,
            2 => Exit::Error,
            3 => Exit::Incomplete,
            _ => Exit::Undetermined,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}
