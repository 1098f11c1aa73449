//! What must not be missed, and who can bring it about.

use super::{Finder, Wanted};
use crate::Set;
use crate::relations::{Guard, Property};
use beeline_flow::parts_read;
use beeline_model::{ConjunctId, OperationId, Pred, PredKind};
use beeline_prove::{Syntactic, facts};

impl Finder<'_> {
    /// Everything that is checked, without what holds in every reachable state.
    pub(super) fn properties(
        &mut self,
        wanted: &Wanted<'_>,
        proved: &[ConjunctId],
    ) -> Vec<Property> {
        let mut found = Vec::new();
        let model = self.model;
        let level = model.concrete();
        if wanted.invariants {
            let preserved = if wanted.first { self.preserved() } else { Vec::new() };
            for (id, invariant) in level.numbered_invariants() {
                if invariant.only_types || proved.contains(&id) {
                    continue;
                }
                let not = Set::of(
                    self.operations.len(),
                    preserved.iter().filter(|(_, c)| *c == id).map(|p| p.0),
                );
                found.extend(self.property(&invariant.conjunct.pred, false, &not));
            }
        }
        if wanted.assertions {
            for (_, assertion) in level.numbered_assertions() {
                found.extend(self.property(&assertion.conjunct.pred, false, &Set::default()));
            }
        }
        if let Some(goal) = wanted.goal {
            found.extend(self.property(goal, true, &Set::default()));
        }
        found
    }

    /// What is preserved where the whole invariant holds.
    fn preserved(&self) -> Vec<(usize, ConjunctId)> {
        let mut syntactic = Syntactic::default();
        let all = facts(self.model, &mut [&mut syntactic]);
        let operations = &self.model.concrete().operations;
        let place = |id: OperationId| operations.iter().position(|o| *o == id);
        all.iter()
            .filter_map(|fact| Some((place(fact.preserved.operation?)?, fact.preserved.conjunct)))
            .collect()
    }

    /// States in which a predicate has this value; or no meaning, which counts as well. `not` never lead to
    /// one. Nothing if nobody does.
    fn property(&mut self, p: &Pred, value: bool, not: &Set) -> Option<Property> {
        let parts = parts_read(self.model, p);
        let total = self.is_total(p);
        let changers = self.changers(p, &parts, value).into_iter().filter(|o| !not.has(*o));
        let enablers = Set::of(self.operations.len(), changers);
        if enablers.is_empty() {
            return None;
        }
        let mut guards = Vec::new();
        // Where it may have no meaning its parts alone do not say when.
        if total {
            let mut atoms = Vec::new();
            split(p, value, &mut atoms);
            for (atom, wanted) in atoms {
                let parts = parts_read(self.model, atom);
                let changers = self.changers(atom, &parts, wanted);
                let enablers = Set::of(self.operations.len(), changers);
                guards.push(Guard { condition: self.condition(atom), wanted, enablers });
            }
        }
        Some(Property { guards, enablers })
    }
}

/// What must hold, or not hold, so that a predicate has this value.
fn split<'p>(p: &'p Pred, value: bool, atoms: &mut Vec<(&'p Pred, bool)>) {
    match (&p.kind, value) {
        (PredKind::And(list), true) | (PredKind::Or(list), false) => {
            list.iter().for_each(|p| split(p, value, atoms));
        }
        (PredKind::Not(p), _) => split(p, !value, atoms),
        (PredKind::Implies(a, b), false) => {
            split(a, true, atoms);
            split(b, false, atoms);
        }
        _ => atoms.push((p, value)),
    }
}
