//! How keys are spread: the hash of a key, and the shard and the part of the table it belongs to.

use std::ops::Range;

/// Parts of the index, each with a lock of its own.
pub(crate) const SHARDS: usize = 64;

/// The parent of a state that has none. There are fewer numbers than this.
pub(crate) const NOBODY: u32 = u32::MAX;

/// Hash of a key. The topmost bits choose the shard, the next ones the line, the lowest the tag.
#[inline]
pub(crate) fn hash(key: u64) -> u64 {
    let mut h = key ^ (key >> 32);
    h = h.wrapping_mul(0x9FB2_1C65_1E98_DF25);
    h ^= h >> 28;
    h = h.wrapping_mul(0xBF58_476D_1CE4_E5B9);
    h ^ (h >> 32)
}

/// The part of a hash, of so many.
#[inline]
pub(crate) fn part_of(hash: u64, parts: usize) -> usize {
    shard_of(hash) * parts / SHARDS
}

/// The shards of a part.
pub(crate) fn shards_of(part: usize, parts: usize) -> Range<usize> {
    let first = |part: usize| (part * SHARDS).div_ceil(parts);
    first(part)..first(part + 1)
}

/// The shard of a hash.
#[inline]
pub(crate) fn shard_of(hash: u64) -> usize {
    (hash >> 58) as usize
}
