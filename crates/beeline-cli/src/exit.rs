//! Exit codes: a contract with scripts.

use std::process::ExitCode;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// All is well.
    Ok = 0,
    /// The answer is no: a file is not formatted, a denied warning was found.
    No = 1,
    /// A mistake in the model or on the command line.
    Error = 2,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}
