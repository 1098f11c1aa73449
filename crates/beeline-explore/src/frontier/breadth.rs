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
    /// States that were taken before it began, by number, and how many of them are still to come.
    taken: Vec<u64>,
    passed: usize,
}

impl Breadth {
    pub fn new(wave: usize) -> Breadth {
        let most = wave as u32;
        Breadth {
            most,
            wave: most,
            level: 0..0,
            end: 0,
            depth: u32::MAX,
            taken: Vec::new(),
            passed: 0,
        }
    }

    /// Goes on after another order that has taken some states already. Depths are not known then.
    pub fn resumed(wave: usize, states: Range<u32>, taken: Vec<u64>) -> Breadth {
        let mut breadth =
            Breadth { depth: 0, end: states.end, level: states, taken, ..Breadth::new(wave) };
        breadth.passed = breadth.level.clone().filter(|id| breadth.is_taken(*id)).count();
        breadth
    }

    fn is_taken(&self, id: u32) -> bool {
        self.taken.get(id as usize / 64).is_some_and(|word| word >> (id % 64) & 1 == 1)
    }
}

impl Frontier for Breadth {
    fn add(&mut self, fresh: &Fresh<'_>) {
        self.end = fresh.states.end;
    }

    fn next(&mut self, wave: &mut Wave) -> bool {
        wave.clear();
        // A stretch of which nothing is left is not the end.
        while wave.states.is_empty() && self.level.start < self.end {
            if self.level.is_empty() {
                self.level.end = self.end;
                self.depth = self.depth.wrapping_add(1);
            }
            let end = self.level.end.min(self.level.start.saturating_add(self.wave));
            let stretch = self.level.start..end;
            if self.passed == 0 {
                wave.states.extend(stretch.map(StateId));
            } else {
                let all = stretch.len();
                wave.states.extend(stretch.filter(|id| !self.is_taken(*id)).map(StateId));
                self.passed -= all - wave.states.len();
            }
            self.level.start = end;
        }
        wave.depths.resize(wave.states.len(), self.depth);
        !wave.states.is_empty()
    }

    fn len(&self) -> usize {
        (self.end - self.level.start) as usize - self.passed
    }

    fn is_nearest_first(&self) -> bool {
        self.taken.is_empty()
    }

    fn level_done(&self) -> bool {
        self.level.is_empty()
    }

    fn may_crawl(&self) -> bool {
        true
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
