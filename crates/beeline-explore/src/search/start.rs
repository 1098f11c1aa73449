//! Where states come from: initial states, portion by portion, and checks that concern constants only.
//!
//! Of few valuations with few initial states all are taken at once. Otherwise the search begins with
//! some, and takes more when it has visited several times as many states, or has nothing else to do;
//! each portion is a few times as large as all before. A portion goes on where the last one ended: the
//! initial states of that valuation are found again and passed over.

use super::Search;
use super::late::KEPT;
use crate::finding::{FindingKind, Path};
use crate::frontier::weigh::Scales;
use crate::frontier::{Breadth, Cohorts, Frontier};
use crate::output::initialisation;
use crate::shared::Shared;
use crate::supply::GROWTH;
use crate::worker::Worker;
use beeline_fault::{Flaw, planted};
use beeline_source::Span;
use beeline_table::{Batch, View};
use beeline_transition::{
    ConstantsRef, CutReason, Flow, Look, Reducer, RowMut, RowRef, SetupIndex, TransitionSystem,
    Truth,
};
use std::ops::Range;

/// How far initial states were taken, and how much that was.
#[derive(Clone, Copy, Default)]
pub(crate) struct Place {
    /// The portion of the valuations, and the next of these.
    portion: usize,
    pub setup: SetupIndex,
    /// Initial states of that one which were taken already.
    skipped: u64,
    /// Valuations and initial states in all, and portions.
    taken: u64,
    pub portions: u64,
}

/// What the initial states of a portion need.
struct StartScratch<'a, S: TransitionSystem> {
    batch: Batch,
    view: View,
    scratch: S::Scratch,
    reducer: Option<Box<dyn Reducer + 'a>>,
    /// A state as the table will have it.
    words: Vec<u32>,
    /// They are known already, and only counted.
    known: bool,
    /// Those that have numbers.
    fresh: Option<Range<u32>>,
    left: u64,
}

