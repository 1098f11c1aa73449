//! Pairs of words, each with one number: the inner parts of folded vectors.
//!
//! Numbers depend on who comes first and mean nothing outside; only equality counts. Reading takes
//! no lock. Most vectors differ from a known one in few words, so there are far fewer pairs than
//! states, and the ones in use stay in the cache.

use crate::hash::{SHARDS, hash, shard_of};
use crate::index::{Found, Index, MAX_BITS, TIGHT};
use beeline_fault::{Flaw, planted};
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

/// Chunks grow so that at most an eighth of what is there is free: all of one octave (numbers with
/// the same topmost bit) have one size. Numbers begin in this octave …
const FIRST: u32 = 8;
/// … each octave has so many chunks …
const PER_OCTAVE: u32 = 3;
/// … and from here on all have one size: no growth is noticed.
const LAST: u32 = 23;
/// Chunks of the octaves below, and all.
const GROWING: usize = ((LAST - FIRST) as usize) << PER_OCTAVE;
const CHUNKS: usize = GROWING + (1 << (MAX_BITS - (LAST - PER_OCTAVE)));

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
            shards: (0..shards).map(|i| Mutex::new(Index::new(i, shards, TIGHT))).collect(),
            index_bytes: AtomicUsize::new(shards * Index::new(0, 1, TIGHT).bytes()),
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
        let pairs: usize =
            self.chunks.iter().map_while(OnceLock::get).map(|chunk| chunk.len()).sum();
        pairs * size_of::<u64>()
            + size_of_val(&*self.chunks)
            + self.index_bytes.load(Ordering::Relaxed)
    }

    #[inline]
    fn cell(&self, number: u32) -> &AtomicU64 {
        let shifted = number + (1 << FIRST);
        let octave = shifted.ilog2();
        // The bits of a place in the chunk, and the number of the chunk.
        let (bits, chunk) = if octave < LAST {
            let bits = octave - PER_OCTAVE;
            (bits, ((octave - FIRST) << PER_OCTAVE) + (shifted >> bits) - (1 << PER_OCTAVE))
        } else {
            let bits = LAST - PER_OCTAVE;
            (bits, GROWING as u32 + (shifted >> bits) - (1 << PER_OCTAVE))
        };
        let fresh = || (0..1 << bits).map(|_| AtomicU64::new(0)).collect();
        let cells = self.chunks[chunk as usize].get_or_init(fresh);
        &cells[shifted as usize & ((1 << bits) - 1)]
    }

    /// The pair of a number that [`Nodes::number`] gave.
    #[inline]
    pub fn pair(&self, number: u32) -> u64 {
        self.cell(number).load(Ordering::Relaxed)
    }

    /// The number of a pair. `None`: there are no more numbers.
    pub fn number(&self, pair: u64) -> Option<u32> {
        let pair = if planted(Flaw::FoldMixed) { pair & !1 } else { pair };
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
        // Before its number can be found: others read pairs without a lock.
        self.cell(number).store(pair, Ordering::Relaxed);
        if index.is_full(number as usize + 1) {
            let before = index.bytes();
            let hashes = |numbers: &[u32], out: &mut Vec<u64>| {
                out.extend(numbers.iter().map(|n| crate::hash::hash(self.pair(*n))));
            };
            index.grow(number as usize + 1, hashes, |_, _| {});
            self.index_bytes.fetch_add(index.bytes() - before, Ordering::Relaxed);
        }
        // Searched again, because growing has moved all places; that the pair is new is known.
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
        let bytes = nodes.bytes() - size_of_val(&*nodes.chunks);
        assert!(bytes < 400_000 * 9 + 400_000 * 6, "{bytes}");
        for (i, number) in (0..400_000u64).zip(first) {
            assert_eq!(nodes.pair(number), (i << 32) | (i % 7));
        }
    }

    #[test]
    fn every_number_has_a_cell_of_its_own() {
        let nodes = Nodes::new(3);
        // Across the ends of octaves, and where chunks stop growing.
        let numbers: Vec<u32> = [0u32, 256, 1792, 3840, (1 << 23) - 256, (1 << 24) - 256]
            .iter()
            .flat_map(|n| n.saturating_sub(40)..n + 40)
            .chain([(1 << 31) - 300])
            .collect();
        for number in &numbers {
            nodes.cell(*number).store(u64::from(*number) + 7, Ordering::Relaxed);
        }
        for number in &numbers {
            assert_eq!(nodes.pair(*number), u64::from(*number) + 7);
        }
    }
}
