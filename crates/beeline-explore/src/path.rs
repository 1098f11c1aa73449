//! The way to a state: parents back to the start, then each step computed again.

use crate::finding::{FindingKind, Path, PathStep};
use crate::reduce::Look;
use crate::worker::Shared;
use beeline_compile::{Fault, Flow, Scratch, Step, Truth};
use beeline_table::StateId;

/// The way to a state. `None`: a step could not be found again, which must not happen.
pub(crate) fn path(shared: &Shared<'_>, id: StateId, scratch: &mut Scratch) -> Option<Path> {
    let mut rows = Vec::new();
    let mut next = Some(id);
    while let Some(id) = next {
        let mut row = Vec::new();
        next = shared.table.read(id, &mut row);
        rows.push(row);
    }
    rows.reverse();
    let first = rows.first()?;
    let (constants, setup) = (shared.split(first).0, shared.setup(first));
    let mut reducer = shared.reduction.map(|r| r.reducer());
    let mut like = move |state: &[u32], row: &[u32]| match &mut reducer {
        None => state == row,
        // A row may be a representative: any state that it stands for will do.
        Some(reducer) => {
            let mut form = state.to_vec();
            state == row || (reducer.look(setup, &mut form) == Look::Insert && form == row)
        }
    };
    let mut rows = rows.iter().map(|row| shared.split(row).1);
    let start = rows.next()?;
    let mut initial = None;
    shared.system.initial(constants, scratch, &mut |state| {
        if !like(state, start) {
            return Flow::More;
        }
        initial = Some(state.to_vec());
        Flow::Enough
    });
    let initial = initial?;
    let (mut state, mut steps) = (initial.clone(), Vec::new());
    for row in rows {
        let step = step(shared, constants, &state, &mut |target| like(target, row), scratch)?;
        state.clone_from(&step.target);
        steps.push(step);
    }
    Some(Path { constants: constants.to_vec(), initial: Some(initial), steps })
}

fn step(
    shared: &Shared<'_>,
    constants: &[u32],
    state: &[u32],
    wanted: &mut dyn FnMut(&[u32]) -> bool,
    scratch: &mut Scratch,
) -> Option<PathStep> {
    let mut found = None;
    shared.system.successors(constants, state, scratch, &mut |step| {
        if !wanted(step.target) {
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

/// A fault as it shows in the last state of a path, which need not be the state in which it was
/// found: that may have been a representative.
pub(crate) fn at_end(
    shared: &Shared<'_>,
    kind: FindingKind,
    path: &Path,
    scratch: &mut Scratch,
) -> FindingKind {
    let (system, constants) = (shared.system, path.constants.as_slice());
    let Some(state) = path.last() else { return kind };
    let mut undefined = |pred, old| match system.holds(pred, constants, state, scratch) {
        Truth::Undefined(fault) => fault,
        _ => old,
    };
    match kind {
        FindingKind::InvariantUndefined(i, f) => {
            FindingKind::InvariantUndefined(i, undefined(system.invariants()[i].pred, f))
        }
        FindingKind::AssertionUndefined(i, f) => {
            FindingKind::AssertionUndefined(i, undefined(system.assertions()[i].pred, f))
        }
        FindingKind::GoalUndefined(f) => FindingKind::GoalUndefined(match shared.options.goal {
            Some(goal) => undefined(goal, f),
            None => f,
        }),
        FindingKind::Operation(f) => {
            let Some(operation) = f.operation else { return FindingKind::Operation(f) };
            let more = &mut |_: Step<'_>| Flow::More;
            let answer = system.successors_of(operation, constants, state, scratch, more);
            let mut faults = answer.faults.into_iter();
            let same = faults.find(|new| (new.kind, new.span) == (f.kind, f.span));
            FindingKind::Operation(match same {
                Some(new) => Box::new(Fault { operation: Some(operation), ..new }),
                None => f,
            })
        }
        other => other,
    }
}
