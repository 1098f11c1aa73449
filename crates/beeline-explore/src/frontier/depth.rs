//! Depth-first: the newest states first, later a handful at a time. Steps of one state are taken in
//! any order.

use super::pace::Pace;
use super::{Dice, Fresh, Frontier, Waiting, Wave};
use beeline_fault::{Flaw, planted};

/// A stack.
pub(crate) struct Depth {
    dice: Dice,
    pace: Pace,
    stack: Vec<Waiting>,
}

impl Depth {
    pub fn new(seed: u64) -> Depth {
        Depth { dice: Dice::new(seed), pace: Pace::narrow(), stack: Vec::new() }
    }
}

impl Frontier for Depth {
    fn add(&mut self, fresh: &Fresh<'_>) {
        let old = self.stack.len();
        self.stack.extend(fresh.each().map(|(one, _)| one));
        self.dice.shuffle(&mut self.stack[old..]);
    }

    fn next(&mut self, wave: &mut Wave) -> bool {
        wave.clear();
        let from = self.stack.len() - self.pace.step(self.stack.len());
        if planted(Flaw::LostInDepth) && from > 2 {
            self.stack.remove(0);
        }
        let from = from.min(self.stack.len());
        self.stack.drain(from..).rev().for_each(|one| wave.push(one));
        !wave.states.is_empty()
    }

    fn len(&self) -> usize {
        self.stack.len()
    }

    fn save(&self) -> Vec<u64> {
        let mut all = vec![self.dice.0, self.pace.taken];
        all.extend(self.stack.iter().map(|one| one.packed()));
        all
    }

    fn load(&mut self, saved: &[u64]) -> bool {
        let [dice, taken, states @ ..] = saved else { return false };
        (self.dice.0, self.pace.taken) = (*dice, *taken);
        self.stack = states.iter().map(|n| Waiting::unpacked(*n)).collect();
        true
    }
}
