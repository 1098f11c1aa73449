//! Chance that repeats: one seed, one run.

/// A small generator (xorshift*); not for secrets.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Another seed is another run.
    pub fn new(seed: u64) -> Random {
        // Mixed, so that neighbouring seeds do not begin alike; never zero.
        let mixed = seed.wrapping_add(0x9E37_79B9_7F4A_7C15).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        Random((mixed ^ (mixed >> 31)) | 1)
    }

    /// A number below `n`, which is not zero.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let drawn = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33;
        (drawn % n as u64) as usize
    }

    /// True so many times of a hundred.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of these; there is at least one.
    pub fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())].clone()
    }
}
