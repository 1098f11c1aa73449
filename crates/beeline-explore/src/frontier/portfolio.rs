//! Several orders that take turns: none of them can lead the search astray for long.
//!
//! Every new state goes to all lanes; whoever takes it first expands it. So a search expands only a
//! few times as many states as the best of its lanes would alone. The first states are taken
//! breadth-first, so that small models have shortest traces. A search that goes on for long will
//! most likely visit everything: then most turns are those of the cheapest lane.

mod descent;

use super::best::Best;
use super::breadth::Breadth;
use super::pace::Pace;
use super::{Dice, Fresh, Frontier, Waiting, Wave};
use descent::{Arrival, Descent};
use std::collections::VecDeque;

/// So many states are taken breadth-first.
const NEAR: u64 = 100;
/// After so many states the lanes get shares for a long search.
const LONG: u64 = 1 << 15;
/// After so many there is only one lane left: the search goes on breadth-first.
const ENOUGH: u64 = 1 << 16;
/// Turns of each lane out of so many, in a short and in a long search.
const SHARES: [[u64; 3]; 2] = [[2, 2, 7], [12, 1, 2]];

const OLDEST: usize = 0;
const DESCENT: usize = 1;
const BEST: usize = 2;

/// Orders that take turns.
pub(crate) struct Portfolio {
    dice: Dice,
    pace: Pace,
    /// States that were taken, by number.
    taken: Vec<u64>,
    waiting: usize,
    /// The number after the last one that is known.
    end: u32,
    oldest: VecDeque<Waiting>,
    descent: Descent,
    best: Option<Best>,
    /// Whose wave was the last one?
    turn: usize,
    /// How much each lane was given, in parts of its share.
    given: [u64; 3],
    arrivals: Vec<Arrival>,
}

impl Portfolio {
    /// Oldest first and descents; with `best`, also the lightest first.
    pub fn new(seed: u64, best: bool) -> Portfolio {
        Portfolio {
            dice: Dice::new(seed),
            pace: Pace::long(),
            taken: Vec::new(),
            waiting: 0,
            end: 0,
            oldest: VecDeque::new(),
            descent: Descent::default(),
            best: best.then(|| Best::new(seed, true)),
            turn: OLDEST,
            given: [0; 3],
            arrivals: Vec::new(),
        }
    }

    fn is_long(&self) -> bool {
        self.pace.taken >= LONG
    }

    fn is_taken(&self, id: u32) -> bool {
        self.taken.get(id as usize / 64).is_some_and(|word| word >> (id % 64) & 1 == 1)
    }

    fn take(&mut self, id: u32) {
        let place = id as usize / 64;
        if place >= self.taken.len() {
            self.taken.resize(place + 1, 0);
        }
        self.taken[place] |= 1 << (id % 64);
    }

    /// The lane whose turn it is, and how many states it may take.
    fn next_turn(&mut self) -> (usize, usize) {
        if self.is_nearest_first() {
            return (OLDEST, self.pace.step(self.waiting));
        }
        let lanes = if self.best.is_some() { 3 } else { 2 };
        let lane = (0..lanes).min_by_key(|lane| self.given[*lane]).unwrap_or(OLDEST);
        let most = match lane {
            OLDEST => self.pace.step(self.waiting),
            DESCENT => self.descent.width(self.pace.taken),
            _ => (self.pace.taken / 64).clamp(1, 256) as usize,
        };
        // A turn costs the more the smaller the share is.
        let share = SHARES[usize::from(self.is_long())][lane];
        self.given[lane] += most as u64 * 840 / share;
        (lane, most)
    }

    /// The next state of a lane that nobody has taken.
    fn pop(&mut self, lane: usize) -> Option<Waiting> {
        loop {
            let one = match lane {
                OLDEST => self.oldest.pop_front(),
                DESCENT => self.descent.pop(&mut self.dice),
                _ => self.best.as_mut().and_then(Best::pop),
            }?;
            if !self.is_taken(one.id) {
                return Some(one);
            }
        }
    }
}

impl Frontier for Portfolio {
    fn add(&mut self, fresh: &Fresh<'_>) {
        let mut arrivals = std::mem::take(&mut self.arrivals);
        arrivals.clear();
        arrivals.extend(fresh.each().enumerate().map(|(i, (one, weight))| {
            let rank = fresh.ranks.get(i).copied().unwrap_or(0);
            Arrival { one, weight, rank }
        }));
        self.waiting += arrivals.len();
        self.end = self.end.max(fresh.states.end);
        self.oldest.extend(arrivals.iter().map(|a| a.one));
        self.dice.shuffle(&mut arrivals);
        self.descent.add(&arrivals, self.turn == DESCENT, &mut self.dice);
        if let Some(best) = self.best.as_mut().filter(|_| !fresh.weights.is_empty()) {
            arrivals.iter().for_each(|a| best.push(a.one, a.weight));
        }
        self.arrivals = arrivals;
    }

    fn is_nearest_first(&self) -> bool {
        self.pace.taken < NEAR
    }

    fn wants_weights(&self) -> bool {
        // In a long search weighing everything would cost too much: the lane keeps to itself.
        self.best.is_some() && (self.turn == BEST || !self.is_long())
    }

    fn next(&mut self, wave: &mut Wave) -> bool {
        wave.clear();
        // A lane that has nothing is passed over.
        while self.waiting > 0 && wave.states.is_empty() {
            let (lane, most) = self.next_turn();
            self.turn = lane;
            for _ in 0..most {
                let Some(one) = self.pop(lane) else { break };
                self.take(one.id);
                self.waiting -= 1;
                wave.push(one);
            }
        }
        !wave.states.is_empty()
    }

