//! Depth-first: the newest state first. Steps of one state are taken in any order.

use super::{Dice, Fresh, Frontier, Waiting, Wave};

/// A stack.
pub(crate) struct Depth {
    dice: Dice,
    stack: Vec<Waiting>,
}

impl Depth {
    pub fn new(seed: u64) -> Depth {
        Depth { dice: Dice::new(seed), stack: Vec::new() }
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
        let Some(one) = self.stack.pop() else { return false };
        wave.push(one);
        true
    }

    fn len(&self) -> usize {
        self.stack.len()
    }

    fn save(&self) -> Vec<u64> {
        let mut all = vec![self.dice.0];
        all.extend(self.stack.iter().map(|one| one.packed()));
        all
    }

    fn load(&mut self, saved: &[u64]) -> bool {
        let Some((dice, states)) = saved.split_first() else { return false };
        self.dice.0 = *dice;
        self.stack = states.iter().map(|n| Waiting::unpacked(*n)).collect();
        true
    }
}
