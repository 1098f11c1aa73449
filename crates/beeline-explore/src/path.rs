//! The way to a state: parents back to the start, then each step computed again.

use crate::finding::{Path, PathStep};
use crate::worker::Shared;
use beeline_compile::{Flow, Scratch};
use beeline_table::StateId;

/// The way to a state. `None`: a step could not be found again, which must not happen.
pub(crate) fn path(shared: &Shared<'_>, id: StateId, scratch: &mut Scratch) -> Option<Path> {
    let mut rows = Vec::new();
    let mut next = Some(id);
    let mut view = shared.table.view();
    while let Some(id) = next {
        shared.table.open(id, &mut view);
        rows.push(view.words().to_vec());
        next = shared.table.parent(id);
    }
    rows.reverse();
    let constants = &shared.setups[shared.split(rows.first()?).0];
    // Steps are computed by the general engine, whatever found them.
    let mut memory = shared.engine.memory();
    let mut states: Vec<Vec<u32>> =
        rows.iter().map(|row| shared.engine.unpack(shared.split(row).1, &mut memory)).collect();
    let mut steps = Vec::with_capacity(rows.len() - 1);
    for pair in states.windows(2) {
        steps.push(step(shared, constants, &pair[0], &pair[1], scratch)?);
    }
    let initial = states.swap_remove(0);
    Some(Path { constants: constants.clone(), initial: Some(initial), steps })
}

fn step(
    shared: &Shared<'_>,
    constants: &[u32],
    state: &[u32],
    target: &[u32],
    scratch: &mut Scratch,
) -> Option<PathStep> {
    let mut found = None;
    shared.system.successors(constants, state, scratch, &mut |step| {
        if step.target != target {
            return Flow::More;
        }
        found = Some(PathStep {
            operation: step.operation,
            arguments: step.arguments.to_vec(),
            results: step.results.to_vec(),
            target: target.to_vec(),
        });
        Flow::Enough
    });
    found
}
