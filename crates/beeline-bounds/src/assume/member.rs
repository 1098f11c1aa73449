//! Membership: what follows from it, and when it is sure.

use crate::analysis::Analysis;
use crate::domain::{ATOMS, Ints, Set, Value};
use crate::env::Env;
use beeline_model::{BasicSet, BinaryOp, Expr, ExprKind, UnaryOp};

impl Analysis<'_> {
    /// `a : b`
    pub(super) fn member(&self, a: &Expr, b: &Expr, env: &mut Env) {
        match &b.kind {
            ExprKind::Binary(BinaryOp::Interval, low, high) => {
                self.less(low, a, 0, env);
                self.less(a, high, 0, env);
            }
            ExprKind::Binary(BinaryOp::Intersection, left, right) => {
                self.member(a, left, env);
                self.member(a, right, env);
            }
            ExprKind::Binary(BinaryOp::Difference, left, right) => {
                self.member(a, left, env);
                self.no_member(a, right, env);
            }
            ExprKind::Binary(BinaryOp::Union, left, right) => {
                let mut other = env.clone();
                self.member(a, left, env);
                self.member(a, right, &mut other);
                *env = env.join(&other);
            }
            ExprKind::Binary(BinaryOp::Cartesian, left, right) => {
                if let ExprKind::Binary(BinaryOp::Pair, x, y) = &a.kind {
                    self.member(x, left, env);
                    self.member(y, right, env);
                    return;
                }
                self.member_of_value(a, b, env);
            }
            ExprKind::Comprehension(binder) => {
                let value = self.eval(a, env);
                if value.is_never() {
                    return env.kill();
                }
                let mut inner = env.clone();
                self.bind_tuple(&binder.locals, &value, &mut inner);
                self.assume(&binder.predicate, true, &mut inner);
                let narrowed = self.tuple(&binder.locals, &inner);
                if narrowed.is_never() {
                    return env.kill();
                }
                for local in &binder.locals {
                    inner.forget(crate::env::Name::Local(*local));
                }
                *env = inner;
                self.refine(a, &narrowed, env);
            }
            _ => self.member_of_value(a, b, env),
        }
    }

    fn member_of_value(&self, a: &Expr, b: &Expr, env: &mut Env) {
        let (value, set) = (self.eval(a, env), self.eval(b, env));
        if value.is_never() || set.is_never() {
            return env.kill();
        }
        let mut set = set.as_set();
        let narrowed = value.meet(&set.elem);
        if narrowed.is_never() {
            return env.kill();
        }
        self.refine(a, &narrowed, env);
        set.must.extend(narrowed.single());
        match set.card.meet(&Ints::from(Some(1))) {
            Some(card) => set.card = card,
            None => return env.kill(),
        }
        self.refine(b, &Value::set(set), env);
    }

    /// `a /: b`
    pub(super) fn no_member(&self, a: &Expr, b: &Expr, env: &mut Env) {
        let value = self.eval(a, env);
        if value.is_never() || self.surely_in(&value, b, env) {
            return env.kill();
        }
        if let ExprKind::Binary(BinaryOp::Union, left, right) = &b.kind {
            self.no_member(a, left, env);
            self.no_member(a, right, env);
            return;
        }
        let mut set = self.eval_set(b, env);
        let narrowed = set.must.iter().fold(value.clone(), |v, atom| v.without(atom));
        self.refine(a, &narrowed, env);
        if let Some(atom) = value.single() {
            set.elem = set.elem.without(&atom);
            self.refine(b, &Value::set(set), env);
        }
    }

    /// Is each value that this stands for in the set, whatever the names are?
    pub(crate) fn surely_in(&self, value: &Value, set: &Expr, env: &Env) -> bool {
        if value.is_never() {
            return true;
        }
        if !self.pay() {
            return false;
        }
        self.surely_in_form(value, set, env) || {
            let known = self.eval_set(set, env);
            known.surely_contains(value)
        }
    }

    fn surely_in_form(&self, value: &Value, set: &Expr, env: &Env) -> bool {
        match &set.kind {
            ExprKind::GivenSet(_) => true,
            ExprKind::Basic(basic) => self.surely_basic(value, *basic),
            ExprKind::Binary(BinaryOp::Interval, low, high) => {
                let (low, high) = (self.eval(low, env).as_ints(), self.eval(high, env).as_ints());
                within(&value.as_ints(), low.high(), high.low())
            }
            ExprKind::Binary(BinaryOp::Union, a, b) => {
                if self.surely_in(value, a, env) || self.surely_in(value, b, env) {
                    return true;
                }
                let each = |v: &Value| self.surely_in(v, a, env) || self.surely_in(v, b, env);
                let few = value.list(ATOMS);
                few.is_some_and(|atoms| atoms.iter().all(|atom| each(&Value::one(atom))))
            }
            ExprKind::Binary(BinaryOp::Intersection, a, b) => {
                self.surely_in(value, a, env) && self.surely_in(value, b, env)
            }
            ExprKind::Binary(BinaryOp::Difference, a, b) => {
                let apart = self.eval_set(b, env).elem.meet(value).is_never();
                apart && self.surely_in(value, a, env)
            }
            ExprKind::Binary(BinaryOp::Cartesian, a, b) => {
                let (x, y) = value.halves();
                self.surely_in(&x, a, env) && self.surely_in(&y, b, env)
            }
            ExprKind::Binary(op, a, b) => match value {
                Value::Set(relation) => self.surely_relation(*op, relation, a, b, env),
                _ => false,
            },
            ExprKind::Unary(op, of) => match value {
                Value::Set(inner) => self.surely_subset(*op, inner, of, env),
                _ => false,
            },
            ExprKind::RecordSet(fields) => {
                fields.iter().enumerate().all(|(i, f)| self.surely_in(&value.field(i), f, env))
            }
            ExprKind::Comprehension(binder) => {
                let mut inner = env.clone();
                self.bind_tuple(&binder.locals, value, &mut inner);
                if !self.is_defined_pred(&binder.predicate, &inner) {
                    return false;
                }
                self.assume(&binder.predicate, false, &mut inner);
                inner.is_dead()
            }
            _ => false,
        }
    }

    fn surely_basic(&self, value: &Value, set: BasicSet) -> bool {
        let ints = value.as_ints();
        let from = |low: i128| ints.low().is_some_and(|l| l >= low);
        match set {
            BasicSet::Bool | BasicSet::Integer | BasicSet::String | BasicSet::Real => true,
            BasicSet::Natural => from(0),
            BasicSet::Natural1 => from(1),
            BasicSet::Int => within(&ints, self.min_int.high(), self.max_int.low()),
            BasicSet::Nat => within(&ints, Some(0), self.max_int.low()),
            BasicSet::Nat1 => within(&ints, Some(1), self.max_int.low()),
            BasicSet::Float => false,
        }
    }

    /// Is it in a set of relations from `a` to `b`?
    fn surely_relation(&self, op: BinaryOp, r: &Set, a: &Expr, b: &Expr, env: &Env) -> bool {
        use BinaryOp as B;
        let total = || self.surely_covers(&r.domain(), a, env);
        let onto = || self.surely_covers(&r.range(), b, env);
        let (function, injection) = (|| r.is_functional(), || r.is_injective());
        let kind = match op {
            B::Relations => true,
            B::PartialFunctions => function(),
            B::TotalFunctions => function() && total(),
            B::PartialInjections => function() && injection(),
            B::TotalInjections => function() && injection() && total(),
            B::PartialSurjections => function() && onto(),
            B::TotalSurjections => function() && total() && onto(),
            B::PartialBijections => function() && injection() && onto(),
            B::TotalBijections => function() && injection() && total() && onto(),
            B::TotalRelations => total(),
            B::SurjectiveRelations => onto(),
            B::TotalSurjectiveRelations => total() && onto(),
            _ => false,
        };
        kind && self.surely_in(&r.domain().elem, a, env) && self.surely_in(&r.range().elem, b, env)
    }

    /// Is it in a set of subsets or sequences of elements of a set?
    fn surely_subset(&self, op: UnaryOp, inner: &Set, of: &Expr, env: &Env) -> bool {
        use UnaryOp as U;
        let sequence = || inner.is_sequence() && self.surely_in(&inner.range().elem, of, env);
        let subset = || self.surely_in(&inner.elem, of, env);
        match op {
            U::Power => subset(),
            U::Power1 => inner.is_inhabited() && subset(),
            U::Finite => inner.finite && subset(),
            U::Finite1 => inner.finite && inner.is_inhabited() && subset(),
            U::Seq => sequence(),
            U::Seq1 => inner.is_inhabited() && sequence(),
            U::Iseq => inner.is_injective() && sequence(),
            U::Iseq1 => inner.is_injective() && inner.is_inhabited() && sequence(),
            _ => false,
        }
    }

    /// Does a set surely contain all of another?
    pub(crate) fn surely_covers(&self, set: &Set, all: &Expr, env: &Env) -> bool {
        let all = self.eval_set(all, env);
        set.whole || all.is_empty() || set.surely_contains(&all.elem)
    }
}

fn within(ints: &Ints, low: Option<i128>, high: Option<i128>) -> bool {
    let below = ints.low().zip(low).is_some_and(|(l, low)| low <= l);
    below && ints.high().zip(high).is_some_and(|(h, high)| h <= high)
}
