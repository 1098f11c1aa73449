//! What is known before a step along each path of an operation, made once for all pairs.

use crate::action::{Action, Path, is_pure};
use crate::effort::Effort;
use crate::known::Known;
use crate::replace::{is_large, is_large_pred};
use beeline_model::{Model, Pred};
use beeline_prove::Context;

/// A path with what is known before a step along it.
pub(crate) struct Way<'m> {
    /// Without the invariant.
    pub before: Known<'m>,
    /// With it.
    pub after: Known<'m>,
    /// All of it as facts, for others.
    pub context: Context,
}

/// What is known of all states.
pub(crate) struct Bases<'m> {
    model: &'m Model,
    effort: Effort,
    properties: Known<'m>,
    invariant: Known<'m>,
}

impl<'m> Bases<'m> {
    pub fn new(model: &'m Model, effort: Effort) -> Bases<'m> {
        let mut properties = Known::new(model, effort.steps.saturating_mul(BASE));
        properties.assume(known_properties(model));
        let mut invariant = properties.with(effort.steps.saturating_mul(BASE));
        invariant.assume(known_invariant(model));
        Bases { model, effort, properties, invariant }
    }

    /// Of all paths of an operation; `number` is that of the first context.
    pub fn ways(&self, action: &Action, number: usize) -> Vec<Way<'m>> {
        let way = |(at, path)| self.way(action, path, number + at);
        action.paths.iter().enumerate().map(way).collect()
    }

    fn way(&self, action: &Action, path: &Path, number: usize) -> Way<'m> {
        let before = self.before(&self.properties, path);
        let mut facts: Vec<Pred> = known_conditions(path).cloned().collect();
        facts.extend(known_properties(self.model).cloned());
        if action.operation.is_none() {
            return Way { after: before.clone(), before, context: Context { number, facts } };
        }
        facts.extend(known_invariant(self.model).cloned());
        let after = self.before(&self.invariant, path);
        Way { before, after, context: Context { number, facts } }
    }

    fn before(&self, base: &Known<'m>, path: &Path) -> Known<'m> {
        let mut known = base.with(self.effort.steps);
        assume_taken(&mut known, path);
        known
    }

    /// What is known with the invariant before a step along each path.
    pub fn with_invariant(&self, action: &Action) -> Vec<Known<'m>> {
        let base = if action.operation.is_some() { &self.invariant } else { &self.properties };
        action.paths.iter().map(|path| self.before(base, path)).collect()
    }
}

/// What is known before a step along a path, whether or not the invariant holds.
pub(crate) fn taken<'m>(model: &'m Model, path: &Path, steps: u64) -> Known<'m> {
    let mut known = Known::new(model, steps);
    known.assume(known_properties(model));
    assume_taken(&mut known, path);
    known
}

fn assume_taken(known: &mut Known<'_>, path: &Path) {
    known.assume(known_conditions(path));
    // The step was taken: what is assigned was evaluated.
    let values = path.after.iter().map(|(_, e)| e).filter(|e| !is_large(e));
    values.for_each(|e| known.terms.is_evaluated(e));
    known.assume([]);
}

/// What is made once may be this many times as much work as a pair.
const BASE: u64 = 20;

fn known_conditions(path: &Path) -> impl Iterator<Item = &Pred> {
    path.conditions.iter().filter(|p| is_pure(p) && !is_large_pred(p))
}

fn known_properties(model: &Model) -> impl Iterator<Item = &Pred> {
    let all = model.properties.iter().map(|p| &p.conjunct.pred);
    all.filter(|p| is_pure(p) && !is_large_pred(p))
}

fn known_invariant(model: &Model) -> impl Iterator<Item = &Pred> {
    let all = model.concrete().invariants.iter().map(|i| &i.conjunct.pred);
    all.filter(|p| is_pure(p) && !is_large_pred(p))
}
