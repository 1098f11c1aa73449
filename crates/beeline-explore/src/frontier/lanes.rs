//! Several orders that take turns: none of them can lead the search astray for long.
//!
//! Every new state goes to all lanes; whoever takes it first expands it. With `k` lanes a search
//! expands at most `k` times as many states as the best of them would alone.

mod descent;

use super::best::Best;
use super::pace::Pace;
use super::{Dice, Fresh, Frontier, Waiting, Wave};
use descent::Descent;
use std::collections::VecDeque;

/// Lanes that take turns.
pub(crate) struct Lanes {
    dice: Dice,
    pace: Pace,
    /// States that were taken, by number.
    taken: Vec<u64>,
    waiting: usize,
    oldest: VecDeque<Waiting>,
    descent: Descent,
    best: Option<Best>,
    /// How many states each lane was given.
    given: [u64; 3],
    mixed: Vec<(Waiting, i32)>,
}

const OLDEST: usize = 0;
const DESCENT: usize = 1;

impl Lanes {
    /// Oldest first and descents; with `best`, also the lightest first.
    pub fn new(seed: u64, best: bool) -> Lanes {
        Lanes {
            dice: Dice::new(seed),
            pace: Pace::broad(),
            taken: Vec::new(),
            waiting: 0,
            oldest: VecDeque::new(),
            descent: Descent::default(),
            best: best.then(|| Best::new(seed, true)),
            given: [0; 3],
            mixed: Vec::new(),
        }
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

    /// The lane whose turn it is.
    fn turn(&self) -> usize {
        let lanes = if self.best.is_some() { 3 } else { 2 };
        (0..lanes).min_by_key(|lane| self.given[*lane]).unwrap_or(OLDEST)
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

impl Frontier for Lanes {
    fn add(&mut self, fresh: &Fresh<'_>) {
        let mut mixed = std::mem::take(&mut self.mixed);
        mixed.clear();
        mixed.extend(fresh.each());
        self.waiting += mixed.len();
        self.oldest.extend(mixed.iter().map(|(one, _)| *one));
        self.dice.shuffle(&mut mixed);
        self.descent.add(&mixed, &mut self.dice);
        if let Some(best) = &mut self.best {
            mixed.iter().for_each(|(one, weight)| best.push(*one, *weight));
        }
        self.mixed = mixed;
    }

    fn next(&mut self, wave: &mut Wave) -> bool {
        wave.clear();
        self.descent.is_on = false;
        // A lane that has nothing is passed over.
        while self.waiting > 0 && wave.states.is_empty() {
            let lane = self.turn();
            // A descent goes where its last state leads: that must be known first.
            let most = if lane == DESCENT { 1 } else { self.pace.step(self.waiting) };
            for _ in 0..most {
                let Some(one) = self.pop(lane) else { break };
                self.take(one.id);
                self.waiting -= 1;
                wave.push(one);
            }
            self.descent.is_on = lane == DESCENT;
            self.given[lane] += most.max(1) as u64;
        }
        !wave.states.is_empty()
    }

    fn len(&self) -> usize {
        self.waiting
    }

    fn save(&self) -> Vec<u64> {
        let mut all = vec![self.dice.0, self.pace.taken];
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
        let [dice, taken, a, b, c, rest @ ..] = saved else { return false };
        (self.dice.0, self.pace.taken, self.given) = (*dice, *taken, [*a, *b, *c]);
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
        self.descent.load(descent) && self.best.as_mut().is_none_or(|lane| lane.load(best))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tree: the state `n` leads to `2n + 1` and `2n + 2`.
    fn visited(lanes: &mut Lanes, states: u32, stop: usize) -> Vec<u32> {
        let (mut wave, mut all) = (Wave::default(), Vec::new());
        let mut known = states;
        while all.len() < stop && lanes.next(&mut wave) {
            for id in &wave.states {
                all.push(id.0);
            }
            let end = (known + 2 * wave.states.len() as u32).min(1000);
            let weights: Vec<i32> = (known..end).map(|id| id as i32 % 7).collect();
            let depths = vec![1; weights.len()];
            lanes.add(&Fresh { states: known..end, depths: &depths, weights: &weights });
            known = end;
        }
        all
    }

    #[test]
    fn every_state_is_taken_once_also_after_saving() {
        for best in [false, true] {
            let mut lanes = Lanes::new(3, best);
            lanes.add(&Fresh { states: 0..1, depths: &[0], weights: &[0] });
            let mut all = visited(&mut lanes, 1, 100);
            let known = 1 + 2 * all.len() as u32;
            assert_eq!(lanes.len(), known as usize - all.len());
            let mut other = Lanes::new(9, best);
            assert!(other.load(&lanes.save()));
            assert_eq!(other.len(), lanes.len());
            let rest = visited(&mut lanes, known, usize::MAX);
            assert_eq!(rest, visited(&mut other, known, usize::MAX));
            all.extend(rest);
            all.sort_unstable();
            assert_eq!(all, (0..1000).collect::<Vec<_>>());
        }
        assert!(!Lanes::new(0, true).load(&[1, 2, 3, 4, 5, 9]));
    }
}
