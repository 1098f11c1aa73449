//! Rows of words in chunks that never move: growing costs no copy, and no double memory.

/// Chunk `k` has room for `FIRST << k` rows.
const FIRST: usize = 64;

/// Rows of one length.
#[derive(Debug)]
pub(crate) struct Records {
    width: usize,
    chunks: Vec<Vec<u32>>,
    len: usize,
}

impl Records {
    pub fn new(width: usize) -> Records {
        Records { width, chunks: Vec::new(), len: 0 }
    }

    pub fn len(&self) -> usize {
        self.len
    }

    /// Bytes in use; what a chunk has in reserve was never touched.
    pub fn bytes(&self) -> usize {
        self.len * self.width * size_of::<u32>()
    }

    fn position(row: usize) -> (usize, usize) {
        let shifted = row + FIRST;
        let chunk = (shifted / FIRST).ilog2() as usize;
        (chunk, shifted - (FIRST << chunk))
    }

    /// Adds a row made of a first word and the rest.
    pub fn push(&mut self, first: u32, rest: &[u32]) {
        debug_assert_eq!(rest.len() + 1, self.width);
        let (chunk, _) = Records::position(self.len);
        if chunk == self.chunks.len() {
            self.chunks.push(Vec::with_capacity((FIRST << chunk) * self.width));
        }
        self.chunks[chunk].push(first);
        self.chunks[chunk].extend_from_slice(rest);
        self.len += 1;
    }

    pub fn row(&self, row: usize) -> &[u32] {
        let (chunk, offset) = Records::position(row);
        &self.chunks[chunk][offset * self.width..(offset + 1) * self.width]
    }

    pub fn set_first(&mut self, row: usize, word: u32) {
        let (chunk, offset) = Records::position(row);
        self.chunks[chunk][offset * self.width] = word;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stay_what_they_were() {
        let mut records = Records::new(3);
        for i in 0..1000u32 {
            records.push(7, &[i, i * i]);
        }
        records.set_first(500, 8);
        for i in 0..1000u32 {
            let first = if i == 500 { 8 } else { 7 };
            assert_eq!(records.row(i as usize), [first, i, i * i]);
        }
        assert_eq!((records.len(), records.bytes()), (1000, 12_000));
    }
}
