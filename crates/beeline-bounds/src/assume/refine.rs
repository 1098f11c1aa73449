//! From what is known of an expression to what is known of the names in it.

use crate::analysis::Analysis;
use crate::domain::{Ints, Relation, Set, Value};
use crate::env::{Env, Name};
use beeline_model::{BinaryOp, Expr, ExprKind, UnaryOp};

impl Analysis<'_> {
    /// The expression has one of these values.
    pub(crate) fn refine(&self, e: &Expr, value: &Value, env: &mut Env) {
        if env.is_dead() || !self.pay() {
            return;
        }
        if value.is_never() {
            return env.kill();
        }
        if let Some(name) = Name::of(e) {
            let narrowed = self.known(name, env).meet(value);
            return env.set(name, narrowed);
        }
        match &e.kind {
            ExprKind::Unary(op, a) => self.refine_unary(*op, a, value, env),
            ExprKind::Binary(op, a, b) => self.refine_binary(*op, a, b, value, env),
            ExprKind::Apply(f, x) => self.refine_application(f, x, env),
            ExprKind::Record(fields) => {
                for (i, field) in fields.iter().enumerate() {
                    self.refine(field, &value.field(i), env);
                }
            }
            ExprKind::Field(record, position) => {
                if let Value::Record(mut fields) = self.eval(record, env)
                    && let Some(field) = fields.get_mut(*position)
                {
                    *field = field.meet(value);
                    self.refine(record, &Value::record(fields), env);
                }
            }
            ExprKind::SetExtension(parts) => {
                let elem = value.as_set().elem;
                parts.iter().for_each(|p| self.refine(p, &elem, env));
            }
            ExprKind::BoolOf(p) => match value {
                Value::Bool(false, true) => self.assume(p, true, env),
                Value::Bool(true, false) => self.assume(p, false, env),
                _ => {}
            },
            _ => {
                if self.eval(e, env).meet(value).is_never() {
                    env.kill();
                }
            }
        }
    }

    fn refine_unary(&self, op: UnaryOp, a: &Expr, value: &Value, env: &mut Env) {
        let whole = |change: &dyn Fn(&mut Set) -> Option<()>, env: &mut Env| {
            let mut set = self.eval_set(a, env);
            match change(&mut set) {
                Some(()) => self.refine(a, &Value::set(set), env),
                None => env.kill(),
            }
        };
        match op {
            UnaryOp::Negate => self.refine(a, &Value::Int(value.as_ints().negate()), env),
            UnaryOp::Card | UnaryOp::Size => whole(
                &|set| {
                    set.card = set.card.meet(&value.as_ints())?;
                    set.finite = true;
                    Some(())
                },
                env,
            ),
            UnaryOp::Domain => whole(&|set| part(set, &value.as_set(), true), env),
            UnaryOp::Range => whole(&|set| part(set, &value.as_set(), false), env),
            UnaryOp::Max => {
                let most = Ints::to(value.as_ints().high());
                whole(&|set| elements(set, &Value::Int(most), true), env);
            }
            UnaryOp::Min => {
                let least = Ints::from(value.as_ints().low());
                whole(&|set| elements(set, &Value::Int(least), true), env);
            }
            UnaryOp::GeneralUnion => {
                let part = Value::set(value.as_set().subset());
                whole(&|set| elements(set, &part, false), env);
            }
            UnaryOp::PairFirst => {
                let pair = Value::pair(value.clone(), self.eval(a, env).halves().1);
                self.refine(a, &pair, env);
            }
            UnaryOp::PairSecond => {
                let pair = Value::pair(self.eval(a, env).halves().0, value.clone());
                self.refine(a, &pair, env);
            }
            _ => {
                if self.unary(op, &self.eval(a, env)).meet(value).is_never() {
                    env.kill();
                }
            }
        }
    }

    fn refine_binary(&self, op: BinaryOp, a: &Expr, b: &Expr, value: &Value, env: &mut Env) {
        let ints = value.as_ints();
        let other = |e: &Expr, env: &Env| self.eval(e, env).as_ints();
        match op {
            BinaryOp::Add => {
                self.refine(a, &Value::Int(ints.subtract(&other(b, env))), env);
                self.refine(b, &Value::Int(ints.subtract(&other(a, env))), env);
            }
            BinaryOp::Subtract => {
                self.refine(a, &Value::Int(ints.add(&other(b, env))), env);
                self.refine(b, &Value::Int(other(a, env).subtract(&ints)), env);
            }
            BinaryOp::Multiply => {
                self.refine_factor(a, &ints, &other(b, env), env);
                self.refine_factor(b, &ints, &other(a, env), env);
            }
            BinaryOp::Modulo => {
                if let (Some(r), Some(m)) = (ints.single(), other(b, env).single()) {
                    self.refine(a, &Value::Int(Ints::congruent(m, r)), env);
                }
                self.refine(a, &Value::Int(Ints::NATURAL), env);
                self.refine(b, &Value::Int(Ints::from(Some(1))), env);
            }
            BinaryOp::Pair => {
                let (x, y) = value.halves();
                self.refine(a, &x, env);
                self.refine(b, &y, env);
            }
            BinaryOp::Union => {
                let part = Value::set(value.as_set().subset());
                self.refine(a, &part, env);
                self.refine(b, &part, env);
            }
            BinaryOp::Intersection => {
                for side in [a, b] {
                    let mut set = self.eval_set(side, env);
                    set.must.extend(value.as_set().must);
                    self.refine(side, &Value::set(set), env);
                }
            }
            _ => {
                let now = self.binary(op, &self.eval(a, env), &self.eval(b, env));
                if now.meet(value).is_never() {
                    env.kill();
                }
            }
        }
    }

    /// `a * by` is among `product`.
    fn refine_factor(&self, a: &Expr, product: &Ints, by: &Ints, env: &mut Env) {
        let Some(k) = by.single().filter(|k| *k > 0) else { return };
        let low = product.low().map(|n| n.div_euclid(k) + i128::from(n.rem_euclid(k) != 0));
        let high = product.high().map(|n| n.div_euclid(k));
        self.refine(a, &Value::ints(Ints::between(low, high)), env);
    }

    /// `f(x)` has a value: `x` is in the domain.
    fn refine_application(&self, f: &Expr, x: &Expr, env: &mut Env) {
        if matches!(f.kind, ExprKind::Function(_)) {
            return;
        }
        let function = self.eval_set(f, env);
        let argument = self.eval(x, env).meet(&function.domain().elem);
        self.refine(x, &argument, env);
        if Name::of(f).is_none() || env.is_dead() {
            return;
        }
        let mut function = function;
        match function.card.meet(&Ints::from(Some(1))) {
            Some(card) => function.card = card,
            None => return env.kill(),
        }
        if let Some(relation) = &mut function.relation {
            relation.domain.must.extend(argument.single());
        }
        self.refine(f, &Value::set(function), env);
    }
}

/// All elements of a set are among these, and there may have to be one.
fn elements(set: &mut Set, among: &Value, inhabited: bool) -> Option<()> {
    set.elem = set.elem.meet(among);
    if set.elem.is_never() {
        set.card = set.card.meet(&Ints::one(0))?;
    }
    if inhabited {
        set.card = set.card.meet(&Ints::from(Some(1)))?;
    }
    Some(())
}

/// The domain or range of a set is among these.
fn part(set: &mut Set, value: &Set, domain: bool) -> Option<()> {
    if value.is_empty() {
        set.card = set.card.meet(&Ints::one(0))?;
        return Some(());
    }
    if value.is_inhabited() {
        set.card = set.card.meet(&Ints::from(Some(1)))?;
    }
    let relation = set.relation.get_or_insert_with(|| {
        Box::new(Relation {
            functional: false,
            injective: false,
            sequence: false,
            domain: Set::within(set.elem.halves().0),
            range: Set::within(set.elem.halves().1),
        })
    });
    let end = if domain { &mut relation.domain } else { &mut relation.range };
    *end = end.meet(value);
    Some(())
}
