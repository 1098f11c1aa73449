//! Which candidates of a wave are new: looked up part by part, in groups.

use super::{Settled, Table, hash, shard_of, shards_of};
use crate::batch::{Bucket, Candidate};
use crate::exchange::{Exchange, PartBuckets, Pending};
use crate::index::{Found, Index};
use crate::key_store::KeyStore;
use beeline_fault::{Flaw, planted};
use beeline_prefetch::prefetch;
use std::ops::DerefMut;

/// Candidates whose places in memory are asked for together, so that they arrive together.
pub(super) const GROUP: usize = 32;
/// Candidates of one cache line.
const LINE_OF: usize = 64 / size_of::<Candidate>();

impl Table {
    /// Finds out which candidates of one part are new.
    pub fn resolve_part(&self, exchange: &Exchange, part: usize) {
        let settled = self.settled();
        let known = self.here();
        // What all numbers will be below when the wave is over: an index that is told so has room
        // for the final number of a new state where the provisional one is.
        let bound = known + exchange.len() + 1;
        let range = shards_of(part, exchange.parts());
        let first = range.start;
        let mut shards: Vec<_> = range.map(|i| self.shard(i)).collect();
        let PartBuckets { buckets, pending } = &mut *exchange.part_buckets(part);
        for bucket in 0..buckets.len() {
            let Bucket { candidates, .. } = &buckets[bucket];
            for (group, some) in candidates.chunks(GROUP).enumerate() {
                // Most were written by another thread, and come from its cache.
                let next = candidates.iter().skip((group + 1) * GROUP).take(GROUP);
                next.step_by(LINE_OF).for_each(prefetch);
                let index = |h| &*shards[shard_of(h) - first];
                let met = |i: usize, n| settled.narrow(&buckets[bucket], group * GROUP + i, n);
                let keys = some.iter().map(|c| c.key);
                let mut unmet = unknown(keys, known, &settled.rows, index, met);
                while unmet != 0 {
                    let i = unmet.trailing_zeros() as usize;
                    unmet &= unmet - 1;
                    if planted(Flaw::LostWithThreads) && hash(some[i].key) % 16 == 3 {
                        continue;
                    }
                    let shard = shards[shard_of(hash(some[i].key)) - first].deref_mut();
                    let place = (bucket, group * GROUP + i);
                    self.resolve(shard, buckets, pending, place, bound, &settled);
                }
            }
        }
    }

    #[inline]
    fn resolve(
        &self,
        index: &mut Index,
        buckets: &[Bucket],
        pending: &mut Vec<Pending>,
        (bucket, at): (usize, usize),
        bound: usize,
        settled: &Settled,
    ) {
        let rows = &settled.rows;
        let known = self.here() as u32;
        let candidate = buckets[bucket].candidates[at];
        let left = buckets[bucket].unproved(at);
        let hash = hash(candidate.key);
        if index.is_full(bound) {
            self.grow(index, (buckets, pending), bound, rows);
        }
        let found = index.find(hash, |number| match number.checked_sub(known) {
            None => rows.get(number) == candidate.key,
            Some(new) => candidate_of(buckets, &pending[new as usize]).key == candidate.key,
        });
        match found {
            Found::Free(slot) => {
                // For now, in the order of this part; when all parts are resolved it gets the
                // number that a single thread would have given it.
                let number = known + pending.len() as u32;
                index.fill(slot, hash, number);
                let (bucket, at) = (bucket as u32, at as u32);
                pending.push(Pending { bucket, at, slot, number, unproved: left });
            }
            Found::Number(number, _) => {
                let Some(new) = number.checked_sub(known) else {
                    return settled.narrow(&buckets[bucket], at, number);
                };
                let first = &mut pending[new as usize];
                // What one way into a state proves is proved, whichever way is told as its parent.
                first.unproved &= left;
                let other = candidate_of(buckets, first);
                // Buckets come in any order: the parent is whoever a single thread would have met
                // first.
                if (candidate.rank, candidate.place) < (other.rank, other.place) {
                    (first.bucket, first.at) = (bucket as u32, at as u32);
                }
            }
        }
    }

    /// Makes room for one more new state in a shard.
    #[cold]
    pub(super) fn grow(
        &self,
        index: &mut Index,
        (buckets, pending): (&[Bucket], &mut [Pending]),
        bound: usize,
        rows: &KeyStore,
    ) {
        let known = self.here() as u32;
        let firsts: &[Pending] = pending;
        let mut places = Vec::with_capacity(firsts.len());
        let hashes = |numbers: &[u32], out: &mut Vec<u64>| {
            // All keys are asked for first, so that they arrive together.
            numbers.iter().filter(|number| **number < known).for_each(|n| rows.prefetch(*n));
            out.extend(numbers.iter().map(|&number| match number.checked_sub(known) {
                None => rows.get(number),
                Some(new) => candidate_of(buckets, &firsts[new as usize]).key,
            }));
            out.iter_mut().for_each(|key| *key = hash(*key));
        };
        index.grow(bound, hashes, |number, slot| {
            // Entries of this wave are written once more, when they get their numbers: their places
            // must be known then.
            if let Some(new) = number.checked_sub(known) {
                places.push((new, slot));
            }
        });
        for (new, slot) in places {
            pending[new as usize].slot = slot;
        }
    }
}

#[inline]
pub(super) fn candidate_of(buckets: &[Bucket], pending: &Pending) -> Candidate {
    buckets[pending.bucket as usize].candidates[pending.at as usize]
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
    rows: &KeyStore,
    index: impl Fn(u64) -> &'i Index,
    met: impl Fn(usize, u32),
) -> u32 {
    let mut group = [(0u64, 0u64); GROUP];
    let mut count = 0;
    for (place, key) in group.iter_mut().zip(keys) {
        let hash = hash(key);
        *place = (key, hash);
        index(hash).prefetch(hash);
        count += 1;
    }
    let mut guesses = [u32::MAX; GROUP];
    for ((_, hash), guess) in group[..count].iter().zip(&mut guesses) {
        // A state of this wave has no row yet, and cannot be compared here.
        if let Some(number) = index(*hash).guess(*hash).filter(|n| (*n as usize) < known) {
            *guess = number;
            rows.prefetch(number);
        }
    }
    let mut unmet = 0;
    for (i, ((key, _), guess)) in group[..count].iter().zip(guesses).enumerate() {
        let found = guess != u32::MAX && rows.get(guess) == *key;
        unmet |= u32::from(!found) << i;
        if found {
            met(i, guess);
        }
    }
    unmet
}
