//! Very deep random walks: from any state to any state that is new from there, until nothing is new.

use super::{Dice, Waiting};

/// States from which another walk may begin: a sample of all.
const STARTS: usize = 1 << 14;
/// A walk ends after so many steps on average: what is worth finding may lie beside it.
const LENGTH: usize = 1 << 13;
/// So many walks go on side by side, at most, and as a part of the states that were taken.
const WALKS: u64 = 64;
const PART: u64 = 512;

/// A new state.
pub(crate) struct Arrival {
    pub one: Waiting,
    pub weight: i32,
    /// The place in its wave of the state that led here.
    pub rank: u32,
}

/// The walks that are under way.
#[derive(Default)]
pub(crate) struct Descent {
    starts: Vec<Waiting>,
    /// How many states were offered as starts.
    offered: u64,
    /// Where walks go on.
    next: Vec<Waiting>,
}

impl Descent {
    /// How many walks take a step together.
    pub fn width(&self, taken: u64) -> usize {
        (taken / PART).clamp(1, WALKS) as usize
    }

    /// New states, in any order. If they come from its own steps, each walk goes on to one of them.
    pub fn add(&mut self, arrivals: &[Arrival], own: bool, dice: &mut Dice) {
        if own {
            let mut gone_on = 0u64;
            for arrival in arrivals {
                let bit = 1u64 << (arrival.rank % 64);
                if gone_on & bit == 0 {
                    gone_on |= bit;
                    if dice.below(LENGTH) > 0 {
                        self.next.push(arrival.one);
                    }
                }
            }
        }
        for arrival in arrivals {
            self.offered += 1;
            if self.starts.len() < STARTS {
                self.starts.push(arrival.one);
            } else if let place @ 0..STARTS = dice.below(self.offered.min(1 << 31) as usize) {
                self.starts[place] = arrival.one;
            }
        }
    }

    /// The next state of a walk, or the first one of another.
    pub fn pop(&mut self, dice: &mut Dice) -> Option<Waiting> {
        if let Some(next) = self.next.pop() {
            return Some(next);
        }
        if self.starts.is_empty() {
            return None;
        }
        let start = dice.below(self.starts.len());
        Some(self.starts.swap_remove(start))
    }

    pub fn save(&self) -> Vec<u64> {
        let mut all = vec![self.offered, self.next.len() as u64];
        all.extend(self.next.iter().chain(&self.starts).map(|one| one.packed()));
        all
    }

    /// Takes over what was saved; where that makes no sense walks begin anew.
    pub fn load(&mut self, saved: &[u64]) {
        let [offered, next, states @ ..] = saved else { return };
        let states: Vec<Waiting> = states.iter().map(|n| Waiting::unpacked(*n)).collect();
        let (next, starts) = states.split_at(states.len().min(*next as usize));
        (self.offered, self.next, self.starts) = (*offered, next.to_vec(), starts.to_vec());
    }
}
