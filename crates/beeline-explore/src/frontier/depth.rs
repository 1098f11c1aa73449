//! Depth-first: the newest state first, one at a time.

use super::Frontier;
use beeline_table::{Fresh, StateId};

/// A stack.
#[derive(Default)]
pub(crate) struct Depth {
    stack: Vec<(StateId, u32)>,
}

impl Frontier for Depth {
    fn add(&mut self, fresh: &[Fresh], depth: u32) {
        self.stack.extend(fresh.iter().rev().map(|f| (f.id, depth)));
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
}
