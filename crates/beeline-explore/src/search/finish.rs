//! The end: facts and what was left out become an [`Exploration`].

use super::{Keeper, Search};
use crate::exploration::{Counts, Exploration};
use crate::proof::Contradiction;
use crate::stats::{Stats, checksum};
use crate::watch::resident_bytes;
use beeline_fault::{Flaw, planted};
use beeline_source::Span;
use beeline_table::StateId;
use beeline_transition::{ConjunctId, Cut, CutReason, TransitionSystem};
use std::sync::atomic::Ordering;

impl<S: TransitionSystem> Search<'_, S> {
    /// What is told of time and bytes.
    fn stats(&mut self) -> Option<Stats> {
        let shared = self.shared;
        if !shared.options.stats {
            return None;
        }
        let signature = shared.system.signature();
        let mut stats = std::mem::take(&mut self.stats);
        if !shared.table.is_compact()
            && let Some((sum, unlisted)) = checksum(shared)
        {
            (stats.checksum, stats.unlisted) = (Some(sum), unlisted);
        }
        stats.table = shared.table.bytes();
        (stats.width, stats.pairs) = (shared.table.width(), shared.table.pairs());
        stats.values = shared.system.values();
        stats.disk = shared.table.disk_bytes();
        stats.operations = std::mem::take(&mut self.totals.operations);
        stats.remembered = std::mem::take(&mut self.totals.remembered);
        stats.left_out = self.totals.left_out;
        stats.invariants.resize(signature.invariants.len(), Default::default());
        stats.assertions.resize(signature.assertions.len(), Default::default());
        for (id, spent) in shared.tests.conjuncts().zip(&self.totals.tests) {
            match id {
                ConjunctId::Invariant(_) => stats.invariants[id.index()] = *spent,
                ConjunctId::Assertion(_) => stats.assertions[id.index()] = *spent,
            }
        }
        Some(stats)
    }

    /// What is not known of the states because of values that their words do not tell from others.
    fn doubtful_states(&self) -> Option<Cut> {
        let (shared, table) = (self.shared, self.shared.table);
        shared.system.doubt(&mut |found| {
            let (known, mut view) = (table.reader(), table.view());
            for id in (0..table.len() as u32).map(StateId) {
                known.load(id, &mut view);
                found(shared.at(view.words()).row);
            }
        })
    }

    /// Tells of every state, in the order in which they were found.
    fn tell_kept(&self, keeper: &Keeper<'_>) {
        let (shared, table) = (self.shared, self.shared.table);
        let (known, mut view) = (table.reader(), table.view());
        let mut scratch = shared.system.scratch();
        for id in (0..table.len() as u32).map(StateId) {
            known.load(id, &mut view);
            let at = shared.at(view.words());
            let state = shared.system.unpack(at.row, &mut scratch);
            keeper(at.constants(), state.view());
        }
    }

    pub(super) fn finish(
        mut self,
        distrusted: Option<Contradiction>,
        keeper: Option<&Keeper<'_>>,
    ) -> Exploration {
        if distrusted.is_some() {
            let words = "a proof that came with the model is wrong: no proofs were used";
            self.troubles.push(words.to_owned());
        }
        let (shared, watch) = (self.shared, self.shared.watch);
        self.cuts.merge(std::mem::take(&mut self.totals.cuts));
        // Of a search that ended with what it found nobody expects that it looked at all.
        let unfinished = !self.stopped_at_finding;
        if unfinished && self.place.setup.0 < shared.setups.len() {
            self.note_initial();
        }
        if unfinished && !self.late.is_empty() {
            let reason = watch.reason().unwrap_or(CutReason::Interrupted);
            let words = "not all steps of some states were found";
            self.cuts.note(reason, Span::NONE, words, self.late.len() as u64);
        }
        self.cuts.merge(self.supply.cuts(unfinished && shared.setups.has_more()));
        if shared.table.is_compact() && !planted(Flaw::CompactUntold) {
            let odds = beeline_table::omission(shared.table.len() as u64);
            let words = format!(
                "states were told apart by a hash of 64 bits: one was missed with a probability \
                 of at most {odds:.1e}"
            );
            self.cuts.note(CutReason::HashCompaction, Span::NONE, &words, 1);
        }
        // It is about exact counts, which nobody has if something else was left out.
        if self.cuts.is_empty()
            && watch.reason().is_none()
            && !planted(Flaw::DoubtUntold)
            && let Some(cut) = self.doubtful_states()
        {
            self.cuts.add(&cut);
        }
        if let Some(reason) = watch.reason() {
            // Evaluations that were broken off say so, but not why.
            self.cuts.forget(CutReason::Interrupted);
            let waiting = watch.frontier.load(Ordering::Relaxed);
            let words = match (stop_words(reason), waiting) {
                (words, 0) => words.to_owned(),
                (words, n) => format!("{words}; {n} states were not expanded"),
            };
            let untold = planted(Flaw::TimeUntold) && reason == CutReason::Time
                || planted(Flaw::StatesUntold) && reason == CutReason::States;
            if !untold {
                self.cuts.note(reason, Span::NONE, &words, 1);
            }
        }
        if self.cuts.is_empty() && !shared.table.is_compact() {
            keeper.iter().for_each(|keeper| self.tell_kept(keeper));
        }
        let constants = self.setup_nodes();
        let states = shared.table.len() as u64;
        // Near the end, because it looks at every state once more.
        let stats = self.stats();
        Exploration {
            symbolic: None,
            stats,
            resumed: self.resumed,
            refused: self.refused,
            troubles: self.troubles,
            proof: shared.options.proof,
            skip: shared.options.skip,
            wrong_skips: self.wrong_skips,
            contradictions: distrusted
                .into_iter()
                .chain(self.contradictions.into_iter().map(|(_, c)| c))
                .collect(),
            samples: self.samples,
            sampled: shared.tests.proved(),
            provers: shared.tests.learned().to_vec(),
            counts: Counts {
                nodes: 1 + constants + states,
                constants,
                transitions: constants + self.initial_transitions + self.totals.transitions,
                invariant_evaluations: self.totals.checks,
                invariant_evaluations_known: self.totals.saved,
                guard_evaluations: self.totals.guards,
                guard_evaluations_known: self.totals.guards_known,
            },
            no_setup: shared.setups.is_empty(),
            findings: self.found,
            order: shared.options.order,
            minimal: !self.far && self.cuts.list().iter().all(|cut| only_ends(cut.reason)),
            cuts: self.cuts,
            stopped_at_finding: self.stopped_at_finding,
            setup_faults: std::mem::take(&mut self.supply.faults),
            depth: self.depth,
            covered: self.totals.covered,
            lost_path: self.lost_path,
            elapsed: watch.elapsed(),
            cpu: watch.cpu(),
            peak_memory_bytes: resident_bytes()
                .map(|now| now.max(watch.peak_bytes.load(Ordering::Relaxed))),
            bytes_per_state: shared.table.bytes().total() as f64 / states.max(1) as f64,
        }
    }
}

/// Does a cut of this kind leave out only what lies behind all that was found?
fn only_ends(reason: CutReason) -> bool {
    use CutReason::{Depth, Interrupted, Memory, States, Time};
    matches!(reason, Depth | Interrupted | Memory | States | Time)
}

fn stop_words(reason: CutReason) -> &'static str {
    match reason {
        CutReason::Time => "the time limit was reached",
        CutReason::Memory => "the memory limit was reached",
        CutReason::Disk => "states could not be written to disk",
        CutReason::States => "the limit on the number of states was reached",
        CutReason::Interrupted => "the exploration was interrupted",
        CutReason::WorkerLost => "a worker ended with an internal error",
        _ => "the exploration was stopped",
    }
}
