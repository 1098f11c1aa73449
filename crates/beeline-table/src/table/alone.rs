//! The table of one thread, for a while: its candidates come in order, and are numbered at once.

use super::reader::Held;
use super::resolve::{GROUP, unknown};
use super::settle::MAX_STATES;
use super::settled::Settled;
use super::{Reader, SHARDS, Shard, StateId, Table, hash, shard_of};
use crate::batch::Batch;
use crate::fold::Folding;
use crate::index::Found;
use crate::open::ALL_OPEN;
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

    /// Numbers the new states of a batch, which has all candidates of a wave. Ranks must not fall.
    /// `None`: there are no numbers left.
    pub fn settle(&mut self, batch: &Batch, wave: &[StateId]) -> Option<Range<u32>> {
        let first = self.table.here() as u32;
        if (self.settled.base + first) as usize + batch.len() > MAX_STATES {
            return None;
        }
        if batch.len() < GROUP {
            for at in 0..batch.len() {
                let hash = hash(batch.keys[at]);
                let mut shard = self.table.shard(shard_of(hash));
                self.enter(&mut shard, batch, at, hash, wave);
            }
        } else {
            self.settle_groups(batch, wave);
        }
        let fresh = self.settled.base + first..self.settled.base + self.table.here() as u32;
        if self.table.is_time_to_refold() {
            self.table.try_refold(&mut self.settled);
            self.folding = self.table.folding();
        }
        Some(fresh)
    }

    fn settle_groups(&mut self, batch: &Batch, wave: &[StateId]) {
        let table = self.table;
        let mut shards: Vec<_> = (0..SHARDS).map(|i| table.shard(i)).collect();
        for (group, keys) in batch.keys.chunks(GROUP).enumerate() {
            let from = group * GROUP;
            let settled = &*self.settled;
            let index = |h| &shards[shard_of(h)].index;
            let met = |i: usize, number| settled.narrow(batch, from + i, number);
            let known = table.here();
            let mut open = unknown(keys.iter().copied(), known, &settled.rows, index, met);
            while open != 0 {
                let i = open.trailing_zeros() as usize;
                open &= open - 1;
                let hash = hash(keys[i]);
                self.enter(&mut shards[shard_of(hash)], batch, from + i, hash, wave);
            }
        }
    }

    /// Numbers a candidate, if it is new.
    #[inline]
    fn enter(&mut self, shard: &mut Shard, batch: &Batch, at: usize, hash: u64, wave: &[StateId]) {
        let Alone { table, settled, .. } = self;
        let next = table.here() as u32;
        if shard.index.is_full(next as usize + 1) {
            table.grow(shard, &[], &settled.rows);
        }
        let key = batch.keys[at];
        match shard.index.find(hash, |number| settled.rows.get(number) == key) {
            Found::Free(slot) => {
                let left = batch.open.get(at).copied().unwrap_or(ALL_OPEN);
                shard.index.fill(slot, hash, next);
                settled.rows.push(key);
                settled.keep(batch, at, table.width, left);
                settled.parents.push(wave[batch.ranks[at] as usize].0);
                table.here.store(next as usize + 1, Ordering::Relaxed);
            }
            Found::Number(number, _) => settled.narrow(batch, at, number),
        }
    }
}
