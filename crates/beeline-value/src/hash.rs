//! A specified 64-bit hash: the same on every machine and in every version.

/// Mixes two words.
#[inline]
pub(crate) fn mix(a: u64, b: u64) -> u64 {
    let product = u128::from(a ^ 0x9E37_79B9_7F4A_7C15) * u128::from(b ^ 0xD1B5_4A32_D192_ED03);
    (product as u64) ^ ((product >> 64) as u64) ^ a.rotate_left(23)
}

/// Hashes bytes.
pub(crate) fn bytes(seed: u64, text: &[u8]) -> u64 {
    let mut hash = mix(seed, text.len() as u64);
    for chunk in text.chunks(8) {
        let mut word = [0u8; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        hash = mix(hash, u64::from_le_bytes(word));
    }
    hash
}
