//! Where time and bytes went: gathered only when somebody asks, because clocks cost time.

use crate::worker::Shared;
use beeline_table::StateId;
use beeline_value::Val;
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

/// Where time and bytes went.
#[derive(Clone, Debug, Default)]
pub struct Stats {
    /// A hash of the set of states by content: the same for every way to compute the same set.
    /// Where only hashes are kept there is none.
    pub checksum: Option<u64>,
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
}

/// A sum over all states of a hash of what they are: order and numbers do not count.
pub(crate) fn checksum(shared: &Shared<'_>) -> u64 {
    let store = shared.system.store();
    let reader = shared.table.reader();
    let mut view = shared.table.view();
    let constants: Vec<u64> = shared.setups.iter().map(|c| content(store, 1, c)).collect();
    let (mut sum, mut memory) = (0u64, shared.engine.memory());
    for id in 0..shared.table.len() as u32 {
        reader.open(StateId(id), &mut view);
        let (setup, row) = shared.parts(view.words());
        let state = shared.engine.unpack(row, &mut memory);
        sum = sum.wrapping_add(content(store, constants[setup], &state));
    }
    sum
}

pub(crate) fn content(store: &beeline_value::Store, seed: u64, words: &[u32]) -> u64 {
    let mut hash = seed;
    for word in words {
        let value = store.hash(Val::from_raw(*word));
        let product =
            u128::from(hash ^ 0xA076_1D64_78BD_642F) * u128::from(value ^ 0xE703_7ED1_A0B4_28DB);
        hash = (product as u64) ^ ((product >> 64) as u64) ^ hash.rotate_left(17);
    }
    (hash ^ (hash >> 31)).wrapping_mul(0xBF58_476D_1CE4_E5B9)
}
