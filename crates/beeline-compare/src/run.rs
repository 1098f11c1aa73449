//! Runs of a wanted length.

use crate::count::Counts;
use crate::random::Random;
use std::time::{Duration, Instant};

/// When a run ends.
#[derive(Clone, Copy, Debug)]
pub struct Goal {
    /// After so many formulas …
    pub formulas: u64,
    /// … or after so long, whichever is first.
    pub time: Duration,
    /// … or after so many differences.
    pub differences: usize,
}

/// Repeats a batch until the goal is reached.
pub fn run(goal: Goal, seed: u64, batch: fn(&mut Random, &mut Counts)) -> Counts {
    let mut random = Random::new(seed);
    let mut counts = Counts::default();
    let start = Instant::now();
    while counts.formulas < goal.formulas
        && start.elapsed() < goal.time
        && counts.differences.len() < goal.differences
    {
        batch(&mut random, &mut counts);
    }
    counts
}
