//! Guesses at how many elements a set expression has, for the planner.

use crate::arrow::arrow;
use crate::scope::Scope;
use beeline_model::{BasicSet, BinaryOp, Expr, ExprKind, Model, Type, TypeId, UnaryOp};

/// More than anyone would enumerate.
pub const INFINITE: f64 = 1e300;
/// A set of which nothing is known.
const SOME: f64 = 8.0;
/// A set of sets of which nothing is known.
const SPACE: f64 = 4_000.0;

/// Estimates in one scope.
#[derive(Clone, Copy)]
pub struct Estimate<'m> {
    /// The model.
    pub model: &'m Model,
    /// Set sizes and bounds of integers.
    pub scope: &'m Scope,
}

impl Estimate<'_> {
    /// How many values a type has.
    pub fn type_size(&self, ty: TypeId) -> f64 {
        match self.model.types.get(ty) {
            Type::Bool => 2.0,
            Type::Integer | Type::Real | Type::String => INFINITE,
            Type::Given(set) => self.scope.set_sizes.get(set.index()).map_or(1.0, |n| *n as f64),
            Type::Free(id, _) => {
                let constructors = self.model.free_type(*id).constructors.iter();
                let sizes = constructors.map(|(_, set)| match set {
                    None => 1.0,
                    // One that is made of itself has no end, and neither has one that is made of such.
                    Some(set) if self.has_free(set.ty) => INFINITE,
                    Some(set) => self.set_size(set),
                });
                sizes.sum::<f64>().min(INFINITE)
            }
            // Beyond this products overflow to infinity, which compares with nothing sensibly.
            Type::Power(of) => self.type_size(*of).exp2().min(INFINITE),
            Type::Pair(a, b) => (self.type_size(*a) * self.type_size(*b)).min(INFINITE),
            Type::Record(fields) => {
                fields.iter().map(|f| self.type_size(f.1)).product::<f64>().min(INFINITE)
            }
        }
    }

    fn has_free(&self, ty: TypeId) -> bool {
        match self.model.types.get(ty) {
            Type::Free(..) => true,
            Type::Power(of) => self.has_free(*of),
            Type::Pair(a, b) => self.has_free(*a) || self.has_free(*b),
            Type::Record(fields) => fields.iter().any(|f| self.has_free(f.1)),
            Type::Bool | Type::Integer | Type::Real | Type::String | Type::Given(_) => false,
        }
    }

    /// The value of an integer expression that is plain to see.
    fn plain_int(&self, e: &Expr) -> Option<f64> {
        use num_traits::ToPrimitive;
        match &e.kind {
            ExprKind::Integer(i) => i.to_f64(),
            ExprKind::MaxInt => Some(self.scope.max_int as f64),
            ExprKind::MinInt => Some(self.scope.min_int as f64),
            ExprKind::Unary(UnaryOp::Negate, a) => Some(-self.plain_int(a)?),
            ExprKind::Binary(BinaryOp::Add, a, b) => Some(self.plain_int(a)? + self.plain_int(b)?),
            ExprKind::Binary(BinaryOp::Subtract, a, b) => {
                Some(self.plain_int(a)? - self.plain_int(b)?)
            }
            ExprKind::Binary(BinaryOp::Multiply, a, b) => {
                Some(self.plain_int(a)? * self.plain_int(b)?)
            }
            ExprKind::Binary(BinaryOp::Exponent, a, b) => {
                Some(self.plain_int(a)?.powf(self.plain_int(b)?))
            }
            _ => None,
        }
    }

    /// How many elements a set expression has, roughly.
    pub fn set_size(&self, e: &Expr) -> f64 {
        let all = match self.model.types.element(e.ty) {
            Some(element) => self.type_size(element),
            None => SOME,
        };
        let mut guess = self.guess(e);
        // A constant set of sets may be a whole space; a variable one is listed.
        let sets = self.model.types.element(e.ty).map(|t| self.model.types.get(t));
        if matches!((&e.kind, sets), (ExprKind::Constant(_), Some(Type::Power(_)))) {
            guess = SPACE;
        }
        guess.min(all).min(INFINITE)
    }

    fn guess(&self, e: &Expr) -> f64 {
        use BinaryOp as B;
        let (lo, hi) = (self.scope.min_int as f64, self.scope.max_int as f64);
        match &e.kind {
            ExprKind::EmptySet => 0.0,
            ExprKind::SetExtension(es) | ExprKind::SequenceExtension(es) => es.len() as f64,
            // Its type knows better, and `set_size` takes the lesser of both.
            ExprKind::GivenSet(_) => INFINITE,
            ExprKind::Basic(set) => match set {
                BasicSet::Bool => 2.0,
                BasicSet::Int => hi - lo + 1.0,
                BasicSet::Nat => hi + 1.0,
                BasicSet::Nat1 => hi,
                _ => INFINITE,
            },
            ExprKind::Function(_) => INFINITE,
            ExprKind::Unary(op, a) => match op {
                UnaryOp::Power | UnaryOp::Power1 | UnaryOp::Finite | UnaryOp::Finite1 => {
                    self.set_size(a).exp2()
                }
                UnaryOp::Seq | UnaryOp::Seq1 => INFINITE,
                UnaryOp::Iseq | UnaryOp::Iseq1 | UnaryOp::Perm => {
                    let n = self.set_size(a);
                    if n > 150.0 { INFINITE } else { n.powf(n) }
                }
                UnaryOp::GeneralUnion => SOME * 2.0,
                _ => self.set_size(a).min(INFINITE),
            },
            ExprKind::Binary(op, a, b) => match op {
                B::Interval => match (self.plain_int(a), self.plain_int(b)) {
                    (Some(x), Some(y)) => (y - x + 1.0).max(0.0),
                    _ => SOME,
                },
                B::Union => self.set_size(a) + self.set_size(b),
                B::Intersection => self.set_size(a).min(self.set_size(b)),
                B::Difference | B::RangeRestrict | B::RangeSubtract => self.set_size(a),
                // A key mostly finds one entry, or two.
                B::DomainRestrict => self.set_size(b).min(2.0 * self.set_size(a)),
                B::DomainSubtract => self.set_size(b),
                B::Cartesian | B::ParallelProduct => self.set_size(a) * self.set_size(b),
                B::Image => match &b.kind {
                    // Most relations that are asked by key are nearly functions.
                    ExprKind::SetExtension(keys) => 1.5 * keys.len() as f64,
                    _ => SOME,
                },
                B::Relations
                | B::TotalRelations
                | B::SurjectiveRelations
                | B::TotalSurjectiveRelations => (self.set_size(a) * self.set_size(b)).exp2(),
                op if arrow(*op as usize).is_some() => {
                    (self.set_size(b) + 1.0).powf(self.set_size(a))
                }
                _ => SOME,
            },
            ExprKind::RecordSet(sets) => sets.iter().map(|s| self.set_size(s)).product(),
            // As for a given set.
            ExprKind::FreeTypeSet(..) => INFINITE,
            // It may well be infinite, but whoever wrote it expects it to be usable.
            ExprKind::Comprehension(b) | ExprKind::Lambda(b, _)
                if b.locals.iter().any(|l| self.type_size(self.model.local(*l).ty) >= INFINITE) =>
            {
                SOME * 4.0
            }
            ExprKind::If(_, a, b) => self.set_size(a).max(self.set_size(b)),
            _ => SOME,
        }
    }
}
