//! Vectors that were met already. It grows in small steps: a set that doubles as a whole would take
//! more memory at once than a watched budget can bear.

use rustc_hash::{FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};

const SHARDS: usize = 64;

/// A set of vectors.
#[derive(Default)]
pub(crate) struct Seen {
    shards: Vec<FxHashSet<Box<[u32]>>>,
    empty: bool,
}

impl Seen {
    /// Adds a vector; was it new?
    pub fn insert(&mut self, vector: Box<[u32]>) -> bool {
        if self.shards.is_empty() {
            self.shards.resize_with(SHARDS, FxHashSet::default);
        }
        self.empty = false;
        let mut hasher = FxHasher::default();
        vector.hash(&mut hasher);
        // Other bits than those that choose the place in a shard.
        let shard = (hasher.finish() >> 20) as usize % SHARDS;
        self.shards[shard].insert(vector)
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        if !self.empty {
            self.shards.iter_mut().for_each(FxHashSet::clear);
            self.empty = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_vector_is_new_once() {
        let mut seen = Seen::default();
        for round in 0..2 {
            for i in 0..5_000u32 {
                let new = seen.insert(Box::new([i % 1_000, 7]));
                assert_eq!(new, i < 1_000, "{round} {i}");
            }
            assert!(seen.insert(Box::new([])));
            seen.clear();
        }
    }
}
