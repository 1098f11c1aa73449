//! The end of a wave: new states get numbers, in the order in which one thread would have found them.

use super::resolve::Pending;
use super::{SHARDS, StateId, Table, hash};
use crate::batch::Batch;
use crate::index::MAX_BITS;
use crate::open::ALL_OPEN;
use std::ops::Range;
use std::sync::PoisonError;
use std::sync::atomic::Ordering;

/// More states than this have no numbers.
pub(super) const MAX_STATES: usize = (1 << MAX_BITS) - (1 << 26);

impl Table {
    /// Ends a wave: numbers the new states in the order of their ranks. `wave` has the parent of
    /// each rank; without one they are roots. `None`: there are no numbers left.
    pub fn settle(&self, batches: &[&Batch], wave: Option<&[StateId]>) -> Option<Range<u32>> {
        let fresh = self.number(batches, wave)?;
        (0..SHARDS).for_each(|shard| self.enter_shard(shard, batches));
        self.refold();
        Some(fresh)
    }

    /// The first half of [`Table::settle`]: new states get their numbers. Before anything else
    /// [`Table::enter_shard`] must be called for each shard, and then [`Table::refold`].
    pub fn number(&self, batches: &[&Batch], wave: Option<&[StateId]>) -> Option<Range<u32>> {
        let mut groups: Vec<(u32, u32, u32, u32)> = Vec::new();
        for (which, batch) in batches.iter().enumerate() {
            let ends = batch.groups.iter().skip(1).map(|g| g.1).chain([batch.len() as u32]);
            let spans = batch.groups.iter().zip(ends);
            groups.extend(spans.map(|(&(rank, from), to)| (rank, which as u32, from, to)));
        }
        // Within a batch groups of one rank keep their order: the second part is the same.
        groups.sort_unstable();
        let mut settled = self.settled.write().unwrap_or_else(PoisonError::into_inner);
        let first = self.here() as u32;
        let new: usize = (0..SHARDS).map(|i| self.shard(i).pending.len()).sum();
        if (settled.base + first) as usize + new > MAX_STATES {
            return None;
        }
        let mut next = first;
        for (_, which, from, to) in groups {
            let batch = batches[which as usize];
            for at in from..to {
                if batch.marked(at) == 0 {
                    continue;
                }
                batch.mark(at, next);
                settled.rows.push(batch.keys[at as usize]);
                settled.keep(batch, at as usize, self.width, ALL_OPEN);
                settled.parents.push(match wave {
                    Some(wave) => wave[batch.ranks[at as usize] as usize].0,
                    None => 0,
                });
                next += 1;
            }
        }
        if wave.is_none() {
            self.roots.store(next, Ordering::Relaxed);
        }
        self.here.store(next as usize, Ordering::Relaxed);
        Some(settled.base + first..settled.base + next)
    }

    /// The second half of [`Table::settle`], which threads can share: the new states of a shard are
    /// found by their numbers from now on.
    pub fn enter_shard(&self, number: usize, batches: &[&Batch]) {
        let settled = self.settled();
        let shard = &mut *self.shard(number);
        for Pending { batch, at, slot, open } in shard.pending.drain(..) {
            let batch = batches[batch as usize];
            let state = batch.marked(at);
            shard.index.set(slot, hash(batch.keys[at as usize]), state);
            if let Some(all) = &settled.open {
                all.narrow(state, open);
            }
        }
    }
}
