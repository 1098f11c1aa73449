//! Comprehensions, lambdas and quantified expressions.

use crate::analysis::Analysis;
use crate::domain::{Atom, Ints, Relation, Set, Value};
use crate::env::{Env, Name};
use beeline_model::{Binder, CompareOp, Expr, ExprKind, ExprQuantifier, LocalId, PredKind};

/// Elements of a comprehension are tested one by one up to so many.
const TESTED: usize = 16;

impl Analysis<'_> {
    /// The environment inside a binder.
    pub(crate) fn inside(&self, binder: &Binder, env: &Env) -> Env {
        let mut inner = env.clone();
        binder.locals.iter().for_each(|l| inner.forget(Name::Local(*l)));
        self.assume(&binder.predicate, true, &mut inner);
        self.assume(&binder.predicate, true, &mut inner);
        inner
    }

    /// The left-nested tuple of some names.
    pub(crate) fn tuple(&self, locals: &[LocalId], env: &Env) -> Value {
        if env.is_dead() {
            return Value::Never;
        }
        let values = locals.iter().map(|l| self.known(Name::Local(*l), env));
        values.reduce(Value::pair).unwrap_or(Value::Any)
    }

    /// Binds names to the parts of a left-nested tuple.
    pub(crate) fn bind_tuple(&self, locals: &[LocalId], value: &Value, env: &mut Env) {
        match locals {
            [] => {}
            [one] => {
                let top = Value::top(self.model, self.model.local(*one).ty);
                env.set(Name::Local(*one), value.meet(&top));
            }
            [rest @ .., last] => {
                let (left, right) = value.halves();
                self.bind_tuple(&[*last], &right, env);
                self.bind_tuple(rest, &left, env);
            }
        }
    }

    /// `{x | P}`
    pub(super) fn comprehension(&self, binder: &Binder, env: &Env) -> Value {
        // `{x | x : S}` is `S`.
        if let ([local], PredKind::Compare(CompareOp::Member, x, set)) =
            (&binder.locals[..], &binder.predicate.kind)
            && x.kind == ExprKind::Local(*local)
        {
            return self.eval(set, env);
        }
        let inner = self.inside(binder, env);
        if inner.is_dead() && !self.is_defined_binder(binder, env) {
            return Value::Any;
        }
        let elem = self.tuple(&binder.locals, &inner);
        let mut set = Set::within(elem.clone());
        if let Some(atoms) = elem.list(TESTED) {
            set.must = atoms.into_iter().filter(|a| self.is_sure(binder, a, env)).collect();
        }
        Value::set(set)
    }

    /// Does this value surely satisfy the condition of a comprehension?
    fn is_sure(&self, binder: &Binder, atom: &Atom, env: &Env) -> bool {
        let mut inner = env.clone();
        self.bind_tuple(&binder.locals, &Value::one(atom), &mut inner);
        self.is_defined_pred(&binder.predicate, &inner) && {
            self.assume(&binder.predicate, false, &mut inner);
            inner.is_dead()
        }
    }

    /// `{x . P | E}`
    pub(super) fn map(&self, binder: &Binder, value: &Expr, env: &Env) -> Value {
        let inner = self.inside(binder, env);
        let all = self.tuple(&binder.locals, &inner);
        let each = self.eval(value, &inner);
        if each.is_never() && !self.is_defined_map(binder, value, env) {
            return Value::Any;
        }
        let mut set = Set::within(each);
        set.finite |= all.is_finite();
        if let Some(count) = all.count() {
            let most = Ints::between(Some(0), Some(count));
            set.card = most.and_then(|m| set.card.meet(&m)).unwrap_or(set.card);
        }
        Value::set(set)
    }

    /// `%x.(P | E)`
    pub(super) fn lambda(&self, binder: &Binder, value: &Expr, env: &Env) -> Value {
        let Value::Set(domain) = self.comprehension(binder, env) else { return Value::Any };
        let inner = self.inside(binder, env);
        let result = self.eval(value, &inner);
        if domain.is_empty() || result.is_never() {
            // A closure that is never applied may do without its values.
            let defined = self.is_defined_map(binder, value, env);
            return if defined { Value::set(Set::empty()) } else { Value::Any };
        }
        let within = Set::within(Value::pair(domain.elem.clone(), result.clone()));
        let relation = Relation {
            functional: true,
            injective: false,
            sequence: false,
            range: Set::within(result),
            domain: *domain,
        };
        let finite = relation.domain.finite;
        Value::set(Set { finite, relation: Some(Box::new(relation)), ..within })
    }

    /// `SIGMA`, `PI`, `UNION`, `INTER`
    pub(super) fn quantified(
        &self,
        op: ExprQuantifier,
        binder: &Binder,
        value: &Expr,
        env: &Env,
    ) -> Value {
        let inner = self.inside(binder, env);
        let all = self.tuple(&binder.locals, &inner);
        let each = self.eval(value, &inner);
        if each.is_never() && !self.is_defined_map(binder, value, env) {
            return Value::Any;
        }
        match op {
            ExprQuantifier::Sum => {
                let each = if each.is_never() { Ints::one(0) } else { each.as_ints() };
                let times = Ints::between(Some(0), all.count()).unwrap_or(Ints::one(0));
                // Each summand lies between the least and the greatest, or there is none.
                let each = each.join(&Ints::one(0));
                let span = Ints::between(each.low(), each.high()).unwrap_or(Ints::ALL);
                Value::Int(match all.count() {
                    Some(_) => span.multiply(&times),
                    None if span.low() == Some(0) => Ints::NATURAL,
                    None => Ints::ALL,
                })
            }
            ExprQuantifier::Union => {
                let inner = match each {
                    Value::Never => Set::empty(),
                    each => each.as_set(),
                };
                let finite = inner.finite && all.is_finite();
                Value::set(Set { finite, ..Set::within(inner.elem) })
            }
            ExprQuantifier::Intersection => match each {
                Value::Never => Value::Any,
                each => Value::set(each.as_set().subset()),
            },
            _ => Value::Any,
        }
    }
}
