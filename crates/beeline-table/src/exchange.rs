//! What all workers found in a wave, by the part of the table that it belongs to.
//!
//! A part is worked on by one thread at a time, which sees the candidates of all workers for it.
//! What happens to them is not known here.

use crate::batch::{Batch, Bucket};
use crate::index::Slot;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// New states of a giant wave.
const GIANT: usize = 1 << 18;

/// The candidates of a wave.
#[derive(Debug)]
pub struct Exchange {
    parts: Vec<Mutex<PartBuckets>>,
    /// How many candidates there are.
    count: AtomicUsize,
    pub(crate) fresh: Mutex<Fresh>,
}

/// Those of one part.
#[derive(Debug, Default)]
pub(crate) struct PartBuckets {
    /// One for each worker.
    pub buckets: Vec<Bucket>,
    pub pending: Vec<Pending>,
}

/// A candidate that is the first of its state in this wave, so far.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pending {
    pub bucket: u32,
    pub at: u32,
    pub slot: Slot,
    /// The number that it gets in the end.
    pub number: u32,
    /// What all candidates of this wave leave unproved.
    pub unproved: u64,
}

/// The new states of a wave in order.
#[derive(Debug, Default)]
pub(crate) struct Fresh {
    /// For each rank, where its states begin.
    pub starts: Vec<u32>,
    pub states: Vec<New>,
}

/// A new state.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct New {
    pub key: u64,
    pub unproved: u64,
    pub rank: u32,
    pub place: u32,
    /// Where it is pending.
    pub part: u32,
    pub at: u32,
}

impl Exchange {
    /// For a table in so many parts, and so many workers.
    pub fn new(parts: usize, workers: usize) -> Exchange {
        let buckets = || (0..workers).map(|_| Bucket::default()).collect();
        let part_buckets = |_| Mutex::new(PartBuckets { buckets: buckets(), pending: Vec::new() });
        let parts = (0..parts.max(1)).map(part_buckets).collect();
        Exchange { parts, count: AtomicUsize::new(0), fresh: Mutex::default() }
    }

    /// How many parts there are.
    pub fn parts(&self) -> usize {
        self.parts.len()
    }

    /// Takes over what a worker found; the batch is empty afterwards.
    pub fn take(&self, worker: usize, batch: &mut Batch) {
        if batch.is_empty() {
            return;
        }
        self.count.fetch_add(batch.len(), Ordering::Relaxed);
        for (part, bucket) in batch.buckets.iter_mut().enumerate() {
            // What comes back was cleared at the end of a wave.
            std::mem::swap(&mut self.part_buckets(part).buckets[worker], bucket);
        }
        batch.clear();
    }

    /// How many candidates there are, at most.
    pub fn len(&self) -> usize {
        self.count.load(Ordering::Relaxed)
    }

    /// None?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Forgets all candidates.
    pub fn clear(&self) {
        self.count.store(0, Ordering::Relaxed);
        for part in 0..self.parts() {
            self.part_buckets(part).clear();
        }
        let mut fresh = self.fresh.lock().unwrap_or_else(PoisonError::into_inner);
        if fresh.states.capacity() > GIANT {
            *fresh = Fresh::default();
        }
    }

    pub(crate) fn part_buckets(&self, part: usize) -> MutexGuard<'_, PartBuckets> {
        self.parts[part].lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl PartBuckets {
    /// Forgets all, and gives back room that only a giant wave needs.
    pub fn clear(&mut self) {
        self.buckets.iter_mut().for_each(Bucket::clear);
        if self.pending.capacity() > GIANT {
            self.pending = Vec::new();
        }
        self.pending.clear();
    }
}
