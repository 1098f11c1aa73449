//! What a user may ask of an exploration.

use crate::checkpoint::Checkpoint;
use crate::order::Order;
use crate::proof::Proof;
use std::path::PathBuf;
use std::time::Duration;

/// What is made of knowledge about operations that are disabled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Skip {
    /// Every operation is tried in every state.
    Off,
    /// What is known to be disabled is not tried, where trying takes longer than knowing.
    #[default]
    Auto,
    /// The same everywhere and from the first state on, however cheap trying is.
    On,
    /// Everything is tried, and what turns out to be enabled though it was known not to be is told.
    Audit,
}

impl Skip {
    /// The use of this name on the command line.
    pub fn by_name(name: &str) -> Option<Skip> {
        match name {
            "auto" => Some(Skip::Auto),
            "on" => Some(Skip::On),
            "off" => Some(Skip::Off),
            "audit" => Some(Skip::Audit),
            _ => None,
        }
    }
}

/// What is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checks {
    /// Conjuncts of the invariant.
    pub invariants: bool,
    /// States without successors.
    pub deadlock: bool,
    /// Assertions, static and dynamic.
    pub assertions: bool,
    /// `ASSERT_LTL` and `ASSERT_CTL`.
    pub temporal: bool,
    /// The goal of the model itself.
    pub goal: bool,
    /// That a refinement of classical B refines: gluing conjuncts, and what its operations do.
    pub refinement: bool,
}

impl Default for Checks {
    fn default() -> Checks {
        Checks {
            invariants: true,
            deadlock: true,
            assertions: true,
            temporal: true,
            goal: true,
            refinement: true,
        }
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

/// How much is taken at first of what there may be too much of; more is taken when the search has done
/// something about it. Results are the same, but for which of several findings comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct First {
    /// Valuations of the constants.
    pub setups: u64,
    /// Initial states.
    pub initial: u64,
    /// Steps of one state.
    pub steps: u64,
}

impl Default for First {
    fn default() -> First {
        First { setups: 1 << 14, initial: 1 << 18, steps: 1 << 18 }
    }
}

/// When and where states move to disk; only breadth-first search can go on from there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spill {
    /// Where.
    pub folder: PathBuf,
    /// With so many states in memory, whatever else there is room for.
    pub after_states: Option<usize>,
    /// Not at all.
    pub never: bool,
}

impl Default for Spill {
    fn default() -> Spill {
        Spill { folder: std::env::temp_dir(), after_states: None, never: false }
    }
}

/// How to explore.
#[derive(Clone, Debug)]
pub struct Options {
    /// What is checked.
    pub checks: Checks,
    /// Go on after the first finding.
    pub all: bool,
    /// Which state is expanded next.
    pub order: Order,
    /// How many workers; at least one.
    pub threads: usize,
    /// Seed of random choices.
    pub seed: u64,
    /// What is made of knowledge about preservation.
    pub proof: Proof,
    /// What is made of knowledge about operations that are disabled.
    pub skip: Skip,
    /// Where to stop.
    pub limits: Limits,
    /// How much is taken at first.
    pub first: First,
    /// Tell states apart by a hash of 64 bits: less memory for long states, and a cut.
    pub hash_compaction: bool,
    /// Measure where time and bytes go.
    pub stats: bool,
    /// Plan operations again from what their plans came to.
    pub replan: bool,
    /// What is done where it pays (plans, code, memos) is done after a few states already, and for any
    /// gain: for tests, which have few states, and whose results must not depend on a clock.
    pub early: bool,
    /// Measure each wave, operation and check, which takes time itself.
    pub clocks: bool,
    /// When and where states move to disk.
    pub spill: Spill,
    /// Where to save, if at all.
    pub checkpoint: Option<Checkpoint>,
}

impl Options {
    /// How much is taken at first. What comes late may be found on a longer way before, so that a limit
    /// of depth would leave out more than it says: then states come as they are. Valuations of the
    /// constants have no states in common.
    pub(crate) fn first(&self) -> First {
        match self.limits.depth {
            Some(_) => First { initial: u64::MAX, steps: u64::MAX, ..self.first },
            None => self.first,
        }
    }
}

impl Default for Options {
    fn default() -> Options {
        Options {
            checks: Checks::default(),
            all: false,
            order: Order::BreadthFirst,
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            seed: 0,
            proof: Proof::On,
            skip: Skip::default(),
            limits: Limits::default(),
            first: First::default(),
            hash_compaction: false,
            stats: false,
            replan: true,
            early: false,
            clocks: false,
            spill: Spill::default(),
            checkpoint: None,
        }
    }
}
