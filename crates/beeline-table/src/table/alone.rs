//! The table of one thread, for a while: a few states at a time, without a lock for each.

use super::reader::Held;
use super::settle::MAX_STATES;
use super::settled::Settled;
use super::{Reader, StateId, Table, hash, shard_of};
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

    /// Resolves and settles a few candidates of one batch at once. Ranks must not fall.
    pub fn settle_few(&mut self, batch: &Batch, wave: &[StateId]) -> Option<Range<u32>> {
        let Alone { table, settled, .. } = self;
        let settled = &mut **settled;
        let first = table.here() as u32;
        if (settled.base + first) as usize + batch.len() > MAX_STATES {
            return None;
        }
        let mut next = first;
        for (at, (key, rank)) in batch.keys.iter().zip(&batch.ranks).enumerate() {
            let hash = hash(*key);
            let mut shard = table.shard(shard_of(hash));
            if shard.index.is_full(next as usize + 1) {
                table.grow(&mut shard, &[], &settled.rows);
            }
            let left = batch.open.get(at).copied().unwrap_or(ALL_OPEN);
            match shard.index.find(hash, |number| settled.rows.get(number) == *key) {
                Found::Free(slot) => {
                    shard.index.fill(slot, hash, next);
                    settled.rows.push(*key);
                    settled.keep(batch, at, table.width, left);
                    settled.parents.push(wave[*rank as usize].0);
                    next += 1;
                    table.here.store(next as usize, Ordering::Relaxed);
                }
                Found::Number(number, _) => settled.narrow(batch, at, number),
            }
        }
        let fresh = settled.base + first..settled.base + next;
        if table.is_time_to_refold() {
            table.try_refold(settled);
            self.folding = table.folding();
        }
        Some(fresh)
    }
}
