//! Options that do not fit the model, or each other.

use beeline_symmetry::SymmetryError;
use std::error::Error;
use std::fmt;

/// An option that does not fit the model, or another option.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OptionError {
    /// `MININT` is larger than `MAXINT`.
    IntegerBounds {
        /// `MININT`
        min: i64,
        /// `MAXINT`
        max: i64,
    },
    /// There is no set of this name.
    UnknownSet(String),
    /// The elements of this set are listed: its size cannot be chosen.
    EnumeratedSet(String),
    /// The model says that the set has another size.
    SetSize {
        /// The set.
        set: String,
        /// The size that was asked for.
        size: u64,
    },
    /// No set of B is empty.
    EmptySet(String),
    /// There is no conjunct with this label or number.
    UnknownInvariant {
        /// The label or number.
        name: String,
        /// How many conjuncts there are.
        count: usize,
    },
    /// There is no operation of this name.
    UnknownOperation(String),
    /// A search by distance has nothing to go to.
    NoTarget,
    /// The model has no `HEURISTIC_FUNCTION`.
    NoHeuristic,
    /// `HEURISTIC_FUNCTION` is no integer.
    HeuristicType,
    /// A portfolio of searches cannot be saved.
    PortfolioCheckpoint,
    /// The system gives no thread.
    NoThread,
    /// The reduction by symmetry is refused.
    Symmetry(SymmetryError),
    /// An audit of symmetry needs a mode that reduces states.
    NothingToAudit,
    /// The model has a `SCOPE`, and partial order reduction cannot be used.
    PartialOrderScope,
    /// This needs breadth-first search.
    NeedsBreadthFirst(BreadthFirst),
    /// Sets of states cannot be searched with this.
    NotSymbolic(&'static str),
    /// The goal is an expression.
    GoalNotPredicate,
    /// The goal speaks of a name that the model does not know.
    GoalUnknownName(String),
}

/// What only breadth-first search can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BreadthFirst {
    /// Traces that are proved to be shortest.
    Shortest,
    /// States as hashes.
    HashCompaction,
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use OptionError as E;
        match self {
            E::IntegerBounds { .. } => f.write_str("MININT is larger than MAXINT"),
            E::UnknownSet(set) => write!(f, "the model has no set {set}"),
            E::EnumeratedSet(set) => {
                write!(f, "{set} is enumerated: its size cannot be chosen")
            }
            E::SetSize { set, size } => {
                write!(f, "the model does not allow {set} to have {size} elements")
            }
            E::EmptySet(set) => write!(f, "{set} cannot be empty"),
            E::UnknownInvariant { name, count } => write!(
                f,
                "the model has no invariant {name}: give a label, or a number from 1 to {count}"
            ),
            E::UnknownOperation(name) => write!(f, "the model has no operation {name}"),
            E::NoTarget => f.write_str(
                "a search by distance needs something to go to: a definition GOAL in the model, \
                 a goal or a hunt",
            ),
            E::NoHeuristic => f.write_str(
                "a custom search order needs a definition HEURISTIC_FUNCTION in the model",
            ),
            E::HeuristicType => f.write_str("HEURISTIC_FUNCTION is not an integer"),
            E::PortfolioCheckpoint => {
                f.write_str("a portfolio cannot be saved: choose one order for a checkpoint")
            }
            E::NoThread => f.write_str("no search could be started"),
            E::Symmetry(error) => fmt::Display::fmt(error, f),
            E::NothingToAudit => {
                f.write_str("an audit of symmetry needs a mode that reduces states")
            }
            E::PartialOrderScope => f.write_str(
                "partial order reduction does not work with a definition SCOPE: \
                 remove the definition, or explore without the reduction",
            ),
            E::NeedsBreadthFirst(BreadthFirst::Shortest) => {
                f.write_str("a shortest trace needs breadth-first search")
            }
            E::NeedsBreadthFirst(BreadthFirst::HashCompaction) => {
                f.write_str("hash compaction needs breadth-first search")
            }
            E::NotSymbolic(what) => {
                write!(f, "symbolic search does not work with {what}: leave out one of them")
            }
            E::GoalNotPredicate => f.write_str("the goal is not a predicate"),
            E::GoalUnknownName(name) => {
                write!(f, "the goal speaks of {name}, which the model does not know")
            }
        }
    }
}

impl Error for OptionError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            OptionError::Symmetry(error) => error.source(),
            _ => None,
        }
    }
}
