//! The first steps: valuations of the constants, initial states, checks that concern constants only.

use super::Search;
use crate::cuts::Cuts;
use crate::finding::{FindingKind, Path};
use crate::options::Options;
use crate::reduce::{Look, Reduction};
use crate::watch::Watch;
use crate::worker::initialisation;
use beeline_compile::{CutReason, Flow, System, Truth};
use beeline_fault::{Flaw, planted};
use beeline_source::Span;
use beeline_table::Batch;
use std::ops::Range;

pub(super) struct Start {
    pub setups: Vec<Vec<u32>>,
    pub cuts: Cuts,
    pub faults: Vec<beeline_compile::Fault>,
}

impl Start {
    pub fn setups(
        &mut self,
        system: &System,
        options: &Options,
        reduction: Option<&dyn Reduction>,
        watch: &Watch,
    ) {
        let limit = options.limits.states.unwrap_or(u64::MAX).min(u64::from(u32::MAX));
        let answer = system.setups(&mut system.scratch(), &mut |constants| {
            if self.setups.len() as u64 >= limit {
                watch.halt(CutReason::States, system);
                return Flow::Enough;
            }
            let dropped = planted(Flaw::SetupsDropped) && !self.setups.is_empty();
            if reduction.is_none_or(|r| !dropped && r.admit_setup(constants)) {
                self.setups.push(constants.to_vec());
            }
            if watch.stopped() { Flow::Enough } else { Flow::More }
        });
        for cut in &answer.cuts {
            self.cuts.add(cut);
        }
        if !answer.complete() {
            let words = "not all valuations of the constants were found";
            self.cuts.note(CutReason::Constants, Span::NONE, words, 1);
        }
        self.faults = answer.faults;
    }
}

impl Search<'_> {
    /// All initial states, and the checks that concern constants only.
    pub(super) fn initialise(&mut self) -> Range<u32> {
        let shared = self.shared;
        let (mut batch, mut view) = (Batch::new(1), shared.table.view());
        let several = shared.setups.len() > 1;
        let mut reducer = shared.reduction.map(|r| r.reducer());
        let mut memory = shared.engine.memory();
        let open = shared.tests.open_after(None, true);
        for (number, constants) in shared.setups.iter().enumerate() {
            self.static_assertions(constants);
            let (mut count, mut row) = (0u64, Vec::new());
            let answer = shared.engine.initial(number, &mut memory, &mut |state| {
                row.clear();
                row.extend_from_slice(state);
                let fresh = match (&mut reducer, shared.reduction) {
                    (Some(reducer), Some(reduction)) => match reducer.look(number, &mut row) {
                        Look::Insert => true,
                        Look::Known => false,
                        Look::Candidate { key } => reduction.admit(key, number, &row),
                    },
                    _ => true,
                };
                if several {
                    row.push(number as u32);
                }
                count += 1;
                let rank = number as u32;
                let fresh = fresh && !(planted(Flaw::LostInitial) && count == 2);
                if fresh && !shared.table.offer_open(&mut batch, &mut view, &row, rank, open) {
                    shared.watch.halt(CutReason::Memory, shared.system);
                }
                // Each comes once, so all of them are new.
                let limit = shared.options.limits.states;
                if limit.is_some_and(|limit| batch.len() as u64 >= limit) {
                    shared.watch.halt(CutReason::States, shared.system);
                }
                if shared.stopped() { Flow::Enough } else { Flow::More }
            });
            self.initial_transitions += count;
            for cut in &answer.cuts {
                self.cuts.add(cut);
            }
            if !answer.complete() {
                let words = "not all initial states were found";
                self.cuts.note(CutReason::InitialStates, Span::NONE, words, 1);
            }
            let root = || Path { constants: constants.clone(), ..Path::default() };
            if count == 0 && answer.complete() && answer.faults.is_empty() {
                self.keep(FindingKind::NoInitialState, Some(root()));
            }
            for fault in answer.faults {
                self.keep(initialisation(fault), Some(root()));
            }
            if shared.stopped() {
                break;
            }
        }
        if shared.watch.reason() == Some(CutReason::Memory) {
            return 0..0;
        }
        shared.table.alone().settle(&mut batch, None).unwrap_or_else(|| {
            shared.watch.halt(CutReason::Memory, shared.system);
            0..0
        })
    }

    fn static_assertions(&mut self, constants: &[u32]) {
        if !self.shared.options.checks.assertions {
            return;
        }
        let system = self.shared.system;
        for (i, check) in system.assertions().iter().enumerate().filter(|(_, c)| c.constant) {
            let kind = match system.holds_of_constants(check.pred, constants, &mut self.scratch) {
                Truth::True => continue,
                Truth::False => FindingKind::Assertion(i),
                Truth::Undefined(fault) => FindingKind::AssertionUndefined(i, fault),
                Truth::Unknown(cut) => {
                    self.cuts.add(&cut);
                    continue;
                }
            };
            let path = Path { constants: constants.to_vec(), ..Path::default() };
            self.keep(kind, Some(path));
        }
    }
}
