//! Depth-first: the newest state first, one at a time.

use super::{Frontier, packed, unpacked};
use beeline_table::StateId;
use std::ops::Range;

/// A stack.
#[derive(Default)]
pub(crate) struct Depth {
    stack: Vec<(StateId, u32)>,
}

impl Frontier for Depth {
    fn add(&mut self, fresh: Range<u32>, depth: u32) {
        self.stack.extend(fresh.rev().map(|id| (StateId(id), depth)));
    }

    fn next(&mut self, wave: &mut Vec<StateId>) -> Option<u32> {
        wave.clear();
        let (id, depth) = self.stack.pop()?;
        wave.push(id);
        Some(depth)
    }

    fn len(&self) -> usize {
        self.stack.len()
    }

    fn save(&self) -> Vec<u64> {
        self.stack.iter().map(packed).collect()
    }

    fn load(&mut self, saved: &[u64]) -> bool {
        self.stack = saved.iter().map(unpacked).collect();
        true
    }
}
