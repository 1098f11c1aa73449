//! Mixed: mostly as deep as wanted, but never forgetting the oldest states.

use super::pace::Pace;
use super::{Dice, Fresh, Frontier, Waiting, Wave};
use std::collections::VecDeque;

/// A queue with two ends.
pub(crate) struct Mixed {
    percent: u8,
    dice: Dice,
    pace: Pace,
    queue: VecDeque<Waiting>,
    /// Newcomers, while they are shuffled.
    mixed: Vec<Waiting>,
}

impl Mixed {
    pub fn new(percent: u8, seed: u64) -> Mixed {
        let (dice, pace) = (Dice::new(seed), Pace::broad());
        Mixed { percent, dice, pace, queue: VecDeque::new(), mixed: Vec::new() }
    }
}

impl Frontier for Mixed {
    fn add(&mut self, fresh: &Fresh<'_>) {
        self.mixed.clear();
        self.mixed.extend(fresh.each().map(|(one, _)| one));
        self.dice.shuffle(&mut self.mixed);
        self.queue.extend(&self.mixed);
    }

    fn next(&mut self, wave: &mut Wave) -> bool {
        wave.clear();
        for _ in 0..self.pace.step(self.queue.len()) {
            let deep = self.dice.below(100) < usize::from(self.percent);
            let one = if deep { self.queue.pop_back() } else { self.queue.pop_front() };
            if let Some(one) = one {
                wave.push(one);
            }
        }
        !wave.states.is_empty()
    }

    fn len(&self) -> usize {
        self.queue.len()
    }

    fn save(&self) -> Vec<u64> {
        let mut all = vec![self.dice.0, self.pace.taken];
        all.extend(self.queue.iter().map(|one| one.packed()));
        all
    }

    fn load(&mut self, saved: &[u64]) -> bool {
        let [dice, taken, states @ ..] = saved else { return false };
        (self.dice.0, self.pace.taken) = (*dice, *taken);
        self.queue = states.iter().map(|n| Waiting::unpacked(*n)).collect();
        true
    }
}
