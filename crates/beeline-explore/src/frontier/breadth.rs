//! Breadth-first: level by level, each in large waves.
//!
//! States are numbered as they are found, so a level is a range of numbers and takes no memory.

use super::{Fresh, Frontier, Wave};
use beeline_table::StateId;
use std::ops::Range;

/// Waves become shorter if their states have more steps than this in all: what they lead to must
/// be kept until the wave is over.
const STEPS: u64 = 1 << 17;
const SHORTEST: u32 = 64;

/// The rest of the level that is being taken, and the next one behind it.
pub(crate) struct Breadth {
    /// States of a wave, at most and now.
    most: u32,
    wave: u32,
    level: Range<u32>,
    /// The next level ends here.
    end: u32,
    depth: u32,
}

impl Breadth {
    pub fn new(wave: usize) -> Breadth {
        let most = wave as u32;
        Breadth { most, wave: most, level: 0..0, end: 0, depth: u32::MAX }
    }
}

impl Frontier for Breadth {
    fn add(&mut self, fresh: &Fresh<'_>) {
        self.end = fresh.states.end;
    }

    fn next(&mut self, wave: &mut Wave) -> bool {
        if self.level.is_empty() {
            self.level.end = self.end;
            self.depth = self.depth.wrapping_add(1);
        }
        let end = self.level.end.min(self.level.start.saturating_add(self.wave));
        wave.clear();
        wave.states.extend((self.level.start..end).map(StateId));
        wave.depths.resize(wave.states.len(), self.depth);
        self.level.start = end;
        !wave.states.is_empty()
    }

    fn len(&self) -> usize {
        (self.end - self.level.start) as usize
    }

    fn level_done(&self) -> bool {
        self.level.is_empty()
    }

    fn crawled(&mut self, wave: &Wave) {
        let end = wave.states.last().map_or(self.end, |id| id.0 + 1);
        self.level = end..end;
        self.end = end;
        self.depth = wave.depths.first().copied().unwrap_or(self.depth);
    }

    fn tune(&mut self, states: usize, steps: u64) {
        let fitting = STEPS * states as u64 / steps.max(1);
        let least = self.most.min(SHORTEST);
        self.wave = u32::try_from(fitting).unwrap_or(u32::MAX).clamp(least, self.most);
    }

    fn save(&self) -> Vec<u64> {
        let Range { start, end } = self.level;
        [start, end, self.end, self.depth, self.wave].map(u64::from).to_vec()
    }

    fn load(&mut self, saved: &[u64]) -> bool {
        let &[start, end, last, depth, wave] = saved else { return false };
        self.wave = (wave as u32).clamp(1, self.most);
        self.level = start as u32..end as u32;
        (self.end, self.depth) = (last as u32, depth as u32);
        start <= end && end <= last && last <= u64::from(u32::MAX)
    }
}
