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

/// So many results are remembered before all are forgotten.
const REMEMBERED: usize = 1 << 19;

/// The steps of one operation from one abstract state.
#[derive(Debug, Default)]
pub(crate) struct Steps {
    /// Arguments and results, in the order in which they were found.
    pub labels: Vec<Box<[u32]>>,
    /// Where each of them leads.
    targets: FxHashMap<Box<[u32]>, Vec<Val>>,
    pub faults: Vec<Fault>,
    pub cuts: Vec<Cut>,
}

impl Steps {
    /// Is there a step with these arguments and results?
    pub fn has(&self, label: &[u32]) -> bool {
        self.targets.contains_key(label)
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
        let mut seen: FxHashSet<(u32, u32)> = FxHashSet::default();
        let labelled = both.is_labelled(operation);
        let mut opaque = false;
        let answer = both.system.successors_of(
            OperationIndex(operation),
            ConstantsRef(&self.constants),
            StateRef(words),
            scratch,
            &mut |step| {
                let label: Box<[u32]> = match labelled {
                    true => step.arguments.iter().chain(step.results.iter().copied()).collect(),
                    false => Box::default(),
                };
                opaque |= label.iter().any(|w| Val::from_raw(*w).is_opaque());
                let target = both.record_of(step.target.words());
                if !steps.targets.contains_key(&label) {
                    steps.labels.push(label.clone());
                }
                let number = steps.labels.len() as u32;
                let list = steps.targets.entry(label).or_default();
                // A step of few targets is the usual case; of many each is looked for once.
                if list.len() < 8 && !list.contains(&target)
                    || list.len() >= 8 && seen.insert((number, target.raw()))
                {
                    list.push(target);
                }
                Flow::More
            },
        );
        let Answer { faults, cuts, .. } = answer;
        (steps.faults, steps.cuts) = (faults, cuts);
        if opaque {
            steps.cuts.push(unlisted());
        }
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
            if let Some(targets) = steps.targets.get(label) {
                after.targets.extend_from_slice(targets);
            }
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
