//! Substitutions: what is known after them.
//!
//! The result stands for every state in which an execution can end. What an execution does not survive,
//! a condition that is false or has no meaning, it does not have to account for. Promises (`ASSERT`, and
//! what an event owes its abstraction) are not relied on.

use crate::analysis::{Analysis, deep};
use crate::domain::{Set, Value};
use crate::env::{Env, Name};
use beeline_model::{
    Access, Assignment, Call, Conjunct, Expr, LocalId, Place, Pred, Subst, SubstKind, Target, While,
};
use std::collections::BTreeMap;

/// A loop is followed so often before its bounds are widened, and until it is given up.
const ROUNDS: usize = 40;
const EXACT_ROUNDS: usize = 3;
/// Calls may be nested so deep.
const CALLS: usize = 24;

impl Analysis<'_> {
    /// Executes a substitution.
    pub fn execute(&self, s: &Subst, env: &Env) -> Env {
        self.run(s, env, 0)
    }

    fn run(&self, s: &Subst, env: &Env, calls: usize) -> Env {
        // Environments are copied at every substitution.
        self.spend(1 + env.len() / 16);
        if env.is_dead() || self.is_exhausted() {
            return env.clone();
        }
        deep(|| self.run_kind(s, env, calls))
    }

    fn run_kind(&self, s: &Subst, env: &Env, calls: usize) -> Env {
        match &s.kind {
            SubstKind::Skip | SubstKind::External(..) => env.clone(),
            SubstKind::Assign(list) => self.assign(list, env),
            SubstKind::BecomesElement(places, set) => {
                let mut after = env.clone();
                match self.eval(set, env) {
                    Value::Never => after.kill(),
                    _ => {
                        let elem = self.eval_set(set, env).elem;
                        self.set_places(places, elem, &mut after);
                    }
                }
                after
            }
            SubstKind::BecomesSuch(such) => {
                let mut inner = env.clone();
                such.after.iter().for_each(|l| inner.forget(Name::Local(*l)));
                self.assume_all(std::slice::from_ref(&such.predicate), &mut inner);
                if inner.is_dead() {
                    return inner;
                }
                for (place, local) in such.places.iter().zip(&such.after) {
                    let value = self.known(Name::Local(*local), &inner);
                    inner.set((*place).into(), value);
                }
                forget(&such.after, inner)
            }
            SubstKind::Pre(conjuncts, body) => {
                let mut inner = env.clone();
                self.assume_conjuncts(conjuncts, &mut inner);
                self.run(body, &inner, calls)
            }
            SubstKind::Assert(_, _, body) => self.run(body, env, calls),
            SubstKind::If(branches, last) => {
                let mut rest = env.clone();
                let mut end = dead();
                for (condition, body) in branches {
                    let taken = self.with(condition, true, &rest);
                    end = end.join(&self.run(body, &taken, calls));
                    self.assume(condition, false, &mut rest);
                }
                end.join(&last.as_ref().map_or_else(|| rest.clone(), |s| self.run(s, &rest, calls)))
            }
            SubstKind::Select(branches, last) => {
                let mut end = dead();
                for (conjuncts, body) in branches {
                    let mut taken = env.clone();
                    self.assume_conjuncts(conjuncts, &mut taken);
                    end = end.join(&self.run(body, &taken, calls));
                }
                match last {
                    Some(last) => end.join(&self.run(last, env, calls)),
                    None => end,
                }
            }
            SubstKind::Choice(parts) => {
                parts.iter().fold(dead(), |end, part| end.join(&self.run(part, env, calls)))
            }
            SubstKind::Case(e, branches, last) => {
                self.case(e, branches, last.as_deref(), env, calls)
            }
            SubstKind::Any(locals, conjuncts, body) => {
                let mut inner = env.clone();
                locals.iter().for_each(|l| inner.forget(Name::Local(*l)));
                self.assume_conjuncts(conjuncts, &mut inner);
                forget(locals, self.run(body, &inner, calls))
            }
            SubstKind::Let(values, body) => {
                let mut inner = env.clone();
                for (local, value) in values {
                    let value = self.eval(value, &inner);
                    inner.set(Name::Local(*local), value);
                }
                let end = self.run(body, &inner, calls);
                let locals: Vec<LocalId> = values.iter().map(|(local, _)| *local).collect();
                forget(&locals, end)
            }
            SubstKind::Var(locals, body) => {
                let inner = forget(locals, env.clone());
                forget(locals, self.run(body, &inner, calls))
            }
            SubstKind::While(w) => self.repeat(w, env, calls),
            SubstKind::Sequence(parts) => {
                parts.iter().fold(env.clone(), |env, part| self.run(part, &env, calls))
            }
            SubstKind::Parallel(parts) => self.parallel(parts, env, calls),
            SubstKind::Call(call) => self.call(call, env, calls),
        }
    }

    /// Assumes conjuncts twice, since the later ones may bound names of the earlier.
    pub(crate) fn assume_conjuncts(&self, conjuncts: &[Conjunct], env: &mut Env) {
        for _ in 0..2 {
            conjuncts.iter().for_each(|c| self.assume(&c.pred, true, env));
        }
    }

    fn assume_all(&self, preds: &[Pred], env: &mut Env) {
        for _ in 0..2 {
            preds.iter().for_each(|p| self.assume(p, true, env));
        }
    }

    /// All targets at once, with values of the state before.
    fn assign(&self, list: &[Assignment], env: &Env) -> Env {
        let mut after = env.clone();
        let mut seen: BTreeMap<Name, usize> = BTreeMap::new();
        list.iter().for_each(|a| *seen.entry(a.target.place.into()).or_default() += 1);
        for Assignment { target, value } in list {
            let value = self.eval(value, env);
            self.store(target, value, env, &mut after);
        }
        // Several parts of one value: what comes of it together is not followed.
        for (name, _) in seen.into_iter().filter(|(_, times)| *times > 1) {
            if !after.is_dead() {
                after.set(name, Value::top(self.model, name.ty(self.model)));
            }
        }
        after
    }

    /// Puts a value where a target says; indices and the rest of the value are of the state before.
    fn store(&self, target: &Target, value: Value, env: &Env, after: &mut Env) {
        if value.is_never() {
            return after.kill();
        }
        let name = Name::from(target.place);
        let whole = self.changed(self.known(name, env), &target.path, value, env);
        let whole = match whole {
            Value::Any => Value::top(self.model, name.ty(self.model)),
            whole => whole,
        };
        after.set(name, whole);
    }

    /// A value with one part of it replaced.
    fn changed(&self, old: Value, path: &[Access], value: Value, env: &Env) -> Value {
        match path {
            [] => value,
            [Access::Field(position), rest @ ..] => {
                let Value::Record(mut fields) = old else { return Value::Any };
                let Some(field) = fields.get_mut(*position) else { return Value::Any };
                *field = self.changed(field.clone(), rest, value, env);
                Value::record(fields)
            }
            [Access::Index(index), rest @ ..] => {
                let index = self.eval(index, env);
                if index.is_never() {
                    return Value::Never;
                }
                let function = old.as_set();
                let inner = match rest {
                    [] => value,
                    _ => self.changed(function.range().elem, rest, value, env),
                };
                if inner.is_never() || inner == Value::Any {
                    return inner;
                }
                let pair = Value::pair(index, inner);
                let must = pair.single().into_iter().collect();
                let card = crate::domain::Ints::one(1);
                let one = Value::set(Set { card, must, finite: true, ..Set::within(pair) });
                self.binary(beeline_model::BinaryOp::Override, &Value::set(function), &one)
            }
        }
    }

    /// Splits the value of `x, y :: S`.
    fn set_places(&self, places: &[Place], value: Value, env: &mut Env) {
        match places {
            [] => {}
            [one] => {
                let name = Name::from(*one);
                env.set(name, value.meet(&Value::top(self.model, name.ty(self.model))));
            }
            [rest @ .., last] => {
                let (left, right) = value.halves();
                self.set_places(&[*last], right, env);
                self.set_places(rest, left, env);
            }
        }
    }

    fn case(
        &self,
        e: &Expr,
        branches: &[(Vec<Expr>, Subst)],
        last: Option<&Subst>,
        env: &Env,
        calls: usize,
    ) -> Env {
        let value = self.eval(e, env);
        let mut end = dead();
        for (labels, body) in branches {
            for label in labels {
                let met = value.meet(&self.eval(label, env));
                let mut taken = env.clone();
                self.refine(e, &met, &mut taken);
                end = end.join(&self.run(body, &taken, calls));
            }
        }
        end.join(&last.map_or_else(|| env.clone(), |s| self.run(s, env, calls)))
    }

    fn repeat(&self, w: &While, env: &Env, calls: usize) -> Env {
        let mut before = env.clone();
        for (local, place) in &w.before {
            let value = self.known((*place).into(), env);
            before.set(Name::Local(*local), value);
        }
        let mut now = before.clone();
        for round in 0..ROUNDS {
            let next = self.run(&w.body, &self.with(&w.condition, true, &now), calls);
            let joined = now.join(&next);
            if joined == now {
                return self.with(&w.condition, false, &now);
            }
            now = if round < EXACT_ROUNDS { joined } else { now.widen(&joined, &self.thresholds) };
        }
        // Whatever the loop writes is not known.
        self.with(&w.condition, false, &self.havoc(&w.body, env))
    }

    /// Every branch sees the state before; what each writes comes together.
    fn parallel(&self, parts: &[Subst], env: &Env, calls: usize) -> Env {
        let mut after = env.clone();
        let mut written: BTreeMap<Name, usize> = BTreeMap::new();
        for part in parts {
            let end = self.run(part, env, calls);
            if end.is_dead() {
                return end;
            }
            for name in self.written(part) {
                *written.entry(name).or_default() += 1;
                after.set(name, self.known(name, &end));
            }
        }
        for (name, _) in written.into_iter().filter(|(_, times)| *times > 1) {
            after.set(name, Value::top(self.model, name.ty(self.model)));
        }
        after
    }

    fn call(&self, call: &Call, env: &Env, calls: usize) -> Env {
        let operation = self.model.operation(call.operation);
        if calls >= CALLS {
            let mut after = self.havoc(&operation.body, env);
            call.results.iter().for_each(|t| after.forget(t.place.into()));
            return after;
        }
        let mut inner = env.clone();
        let values: Vec<Value> = call.arguments.iter().map(|a| self.eval(a, env)).collect();
        for (local, value) in operation.parameters.iter().zip(values) {
            inner.set(Name::Local(*local), value);
        }
        operation.results.iter().for_each(|l| inner.forget(Name::Local(*l)));
        let end = self.run(&operation.body, &inner, calls + 1);
        if end.is_dead() {
            return end;
        }
        let mut after = forget(&operation.parameters, end.clone());
        for (target, local) in call.results.iter().zip(&operation.results) {
            let value = self.known(Name::Local(*local), &end);
            match target.path.is_empty() {
                true => self.store(target, value, env, &mut after),
                // The rest of the value may be new as well.
                false => after.forget(target.place.into()),
            }
        }
        forget(&operation.results, after)
    }
}

fn dead() -> Env {
    let mut env = Env::new();
    env.kill();
    env
}

/// Without some bound names.
fn forget(locals: &[LocalId], mut env: Env) -> Env {
    locals.iter().for_each(|l| env.forget(Name::Local(*l)));
    env
}
