//! What is to be said about the end of a path: the same questions that an exploration asks there.

use crate::confirm::{Tracer, judge_settings};
use crate::decide::{Found, tell};
use beeline_compile::{Answer, ConstantsRef, Cut, Fault, Flow, StateRef, System, Truth};
use beeline_explore::{Finding, FindingKind, Path};
use beeline_judge::Judge;
use beeline_model::{ConjunctId, Model};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The end of a path.
#[derive(Debug, Default)]
pub struct Inspected {
    /// What is found there.
    pub found: Vec<Found>,
    /// What could not be decided.
    pub cuts: Vec<Cut>,
}

/// Looks at the end of a path. When `stop` becomes true the judge ends soon.
pub fn inspect(model: &Model, system: &System, path: &Path, stop: &Arc<AtomicBool>) -> Inspected {
    let mut kinds = Kinds::default();
    match path.last() {
        Some(state) => kinds.of_state(system, path.constants.view(), state),
        None => kinds.of_constants(system, path.constants.view()),
    }
    let mut judge = Judge::new(model, judge_settings(model, system));
    judge.stop_when(Arc::clone(stop));
    let mut tracer = Tracer::new(system);
    let found = kinds.found.into_iter().map(|kind| {
        let finding = Finding { kind, path: path.clone() };
        tell(&judge, &mut tracer, system, &finding, model.special.goal.as_ref())
    });
    Inspected { found: found.collect(), cuts: kinds.cuts }
}

#[derive(Default)]
struct Kinds {
    found: Vec<FindingKind>,
    cuts: Vec<Cut>,
}

impl Kinds {
    fn of_state(&mut self, system: &System, constants: ConstantsRef<'_>, state: StateRef<'_>) {
        let mut scratch = system.scratch();
        for check in system.checks() {
            self.add(check.id, system.holds(check.pred, constants, state, &mut scratch));
        }
        if let Some(goal) = system.goal() {
            match system.holds(goal, constants, state, &mut scratch) {
                Truth::True => self.found.push(FindingKind::Goal),
                Truth::False => {}
                Truth::Undefined(fault) => self.found.push(FindingKind::GoalUndefined(fault)),
                Truth::Unknown(cut) => self.cuts.push(*cut),
            }
        }
        let mut possible = false;
        let answer = system.successors(constants, state, &mut scratch, &mut |_| {
            possible = true;
            Flow::More
        });
        self.steps(answer, possible, FindingKind::Deadlock, FindingKind::Operation);
    }

    fn of_constants(&mut self, system: &System, constants: ConstantsRef<'_>) {
        let mut scratch = system.scratch();
        for check in system.assertions().iter().filter(|c| c.constant) {
            self.add(check.id, system.holds_of_constants(check.pred, constants, &mut scratch));
        }
        let mut possible = false;
        let answer = system.initial(constants, &mut scratch, &mut |_| {
            possible = true;
            Flow::Enough
        });
        self.steps(answer, possible, FindingKind::NoInitialState, FindingKind::Initialisation);
    }

    fn add(&mut self, conjunct: ConjunctId, truth: Truth) {
        match truth {
            Truth::True => {}
            Truth::False => self.found.push(FindingKind::Violated(conjunct)),
            Truth::Undefined(fault) => self.found.push(FindingKind::Undefined(conjunct, fault)),
            Truth::Unknown(cut) => self.cuts.push(*cut),
        }
    }

    /// No way on is a finding only if nothing was left out and nothing failed.
    fn steps(
        &mut self,
        answer: Answer,
        possible: bool,
        none: FindingKind,
        fails: impl Fn(Box<Fault>) -> FindingKind,
    ) {
        if !possible && answer.cuts.is_empty() && answer.faults.is_empty() {
            self.found.push(none);
        }
        self.found.extend(answer.faults.into_iter().map(|fault| fails(Box::new(fault))));
        self.cuts.extend(answer.cuts);
    }
}
