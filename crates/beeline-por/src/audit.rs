//! What a reduction did, and what an audit of it has seen.

use crate::reduced::Tallied;
use std::sync::atomic::Ordering;

/// What a reduction did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Told {
    /// Steps that were left out.
    pub steps: u64,
    /// States in which some were.
    pub states: u64,
    /// What an audit has seen, if one was asked for.
    pub audit: Option<Audit>,
}

/// What the search of the whole state space came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Audit {
    /// Nodes of the whole state space, as far as it was explored.
    pub nodes: u64,
    /// Its transitions.
    pub transitions: u64,
    /// It was explored to its end.
    pub complete: bool,
    /// What was found there and not in the reduced one, in words.
    pub lost: Vec<String>,
}

impl Told {
    /// What was counted.
    pub fn of(tally: &Tallied) -> Told {
        Told {
            steps: tally.steps.load(Ordering::Relaxed),
            states: tally.states.load(Ordering::Relaxed),
            audit: None,
        }
    }
}
