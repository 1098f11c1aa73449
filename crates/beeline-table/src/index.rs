//! Numbers by hash: open addressing over cache lines of sixteen words.
//!
//! An entry is a number (plus one, so that zero is free) in the low bits and as many bits of the
//! hash above as there is room for. A line is filled from its start; a full line goes on in the
//! next one. Nothing is ever removed. Where the numbers lead is not known here.

use beeline_prefetch::{LINE, matches, prefetch};

/// How full the index may become: numerator over 64.
const FULL: usize = 58;
/// Up to so many lines all indices grow alike.
const SMALL: usize = 64;
/// Numbers need room below the sign: an entry is at most this many bits of number.
pub(crate) const MAX_BITS: u32 = 31;

#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Line([u32; LINE]);

/// The place of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Slot(pub u32);

/// What a search came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// This number, at this place.
    Number(u32, Slot),
    /// Nothing; it would belong here.
    Free(Slot),
}

/// An index of numbers.
#[derive(Debug)]
pub(crate) struct Index {
    lines: Vec<Line>,
    /// Bits of an entry that are the number.
    bits: u32,
    len: usize,
    /// How many entries may be there before it must grow.
    room: usize,
    /// How it grows.
    growth: Growth,
}

/// A large index has a power of `ratio` times `base` lines.
#[derive(Clone, Copy, Debug)]
struct Growth {
    base: f64,
    ratio: f64,
}

/// Indices that grow rarely and by much: least time, and about two thirds full.
pub(crate) const FAST: f64 = 2.0;
/// Indices that grow often and by little: four fifths full.
pub(crate) const TIGHT: f64 = 1.2;

impl Growth {
    /// The next size after so many lines.
    fn after(self, lines: usize) -> usize {
        if lines < SMALL {
            return 2 * lines;
        }
        let mut next = self.base;
        while (next as usize) <= lines {
            next *= self.ratio;
        }
        next as usize
    }
}

impl Index {
    /// The `which`th of so many indices that share all entries evenly. Each grows by this ratio when
    /// it is full.
    ///
    /// All do so at different times: together they are as full at one time as at another, and no
    /// growth is long.
    pub fn new(which: usize, of: usize, ratio: f64) -> Index {
        let part = which as f64 / of.max(1) as f64;
        Index::with(1, 16, Growth { base: SMALL as f64 * ratio.powf(part), ratio })
    }

    fn with(lines: usize, bits: u32, growth: Growth) -> Index {
        let room = (lines * LINE * FULL / 64).max(1);
        Index { lines: vec![Line([0; LINE]); lines], bits, len: 0, room, growth }
    }

    pub fn bytes(&self) -> usize {
        self.lines.capacity() * size_of::<Line>()
    }

    #[inline]
    fn line(&self, hash: u64) -> usize {
        // The topmost bits chose the shard.
        let part = (hash << 6) >> 32;
        ((part * self.lines.len() as u64) >> 32) as usize
    }

    #[inline]
    fn tag(&self, hash: u64) -> u32 {
        (hash as u32) >> self.bits
    }

    /// Asks for the line of a hash.
    #[inline]
    pub fn prefetch(&self, hash: u64) {
        prefetch(&self.lines[self.line(hash)]);
    }

    /// The first free place for a hash.
    #[inline]
    fn free(&self, hash: u64) -> Slot {
        let mut at = self.line(hash);
        loop {
            let line = &self.lines[at].0;
            if line[LINE - 1] == 0 {
                return Slot((at * LINE) as u32 + matches(line, 0, 0).trailing_zeros());
            }
            at = if at + 1 == self.lines.len() { 0 } else { at + 1 };
        }
    }

    #[inline]
    fn number(&self, entry: u32) -> Option<u32> {
        (entry & ((1 << self.bits) - 1)).checked_sub(1)
    }

    /// The first number that may be the one, without looking where it leads.
    #[inline]
    pub fn guess(&self, hash: u64) -> Option<u32> {
        // The first match only: a wrong guess costs a search, and no more.
        let line = &self.lines[self.line(hash)].0;
        let mask = matches(line, self.bits, self.tag(hash));
        if mask == 0 {
            return None;
        }
        self.number(line[mask.trailing_zeros() as usize])
    }

    /// Looks for the number of this hash that `same` accepts.
    #[inline]
    pub fn find(&self, hash: u64, mut same: impl FnMut(u32) -> bool) -> Found {
        let tag = self.tag(hash);
        let mut at = self.line(hash);
        loop {
            let line = &self.lines[at].0;
            let mut mask = matches(line, self.bits, tag);
            while mask != 0 {
                let i = mask.trailing_zeros() as usize;
                mask &= mask - 1;
                // An entry of zero has a tag of zero, and no number.
                if let Some(number) = self.number(line[i])
                    && same(number)
                {
                    return Found::Number(number, Slot((at * LINE + i) as u32));
                }
            }
            // Lines are filled from their start, and nothing is removed: a free last place ends the
            // search.
            if line[LINE - 1] == 0 {
                let free = matches(line, 0, 0).trailing_zeros();
                return Found::Free(Slot((at * LINE) as u32 + free));
            }
            at = if at + 1 == self.lines.len() { 0 } else { at + 1 };
        }
    }

    /// All numbers, in no order that means anything.
    pub fn numbers(&self) -> impl Iterator<Item = u32> {
        self.lines.iter().flat_map(|line| line.0).filter_map(|entry| self.number(entry))
    }

