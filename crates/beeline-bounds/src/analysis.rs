//! What all parts of the analysis share: the model, the integers of the scope, and a limit.

use crate::domain::{Ints, Value};
use crate::env::{Env, Name};
use beeline_model::{Expr, ExprKind, Mentions, Model, visit_expr, visit_pred, visit_subst};
use num_traits::ToPrimitive;
use std::cell::Cell;
use std::collections::BTreeSet;

/// Formulas that are looked at in one go before the rest is taken for unknown.
const STEPS: u64 = 200_000;

/// One analysis of a model in a scope.
///
/// Sizes of deferred sets are not part of the scope: what is found holds for any that the text allows.
pub struct Analysis<'m> {
    pub(crate) model: &'m Model,
    pub(crate) max_int: Ints,
    pub(crate) min_int: Ints,
    pub(crate) thresholds: Vec<i128>,
    steps: Cell<u64>,
    /// What is left for everything together.
    budget: Cell<u64>,
}

impl<'m> Analysis<'m> {
    /// With these values of `MININT` and `MAXINT`.
    pub fn new(model: &'m Model, min_int: i64, max_int: i64) -> Analysis<'m> {
        let (min, max) = (Ints::one(min_int.into()), Ints::one(max_int.into()));
        Analysis::within(model, min, max)
    }

    /// With a `MININT` of at most, and a `MAXINT` of at least so much.
    pub fn unbounded(model: &'m Model, min_int: i64, max_int: i64) -> Analysis<'m> {
        let (min, max) = (Ints::to(Some(min_int.into())), Ints::from(Some(max_int.into())));
        Analysis::within(model, min, max)
    }

    fn within(model: &'m Model, min_int: Ints, max_int: Ints) -> Analysis<'m> {
        Analysis::resting(model, min_int, max_int, thresholds(model, min_int, max_int))
    }

    /// With these places where growing bounds rest.
    pub(crate) fn resting(
        model: &'m Model,
        min_int: Ints,
        max_int: Ints,
        thresholds: Vec<i128>,
    ) -> Analysis<'m> {
        let (steps, budget) = (Cell::new(STEPS), Cell::new(u64::MAX));
        Analysis { model, max_int, min_int, thresholds, steps, budget }
    }

    /// Only so many steps are taken for everything together: what is not found out by then stays
    /// unknown, on every computer alike.
    pub fn with_budget(self, steps: u64) -> Self {
        self.budget.set(steps);
        self
    }

    /// Is nothing left of the steps for everything together? What was found since is of no use.
    pub fn is_exhausted(&self) -> bool {
        self.budget.get() == 0
    }

    /// The model.
    pub fn model(&self) -> &'m Model {
        self.model
    }

    /// What is known of a name.
    pub fn known(&self, name: Name, env: &Env) -> Value {
        match env.get(name) {
            Some(value) => (**value).clone(),
            None => Value::top(self.model, name.ty(self.model)),
        }
    }

    /// Another formula may be looked at from the start.
    pub(crate) fn refill(&self) {
        self.steps.set(STEPS);
    }

    /// Is there still time to look at something?
    pub(crate) fn pay(&self) -> bool {
        let left = self.steps.get();
        self.steps.set(left.saturating_sub(1));
        self.spend(1);
        left > 0 && !self.is_exhausted()
    }

    /// Takes steps from what is left for everything together.
    pub(crate) fn spend(&self, steps: usize) {
        self.budget.set(self.budget.get().saturating_sub(steps as u64));
    }
}

/// Formulas may be deeper than the stack.
pub(crate) fn deep<T>(work: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(128 << 10, 2 << 20, work)
}

/// The integers that a model speaks of, and those beside them: where growing bounds rest.
fn thresholds(model: &Model, min_int: Ints, max_int: Ints) -> Vec<i128> {
    struct Literals(BTreeSet<i128>);
    impl Mentions for Literals {
        fn enter(&mut self, e: &Expr) -> bool {
            if let ExprKind::Integer(n) = &e.kind
                && let Some(n) = n.to_i128().filter(|n| n.unsigned_abs() < 1 << 100)
            {
                self.0.extend([n - 1, n, n + 1]);
            }
            true
        }
    }
    let mut found = Literals(BTreeSet::from([-1, 0, 1]));
    found.0.extend(min_int.single().into_iter().chain(max_int.single()));
    for property in &model.properties {
        visit_pred(&property.conjunct.pred, &mut found);
    }
    let level = model.concrete();
    for conjunct in level.all_conjuncts() {
        visit_pred(&conjunct.pred, &mut found);
    }
    for (_, subst) in &level.initialisation {
        visit_subst(subst, &mut found);
    }
    for operation in &level.operations {
        visit_subst(&model.operation(*operation).body, &mut found);
    }
    for variant in &level.variants {
        visit_expr(variant, &mut found);
    }
    for set in &model.sets {
        found.0.extend(set.elements.as_ref().map(|e| e.len() as i128));
    }
    // A chain must not rest at more places than there is time for.
    if found.0.len() > 40 {
        let step = found.0.len().div_ceil(40);
        found.0 = found.0.into_iter().step_by(step).chain([0]).collect();
    }
    found.0.into_iter().collect()
}
