//! Which names a formula mentions.

use beeline_model::{Binder, ConstantId, Expr, LocalId, Pred, VariableId, visit_expr, visit_pred};
use std::collections::BTreeSet;

/// The names in a formula. Bound names are unique in the model, so free is mentioned minus bound.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mentions {
    pub locals: BTreeSet<LocalId>,
    pub bound: BTreeSet<LocalId>,
    pub constants: BTreeSet<ConstantId>,
    pub variables: BTreeSet<VariableId>,
}

impl Mentions {
    pub fn of_expr(expr: &Expr) -> Mentions {
        let mut mentions = Mentions::default();
        mentions.expr(expr);
        mentions
    }

    pub fn of_pred(pred: &Pred) -> Mentions {
        let mut mentions = Mentions::default();
        visit_pred(pred, &mut mentions);
        mentions
    }

    pub fn expr(&mut self, expr: &Expr) {
        visit_expr(expr, self);
    }

    pub fn binder(&mut self, binder: &Binder) {
        self.bound.extend(&binder.locals);
        visit_pred(&binder.predicate, self);
    }
}

impl beeline_model::Mentions for Mentions {
    fn reads(&mut self, variable: VariableId) {
        self.variables.insert(variable);
    }

    fn local(&mut self, local: LocalId) {
        self.locals.insert(local);
    }

    fn binds(&mut self, local: LocalId) {
        self.bound.insert(local);
    }

    fn constant(&mut self, constant: ConstantId) {
        self.constants.insert(constant);
    }
}
