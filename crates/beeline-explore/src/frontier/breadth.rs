//! Breadth-first: level by level, each in large waves.
//!
//! States are numbered as they are found, so a level is a range of numbers and takes no memory.

use super::Frontier;
use beeline_table::StateId;
use std::ops::Range;

/// The rest of the level that is being taken, and the next one behind it.
pub(crate) struct Breadth {
    wave: u32,
    level: Range<u32>,
    /// The next level ends here.
    end: u32,
    depth: u32,
}

impl Breadth {
    pub fn new(wave: usize) -> Breadth {
        Breadth { wave: wave as u32, level: 0..0, end: 0, depth: u32::MAX }
    }
}

impl Frontier for Breadth {
    fn add(&mut self, fresh: Range<u32>, _depth: u32) {
        self.end = fresh.end;
    }

    fn next(&mut self, wave: &mut Vec<StateId>) -> Option<u32> {
        if self.level.is_empty() {
            self.level.end = self.end;
            self.depth = self.depth.wrapping_add(1);
        }
        let end = self.level.end.min(self.level.start.saturating_add(self.wave));
        wave.clear();
        wave.extend((self.level.start..end).map(StateId));
        self.level.start = end;
        (!wave.is_empty()).then_some(self.depth)
    }

    fn len(&self) -> usize {
        (self.end - self.level.start) as usize
    }
}
