//! Pairs of words, each with one number: the inner parts of folded vectors.
//!
//! Numbers depend on who comes first and mean nothing outside; only equality counts. Reading takes
//! no lock. Most vectors differ from a known one in few words, so there are far fewer pairs than
//! states, and the ones in use stay in the cache.

use crate::index::{Found, Index, MAX_BITS};
use crate::table::{hash, shard_of};
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

/// The first chunk has room for so many pairs, the next ones for twice as many each …
const FIRST: usize = 256;
/// … until all further ones have room for so many: no growth is noticed.
const LAST: usize = 1 << 16;
/// Chunks below that size.
const GROWING: usize = (LAST / FIRST).ilog2() as usize;
const CHUNKS: usize = GROWING + (1 << MAX_BITS) / LAST;
const SHARDS: usize = crate::table::SHARDS;

/// All inner pairs.
#[derive(Debug)]
pub(crate) struct Nodes {
    chunks: Box<[OnceLock<Box<[AtomicU64]>>]>,
    next: AtomicU32,
    shards: Box<[Mutex<Index>]>,
    index_bytes: AtomicUsize,
}

impl Nodes {
    /// With the pair of zeros as number zero: a fresh [`crate::View`] shows a vector of zeros.
    /// Vectors of up to two words never need a pair.
    pub fn new(width: usize) -> Nodes {
        let shards = if width > 2 { SHARDS } else { 0 };
        let nodes = Nodes {
            chunks: (0..if shards > 0 { CHUNKS } else { 0 }).map(|_| OnceLock::new()).collect(),
            next: AtomicU32::new(0),
            shards: (0..shards).map(|i| Mutex::new(Index::new(i, shards))).collect(),
            index_bytes: AtomicUsize::new(shards * Index::new(0, 1).bytes()),
        };
        if shards > 0 {
            let zero = nodes.number(0);
            debug_assert_eq!(zero, Some(0));
        }
        nodes
    }

    pub fn len(&self) -> usize {
        self.next.load(Ordering::Relaxed) as usize
    }

    pub fn bytes(&self) -> usize {
        self.len() * size_of::<u64>() + self.index_bytes.load(Ordering::Relaxed)
    }

    fn cell(&self, number: u32) -> &AtomicU64 {
        let shifted = number as usize + FIRST;
        let (chunk, offset, size) = if shifted < LAST {
            let chunk = (shifted / FIRST).ilog2() as usize;
            (chunk, shifted - (FIRST << chunk), FIRST << chunk)
        } else {
            (GROWING + shifted / LAST - 1, shifted % LAST, LAST)
        };
        let cells =
            self.chunks[chunk].get_or_init(|| (0..size).map(|_| AtomicU64::new(0)).collect());
        &cells[offset]
    }

    /// The pair of a number that [`Nodes::number`] gave.
    #[inline]
    pub fn pair(&self, number: u32) -> u64 {
        self.cell(number).load(Ordering::Relaxed)
    }

    /// The number of a pair. `None`: there are no more numbers.
    pub fn number(&self, pair: u64) -> Option<u32> {
        let hash = hash(pair);
        let shard = &self.shards[shard_of(hash)];
        let mut index = shard.lock().unwrap_or_else(PoisonError::into_inner);
        if let Found::Number(number, _) = index.find(hash, |n| self.pair(n) == pair) {
            return Some(number);
        }
        let number = self.next.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| {
            (n < (1 << MAX_BITS) - 4).then_some(n + 1)
        });
        let number = number.ok()?;
        self.cell(number).store(pair, Ordering::Relaxed);
        if index.is_full(number as usize + 1) {
            let before = index.bytes();
            let hashes = |numbers: &[u32], out: &mut Vec<u64>| {
                out.extend(numbers.iter().map(|n| crate::table::hash(self.pair(*n))));
            };
            index.grow(number as usize + 1, hashes, |_, _| {});
            self.index_bytes.fetch_add(index.bytes() - before, Ordering::Relaxed);
        }
        if let Found::Free(slot) = index.find(hash, |_| false) {
            index.fill(slot, hash, number);
        }
        Some(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_pairs_have_one_number() {
        let nodes = Nodes::new(5);
        let first: Vec<u32> =
            (0..400_000u64).map(|i| nodes.number((i << 32) | (i % 7)).unwrap()).collect();
        let again: Vec<u32> = std::thread::scope(|scope| {
            let nodes = &nodes;
            let other = scope.spawn(move || {
                (0..400_000u64).map(|i| nodes.number((i << 32) | (i % 7)).unwrap()).collect()
            });
            other.join().unwrap()
        });
        assert_eq!(first, again);
        assert_eq!(nodes.len(), 400_000);
        for (i, number) in (0..400_000u64).zip(first) {
            assert_eq!(nodes.pair(number), (i << 32) | (i % 7));
        }
    }
}
