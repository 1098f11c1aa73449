//! Keys in the order of their states, in blocks that never move.

const BLOCK_BITS: u32 = 14;
const BLOCK: usize = 1 << BLOCK_BITS;

/// Keys of 32 or 64 bits.
#[derive(Debug)]
pub(crate) enum Rows {
    Narrow(Blocks<u32>),
    Wide(Blocks<u64>),
}

/// A list in blocks: growing costs no copy, and no double memory.
#[derive(Debug)]
pub(crate) struct Blocks<T> {
    blocks: Vec<Vec<T>>,
}

impl<T: Copy> Blocks<T> {
    fn push(&mut self, item: T) {
        match self.blocks.last_mut() {
            Some(block) if block.len() < BLOCK => block.push(item),
            _ => {
                // The first one grows as it must: most models are small.
                let room = if self.blocks.is_empty() { 64 } else { BLOCK };
                let mut block = Vec::with_capacity(room);
                block.push(item);
                self.blocks.push(block);
            }
        }
    }

    #[inline]
    fn get(&self, at: u32) -> T {
        self.blocks[(at >> BLOCK_BITS) as usize][at as usize & (BLOCK - 1)]
    }

    fn bytes(&self) -> usize {
        let items: usize = self.blocks.iter().map(Vec::len).sum();
        items * size_of::<T>() + self.blocks.capacity() * size_of::<Vec<T>>()
    }
}

impl Rows {
    /// Keys of vectors of this width after folding.
    pub fn new(width: usize) -> Rows {
        match width {
            0 | 1 => Rows::Narrow(Blocks { blocks: Vec::new() }),
            _ => Rows::Wide(Blocks { blocks: Vec::new() }),
        }
    }

    #[inline]
    pub fn push(&mut self, key: u64) {
        match self {
            Rows::Narrow(blocks) => blocks.push(key as u32),
            Rows::Wide(blocks) => blocks.push(key),
        }
    }

    #[inline]
    pub fn get(&self, at: u32) -> u64 {
        match self {
            Rows::Narrow(blocks) => u64::from(blocks.get(at)),
            Rows::Wide(blocks) => blocks.get(at),
        }
    }

    pub fn bytes(&self) -> usize {
        match self {
            Rows::Narrow(blocks) => blocks.bytes(),
            Rows::Wide(blocks) => blocks.bytes(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_stay_what_they_were() {
        for (width, size) in [(1, 4), (5, 8)] {
            let mut rows = Rows::new(width);
            for i in 0..50_000u64 {
                rows.push(i * i % 4_000_000_000);
            }
            for i in 0..50_000u64 {
                assert_eq!(rows.get(i as u32), i * i % 4_000_000_000);
            }
            let bytes = rows.bytes();
            assert!((50_000 * size..50_000 * size + 400).contains(&bytes), "{bytes}");
        }
    }
}
