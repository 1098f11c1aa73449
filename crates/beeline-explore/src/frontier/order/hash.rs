//! By a hash of the state as it is stored: as good as any order, and always the same.

use crate::frontier::weigh::{New, Weigh};
use crate::shared::Shared;
use beeline_transition::TransitionSystem;

/// So many classes of hashes: enough to forget where a state comes from.
const BITS: u32 = 12;

/// Weighs by hash.
pub(crate) struct Hash<'a, S: TransitionSystem> {
    shared: &'a Shared<'a, S>,
    scratch: S::Scratch,
}

impl<'a, S: TransitionSystem> Hash<'a, S> {
    pub fn new(shared: &'a Shared<'a, S>) -> Hash<'a, S> {
        Hash { shared, scratch: shared.system.scratch() }
    }
}

impl<S: TransitionSystem> Weigh for Hash<'_, S> {
    fn weigh(&mut self, new: &New<'_>) -> i32 {
        (self.shared.system.hash(new.at, &mut self.scratch) >> (64 - BITS)) as i32
    }
}

impl<S: TransitionSystem> Hash<'_, S> {
    /// The same weight, below a coarser one.
    pub fn below(&mut self, coarse: u32, new: &New<'_>) -> i32 {
        let most = (i32::MAX >> BITS) as u32;
        (coarse.min(most) as i32) << BITS | self.weigh(new)
    }
}
