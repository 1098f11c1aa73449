//! Formulas in fewer words: what is known of their parts is left out, and numbers and empty sets are put together.
//!
//! The new formula has the same truth wherever what is known holds, and a meaning wherever the old one has.

use super::Known;
use crate::make;
use beeline_model::{BinaryOp, Expr, ExprKind, PartMut, Pred, PredKind, UnaryOp};

impl Known<'_> {
    /// A predicate without the parts that are surely true or false.
    pub fn folded(&mut self, p: &Pred) -> Pred {
        if self.is_out_of_steps() {
            return p.clone();
        }
        if !matches!(p.kind, PredKind::Bool(_))
            && let Some(truth) = self.truth(p)
            && self.is_defined(p)
        {
            return make::pred(PredKind::Bool(truth));
        }
        match &p.kind {
            PredKind::And(list) => self.joined(list, true),
            PredKind::Or(list) => self.joined(list, false),
            PredKind::Not(inner) => make::not(self.folded(inner)),
            PredKind::Implies(a, b) => {
                let (a, b) = (self.folded(a), self.folded(b));
                match (&a.kind, &b.kind) {
                    (PredKind::Bool(true), _) => b,
                    (PredKind::Bool(false), _) => make::pred(PredKind::Bool(true)),
                    (_, PredKind::Bool(false)) => make::not(a),
                    _ => make::pred(PredKind::Implies(Box::new(a), Box::new(b))),
                }
            }
            PredKind::Exists(names, body) => {
                let body = self.folded(body);
                match body.kind {
                    PredKind::Bool(_) => body,
                    _ => make::pred(PredKind::Exists(names.clone(), Box::new(body))),
                }
            }
            _ => p.clone(),
        }
    }

    /// A conjunction or disjunction without what adds nothing to it.
    fn joined(&mut self, list: &[Pred], all: bool) -> Pred {
        let mut left: Vec<Pred> = Vec::new();
        for p in list {
            let p = self.folded(p);
            match p.kind {
                PredKind::Bool(b) if b == all => {}
                // What stands before it may have no meaning: it stays then.
                PredKind::Bool(_) if left.iter().all(|p| self.is_defined(p)) => return p,
                PredKind::And(inner) if all => left.extend(inner),
                PredKind::Or(inner) if !all => left.extend(inner),
                kind => left.push(make::pred(kind)),
            }
        }
        if all { make::and(left) } else { make::or(left) }
    }
}

/// A predicate in which numbers are added up and empty sets left out.
pub(crate) fn fold_exprs(p: &mut Pred) {
    p.parts_mut(&mut fold_part);
}

fn fold_part(part: PartMut<'_>) {
    match part {
        PartMut::Expr(e) => fold_below(e),
        PartMut::Pred(p) => fold_exprs(p),
        _ => {}
    }
}

fn fold_below(e: &mut Expr) {
    e.parts_mut(&mut fold_part);
    if let Some(new) = shorter(e) {
        *e = new;
    }
}

/// The same value in fewer words, with a meaning wherever this has one. Operands that are left out always have one.
fn shorter(e: &Expr) -> Option<Expr> {
    use BinaryOp as B;
    let ExprKind::Binary(op, a, b) = &e.kind else {
        return match &e.kind {
            ExprKind::Unary(UnaryOp::Domain | UnaryOp::Range, inner)
                if matches!(inner.kind, ExprKind::EmptySet) =>
            {
                Some(make::expr(ExprKind::EmptySet, e.ty))
            }
            ExprKind::Unary(UnaryOp::Card, inner) if matches!(inner.kind, ExprKind::EmptySet) => {
                Some(make::integer(0))
            }
            _ => None,
        };
    };
    let empty = |e: &Expr| matches!(e.kind, ExprKind::EmptySet);
    match (op, &a.kind, &b.kind) {
        (B::Add, ExprKind::Integer(x), ExprKind::Integer(y)) => number(e, x + y),
        (B::Subtract, ExprKind::Integer(x), ExprKind::Integer(y)) => number(e, x - y),
        (B::Multiply, ExprKind::Integer(x), ExprKind::Integer(y)) if x.bits() + y.bits() < 128 => {
            number(e, x * y)
        }
        (B::Add | B::Subtract, _, ExprKind::Integer(n)) => added(e, *op, a, n),
        (B::Union, _, _) if empty(b) => Some((**a).clone()),
        (B::Union, _, _) if empty(a) => Some((**b).clone()),
        (B::Difference, _, _) if empty(b) => Some((**a).clone()),
        (B::Override, _, _) if empty(b) => Some((**a).clone()),
        _ => None,
    }
}

fn number(e: &Expr, n: num_bigint::BigInt) -> Option<Expr> {
    Some(make::expr(ExprKind::Integer(n), e.ty))
}

/// `a + n` or `a - n`, where `a` may be such a sum itself.
fn added(e: &Expr, op: BinaryOp, a: &Expr, n: &num_bigint::BigInt) -> Option<Expr> {
    let signed = |op: BinaryOp, n: &num_bigint::BigInt| match op {
        BinaryOp::Add => n.clone(),
        _ => -n,
    };
    let (base, sum) = match &a.kind {
        ExprKind::Binary(inner @ (BinaryOp::Add | BinaryOp::Subtract), base, m) => match &m.kind {
            ExprKind::Integer(m) => (&**base, signed(*inner, m) + signed(op, n)),
            _ => (a, signed(op, n)),
        },
        _ => (a, signed(op, n)),
    };
    let zero = num_bigint::BigInt::default();
    if sum == zero {
        return Some(base.clone());
    }
    let (op, n) = if sum > zero { (BinaryOp::Add, sum) } else { (BinaryOp::Subtract, -sum) };
    let right = make::expr(ExprKind::Integer(n), e.ty);
    let kind = ExprKind::Binary(op, Box::new(base.clone()), Box::new(right));
    Some(make::expr(kind, e.ty))
}
