//! The truth of a predicate, and the logic of its ill-defined parts.
//!
//! A conjunction with a false conjunct is false even if another conjunct is ill-defined, wherever
//! it stands; dually for disjunctions. So the order of conjuncts never changes a verdict.

use crate::Judge;
use crate::error::{Eval, EvalError};
use crate::parts::integer;
use crate::scene::Scene;
use crate::solve::{Policy, Solve};
use crate::value::Value;
use beeline_model::{
    BinaryOp, CompareOp, Conjunct, Expr, ExprKind, LocalId, Pred, PredKind, UnaryOp,
};

impl Judge<'_> {
    /// Is a predicate true in a scene?
    pub fn holds(&self, pred: &Pred, scene: &Scene) -> Eval<bool> {
        self.enter(&scene.state);
        self.deeper(|| self.holds_kind(pred, scene)).map_err(|error| error.at(pred.span))
    }

    /// Are all conjuncts true?
    pub fn all_hold<'c>(
        &self,
        conjuncts: impl IntoIterator<Item = &'c Conjunct>,
        scene: &Scene,
    ) -> Eval<bool> {
        self.all(conjuncts.into_iter().map(|c| &c.pred), true, scene)
    }

    fn holds_kind(&self, pred: &Pred, scene: &Scene) -> Eval<bool> {
        match &pred.kind {
            PredKind::Bool(truth) => Ok(*truth),
            PredKind::And(parts) => self.all(parts.iter(), true, scene),
            PredKind::Or(parts) => Ok(!self.all(parts.iter(), false, scene)?),
            PredKind::Not(p) => Ok(!self.holds(p, scene)?),
            PredKind::Implies(p, q) => match self.holds(p, scene) {
                Ok(true) => self.holds(q, scene),
                Ok(false) => Ok(true),
                Err(error) if error.is_final() => Err(error),
                Err(error) => match self.holds(q, scene) {
                    Ok(true) => Ok(true),
                    Ok(false) => Err(error),
                    Err(other) => Err(other.joined(error)),
                },
            },
            PredKind::Equivalent(p, q) => Ok(self.holds(p, scene)? == self.holds(q, scene)?),
            PredKind::Compare(op, a, b) => self.compare(*op, a, b, scene),
            PredKind::Forall(locals, p) => Ok(!self.exists(locals, p, false, scene)?),
            PredKind::Exists(locals, p) => self.exists(locals, p, true, scene),
            PredKind::If(condition, yes, no) => match self.holds(condition, scene) {
                Ok(truth) => self.holds(if truth { yes } else { no }, scene),
                Err(error) if error.is_final() => Err(error),
                // `condition & yes or not(condition) & no`: false if both are.
                Err(error) => match (self.holds(yes, scene), self.holds(no, scene)) {
                    (Ok(false), Ok(false)) => Ok(false),
                    (Err(other), _) | (_, Err(other)) => Err(other.joined(error)),
                    _ => Err(error),
                },
            },
            PredKind::Let(values, p) => self.holds(p, &self.let_scene(values, scene)?),
            PredKind::Finite(set) => self.finite(&self.eval(set, scene)?),
            PredKind::Partition(whole, parts) => {
                self.partition(&self.eval(whole, scene)?, self.eval_all(parts, scene)?)
            }
            PredKind::External(id, arguments) => {
                let external = self.model.external(*id);
                self.external_predicate(external, arguments, scene, pred.span)
            }
        }
    }

    /// Do all parts have this truth? One that has not decides, even beside an ill-defined one.
    fn all<'p>(
        &self,
        parts: impl Iterator<Item = &'p Pred>,
        truth: bool,
        scene: &Scene,
    ) -> Eval<bool> {
        let parts = parts.map(|part| self.holds(part, scene).map(|found| found == truth));
        all_true(parts)
    }

    /// Are there values of the names for which the predicate has this truth?
    fn exists(&self, locals: &[LocalId], pred: &Pred, truth: bool, scene: &Scene) -> Eval<bool> {
        let mut search = Solve::new(self, Policy::Bound, pred.span);
        search.add_locals(locals);
        search.add_pred(pred, truth);
        search.exists(scene.clone())
    }

    fn partition(&self, whole: &Value, parts: Vec<Value>) -> Eval<bool> {
        let mut union = Value::empty();
        for part in parts {
            if !self.is_empty(&self.intersection(union.clone(), part.clone())?)? {
                return Ok(false);
            }
            union = self.union(union, part)?;
        }
        self.equal(&union, whole)
    }

    fn compare(&self, op: CompareOp, a: &Expr, b: &Expr, scene: &Scene) -> Eval<bool> {
        use CompareOp as Op;
        match op {
            Op::Member => self.member(a, b, scene),
            Op::NotMember => Ok(!self.member(a, b, scene)?),
            Op::Subset | Op::NotSubset if matches!(a.kind, ExprKind::SetExtension(_)) => {
                let ExprKind::SetExtension(parts) = &a.kind else { return Ok(false) };
                let inside = all_true(parts.iter().map(|part| self.member(part, b, scene)))?;
                Ok(inside == (op == Op::Subset))
            }
            _ => self.compare_values(op, &self.eval(a, scene)?, &self.eval(b, scene)?),
        }
    }

    /// `a : b`, as logic where the form allows it: `x : A /\ B` is `x : A & x : B`, and so on, also
    /// where one of them is ill-defined. A comprehension on the right is asked, not listed.
    fn member(&self, a: &Expr, b: &Expr, scene: &Scene) -> Eval<bool> {
        let inside = |a: &Expr, b: &Expr| self.deeper(|| self.member(a, b, scene));
        match (&b.kind, &a.kind) {
            (ExprKind::Binary(BinaryOp::Union, left, right), _) => {
                let neither = [inside(a, left), inside(a, right)];
                Ok(!all_true(neither.into_iter().map(|part| part.map(|inside| !inside)))?)
            }
            (ExprKind::Binary(BinaryOp::Intersection, left, right), _) => {
                all_true([inside(a, left), inside(a, right)])
            }
            (ExprKind::Binary(BinaryOp::Difference, left, right), _) => {
                all_true([inside(a, left), inside(a, right).map(|inside| !inside)])
            }
            (
                ExprKind::Binary(BinaryOp::Cartesian, left, right),
                ExprKind::Binary(BinaryOp::Pair, x, y),
            ) => all_true([inside(x, left), inside(y, right)]),
            (ExprKind::RecordSet(sets), ExprKind::Record(fields)) => {
                all_true(fields.iter().zip(sets).map(|(field, set)| inside(field, set)))
            }
            (ExprKind::Unary(UnaryOp::Power, set), ExprKind::SetExtension(parts)) => {
                all_true(parts.iter().map(|part| inside(part, set)))
            }
            (ExprKind::Comprehension(binder), _) => {
                let mut inner = scene.clone();
                self.bind_tuple(&binder.locals, &self.eval(a, scene)?, &mut inner)?;
                self.holds(&binder.predicate, &inner)
            }
            _ => {
                let value = self.eval(a, scene)?;
                self.contains(&self.eval(b, scene)?, &value)
            }
        }
    }

    pub(crate) fn compare_values(&self, op: CompareOp, a: &Value, b: &Value) -> Eval<bool> {
        use CompareOp as Op;
        match op {
            Op::Equal => self.equal(a, b),
            Op::NotEqual => Ok(!self.equal(a, b)?),
            Op::Member => self.contains(b, a),
            Op::NotMember => Ok(!self.contains(b, a)?),
            Op::Subset => self.subset(a, b),
            Op::NotSubset => Ok(!self.subset(a, b)?),
            Op::StrictSubset => Ok(self.subset(a, b)? && !self.equal(a, b)?),
            Op::NotStrictSubset => Ok(!self.subset(a, b)? || self.equal(a, b)?),
            Op::Less => Ok(integer(a)? < integer(b)?),
            Op::LessEqual => Ok(integer(a)? <= integer(b)?),
            Op::Greater => Ok(integer(a)? > integer(b)?),
            Op::GreaterEqual => Ok(integer(a)? >= integer(b)?),
            Op::RealLess | Op::RealLessEqual | Op::RealGreater | Op::RealGreaterEqual => {
                let (Value::Real(a), Value::Real(b)) = (a, b) else {
                    return Err(EvalError::internal("reals were expected"));
                };
                Ok(match op {
                    Op::RealLess => a < b,
                    Op::RealLessEqual => a <= b,
                    Op::RealGreater => a > b,
                    _ => a >= b,
                })
            }
        }
    }
}

/// A conjunction: one false part decides, even beside an ill-defined one.
fn all_true(parts: impl IntoIterator<Item = Eval<bool>>) -> Eval<bool> {
    let mut trouble = None;
    for part in parts {
        match part {
            Ok(true) => {}
            Ok(false) => return Ok(false),
            Err(error) if error.is_final() => return Err(error),
            Err(error) => error.join(&mut trouble),
        }
    }
    trouble.map_or(Ok(true), Err)
}
