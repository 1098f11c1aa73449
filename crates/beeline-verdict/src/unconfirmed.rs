//! Why the judge does not confirm something.

use beeline_judge::{EvalError, Refusal};
use std::fmt;

/// Why the judge does not confirm a path, or what was found at its end.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unconfirmed {
    /// The value of a parameter is not listed: it cannot be told to the judge.
    ParameterNotListed,
    /// The judge finds no values for the constants that the engine does not list.
    NoConstants,
    /// The judge does not find out whether there are such values.
    ConstantsUnknown(EvalError),
    /// A goal was found, and there is none.
    NoGoal,
    /// What was found is about a conjunct that the model does not have.
    NoConjunct,
    /// What was found is a fault of no operation.
    NoOperation,
    /// The judge has replayed it, and refuses.
    Refused(Refusal),
    /// For another reason, in words.
    Otherwise(String),
}

impl Unconfirmed {
    /// Does the judge know that the constants do not have the properties that they need?
    pub fn is_of_other_constants(&self) -> bool {
        matches!(self, Unconfirmed::Refused(Refusal::Property(_)))
    }
}

impl fmt::Display for Unconfirmed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use Unconfirmed as U;
        match self {
            U::ParameterNotListed => f.write_str("the value of a parameter is not listed"),
            U::NoConstants => f.write_str("the judge finds no values for the constants"),
            U::ConstantsUnknown(error) => {
                write!(f, "the judge cannot set up the constants: {error}")
            }
            U::NoGoal => f.write_str("there is no goal"),
            U::NoConjunct => f.write_str("no such conjunct"),
            U::NoOperation => f.write_str("a fault outside any operation"),
            U::Refused(refusal) => refusal.fmt(f),
            U::Otherwise(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for Unconfirmed {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Unconfirmed::ConstantsUnknown(error) => Some(error),
            Unconfirmed::Refused(refusal) => Some(refusal),
            _ => None,
        }
    }
}
