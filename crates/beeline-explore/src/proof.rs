//! What need not be checked because it was proved.
//!
//! An event that was proved to preserve a conjunct leads from a state that satisfies everything to
//! one that satisfies the conjunct. A state that waits to be checked collects all its incoming steps:
//! what one of them vouches for is not evaluated (proof-supported consistency checking, with the
//! intersection over incoming events). A step from a state in which something failed vouches for
//! nothing.
//!
//! What is known of a wave is fixed before the wave begins, so that the number of threads cannot show.

use beeline_compile::System;
use beeline_table::{Insert, StateId, Table};
use rustc_hash::{FxHashMap, FxHashSet};
use std::hash::{BuildHasher, RandomState};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock};

/// Tests whose number is not below this are always made.
const LIMIT: usize = 128;
const SHARDS: usize = 64;

/// A set of tests that have to be made: one bit each.
pub(crate) type Open = u128;

/// Every test has to be made.
pub(crate) const ALL: Open = Open::MAX;

/// Proofs, and what they say of states that wait.
pub(crate) struct Proofs {
    /// What each operation leaves open.
    after: Vec<Open>,
    /// What initialisation leaves open.
    initial: Open,
    waiting: Vec<Mutex<FxHashMap<Box<[u32]>, Open>>>,
    hasher: RandomState,
    /// What is open in each state of the wave that is being worked on.
    wave: RwLock<Vec<Open>>,
}

impl Proofs {
    /// `tests` are the numbers of the invariants that are tested, in order; `None` for other tests.
    /// `None` if nothing was proved.
    pub fn new(system: &System, tests: &[Option<usize>]) -> Option<Proofs> {
        let proved: FxHashSet<(Option<usize>, usize)> = system.proofs().iter().copied().collect();
        if proved.is_empty() {
            return None;
        }
        let open = |operation: Option<usize>| {
            let bit = |(i, test): (usize, &Option<usize>)| match test {
                Some(invariant) if proved.contains(&(operation, *invariant)) => 1 << i,
                _ => 0,
            };
            ALL & !tests.iter().take(LIMIT).enumerate().map(bit).fold(0, |a, b: Open| a | b)
        };
        let operations = 0..system.operations().len();
        Some(Proofs {
            after: operations.map(|o| open(Some(o))).collect(),
            initial: open(None),
            waiting: (0..SHARDS).map(|_| Mutex::default()).collect(),
            hasher: RandomState::new(),
            wave: RwLock::default(),
        })
    }

    fn shard(&self, row: &[u32]) -> MutexGuard<'_, FxHashMap<Box<[u32]>, Open>> {
        let index = self.hasher.hash_one(row) as usize % SHARDS;
        self.waiting[index].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Inserts a state that a step of `operation` leads to (or initialisation, without one).
    /// `trusted`: the step comes from a state in which everything holds.
    pub fn insert(
        &self,
        table: &Table,
        row: &[u32],
        key: u64,
        parent: Option<StateId>,
        operation: Option<usize>,
        trusted: bool,
    ) -> Insert {
        let open = match operation {
            _ if !trusted => ALL,
            Some(operation) => self.after[operation],
            None => self.initial,
        };
        // One lock around both: whoever finds the state known finds what is known of it as well.
        let mut shard = self.shard(row);
        let inserted = table.insert(row, key, parent);
        match inserted {
            Insert::New => {
                shard.insert(row.into(), open);
            }
            Insert::Known => {
                if let Some(known) = shard.get_mut(row) {
                    *known &= open;
                }
            }
            Insert::Full => {}
        }
        inserted
    }

    /// A wave begins: what its states leave open is decided now.
    pub fn begin(&self, table: &Table, states: &[StateId]) {
        let mut row = Vec::new();
        let mut open = Vec::with_capacity(states.len());
        for id in states {
            table.read(*id, &mut row);
            open.push(self.shard(&row).remove(row.as_slice()).unwrap_or(ALL));
        }
        *self.wave.write().unwrap_or_else(PoisonError::into_inner) = open;
    }

    /// What is open in the state of this rank in the wave.
    pub fn open(&self, rank: u32) -> Open {
        let wave = self.wave.read().unwrap_or_else(PoisonError::into_inner);
        wave.get(rank as usize).copied().unwrap_or(ALL)
    }
}

/// Must the test of this number be made?
pub(crate) fn is_open(open: Open, test: usize) -> bool {
    test >= LIMIT || open & (1 << test) != 0
}
