//! Random: any state that waits.

use super::pace::Pace;
use super::{Dice, Fresh, Frontier, Waiting, Wave};

/// A bag.
pub(crate) struct Random {
    dice: Dice,
    pace: Pace,
    bag: Vec<Waiting>,
}

impl Random {
    pub fn new(seed: u64) -> Random {
        Random { dice: Dice::new(seed), pace: Pace::broad(), bag: Vec::new() }
    }
}

impl Frontier for Random {
    fn add(&mut self, fresh: &Fresh<'_>) {
        self.bag.extend(fresh.each().map(|(one, _)| one));
    }

    fn next(&mut self, wave: &mut Wave) -> bool {
        wave.clear();
        for _ in 0..self.pace.step(self.bag.len()) {
            let index = self.dice.below(self.bag.len());
            wave.push(self.bag.swap_remove(index));
        }
        !wave.states.is_empty()
    }

    fn len(&self) -> usize {
        self.bag.len()
    }

    fn save(&self) -> Vec<u64> {
        let mut all = vec![self.dice.0, self.pace.taken];
        all.extend(self.bag.iter().map(|one| one.packed()));
        all
    }

    fn load(&mut self, saved: &[u64]) -> bool {
        let [dice, taken, states @ ..] = saved else { return false };
        (self.dice.0, self.pace.taken) = (*dice, *taken);
        self.bag = states.iter().map(|n| Waiting::unpacked(*n)).collect();
        true
    }
}
