//! Plans as data: what the planner decided for a query, without the closures.
//!
//! A second tier of the engine runs the same plans in another form, and people can look at them.
//! Values come in the order of the plan: whoever follows it finds solutions in the same order.

use crate::build::peel;
use crate::context::Cx;
use crate::normal;
use crate::plan::Measuring;
use crate::replan::Replanned;
use crate::subst::conjunction;
use crate::system::System;
use beeline_model::{Expr, LocalId, Model, OperationId, Pred, Subst};

/// One step of a plan.
#[derive(Clone, Debug, PartialEq)]
pub enum PlanStep {
    /// Goes on if it holds.
    Test(Pred),
    /// Binds the names of the pattern that have no value yet; its other parts must be equal.
    Let {
        /// Names, pairs and records of them, and expressions over names that have a value.
        pattern: Expr,
        /// What it is equal to.
        value: Expr,
    },
    /// The same for each element of a set, in canonical order.
    Each {
        /// As for `Let`.
        pattern: Expr,
        /// Where its values come from.
        set: Expr,
    },
    /// All integers between the greatest of the lower and the least of the upper bounds.
    Between {
        /// The name.
        local: LocalId,
        /// Lower bounds.
        lows: Vec<Expr>,
        /// Upper bounds.
        highs: Vec<Expr>,
    },
    /// Every value of its type.
    Type(LocalId),
    /// Every subset of a set.
    Subsets {
        /// The name.
        local: LocalId,
        /// The whole.
        set: Expr,
    },
    /// The propagating solver finds all names that these speak of.
    Solve(Vec<Pred>),
    /// Something else, which is only named.
    Other(&'static str),
}

/// A step of a plan, and what the planner expects of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Planned {
    /// The step.
    pub step: PlanStep,
    /// How many values it tries for each choice before it, about; 1e300 is without end.
    pub fanout: f64,
}

/// Plans queries of a compiled model once more, for those who want to see them.
pub struct Planner<'m> {
    cx: Cx<'m>,
}

impl<'m> Planner<'m> {
    /// A planner that decides as the one that made this system.
    pub fn new(model: &'m Model, system: &System) -> Planner<'m> {
        let runtime = &system.runtime;
        let mut cx = Cx::new(model, &runtime.settings, runtime.store.clone(), runtime.sets.clone());
        cx.outlining = true;
        Planner { cx }
    }

    /// From now on plans are those that an operation has after it was planned again, if it was.
    pub fn follow(&mut self, plans: Option<&Replanned>, operation: usize) {
        let figures = plans.and_then(|plans| plans.figures(operation));
        self.cx.measuring = figures.cloned().map(Measuring::by);
    }

    /// The model.
    pub fn model(&self) -> &'m Model {
        self.cx.model
    }

    /// How the parameters of an operation are found, and what is executed with them.
    pub fn operation(&mut self, id: OperationId) -> (Vec<PlanStep>, &'m Subst) {
        let (steps, rest) = self.estimated_operation(id);
        (steps.into_iter().map(|planned| planned.step).collect(), rest)
    }

    /// The same, with what is expected of each step.
    pub fn estimated_operation(&mut self, id: OperationId) -> (Vec<Planned>, &'m Subst) {
        let row = self.cx.model.operation(id);
        let (guard, rest) = peel(&row.body);
        let preds: Vec<Pred> =
            if guard.is_empty() { Vec::new() } else { vec![conjunction(&guard)] };
        (self.estimated(&row.parameters, &preds), rest)
    }

    /// How names are found that satisfy predicates.
    pub fn query(&mut self, locals: &[LocalId], preds: &[Pred]) -> Vec<PlanStep> {
        self.estimated(locals, preds).into_iter().map(|planned| planned.step).collect()
    }

    /// The same, with what is expected of each step.
    pub fn estimated(&mut self, locals: &[LocalId], preds: &[Pred]) -> Vec<Planned> {
        stacker::maybe_grow(4 << 20, 64 << 20, || self.cx.query(locals, preds).outline)
    }

    /// `!x.(P => Q)`: how the names are found, and what must hold of them.
    pub fn universal(&mut self, locals: &[LocalId], body: &Pred) -> (Vec<PlanStep>, Pred) {
        let (steps, claim) = self.estimated_universal(locals, body);
        (steps.into_iter().map(|planned| planned.step).collect(), claim)
    }

    /// The same, with what is expected of each step.
    pub fn estimated_universal(&mut self, locals: &[LocalId], body: &Pred) -> (Vec<Planned>, Pred) {
        let (locals, conditions, claim) = normal::universal(locals, body);
        (self.estimated(&locals, &conditions), claim)
    }
}
