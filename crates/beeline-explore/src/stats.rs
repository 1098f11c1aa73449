//! Where time and bytes went: gathered only when somebody asks, because clocks cost time.

use crate::shared::Shared;
use beeline_table::StateId;
use beeline_transition::{Change, TransitionSystem};
use std::time::Duration;

/// How often something was done, and how long it took in all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// How often.
    pub times: u64,
    /// How long, on all threads together.
    pub time: Duration,
}

impl Spent {
    pub(crate) fn add(&mut self, time: Duration) {
        self.times += 1;
        self.time += time;
    }

    pub(crate) fn merge(&mut self, other: Spent) {
        self.times += other.times;
        self.time += other.time;
    }
}

/// Merges two lists of sums of the same things.
pub(crate) fn merge(mine: &mut Vec<Spent>, theirs: &[Spent]) {
    mine.resize(mine.len().max(theirs.len()), Spent::default());
    mine.iter_mut().zip(theirs).for_each(|(m, t)| m.merge(*t));
}

/// An operation that was planned again.
#[derive(Clone, Debug, PartialEq)]
pub struct Replan {
    /// What became of it.
    pub change: Change,
    /// States from this number on are expanded by the new plan.
    pub point: u32,
}

/// Where time and bytes went.
#[derive(Clone, Debug, Default)]
pub struct Stats {
    /// A hash of the set of states by content: the same for every way to compute the same set.
    /// Where only hashes are kept, or a limit was reached before all were looked at, there is none.
    pub checksum: Option<u64>,
    /// Values in it that are sets kept unlisted: two runs that list different sets have different checksums for the
    /// same states.
    pub unlisted: u64,
    /// Bytes of the table.
    pub table: beeline_table::Bytes,
    /// Words of a state.
    pub width: usize,
    /// Inner pairs of folded states.
    pub pairs: usize,
    /// Interned values, and their bytes.
    pub values: (usize, usize),
    /// Bytes of states and levels that lie on disk.
    pub disk: u64,
    /// Waves, and the most states that ever waited.
    pub waves: u64,
    /// The most states that ever waited for expansion.
    pub frontier: u64,
    /// Visiting states, as the clock on the wall goes.
    pub visiting: Duration,
    /// Looking up and numbering successors.
    pub settling: Duration,
    /// Writing checkpoints and levels.
    pub writing: Duration,
    /// Each operation.
    pub operations: Vec<Spent>,
    /// Each conjunct of the invariant.
    pub invariants: Vec<Spent>,
    /// Each assertion.
    pub assertions: Vec<Spent>,
    /// Of each operation: how often its results were looked for among remembered ones, and how
    /// often they were there.
    pub remembered: Vec<(u64, u64)>,
    /// Candidates of quantifiers that were not tried, since interchangeable ones were.
    pub left_out: u64,
    /// Operations that were planned again.
    pub replanned: Vec<Replan>,
    /// Of each operation: how many choices of parameters the planner expects to try in a state.
    /// Whoever has the model fills this in.
    pub expected: Vec<f64>,
}

/// States that are looked at between two looks at the limits; on disk they are read together.
const SOME: u32 = 1 << 14;

/// A sum over all states of a hash of what they are: order and numbers do not count. Nothing if a
/// limit is reached before the end, or states on disk cannot be read. With it, how many values were unlisted.
pub(crate) fn checksum<S: TransitionSystem>(shared: &Shared<'_, S>) -> Option<(u64, u64)> {
    let (system, mut scratch) = (shared.system, shared.system.scratch());
    let mut view = shared.table.view();
    let count = shared.table.len() as u32;
    let mut constants: Vec<u64> = Vec::with_capacity(shared.setups.len());
    for (number, one) in shared.setups.iter() {
        if number.0 % SOME as usize == 0 && shared.watch.look().is_some() {
            return None;
        }
        constants.push(system.digest_of_constants(one, &mut scratch));
    }
    let mut sum = 0u64;
    for first in (0..count).step_by(SOME as usize) {
        if shared.watch.look().is_some() {
            return None;
        }
        let some = first..count.min(first.saturating_add(SOME));
        // States on disk are read in stretches: one by one would take hours.
        shared.table.load_wave(some.clone()).ok()?;
        let reader = shared.table.reader();
        for id in some {
            reader.load(StateId(id), &mut view);
            let at = shared.at(view.words());
            let seed = constants[at.setup.number.0];
            sum = sum.wrapping_add(system.digest_of_row(seed, at.row, &mut scratch));
        }
    }
    (!shared.table.failed()).then(|| (sum, system.unlisted(&mut scratch)))
}
