//! Breadth-first: level by level, each in large waves.
//!
//! States are numbered as they are found, so a level is a range of numbers, or a few where several
//! searches take turns, and takes no memory.

use super::{Fresh, Frontier, Waiting, Wave};
use beeline_table::StateId;
use std::collections::VecDeque;
use std::ops::Range;

/// Waves become shorter if their states have more steps than this in all: what they lead to must
/// be kept until the wave is over.
const STEPS: u64 = 1 << 17;
const SHORTEST: u32 = 64;

/// With more steps than this in a short wave it becomes shorter still: what is wrong in a state must
/// not wait until millions of steps of its neighbours are computed.
const MOST_STEPS: u64 = 1 << 20;

/// The rest of the level that is being taken, and the next one behind it.
pub(crate) struct Breadth {
    /// States of a wave, at most and now.
    most: u32,
    wave: u32,
    level: Stretches,
    next: Stretches,
    depth: u32,
    /// States that were taken before it began, by number, and how many of them are still to come.
    taken: Vec<u64>,
    passed: usize,
    /// States that another order left, the deepest first. Each is taken with the level of its depth.
    left: Vec<Waiting>,
    /// Is every level whole?
    is_plain: bool,
}

/// States in the order of their numbers.
#[derive(Default)]
struct Stretches {
    parts: VecDeque<Range<u32>>,
    len: usize,
}

impl Stretches {
    fn add(&mut self, states: Range<u32>) {
        if states.is_empty() {
            return;
        }
        self.len += states.len();
        match self.parts.back_mut().filter(|last| last.end == states.start) {
            Some(last) => last.end = states.end,
            None => self.parts.push_back(states),
        }
    }

    /// The first of them, up to so many, if they follow one another.
    fn take(&mut self, most: u32) -> Option<Range<u32>> {
        let first = self.parts.front_mut()?;
        let end = first.end.min(first.start.saturating_add(most));
        let taken = first.start..end;
        first.start = end;
        self.len -= taken.len();
        if first.start >= first.end {
            self.parts.pop_front();
        }
        Some(taken)
    }

    fn is_empty(&self) -> bool {
        self.len == 0
    }

    fn first(&self) -> Option<u32> {
        self.parts.iter().map(|part| part.start).min()
    }

    fn save(&self, all: &mut Vec<u64>) {
        all.push(self.parts.len() as u64);
        all.extend(self.parts.iter().flat_map(|p| [u64::from(p.start), u64::from(p.end)]));
    }

    /// From what was saved; the rest of it comes back.
    fn load(saved: &[u64]) -> Option<(Stretches, &[u64])> {
        let (count, rest) = saved.split_first()?;
        let (parts, rest) = rest.split_at_checked(usize::try_from(*count).ok()?.checked_mul(2)?)?;
        let mut all = Stretches::default();
        for part in parts.chunks_exact(2) {
            let (start, end) = (u32::try_from(part[0]).ok()?, u32::try_from(part[1]).ok()?);
            (start < end).then(|| all.add(start..end))?;
        }
        Some((all, rest))
    }
}

impl Breadth {
    pub fn new(wave: usize) -> Breadth {
        let most = wave as u32;
        Breadth {
            most,
            wave: most,
            level: Stretches::default(),
            next: Stretches::default(),
            depth: u32::MAX,
            taken: Vec::new(),
            passed: 0,
            left: Vec::new(),
            is_plain: true,
        }
    }

    /// Goes on after another order that has taken some states already. Depths are not known then.
    pub fn resumed(wave: usize, states: Range<u32>, taken: Vec<u64>) -> Breadth {
        let mut breadth = Breadth { depth: 0, taken, is_plain: false, ..Breadth::new(wave) };
        breadth.passed = states.clone().filter(|id| breadth.is_taken(*id)).count();
        breadth.level.add(states);
        breadth
    }

    /// Goes on after another order that left these states, the nearest first.
    ///
    /// Neighbours of a state have about its depth: with the nearest first, those of a level are found
    /// together again, and lie near each other in memory.
    pub(super) fn after(wave: usize, mut left: Vec<Waiting>) -> Breadth {
        left.sort_unstable_by_key(|one| std::cmp::Reverse((one.depth, one.id)));
        let depth = left.last().map_or(0, |one| one.depth);
        Breadth { depth, left, is_plain: false, ..Breadth::new(wave) }
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

    /// Takes states of the level until the wave is full.
    fn take_level(&mut self, wave: &mut Wave) {
        let mut room = self.wave.saturating_sub(wave.states.len() as u32);
        while room > 0
            && let Some(stretch) = self.level.take(room)
        {
            room -= stretch.len() as u32;
            // The usual case: numbers that follow one another, without a look at each.
            if self.passed == 0 {
                wave.states.extend(stretch.map(StateId));
                continue;
            }
            let (all, before) = (stretch.len(), wave.states.len());
            wave.states.extend(stretch.filter(|id| !self.is_taken(*id)).map(StateId));
            self.passed -= all - (wave.states.len() - before);
        }
    }

    fn is_taken(&self, id: u32) -> bool {
        self.taken.get(id as usize / 64).is_some_and(|word| word >> (id % 64) & 1 == 1)
    }
}

impl Frontier for Breadth {
    fn begin_at(&mut self, depth: u32) {
        self.depth = depth.wrapping_sub(1);
    }

