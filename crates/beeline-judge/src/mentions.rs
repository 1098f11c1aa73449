//! Which names a formula mentions.

use beeline_model::{Binder, ConstantId, Expr, ExprKind, LocalId, Pred, PredKind, VariableId};
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
        mentions.pred(pred);
        mentions
    }

    pub fn exprs(&mut self, exprs: &[Expr]) {
        exprs.iter().for_each(|e| self.expr(e));
    }

    pub fn binder(&mut self, binder: &Binder) {
        self.bound.extend(&binder.locals);
        self.pred(&binder.predicate);
    }

    /// The formula nests as deeply as the text; the parser limits that, the stack grows here.
    pub fn expr(&mut self, expr: &Expr) {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.expr_kind(&expr.kind));
    }

    fn expr_kind(&mut self, kind: &ExprKind) {
        match kind {
            ExprKind::Integer(_)
            | ExprKind::Bool(_)
            | ExprKind::Real(_)
            | ExprKind::String(_)
            | ExprKind::MaxInt
            | ExprKind::MinInt
            | ExprKind::Element(..)
            | ExprKind::GivenSet(_)
            | ExprKind::Basic(_)
            | ExprKind::Function(_)
            | ExprKind::EmptySet
            | ExprKind::Constructor(..) => {}
            ExprKind::Variable(id) => {
                self.variables.insert(*id);
            }
            ExprKind::Constant(id) => {
                self.constants.insert(*id);
            }
            ExprKind::Local(id) => {
                self.locals.insert(*id);
            }
            ExprKind::SetExtension(parts)
            | ExprKind::SequenceExtension(parts)
            | ExprKind::Record(parts)
            | ExprKind::RecordSet(parts)
            | ExprKind::External(_, parts)
            | ExprKind::OperationCall(_, parts)
            | ExprKind::FreeTypeSet(_, parts) => self.exprs(parts),
            ExprKind::Unary(_, e) | ExprKind::Field(e, _) => self.expr(e),
            ExprKind::Binary(_, a, b) | ExprKind::Apply(a, b) => {
                self.expr(a);
                self.expr(b);
            }
            ExprKind::Ternary(_, parts) => self.exprs(parts.as_slice()),
            ExprKind::Comprehension(binder) => self.binder(binder),
            ExprKind::MapComprehension(binder, e)
            | ExprKind::Lambda(binder, e)
            | ExprKind::Quantified(_, binder, e) => {
                self.binder(binder);
                self.expr(e);
            }
            ExprKind::If(p, a, b) => {
                self.pred(p);
                self.expr(a);
                self.expr(b);
            }
            ExprKind::Let(values, e) => {
                self.lets(values);
                self.expr(e);
            }
            ExprKind::BoolOf(p) => self.pred(p),
        }
    }

    fn lets(&mut self, values: &[(LocalId, Expr)]) {
        for (local, value) in values {
            self.bound.insert(*local);
            self.expr(value);
        }
    }

    /// As [`Mentions::expr`].
    pub fn pred(&mut self, pred: &Pred) {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.pred_kind(&pred.kind));
    }

    fn pred_kind(&mut self, kind: &PredKind) {
        match kind {
            PredKind::Bool(_) => {}
            PredKind::And(parts) | PredKind::Or(parts) => parts.iter().for_each(|p| self.pred(p)),
            PredKind::Not(p) => self.pred(p),
            PredKind::Implies(p, q) | PredKind::Equivalent(p, q) => {
                self.pred(p);
                self.pred(q);
            }
            PredKind::Compare(_, a, b) => {
                self.expr(a);
                self.expr(b);
            }
            PredKind::Forall(locals, p) | PredKind::Exists(locals, p) => {
                self.bound.extend(locals);
                self.pred(p);
            }
            PredKind::If(p, q, r) => {
                self.pred(p);
                self.pred(q);
                self.pred(r);
            }
            PredKind::Let(values, p) => {
                self.lets(values);
                self.pred(p);
            }
            PredKind::Finite(e) => self.expr(e),
            PredKind::Partition(e, parts) => {
                self.expr(e);
                self.exprs(parts);
            }
            PredKind::External(_, parts) => self.exprs(parts),
        }
    }
}
