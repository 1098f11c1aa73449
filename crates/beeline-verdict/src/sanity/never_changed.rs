//! Variables that keep the values that initialisation gave them: whatever assigns them is never enabled,
//! or there is nothing that does.
//!
//! What an operation may write is known, what it does write is not: a variable that is assigned its own
//! value each time is not told. So what is told is true of every state, also of those that a symmetry
//! reduction did not look at.

use super::Facts;
use beeline_source::Span;

pub(super) fn find(facts: &Facts<'_>) -> Vec<(String, Span)> {
    let taken: Vec<usize> = (0..facts.exploration.covered.len())
        .filter(|operation| facts.exploration.covered[*operation] > 0)
        .collect();
    // Where nothing happens nothing changes, and that is said already.
    if taken.is_empty() {
        return Vec::new();
    }
    let labels = &facts.system.signature().operations;
    let changed = |slot: usize| taken.iter().any(|o| labels[*o].writes.contains(&slot));
    let variables = facts.system.variables().iter().enumerate();
    let unchanged = variables.filter(|(slot, _)| !changed(*slot));
    unchanged.map(|(_, v)| (v.name.clone(), facts.model.variable(v.id).span)).collect()
}
