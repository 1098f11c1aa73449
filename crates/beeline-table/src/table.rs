//! The table as its users see it.

use crate::shard::{Insert, Shard};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Names a state of a [`Table`]. The numbers say nothing about order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StateId(u32);

/// The parent of a state that has none.
const NONE: u32 = u32::MAX;

/// A state that was new in a wave, and its least key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fresh {
    /// The key of the insertion that counts as its first.
    pub key: u64,
    /// The state.
    pub id: StateId,
}

/// An exact set of state vectors, safe to share between threads.
///
/// Each shard has a lock of its own; with one thread there is one shard.
#[derive(Debug)]
pub struct Table {
    width: usize,
    shard_bits: u32,
    shards: Box<[Mutex<Shard>]>,
    len: AtomicUsize,
}

/// Hash of a state vector. The high bits choose the shard, the low ones the place in it.
pub(crate) fn hash(state: &[u32]) -> u64 {
    let mut h = 0x243F_6A88_85A3_08D3u64;
    for &word in state {
        let product = u128::from(h ^ u64::from(word)) * 0x9E37_79B9_7F4A_7C15;
        h = (product >> 64) as u64 ^ product as u64;
    }
    (h ^ (h >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9)
}

impl Table {
    /// A table of vectors of `width` words for so many threads.
    pub fn new(width: usize, threads: usize) -> Table {
        let shard_bits = if threads > 1 { 6 } else { 0 };
        let limit = (u32::MAX >> shard_bits) as usize;
        let shards = (0..1 << shard_bits).map(|_| Mutex::new(Shard::new(width, limit))).collect();
        Table { width, shard_bits, shards, len: AtomicUsize::new(0) }
    }

    /// How many states there are.
    pub fn len(&self) -> usize {
        self.len.load(Ordering::Relaxed)
    }

    /// None yet?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many words a state has.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Bytes in use, parents and index included.
    pub fn bytes(&self) -> usize {
        (0..self.shards.len()).map(|i| self.shard(i).bytes()).sum()
    }

    fn shard(&self, index: usize) -> MutexGuard<'_, Shard> {
        // A shard is whole again before any of its calls could panic.
        self.shards[index].lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn shard_of(&self, hash: u64) -> usize {
        // The topmost bits are those that the index uses to tell slots apart.
        ((hash >> 40) & ((1 << self.shard_bits) - 1)) as usize
    }

    /// Inserts a state. Of several insertions of a new state in one wave the one with the least
    /// key names its parent.
    pub fn insert(&self, state: &[u32], key: u64, parent: Option<StateId>) -> Insert {
        debug_assert_eq!(state.len(), self.width);
        let hash = hash(state);
        let parent = parent.map_or(NONE, |p| p.0);
        let result = self.shard(self.shard_of(hash)).insert(hash, state, key, parent);
        if result == Insert::New {
            self.len.fetch_add(1, Ordering::Relaxed);
        }
        result
    }

    /// Is this state there?
    pub fn contains(&self, state: &[u32]) -> bool {
        let hash = hash(state);
        self.shard(self.shard_of(hash)).contains(hash, state)
    }

    /// Ends a wave: adds its new states to `fresh`, in the order of their keys.
    pub fn settle(&self, fresh: &mut Vec<Fresh>) {
        let start = fresh.len();
        for index in 0..self.shards.len() {
            self.shard(index).settle(|key, row| {
                let id = StateId(row << self.shard_bits | index as u32);
                fresh.push(Fresh { key, id });
            });
        }
        fresh[start..].sort_unstable();
    }

    /// Copies a state to `out` and gives its parent.
    pub fn read(&self, id: StateId, out: &mut Vec<u32>) -> Option<StateId> {
        let index = (id.0 & ((1 << self.shard_bits) - 1)) as usize;
        let shard = self.shard(index);
        let row = shard.rows.row((id.0 >> self.shard_bits) as usize);
        out.clear();
        out.extend_from_slice(&row[1..]);
        (row[0] != NONE).then_some(StateId(row[0]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_told_apart_exactly() {
        let table = Table::new(3, 4);
        for i in 0..10_000u32 {
            assert_eq!(table.insert(&[i % 100, i / 100, 5], u64::from(i), None), Insert::New);
        }
        for i in 0..10_000u32 {
            assert_eq!(table.insert(&[i % 100, i / 100, 5], 0, None), Insert::Known);
        }
        assert!(table.contains(&[7, 7, 5]) && !table.contains(&[7, 7, 6]));
        assert_eq!(table.len(), 10_000);
        assert!(table.bytes() >= 160_000 && table.bytes() < 400_000, "{}", table.bytes());
    }

    #[test]
    fn the_least_key_names_order_and_parent() {
        for threads in [1, 2] {
            let table = Table::new(1, threads);
            table.insert(&[1], 0, None);
            table.insert(&[2], 1, None);
            let mut fresh = Vec::new();
            table.settle(&mut fresh);
            let (one, two) = (fresh[0].id, fresh[1].id);
            fresh.clear();
            // A sequential run would have come to 9 from `one` first, and to 8 from `two`.
            table.insert(&[9], 20, Some(two));
            table.insert(&[8], 15, Some(two));
            table.insert(&[9], 10, Some(one));
            table.insert(&[1], 11, Some(one));
            table.settle(&mut fresh);
            assert_eq!(fresh.iter().map(|f| f.key).collect::<Vec<_>>(), [10, 15]);
            let mut state = Vec::new();
            assert_eq!(table.read(fresh[0].id, &mut state), Some(one));
            assert_eq!(state, [9]);
            assert_eq!(table.read(fresh[1].id, &mut state), Some(two));
            // After the wave the parent stays.
            table.insert(&[9], 0, Some(two));
            assert_eq!(table.read(fresh[0].id, &mut state), Some(one));
        }
    }

    #[test]
    fn a_model_without_variables_has_one_state() {
        let table = Table::new(0, 1);
        assert_eq!(table.insert(&[], 0, None), Insert::New);
        assert_eq!(table.insert(&[], 1, None), Insert::Known);
    }

    #[test]
    fn threads_insert_each_state_once() {
        let table = Table::new(2, 4);
        let new: usize = std::thread::scope(|scope| {
            let workers: Vec<_> = (0..4u32)
                .map(|w| {
                    let table = &table;
                    scope.spawn(move || {
                        (0..5_000u32)
                            .filter(|i| {
                                let key = u64::from(i * 4 + w);
                                table.insert(&[i % 1_000, 3], key, None) == Insert::New
                            })
                            .count()
                    })
                })
                .collect();
            workers.into_iter().map(|w| w.join().unwrap()).sum()
        });
        assert_eq!((new, table.len()), (1_000, 1_000));
    }
}
