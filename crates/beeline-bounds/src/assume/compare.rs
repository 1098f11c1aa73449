//! Comparisons.

use crate::analysis::Analysis;
use crate::domain::{Ints, Set, Value};
use crate::env::{Env, Name};
use beeline_model::{CompareOp, Expr, ExprKind, LocalId, Pred, PredKind};

impl Analysis<'_> {
    pub(super) fn compare(&self, op: CompareOp, truth: bool, a: &Expr, b: &Expr, env: &mut Env) {
        use CompareOp as C;
        match (op, truth) {
            (C::Equal, true) | (C::NotEqual, false) => self.equal(a, b, env),
            (C::Equal, false) | (C::NotEqual, true) => self.different(a, b, env),
            (C::Member, true) | (C::NotMember, false) => self.member(a, b, env),
            (C::Member, false) | (C::NotMember, true) => self.no_member(a, b, env),
            (C::Subset, true) | (C::NotSubset, false) => self.subset(a, b, env),
            (C::Subset, false) | (C::NotSubset, true) => {
                let value = self.eval_set(a, env);
                if value.is_empty() || self.surely_in(&value.elem, b, env) {
                    env.kill();
                    return;
                }
                // It has an element that is not in the other.
                self.inhabit(a, env);
            }
            (C::StrictSubset, true) | (C::NotStrictSubset, false) => {
                self.subset(a, b, env);
                self.inhabit(b, env);
            }
            (C::StrictSubset, false) | (C::NotStrictSubset, true) => {}
            (C::Less, true) | (C::GreaterEqual, false) => self.less(a, b, 1, env),
            (C::LessEqual, true) | (C::Greater, false) => self.less(a, b, 0, env),
            (C::Greater, true) | (C::LessEqual, false) => self.less(b, a, 1, env),
            (C::GreaterEqual, true) | (C::Less, false) => self.less(b, a, 0, env),
            (C::RealLess | C::RealLessEqual | C::RealGreater | C::RealGreaterEqual, _) => {}
        }
    }

    /// `a + gap <= b`
    pub(super) fn less(&self, a: &Expr, b: &Expr, gap: i128, env: &mut Env) {
        let (low, high) = (self.eval(a, env), self.eval(b, env));
        if low.is_never() || high.is_never() {
            return env.kill();
        }
        let (low, high) = (low.as_ints(), high.as_ints());
        let most = high.high().and_then(|h| h.checked_sub(gap));
        let least = low.low().and_then(|l| l.checked_add(gap));
        self.refine(a, &Value::Int(Ints::to(most)), env);
        self.refine(b, &Value::Int(Ints::from(least)), env);
    }

    fn equal(&self, a: &Expr, b: &Expr, env: &mut Env) {
        let both = self.eval(a, env).meet(&self.eval(b, env));
        if both.is_never() {
            return env.kill();
        }
        self.refine(a, &both, env);
        self.refine(b, &both, env);
    }

    fn different(&self, a: &Expr, b: &Expr, env: &mut Env) {
        let (x, y) = (self.eval(a, env), self.eval(b, env));
        if x.is_never() || y.is_never() || Name::of(a).is_some() && Name::of(a) == Name::of(b) {
            return env.kill();
        }
        if let (Value::Set(x), Value::Set(y)) = (&x, &y) {
            let same = x.is_exact() && y.is_exact() && x.must == y.must;
            if same || x.is_empty() && y.is_empty() {
                return env.kill();
            }
            match (x.is_empty(), y.is_empty()) {
                (true, _) => self.inhabit(b, env),
                (_, true) => self.inhabit(a, env),
                _ => {}
            }
        }
        if let Some(atom) = y.single() {
            self.refine(a, &x.without(&atom), env);
        }
        if let Some(atom) = x.single() {
            self.refine(b, &y.without(&atom), env);
        }
    }

    /// A set has an element.
    pub(super) fn inhabit(&self, e: &Expr, env: &mut Env) {
        let mut set = self.eval_set(e, env);
        match set.card.meet(&Ints::from(Some(1))) {
            Some(card) => set.card = card,
            None => return env.kill(),
        }
        self.refine(e, &Value::set(set), env);
    }

    fn subset(&self, a: &Expr, b: &Expr, env: &mut Env) {
        let (x, y) = (self.eval(a, env), self.eval(b, env));
        if x.is_never() || y.is_never() {
            return env.kill();
        }
        let (x, y) = (x.as_set(), y.as_set());
        self.refine(a, &Value::set(x.meet(&y.subset())), env);
        let mut larger = y.clone();
        larger.must.extend(x.must.iter().cloned());
        larger.whole |= x.whole;
        match larger.card.meet(&Ints::from(x.card.low())) {
            Some(card) => larger.card = card,
            None => return env.kill(),
        }
        self.refine(b, &Value::set(larger), env);
    }

    /// `@partition(S, A, B)`: each part is within the whole.
    pub(super) fn partition(&self, whole: &Expr, parts: &[Expr], env: &mut Env) {
        for part in parts {
            self.subset(part, whole, env);
        }
        let (mut elem, mut most) = (Value::Never, Some(0i128));
        let mut finite = true;
        for part in parts {
            let part = self.eval_set(part, env);
            most = most.zip(part.card.high()).and_then(|(a, b)| a.checked_add(b));
            elem = elem.join(&part.elem);
            finite &= part.finite;
        }
        let mut value = Set::within(elem);
        value.finite |= finite;
        if let Some(card) = Ints::between(Some(0), most) {
            value.card = value.card.meet(&card).unwrap_or(value.card);
        }
        self.refine(whole, &Value::set(value), env);
    }

    /// `!x.(x : S & P => Q)`: each element of `S` satisfies `P => Q`.
    pub(super) fn elements(
        &self,
        locals: &[LocalId],
        condition: &Pred,
        claim: &Pred,
        inner: &Env,
        env: &mut Env,
    ) {
        let parts: &[Pred] = match &condition.kind {
            PredKind::And(parts) => parts,
            _ => std::slice::from_ref(condition),
        };
        let [first] = parts else { return };
        let PredKind::Compare(CompareOp::Member, x, set) = &first.kind else { return };
        // Only of a name it is sure that it has a value whatever the claim is.
        let bound = |name: Name| locals.iter().any(|l| name == Name::Local(*l));
        if !self.is_tuple(x, locals) || Name::of(set).is_none_or(bound) {
            return;
        }
        let value = self.eval_set(set, inner);
        let mut one = inner.clone();
        self.bind_tuple(locals, &value.elem, &mut one);
        if value.elem.is_never() {
            return;
        }
        self.assume(claim, true, &mut one);
        self.assume(claim, true, &mut one);
        let elem = self.tuple(locals, &one);
        let within = Set::within(elem);
        self.refine(set, &Value::set(value.meet(&within)), env);
        // Where there is an element, what follows for the other names is so.
        if value.is_inhabited() {
            locals.iter().for_each(|l| one.forget(Name::Local(*l)));
            *env = env.meet(&one);
        }
    }

    /// Is this the left-nested tuple of just these names?
    fn is_tuple(&self, e: &Expr, locals: &[LocalId]) -> bool {
        match (&e.kind, locals) {
            (ExprKind::Local(x), [y]) => x == y,
            (ExprKind::Binary(beeline_model::BinaryOp::Pair, a, b), [rest @ .., last]) => {
                !rest.is_empty() && b.kind == ExprKind::Local(*last) && self.is_tuple(a, rest)
            }
            _ => false,
        }
    }
}
