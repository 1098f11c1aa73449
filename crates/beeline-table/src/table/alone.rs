//! The table of one thread, for a while: its candidates come in order, and are numbered at once.

use super::reader::Held;
use super::resolve::{GROUP, unknown};
use super::settle::MAX_STATES;
use super::settled::Settled;
use super::{NOBODY, Reader, SHARDS, StateId, Table, hash, shard_of};
use crate::batch::{Batch, Bucket, Candidate};
use crate::fold::Folding;
use crate::index::{Found, Index};
use std::ops::Range;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError, RwLockWriteGuard};

/// A table that nobody else looks at. While it is there, all other looks wait.
#[derive(Debug)]
pub struct Alone<'a> {
    table: &'a Table,
    settled: RwLockWriteGuard<'a, Settled>,
    folding: Arc<Folding>,
}

impl Table {
    /// Takes the table for one thread.
    pub fn alone(&self) -> Alone<'_> {
        let settled = self.settled.write().unwrap_or_else(PoisonError::into_inner);
        Alone { table: self, settled, folding: self.folding() }
    }
}

impl Alone<'_> {
    /// A look at the settled states.
    pub fn reader(&self) -> Reader<'_> {
        let (settled, folding) = (Held::Alone(&self.settled), self.folding.clone());
        Reader { table: self.table, settled, folding }
    }

    /// Numbers the new states of a batch in one part, which has all candidates of a wave. Ranks must
    /// not fall; `wave` has the parent of each, without one they are roots. `None`: there are no
    /// numbers left.
    pub fn settle(&mut self, batch: &mut Batch, wave: Option<&[StateId]>) -> Option<Range<u32>> {
        let first = self.table.here() as u32;
        // As if all of them were new: a wave that may not fit leaves the table as it was.
        let room = (self.settled.base + first) as usize + batch.len() <= MAX_STATES;
        let [bucket] = &batch.buckets[..] else { return None };
        if !room {
            batch.clear();
            return None;
        }
        // For a few candidates, locking all shards would take longer than looking them up.
        if bucket.candidates.len() < GROUP {
            for (at, candidate) in bucket.candidates.iter().enumerate() {
                let hash = hash(candidate.key);
                let mut shard = self.table.shard(shard_of(hash));
                self.enter(&mut shard, bucket, at, hash, wave);
            }
        } else {
            self.settle_groups(bucket, wave);
        }
        batch.clear();
        let next = self.table.here() as u32;
        // Initial states that come in a later portion have no parent either, but are not the first.
        if wave.is_none() && self.settled.base + first == 0 {
            self.table.roots.store(next, Ordering::Relaxed);
        }
        if self.table.is_time_to_refold() {
            self.table.try_refold(&mut self.settled);
            // Keys are others now: who reads them next must take them apart the new way.
            self.folding = self.table.folding();
        }
        Some(self.settled.base + first..self.settled.base + next)
    }

    fn settle_groups(&mut self, bucket: &Bucket, wave: Option<&[StateId]>) {
        let table = self.table;
        let mut shards: Vec<_> = (0..SHARDS).map(|i| table.shard(i)).collect();
        for (group, some) in bucket.candidates.chunks(GROUP).enumerate() {
            let from = group * GROUP;
            let settled = &*self.settled;
            let index = |h| &*shards[shard_of(h)];
            let met = |i: usize, number| settled.narrow(bucket, from + i, number);
            let (known, keys) = (table.here(), some.iter().map(|c| c.key));
            let mut unmet = unknown(keys, known, &settled.rows, index, met);
            // A guess that failed says little: the entry may stand further on, or be one that a
            // candidate before this one has just made. So each of these is looked up in full.
            while unmet != 0 {
                let i = unmet.trailing_zeros() as usize;
                unmet &= unmet - 1;
                let hash = hash(some[i].key);
                self.enter(&mut shards[shard_of(hash)], bucket, from + i, hash, wave);
            }
        }
    }

    /// Numbers a candidate, if it is new.
    #[inline]
    fn enter(
        &mut self,
        index: &mut Index,
        bucket: &Bucket,
        at: usize,
        hash: u64,
        wave: Option<&[StateId]>,
    ) {
        let Alone { table, settled, .. } = self;
        let next = table.here() as u32;
        let bound = next as usize + 1;
        // Before the search: a place that was found would not outlive growing.
        if index.is_full(bound) {
            table.grow(index, (&[], &mut []), bound, &settled.rows);
        }
        let Candidate { key, rank, .. } = bucket.candidates[at];
        match index.find(hash, |number| settled.rows.get(number) == key) {
            Found::Free(slot) => {
                index.fill(slot, hash, next);
                settled.rows.push(key);
                settled.keep(bucket, at, table.width, bucket.unproved(at));
                settled.parents.push(wave.map_or(NOBODY, |wave| wave[rank as usize].0));
                table.here.store(next as usize + 1, Ordering::Relaxed);
            }
            Found::Number(number, _) => settled.narrow(bucket, at, number),
        }
    }
}
