//! What is still open about states: a word of bits each.
//!
//! Every candidate says what it leaves open about its state, and only what all of them leave open
//! stays open. What a bit means is not known here. Intersections can come in any order: after a wave
//! the number of threads cannot be told.
//!
//! Words lie in blocks, and a block goes as soon as nobody will ask for any of its states: in
//! whatever order states are expanded, little more is kept than what waits.

use beeline_fault::{Flaw, planted};
use std::sync::atomic::{AtomicU64, Ordering};

/// Nothing is known: everything is open.
pub const ALL_OPEN: u64 = u64::MAX;

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
pub(crate) struct Open {
    blocks: Vec<Option<Box<Block>>>,
    len: usize,
    kept: usize,
}

impl Open {
    pub fn push(&mut self, open: u64) {
        let at = self.len % BLOCK;
        self.len += 1;
        if at == 0 {
            let words = [const { AtomicU64::new(ALL_OPEN) }; BLOCK];
            if self.blocks.len() == self.blocks.capacity() {
                self.blocks.reserve_exact(self.blocks.len() / 8 + 16);
            }
            self.blocks.push(Some(Box::new(Block { words, left: BLOCK })));
            self.kept += 1;
        }
        if let Some(Some(block)) = self.blocks.last_mut() {
            *block.words[at].get_mut() = open;
        }
    }

    fn word(&self, number: u32) -> Option<&AtomicU64> {
        let block = self.blocks.get(number as usize / BLOCK)?.as_ref()?;
        Some(&block.words[number as usize % BLOCK])
    }

    /// One more candidate of a known state.
    #[inline]
    pub fn narrow(&self, number: u32, open: u64) {
        // Most candidates say nothing new: looking is cheaper than writing.
        if let Some(word) = self.word(number)
            && word.load(Ordering::Relaxed) & !open != 0
        {
            word.fetch_and(open, Ordering::Relaxed);
            if planted(Flaw::OpenClosed) {
                word.store(0, Ordering::Relaxed);
            }
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
    fn only_what_all_leave_open_is_open() {
        let mut open = Open::default();
        [0b111, 0b110, ALL_OPEN].into_iter().for_each(|word| open.push(word));
        open.narrow(0, 0b011);
        open.narrow(0, 0b110);
        assert_eq!((open.get(0), open.get(1), open.get(2)), (0b010, 0b110, ALL_OPEN));
        assert!(open.is_news(1, 0b100) && !open.is_news(1, 0b1110));
        assert_eq!(open.get(9), ALL_OPEN);
    }

    #[test]
    fn a_block_goes_with_the_last_of_its_states() {
        let mut open = Open::default();
        (0..200).for_each(|n| open.push(n));
        let full = open.bytes();
        // In any order; the first block is whole, of the second one state stays.
        open.forget((0..127).rev());
        assert_eq!((open.get(0), open.get(63), open.get(127)), (ALL_OPEN, ALL_OPEN, 127));
        assert_eq!(full - open.bytes(), size_of::<Block>());
        open.narrow(3, 0);
        assert_eq!((open.get(3), open.get(199)), (ALL_OPEN, 199));
    }
}
