//! Which names a formula reads and binds.
//!
//! Locals are unique in the whole model, so free locals are those mentioned and not bound.

use beeline_model::{
    ConstantId, Expr, ExprKind, LocalId, Model, Pred, PredKind, Subst, SubstKind, VariableId,
};
use std::collections::BTreeSet;

/// The names in a formula.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    pub variables: BTreeSet<VariableId>,
    pub constants: BTreeSet<ConstantId>,
    /// Free locals, once [`Names::close`] was called.
    pub locals: BTreeSet<LocalId>,
    pub bound: BTreeSet<LocalId>,
    /// How many nodes were seen.
    pub size: usize,
}

impl Names {
    pub fn of_expr(model: &Model, e: &Expr) -> Names {
        let mut names = Names::default();
        names.expr(model, e);
        names.close()
    }

    pub fn of_pred(model: &Model, p: &Pred) -> Names {
        let mut names = Names::default();
        names.pred(model, p);
        names.close()
    }

    /// Does it read nothing at all?
    pub fn is_closed(&self) -> bool {
        self.variables.is_empty() && self.constants.is_empty() && self.locals.is_empty()
    }

    pub fn close(mut self) -> Names {
        let bound = std::mem::take(&mut self.bound);
        self.locals.retain(|l| !bound.contains(l));
        self.bound = bound;
        self
    }

    pub fn expr(&mut self, model: &Model, e: &Expr) {
        self.size += 1;
        match &e.kind {
            ExprKind::Variable(v) => {
                self.variables.insert(*v);
            }
            ExprKind::Constant(c) => {
                self.constants.insert(*c);
            }
            ExprKind::Local(l) => {
                self.locals.insert(*l);
            }
            ExprKind::OperationCall(id, _) => {
                let operation = model.operation(*id);
                self.variables.extend(&operation.reads);
                self.subst(model, &operation.body);
                self.bound.extend(operation.parameters.iter().chain(&operation.results));
            }
            ExprKind::Comprehension(b)
            | ExprKind::MapComprehension(b, _)
            | ExprKind::Lambda(b, _)
            | ExprKind::Quantified(_, b, _) => self.bound.extend(&b.locals),
            ExprKind::Let(values, _) => self.bound.extend(values.iter().map(|v| v.0)),
            _ => {}
        }
        children_of_expr(e, &mut |child| match child {
            Child::Expr(e) => self.expr(model, e),
            Child::Pred(p) => self.pred(model, p),
        });
    }

    pub fn pred(&mut self, model: &Model, p: &Pred) {
        self.size += 1;
        match &p.kind {
            PredKind::Forall(locals, _) | PredKind::Exists(locals, _) => self.bound.extend(locals),
            PredKind::Let(values, _) => self.bound.extend(values.iter().map(|v| v.0)),
            _ => {}
        }
        children_of_pred(p, &mut |child| match child {
            Child::Expr(e) => self.expr(model, e),
            Child::Pred(p) => self.pred(model, p),
        });
    }

    /// Names of the formulas inside a substitution, as far as an operation call needs them.
    fn subst(&mut self, model: &Model, s: &Subst) {
        if let SubstKind::Assign(parts) = &s.kind {
            for part in parts {
                self.expr(model, &part.value);
            }
        }
    }
}

/// A part of a formula.
pub(crate) enum Child<'a> {
    Expr(&'a Expr),
    Pred(&'a Pred),
}

/// Visits the direct parts of an expression.
pub(crate) fn children_of_expr<'a>(e: &'a Expr, visit: &mut dyn FnMut(Child<'a>)) {
    match &e.kind {
        ExprKind::SetExtension(es)
        | ExprKind::SequenceExtension(es)
        | ExprKind::Record(es)
        | ExprKind::RecordSet(es)
        | ExprKind::External(_, es)
        | ExprKind::OperationCall(_, es)
        | ExprKind::FreeTypeSet(_, es) => es.iter().for_each(|e| visit(Child::Expr(e))),
        ExprKind::Unary(_, a) | ExprKind::Field(a, _) => visit(Child::Expr(a)),
        ExprKind::Binary(_, a, b) | ExprKind::Apply(a, b) => {
            visit(Child::Expr(a));
            visit(Child::Expr(b));
        }
        ExprKind::Ternary(_, parts) => parts.iter().for_each(|e| visit(Child::Expr(e))),
        ExprKind::Comprehension(b) => visit(Child::Pred(&b.predicate)),
        ExprKind::MapComprehension(b, e)
        | ExprKind::Lambda(b, e)
        | ExprKind::Quantified(_, b, e) => {
            visit(Child::Pred(&b.predicate));
            visit(Child::Expr(e));
        }
        ExprKind::If(p, a, b) => {
            visit(Child::Pred(p));
            visit(Child::Expr(a));
            visit(Child::Expr(b));
        }
        ExprKind::Let(values, body) => {
            values.iter().for_each(|(_, e)| visit(Child::Expr(e)));
            visit(Child::Expr(body));
        }
        ExprKind::BoolOf(p) => visit(Child::Pred(p)),
        _ => {}
    }
}

/// Visits the direct parts of a predicate.
pub(crate) fn children_of_pred<'a>(p: &'a Pred, visit: &mut dyn FnMut(Child<'a>)) {
    match &p.kind {
        PredKind::Bool(_) => {}
        PredKind::And(ps) | PredKind::Or(ps) => ps.iter().for_each(|p| visit(Child::Pred(p))),
        PredKind::Not(p) | PredKind::Forall(_, p) | PredKind::Exists(_, p) => {
            visit(Child::Pred(p));
        }
        PredKind::Implies(a, b) | PredKind::Equivalent(a, b) => {
            visit(Child::Pred(a));
            visit(Child::Pred(b));
        }
        PredKind::Compare(_, a, b) => {
            visit(Child::Expr(a));
            visit(Child::Expr(b));
        }
        PredKind::If(a, b, c) => {
            for p in [a, b, c] {
                visit(Child::Pred(p));
            }
        }
        PredKind::Let(values, body) => {
            values.iter().for_each(|(_, e)| visit(Child::Expr(e)));
            visit(Child::Pred(body));
        }
        PredKind::Finite(e) => visit(Child::Expr(e)),
        PredKind::Partition(e, parts) => {
            visit(Child::Expr(e));
            parts.iter().for_each(|e| visit(Child::Expr(e)));
        }
        PredKind::External(_, es) => es.iter().for_each(|e| visit(Child::Expr(e))),
    }
}
