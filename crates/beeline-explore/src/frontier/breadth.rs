//! Breadth-first: level by level, each in large waves.
//!
//! States are numbered as they are found, so a level is a range of numbers and takes no memory.

use super::{Fresh, Frontier, Waiting, Wave};
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
    /// States that another order left, the deepest first. Each is taken with the level of its depth.
    left: Vec<Waiting>,
    /// Is every level whole?
    is_plain: bool,
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
            left: Vec::new(),
            is_plain: true,
        }
    }

    /// Goes on after another order that has taken some states already. Depths are not known then.
    pub fn resumed(wave: usize, states: Range<u32>, taken: Vec<u64>) -> Breadth {
        let mut breadth = Breadth {
            depth: 0,
            end: states.end,
            level: states,
            taken,
            is_plain: false,
            ..Breadth::new(wave)
        };
        breadth.passed = breadth.level.clone().filter(|id| breadth.is_taken(*id)).count();
        breadth
    }

    /// Goes on after another order that left these of the states below `end`, the nearest first.
    ///
    /// Neighbours of a state have about its depth: with the nearest first, those of a level are found
    /// together again, and lie near each other in memory.
    pub(super) fn after(wave: usize, mut left: Vec<Waiting>, end: u32) -> Breadth {
        left.sort_unstable_by_key(|one| std::cmp::Reverse((one.depth, one.id)));
        let depth = left.last().map_or(0, |one| one.depth);
        Breadth { level: end..end, end, depth, left, is_plain: false, ..Breadth::new(wave) }
    }

    /// Takes states of the current depth that another order left.
    fn take_left(&mut self, wave: &mut Wave) {
        while let Some(one) = self.left.last().filter(|one| one.depth <= self.depth) {
            if wave.states.len() >= self.wave as usize {
                return;
            }
            wave.states.push(StateId(one.id));
            self.left.pop();
        }
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
        while wave.states.is_empty() && (self.level.start < self.end || !self.left.is_empty()) {
            if self.level.is_empty() {
                // What is left of this depth comes first, then the next level with its own.
                self.take_left(wave);
                if wave.states.is_empty() {
                    match self.left.last() {
                        Some(one) if self.level.start == self.end => self.depth = one.depth,
                        _ => {
                            self.level.end = self.end;
                            self.depth = self.depth.wrapping_add(1);
                        }
                    }
                    self.take_left(wave);
                }
                if self.level.is_empty() {
                    continue;
                }
            }
            if wave.states.len() >= self.wave as usize {
                break;
            }
            let (before, room) = (wave.states.len(), self.wave - wave.states.len() as u32);
            let end = self.level.end.min(self.level.start.saturating_add(room));
            let stretch = self.level.start..end;
            if self.passed == 0 {
                wave.states.extend(stretch.map(StateId));
            } else {
                let all = stretch.len();
                wave.states.extend(stretch.filter(|id| !self.is_taken(*id)).map(StateId));
                self.passed -= all - (wave.states.len() - before);
            }
            self.level.start = end;
        }
        wave.depths.resize(wave.states.len(), self.depth);
        !wave.states.is_empty()
    }

    fn len(&self) -> usize {
        (self.end - self.level.start) as usize - self.passed + self.left.len()
    }

    fn is_nearest_first(&self) -> bool {
        self.is_plain
    }

    fn level_done(&self) -> bool {
        self.level.is_empty() && self.left.last().is_none_or(|one| one.depth > self.depth)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_another_order_left_is_taken_with_its_level() {
        let left = [(7, 9), (3, 2), (5, 4), (4, 2), (6, 3)];
        let left = left.map(|(id, depth)| Waiting { id, depth }).to_vec();
        let mut breadth = Breadth::after(8, left, 10);
        let mut wave = Wave::default();
        let mut taken = Vec::new();
        // The first level leads to two new states, those to one, and nothing else to any.
        for new in [10..12, 12..13, 13..13, 13..13] {
            assert!(breadth.next(&mut wave) && !breadth.is_nearest_first());
            taken.push((wave.depths[0], wave.states.iter().map(|s| s.0).collect::<Vec<_>>()));
            breadth.add(&Fresh { states: new, depths: &[], weights: &[], ranks: &[] });
        }
        let expected = [(2, vec![3, 4]), (3, vec![6, 10, 11]), (4, vec![5, 12]), (9, vec![7])];
        assert_eq!(taken, expected);
        assert!(!breadth.next(&mut wave) && breadth.len() == 0);
    }
}
