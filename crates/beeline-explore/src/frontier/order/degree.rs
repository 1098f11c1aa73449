//! By the number of steps of the state it was found from: few steps may mean that a deadlock is
//! near. The number of its own steps would be known only when it is expanded.

use super::hash::Hash;
use crate::frontier::weigh::{New, Weigh};
use crate::shared::Shared;
use beeline_transition::TransitionSystem;

/// Weighs by degree; among equals the newest comes first.
pub(crate) struct OutDegree;

impl Weigh for OutDegree {
    fn weigh(&mut self, new: &New<'_>) -> i32 {
        i32::try_from(new.degree).unwrap_or(i32::MAX)
    }
}

/// Weighs by degree, and among equals by hash.
pub(crate) struct OutDegreeHash<'a, S: TransitionSystem> {
    hash: Hash<'a, S>,
}

impl<'a, S: TransitionSystem> OutDegreeHash<'a, S> {
    pub fn new(shared: &'a Shared<'a, S>) -> OutDegreeHash<'a, S> {
        OutDegreeHash { hash: Hash::new(shared) }
    }
}

impl<S: TransitionSystem> Weigh for OutDegreeHash<'_, S> {
    fn weigh(&mut self, new: &New<'_>) -> i32 {
        self.hash.below(new.degree, new)
    }
}
