//! What a user may ask of an exploration.

use crate::frontier::Order;
use beeline_compile::PredId;
use std::time::Duration;

/// What is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checks {
    /// Conjuncts of the invariant.
    pub invariants: bool,
    /// States without successors.
    pub deadlock: bool,
    /// Assertions, static and dynamic.
    pub assertions: bool,
}

impl Default for Checks {
    fn default() -> Checks {
        Checks { invariants: true, deadlock: true, assertions: true }
    }
}

/// Where to stop. Reaching a limit is a cut.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Stop when so many nodes are known.
    pub states: Option<u64>,
    /// Do not expand states that are so many operations away from initialisation.
    pub depth: Option<u32>,
    /// Stop after so much time.
    pub time: Option<Duration>,
    /// Stop when the process holds so many bytes.
    pub memory_bytes: Option<u64>,
}

/// What is done with proofs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ProofUse {
    /// What was proved is not evaluated.
    #[default]
    On,
    /// They are ignored.
    Off,
    /// Everything is evaluated, and a state that contradicts a proof is told.
    Audit,
}

/// How to explore.
#[derive(Clone, Debug)]
pub struct Options {
    /// What is checked.
    pub checks: Checks,
    /// A predicate to look for.
    pub goal: Option<PredId>,
    /// Go on after the first finding.
    pub all: bool,
    /// Which state is expanded next.
    pub order: Order,
    /// How many workers; at least one.
    pub threads: usize,
    /// Seed of random choices.
    pub seed: u64,
    /// Do not check a conjunct again while nothing it reads has changed.
    pub skip_unchanged: bool,
    /// What is done with proofs that the model carries.
    pub proofs: ProofUse,
    /// Where to stop.
    pub limits: Limits,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            checks: Checks::default(),
            goal: None,
            all: false,
            order: Order::BreadthFirst,
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            seed: 0,
            skip_unchanged: true,
            proofs: ProofUse::On,
            limits: Limits::default(),
        }
    }
}
