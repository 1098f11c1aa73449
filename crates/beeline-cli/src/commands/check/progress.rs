//! How far a check has come, in words for the line on the terminal.

use crate::status::{Part, part};
use beeline::explore::Progress;

/// Before there is anything to count.
pub fn phase(words: &str) -> Vec<Part> {
    vec![part(0, words.to_owned())]
}

/// The figures of an exploration, the most important ones with the lowest rank.
pub fn figures(p: &Progress) -> Vec<Part> {
    if p.states == 0 {
        return phase("looking for initial states");
    }
    let estimate = p.estimate().map(|n| part(6, format!("about {n} in all")));
    let mut parts = vec![part(0, format!("{} states", p.states))];
    parts.extend(estimate);
    parts.extend([
        part(2, format!("{} waiting", p.frontier)),
        part(4, format!("depth {}", p.depth)),
        part(3, format!("{:.0} states/s", p.states_per_second)),
        part(5, format!("{} MB", p.memory_bytes >> 20)),
    ]);
    parts
}
