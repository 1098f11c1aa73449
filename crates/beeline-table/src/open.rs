//! What is still open about states: a word of bits each.
//!
//! Every candidate says what it leaves open about its state, and only what all of them leave open
//! stays open. What a bit means is not known here. Intersections can come in any order: after a wave
//! the number of threads cannot be told.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};

/// Nothing is known: everything is open.
pub const ALL_OPEN: u64 = u64::MAX;

/// Words by the numbers of states, without the first ones that nobody asks for any more.
#[derive(Debug, Default)]
pub(crate) struct Open {
    first: u32,
    words: VecDeque<AtomicU64>,
}

impl Open {
    pub fn push(&mut self, open: u64) {
        self.words.push_back(AtomicU64::new(open));
    }

    fn word(&self, number: u32) -> Option<&AtomicU64> {
        self.words.get(number.checked_sub(self.first)? as usize)
    }

    /// One more candidate of a known state.
    #[inline]
    pub fn narrow(&self, number: u32, open: u64) {
        // Most candidates say nothing new: looking is cheaper than writing.
        if let Some(word) = self.word(number)
            && word.load(Ordering::Relaxed) & !open != 0
        {
            word.fetch_and(open, Ordering::Relaxed);
        }
    }

    #[inline]
    pub fn get(&self, number: u32) -> u64 {
        self.word(number).map_or(ALL_OPEN, |word| word.load(Ordering::Relaxed))
    }

    /// Would a candidate close anything?
    pub fn is_news(&self, number: u32, open: u64) -> bool {
        self.word(number).is_some_and(|word| word.load(Ordering::Relaxed) & !open != 0)
    }

    /// Forgets all states below a number.
    pub fn forget(&mut self, below: u32) {
        let count = below.saturating_sub(self.first) as usize;
        self.words.drain(..count.min(self.words.len()));
        self.first = self.first.max(below);
        if self.words.capacity() > 4 * self.words.len() + 4096 {
            self.words.shrink_to(2 * self.words.len());
        }
    }

    pub fn bytes(&self) -> usize {
        self.words.capacity() * size_of::<u64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_all_leave_open_is_open() {
        let mut open = Open::default();
        [0b111, 0b110, ALL_OPEN].into_iter().for_each(|word| open.push(word));
        open.narrow(0, 0b011);
        open.narrow(0, 0b110);
        assert_eq!((open.get(0), open.get(1), open.get(2)), (0b010, 0b110, ALL_OPEN));
        assert!(open.is_news(1, 0b100) && !open.is_news(1, 0b1110));
        open.forget(1);
        open.narrow(0, 0);
        assert_eq!((open.get(0), open.get(1), open.get(9)), (ALL_OPEN, 0b110, ALL_OPEN));
    }
}
