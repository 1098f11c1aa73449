//! From vectors to keys and back.
//!
//! A vector is cut into two parts, and these into two, down to single words: its [`Shape`] says
//! how. Each part but the whole is replaced by the number of the pair of its own parts; the numbers
//! of the two largest are the key. A [`View`] remembers all parts of the vector it was last loaded
//! on; folding another vector beside it looks up only the parts that differ.

use crate::nodes::Nodes;
use crate::shape::Shape;
use std::ops::Range;
use std::sync::Arc;

/// Pairs that a view remembers the numbers of, at first and at most: what fits the second cache.
const CACHE: Range<usize> = 1 << 8..1 << 14;

/// One way to fold, and all pairs that came of it. Keys of another one mean something else.
#[derive(Debug)]
pub(crate) struct Folding {
    pub shape: Shape,
    pub nodes: Nodes,
    /// The how-manieth of its table.
    pub number: u32,
}

impl Folding {
    pub fn new(width: usize, shape: Shape, number: u32) -> Folding {
        Folding { shape, nodes: Nodes::new(width), number }
    }
}

/// A worker's look at one vector, and what it needs to fold others.
#[derive(Debug)]
pub struct View {
    width: usize,
    pub(crate) folding: Arc<Folding>,
    /// The words of the loaded vector, then the numbers of its parts.
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
        let hash = (crate::hash::hash(pair) >> 20) as usize;
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
    pub(crate) fn new(width: usize, folding: Arc<Folding>) -> View {
        let parts = vec![0; width + folding.shape.parts.len()];
        View { width, folding, other: parts.clone(), parts, recent: Recent::default() }
    }

    /// From now on it folds as this one says, if it does not yet.
    #[inline]
    pub(crate) fn follow(&mut self, folding: &Arc<Folding>) {
        if self.folding.number != folding.number {
            *self = View::new(self.width, folding.clone());
        }
    }

    /// The vector it was loaded on.
    #[inline]
    pub fn words(&self) -> &[u32] {
        &self.parts[..self.width]
    }

    /// Loads words that no key has.
    pub(crate) fn show(&mut self, words: impl Iterator<Item = u32>) {
        self.parts.iter_mut().zip(words).for_each(|(part, word)| *part = word);
    }

    /// Loads a key.
    #[inline]
    pub(crate) fn load(&mut self, key: u64) {
        if self.width == 0 {
            return;
        }
        let Folding { shape, nodes, .. } = &*self.folding;
        // With one word both are the same place, and the first half is the one that counts.
        self.parts[shape.top.1] = (key >> 32) as u32;
        self.parts[shape.top.0] = key as u32;
        // Smaller parts come first in the list: backwards, each part is known before it is taken
        // apart.
        for (at, (left, right)) in shape.parts.iter().enumerate().rev() {
            let pair = nodes.pair(self.parts[self.width + at]);
            self.parts[*left as usize] = pair as u32;
            self.parts[*right as usize] = (pair >> 32) as u32;
        }
    }

    /// The key of a vector. `None`: there are no more numbers for pairs.
    #[inline]
    pub(crate) fn fold(&mut self, state: &[u32]) -> Option<u64> {
        match *state {
            [] => Some(0),
            [a] => Some(u64::from(a)),
            [a, b] => Some(both(a, b)),
            _ => self.fold_long(state),
        }
    }

    fn fold_long(&mut self, state: &[u32]) -> Option<u64> {
        debug_assert_eq!(state.len(), self.width);
        self.other[..self.width].copy_from_slice(state);
        let Folding { shape, nodes, .. } = &*self.folding;
        for (at, (left, right)) in shape.parts.iter().enumerate() {
            let (left, right) = (*left as usize, *right as usize);
            let (a, b) = (self.other[left], self.other[right]);
            let at = self.width + at;
            // A successor shares most parts with the state that is loaded, whose numbers are known:
            // only what differs is looked up.
            self.other[at] = if a == self.parts[left] && b == self.parts[right] {
                self.parts[at]
            } else {
                self.recent.number(nodes, both(a, b))?
            };
        }
        Some(both(self.other[shape.top.0], self.other[shape.top.1]))
    }
}

#[inline]
pub(crate) fn both(a: u32, b: u32) -> u64 {
    u64::from(a) | u64::from(b) << 32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(width: usize, shape: Shape) -> View {
        View::new(width, Arc::new(Folding::new(width, shape, 0)))
    }

    #[test]
    fn folding_and_loading_are_inverse() {
        for width in 0..40usize {
            let state = |i: u32| -> Vec<u32> {
                (0..width as u32).map(|j| if j % 3 == i % 3 { i / 5 } else { j }).collect()
            };
            let sample: Vec<Vec<u32>> = (0..50).map(state).collect();
            let better = Shape::halves(width).better(width, &sample);
            for shape in [Some(Shape::halves(width)), better].into_iter().flatten() {
                let mut folder = view(width, shape);
                let mut reader = View::new(width, folder.folding.clone());
                let mut seen = std::collections::HashMap::new();
                for i in 0..300u32 {
                    let key = folder.fold(&state(i)).unwrap();
                    reader.load(key);
                    assert_eq!(reader.words(), state(i));
                    assert_eq!(seen.entry(key).or_insert_with(|| state(i)), &state(i));
                    if i % 7 == 0 {
                        folder.load(key);
                    }
                }
            }
        }
    }

    #[test]
    fn vectors_that_share_parts_share_pairs() {
        let mut view = view(16, Shape::halves(16));
        let mut state = vec![9; 16];
        let first = view.fold(&state).unwrap();
        // All pairs of words are equal, and so are the fours and the eights.
        assert_eq!(view.folding.nodes.len(), 1 + 3);
        state[0] = 1;
        assert_ne!(view.fold(&state).unwrap(), first);
        assert_eq!(view.folding.nodes.len(), 1 + 6);
    }
}