impl<S: TransitionSystem> Search<'_, S> {
    /// Are there initial states that nobody has looked for?
    pub fn has_roots(&self) -> bool {
        let setups = self.shared.setups;
        setups.has_more() || self.place.setup.0 < setups.len()
    }

    /// Are there states that nobody has looked for, and that do not wait?
    pub fn has_more(&self) -> bool {
        self.has_roots() || !self.late.is_empty()
    }

    /// Takes more initial states, or steps of a state, if it is time for that. They are a search of
    /// their own.
    pub(super) fn draw(
        &mut self,
        cohorts: &mut Cohorts,
        scales: &mut Scales<'_, S>,
        worker: &mut Worker<'_, S>,
    ) {
        while self.has_more() && !self.enough() {
            // States that wait for their numbers must not be taken for these.
            if self.shared.table.waiting() > 0 {
                return;
            }
            if self.go_on(cohorts, scales, worker) {
                continue;
            }
            if !self.has_roots() || cohorts.len() > 0 && self.visited < GROWTH * self.place.taken {
                return;
            }
            let fresh = self.portion(false);
            if fresh.is_empty() || self.shared.stopped() {
                continue;
            }
            cohorts.begin(self.frontier());
            scales.take(&fresh, None, &[], true);
            cohorts.add(&scales.fresh(fresh));
        }
    }

    /// An empty frontier of the order that is asked for; from states on disk only one can go on.
    pub fn frontier(&self) -> Box<dyn Frontier> {
        let options = self.shared.options;
        if self.shared.table.is_out() {
            return Box::new(Breadth::new(super::WAVE));
        }
        let has_target = self.shared.system.signature().has_target;
        options.order.frontier(options.seed, has_target, self.limited)
    }

    /// The next portion of initial states, with the checks that concern constants only. Where they are
    /// `known` already nothing is added to the table.
    pub fn portion(&mut self, known: bool) -> Range<u32> {
        let shared = self.shared;
        self.place.portions += 1;
        let mut own = StartScratch {
            batch: Batch::new(1),
            view: shared.table.view(),
            scratch: shared.system.scratch(),
            reducer: shared.system.reducer(),
            words: Vec::new(),
            known,
            fresh: None,
            left: (self.place.taken * (GROWTH - 1)).max(shared.options.first().initial.max(1)),
        };
        if shared.setups.portion(self.place.portion).is_none() && shared.setups.has_more() {
            self.supply.more(&shared.source());
        }
        let end = shared.setups.portion(self.place.portion).map_or(0, |p| p.end);
        while self.place.setup.0 < end && own.left > 0 && !shared.stopped() {
            self.initialise(&mut own);
        }
        if self.place.setup.0 >= end {
            self.place.portion += 1;
        }
        if known || shared.watch.reason() == Some(CutReason::Memory) {
            return 0..0;
        }
        settle(shared, &mut own.batch, &mut own.fresh);
        if !shared.table.is_out() {
            return own.fresh.unwrap_or(0..0);
        }
        match shared.table.sift() {
            Ok(fresh) => fresh,
            Err(error) => {
                self.trouble(Some(error));
                0..0
            }
        }
    }

    /// Initial states of the next valuation, as many as there is room for.
    fn initialise(&mut self, own: &mut StartScratch<'_, S>) {
        let shared = self.shared;
        let (number, skipped) = (self.place.setup, self.place.skipped);
        let constants = shared.setups.get(number);
        if skipped == 0 {
            // With the first of its initial states: a portion that ends here must not tell it twice.
            self.static_assertions(constants);
        }
        let known_guards = shared.skipping.map_or(0, |skipping| skipping.initially());
        let unproved = shared.tests.unproved_after(None, true) & !known_guards;
        let (mut seen, mut full) = (0u64, false);
        let StartScratch { batch, view, scratch, reducer, words, known, fresh: settled, left } =
            own;
        let setup = shared.setup(number);
        let answer = shared.system.initial(setup, scratch, &mut |row| {
            if shared.stopped() {
                return Flow::Enough;
            }
            if seen < skipped {
                seen += 1;
                return Flow::More;
            }
            if *left == 0 {
                full = true;
                return Flow::Enough;
            }
            seen += 1;
            *left -= 1;
            if *known {
                return Flow::More;
            }
            words.clear();
            words.extend_from_slice(row.words());
            let look = reducer.as_mut().map_or(Look::Insert, |r| r.look(number, RowMut(words)));
            let fresh = match look {
                Look::Insert => true,
                Look::Known => false,
                Look::Candidate { key } => shared.system.admit(key, setup, RowRef(words)),
            };
            let fresh = fresh && !(planted(Flaw::LostInitial) && seen == 3);
            if shared.several {
                words.push(number.0 as u32);
            }
            let rank = number.0 as u32;
            let fresh = fresh && !(planted(Flaw::LostInitial) && seen == 2);
            if fresh && !shared.table.offer_unproved(batch, view, words, rank, unproved) {
                shared.watch.halt(CutReason::Memory);
            }
            // As for steps of a state: one batch at a time, however many there are.
            if batch.len() >= KEPT {
                settle(shared, batch, settled);
                // Who folds must fold as the table does now.
                *view = shared.table.view();
            }
            // Each comes once, so all of them are new.
            let limit = shared.options.limits.states;
            let states = batch.len() as u64 + shared.table.len() as u64;
            if limit.is_some_and(|limit| states >= limit) {
                shared.watch.halt(CutReason::States);
            }
            if shared.stopped() { Flow::Enough } else { Flow::More }
        });
        if seen < skipped && shared.stopped() {
            // Stopped on the way to where the last portion ended: nothing was taken, and what is left
            // is told in the end.
            return;
        }
        let count = seen.saturating_sub(skipped);
        self.initial_transitions += count;
        self.place.taken += count + u64::from(skipped == 0);
        let root = || Path { constants: constants.owned(), ..Path::default() };
        if full {
            // What was left out is told when all of it is known; what goes wrong, at once.
            self.place.skipped = seen;
            answer.faults.into_iter().for_each(|f| self.keep(initialisation(f), Some(root())));
            return;
        }
        (self.place.setup, self.place.skipped) = (SetupIndex(number.0 + 1), 0);
        for cut in &answer.cuts {
            self.cuts.add(cut);
        }
        if !answer.complete() {
            self.note_initial();
        }
        if seen == 0 && answer.complete() && answer.faults.is_empty() {
            self.keep(FindingKind::NoInitialState, Some(root()));
        }
        for fault in answer.faults {
            self.keep(initialisation(fault), Some(root()));
        }
    }

    /// Some initial states are not known.
    pub(super) fn note_initial(&mut self) {
        let words = "not all initial states were found";
        self.cuts.note(CutReason::InitialStates, Span::NONE, words, 1);
    }

    fn static_assertions(&mut self, constants: ConstantsRef<'_>) {
        if !self.shared.options.checks.assertions {
            return;
        }
        let system = self.shared.system;
        for check in system.signature().assertions.iter().filter(|c| c.constant) {
            let kind = match system.holds_of_constants(check.pred, constants, &mut self.scratch) {
                Truth::True => continue,
                Truth::False => FindingKind::Violated(check.id),
                Truth::Undefined(fault) => FindingKind::Undefined(check.id, fault),
                Truth::Unknown(cut) => {
                    self.cuts.add(&cut);
                    continue;
                }
            };
            let path = Path { constants: constants.owned(), ..Path::default() };
            self.keep(kind, Some(path));
        }
    }
}

/// Gives numbers to initial states; nothing else is settled meanwhile, so they follow one another.
fn settle<S: TransitionSystem>(
    shared: &Shared<'_, S>,
    batch: &mut Batch,
    settled: &mut Option<Range<u32>>,
) {
    match shared.table.alone().settle(batch, None) {
        Some(new) => *settled = Some(settled.as_ref().map_or(new.start, |f| f.start)..new.end),
        None => shared.watch.halt(CutReason::Memory),
    }
}
