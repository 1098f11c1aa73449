//! What it would cost to cut short vectors in two, for every way to do that.
//!
//! The values of a set of words are counted by their hashes: each word of each vector has one, that
//! of several words is the sum, and how many different ones there are is estimated from the bits
//! that they leave unset in a map (linear counting; Whang and others, 1990).

/// Bits of the map: several times as many as there are vectors.
const BITS: usize = 1 << 18;
/// Bytes that a pair takes, its place in the index included.
const PAIR: usize = 13;

/// Some vectors, as hashes of their words.
pub(crate) struct Cuts {
    width: usize,
    /// Of each vector in turn, a hash a word.
    hashes: Vec<u64>,
}

impl Cuts {
    pub fn new(width: usize, sample: &[Vec<u32>]) -> Cuts {
        let hash = |(place, word): (usize, &u32)| {
            crate::hash::hash(u64::from(*word) | (place as u64 + 1) << 32)
        };
        Cuts { width, hashes: sample.iter().flat_map(|v| v.iter().enumerate().map(hash)).collect() }
    }

    /// How many values a set of words has, a bit each.
    fn values(&self, side: usize) -> usize {
        let mut map = vec![0u64; BITS / 64];
        for vector in self.hashes.chunks_exact(self.width) {
            let mut sum = 0u64;
            for (place, hash) in vector.iter().enumerate() {
                sum = sum.wrapping_add(hash * (side as u64 >> place & 1));
            }
            let bit = (sum >> 40) as usize % BITS;
            map[bit / 64] |= 1 << (bit % 64);
        }
        let unset: u32 = map.iter().map(|word| word.count_zeros()).sum();
        let all = BITS as f64;
        (all * (all / f64::from(unset.max(1))).ln()) as usize
    }

    /// The bytes of pairs, and the bits of a key, for one side; and is a single word better off with
    /// a number?
    fn side(&self, side: usize) -> (usize, u32, bool) {
        let values = self.values(side);
        let (pairs, bits) = (PAIR * values, usize::BITS - values.leading_zeros());
        let vectors = self.hashes.len() / self.width;
        let plain = side.count_ones() == 1 && vectors * (32 - bits as usize) / 8 < pairs;
        if plain { (0, 32, false) } else { (pairs, bits, true) }
    }

    /// The bytes of all vectors if the words of a set are on one side.
    pub fn cost(&self, side: usize) -> usize {
        let (a, b) = (self.side(side), self.side(self.others(side)));
        a.0 + b.0 + self.hashes.len() / self.width * (a.1 + b.1).div_ceil(8) as usize
    }

    /// Which of both sides are to have numbers?
    pub fn numbered(&self, side: usize) -> [bool; 2] {
        [self.side(side).2, self.side(self.others(side)).2]
    }

    fn others(&self, side: usize) -> usize {
        !side & ((1 << self.width) - 1)
    }

    /// The least cost, and one side of that cut.
    pub fn best(&self) -> Option<(usize, usize)> {
        // The first word is on the other side: each cut comes once.
        let sides = (2..1usize << self.width).step_by(2);
        sides.map(|side| (self.cost(side), side)).min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_counted_and_words_that_belong_together_stay_together() {
        let state = |i: u32| vec![i % 181, i / 181, 3 * (i % 181), 900 - i / 181];
        let sample: Vec<Vec<u32>> = (0..32_761).map(state).collect();
        let cuts = Cuts::new(4, &sample);
        let near = |side, count: usize| cuts.values(side).abs_diff(count) <= count / 50 + 1;
        assert!(near(0b0001, 181) && near(0b0101, 181) && near(0b0011, 32_761));
        assert_eq!(cuts.best().map(|(_, side)| side), Some(0b1010));
    }

    #[test]
    fn a_word_with_many_values_gets_no_numbers() {
        let sample: Vec<Vec<u32>> = (0..30_000).map(|i| vec![i * 7, i / 900, i / 300]).collect();
        let cuts = Cuts::new(3, &sample);
        assert_eq!(cuts.best().map(|(_, side)| side), Some(0b110));
        assert_eq!(cuts.numbered(0b110), [true, false]);
    }
}
