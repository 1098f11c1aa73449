//! What the abstraction can do, remembered by a worker: steps of one operation from one abstract state by
//! arguments and results, and where a set of abstract states can go.
//!
//! It does not know the refinement, and so no gluing invariant.

use crate::both::Both;
use beeline_compile::{
    Answer, ConstantsRef, Cut, CutReason, Fault, Flow, OperationIndex, Scratch, StateRef,
};
use beeline_value::Val;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// So many results are remembered before all are forgotten. States that are neighbours in a search share them; to
/// keep more costs more than to find them again.
const REMEMBERED: usize = 1 << 15;

/// The steps of one operation from one abstract state.
#[derive(Debug, Default)]
pub(crate) struct Steps {
    /// Arguments and results are so many words.
    width: usize,
    /// Arguments and results, then where that leads; in the order in which they were found.
    rows: Vec<u32>,
    /// The numbers of rows, in the order of what is in them.
    order: Vec<u32>,
    pub faults: Vec<Fault>,
    pub cuts: Vec<Cut>,
}

impl Steps {
    /// Is there a step with these arguments and results?
    pub fn has(&self, label: &[u32]) -> bool {
        self.targets(label).next().is_some()
    }

    /// Where steps with these arguments and results lead, each state once.
    pub fn targets(&self, label: &[u32]) -> impl Iterator<Item = Val> {
        let begin = match label.len() == self.width {
            true => self.order.partition_point(|n| self.label(*n) < label),
            false => self.order.len(),
        };
        let same = self.order[begin..].iter().take_while(move |n| self.label(**n) == label);
        same.map(|n| Val::from_raw(self.row(*n)[self.width]))
    }

    /// Arguments and results, in the order in which they were found.
    pub fn labels(&self) -> impl Iterator<Item = &[u32]> {
        self.rows.chunks_exact(self.width + 1).map(|row| &row[..self.width])
    }

    /// Is there no step at all?
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    fn row(&self, number: u32) -> &[u32] {
        let begin = number as usize * (self.width + 1);
        &self.rows[begin..begin + self.width + 1]
    }

    fn label(&self, number: u32) -> &[u32] {
        &self.row(number)[..self.width]
    }

    /// Puts the rows in order; what is there twice counts once.
    fn sort(&mut self) {
        let count = self.rows.len() / (self.width + 1);
        let mut order: Vec<u32> = (0..count as u32).collect();
        order.sort_by(|a, b| self.row(*a).cmp(self.row(*b)));
        order.dedup_by(|a, b| self.row(*a) == self.row(*b));
        self.order = order;
    }
}

/// Where a set of abstract states goes with some arguments and results.
#[derive(Debug, Default)]
pub(crate) struct After {
    pub targets: Vec<Val>,
    pub faults: Vec<Fault>,
    pub cuts: Vec<Cut>,
}

/// What a worker remembers.
#[derive(Default)]
pub(crate) struct Memory {
    constants: Vec<u32>,
    steps: FxHashMap<(u32, usize), Arc<Steps>>,
    after: FxHashMap<Box<[u32]>, Arc<After>>,
    key: Vec<u32>,
    words: Vec<u32>,
}

impl Memory {
    /// What is remembered belongs to one valuation of the constants.
    pub fn turn_to(&mut self, constants: ConstantsRef<'_>) {
        let full = self.steps.len() + self.after.len() > REMEMBERED;
        if full || self.constants != constants.words() {
            self.constants.clear();
            self.constants.extend(constants.iter());
            self.steps.clear();
            self.after.clear();
        }
    }

    /// The steps of an operation from an abstract state.
    pub fn steps(
        &mut self,
        both: &Both<'_>,
        from: Val,
        operation: usize,
        scratch: &mut Scratch,
    ) -> Arc<Steps> {
        if let Some(known) = self.steps.get(&(from.raw(), operation)) {
            return known.clone();
        }
        let mut words = std::mem::take(&mut self.words);
        both.place(from, &mut words);
        let steps = Arc::new(self.found(both, &words, operation, scratch));
        self.words = words;
        self.steps.insert((from.raw(), operation), steps.clone());
        steps
    }

    fn found(
        &self,
        both: &Both<'_>,
        words: &[u32],
        operation: usize,
        scratch: &mut Scratch,
    ) -> Steps {
        let mut steps = Steps::default();
        let labelled = both.is_labelled(operation);
        let mut opaque = false;
        let answer = both.system.successors_of(
            OperationIndex(operation),
            ConstantsRef(&self.constants),
            StateRef(words),
            scratch,
            &mut |step| {
                let begin = steps.rows.len();
                if labelled {
                    steps.rows.extend(step.arguments.iter().chain(step.results.iter().copied()));
                }
                steps.width = steps.rows.len() - begin;
                opaque |= steps.rows[begin..].iter().any(|w| Val::from_raw(*w).is_opaque());
                steps.rows.push(both.record_of(step.target.words()).raw());
                Flow::More
            },
        );
        let Answer { faults, cuts, .. } = answer;
        (steps.faults, steps.cuts) = (faults, cuts);
        if opaque {
            steps.cuts.push(unlisted());
        }
        steps.sort();
        steps
    }

    /// Where a set goes by an operation with this label.
    pub fn after(
        &mut self,
        both: &Both<'_>,
        (set, members): (Val, &[Val]),
        operation: usize,
        label: &[u32],
        scratch: &mut Scratch,
    ) -> Arc<After> {
        self.key.clear();
        self.key.extend([set.raw(), operation as u32]);
        self.key.extend_from_slice(label);
        if let Some(known) = self.after.get(self.key.as_slice()) {
            return known.clone();
        }
        let key: Box<[u32]> = self.key.as_slice().into();
        let mut after = After::default();
        for member in members {
            let steps = self.steps(both, *member, operation, scratch);
            after.targets.extend(steps.targets(label));
            after.faults.extend(steps.faults.iter().cloned());
            after.cuts.extend(steps.cuts.iter().cloned());
        }
        if members.len() > 1 {
            let mut seen = FxHashSet::default();
            after.targets.retain(|t| seen.insert(t.raw()));
        }
        if label.iter().any(|w| Val::from_raw(*w).is_opaque()) {
            after.cuts.push(unlisted());
        }
        let after = Arc::new(after);
        self.after.insert(key, after.clone());
        after
    }
}

/// Equal values that are written differently are not recognised.
fn unlisted() -> Cut {
    Cut {
        reason: CutReason::LargeSet,
        span: beeline_source::Span::NONE,
        words: "arguments or results are sets that are not listed: it is not known which are equal"
            .to_owned(),
    }
}
