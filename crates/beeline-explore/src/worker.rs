//! What happens to one state: it is checked, then expanded.

mod expand;
mod kept;

use crate::finding::FindingKind;
use crate::output::{Output, note_goal};
use crate::proof::Proof;
use crate::shared::Shared;
use crate::stats::Spent;
use beeline_fault::{Flaw, planted};
use beeline_source::Span;
use beeline_table::{ALL_UNPROVED, Batch, Reader, StateId, View};
use beeline_transition::{CutReason, PredId, Reducer, RowRef, TransitionSystem, Truth};
use kept::Kept;
use rustc_hash::FxHashSet;
use std::time::Instant;

/// What a worker looks at while it is at work on a wave.
pub(crate) struct Context<'a, S> {
    pub shared: &'a Shared<'a, S>,
    /// The states that are known.
    pub known: &'a Reader<'a>,
    /// States in which not every check succeeded.
    pub suspects: &'a FxHashSet<StateId>,
}

/// A worker: its own scratch space and results.
pub(crate) struct Worker<'a, S: TransitionSystem> {
    pub reducer: Option<Box<dyn Reducer + 'a>>,
    /// Candidates of this wave, as the table will have them: each once is enough.
    pub waiting: FxHashSet<Box<[u32]>>,
    pub scratch: S::Scratch,
    /// The state that is visited, loaded so that its successors can be folded beside it.
    pub view: View,
    /// Its words: a row, and the number of its constants if there may be several.
    words: Vec<u32>,
    /// The parent that was looked at last, and its words: brothers follow one another.
    parent: (Option<StateId>, View),
    pub target: Vec<u32>,
    due: Vec<PredId>,
    /// Operations that are not tried in the state at hand, and those without a guard, by number.
    disabled: Vec<u64>,
    enabled: Vec<u64>,
    kept: Kept,
    /// Places in the list of tests.
    due_tests: Vec<usize>,
    /// Those of them whose result is known, in an audit.
    known_tests: Vec<usize>,
    pub output: Output,
    /// Steps of a state that are taken at first.
    pub room: u64,
}

