//! Another way to fold, when enough states are known to tell which words belong together.
//!
//! It happens at the end of a wave, when nobody holds a key: all states get new keys, and their
//! numbers stay.

use super::settled::Settled;
use super::{SHARDS, Table, hash, index, shard_of};
use crate::fold::{Folding, View};
use crate::index::{Found, Index};
use crate::key_store::KeyStore;
use std::ops::DerefMut;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};

/// So many states tell enough, and are folded again in a moment.
pub(super) const ENOUGH: usize = 1 << 16;
/// A pair to so many states is no burden.
const FEW: usize = 5;
/// States that are looked at.
const SAMPLE: usize = 1 << 15;

impl Table {
    /// Between two waves: folds all states in a better way, if it is time and there is one.
    #[inline]
    pub fn refold(&self) {
        if self.is_time_to_refold() {
            self.try_refold(&mut self.settled.write().unwrap_or_else(PoisonError::into_inner));
        }
    }

    #[inline]
    pub(super) fn is_time_to_refold(&self) -> bool {
        self.here() >= self.refold_at.load(Ordering::Relaxed)
    }

    #[cold]
    pub(super) fn try_refold(&self, settled: &mut Settled) {
        let mut shards: Vec<_> = (0..SHARDS).map(|i| self.shard(i)).collect();
        let count = self.here();
        // Once only: a sample of so many states tells what a larger one would.
        self.refold_at.store(usize::MAX, Ordering::Relaxed);
        let may = self.width > 2 && !self.is_compact && settled.disk.is_none();
        // Keys on disk stay as they are, and hashes or short vectors have no pairs.
        if !may || self.pairs() < count / FEW {
            return;
        }
        let old = self.folding();
        let mut view = View::new(self.width, old.clone());
        let size = SAMPLE.min(count);
        let sample: Vec<Vec<u32>> = (0..size)
            .map(|i| {
                // Spread over all states: those that were found together look alike.
                view.load(settled.rows.get((i * count / size) as u32));
                view.words().to_vec()
            })
            .collect();
        let Some(shape) = old.shape.better(self.width, &sample) else { return };
        drop(sample);
        let fresh = Arc::new(Folding::new(self.width, shape, old.number + 1));
        let mut folder = View::new(self.width, fresh.clone());
        let mut rows = KeyStore::new(self.width);
        for id in 0..count as u32 {
            view.load(settled.rows.get(id));
            // Nothing was changed yet: the old way goes on.
            let Some(key) = folder.fold(view.words()) else { return };
            rows.push(key);
            // States with neighbouring numbers share most parts, as successors do.
            folder.load(key);
        }
        for (which, shard) in shards.iter_mut().enumerate() {
            **shard = index(which, self.width);
        }
        reindex(&rows, count as u32, &mut shards);
        settled.rows = rows;
        *self.folding.write().unwrap_or_else(PoisonError::into_inner) = fresh;
    }
}

/// Fills an empty index with all keys.
fn reindex(rows: &KeyStore, count: u32, shards: &mut [impl DerefMut<Target = Index>]) {
    for id in 0..count {
        let hash = hash(rows.get(id));
        let index = &mut *shards[shard_of(hash)];
        if index.is_full(id as usize + 1) {
            let hashes = |numbers: &[u32], out: &mut Vec<u64>| {
                out.extend(numbers.iter().map(|n| super::hash(rows.get(*n))));
            };
            index.grow(id as usize + 1, hashes, |_, _| {});
        }
        // All keys are different: none is compared.
        if let Found::Free(slot) = index.find(hash, |_| false) {
            index.fill(slot, hash, id);
        }
    }
}
