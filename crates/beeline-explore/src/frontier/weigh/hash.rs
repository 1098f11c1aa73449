//! By a hash of the state as it is stored: as good as any order, and always the same.

use super::{New, Opener, Weigh};
use crate::worker::Shared;

/// So many classes of hashes: enough to forget where a state comes from.
const BITS: u32 = 12;

/// Weighs by hash.
pub(crate) struct Hash<'a> {
    opener: Opener<'a>,
}

impl<'a> Hash<'a> {
    pub fn new(shared: &'a Shared<'a>) -> Hash<'a> {
        Hash { opener: Opener::new(shared) }
    }
}

impl Weigh for Hash<'_> {
    fn weigh(&mut self, new: &New<'_>) -> i32 {
        (self.opener.hash(new) >> (64 - BITS)) as i32
    }
}

impl Hash<'_> {
    /// The same weight, below a coarser one.
    pub fn below(&mut self, coarse: u32, new: &New<'_>) -> i32 {
        let most = (i32::MAX >> BITS) as u32;
        (coarse.min(most) as i32) << BITS | self.weigh(new)
    }
}
