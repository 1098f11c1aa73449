//! Best first: the lightest state, and among equals the oldest or the newest.
//!
//! States of one weight lie in one bucket, and buckets in a tree: weights are few, so both are
//! cheap, and a state that waits takes eight bytes.

use super::pace::Pace;
use super::{Dice, Fresh, Frontier, Waiting, Wave};
use std::collections::{BTreeMap, VecDeque};

/// Buckets of states by weight.
pub(crate) struct Best {
    /// Among equals, is it the oldest that comes first?
    oldest: bool,
    dice: Dice,
    pace: Pace,
    buckets: BTreeMap<i32, VecDeque<Waiting>>,
    len: usize,
    /// Newcomers, while they are shuffled.
    mixed: Vec<(Waiting, i32)>,
}

impl Best {
    pub fn new(seed: u64, oldest: bool) -> Best {
        let (dice, pace) = (Dice::new(seed), Pace::broad());
        Best { oldest, dice, pace, buckets: BTreeMap::new(), len: 0, mixed: Vec::new() }
    }

    pub fn push(&mut self, one: Waiting, weight: i32) {
        self.buckets.entry(weight).or_default().push_back(one);
        self.len += 1;
    }

    pub fn pop(&mut self) -> Option<Waiting> {
        let mut lightest = self.buckets.first_entry()?;
        let bucket = lightest.get_mut();
        let one = if self.oldest { bucket.pop_front() } else { bucket.pop_back() };
        if lightest.get().is_empty() {
            lightest.remove();
        }
        self.len -= 1;
        one
    }
}

impl Frontier for Best {
    fn add(&mut self, fresh: &Fresh<'_>) {
        let mut mixed = std::mem::take(&mut self.mixed);
        mixed.clear();
        mixed.extend(fresh.each());
        // Among equals nothing speaks for the order in which they were found.
        self.dice.shuffle(&mut mixed);
        for (one, weight) in &mixed {
            self.push(*one, *weight);
        }
        self.mixed = mixed;
    }

    fn next(&mut self, wave: &mut Wave) -> bool {
        wave.clear();
        for _ in 0..self.pace.step(self.len) {
            if let Some(one) = self.pop() {
                wave.push(one);
            }
        }
        !wave.states.is_empty()
    }

    fn len(&self) -> usize {
        self.len
    }

    fn save(&self) -> Vec<u64> {
        let mut all = vec![self.dice.0, self.pace.taken];
        for (weight, bucket) in &self.buckets {
            all.extend([u64::from(*weight as u32), bucket.len() as u64]);
            all.extend(bucket.iter().map(|one| one.packed()));
        }
        all
    }

    fn load(&mut self, saved: &[u64]) -> bool {
        let [dice, taken, rest @ ..] = saved else { return false };
        (self.dice.0, self.pace.taken, self.len) = (*dice, *taken, 0);
        self.buckets.clear();
        let mut rest = rest;
        while let [weight, len, states @ ..] = rest {
            let Some((bucket, next)) = states.split_at_checked(*len as usize) else { return false };
            if bucket.is_empty() {
                return false;
            }
            self.len += bucket.len();
            let bucket = bucket.iter().map(|n| Waiting::unpacked(*n)).collect();
            self.buckets.insert(*weight as u32 as i32, bucket);
            rest = next;
        }
        rest.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(best: &mut Best) -> Vec<u32> {
        let mut wave = Wave::default();
        let mut all = Vec::new();
        while best.next(&mut wave) {
            all.extend(wave.states.iter().map(|id| id.0));
        }
        all
    }

    #[test]
    fn the_lightest_comes_first_also_after_saving() {
        let weights = [5, -3, 9, -3, 0];
        let fresh = Fresh { states: 10..15, depths: &[1; 5], weights: &weights, ranks: &[] };
        let mut best = Best::new(0, false);
        best.add(&fresh);
        assert_eq!(best.len(), 5);
        let mut other = Best::new(7, false);
        assert!(other.load(&best.save()));
        let order = taken(&mut best);
        assert_eq!(order[2..], [14, 10, 12]);
        assert_eq!(order, taken(&mut other));
        assert!(!other.load(&[1, 2, 3, 4]) && !other.load(&[]));
    }
}
