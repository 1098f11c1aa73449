//! From vectors to keys and back.
//!
//! Neighbours are folded to the number of their pair, level by level, until two words are left:
//! those are the key. A [`View`] remembers all levels of the vector it was last opened on; folding
//! another vector beside it looks up only the pairs that differ.

use crate::nodes::Nodes;

/// Pairs that a view remembers the numbers of.
const CACHE: usize = 1024;

/// A worker's look at one vector, and what it needs to fold others.
#[derive(Debug)]
pub struct View {
    /// Where each level begins in `levels`, longest first; the last entry is the end.
    starts: Vec<usize>,
    /// The open vector, then each level above it.
    levels: Vec<u32>,
    /// The same for the vector being folded.
    other: Vec<u32>,
    cache: Vec<(u64, u32)>,
    width: usize,
}

impl View {
    /// For vectors of so many words; it shows the one of zeros.
    pub(crate) fn new(width: usize) -> View {
        let (mut starts, mut end, mut count) = (vec![0], width, width);
        while count > 2 {
            starts.push(end);
            count = count.div_ceil(2);
            end += count;
        }
        starts.push(end);
        let cache = if width > 2 { vec![(0, u32::MAX); CACHE] } else { Vec::new() };
        View { starts, levels: vec![0; end], other: vec![0; end], cache, width }
    }

    /// The vector it was opened on.
    #[inline]
    pub fn words(&self) -> &[u32] {
        &self.levels[..self.width]
    }

    /// Opens it on a key.
    pub(crate) fn open(&mut self, nodes: &Nodes, key: u64) {
        let top = self.starts[self.starts.len() - 2];
        let pair = [key as u32, (key >> 32) as u32];
        let end = self.levels.len();
        self.levels[top..].copy_from_slice(&pair[..end - top]);
        for level in (0..self.starts.len() - 2).rev() {
            let (from, middle, end) =
                (self.starts[level], self.starts[level + 1], self.starts[level + 2]);
            let (below, above) = self.levels[from..end].split_at_mut(middle - from);
            for (two, number) in below.chunks_mut(2).zip(above.iter()) {
                match two {
                    [a, b] => {
                        let pair = nodes.pair(*number);
                        (*a, *b) = (pair as u32, (pair >> 32) as u32);
                    }
                    rest => rest.fill(*number),
                }
            }
        }
    }

    /// The key of a vector. `None`: there are no more numbers for pairs.
    #[inline]
    pub(crate) fn fold(&mut self, nodes: &Nodes, state: &[u32]) -> Option<u64> {
        match *state {
            [] => Some(0),
            [a] => Some(u64::from(a)),
            [a, b] => Some(u64::from(a) | u64::from(b) << 32),
            _ => self.fold_long(nodes, state),
        }
    }

    fn fold_long(&mut self, nodes: &Nodes, state: &[u32]) -> Option<u64> {
        debug_assert_eq!(state.len(), self.width);
        self.other[..self.width].copy_from_slice(state);
        for level in 0..self.starts.len() - 2 {
            let (from, middle, end) =
                (self.starts[level], self.starts[level + 1], self.starts[level + 2]);
            let (below, above) = self.other[from..end].split_at_mut(middle - from);
            let known_below = self.levels[from..middle].chunks(2);
            let known = known_below.zip(&self.levels[middle..end]);
            for ((two, out), (known_two, known)) in below.chunks(2).zip(above).zip(known) {
                *out = match *two {
                    _ if two == known_two => *known,
                    [a, b] => number(&mut self.cache, nodes, u64::from(a) | u64::from(b) << 32)?,
                    [a, ..] => a,
                    [] => 0,
                };
            }
        }
        match self.other[self.starts[self.starts.len() - 2]..] {
            [a, b] => Some(u64::from(a) | u64::from(b) << 32),
            _ => None,
        }
    }
}

/// The number of a pair, from the cache if it is there.
#[inline]
fn number(cache: &mut [(u64, u32)], nodes: &Nodes, pair: u64) -> Option<u32> {
    let entry = &mut cache[(crate::table::hash(pair) >> 20) as usize % CACHE];
    if entry.0 != pair || entry.1 == u32::MAX {
        *entry = (pair, nodes.number(pair)?);
    }
    Some(entry.1)
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
        // All eight pairs are equal, and so are those above them.
        assert_eq!(nodes.len(), 1 + 3);
        state[0] = 1;
        assert_ne!(view.fold(&nodes, &state).unwrap(), first);
        assert_eq!(nodes.len(), 1 + 6);
    }
}
