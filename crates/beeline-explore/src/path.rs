//! The way to a state: parents back to the start, then each step computed again.

use crate::finding::{Path, PathStep};
use crate::worker::Shared;
use beeline_compile::{Flow, Scratch};
use beeline_table::StateId;

/// The way to a state. `None`: a step could not be found again, which must not happen.
pub(crate) fn path(shared: &Shared<'_>, id: StateId, scratch: &mut Scratch) -> Option<Path> {
    if shared.table.is_compact() {
        return walk(shared, id, scratch);
    }
    let mut rows = Vec::new();
    let mut next = Some(id);
    let mut view = shared.table.view();
    while let Some(id) = next {
        shared.table.open(id, &mut view);
        rows.push(view.words().to_vec());
        next = shared.table.parent(id);
    }
    rows.reverse();
    let (constants, initial) = shared.split(rows.first()?);
    let mut steps = Vec::with_capacity(rows.len() - 1);
    for pair in rows.windows(2) {
        let (state, target) = (shared.split(&pair[0]).1, shared.split(&pair[1]).1);
        steps.push(step(shared, constants, state, target, scratch)?);
    }
    Some(Path { constants: constants.to_vec(), initial: Some(initial.to_vec()), steps })
}

/// The way to a state of which only the hash is known: each step is computed anew, and the first
/// one whose hash fits is taken. The judge has the last word on it.
fn walk(shared: &Shared<'_>, id: StateId, scratch: &mut Scratch) -> Option<Path> {
    let mut ids = vec![id];
    while let Some(parent) = ids.last().and_then(|id| shared.table.parent(*id)) {
        ids.push(parent);
    }
    let first = ids.pop()?;
    let mut start = None;
    for (number, constants) in shared.setups.iter().enumerate() {
        let suffix: &[u32] = if shared.setups.len() > 1 { &[number as u32] } else { &[] };
        shared.system.initial(constants, scratch, &mut |state| {
            if !shared.table.is_likely(first, &[state, suffix].concat()) {
                return Flow::More;
            }
            start = Some((constants, suffix.to_vec(), state.to_vec()));
            Flow::Enough
        });
        if start.is_some() {
            break;
        }
    }
    let (constants, suffix, initial) = start?;
    let (mut steps, mut state) = (Vec::<PathStep>::new(), initial.clone());
    for id in ids.into_iter().rev() {
        let fits = |target: &[u32]| shared.table.is_likely(id, &[target, &suffix].concat());
        let step = step_to(shared, constants, &state, &fits, scratch)?;
        state.clone_from(&step.target);
        steps.push(step);
    }
    Some(Path { constants: constants.clone(), initial: Some(initial), steps })
}

fn step(
    shared: &Shared<'_>,
    constants: &[u32],
    state: &[u32],
    target: &[u32],
    scratch: &mut Scratch,
) -> Option<PathStep> {
    step_to(shared, constants, state, &|other| other == target, scratch)
}

fn step_to(
    shared: &Shared<'_>,
    constants: &[u32],
    state: &[u32],
    fits: &dyn Fn(&[u32]) -> bool,
    scratch: &mut Scratch,
) -> Option<PathStep> {
    let mut found = None;
    shared.system.successors(constants, state, scratch, &mut |step| {
        if !fits(step.target) {
            return Flow::More;
        }
        found = Some(PathStep {
            operation: step.operation,
            arguments: step.arguments.to_vec(),
            results: step.results.to_vec(),
            target: step.target.to_vec(),
        });
        Flow::Enough
    });
    found
}
