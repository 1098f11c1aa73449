//! Mixed: mostly as deep as wanted, but never forgetting the oldest states.

use super::{Dice, Frontier, packed, unpacked};
use beeline_table::StateId;
use std::collections::VecDeque;
use std::ops::Range;

/// A queue with two ends.
pub(crate) struct Mixed {
    percent: u8,
    dice: Dice,
    queue: VecDeque<(StateId, u32)>,
}

impl Mixed {
    pub fn new(percent: u8, seed: u64) -> Mixed {
        Mixed { percent, dice: Dice::new(seed), queue: VecDeque::new() }
    }
}

impl Frontier for Mixed {
    fn add(&mut self, fresh: Range<u32>, depth: u32) {
        self.queue.extend(fresh.rev().map(|id| (StateId(id), depth)));
    }

    fn next(&mut self, wave: &mut Vec<StateId>) -> Option<u32> {
        wave.clear();
        let deep = self.dice.below(100) < usize::from(self.percent);
        let (id, depth) = if deep { self.queue.pop_back()? } else { self.queue.pop_front()? };
        wave.push(id);
        Some(depth)
    }

    fn len(&self) -> usize {
        self.queue.len()
    }

    fn save(&self) -> Vec<u64> {
        let mut all = vec![self.dice.0];
        all.extend(self.queue.iter().map(packed));
        all
    }

    fn load(&mut self, saved: &[u64]) -> bool {
        let Some((dice, states)) = saved.split_first() else { return false };
        self.dice.0 = *dice;
        self.queue = states.iter().map(unpacked).collect();
        true
    }
}
