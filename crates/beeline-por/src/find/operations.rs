//! Operations: what they read and write, whether they may fail, what they wait for.

use super::Finder;
use crate::Set;
use crate::relations::{Behaviour, Guard};
use beeline_flow::{Part, parts_read, read_sets};
use beeline_model::{Model, Operation, VariableId};

/// What an operation reads and writes.
pub(super) struct Known {
    pub guard: Vec<Part>,
    pub body: Vec<Part>,
    pub writes: Vec<Part>,
    pub may_fail: bool,
}

/// Of all operations of the most concrete level, in their order.
pub(super) fn known(model: &Model) -> Vec<Known> {
    let sets = read_sets(model);
    let operations = sets.into_iter().filter_map(|sets| Some((sets.operation?, sets)));
    let one = |(id, sets): (_, beeline_flow::ReadSets)| {
        let operation: &Operation = model.operation(id);
        let mut known =
            Known { guard: sets.guard, body: sets.body, writes: sets.writes, may_fail: true };
        // What is known of an operation as a whole counts as well, whatever it does inside.
        add(&mut known.writes, &[], &operation.writes);
        add(&mut known.body, &known.guard, &operation.reads);
        known
    };
    operations.map(one).collect()
}

/// Adds variables that no part is of.
fn add(parts: &mut Vec<Part>, beside: &[Part], variables: &[VariableId]) {
    for variable in variables {
        if parts.iter().chain(beside).all(|part| part.variable != *variable) {
            parts.push(Part::whole(*variable));
        }
    }
}

impl Known {
    pub fn reads(&self) -> Vec<Part> {
        self.guard.iter().chain(&self.body).cloned().collect()
    }
}

impl Finder<'_> {
    /// Finds out which operations may fail.
    pub(super) fn find_failing(&mut self) {
        let model = &self.influence.model;
        let ids = &model.concrete().operations;
        let fails = |id| !self.analysis.never_fails(model.operation(id), &self.env);
        let may_fail: Vec<bool> = ids.iter().map(|id| fails(*id)).collect();
        for (known, may_fail) in self.operations.iter_mut().zip(may_fail) {
            known.may_fail = may_fail;
        }
    }

    pub(super) fn behaviours(&mut self) -> Vec<Behaviour> {
        let count = self.operations.len();
        let mut all: Vec<Behaviour> = (0..count).map(|at| self.behaviour(at)).collect();
        for one in 0..count {
            for other in one + 1..count {
                if !self.accord(one, other) {
                    all[one].conflicts.add(other);
                    all[other].conflicts.add(one);
                }
            }
        }
        all
    }

    fn behaviour(&mut self, at: usize) -> Behaviour {
        let count = self.operations.len();
        let known = &self.operations[at];
        let may_fail = known.may_fail;
        // Where it may fail, what it computes may come to have no meaning while the guard is as it was.
        let parts = if may_fail { known.reads() } else { known.guard.clone() };
        let enablers = Set::of(count, self.writers(&parts));
        let guards = self.guards(at, may_fail);
        Behaviour { guards, enablers, conflicts: Set::new(count), may_fail }
    }

    /// Conjuncts of the guard that can be looked at in a state.
    fn guards(&mut self, at: usize, may_fail: bool) -> Vec<Guard> {
        let influence = self.influence;
        let Some(guard) = &influence.guards[at] else { return Vec::new() };
        let (mut found, mut unsure) = (Vec::new(), Vec::new());
        let count = if may_fail { guard.plain } else { guard.conjuncts.len() };
        for p in guard.conjuncts.iter().take(count) {
            let parts = parts_read(&influence.model, p);
            if self.is_condition(p) {
                // A conjunct before it that may have no meaning would make it fail, whatever this one says.
                let before = self.writers(&unsure).collect::<Vec<_>>();
                let changers = self.changers(p, &parts, true);
                let enablers = Set::of(self.operations.len(), changers.into_iter().chain(before));
                found.push(Guard { condition: self.condition(p), wanted: true, enablers });
            }
            if may_fail && !self.is_total(p) {
                unsure.extend(parts);
            }
        }
        found
    }
}
