//! Breadth-first: level by level, each in large waves.

use super::Frontier;
use beeline_table::{Fresh, StateId};

/// A level that is being taken, and the next one.
pub(crate) struct Breadth {
    wave: usize,
    level: Vec<StateId>,
    taken: usize,
    depth: u32,
    next: Vec<StateId>,
}

impl Breadth {
    pub fn new(wave: usize) -> Breadth {
        Breadth { wave, level: Vec::new(), taken: 0, depth: 0, next: Vec::new() }
    }
}

impl Frontier for Breadth {
    fn add(&mut self, fresh: &[Fresh], depth: u32) {
        if self.level.is_empty() && self.next.is_empty() {
            self.depth = depth.wrapping_sub(1);
        }
        self.next.extend(fresh.iter().map(|f| f.id));
    }

    fn next(&mut self, wave: &mut Vec<StateId>) -> Option<u32> {
        if self.taken == self.level.len() {
            std::mem::swap(&mut self.level, &mut self.next);
            self.next.clear();
            self.taken = 0;
            self.depth = self.depth.wrapping_add(1);
        }
        let end = self.level.len().min(self.taken + self.wave);
        wave.clear();
        wave.extend_from_slice(&self.level[self.taken..end]);
        self.taken = end;
        (!wave.is_empty()).then_some(self.depth)
    }

    fn len(&self) -> usize {
        self.level.len() - self.taken + self.next.len()
    }
}
