//! What an exploration comes to.

use crate::checkpoint::Refusal;
use crate::cuts::Cuts;
use crate::finding::Finding;
use crate::options::Skip;
use crate::order::Order;
use crate::proof::{Contradiction, Proof};
use crate::skip::WrongSkip;
use crate::stats::Stats;
use beeline_transition::{ConjunctId, Constants, Fault, Prover, State};
use std::time::Duration;

/// How much there was.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// The root, each valuation of the constants, each initialised state.
    pub nodes: u64,
    /// Valuations of the constants that count as nodes.
    pub constants: u64,
    /// Steps, those of set-up and initialisation among them.
    pub transitions: u64,
    /// Checks of one conjunct in one state.
    pub invariant_evaluations: u64,
    /// Checks of which the result was known; in an audit they were made all the same.
    pub invariant_evaluations_known: u64,
    /// Guards that were evaluated, one an operation and state.
    pub guard_evaluations: u64,
    /// Guards whose value was known; in an audit they were evaluated all the same.
    pub guard_evaluations_known: u64,
}

impl Counts {
    /// Nodes without the root.
    pub fn states(&self) -> u64 {
        self.nodes.saturating_sub(1)
    }
}

/// What an exploration came to: facts, and what was left out.
#[derive(Clone, Debug)]
pub struct Exploration {
    /// How much there was.
    pub counts: Counts,
    /// The first finding of each kind, nearest first.
    pub findings: Vec<Finding>,
    /// No path to a finding can be shorter than the one that is shown.
    pub minimal: bool,
    /// The order in which states were taken.
    pub order: Order,
    /// What was left out, limits and interruptions included.
    pub cuts: Cuts,
    /// It ended at the first finding, as asked.
    pub stopped_at_finding: bool,
    /// No valuation of the constants satisfies the properties.
    pub no_setup: bool,
    /// The properties have no meaning for some valuation.
    pub setup_faults: Vec<Fault>,
    /// Operations from initialisation to the deepest states that were expanded.
    pub depth: u32,
    /// Transitions of each operation.
    pub covered: Vec<u64>,
    /// A finding whose path could not be computed again: an internal surprise.
    pub lost_path: bool,
    /// Time it took.
    pub elapsed: Duration,
    /// Processor time that the process spent meanwhile, where the system tells.
    pub cpu: Option<Duration>,
    /// The most memory that the process held, where the system tells.
    pub peak_memory_bytes: Option<u64>,
    /// Bytes of the visited table for each state in it.
    pub bytes_per_state: f64,
    /// Where time and bytes went, if somebody asked.
    pub stats: Option<Stats>,
    /// States that were known already when it went on from a checkpoint.
    pub resumed: Option<u64>,
    /// The checkpoint cannot be used: nothing was explored.
    pub refused: Option<Refusal>,
    /// What went wrong without harm to the result.
    pub troubles: Vec<String>,
    /// What was made of knowledge about preservation.
    pub proof: Proof,
    /// What was made of knowledge about operations that are disabled.
    pub skip: Skip,
    /// Operations whose guard was not what it was known to be, in an audit: the first state of each.
    pub wrong_skips: Vec<WrongSkip>,
    /// What was known to hold and does not: the first state of each conjunct in an audit, otherwise
    /// what a spot check met.
    pub contradictions: Vec<Contradiction>,
    /// States in which something was left out, for somebody else to look at.
    pub samples: Vec<Sample>,
    /// The invariants that may have been left out there.
    pub sampled: Vec<ConjunctId>,
    /// What was proved while it was under way.
    pub provers: Vec<Prover>,
    /// What a search over sets of states can tell, if it was one.
    pub symbolic: Option<Symbolic>,
}

/// What a search over sets of states as decision diagrams can tell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Symbolic {
    /// The method by its name.
    pub method: &'static str,
    /// How many states, in digits: there may be more than a word can count. Nothing where the method does not
    /// find out which states are reachable.
    pub states: Option<String>,
    /// The same for steps.
    pub transitions: Option<String>,
    /// Bits of a state.
    pub bits: usize,
    /// Rounds of the method.
    pub rounds: u64,
    /// Parts of states that operations and checks were evaluated in.
    pub learned: u64,
    /// How the relation of each operation was made, with its name.
    pub relations: Vec<(String, Made)>,
    /// The same for checks.
    pub checks: Vec<Made>,
    /// Somebody asked for statistics.
    pub is_detailed: bool,
    /// What was done with sets.
    pub operations: SetOperations,
    /// Nodes of the final set, and the most that there were at once.
    pub nodes: usize,
    /// The most nodes that there were at once.
    pub peak_nodes: usize,
    /// Bytes of all tables of nodes at their largest.
    pub bytes: usize,
    /// How often nodes that nobody needs were collected.
    pub collections: u64,
    /// Blocks of the final partition, for methods that have one.
    pub blocks: Option<u64>,
}

/// How what an operation or check does came to be known, the best way first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Made {
    /// From its code, for all states.
    Exact,
    /// From its code, but for states in which that is not enough.
    Partly,
    /// By evaluating it.
    Learned,
}

impl Made {
    /// All of them.
    pub const ALL: [Made; 3] = [Made::Exact, Made::Partly, Made::Learned];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Made::Exact => "exact",
            Made::Partly => "partly exact",
            Made::Learned => "learned",
        }
    }
}

/// How often something was done with sets of states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SetOperations {
    /// Successors or predecessors of a set.
    pub images: u64,
    /// Unions.
    pub unions: u64,
    /// Differences.
    pub differences: u64,
    /// Intersections.
    pub intersections: u64,
    /// Comparisons of two sets.
    pub comparisons: u64,
}

impl Exploration {
    /// Was everything visited and checked?
    pub fn is_complete(&self) -> bool {
        self.cuts.is_empty() && !self.stopped_at_finding
    }
}

/// A state in which something was not evaluated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The valuation of the constants.
    pub constants: Constants,
    /// The state.
    pub state: State,
}