    fn len(&self) -> usize {
        self.waiting
    }

    fn may_crawl(&self) -> bool {
        // Where there is one way to go, all lanes go it.
        true
    }

    fn crawled(&mut self, wave: &Wave) {
        let end = wave.states.last().map_or(self.end, |id| id.0 + 1);
        (self.end..end).for_each(|id| self.take(id));
        self.pace.taken += u64::from(end - self.end);
        self.end = end;
    }

    fn is_tired(&self) -> bool {
        self.pace.taken >= ENOUGH
    }

    fn rested(&self, wave: usize) -> Option<Breadth> {
        let left = self.oldest.iter().filter(|one| !self.is_taken(one.id)).copied().collect();
        Some(Breadth::after(wave, left))
    }

    fn to_breadth(&self, wave: usize) -> Option<Breadth> {
        // Numbers that are not among its own count as taken.
        let (mut first, mut end) = (u32::MAX, 0);
        let mut taken = vec![u64::MAX; self.end as usize / 64 + 1];
        for one in self.oldest.iter().filter(|one| !self.is_taken(one.id)) {
            taken[one.id as usize / 64] &= !(1 << (one.id % 64));
            (first, end) = (first.min(one.id), end.max(one.id + 1));
        }
        Some(Breadth::resumed(wave, first.min(end)..end, taken))
    }

    fn save(&self) -> Vec<u64> {
        let mut all = vec![self.dice.0, self.pace.taken, u64::from(self.end), self.turn as u64];
        all.extend(self.given);
        let best = self.best.as_ref().map(Best::save).unwrap_or_default();
        let oldest = self.oldest.iter().filter(|one| !self.is_taken(one.id));
        let oldest: Vec<u64> = oldest.map(|one| one.packed()).collect();
        for list in [oldest, self.taken.clone(), self.descent.save(), best] {
            all.push(list.len() as u64);
            all.extend(list);
        }
        all
    }

    fn load(&mut self, saved: &[u64]) -> bool {
        let [dice, taken, end, turn, a, b, c, rest @ ..] = saved else { return false };
        (self.dice.0, self.pace.taken, self.given) = (*dice, *taken, [*a, *b, *c]);
        (self.end, self.turn) = (*end as u32, *turn as usize);
        let mut lists = Vec::new();
        let mut rest = rest;
        while let Some((len, more)) = rest.split_first() {
            let Some((list, next)) = more.split_at_checked(*len as usize) else { return false };
            lists.push(list);
            rest = next;
        }
        let [oldest, taken, descent, best] = lists.as_slice() else { return false };
        self.oldest = oldest.iter().map(|n| Waiting::unpacked(*n)).collect();
        self.waiting = self.oldest.len();
        self.taken = taken.to_vec();
        self.descent.load(descent);
        self.best.as_mut().is_none_or(|lane| lane.load(best))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each state leads to two new ones, until there are a thousand.
    fn visited(lanes: &mut Portfolio, known: &mut u32, stop: usize) -> Vec<u32> {
        let (mut wave, mut all) = (Wave::default(), Vec::new());
        while all.len() < stop && lanes.next(&mut wave) {
            all.extend(wave.states.iter().map(|id| id.0));
            let end = (*known + 2 * wave.states.len() as u32).min(1000);
            let weights: Vec<i32> = (*known..end).map(|id| id as i32 % 7).collect();
            let ranks: Vec<u32> = (0..end - *known).map(|i| i / 2).collect();
            let depths = vec![1; weights.len()];
            let states = *known..end;
            let fresh = Fresh { states, depths: &depths, weights: &weights, ranks: &ranks };
            lanes.add(&fresh);
            *known = end;
        }
        all
    }

    fn begun(best: bool) -> Portfolio {
        let mut lanes = Portfolio::new(3, best);
        lanes.add(&Fresh { states: 0..1, depths: &[0], weights: &[0], ranks: &[] });
        lanes
    }

    #[test]
    fn every_state_is_taken_once_also_after_saving() {
        for best in [false, true] {
            let (mut lanes, mut known) = (begun(best), 1);
            let mut all = visited(&mut lanes, &mut known, 100);
            assert_eq!(lanes.len(), known as usize - all.len());
            let mut other = Portfolio::new(9, best);
            assert!(other.load(&lanes.save()));
            assert_eq!(other.len(), lanes.len());
            let mut known_to_other = known;
            let rest = visited(&mut lanes, &mut known, usize::MAX);
            assert_eq!(rest, visited(&mut other, &mut known_to_other, usize::MAX));
            all.extend(rest);
            all.sort_unstable();
            assert_eq!(all, (0..1000).collect::<Vec<_>>());
        }
        assert!(!Portfolio::new(0, true).load(&[1, 2, 3, 4, 5, 6, 7, 9]));
    }

    #[test]
    fn it_can_go_on_breadth_first() {
        let (mut lanes, mut known) = (begun(true), 1);
        let begun = visited(&mut lanes, &mut known, 200);
        for mut breadth in [lanes.to_breadth(64).unwrap(), lanes.rested(64).unwrap()] {
            assert_eq!(breadth.len(), lanes.len());
            let (mut all, mut known, mut wave) = (begun.clone(), known, Wave::default());
            while breadth.next(&mut wave) {
                all.extend(wave.states.iter().map(|id| id.0));
                let end = (known + 2 * wave.states.len() as u32).min(1000);
                breadth.add(&Fresh { states: known..end, depths: &[], weights: &[], ranks: &[] });
                known = end;
            }
            all.sort_unstable();
            assert_eq!(all, (0..1000).collect::<Vec<_>>());
            assert_eq!(breadth.len(), 0);
        }
    }
}
