//! Properties that cannot all hold: a smallest set of conjuncts that is still in conflict.
//!
//! One conjunct after the other is left out; those without which the rest can hold stay.

use beeline_compile::{Flow, Settings, System};
use beeline_model::Model;
use beeline_source::Span;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Longer than this the search for a smaller set may not take.
const BUDGET: Duration = Duration::from_secs(2);
/// Steps that one attempt may take.
const STEPS: u64 = 1_000_000;
/// With more conjuncts than this nothing is tried.
const MAX_CONJUNCTS: usize = 200;

/// The places of conjuncts that are in conflict; empty if nothing more is known. One attempt may take so
/// many steps, if somebody says.
pub(crate) fn conflict(
    model: &Model,
    settings: &Settings,
    steps: Option<u64>,
    stop: &AtomicBool,
) -> Vec<Span> {
    let begin = Instant::now();
    let steps = steps.unwrap_or(STEPS);
    if model.properties.len() > MAX_CONJUNCTS {
        return Vec::new();
    }
    let mut smaller = model.clone();
    // A conjunct that only types a constant is left out last: the others need it to be bounded.
    let mut index = smaller.properties.len();
    while index > 0 && begin.elapsed() < BUDGET && !stop.load(Ordering::Relaxed) {
        index -= 1;
        let left_out = smaller.properties.remove(index);
        if !impossible(&smaller, settings, steps) {
            smaller.properties.insert(index, left_out);
        }
    }
    smaller.properties.iter().map(|p| p.conjunct.span).collect()
}

/// Is it certain that no values of the constants satisfy the properties?
fn impossible(model: &Model, settings: &Settings, steps: u64) -> bool {
    let Ok(system) = System::compile(model, settings) else { return false };
    let mut found = false;
    let answer = system.setups(&mut system.brief_scratch(steps), &mut |_| {
        found = true;
        Flow::Enough
    });
    !found && answer.complete() && answer.faults.is_empty()
}
