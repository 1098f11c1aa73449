//! Which candidates of a wave are new: looked up shard by shard, in groups.

use super::{SHARDS, Settled, Shard, Table, hash, shard_of};
use crate::batch::Batch;
use crate::index::{Found, Index, Slot};
use crate::open::ALL_OPEN;
use crate::rows::Rows;

/// Candidates whose places in memory are asked for together, so that they arrive together.
pub(super) const GROUP: usize = 32;

/// A candidate that is the first of its state in this wave, so far.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pending {
    pub batch: u32,
    pub at: u32,
    pub slot: Slot,
    /// What all candidates of this wave leave open.
    pub open: u64,
}

impl Table {
    /// Finds out which candidates of one shard are new. Batches must be sealed.
    pub fn resolve_shard(&self, number: usize, batches: &[&Batch]) {
        let settled = self.settled();
        let known = self.here();
        let bound = bound(known as u32, batches);
        let mut shard = self.shard(number);
        for (which, batch) in batches.iter().enumerate() {
            for group in batch.by_shard[number].chunks(GROUP) {
                let shard = &mut *shard;
                let keys = group.iter().map(|at| batch.keys[*at as usize]);
                let met = |i: usize, number| settled.narrow(batch, group[i] as usize, number);
                let mut open = unknown(keys, known, &settled.rows, |_| &shard.index, met);
                while open != 0 {
                    let at = group[open.trailing_zeros() as usize];
                    open &= open - 1;
                    self.resolve(shard, batches, (which as u32, at), bound, &settled);
                }
            }
        }
    }

    /// Finds out which candidates are new, on this thread alone. Batches must be sealed.
    pub fn resolve_all(&self, batches: &[&Batch]) {
        let settled = self.settled();
        let known = self.here();
        let bound = bound(known as u32, batches);
        let mut shards: Vec<_> = (0..SHARDS).map(|i| self.shard(i)).collect();
        for (which, batch) in batches.iter().enumerate() {
            for (group, keys) in batch.keys.chunks(GROUP).enumerate() {
                let index = |h| &shards[shard_of(h)].index;
                let met = |i: usize, number| settled.narrow(batch, group * GROUP + i, number);
                let mut open = unknown(keys.iter().copied(), known, &settled.rows, index, met);
                while open != 0 {
                    let i = open.trailing_zeros() as usize;
                    open &= open - 1;
                    let shard = &mut shards[shard_of(hash(keys[i]))];
                    let at = (group * GROUP + i) as u32;
                    self.resolve(shard, batches, (which as u32, at), bound, &settled);
                }
            }
        }
    }

    #[inline]
    fn resolve(
        &self,
        shard: &mut Shard,
        batches: &[&Batch],
        (which, at): (u32, u32),
        bound: usize,
        settled: &Settled,
    ) {
        let rows = &settled.rows;
        let known = self.here() as u32;
        let batch = batches[which as usize];
        let key = batch.keys[at as usize];
        let left = batch.open.get(at as usize).copied().unwrap_or(ALL_OPEN);
        let hash = hash(key);
        if shard.index.is_full(bound) {
            self.grow(shard, batches, rows);
        }
        let pending = &shard.pending;
        let found = shard.index.find(hash, |number| match number.checked_sub(known) {
            None => rows.get(number) == key,
            Some(new) => {
                let first = pending[new as usize];
                batches[first.batch as usize].keys[first.at as usize] == key
            }
        });
        match found {
            Found::Free(slot) => {
                shard.index.fill(slot, hash, known + shard.pending.len() as u32);
                shard.pending.push(Pending { batch: which, at, slot, open: left });
                batch.mark(at, shard.pending.len() as u32);
            }
            Found::Number(number, _) => {
                let Some(new) = number.checked_sub(known) else {
                    return settled.narrow(batch, at as usize, number);
                };
                let first = &mut shard.pending[new as usize];
                first.open &= left;
                let other = batches[first.batch as usize];
                // Within a batch, and so within a rank, the first one came first.
                if batch.ranks[at as usize] < other.ranks[first.at as usize] {
                    other.mark(first.at, 0);
                    batch.mark(at, new + 1);
                    *first = Pending { batch: which, at, ..*first };
                }
            }
        }
    }

    /// Makes room for one more new state in a shard.
    #[cold]
    pub(super) fn grow(&self, shard: &mut Shard, batches: &[&Batch], rows: &Rows) {
        let known = self.here() as u32;
        let bound = bound(known, batches);
        let Shard { index, pending } = shard;
        let firsts: &[Pending] = pending;
        let mut places = Vec::with_capacity(firsts.len());
        let hashes = |numbers: &[u32], out: &mut Vec<u64>| {
            // All keys are asked for first, so that they arrive together.
            numbers.iter().filter(|number| **number < known).for_each(|n| rows.fetch(*n));
            out.extend(numbers.iter().map(|&number| match number.checked_sub(known) {
                None => rows.get(number),
                Some(new) => {
                    let first = firsts[new as usize];
                    batches[first.batch as usize].keys[first.at as usize]
                }
            }));
            out.iter_mut().for_each(|key| *key = hash(*key));
        };
        index.grow(bound, hashes, |number, slot| {
            if let Some(new) = number.checked_sub(known) {
                places.push((new, slot));
            }
        });
        for (new, slot) in places {
            pending[new as usize].slot = slot;
        }
    }
}

/// What all numbers will be below when the wave is over, in whichever shard: an index that is told so
/// has room for the final number of a new state where the provisional one is.
#[inline]
fn bound(known: u32, batches: &[&Batch]) -> usize {
    known as usize + batches.iter().map(|batch| batch.len()).sum::<usize>() + 1
}

/// Which of at most [`GROUP`] keys are not at once found among the settled ones, a bit each. `met`
/// hears of the others: place and number.
///
/// First all lines are asked for, then all rows that may be the ones: what memory is slow to give
/// arrives together.
#[inline]
pub(super) fn unknown<'i>(
    keys: impl Iterator<Item = u64>,
    known: usize,
    rows: &Rows,
    index: impl Fn(u64) -> &'i Index,
    met: impl Fn(usize, u32),
) -> u32 {
    let mut group = [(0u64, 0u64); GROUP];
    let mut count = 0;
    for (place, key) in group.iter_mut().zip(keys) {
        let hash = hash(key);
        *place = (key, hash);
        index(hash).fetch(hash);
        count += 1;
    }
    let mut guesses = [u32::MAX; GROUP];
    for ((_, hash), guess) in group[..count].iter().zip(&mut guesses) {
        if let Some(number) = index(*hash).guess(*hash).filter(|n| (*n as usize) < known) {
            *guess = number;
            rows.fetch(number);
        }
    }
    let mut open = 0;
    for (i, ((key, _), guess)) in group[..count].iter().zip(guesses).enumerate() {
        let found = guess != u32::MAX && rows.get(guess) == *key;
        open |= u32::from(!found) << i;
        if found {
            met(i, guess);
        }
    }
    open
}
