//! What follows for the names if a predicate is true, or false.
//!
//! An environment that is dead afterwards says that the predicate cannot have this truth; if it is
//! well-defined, it has the other one. That is how predicates are proved.

mod compare;
mod member;
mod refine;

use crate::analysis::{Analysis, deep};
use crate::env::{Env, Name};
use beeline_model::{LocalId, Pred, PredKind};

impl Analysis<'_> {
    /// Narrows what is known by the truth of a predicate.
    pub fn assume(&self, p: &Pred, truth: bool, env: &mut Env) {
        if env.is_dead() || !self.pay() {
            return;
        }
        deep(|| self.assume_kind(p, truth, env));
    }

    fn assume_kind(&self, p: &Pred, truth: bool, env: &mut Env) {
        match (&p.kind, truth) {
            (PredKind::Bool(b), _) => {
                if *b != truth {
                    env.kill();
                }
            }
            (PredKind::And(parts), true) => parts.iter().for_each(|p| self.assume(p, true, env)),
            (PredKind::Or(parts), false) => parts.iter().for_each(|p| self.assume(p, false, env)),
            // One of them decides, whatever the others are.
            (PredKind::And(parts), false) => self.either(parts, false, env),
            (PredKind::Or(parts), true) => self.either(parts, true, env),
            (PredKind::Not(p), _) => self.assume(p, !truth, env),
            (PredKind::Implies(p, q), false) => {
                self.assume(p, true, env);
                self.assume(q, false, env);
            }
            (PredKind::Implies(p, q), true) => {
                self.ways(env, &[&[(p, false)], &[(p, true), (q, true)], &[(q, true)]])
            }
            (PredKind::Equivalent(p, q), _) => {
                self.ways(env, &[&[(p, true), (q, truth)], &[(p, false), (q, !truth)]]);
            }
            (PredKind::If(c, p, q), true) => {
                self.ways(env, &[&[(c, true), (p, true)], &[(c, false), (q, true)]]);
            }
            (PredKind::If(c, p, q), false) => {
                let both: &[(&Pred, bool)] = &[(p, false), (q, false)];
                self.ways(env, &[&[(c, true), (p, false)], &[(c, false), (q, false)], both]);
            }
            (PredKind::Compare(op, a, b), _) => self.compare(*op, truth, a, b, env),
            (PredKind::Exists(locals, p), true) | (PredKind::Forall(locals, p), false) => {
                locals.iter().for_each(|l| env.forget(Name::Local(*l)));
                self.assume(p, truth, env);
                self.assume(p, truth, env);
                locals.iter().for_each(|l| env.forget(Name::Local(*l)));
            }
            (PredKind::Forall(locals, p), true) => self.for_all(locals, p, env),
            (PredKind::Let(values, p), _) => {
                for (local, value) in values {
                    let value = self.eval(value, env);
                    env.set(Name::Local(*local), value);
                }
                self.assume(p, truth, env);
                values.iter().for_each(|(local, _)| env.forget(Name::Local(*local)));
            }
            (PredKind::Finite(set), true) => {
                let mut value = self.eval_set(set, env);
                value.finite = true;
                self.refine(set, &crate::domain::Value::set(value), env);
            }
            (PredKind::Finite(set), false) => {
                if self.eval_set(set, env).finite {
                    env.kill();
                }
            }
            (PredKind::Partition(whole, parts), true) => self.partition(whole, parts, env),
            (PredKind::Exists(..) | PredKind::Partition(..) | PredKind::External(..), _) => {}
        }
    }

    /// One of several has this truth.
    fn either(&self, parts: &[Pred], truth: bool, env: &mut Env) {
        let mut joined: Option<Env> = None;
        for part in parts {
            let mut way = env.clone();
            self.assume(part, truth, &mut way);
            joined = Some(joined.map_or_else(|| way.clone(), |j| j.join(&way)));
        }
        match joined {
            Some(joined) => *env = joined,
            None => env.kill(),
        }
    }

    /// One of several conjunctions of truths is there.
    fn ways(&self, env: &mut Env, ways: &[&[(&Pred, bool)]]) {
        let mut joined: Option<Env> = None;
        for way in ways {
            let mut end = env.clone();
            way.iter().for_each(|(p, truth)| self.assume(p, *truth, &mut end));
            joined = Some(joined.map_or_else(|| end.clone(), |j| j.join(&end)));
        }
        if let Some(joined) = joined {
            *env = joined;
        }
    }

    /// `!x.(P => Q)`: what it says of the elements of a set that `P` names.
    fn for_all(&self, locals: &[LocalId], body: &Pred, env: &mut Env) {
        let PredKind::Implies(condition, claim) = &body.kind else { return };
        let mut inner = env.clone();
        locals.iter().for_each(|l| inner.forget(Name::Local(*l)));
        self.elements(locals, condition, claim, &inner, env);
    }
}
