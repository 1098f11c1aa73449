//! Hash compaction: a key is a hash of the vector, and the vector itself is kept only while its
//! state waits for expansion. Two states with one hash are taken for one: see [`omission`].

use beeline_fault::{Flaw, planted};
use std::collections::VecDeque;

/// A hash of 64 bits of a vector; the same in every process.
pub(crate) fn key(state: &[u32]) -> u64 {
    let (mut a, mut b) = (0x243F_6A88_85A3_08D3u64, 0x1319_8A2E_0370_7344u64);
    for word in state {
        let product = u128::from(a ^ u64::from(*word)) * u128::from(0x9E37_79B9_7F4A_7C15u64);
        a = (product >> 64) as u64 ^ (product as u64).rotate_left(21);
        b = (b ^ a).wrapping_mul(0xBF58_476D_1CE4_E5B9).rotate_left(29);
    }
    let product = u128::from(a ^ 0xA076_1D64_78BD_642F) * u128::from(b | 1);
    let key = (product as u64) ^ ((product >> 64) as u64) ^ b;
    if planted(Flaw::CompactCollision) { key % 8 } else { key }
}

/// The probability that among so many states two have the same hash, at most.
pub fn omission(states: u64) -> f64 {
    let n = states as f64;
    (n * (n - 1.0) / 2.0 / 2f64.powi(64)).clamp(0.0, 1.0)
}

/// The vectors of states that wait, by number.
#[derive(Debug, Default)]
pub(crate) struct Waiting {
    first: u32,
    words: VecDeque<u32>,
}

impl Waiting {
    pub fn push(&mut self, state: &[u32]) {
        self.words.extend(state);
    }

    pub fn words(&self, id: u32, width: usize) -> impl Iterator<Item = u32> {
        // Of a state that waits no longer nothing is known.
        let at = id.checked_sub(self.first).map_or(self.words.len(), |n| n as usize * width);
        self.words.range(at.min(self.words.len())..).take(width).copied()
    }

    /// Forgets all states below a number.
    pub fn forget(&mut self, below: u32, width: usize) {
        let count = below.saturating_sub(self.first) as usize * width;
        self.words.drain(..count.min(self.words.len()));
        self.first = self.first.max(below);
        if self.words.capacity() > 4 * self.words.len() + 4096 {
            self.words.shrink_to(2 * self.words.len());
        }
    }

    pub fn bytes(&self) -> usize {
        self.words.capacity() * size_of::<u32>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waiting_states_are_kept_and_no_others() {
        let mut waiting = Waiting::default();
        for i in 0..100 {
            waiting.push(&[i, i + 1, i + 2]);
        }
        waiting.forget(40, 3);
        assert_eq!(waiting.words(40, 3).collect::<Vec<_>>(), [40, 41, 42]);
        assert_eq!(waiting.words(99, 3).collect::<Vec<_>>(), [99, 100, 101]);
        assert_eq!(waiting.words(39, 3).count(), 0);
        waiting.forget(100, 3);
        waiting.push(&[7, 8, 9]);
        assert_eq!(waiting.words(100, 3).collect::<Vec<_>>(), [7, 8, 9]);
    }

    #[test]
    fn hashes_of_neighbours_differ_and_the_odds_are_told() {
        let mut all: Vec<u64> = (0..300_000u32).map(|i| key(&[i % 1000, i / 1000, 5])).collect();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 300_000);
        let odds = omission(1_000_000_000);
        assert!((0.027..0.0272).contains(&odds), "{odds}");
        assert_eq!((omission(0), omission(1), omission(u64::MAX)), (0.0, 0.0, 1.0));
    }
}