    fn add(&mut self, fresh: &Fresh<'_>) {
        self.next.add(fresh.states.clone());
    }

    fn next(&mut self, wave: &mut Wave) -> bool {
        wave.clear();
        let waits = |b: &Breadth| !(b.level.is_empty() && b.next.is_empty() && b.left.is_empty());
        // A stretch of which nothing is left is not the end.
        while wave.states.is_empty() && waits(self) {
            if self.level.is_empty() {
                // What is left of this depth comes first, then the next level with its own.
                self.take_left(wave);
                if wave.states.is_empty() {
                    match self.left.last() {
                        Some(one) if self.next.is_empty() => self.depth = one.depth,
                        _ => {
                            self.level = std::mem::take(&mut self.next);
                            self.depth = self.depth.wrapping_add(1);
                        }
                    }
                    self.take_left(wave);
                }
            }
            self.take_level(wave);
        }
        wave.depths.resize(wave.states.len(), self.depth);
        !wave.states.is_empty()
    }

    fn len(&self) -> usize {
        self.level.len + self.next.len - self.passed + self.left.len()
    }

    fn first(&self) -> Option<u32> {
        let left = self.left.iter().map(|one| one.id).min();
        self.level.first().into_iter().chain(self.next.first()).chain(left).min()
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
        (self.level, self.next) = (Stretches::default(), Stretches::default());
        self.depth = wave.depths.first().copied().unwrap_or(self.depth);
    }

    fn tune(&mut self, states: usize, steps: u64) {
        let fitting = |steps_in_all: u64| {
            let fitting = steps_in_all.saturating_mul(states as u64) / steps.max(1);
            u32::try_from(fitting).unwrap_or(u32::MAX)
        };
        // Steps of a wave lie in memory together: states with many steps come in shorter waves.
        let least = fitting(MOST_STEPS).clamp(1, self.most.min(SHORTEST));
        self.wave = fitting(STEPS).clamp(least, self.most);
    }

    fn save(&self) -> Vec<u64> {
        let mut all = vec![u64::from(self.depth), u64::from(self.wave)];
        self.level.save(&mut all);
        self.next.save(&mut all);
        all
    }

    fn load(&mut self, saved: &[u64]) -> bool {
        let [depth, wave, rest @ ..] = saved else { return false };
        let Some((level, rest)) = Stretches::load(rest) else { return false };
        let Some((next, [])) = Stretches::load(rest) else { return false };
        (self.level, self.next) = (level, next);
        (self.depth, self.wave) = (*depth as u32, (*wave as u32).clamp(1, self.most));
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_another_order_left_is_taken_with_its_level() {
        let left = [(7, 9), (3, 2), (5, 4), (4, 2), (6, 3)];
        let left = left.map(|(id, depth)| Waiting { id, depth }).to_vec();
        let mut breadth = Breadth::after(8, left);
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

    #[test]
    fn levels_may_have_gaps_and_come_back_from_numbers() {
        let mut breadth = Breadth::new(4);
        let add = |breadth: &mut Breadth, states: Range<u32>| {
            breadth.add(&Fresh { states, depths: &[], weights: &[], ranks: &[] });
        };
        add(&mut breadth, 0..2);
        let mut wave = Wave::default();
        assert!(breadth.next(&mut wave) && breadth.level_done());
        // What lies between belongs to others.
        for states in [4..6, 6..7, 20..20, 30..33] {
            add(&mut breadth, states);
        }
        assert_eq!((breadth.len(), breadth.first()), (6, Some(4)));
        assert!(breadth.next(&mut wave));
        assert_eq!(wave.states, [4, 5, 6, 30].map(StateId));
        add(&mut breadth, 40..41);
        let mut other = Breadth::new(4);
        let saved = breadth.save();
        assert!(other.load(&saved) && other.save() == saved && !other.level_done());
        for breadth in [&mut breadth, &mut other] {
            assert!(breadth.next(&mut wave));
            assert_eq!((&wave.states[..], wave.depth()), (&[31, 32].map(StateId)[..], Some(1)));
            assert!(breadth.next(&mut wave));
            assert_eq!((&wave.states[..], wave.depth()), (&[StateId(40)][..], Some(2)));
            assert!(!breadth.next(&mut wave) && breadth.len() == 0);
        }
        for bad in [&saved[..4], &[1, 4, 1, 5, 5, 0], &[1, 4, 0, 0, 0], &[1, 4, u64::MAX, 0]] {
            assert!(!other.load(bad));
        }
    }
}
