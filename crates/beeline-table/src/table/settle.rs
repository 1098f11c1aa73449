//! The end of a wave: new states get numbers, in the order in which one thread would have found them.

use super::resolve::Pending;
use super::{SHARDS, StateId, Table, hash, shard_of};
use crate::batch::Batch;
use crate::index::{Found, MAX_BITS};
use crate::open::ALL_OPEN;
use std::ops::Range;
use std::sync::PoisonError;
use std::sync::atomic::Ordering;

/// More states than this have no numbers.
const MAX_STATES: usize = (1 << MAX_BITS) - (1 << 26);

impl Table {
    /// Resolves and settles a few candidates of one batch at once. Ranks must not fall.
    pub fn settle_few(&self, batch: &Batch, wave: &[StateId]) -> Option<Range<u32>> {
        let mut settled = self.settled.write().unwrap_or_else(PoisonError::into_inner);
        let first = self.here() as u32;
        if (settled.base + first) as usize + batch.len() > MAX_STATES {
            return None;
        }
        let mut next = first;
        for (at, (key, rank)) in batch.keys.iter().zip(&batch.ranks).enumerate() {
            let hash = hash(*key);
            let mut shard = self.shard(shard_of(hash));
            if shard.index.is_full(next as usize + 1) {
                self.grow(&mut shard, &[], &settled.rows);
            }
            let left = batch.open.get(at).copied().unwrap_or(ALL_OPEN);
            match shard.index.find(hash, |number| settled.rows.get(number) == *key) {
                Found::Free(slot) => {
                    shard.index.fill(slot, hash, next);
                    settled.rows.push(*key);
                    settled.keep(batch, at, self.width, left);
                    settled.parents.push(wave[*rank as usize].0);
                    next += 1;
                    self.here.store(next as usize, Ordering::Relaxed);
                }
                Found::Number(number, _) => settled.narrow(batch, at, number),
            }
        }
        Some(settled.base + first..settled.base + next)
    }

    /// Ends a wave: numbers the new states in the order of their ranks. `wave` has the parent of
    /// each rank; without one they are roots. `None`: there are no numbers left.
    pub fn settle(&self, batches: &[&Batch], wave: Option<&[StateId]>) -> Option<Range<u32>> {
        let mut groups: Vec<(u32, u32, u32, u32)> = Vec::new();
        for (which, batch) in batches.iter().enumerate() {
            let ends = batch.groups.iter().skip(1).map(|g| g.1).chain([batch.len() as u32]);
            let spans = batch.groups.iter().zip(ends);
            groups.extend(spans.map(|(&(rank, from), to)| (rank, which as u32, from, to)));
        }
        // Within a batch groups of one rank keep their order: the second part is the same.
        groups.sort_unstable();
        let mut shards: Vec<_> = (0..SHARDS).map(|i| self.shard(i)).collect();
        let mut settled = self.settled.write().unwrap_or_else(PoisonError::into_inner);
        let first = self.here() as u32;
        let new: usize = shards.iter().map(|s| s.pending.len()).sum();
        if (settled.base + first) as usize + new > MAX_STATES {
            return None;
        }
        let mut next = first;
        for (_, which, from, to) in groups {
            let batch = batches[which as usize];
            for at in from..to {
                let mark = batch.marked(at);
                if mark == 0 {
                    continue;
                }
                let key = batch.keys[at as usize];
                let hash = hash(key);
                let shard = &mut *shards[shard_of(hash)];
                let Pending { slot, open, .. } = shard.pending[mark as usize - 1];
                shard.index.set(slot, hash, next);
                settled.rows.push(key);
                settled.keep(batch, at as usize, self.width, open);
                settled.parents.push(match wave {
                    Some(wave) => wave[batch.ranks[at as usize] as usize].0,
                    None => 0,
                });
                next += 1;
            }
        }
        for shard in &mut shards {
            shard.pending.clear();
        }
        if wave.is_none() {
            self.roots.store(next, Ordering::Relaxed);
        }
        self.here.store(next as usize, Ordering::Relaxed);
        Some(settled.base + first..settled.base + next)
    }
}
