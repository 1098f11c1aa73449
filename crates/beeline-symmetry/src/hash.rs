//! A 128-bit hash that can be added up: sums of hashes stand for multisets.
//!
//! The same on every machine and in every run. It depends on what values are, never on when they
//! were interned.

const A: u64 = 0x9E37_79B9_7F4A_7C15;
const B: u64 = 0xD1B5_4A32_D192_ED03;
const C: u64 = 0x8CB9_2BA7_2F3D_8DD7;
const D: u64 = 0xAEF1_7502_108E_F2D9;

#[inline]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product as u64) ^ ((product >> 64) as u64)
}

#[inline]
fn join(low: u64, high: u64) -> u128 {
    u128::from(low) | u128::from(high) << 64
}

/// Scrambles one word, so that sums of scrambled words tell multisets apart.
#[inline]
pub(crate) fn scramble(a: u128) -> u128 {
    let (low, high) = (a as u64, (a >> 64) as u64);
    join(fold(low ^ A, high ^ B), fold(high.rotate_left(31) ^ C, low ^ D))
}

/// Hashes a pair of words, in this order.
#[inline]
pub(crate) fn mix(a: u128, b: u128) -> u128 {
    let (al, ah) = (a as u64, (a >> 64) as u64);
    let (bl, bh) = (b as u64, (b >> 64) as u64);
    let low = fold(al ^ A, bl.rotate_left(13) ^ B) ^ bh.rotate_left(29);
    let high = fold(ah.rotate_left(7) ^ C, bh ^ D) ^ al;
    scramble(join(low.wrapping_add(bl), high.wrapping_add(ah)))
}

/// A word from a small number and a kind.
#[inline]
pub(crate) fn of(kind: u64, number: u64) -> u128 {
    mix(u128::from(kind) << 64 | 0x51, u128::from(number))
}
