//! Keys in the order of their states, in blocks that never move, each in as few bytes as it needs.
//!
//! Keys of one or two words are numbers: all have as many bytes as the largest so far. Those of
//! longer vectors have two halves of 32 bits, but neither needs all of them: the numbers of pairs
//! are small. A block of such keys keeps both halves side by side, bit by bit. What does not fit any
//! more is written anew.

use beeline_prefetch::prefetch;

const BLOCK_BITS: u32 = 14;
const BLOCK: usize = 1 << BLOCK_BITS;
/// A key is read and written as so many bytes; those behind it belong to the next one.
const WHOLE: usize = size_of::<u64>();

#[derive(Debug)]
struct Block {
    /// Bits of the lower half; the upper half follows.
    low: u32,
    /// Bits of the upper half.
    high: u32,
    /// Bits of a key.
    step: usize,
    len: usize,
    bytes: Vec<u8>,
}

/// Keys by number.
#[derive(Debug)]
pub(crate) enum KeyStore {
    Short(Short),
    Tight(Tight),
}

impl KeyStore {
    /// For keys of vectors of so many words.
    pub fn new(width: usize) -> KeyStore {
        if width <= 2 { KeyStore::Short(Short::new(1)) } else { KeyStore::Tight(Tight::default()) }
    }

    #[inline]
    pub fn push(&mut self, key: u64) {
        match self {
            KeyStore::Short(rows) => rows.push(key),
            KeyStore::Tight(rows) => rows.push(key),
        }
    }

    #[inline(always)]
    pub fn get(&self, at: u32) -> u64 {
        match self {
            KeyStore::Short(rows) => rows.get(at),
            KeyStore::Tight(rows) => rows.get(at),
        }
    }

    /// Asks for the memory of a key.
    #[inline(always)]
    pub fn prefetch(&self, at: u32) {
        match self {
            KeyStore::Short(rows) => rows.prefetch(at),
            KeyStore::Tight(rows) => rows.prefetch(at),
        }
    }

    pub fn bytes(&self) -> usize {
        match self {
            KeyStore::Short(rows) => rows.bytes(),
            KeyStore::Tight(rows) => rows.bytes(),
        }
    }
}

/// Keys as numbers of so many bytes.
#[derive(Debug)]
pub(crate) struct Short {
    step: usize,
    /// Its bits.
    mask: u64,
    len: usize,
    blocks: Vec<Vec<u8>>,
}

impl Short {
    fn new(step: usize) -> Short {
        let mask = u64::MAX >> (8 * (WHOLE - step));
        Short { step, mask, len: 0, blocks: Vec::new() }
    }

    #[inline]
    fn push(&mut self, key: u64) {
        if key & !self.mask != 0 {
            self.widen(key);
        }
        let (block, at) = (self.len >> BLOCK_BITS, (self.len & (BLOCK - 1)) * self.step);
        self.len += 1;
        let place = self.blocks.get_mut(block).and_then(|b| b.get_mut(at..at + WHOLE));
        match place {
            Some(place) => place.copy_from_slice(&key.to_le_bytes()),
            None => self.push_behind(block, at, key),
        }
    }

    /// Makes room for a key. The first block grows as it must: most models are small.
    #[cold]
    fn push_behind(&mut self, block: usize, at: usize, key: u64) {
        if block == self.blocks.len() {
            self.blocks.push(Vec::new());
        }
        let whole = BLOCK * self.step + WHOLE;
        // Each block has room for a whole word behind its last key: keys are read and written as
        // words, whatever their step is.
        let wanted = if block == 0 { (2 * at).max(64 * self.step).min(whole) } else { whole };
        let bytes = &mut self.blocks[block];
        bytes.reserve_exact(wanted.max(at + WHOLE) - bytes.len());
        bytes.resize(wanted.max(at + WHOLE), 0);
        bytes[at..at + WHOLE].copy_from_slice(&key.to_le_bytes());
    }

    /// Room for a key that does not fit, and for all that are there.
    #[cold]
    fn widen(&mut self, key: u64) {
        let step = (u64::BITS - key.leading_zeros()).div_ceil(8) as usize;
        let mut wider = Short::new(step);
        for at in 0..self.len {
            wider.push(self.get(at as u32));
            // Block by block: for a moment there is one block too much in memory, not twice all
            // keys.
            if at & (BLOCK - 1) == BLOCK - 1 {
                self.blocks[at >> BLOCK_BITS] = Vec::new();
            }
        }
        *self = wider;
    }

    #[inline(always)]
    fn get(&self, at: u32) -> u64 {
        let block = &self.blocks[(at >> BLOCK_BITS) as usize];
        let bytes = block[(at as usize & (BLOCK - 1)) * self.step..].first_chunk();
        u64::from_le_bytes(bytes.copied().unwrap_or_default()) & self.mask
    }

    #[inline(always)]
    fn prefetch(&self, at: u32) {
        let block = &self.blocks[(at >> BLOCK_BITS) as usize];
        prefetch(&block[(at as usize & (BLOCK - 1)) * self.step]);
    }

    fn bytes(&self) -> usize {
        let keys: usize = self.blocks.iter().map(Vec::capacity).sum();
        keys + self.blocks.capacity() * size_of::<Vec<u8>>()
    }
}

/// Keys in as few bytes as they need.
#[derive(Debug, Default)]
pub(crate) struct Tight {
    blocks: Vec<Block>,
}

