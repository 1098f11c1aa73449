//! Predicates, and conditions on bound names.

use super::Grow;
use crate::build::*;
use beeline_model::{
    BasicSet, BinaryOp, Binder, CompareOp as C, ExprKind, LocalId, Pred, PredKind, Type, TypeId,
    TypeTable,
};

impl Grow<'_> {
    /// A predicate.
    pub(super) fn pred(&mut self, depth: usize) -> Pred {
        if depth == 0 || self.fuel == 0 {
            return self.comparison(0);
        }
        self.fuel -= 1;
        let inner = depth - 1;
        match self.random.below(24) {
            0..=8 => self.comparison(inner),
            9 | 10 => {
                let parts = 2 + self.random.below(2);
                truth(PredKind::And((0..parts).map(|_| self.pred(inner)).collect()))
            }
            11 | 12 => {
                let parts = 2 + self.random.below(2);
                truth(PredKind::Or((0..parts).map(|_| self.pred(inner)).collect()))
            }
            13 | 14 => truth(PredKind::Not(Box::new(self.pred(inner)))),
            15 => {
                let (p, q) = (self.pred(inner), self.pred(inner));
                truth(PredKind::Implies(Box::new(p), Box::new(q)))
            }
            16 => {
                let (p, q) = (self.pred(inner), self.pred(inner));
                truth(PredKind::Equivalent(Box::new(p), Box::new(q)))
            }
            17 | 18 => self.quantifier(true, inner),
            19 | 20 => self.quantifier(false, inner),
            21 => {
                let (c, p, q) = (self.pred(inner), self.pred(inner), self.pred(inner));
                truth(PredKind::If(Box::new(c), Box::new(p), Box::new(q)))
            }
            22 => {
                let ty = self.known_type();
                let value = self.expr(ty, inner);
                let id = self.bind(ty);
                self.scope.push(id);
                let body = self.pred(inner);
                self.scope.pop();
                truth(PredKind::Let(vec![(id, value)], Box::new(body)))
            }
            _ => match self.random.below(5) {
                0 => truth(PredKind::Bool(self.random.chance(50))),
                1 => truth(PredKind::Finite(Box::new(self.any_set(inner)))),
                _ => {
                    let of = self.element_type();
                    let ty = self.power(of);
                    let parts = (0..2).map(|_| self.expr(ty, inner)).collect();
                    truth(PredKind::Partition(Box::new(self.expr(ty, inner)), parts))
                }
            },
        }
    }

    fn comparison(&mut self, depth: usize) -> Pred {
        match self.random.below(13) {
            0..=2 => {
                let op = self.random.pick(&[C::Less, C::LessEqual, C::Greater, C::GreaterEqual]);
                let ty = TypeTable::INTEGER;
                compare(op, self.expr(ty, depth), self.expr(ty, depth))
            }
            3 if self.random.chance(40) => {
                let op = self.random.pick(&[
                    C::RealLess,
                    C::RealLessEqual,
                    C::RealGreater,
                    C::RealGreaterEqual,
                ]);
                let ty = TypeTable::REAL;
                compare(op, self.expr(ty, depth), self.expr(ty, depth))
            }
            3..=5 => {
                let op = self.random.pick(&[C::Equal, C::Equal, C::NotEqual]);
                let ty = self.known_type();
                compare(op, self.expr(ty, depth), self.expr(ty, depth))
            }
            6..=9 => {
                let op = self.random.pick(&[C::Member, C::Member, C::NotMember]);
                let ty = self.known_type();
                let set = self.power(ty);
                compare(op, self.expr(ty, depth), self.expr(set, depth))
            }
            _ => {
                let op = self.random.pick(&[
                    C::Subset,
                    C::Subset,
                    C::StrictSubset,
                    C::NotSubset,
                    C::NotStrictSubset,
                ]);
                let of = self.element_type();
                let ty = self.power(of);
                compare(op, self.expr(ty, depth), self.expr(ty, depth))
            }
        }
    }

    fn quantifier(&mut self, universal: bool, depth: usize) -> Pred {
        let types = self.bound_types();
        let binder = self.binder(&types, depth);
        let body = self.pred(depth);
        self.scope.truncate(self.scope.len() - types.len());
        if universal {
            let implied = PredKind::Implies(Box::new(binder.predicate), Box::new(body));
            truth(PredKind::Forall(binder.locals, Box::new(truth(implied))))
        } else {
            let both = PredKind::And(vec![binder.predicate, body]);
            truth(PredKind::Exists(binder.locals, Box::new(truth(both))))
        }
    }

    /// Types of one to three bound names.
    pub(super) fn bound_types(&mut self) -> Vec<TypeId> {
        let count = [1, 1, 1, 1, 2, 2, 3][self.random.below(7)];
        (0..count).map(|_| self.element_type()).collect()
    }

    /// New names with a condition that bounds them. They stay in scope; the caller ends that.
    pub(super) fn binder(&mut self, types: &[TypeId], depth: usize) -> Binder {
        let locals: Vec<LocalId> = types.iter().map(|t| self.bind(*t)).collect();
        let mut parts = Vec::new();
        if let ([a, b], [x, y]) = (types, locals.as_slice())
            && self.random.chance(25)
        {
            // Both at once, as a pair of a relation.
            let (both, relation) = (self.model.types.pair(*a, *b), self.relation(*a, *b));
            let one = pair(local(*x, *a), local(*y, *b), both);
            let outer = self.calm;
            self.calm |= self.is_infinite(both);
            parts.push(compare(C::Member, one, self.expr(relation, depth.min(1))));
            self.calm = outer;
            self.scope.extend(&locals);
        } else {
            for (id, ty) in locals.iter().zip(types) {
                // Without a bound that has a meaning, a name of an infinite type is beyond search:
                // the judge may still see that no value would do, the engine says ill-defined.
                let outer = self.calm;
                self.calm |= self.is_infinite(*ty);
                parts.extend(self.bounds(*id, *ty, depth.min(1)));
                self.calm = outer;
                // Later names may be bounded by earlier ones.
                self.scope.push(*id);
            }
        }
        if self.random.chance(55) {
            parts.push(self.pred(depth));
        }
        if self.random.chance(15) {
            parts.reverse();
        }
        Binder { locals, predicate: all(parts), symbolic: self.random.chance(2) }
    }

    /// What bounds a new name.
    fn bounds(&mut self, id: LocalId, ty: TypeId, depth: usize) -> Vec<Pred> {
        let name = local(id, ty);
        match self.model.types.get(ty).clone() {
            Type::Integer if self.random.chance(25) => {
                let (low, high) = (self.expr(ty, depth), self.expr(ty, depth));
                vec![compare(C::GreaterEqual, name.clone(), low), compare(C::LessEqual, name, high)]
            }
            Type::Integer if self.random.chance(40) => {
                let set = self.power(ty);
                let low = integer(self.random.below(3) as i64 - 2);
                let high = integer(self.random.below(5) as i64);
                vec![compare(C::Member, name, binary(BinaryOp::Interval, low, high, set))]
            }
            Type::Bool if self.random.chance(60) => {
                let set = self.power(ty);
                vec![compare(C::Member, name, make(ExprKind::Basic(BasicSet::Bool), set))]
            }
            Type::Given(given) if self.random.chance(60) => {
                let set = self.power(ty);
                vec![compare(C::Member, name, make(ExprKind::GivenSet(given), set))]
            }
            Type::Power(_) if self.random.chance(50) => {
                vec![compare(C::Subset, name, self.expr(ty, depth))]
            }
            _ if self.random.chance(8) => vec![compare(C::Equal, name, self.expr(ty, depth))],
            _ => {
                let set = self.power(ty);
                vec![compare(C::Member, name, self.expr(set, depth))]
            }
        }
    }
}
