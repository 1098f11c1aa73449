//! From vectors to keys and back.
//!
//! A vector is cut into halves, and these into halves, down to single words. Each part but the
//! whole is replaced by the number of the pair of its halves; the numbers of the two largest
//! halves are the key. Halves of equal length have few different values each, which is what makes
//! keys small. A [`View`] remembers all parts of the vector it was last opened on; folding another
//! vector beside it looks up only the parts that differ.

use crate::nodes::Nodes;
use std::ops::Range;

/// Pairs that a view remembers the numbers of, at first and at most: what fits the second cache.
const CACHE: Range<usize> = 1 << 8..1 << 14;

/// A worker's look at one vector, and what it needs to fold others.
#[derive(Debug)]
pub struct View {
    width: usize,
    /// The halves of each part, smaller parts first; numbers below `width` are words.
    shape: Vec<(u32, u32)>,
    /// The halves of the whole.
    top: (usize, usize),
    /// The words of the open vector, then the numbers of its parts.
    parts: Vec<u32>,
    /// The same for the vector being folded.
    other: Vec<u32>,
    recent: Recent,
}

/// Numbers of pairs that were asked for last, each at one place.
///
/// Asking all threads' common [`Nodes`] takes a lock, so it pays to ask seldom.
#[derive(Debug, Default)]
struct Recent {
    pairs: Vec<(u64, u32)>,
    missed: usize,
}

impl Recent {
    /// The number of a pair. `None`: there are no more numbers.
    #[inline]
    fn number(&mut self, nodes: &Nodes, pair: u64) -> Option<u32> {
        let hash = (crate::table::hash(pair) >> 20) as usize;
        let mask = self.pairs.len().wrapping_sub(1);
        match self.pairs.get(hash & mask) {
            Some((known, number)) if *known == pair && *number != u32::MAX => Some(*number),
            _ => self.ask(nodes, pair, hash),
        }
    }

    fn ask(&mut self, nodes: &Nodes, pair: u64, hash: usize) -> Option<u32> {
        let number = nodes.number(pair)?;
        self.missed += 1;
        let size = self.pairs.len();
        if size == 0 || size < CACHE.end && self.missed > 4 * size {
            self.pairs.clear();
            self.pairs.resize((4 * size).max(CACHE.start), (0, u32::MAX));
            self.missed = 0;
        }
        let mask = self.pairs.len() - 1;
        self.pairs[hash & mask] = (pair, number);
        Some(number)
    }
}

impl View {
    /// For vectors of so many words; it shows the one of zeros.
    pub(crate) fn new(width: usize) -> View {
        let mut shape = Vec::new();
        let mut top = (0, width.saturating_sub(1));
        if width > 2 {
            let middle = width.div_ceil(2);
            top = (part(0..middle, width, &mut shape), part(middle..width, width, &mut shape));
        }
        let parts = vec![0; width + shape.len()];
        View { width, shape, top, other: parts.clone(), parts, recent: Recent::default() }
    }

    /// The vector it was opened on.
    #[inline]
    pub fn words(&self) -> &[u32] {
        &self.parts[..self.width]
    }

    /// Opens it on words that no key has.
    pub(crate) fn show(&mut self, words: impl Iterator<Item = u32>) {
        self.parts.iter_mut().zip(words).for_each(|(part, word)| *part = word);
    }

    /// Opens it on a key.
    #[inline]
    pub(crate) fn open(&mut self, nodes: &Nodes, key: u64) {
        if self.width == 0 {
            return;
        }
        // With one word both are the same place, and the first half is the one that counts.
        self.parts[self.top.1] = (key >> 32) as u32;
        self.parts[self.top.0] = key as u32;
        for (at, (left, right)) in self.shape.iter().enumerate().rev() {
            let pair = nodes.pair(self.parts[self.width + at]);
            self.parts[*left as usize] = pair as u32;
            self.parts[*right as usize] = (pair >> 32) as u32;
        }
    }

    /// The key of a vector. `None`: there are no more numbers for pairs.
    #[inline]
    pub(crate) fn fold(&mut self, nodes: &Nodes, state: &[u32]) -> Option<u64> {
        match *state {
            [] => Some(0),
            [a] => Some(u64::from(a)),
            [a, b] => Some(both(a, b)),
            _ => self.fold_long(nodes, state),
        }
    }

    fn fold_long(&mut self, nodes: &Nodes, state: &[u32]) -> Option<u64> {
        debug_assert_eq!(state.len(), self.width);
        self.other[..self.width].copy_from_slice(state);
        for (at, (left, right)) in self.shape.iter().enumerate() {
            let (left, right) = (*left as usize, *right as usize);
            let (a, b) = (self.other[left], self.other[right]);
            let at = self.width + at;
            self.other[at] = if a == self.parts[left] && b == self.parts[right] {
                self.parts[at]
            } else {
                self.recent.number(nodes, both(a, b))?
            };
        }
        Some(both(self.other[self.top.0], self.other[self.top.1]))
    }
}

#[inline]
fn both(a: u32, b: u32) -> u64 {
    u64::from(a) | u64::from(b) << 32
}

/// The place of the part of these words; its own parts are added to the shape before it.
fn part(words: Range<usize>, width: usize, shape: &mut Vec<(u32, u32)>) -> usize {
    if words.len() == 1 {
        return words.start;
    }
    let middle = words.start + words.len().div_ceil(2);
    // As deep as the logarithm of the width.
    let left = part(words.start..middle, width, shape);
    let right = part(middle..words.end, width, shape);
    shape.push((left as u32, right as u32));
    width + shape.len() - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folding_and_opening_are_inverse() {
        for width in 0..40usize {
            let nodes = Nodes::new(width);
            let (mut folder, mut reader) = (View::new(width), View::new(width));
            let mut seen = std::collections::HashMap::new();
            for i in 0..300u32 {
                let state: Vec<u32> =
                    (0..width as u32).map(|j| if j % 3 == i % 3 { i / 5 } else { j }).collect();
                let key = folder.fold(&nodes, &state).unwrap();
                reader.open(&nodes, key);
                assert_eq!(reader.words(), state);
                assert_eq!(seen.entry(key).or_insert_with(|| state.clone()), &state);
                if i % 7 == 0 {
                    folder.open(&nodes, key);
                }
            }
        }
    }

    #[test]
    fn vectors_that_share_parts_share_pairs() {
        let nodes = Nodes::new(16);
        let mut view = View::new(16);
        let mut state = vec![9; 16];
        let first = view.fold(&nodes, &state).unwrap();
        // All pairs of words are equal, and so are the fours and the eights.
        assert_eq!(nodes.len(), 1 + 3);
        state[0] = 1;
        assert_ne!(view.fold(&nodes, &state).unwrap(), first);
        assert_eq!(nodes.len(), 1 + 6);
    }
}