fn bits(half: u32) -> u32 {
    u32::BITS - half.leading_zeros()
}

impl Block {
    fn new(low: u32, high: u32, room: usize) -> Block {
        // Fewer bits lie in one word wherever they begin; more begin with a byte.
        let step = match (low + high).max(1) as usize {
            few @ ..=57 => few,
            many => many.next_multiple_of(8),
        };
        let bytes = Vec::with_capacity((room * step).div_ceil(8) + WHOLE);
        Block { low, high, step, len: 0, bytes }
    }

    #[inline]
    fn fits(&self, key: u64) -> bool {
        (key & u64::from(u32::MAX)) >> self.low == 0 && key >> 32 >> self.high == 0
    }

    #[inline]
    fn push(&mut self, key: u64) {
        let cell = key & u64::from(u32::MAX) | (key >> 32) << self.low;
        let (at, shift) = (self.len * self.step / 8, self.len * self.step % 8);
        self.len += 1;
        self.bytes.resize(at + WHOLE, 0);
        let word = self.word(at) | cell << shift;
        self.bytes[at..at + WHOLE].copy_from_slice(&word.to_le_bytes());
    }

    /// The word that begins with a byte.
    #[inline]
    fn word(&self, at: usize) -> u64 {
        u64::from_le_bytes(self.bytes[at..].first_chunk().copied().unwrap_or_default())
    }

    #[inline]
    fn get(&self, at: usize) -> u64 {
        // The bits of the keys before are shifted out, and those behind.
        let rest = (u64::BITS as usize - self.step) as u32;
        let cell = self.word(at * self.step / 8) >> (at * self.step % 8) << rest >> rest;
        let high = cell >> self.low;
        cell ^ high << self.low | high << 32
    }

    /// The same keys, with room for one more that does not fit.
    #[cold]
    fn widened(&self, key: u64, room: usize) -> Block {
        let (low, high) = (self.low.max(bits(key as u32)), self.high.max(bits((key >> 32) as u32)));
        let mut block = Block::new(low, high, room);
        (0..self.len).for_each(|at| block.push(self.get(at)));
        block
    }
}

impl Tight {
    #[inline(never)]
    fn push(&mut self, key: u64) {
        let first = self.blocks.len() <= 1;
        match self.blocks.last_mut() {
            Some(block) if block.len < BLOCK => {
                if !block.fits(key) {
                    // The first one grows as it must: most models are small.
                    let grown = (block.len + 1).next_power_of_two().max(64);
                    *block = block.widened(key, if first { grown } else { BLOCK });
                }
                block.push(key);
            }
            last => {
                // What the keys before needed, these will need, too.
                let (low, high) = last.map_or((0, 0), |block| (block.low, block.high));
                let (low, high) = (low.max(bits(key as u32)), high.max(bits((key >> 32) as u32)));
                let room = if self.blocks.is_empty() { 64 } else { BLOCK };
                let mut block = Block::new(low, high, room);
                block.push(key);
                self.blocks.push(block);
            }
        }
    }

    // Out of line, so that the others are read in line.
    #[inline(never)]
    fn get(&self, at: u32) -> u64 {
        self.blocks[(at >> BLOCK_BITS) as usize].get(at as usize & (BLOCK - 1))
    }

    #[inline]
    fn prefetch(&self, at: u32) {
        let block = &self.blocks[(at >> BLOCK_BITS) as usize];
        prefetch(&block.bytes[(at as usize & (BLOCK - 1)) * block.step / 8]);
    }

    fn bytes(&self) -> usize {
        let keys: usize = self.blocks.iter().map(|block| block.bytes.capacity()).sum();
        keys + self.blocks.capacity() * size_of::<Block>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Keys of long vectors come back, and take so many bytes each.
    fn check(key: impl Fn(u64) -> u64, most: usize) {
        check_all(3, key, most);
    }

    fn check_all(width: usize, key: impl Fn(u64) -> u64, most: usize) {
        let mut rows = KeyStore::new(width);
        for i in 0..60_000u64 {
            rows.push(key(i));
        }
        for i in 0..60_000u64 {
            assert_eq!(rows.get(i as u32), key(i), "{i}");
        }
        // The last block has room for all its keys, the first may have more.
        assert!(rows.bytes() <= most * 5 * BLOCK, "{}", rows.bytes());
    }

    #[test]
    fn keys_stay_what_they_were_and_take_no_more_than_they_need() {
        check(|_| 0, 1);
        check(|i| i, 2);
        check(|i| i << 32, 2);
        check(|i| ((i / 300) << 32) | (i % 300), 3);
        check(|i| i * i % 4_000_000_000, 4);
        check(|i| (i % 50_000) << 32 | i, 4);
        check(|i| ((i % 50_000) << 32) | (i * 7), 5);
        check(|i| i << 32 | i << 16, 6);
        check(|i| i.wrapping_mul(0x9E37_79B9_7F4A_7C15), 8);
        check(|i| if i == 20_000 { u64::MAX } else { i }, 8);
        check_all(1, |i| i * i % 4_000_000_000, 4);
        check_all(1, |i| i % 200, 1);
        check_all(2, |i| if i < 40_000 { i } else { i << 22 }, 5);
        check_all(2, |i| i.wrapping_mul(0x9E37_79B9_7F4A_7C15), 8);
    }
}
