//! Why a model cannot be reduced as asked.

use std::error::Error;
use std::fmt;

/// Why a model cannot be reduced as asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SymmetryError {
    /// A definition `FORCE_SYMMETRY_…` names a set that is not symmetric.
    NotSymmetric {
        /// The set.
        set: String,
        /// In words.
        why: String,
    },
    /// Flooding would need more permutations of each state than this.
    TooManyPermutations(u64),
}

impl fmt::Display for SymmetryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SymmetryError::NotSymmetric { set, why } => {
                write!(f, "FORCE_SYMMETRY_{set}: {set} is not symmetric: {why}")
            }
            SymmetryError::TooManyPermutations(most) => {
                write!(f, "flooding needs more than {most} permutations of each state")
            }
        }
    }
}

impl Error for SymmetryError {}
