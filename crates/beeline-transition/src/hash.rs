//! Hashes of rows by what is in them: the same in every run and on every machine.

/// One word more.
#[inline]
pub fn mixed(hash: u64, word: u64) -> u64 {
    // A product of 128 bits mixes all bits of both words in one instruction.
    let product =
        u128::from(hash ^ 0xA076_1D64_78BD_642F) * u128::from(word ^ 0xE703_7ED1_A0B4_28DB);
    (product as u64) ^ ((product >> 64) as u64)
}

/// A hash of a list of hashes.
pub fn digest(seed: u64, hashes: impl Iterator<Item = u64>) -> u64 {
    let mut hash = seed;
    for value in hashes {
        hash = mixed(hash, value) ^ hash.rotate_left(17);
    }
    (hash ^ (hash >> 31)).wrapping_mul(0xBF58_476D_1CE4_E5B9)
}
