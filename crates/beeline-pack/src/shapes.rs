//! What the values of each variable look like, as types and invariants say.
//!
//! Types are certain. What an invariant says is a claim: a value that does not fit the shape is
//! noticed when it is stored, and the shape is given up. Where neither says enough, abstract interpretation
//! may (`bounded`).

use crate::domain::Dom;
use crate::layout::Shape;
use crate::source::Consts;
use beeline_model::{
    BasicSet, BinaryOp, CompareOp, Expr, ExprKind, Pred, PredKind, Type, TypeId, UnaryOp,
    VariableId,
};
use rustc_hash::FxHashMap;

/// What is known of the values in a set: an upper bound of what they can be.
#[derive(Clone, Debug, PartialEq)]
enum Bound {
    Scalar(Dom),
    Set(Dom),
    Fun { from: Dom, to: Dom, total: bool },
}

/// Works out shapes for one valuation of the constants.
pub(crate) struct Shapes<'a> {
    consts: &'a Consts<'a>,
    found: FxHashMap<VariableId, Bound>,
    /// Bounds of integers from comparisons.
    lows: FxHashMap<VariableId, i64>,
    highs: FxHashMap<VariableId, i64>,
}

impl<'a> Shapes<'a> {
    /// The shape of each variable of the system.
    pub fn of(consts: &'a Consts<'a>) -> Vec<Shape> {
        let model = consts.source.model;
        let (found, lows, highs) = Default::default();
        let mut shapes = Shapes { consts, found, lows, highs };
        // A claim may speak of a variable that a later one bounds.
        for _ in 0..3 {
            for invariant in &model.concrete().invariants {
                shapes.claim(&invariant.conjunct.pred);
            }
        }
        consts.system.variables().iter().map(|v| shapes.shape(v.id, v.ty)).collect()
    }

    /// The shape of a variable without a domain, by what is known without any invariant.
    fn bounded(&self, v: VariableId, ty: TypeId) -> Option<Shape> {
        if !crate::bounded::has_shapes(self.consts, ty) {
            return None;
        }
        let value = self.consts.source.bounds(v)?;
        crate::bounded::shape(self.consts, value, ty)
    }

    fn claim(&mut self, p: &Pred) {
        let PredKind::Compare(op, a, b) = &p.kind else {
            if let PredKind::And(parts) = &p.kind {
                parts.iter().for_each(|p| self.claim(p));
            }
            return;
        };
        use CompareOp as C;
        if let ExprKind::Variable(v) = a.kind {
            match op {
                C::Member => {
                    // Only a claim: the invariant may be what the check is to refute. A value
                    // outside is noticed when it is stored.
                    if let Some(bound) = self.elements(b) {
                        self.learn(v, bound);
                    }
                }
                C::Subset => {
                    if let Some(Bound::Scalar(dom)) = self.elements(b) {
                        self.learn(v, Bound::Set(dom));
                    }
                }
                C::Less => self.high(v, b, -1),
                C::LessEqual => self.high(v, b, 0),
                C::Greater => self.low(v, b, 1),
                C::GreaterEqual => self.low(v, b, 0),
                _ => {}
            }
        }
        if let ExprKind::Variable(v) = b.kind {
            match op {
                C::Less => self.low(v, a, 1),
                C::LessEqual => self.low(v, a, 0),
                C::Greater => self.high(v, a, -1),
                C::GreaterEqual => self.high(v, a, 0),
                _ => {}
            }
        }
    }

    fn low(&mut self, v: VariableId, e: &Expr, by: i64) {
        if let Some(n) = self.consts.integer(e).and_then(|n| n.checked_add(by)) {
            let entry = self.lows.entry(v).or_insert(n);
            *entry = n.max(*entry);
        }
    }

    fn high(&mut self, v: VariableId, e: &Expr, by: i64) {
        if let Some(n) = self.consts.integer(e).and_then(|n| n.checked_add(by)) {
            let entry = self.highs.entry(v).or_insert(n);
            *entry = n.min(*entry);
        }
    }

    /// Of several claims the one that says most is kept.
    fn learn(&mut self, v: VariableId, bound: Bound) {
        let better = match (self.found.get(&v), &bound) {
            (None, _) => true,
            (Some(Bound::Scalar(old)), Bound::Scalar(new)) => new.size() < old.size(),
            (Some(Bound::Set(old)), Bound::Set(new)) => new.size() < old.size(),
            (Some(Bound::Set(_)), Bound::Fun { .. }) => true,
            (Some(Bound::Fun { total: false, .. }), Bound::Fun { total: true, .. }) => true,
            _ => false,
        };
        if better {
            self.found.insert(v, bound);
        }
    }

    fn shape(&self, v: VariableId, ty: TypeId) -> Shape {
        if ty == beeline_model::TypeTable::INTEGER {
            let claimed = match self.found.get(&v) {
                Some(Bound::Scalar(Dom::Range(lo, hi))) => (Some(*lo), Some(*hi)),
                _ => (None, None),
            };
            // All claims are to hold at once: the narrowest counts.
            let low = claimed.0.into_iter().chain(self.lows.get(&v).copied()).max();
            let high = claimed.1.into_iter().chain(self.highs.get(&v).copied()).min();
            return match (low, high) {
                (Some(low), Some(high)) => Dom::range(low, high).map(Shape::Scalar),
                _ => self.bounded(v, ty),
            }
            .unwrap_or(Shape::Word);
        }
        match self.found.get(&v) {
            Some(Bound::Scalar(dom)) => return Shape::Scalar(dom.clone()),
            Some(Bound::Set(dom)) if dom.grid().is_some() => return Shape::Set(dom.clone()),
            Some(Bound::Fun { from, to, total }) => {
                let (from, to, total) = (from.clone(), to.clone(), *total);
                let shape = Shape::Fun { from, to, total };
                // A function that is too large may still fit as what its type says.
                if shape.parts().is_some() {
                    return shape;
                }
            }
            _ => {}
        }
        self.shape_of_type(ty).or_else(|| self.bounded(v, ty)).unwrap_or(Shape::Word)
    }

