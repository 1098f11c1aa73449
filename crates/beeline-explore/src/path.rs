//! The way to a state: parents back to the start, then each step computed again.

use crate::finding::{FindingKind, Path, PathStep};
use crate::shared::Shared;
use beeline_table::{StateId, View};
use beeline_transition::{
    ConstantsRef, Fault, Flow, Look, Reducer, RowMut, SetupIndex, State, StateRef, Step,
    TransitionSystem, Truth,
};

/// The way to a state. `None`: a step could not be found again, which must not happen.
pub(crate) fn path<S: TransitionSystem>(
    shared: &Shared<'_, S>,
    id: StateId,
    scratch: &mut S::Scratch,
) -> Option<Path> {
    let mut ids = vec![id];
    while let Some(parent) = ids.last().and_then(|id| shared.table.parent(*id)) {
        ids.push(parent);
    }
    let first = ids.pop()?;
    // The table keeps parents and no steps: each step is computed again, which costs little beside
    // the search, and saves memory for every state.
    let mut judge = Likeness::new(shared);
    let (setup, initial) = start(shared, first, &mut judge, scratch)?;
    let constants = shared.setups.get(setup);
    let (mut state, mut steps) = (initial.clone(), Vec::new());
    for id in ids.into_iter().rev() {
        judge.turn_to(id);
        let from = (constants, state.view());
        let step = step(shared, from, &mut |s| judge.fits(setup, s), scratch)?;
        state.clone_from(&step.target);
        steps.push(step);
    }
    Some(Path { constants: constants.owned(), initial: Some(initial), steps })
}

/// The initial state of a number, or one that it stands for, and its set-up.
fn start<S: TransitionSystem>(
    shared: &Shared<'_, S>,
    id: StateId,
    judge: &mut Likeness<'_, S>,
    scratch: &mut S::Scratch,
) -> Option<(SetupIndex, State)> {
    judge.turn_to(id);
    let known = (!shared.table.is_compact()).then(|| shared.at(judge.view.words()));
    if let Some(at) = known.filter(|_| !shared.system.reduces()) {
        return Some((at.setup.number, shared.system.unpack(at.row, &mut judge.scratch)));
    }
    // Without words of a state even its valuation must be tried out.
    let all = 0..shared.setups.len();
    let setups = known.map_or(all, |at| at.setup.number.0..at.setup.number.0 + 1);
    for setup in setups.map(SetupIndex) {
        let mut found = None;
        shared.system.initial_states(shared.setups.get(setup), scratch, &mut |state| {
            if !judge.fits(setup, state) {
                return Flow::More;
            }
            found = Some(state.owned());
            Flow::Enough
        });
        if let Some(state) = found {
            return Some((setup, state));
        }
    }
    None
}

/// Tells whether a state is the one of a number.
struct Likeness<'a, S: TransitionSystem> {
    shared: &'a Shared<'a, S>,
    reducer: Option<Box<dyn Reducer + 'a>>,
    id: StateId,
    view: View,
    words: Vec<u32>,
    scratch: S::Scratch,
}

impl<'a, S: TransitionSystem> Likeness<'a, S> {
    fn new(shared: &'a Shared<'a, S>) -> Likeness<'a, S> {
        let (reducer, scratch) = (shared.system.reducer(), shared.system.scratch());
        let (id, view, words) = (StateId(0), shared.table.view(), Vec::new());
        Likeness { shared, reducer, id, view, words, scratch }
    }

    /// From now on it is about this one.
    fn turn_to(&mut self, id: StateId) {
        self.id = id;
        self.shared.table.load(id, &mut self.view);
    }

    /// Is this the state, or one that it stands for?
    fn fits(&mut self, setup: SetupIndex, state: StateRef<'_>) -> bool {
        let Some(row) = self.shared.system.pack(state, &mut self.scratch) else { return false };
        self.words = row.0;
        if self.shared.several {
            self.words.push(setup.0 as u32);
        }
        self.is_it()
            || self.reducer.as_mut().is_some_and(|reducer| {
                let width = self.shared.system.width();
                reducer.look(setup, RowMut(&mut self.words[..width])) == Look::Insert
            }) && self.is_it()
    }

    fn is_it(&self) -> bool {
        match self.shared.table.is_compact() {
            // Only the hash is known. The judge has the last word on the whole path.
            true => self.shared.table.is_likely(self.id, &self.words),
            false => self.view.words() == self.words,
        }
    }
}

fn step<S: TransitionSystem>(
    shared: &Shared<'_, S>,
    from: (ConstantsRef<'_>, StateRef<'_>),
    wanted: &mut dyn FnMut(StateRef<'_>) -> bool,
    scratch: &mut S::Scratch,
) -> Option<PathStep> {
    let mut found = None;
    shared.system.steps(from, None, scratch, &mut |step| {
        if !wanted(step.target) {
            return Flow::More;
        }
        found = Some(PathStep::of(step));
        Flow::Enough
    });
    found
}

/// A fault as it shows in the last state of a path, which need not be the state in which it was
/// found: that may have been a representative.
pub(crate) fn at_end<S: TransitionSystem>(
    shared: &Shared<'_, S>,
    kind: FindingKind,
    path: &Path,
    scratch: &mut S::Scratch,
) -> FindingKind {
    let (system, constants) = (shared.system, path.constants.view());
    let Some(state) = path.last() else { return kind };
    let mut undefined = |pred, old| match system.holds(pred, (constants, state), scratch) {
        Truth::Undefined(fault) => fault,
        _ => old,
    };
    match kind {
        FindingKind::Undefined(id, f) => {
            FindingKind::Undefined(id, undefined(system.signature().check(id).pred, f))
        }
        FindingKind::GoalUndefined(f) => {
            FindingKind::GoalUndefined(match system.signature().goal {
                Some(goal) => undefined(goal, f),
                None => f,
            })
        }
        FindingKind::Operation(f) => {
            let Some(operation) = f.operation else { return FindingKind::Operation(f) };
            let more = &mut |_: Step<'_>| Flow::More;
            let answer = system.steps((constants, state), Some(operation), scratch, more);
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
