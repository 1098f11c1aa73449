//! A search over sets of states, where the explicit one would stand.

use super::CheckOptions;
use crate::error::OptionError;
use beeline_compile::System;
use beeline_explore::{Exploration, Job};
use beeline_model::{Model, Pred};
use beeline_pack::PackedSystem;
use beeline_plan::Names;
use beeline_por::Usage;
use beeline_symbolic::{Method, Reads, Relations};
use beeline_symmetry::Mode;

/// What walks through diagrams recurses once a bit of a state, in three functions at once.
const STACK_BYTES: usize = 64 << 20;

/// Runs a search with a stack that is deep enough for the largest layout.
pub(super) fn on_deep_stack<T>(work: impl FnOnce() -> T) -> T {
    // Nobody has as much as that left: a fresh one is taken.
    stacker::grow(STACK_BYTES, work)
}

/// Do the options ask for something that sets of states cannot do?
pub(super) fn fits(options: &CheckOptions) -> Result<(), OptionError> {
    let explore = &options.explore;
    let what = match options.symmetry {
        Mode::None | Mode::Constants if explore.checkpoint.is_some() => "checkpoints",
        Mode::None | Mode::Constants if explore.hash_compaction => "hash compaction",
        Mode::None | Mode::Constants if options.hunt.is_some() => "a hunt",
        _ if options.partial_order != Usage::Off => "partial order reduction",
        Mode::None | Mode::Constants => return Ok(()),
        _ => "a reduction by symmetry",
    };
    Err(OptionError::NotSymbolic(what))
}

/// Searches a system by a method.
pub(super) fn explored(
    (model, system): (&Model, &System),
    packed: &mut PackedSystem<'_>,
    (method, relations): (Method, Relations),
    goal: Option<&Pred>,
    job: &Job<'_>,
) -> Exploration {
    let reads_of = |pred: Option<&Pred>| -> Vec<usize> {
        let Some(pred) = pred else { return Vec::new() };
        let read = Names::of_pred(model, pred);
        let place = |v| system.variables().iter().position(|slot| slot.id == v);
        read.variables.iter().filter_map(|v| place(*v)).collect()
    };
    let reads = Reads { goal: reads_of(goal), scope: reads_of(model.special.scope.as_ref()) };
    let (cancel, tell) = (job.cancel.clone(), job.tell);
    let job =
        beeline_symbolic::Job { options: job.options, method, relations, reads, cancel, tell };
    beeline_symbolic::explore(packed, &job)
}
