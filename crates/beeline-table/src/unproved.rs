//! What is still unproved about states: a word of bits each.
//!
//! Every candidate says what it leaves unproved about its state, and only what all of them leave unproved
//! stays unproved. What a bit means is not known here. Intersections can come in any order: after a wave
//! the number of threads cannot be told.
//!
//! Words lie in blocks, and a block goes as soon as nobody will ask for any of its states: in
//! whatever order states are expanded, little more is kept than what waits.

use beeline_fault::{Flaw, planted};
use std::sync::atomic::{AtomicU64, Ordering};

/// Nothing is known: everything is unproved.
pub const ALL_UNPROVED: u64 = u64::MAX;

/// States of one block.
const BLOCK: usize = 64;

#[derive(Debug)]
struct Block {
    words: [AtomicU64; BLOCK],
    /// States that somebody may still ask for.
    left: usize,
}

/// Words by the numbers of states, without those that nobody asks for any more.
#[derive(Debug, Default)]
pub(crate) struct Unproved {
    blocks: Vec<Option<Box<Block>>>,
    len: usize,
    kept: usize,
}

impl Unproved {
    pub fn push(&mut self, unproved: u64) {
        let at = self.len % BLOCK;
        self.len += 1;
        if at == 0 {
            let words = [const { AtomicU64::new(ALL_UNPROVED) }; BLOCK];
            if self.blocks.len() == self.blocks.capacity() {
                self.blocks.reserve_exact(self.blocks.len() / 8 + 16);
            }
            self.blocks.push(Some(Box::new(Block { words, left: BLOCK })));
            self.kept += 1;
        }
        if let Some(Some(block)) = self.blocks.last_mut() {
            *block.words[at].get_mut() = unproved;
        }
    }

    fn word(&self, number: u32) -> Option<&AtomicU64> {
        let block = self.blocks.get(number as usize / BLOCK)?.as_ref()?;
        Some(&block.words[number as usize % BLOCK])
    }

    /// One more candidate of a known state.
    #[inline]
    pub fn narrow(&self, number: u32, unproved: u64) {
        // Most candidates say nothing new: looking is cheaper than writing.
        if let Some(word) = self.word(number)
            && word.load(Ordering::Relaxed) & !unproved != 0
        {
            word.fetch_and(unproved, Ordering::Relaxed);
            if planted(Flaw::OpenClosed) {
                word.store(0, Ordering::Relaxed);
            }
        }
    }

    #[inline]
    pub fn get(&self, number: u32) -> u64 {
        self.word(number).map_or(ALL_UNPROVED, |word| word.load(Ordering::Relaxed))
    }

    /// Would a candidate close anything?
    pub fn is_news(&self, number: u32, unproved: u64) -> bool {
        self.word(number).is_some_and(|word| word.load(Ordering::Relaxed) & !unproved != 0)
    }

    /// Nobody will ask for these states again; each is named once.
    pub fn forget(&mut self, states: impl Iterator<Item = u32>) {
        for number in states {
            let Some(place) = self.blocks.get_mut(number as usize / BLOCK) else { continue };
            let Some(block) = place else { continue };
            block.left = block.left.saturating_sub(1);
            if block.left == 0 {
                *place = None;
                self.kept -= 1;
            }
        }
    }

    pub fn bytes(&self) -> usize {
        self.kept * size_of::<Block>() + self.blocks.capacity() * size_of::<Option<Box<Block>>>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_all_leave_unproved_is_unproved() {
        let mut unproved = Unproved::default();
        [0b111, 0b110, ALL_UNPROVED].into_iter().for_each(|word| unproved.push(word));
        unproved.narrow(0, 0b011);
        unproved.narrow(0, 0b110);
        assert_eq!(
            (unproved.get(0), unproved.get(1), unproved.get(2)),
            (0b010, 0b110, ALL_UNPROVED)
        );
        assert!(unproved.is_news(1, 0b100) && !unproved.is_news(1, 0b1110));
        assert_eq!(unproved.get(9), ALL_UNPROVED);
    }

    #[test]
    fn a_block_goes_with_the_last_of_its_states() {
        let mut unproved = Unproved::default();
        (0..200).for_each(|n| unproved.push(n));
        let full = unproved.bytes();
        // In any order; the first block is whole, of the second one state stays.
        unproved.forget((0..127).rev());
        assert_eq!(
            (unproved.get(0), unproved.get(63), unproved.get(127)),
            (ALL_UNPROVED, ALL_UNPROVED, 127)
        );
        assert_eq!(full - unproved.bytes(), size_of::<Block>());
        unproved.narrow(3, 0);
        assert_eq!((unproved.get(3), unproved.get(199)), (ALL_UNPROVED, 199));
    }
}
