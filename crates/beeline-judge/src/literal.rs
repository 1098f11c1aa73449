//! The parts of a search problem: unknowns, and what must hold of them.

use crate::Judge;
use crate::error::Eval;
use crate::mentions::Mentions;
use crate::scene::Scene;
use crate::value::Value;
use beeline_model::{CompareOp, ConstantId, Expr, ExprKind, LocalId, Pred, PredKind, TypeId};
use std::collections::BTreeSet;
use std::rc::Rc;

/// A name whose value is searched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Unknown {
    Local(LocalId),
    Constant(ConstantId),
}

impl Unknown {
    pub fn bind(self, value: Value, scene: &mut Scene) {
        match self {
            Unknown::Local(id) => scene.bind(id, value),
            Unknown::Constant(id) => scene.state.set_constant(id, Some(value)),
        }
    }

    /// The unknown that an expression is, if it is a bare name.
    pub fn of(expr: &Expr) -> Option<Unknown> {
        match &expr.kind {
            ExprKind::Local(id) => Some(Unknown::Local(*id)),
            ExprKind::Constant(id) => Some(Unknown::Constant(*id)),
            _ => None,
        }
    }

    pub fn ty(self, judge: &Judge<'_>) -> TypeId {
        match self {
            Unknown::Local(id) => judge.model.local(id).ty,
            Unknown::Constant(id) => judge.model.constant(id).ty,
        }
    }
}

/// One thing that must hold.
#[derive(Clone, Debug)]
pub(crate) enum Demand<'a> {
    /// A predicate has this truth.
    Truth(&'a Pred, bool),
    /// An expression has this value.
    Equals(&'a Expr, Value),
}

/// A demand and the unknowns it mentions: in all, on its left and on its right side.
#[derive(Clone, Debug)]
pub(crate) struct Literal<'a> {
    pub demand: Demand<'a>,
    pub mentions: BTreeSet<Unknown>,
    pub left: BTreeSet<Unknown>,
    pub right: BTreeSet<Unknown>,
    /// One of several alternatives, searched for its values. It may rule a candidate out; what it
    /// is a part of decides.
    pub hint: bool,
    /// Its alternatives are being searched already.
    pub searched: bool,
}

fn unknowns(mentions: Mentions) -> BTreeSet<Unknown> {
    let constants = mentions.constants.into_iter().map(Unknown::Constant);
    mentions.locals.into_iter().map(Unknown::Local).chain(constants).collect()
}

impl<'a> Literal<'a> {
    pub fn truth(pred: &'a Pred, truth: bool) -> Literal<'a> {
        let (left, right) = match &pred.kind {
            PredKind::Compare(_, a, b) => {
                (unknowns(Mentions::of_expr(a)), unknowns(Mentions::of_expr(b)))
            }
            _ => (unknowns(Mentions::of_pred(pred)), BTreeSet::new()),
        };
        let mentions = left.union(&right).copied().collect();
        Literal {
            demand: Demand::Truth(pred, truth),
            mentions,
            left,
            right,
            hint: false,
            searched: false,
        }
    }

    pub fn equals(expr: &'a Expr, value: Value) -> Literal<'a> {
        let left = unknowns(Mentions::of_expr(expr));
        let demand = Demand::Equals(expr, value);
        Literal {
            demand,
            mentions: left.clone(),
            left,
            right: BTreeSet::new(),
            hint: false,
            searched: false,
        }
    }

    /// Is it satisfied? All that it mentions has a value.
    pub fn decide(&self, judge: &Judge<'_>, scene: &Scene) -> Eval<bool> {
        match &self.demand {
            Demand::Truth(pred, truth) => Ok(judge.holds(pred, scene)? == *truth),
            Demand::Equals(expr, value) => judge.equal(&judge.eval(expr, scene)?, value),
        }
    }

    fn unsearched(&self) -> Option<&Demand<'a>> {
        (!self.searched).then_some(&self.demand)
    }

    /// Does it still mention an unknown of these?
    pub fn is_open(&self, unbound: &BTreeSet<Unknown>) -> bool {
        !self.mentions.is_disjoint(unbound)
    }

    /// The comparison it is, with a negation pushed into the operator.
    pub fn comparison(&self) -> Option<(CompareOp, &'a Expr, &'a Expr)> {
        let Demand::Truth(pred, truth) = &self.demand else { return None };
        let PredKind::Compare(op, a, b) = &pred.kind else { return None };
        Some((if *truth { *op } else { negated(*op)? }, a, b))
    }
}

fn negated(op: CompareOp) -> Option<CompareOp> {
    use CompareOp as Op;
    Some(match op {
        Op::NotEqual => Op::Equal,
        Op::NotMember => Op::Member,
        Op::NotSubset => Op::Subset,
        Op::Less => Op::GreaterEqual,
        Op::LessEqual => Op::Greater,
        Op::Greater => Op::LessEqual,
        Op::GreaterEqual => Op::Less,
        _ => return None,
    })
}

/// Splits "this predicate has this truth" into parts that must all hold.
pub(crate) fn split<'a>(pred: &'a Pred, truth: bool, parts: &mut Vec<Rc<Literal<'a>>>) {
    match (&pred.kind, truth) {
        (PredKind::Bool(known), _) if *known == truth => {}
        (PredKind::And(all), true) => all.iter().for_each(|p| split(p, true, parts)),
        (PredKind::Or(any), false) => any.iter().for_each(|p| split(p, false, parts)),
        (PredKind::Not(p), _) => split(p, !truth, parts),
        (PredKind::Implies(p, q), false) => {
            split(p, true, parts);
            split(q, false, parts);
        }
        _ => parts.push(Rc::new(Literal::truth(pred, truth))),
    }
}

/// The parts of one alternative, as hints.
pub(crate) fn hints<'a>(pred: &'a Pred, truth: bool, parts: &mut Vec<Rc<Literal<'a>>>) {
    let mut split_off = Vec::new();
    split(pred, truth, &mut split_off);
    parts.extend(split_off.iter().map(|l| Rc::new(Literal { hint: true, ..(**l).clone() })));
}

/// The alternatives of a literal that is a disjunction.
pub(crate) fn alternatives<'a>(literal: &Literal<'a>) -> Option<Vec<(&'a Pred, bool)>> {
    let Demand::Truth(pred, truth) = literal.unsearched()? else { return None };
    match (&pred.kind, truth) {
        (PredKind::Or(any), true) => Some(any.iter().map(|p| (p, true)).collect()),
        (PredKind::And(all), false) => Some(all.iter().map(|p| (p, false)).collect()),
        (PredKind::Implies(p, q), true) => Some(vec![(&**p, false), (&**q, true)]),
        _ => None,
    }
}

/// The names and body of a literal that says that something exists.
pub(crate) fn existential<'a>(literal: &Literal<'a>) -> Option<(&'a [LocalId], &'a Pred, bool)> {
    let Demand::Truth(pred, truth) = literal.unsearched()? else { return None };
    match (&pred.kind, truth) {
        (PredKind::Exists(locals, p), true) => Some((locals, p, true)),
        (PredKind::Forall(locals, p), false) => Some((locals, p, false)),
        _ => None,
    }
}
