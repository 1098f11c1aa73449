//! The end of a wave of several threads: new states get numbers, in the order in which one thread
//! would have found them.

use super::resolve::candidate_of;
use super::{StateId, Table, hash, shard_of, shards_of};
use crate::exchange::{Exchange, Fresh, New, PartBuckets};
use crate::index::MAX_BITS;
use std::ops::Range;
use std::sync::PoisonError;
use std::sync::atomic::Ordering;

/// More states than this have no numbers.
pub(super) const MAX_STATES: usize = (1 << MAX_BITS) - (1 << 26);

impl Table {
    /// Resolves and settles all candidates of a wave on this thread.
    pub fn settle(&self, exchange: &Exchange, wave: &[StateId]) -> Option<Range<u32>> {
        (0..exchange.parts()).for_each(|part| self.resolve_part(exchange, part));
        let fresh = self.number(exchange, wave.len());
        if fresh.is_some() {
            self.keep(exchange, wave);
            (0..exchange.parts()).for_each(|part| self.enter_part(exchange, part));
            self.refold();
        }
        exchange.clear();
        fresh
    }

    /// When all parts are resolved: new states get their numbers. Before anything else
    /// [`Table::keep`], and [`Table::enter_part`] for each part, must be called, at once if need be,
    /// and then [`Table::refold`]. `None`: there are no numbers left.
    pub fn number(&self, exchange: &Exchange, ranks: usize) -> Option<Range<u32>> {
        let mut settled = self.settled.write().unwrap_or_else(PoisonError::into_inner);
        let mut parts: Vec<_> =
            (0..exchange.parts()).map(|part| exchange.part_buckets(part)).collect();
        let first = self.here() as u32;
        let count: usize = parts.iter().map(|part_buckets| part_buckets.pending.len()).sum();
        if (settled.base + first) as usize + count > MAX_STATES {
            return None;
        }
        let mut fresh = exchange.fresh.lock().unwrap_or_else(PoisonError::into_inner);
        let Fresh { starts, states } = &mut *fresh;
        // By rank, which counting sorts in one pass, then each rank by place: the order in which a
        // single thread meets them.
        starts.clear();
        starts.resize(ranks + 1, 0);
        for PartBuckets { buckets, pending } in parts.iter().map(|part_buckets| &**part_buckets) {
            pending.iter().for_each(|p| starts[candidate_of(buckets, p).rank as usize + 1] += 1);
        }
        (0..ranks).for_each(|rank| starts[rank + 1] += starts[rank]);
        states.resize(count, New::default());
        for (part, part_buckets) in parts.iter().enumerate() {
            for (at, p) in part_buckets.pending.iter().enumerate() {
                let candidate = candidate_of(&part_buckets.buckets, p);
                let start = &mut starts[candidate.rank as usize];
                states[*start as usize] = New {
                    key: candidate.key,
                    unproved: p.unproved,
                    rank: candidate.rank,
                    place: candidate.place,
                    part: part as u32,
                    at: at as u32,
                };
                *start += 1;
            }
        }
        // Where a rank began the next one begins by now.
        let mut from = 0;
        for end in starts[..ranks].iter().map(|end| *end as usize) {
            states[from..end].sort_unstable_by_key(|new| new.place);
            from = end;
        }
        for (number, new) in (first..).zip(&*states) {
            parts[new.part as usize].pending[new.at as usize].number = number;
        }
        if let Some(waiting) = &mut settled.waiting {
            for new in &*states {
                let PartBuckets { buckets, pending } = &*parts[new.part as usize];
                let p = pending[new.at as usize];
                let from = p.at as usize * self.width;
                waiting.push(&buckets[p.bucket as usize].words[from..from + self.width]);
            }
        }
        let next = first + count as u32;
        self.here.store(next as usize, Ordering::Relaxed);
        Some(settled.base + first..settled.base + next)
    }

    /// Keeps the states that were numbered. `wave` has the parent of each rank.
    pub fn keep(&self, exchange: &Exchange, wave: &[StateId]) {
        let mut settled = self.settled.write().unwrap_or_else(PoisonError::into_inner);
        let fresh = exchange.fresh.lock().unwrap_or_else(PoisonError::into_inner);
        for new in &fresh.states {
            settled.rows.push(new.key);
            settled.parents.push(wave[new.rank as usize].0);
        }
        if let Some(unproved) = &mut settled.unproved {
            fresh.states.iter().for_each(|new| unproved.push(new.unproved));
        }
    }

    /// The new states of a part are found by their numbers from now on; nothing else is left of its
    /// candidates.
    pub fn enter_part(&self, exchange: &Exchange, part: usize) {
        let mut part_buckets = exchange.part_buckets(part);
        let range = shards_of(part, exchange.parts());
        let first = range.start;
        let mut shards: Vec<_> = range.map(|i| self.shard(i)).collect();
        for pending in &part_buckets.pending {
            let hash = hash(candidate_of(&part_buckets.buckets, pending).key);
            shards[shard_of(hash) - first].set(pending.slot, hash, pending.number);
        }
        part_buckets.clear();
    }
}
