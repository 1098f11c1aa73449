//! Random: any state that waits.

use super::{Dice, Frontier, packed, unpacked};
use beeline_table::StateId;
use std::ops::Range;

/// A bag.
pub(crate) struct Random {
    dice: Dice,
    bag: Vec<(StateId, u32)>,
}

impl Random {
    pub fn new(seed: u64) -> Random {
        Random { dice: Dice::new(seed), bag: Vec::new() }
    }
}

impl Frontier for Random {
    fn add(&mut self, fresh: Range<u32>, depth: u32) {
        self.bag.extend(fresh.map(|id| (StateId(id), depth)));
    }

    fn next(&mut self, wave: &mut Vec<StateId>) -> Option<u32> {
        wave.clear();
        if self.bag.is_empty() {
            return None;
        }
        let index = self.dice.below(self.bag.len());
        let (id, depth) = self.bag.swap_remove(index);
        wave.push(id);
        Some(depth)
    }

    fn len(&self) -> usize {
        self.bag.len()
    }

    fn save(&self) -> Vec<u64> {
        let mut all = vec![self.dice.0];
        all.extend(self.bag.iter().map(packed));
        all
    }

    fn load(&mut self, saved: &[u64]) -> bool {
        let Some((dice, states)) = saved.split_first() else { return false };
        self.dice.0 = *dice;
        self.bag = states.iter().map(unpacked).collect();
        true
    }
}