    fn shape_of_type(&self, ty: TypeId) -> Option<Shape> {
        if let Some(kind) = self.consts.kind(ty) {
            return kind.whole().map(Shape::Scalar);
        }
        let Type::Power(of) = self.consts.source.model.types.get(ty) else { return None };
        let dom = self.consts.kind(*of)?.whole()?;
        dom.grid().map(|_| Shape::Set(dom))
    }

    /// A bound of the elements of a set.
    fn elements(&self, e: &Expr) -> Option<Bound> {
        use BinaryOp as B;
        let settings = self.consts.system.settings();
        let range = |lo, hi| Dom::range(lo, hi).map(Bound::Scalar);
        match &e.kind {
            ExprKind::Basic(BasicSet::Bool) => return Some(Bound::Scalar(Dom::Bool)),
            ExprKind::Basic(BasicSet::Int) => return range(settings.min_int, settings.max_int),
            ExprKind::Basic(BasicSet::Nat) => return range(0, settings.max_int),
            ExprKind::Basic(BasicSet::Nat1) => return range(1, settings.max_int),
            ExprKind::Basic(_) => return None,
            ExprKind::Unary(
                UnaryOp::Power | UnaryOp::Power1 | UnaryOp::Finite | UnaryOp::Finite1,
                of,
            ) => return self.scalar(of).map(Bound::Set),
            ExprKind::Binary(op, a, b) => match op {
                B::Interval => {
                    if let (Some(lo), Some(hi)) = (self.consts.integer(a), self.consts.integer(b)) {
                        return range(lo, hi);
                    }
                }
                B::Relations
                | B::TotalRelations
                | B::SurjectiveRelations
                | B::TotalSurjectiveRelations => {
                    return Dom::pair(self.scalar(a)?, self.scalar(b)?).map(Bound::Set);
                }
                B::PartialFunctions
                | B::PartialInjections
                | B::PartialSurjections
                | B::PartialBijections => {
                    let (from, to) = (self.scalar(a)?, self.scalar(b)?);
                    return Some(Bound::Fun { from, to, total: false });
                }
                B::TotalFunctions
                | B::TotalInjections
                | B::TotalSurjections
                | B::TotalBijections => {
                    let (from, to) = (self.scalar(a)?, self.scalar(b)?);
                    // Total on a set that varies is not total on what bounds it.
                    let total = self.consts.value(a).is_some_and(|v| {
                        self.consts.store().card(v).is_some_and(|n| n as u64 == from.size())
                    });
                    return Some(Bound::Fun { from, to, total });
                }
                B::Cartesian => {
                    return Dom::pair(self.scalar(a)?, self.scalar(b)?).map(Bound::Scalar);
                }
                B::Union => {
                    return self.scalar(a)?.hull(&self.scalar(b)?).map(Bound::Scalar);
                }
                // Upper bounds: what is taken away may be left in.
                B::Difference => return self.elements(a),
                B::Intersection => return self.elements(a).or_else(|| self.elements(b)),
                _ => {}
            },
            ExprKind::Variable(v) => {
                if let Some(Bound::Set(dom)) = self.found.get(v) {
                    return Some(Bound::Scalar(dom.clone()));
                }
            }
            _ => {}
        }
        let Type::Power(of) = self.consts.source.model.types.get(e.ty) else { return None };
        let kind = self.consts.kind(*of)?;
        if let Some(dom) = kind.whole() {
            return Some(Bound::Scalar(dom));
        }
        let value = self.consts.value(e)?;
        let store = self.consts.store();
        let elems = store.elems(value)?;
        if let beeline_value::Elems::Range(lo, hi) = elems {
            return range(lo, hi);
        }
        let values = (0..elems.len().min(1 << 16)).map(|i| store.nth(elems, i));
        (elems.len() <= 1 << 16)
            .then(|| Dom::of_elements(store, values, &kind).map(Bound::Scalar))
            .flatten()
    }

    fn scalar(&self, e: &Expr) -> Option<Dom> {
        match self.elements(e)? {
            Bound::Scalar(dom) => Some(dom),
            _ => None,
        }
    }
}

/// A shape that holds the values of both.
pub(crate) fn joined(a: &Shape, b: &Shape) -> Shape {
    match (a, b) {
        (Shape::Scalar(x), Shape::Scalar(y)) => x.hull(y).map_or(Shape::Word, Shape::Scalar),
        (Shape::Set(x), Shape::Set(y)) => match x.hull(y) {
            Some(dom) if dom.grid().is_some() => Shape::Set(dom),
            _ => Shape::Word,
        },
        (Shape::Fun { from, to, total }, Shape::Fun { from: from2, to: to2, total: total2 }) => {
            match (from.hull(from2), to.hull(to2)) {
                (Some(f), Some(t)) => {
                    // Total on the smaller set leaves arguments of the larger one without a value.
                    let total = *total && *total2 && from == from2;
                    Shape::Fun { from: f, to: t, total }
                }
                _ => Shape::Word,
            }
        }
        _ => Shape::Word,
    }
}
