//! What workers hand over after a wave: the first finding of each kind is kept, with its path.

use super::Search;
use crate::finding::{Finding, FindingKind, Path};
use crate::output::Output;
use crate::path::{at_end, path};
use crate::proof::Contradiction;
use crate::skip::WrongSkip;
use beeline_table::StateId;
use beeline_transition::{OperationIndex, TransitionSystem};

impl<S: TransitionSystem> Search<'_, S> {
    /// Takes over the results of one wave.
    pub fn take(&mut self, mut output: Output) {
        let findings = std::mem::take(&mut output.findings);
        if !output.suspects.is_empty() {
            if self.saver.is_some() {
                self.saved.suspects.extend(output.suspects.iter().map(|id| id.0));
            }
            let suspects = &self.shared.suspects;
            let mut suspects = suspects.write().unwrap_or_else(std::sync::PoisonError::into_inner);
            suspects.extend(std::mem::take(&mut output.suspects));
        }
        self.take_findings(findings);
        self.take_contradictions(std::mem::take(&mut output.contradictions));
        self.take_wrong_skips(std::mem::take(&mut output.wrong_skips));
        self.totals.merge(output);
    }

    /// Keeps the first contradiction of each test, and finds out who was wrong.
    fn take_contradictions(&mut self, mut found: Vec<(u32, StateId, usize)>) {
        let shared = self.shared;
        // The first state is told, whoever met it.
        found.sort_unstable();
        for (_, id, test) in found {
            let (Some(conjunct), Some(preserved)) =
                (shared.tests.conjunct(test), shared.tests.preserved())
            else {
                continue;
            };
            if self.contradictions.iter().any(|(t, _)| *t == test) {
                continue;
            }
            let path = path(shared, id, &mut self.scratch);
            let last = path.as_ref().and_then(|p| p.steps.last()).map(|s| s.operation);
            // Another step into the state may have vouched for it: then one of those that could.
            let all = shared.system.signature().operation_indices().map(Some).chain([None]);
            let operations = match preserved.vouches(last, test) {
                true => vec![last],
                false => all.filter(|o| preserved.vouches(*o, test)).collect(),
            };
            // What it reads was as in the state before.
            let operations = if operations.is_empty() { vec![last] } else { operations };
            let steps = path.map_or(0, |p| p.steps.len());
            let found = Contradiction { conjunct, operations, steps };
            self.contradictions.push((test, found));
        }
    }

    /// Keeps the first state in which the guard of each operation is not what it was known to be.
    fn take_wrong_skips(&mut self, mut found: Vec<(u32, StateId, (OperationIndex, bool))>) {
        found.sort_unstable();
        for (_, id, (operation, is_enabled)) in found {
            if self.wrong_skips.iter().any(|wrong| wrong.operation == operation) {
                continue;
            }
            let path = path(self.shared, id, &mut self.scratch);
            let after = path.as_ref().and_then(|p| p.steps.last()).map(|s| s.operation);
            let steps = path.map_or(0, |p| p.steps.len());
            self.wrong_skips.push(WrongSkip { operation, is_enabled, after, steps });
        }
    }

    /// Keeps the first finding of each kind.
    pub fn take_findings(&mut self, mut findings: Vec<(u32, StateId, FindingKind)>) {
        // By rank of the state and then by kind, as a single thread meets them.
        findings.sort_by_key(|(rank, _, kind)| (*rank, kind.key()));
        for (_, id, kind) in findings {
            if self.is_new(&kind) {
                // Interrupted evaluations would hide the path.
                self.shared.watch.let_go();
                let path = path(self.shared, id, &mut self.scratch);
                // For a checkpoint: what was found is found again from the state, not written down.
                self.found_at.push(id);
                let kind = match (&path, self.shared.system.reduces()) {
                    (Some(path), true) => at_end(self.shared, kind, path, &mut self.scratch),
                    _ => kind,
                };
                self.keep(kind, path);
            }
        }
    }

    fn is_new(&self, kind: &FindingKind) -> bool {
        self.found.iter().all(|f| f.kind.key() != kind.key())
    }

    pub(super) fn keep(&mut self, kind: FindingKind, path: Option<Path>) {
        if !self.is_new(&kind) {
            return;
        }
        match path {
            Some(path) => self.found.push(Finding { kind, path }),
            None => self.lost_path = true,
        }
    }
}
