//! Rows of words with numbers: each row once, side by side, found by an open-addressed index.

use rustc_hash::FxHasher;
use std::hash::Hasher;

/// No row.
const NONE: u32 = u32::MAX;

/// Rows of one width, numbered in the order in which they came.
pub(super) struct Rows {
    width: usize,
    words: Vec<u32>,
    count: usize,
    /// Numbers of rows by hash; a power of two, at most half full.
    index: Vec<u32>,
}

impl Rows {
    pub fn new(width: usize) -> Rows {
        Rows { width, words: Vec::new(), count: 0, index: vec![NONE; 1 << 10] }
    }

    pub fn len(&self) -> usize {
        self.count
    }

    /// The words of a row.
    pub fn get(&self, number: u32) -> &[u32] {
        let from = number as usize * self.width;
        &self.words[from..from + self.width]
    }

    /// The number of a row, new or not.
    pub fn number(&mut self, row: &[u32]) -> u32 {
        debug_assert_eq!(row.len(), self.width);
        if (self.count + 1) * 2 > self.index.len() {
            self.grow();
        }
        let mask = self.index.len() - 1;
        let mut at = hash(row) & mask;
        loop {
            match self.index[at] {
                NONE => break,
                number if self.get(number) == row => return number,
                _ => at = (at + 1) & mask,
            }
        }
        let number = self.count as u32;
        self.index[at] = number;
        self.words.extend_from_slice(row);
        self.count += 1;
        number
    }

    fn grow(&mut self) {
        let size = self.index.len() * 2;
        let mut index = vec![NONE; size];
        for number in 0..self.count as u32 {
            let mut at = hash(self.get(number)) & (size - 1);
            while index[at] != NONE {
                at = (at + 1) & (size - 1);
            }
            index[at] = number;
        }
        self.index = index;
    }
}

fn hash(row: &[u32]) -> usize {
    let mut hasher = FxHasher::default();
    row.iter().for_each(|word| hasher.write_u32(*word));
    hasher.finish() as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_row_has_one_number() {
        let mut rows = Rows::new(2);
        // More than the index holds at first, each twice.
        for _ in 0..2 {
            for i in 0..3000u32 {
                assert_eq!(rows.number(&[i, i % 7]), i);
            }
        }
        assert_eq!((rows.len(), rows.get(2999)), (3000, &[2999, 3][..]));
        // Without variables there is one state.
        let mut empty = Rows::new(0);
        assert_eq!((empty.number(&[]), empty.number(&[]), empty.len()), (0, 0, 1));
    }
}