impl<'a, S: TransitionSystem> Worker<'a, S> {
    pub fn new(shared: &'a Shared<'_, S>) -> Worker<'a, S> {
        let covered = vec![0; shared.system.signature().operations.len()];
        Worker {
            reducer: shared.system.reducer(),
            waiting: FxHashSet::default(),
            scratch: shared.system.scratch(),
            view: shared.table.view(),
            words: Vec::new(),
            parent: (None, shared.table.view()),
            target: Vec::new(),
            due: Vec::new(),
            disabled: Vec::new(),
            enabled: Vec::new(),
            kept: Kept::default(),
            due_tests: Vec::new(),
            known_tests: Vec::new(),
            output: Output { covered, ..Output::default() },
            room: shared.options.first().steps.max(1),
        }
    }

    /// Checks a state and, unless it lies at the limit of depth, expands it.
    pub fn visit(
        &mut self,
        context: &Context<'_, S>,
        batch: &mut Batch,
        id: StateId,
        rank: u32,
        expand: bool,
    ) {
        let mut words = std::mem::take(&mut self.words);
        // The view is kept loaded: most words of a successor are those of the state, and fold the same way.
        context.known.load(id, &mut self.view);
        words.clear();
        // A copy, since the view is needed while successors are offered.
        words.extend_from_slice(self.view.words());
        // Once a state, and not once a question: finding interchangeable elements is not cheap.
        self.turn_to(context.shared, &words);
        if self.inside(context.shared, &words) {
            let trusted = self.check(context, id, rank, &words);
            if expand {
                self.expand(context, batch, (id, rank, trusted), &words);
            } else {
                let why = "states at the maximum depth were not expanded";
                if !planted(Flaw::DepthUntold) {
                    self.output.cuts.note(CutReason::Depth, Span::NONE, why, 1);
                }
            }
        }
        self.words = words;
    }

    /// What follows is about this state.
    #[inline]
    pub fn turn_to(&mut self, shared: &Shared<'_, S>, words: &[u32]) {
        let reducer = self.reducer.as_deref_mut();
        shared.system.turn_to(shared.at(words), &mut self.scratch, reducer);
    }

    /// Is the state inside the scope that the model itself sets?
    fn inside(&mut self, shared: &Shared<'_, S>, words: &[u32]) -> bool {
        let Some(scope) = shared.system.signature().scope else { return true };
        let mut inside = Truth::False;
        let told = &mut |_: usize, truth| inside = truth;
        shared.system.holds_each(&[scope], shared.at(words), &mut self.scratch, told);
        let why = match inside {
            Truth::True => return true,
            Truth::False => "states outside SCOPE were neither checked nor expanded",
            _ => "states were neither checked nor expanded: SCOPE is not well-defined there",
        };
        self.output.cuts.note(CutReason::Ignored, Span::NONE, why, 1);
        false
    }

    /// Loads the parent of a state, if all checks succeeded there.
    fn trusted(&mut self, context: &Context<'_, S>, id: StateId) -> bool {
        let Some(parent) = context.known.parent(id) else { return false };
        if context.suspects.contains(&parent) && !planted(Flaw::SuspectVouches) {
            return false;
        }
        // States of a wave come in the order of their parents: one look serves all children.
        if self.parent.0 != Some(parent) {
            context.known.load(parent, &mut self.parent.1);
            self.parent.0 = Some(parent);
        }
        true
    }

    /// Finds the tests that must be made in a state. In an audit these are all, and the ones whose
    /// result is known stand in a list of their own.
    fn find_due(&mut self, context: &Context<'_, S>, id: StateId, row: RowRef<'_>) {
        let shared = context.shared;
        self.due.clear();
        self.due_tests.clear();
        self.known_tests.clear();
        let proof = shared.options.proof;
        let preserved = shared.tests.preserved();
        let unproved = preserved.map_or(ALL_UNPROVED, |_| context.known.unproved_bits(id));
        let count = shared.tests.tests.len();
        // The usual case in a model with proofs: no parent is loaded, and nothing evaluated.
        if proof != Proof::Audit && preserved.is_some_and(|p| p.is_all_known(unproved)) {
            self.output.saved += count as u64;
            return;
        }
        let told = |test: usize| preserved.is_some_and(|p| p.is_known(test, unproved));
        // The parent is not looked at if there is nothing to ask.
        let skip = proof != Proof::Off && !shared.table.is_compact();
        let trusted = skip && !(0..count).all(told) && self.trusted(context, id);
        let old = trusted.then(|| self.parent.1.words());
        for (place, test) in shared.tests.tests.iter().enumerate() {
            // What it reads is as in a state in which it holds.
            let same =
                |&(half, bits): &(usize, u32), old: &[u32]| (old[half] ^ row[half]) & bits == 0;
            if told(place) || old.is_some_and(|old| test.reads.iter().all(|read| same(read, old))) {
                self.output.saved += 1;
                if proof != Proof::Audit {
                    continue;
                }
                self.known_tests.push(place);
            }
            self.due.push(test.pred);
            self.due_tests.push(place);
        }
    }

    /// Checks a state. Is everything as it should be?
    fn check(&mut self, context: &Context<'_, S>, id: StateId, rank: u32, words: &[u32]) -> bool {
        let shared = context.shared;
        let at = shared.at(words);
        self.find_due(context, id, at.row);
        // Last, so that places in the list of tests are those in the list of questions.
        self.due.extend(shared.system.signature().goal);
        let Worker { due, due_tests, known_tests, output, scratch, .. } = self;
        output.checks += due_tests.len() as u64;
        // A call through a pointer saved, in most states of most models.
        if due.is_empty() {
            return true;
        }
        let mut suspect = false;
        let mut clock = shared.options.clocks.then(Instant::now);
        shared.system.holds_each(due, at, scratch, &mut |i, truth| {
            let Some(test) = due_tests.get(i) else {
                return note_goal(output, rank, id, truth);
            };
            if let Some(clock) = &mut clock {
                output.tests.resize(shared.tests.tests.len(), Spent::default());
                let before = std::mem::replace(clock, Instant::now());
                output.tests[*test].add(*clock - before);
            }
            let conjunct = shared.tests.tests[*test].conjunct;
            suspect |= truth != Truth::True;
            let wrong = matches!(truth, Truth::False | Truth::Undefined(_));
            if wrong && known_tests.contains(test) {
                output.contradictions.push((rank, id, *test));
            }
            let found = match truth {
                Truth::True => return,
                Truth::Unknown(cut) => return output.cuts.add(&cut),
                Truth::False => FindingKind::Violated(conjunct),
                Truth::Undefined(fault) => FindingKind::Undefined(conjunct, fault),
            };
            output.findings.push((rank, id, found));
        });
        // Successors of such a state are checked in full: it cannot vouch for them.
        if suspect {
            output.suspects.push(id);
        }
        !suspect
    }
}
