//! Very deep random walks: from any state to any state that is new from there, until nothing is new.

use super::{Dice, Waiting};

/// States from which another walk may begin: a sample of all.
const STARTS: usize = 1 << 14;
/// A walk ends after so many steps: what is worth finding may lie beside it.
const LONGEST: u32 = 1 << 13;

/// The walk that is under way.
#[derive(Default)]
pub(crate) struct Descent {
    starts: Vec<Waiting>,
    /// How many states were offered as starts.
    offered: u64,
    next: Option<Waiting>,
    steps: u32,
    /// Was the last wave its own?
    pub is_on: bool,
}

impl Descent {
    /// New states, in any order. If they come from its own last step one of them is the next.
    pub fn add(&mut self, mixed: &[(Waiting, i32)], dice: &mut Dice) {
        if self.is_on {
            self.next = mixed.first().map(|(one, _)| *one).filter(|_| self.steps < LONGEST);
        }
        for (one, _) in mixed {
            self.offered += 1;
            if self.starts.len() < STARTS {
                self.starts.push(*one);
            } else if let place @ 0..STARTS = dice.below(self.offered.min(1 << 31) as usize) {
                self.starts[place] = *one;
            }
        }
    }

    /// The next state of the walk, or the first one of another.
    pub fn pop(&mut self, dice: &mut Dice) -> Option<Waiting> {
        self.steps += 1;
        if let Some(next) = self.next.take() {
            return Some(next);
        }
        self.steps = 0;
        if self.starts.is_empty() {
            return None;
        }
        let start = dice.below(self.starts.len());
        Some(self.starts.swap_remove(start))
    }

    pub fn save(&self) -> Vec<u64> {
        let next = self.next.map_or(u64::MAX, Waiting::packed);
        let mut all = vec![self.offered, u64::from(self.steps), u64::from(self.is_on), next];
        all.extend(self.starts.iter().map(|one| one.packed()));
        all
    }

    pub fn load(&mut self, saved: &[u64]) -> bool {
        let [offered, steps, is_on, next, starts @ ..] = saved else { return false };
        self.offered = *offered;
        (self.steps, self.is_on) = (*steps as u32, *is_on != 0);
        self.next = (*next != u64::MAX).then(|| Waiting::unpacked(*next));
        self.starts = starts.iter().map(|n| Waiting::unpacked(*n)).collect();
        true
    }
}