    /// Fills a free place.
    #[inline]
    pub fn fill(&mut self, slot: Slot, hash: u64, number: u32) {
        self.len += 1;
        self.set(slot, hash, number);
    }

    /// Changes the number at a place.
    #[inline]
    pub fn set(&mut self, slot: Slot, hash: u64, number: u32) {
        let tag = u64::from(self.tag(hash)) << self.bits;
        let slot = slot.0 as usize;
        self.lines[slot / LINE].0[slot % LINE] = tag as u32 | (number + 1);
    }

    /// Is there no room for one more entry, or for numbers below `bound`?
    #[inline]
    pub fn is_full(&self, bound: usize) -> bool {
        // One more than the number is kept.
        self.len >= self.room || bound >= (1usize << self.bits) - 1
    }

    /// Makes room for more entries and for numbers below `bound`, which must fit in
    /// [`MAX_BITS`]. `hashes` gives the hashes of numbers; `moved` hears of new places.
    pub fn grow(
        &mut self,
        bound: usize,
        hashes: impl FnMut(&[u32], &mut Vec<u64>),
        moved: impl FnMut(u32, Slot),
    ) {
        let wanted = (self.len + 1) * 64 / FULL / LINE + 1;
        let mut lines = self.lines.len();
        while wanted > lines {
            lines = self.growth.after(lines);
        }
        // For twice as many numbers, so that not every growth is for their sake; what an entry has
        // left is the tag, which spares comparisons.
        let bits = (usize::BITS - (2 * bound + 2).leading_zeros()).clamp(16, MAX_BITS);
        self.rebuild(lines, bits, hashes, moved);
    }

    fn rebuild(
        &mut self,
        lines: usize,
        bits: u32,
        mut hashes: impl FnMut(&[u32], &mut Vec<u64>),
        mut moved: impl FnMut(u32, Slot),
    ) {
        let fresh = Index::with(lines, bits, self.growth);
        let old = std::mem::replace(self, fresh);
        let (mut numbers, mut found) = (Vec::with_capacity(8 * LINE), Vec::new());
        // Some lines at a time: their keys, and then the lines they go to, arrive together.
        for some in old.lines.chunks(8) {
            numbers.clear();
            found.clear();
            let entries = some.iter().flat_map(|line| line.0);
            numbers.extend(entries.filter_map(|entry| old.number(entry)));
            hashes(&numbers, &mut found);
            found.iter().for_each(|hash| self.prefetch(*hash));
            for (number, hash) in numbers.iter().zip(&found) {
                let slot = self.free(*hash);
                self.fill(slot, *hash, *number);
                moved(*number, slot);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(number: u32) -> u64 {
        u64::from(number).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(17)
    }

    #[test]
    fn numbers_are_found_again_after_growing() {
        let mut index = Index::new(0, 1, FAST);
        let count = 100_000u32;
        for i in 0..count {
            if index.is_full(i as usize + 1) {
                index.grow(
                    i as usize + 1,
                    |numbers, out| out.extend(numbers.iter().map(|n| hash(*n))),
                    |_, _| {},
                );
            }
            match index.find(hash(i), |n| n == i) {
                Found::Free(slot) => index.fill(slot, hash(i), i),
                found => panic!("{found:?}"),
            }
        }
        assert_eq!(index.len, 100_000);
        for i in 0..count {
            assert!(matches!(index.find(hash(i), |n| n == i), Found::Number(n, _) if n == i));
            assert!(index.guess(hash(i)).is_some());
        }
        assert!(matches!(index.find(hash(count), |n| n == count), Found::Free(_)));
        // Between 45 and 91 of a hundred places are in use.
        assert!(index.bytes() < 100_000 * 4 * 100 / 45, "{}", index.bytes());
    }

    #[test]
    fn indices_that_share_entries_grow_at_different_times() {
        for (ratio, full) in [(FAST, 0.6..0.7), (TIGHT, 0.78..0.85)] {
            let mut all: Vec<Index> = (0..64).map(|i| Index::new(i, 64, ratio)).collect();
            let mut growths = Vec::new();
            for count in 1..8000 {
                let mut grown = 0;
                for index in &mut all {
                    index.len = count - 1;
                    if index.is_full(1) {
                        let mut lines = index.lines.len();
                        while (lines * LINE * FULL) / 64 < count {
                            lines = index.growth.after(lines);
                        }
                        *index = Index { len: count, ..Index::with(lines, 16, index.growth) };
                        grown += 1;
                    }
                }
                if count > 2000 {
                    growths.push(grown);
                    let places: usize = all.iter().map(|i| i.lines.len() * LINE).sum();
                    let fill = (64 * count) as f64 / places as f64;
                    assert!(full.contains(&fill), "{ratio} {count}: {fill}");
                }
            }
            assert!(growths.iter().all(|grown| *grown <= 4), "{ratio}");
        }
    }

    #[test]
    fn equal_hashes_are_told_apart_by_the_caller() {
        let mut index = Index::new(0, 1, FAST);
        for i in 0..40u32 {
            if index.is_full(i as usize + 1) {
                index.grow(41, |numbers, out| out.extend(numbers.iter().map(|_| 7)), |_, _| {});
            }
            match index.find(7, |n| n == i) {
                Found::Free(slot) => index.fill(slot, 7, i),
                found => panic!("{found:?}"),
            }
        }
        for i in 0..40u32 {
            let found = index.find(7, |n| n == i);
            assert!(matches!(found, Found::Number(n, slot) if n == i && {
                index.set(slot, 7, i);
                true
            }));
        }
    }
}
