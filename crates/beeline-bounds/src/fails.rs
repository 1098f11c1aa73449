//! Which operations surely never fail: every formula on the way has a meaning, and nothing is promised that
//! may not hold.

use crate::analysis::{Analysis, deep};
use crate::env::{Env, Name};
use crate::states::States;
use beeline_model::{
    Access, Assignment, Expr, ExprKind, LocalId, Mentions, Operation, Place, Pred, Subst,
    SubstKind, visit_subst,
};

impl States {
    /// What is true of every reachable state, to ask about formulas and operations in it.
    pub fn env(&self) -> Env {
        let mut env = Env::new();
        if self.no_states {
            return env;
        }
        let known = self.constants.iter().chain(&self.variables);
        known.for_each(|(name, value)| env.set(*name, value.clone()));
        env
    }
}

impl Analysis<'_> {
    /// Has a predicate surely a meaning?
    pub fn surely_defined(&self, p: &Pred, env: &Env) -> bool {
        self.refill();
        self.is_defined_pred(p, env)
    }

    /// Does an operation surely never fail, whatever its parameters are? `false`: it may.
    pub fn never_fails(&self, operation: &Operation, env: &Env) -> bool {
        self.refill();
        let mut inner = env.clone();
        operation.parameters.iter().for_each(|l| inner.forget(Name::Local(*l)));
        let mut body = &operation.body;
        // At the top it is a guard, and further down a promise.
        while let SubstKind::Pre(conjuncts, rest) = &body.kind {
            for conjunct in conjuncts {
                if !self.is_defined_pred(&conjunct.pred, &inner) {
                    return false;
                }
                self.assume(&conjunct.pred, true, &mut inner);
            }
            body = rest;
        }
        gives_results(body, &operation.results) && self.fine(body, &inner)
    }

    fn fine(&self, s: &Subst, env: &Env) -> bool {
        env.is_dead() || self.pay() && deep(|| self.fine_kind(s, env))
    }

    fn fine_kind(&self, s: &Subst, env: &Env) -> bool {
        match &s.kind {
            SubstKind::Skip => true,
            SubstKind::Assign(list) => {
                let places: Vec<Place> = list.iter().map(|a| a.target.place).collect();
                is_each_once(&places) && list.iter().all(|a| self.fine_assignment(a, env))
            }
            SubstKind::BecomesElement(_, set) => self.is_defined(set, env),
            SubstKind::BecomesSuch(such) => {
                let mut inner = env.clone();
                such.after.iter().for_each(|l| inner.forget(Name::Local(*l)));
                self.is_defined_pred(&such.predicate, &inner)
            }
            SubstKind::If(branches, last) => {
                let mut rest = env.clone();
                for (condition, body) in branches {
                    let taken = self.with(condition, true, &rest);
                    if !self.is_defined_pred(condition, &rest) || !self.fine(body, &taken) {
                        return false;
                    }
                    self.assume(condition, false, &mut rest);
                }
                last.as_ref().is_none_or(|s| self.fine(s, &rest))
            }
            SubstKind::Select(branches, last) => {
                branches.iter().all(|(conjuncts, body)| {
                    let preds: Vec<&Pred> = conjuncts.iter().map(|c| &c.pred).collect();
                    self.fine_after(&preds, env.clone(), body)
                }) && last.as_ref().is_none_or(|s| self.fine(s, env))
            }
            SubstKind::Choice(parts) => parts.iter().all(|s| self.fine(s, env)),
            SubstKind::Any(locals, conjuncts, body) => {
                let mut inner = env.clone();
                locals.iter().for_each(|l| inner.forget(Name::Local(*l)));
                let preds: Vec<&Pred> = conjuncts.iter().map(|c| &c.pred).collect();
                self.fine_after(&preds, inner, body)
            }
            SubstKind::Let(values, body) => {
                let mut inner = env.clone();
                for (local, value) in values {
                    if !self.is_defined(value, &inner) {
                        return false;
                    }
                    let value = self.eval(value, &inner);
                    inner.set(Name::Local(*local), value);
                }
                self.fine(body, &inner)
            }
            SubstKind::Sequence(parts) => {
                let mut now = env.clone();
                parts.iter().all(|part| {
                    let fine = self.fine(part, &now);
                    now = self.execute(part, &now);
                    fine
                })
            }
            SubstKind::Parallel(parts) => {
                let mut written: Vec<Place> = Vec::new();
                parts.iter().for_each(|s| places(s, &mut written));
                is_each_once(&written) && parts.iter().all(|s| self.fine(s, env))
            }
            // Promises, calls, loops, names without a value.
            _ => false,
        }
    }

    /// Conditions, and what is done where they hold.
    fn fine_after(&self, conditions: &[&Pred], mut env: Env, body: &Subst) -> bool {
        for p in conditions {
            if !self.is_defined_pred(p, &env) {
                return false;
            }
            self.assume(p, true, &mut env);
        }
        self.fine(body, &env)
    }

    fn fine_assignment(&self, a: &Assignment, env: &Env) -> bool {
        // Inside a value something must be there.
        let path = match &a.target.path[..] {
            [] | [Access::Field(_)] => true,
            [Access::Index(index)] => self.is_defined(index, env),
            _ => false,
        };
        path && self.is_defined(&a.value, env)
    }
}

fn is_each_once(places: &[Place]) -> bool {
    places.iter().enumerate().all(|(i, place)| !places[..i].contains(place))
}

/// The places that a substitution assigns to, each as often as it stands there in parallel; of branches of
/// which one is taken all count.
fn places(s: &Subst, found: &mut Vec<Place>) {
    struct Written<'f>(&'f mut Vec<Place>);
    impl Mentions for Written<'_> {
        fn writes(&mut self, variable: beeline_model::VariableId) {
            self.0.push(Place::Variable(variable));
        }
    }
    let mut own = Vec::new();
    visit_subst(s, &mut Written(&mut own));
    own.dedup();
    own.sort_unstable();
    own.dedup();
    found.extend(own);
}

/// Has each result a value in the end, and is none read on the way?
fn gives_results(body: &Subst, results: &[LocalId]) -> bool {
    struct Read<'r>(&'r [LocalId], bool);
    impl Mentions for Read<'_> {
        fn enter(&mut self, e: &Expr) -> bool {
            self.1 |= matches!(e.kind, ExprKind::Local(l) if self.0.contains(&l));
            true
        }
    }
    let mut read = Read(results, false);
    visit_subst(body, &mut read);
    !read.1 && results.iter().all(|result| gives(body, *result))
}

fn gives(s: &Subst, result: LocalId) -> bool {
    match &s.kind {
        SubstKind::Assign(list) => list.iter().any(|a| {
            a.target.path.is_empty() && matches!(a.target.place, Place::Local(l) if l == result)
        }),
        SubstKind::BecomesElement(places, _) => places.contains(&Place::Local(result)),
        SubstKind::Parallel(parts) | SubstKind::Sequence(parts) => {
            parts.iter().any(|s| gives(s, result))
        }
        SubstKind::Choice(parts) => parts.iter().all(|s| gives(s, result)),
        SubstKind::If(branches, Some(last)) => {
            branches.iter().all(|(_, s)| gives(s, result)) && gives(last, result)
        }
        SubstKind::Any(_, _, body) | SubstKind::Let(_, body) => gives(body, result),
        SubstKind::Select(branches, None) => branches.iter().all(|(_, s)| gives(s, result)),
        _ => false,
    }
}
