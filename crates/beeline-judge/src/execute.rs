//! What a substitution does: every effect it can have.
//!
//! An effect is the set of places that changed, with their new values. Effects are handed to a
//! continuation, so that one is found without computing all. When the values after are known
//! (a replay), choices are checked against them instead of being enumerated.

use crate::Judge;
use crate::error::{Eval, EvalError, NoteKind, UnknownReason, ViolationKind};
use crate::flow::{Flow, go};
use crate::scene::Scene;
use crate::solve::{Policy, Solve};
use crate::value::Value;
use beeline_model::{BecomesSuch, Conjunct, Expr, LocalId, Place, Promise, Subst, SubstKind};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::Arc;

/// The places that changed, with their new values.
pub type Effect = BTreeMap<Place, Value>;

/// What happens with an effect.
pub(crate) type Sink<'f> = &'f mut dyn FnMut(&Effect) -> Flow;

/// What is false when a promise is broken.
fn promise_word(promise: Promise) -> &'static str {
    match promise {
        Promise::Assert => "an ASSERT condition",
        Promise::GuardStrengthening => "a guard of the refined event",
        Promise::Simulation => "what the refined event demands of the next state",
        Promise::Witness => "that a witness exists",
        Promise::Theorem => "a theorem among the guards",
        Promise::Variant => "what is demanded of the variant",
        Promise::VariantBound => "that the variant is a natural number or a finite set",
        Promise::RefinedPrecondition => "a precondition of the refined operation",
        Promise::Refusal => "what the abstraction cannot refuse",
        Promise::Enabledness => "that some operation is possible",
    }
}

impl Judge<'_> {
    /// All effects of a substitution, without repetition.
    pub fn execute(&self, subst: &Subst, scene: &Scene) -> Eval<Vec<Effect>> {
        let mut effects = BTreeSet::new();
        let _ = self.with_all_choices(|| {
            self.run(subst, scene, None, &mut |effect| {
                effects.insert(effect.clone());
                Ok(ControlFlow::Continue(()))
            })
        })?;
        Ok(effects.into_iter().collect())
    }

    /// Hands on every effect; if `wanted` is given, only effects that agree with it.
    pub(crate) fn run(
        &self,
        subst: &Subst,
        scene: &Scene,
        wanted: Option<&Effect>,
        sink: Sink<'_>,
    ) -> Flow {
        self.deeper(|| self.run_kind(subst, scene, wanted, sink))
            .map_err(|error| error.at(subst.span))
    }

    fn run_kind(
        &self,
        subst: &Subst,
        scene: &Scene,
        wanted: Option<&Effect>,
        sink: Sink<'_>,
    ) -> Flow {
        match &subst.kind {
            SubstKind::Skip => sink(&Effect::new()),
            SubstKind::Assign(parts) => self.offer(self.assign(parts, scene)?, wanted, sink),
            SubstKind::BecomesElement(places, set) => {
                self.run_becomes_element(places, set, scene, wanted, sink)
            }
            SubstKind::BecomesSuch(such) => self.run_becomes_such(such, scene, wanted, sink),
            SubstKind::Pre(condition, body) => {
                self.promise(ViolationKind::Precondition, "a precondition", condition, scene)?;
                self.run(body, scene, wanted, sink)
            }
            SubstKind::Assert(promise, condition, body) => {
                let kind = ViolationKind::Promise(*promise);
                self.promise(kind, promise_word(*promise), condition, scene)?;
                self.run(body, scene, wanted, sink)
            }
            SubstKind::If(branches, otherwise) => {
                for (condition, body) in branches {
                    if self.holds(condition, scene)? {
                        return self.run(body, scene, wanted, sink);
                    }
                }
                self.run_else(otherwise.as_deref(), scene, wanted, sink)
            }
            SubstKind::Select(branches, otherwise) => {
                let mut taken = false;
                for (condition, body) in branches {
                    if self.all_hold(condition, scene)? {
                        taken = true;
                        go!(self.survive(self.run(body, scene, wanted, sink)));
                    }
                }
                match otherwise {
                    Some(body) if !taken => self.run(body, scene, wanted, sink),
                    _ => Ok(ControlFlow::Continue(())),
                }
            }
            SubstKind::Choice(parts) => {
                for part in parts {
                    go!(self.survive(self.run(part, scene, wanted, sink)));
                }
                Ok(ControlFlow::Continue(()))
            }
            SubstKind::Case(selector, branches, otherwise) => {
                let value = self.eval(selector, scene)?;
                for (labels, body) in branches {
                    if self.is_among(&self.eval_all(labels, scene)?, &value)? {
                        return self.run(body, scene, wanted, sink);
                    }
                }
                self.run_else(otherwise.as_deref(), scene, wanted, sink)
            }
            SubstKind::Any(locals, condition, body) => {
                let mut search = Solve::new(self, Policy::Bound, subst.span);
                search.add_locals(locals);
                condition.iter().for_each(|c| search.add_pred(&c.pred, true));
                if let Some(wanted) = wanted {
                    self.add_consequences(body, wanted, &mut search);
                }
                search.run_choices(scene.clone(), &mut |scene| self.run(body, scene, wanted, sink))
            }
            SubstKind::Let(values, body) => {
                self.run(body, &self.let_scene(values, scene)?, wanted, sink)
            }
            SubstKind::Var(locals, body) => self.run_var(locals, body, scene, wanted, sink),
            SubstKind::While(body) => self.run_while(body, scene, subst.span, sink),
            SubstKind::Sequence(parts) => {
                self.run_sequence(parts, scene, Effect::new(), wanted, sink)
            }
            SubstKind::Parallel(parts) => {
                self.run_parallel(parts, scene, Effect::new(), wanted, sink)
            }
            SubstKind::Call(call) => self.run_call(call, scene, wanted, sink),
            SubstKind::External(id, arguments) => {
                self.eval_all(arguments, scene)?;
                self.external_substitution(self.model.external(*id))?;
                sink(&Effect::new())
            }
        }
    }

    fn run_else(
        &self,
        otherwise: Option<&Subst>,
        scene: &Scene,
        wanted: Option<&Effect>,
        sink: Sink<'_>,
    ) -> Flow {
        match otherwise {
            Some(body) => self.run(body, scene, wanted, sink),
            None => sink(&Effect::new()),
        }
    }

    /// Hands on an effect unless it disagrees with what is wanted.
    fn offer(&self, effect: Effect, wanted: Option<&Effect>, sink: Sink<'_>) -> Flow {
        if let Some(wanted) = wanted {
            for (place, value) in &effect {
                if let Some(known) = wanted.get(place)
                    && !self.equal(known, value)?
                {
                    return Ok(ControlFlow::Continue(()));
                }
            }
        }
        sink(&effect)
    }

    /// Something that has to be true.
    pub(crate) fn promise(
        &self,
        kind: ViolationKind,
        what: &str,
        conjuncts: &[Conjunct],
        scene: &Scene,
    ) -> Eval<()> {
        for conjunct in conjuncts {
            if !self.holds(&conjunct.pred, scene)? {
                let what = format!("{what} is false");
                return Err(EvalError::Violation { kind, what, span: conjunct.span });
            }
        }
        Ok(())
    }

    /// The scene after an effect.
    pub(crate) fn after(&self, scene: &Scene, effect: &Effect) -> Scene {
        let mut scene = scene.clone();
        for (place, value) in effect {
            scene.set_place(*place, value.clone());
        }
        scene
    }

    fn run_becomes_element(
        &self,
        places: &[Place],
        set: &Expr,
        scene: &Scene,
        wanted: Option<&Effect>,
        sink: Sink<'_>,
    ) -> Flow {
        let known: Option<Vec<Value>> =
            wanted.and_then(|w| places.iter().map(|p| w.get(p).cloned()).collect());
        let set_value = self.eval(set, scene)?;
        let effect_of = |tuple: &Value| -> Eval<Effect> {
            let parts = tuple
                .untuple(places.len())
                .ok_or_else(|| EvalError::internal("a tuple of another length was expected"))?;
            Ok(places.iter().copied().zip(parts).collect())
        };
        if let Some(tuple) = known.and_then(Value::tuple) {
            if self.contains(&set_value, &tuple)? {
                return sink(&effect_of(&tuple)?);
            }
            return Ok(ControlFlow::Continue(()));
        }
        let mut stopped = ControlFlow::Continue(());
        let mut visit = |tuple: Value| -> Flow {
            stopped = self.survive(self.offer(effect_of(&tuple)?, wanted, sink))?;
            Ok(stopped)
        };
        match self.each(&set_value, &mut visit) {
            Err(EvalError::Unknown { reason: UnknownReason::Infinite, .. }) => {
                let _ = self.each(&self.bounded(&set_value), &mut visit)?;
                self.note(NoteKind::UnboundedEnumeration, set.span);
            }
            other => {
                let _ = other?;
            }
        }
        Ok(stopped)
    }

    fn run_becomes_such(
        &self,
        such: &BecomesSuch,
        scene: &Scene,
        wanted: Option<&Effect>,
        sink: Sink<'_>,
    ) -> Flow {
        let mut scene = scene.clone();
        let mut unbound = Vec::new();
        for (place, after) in such.places.iter().zip(&such.after) {
            match wanted.and_then(|w| w.get(place)) {
                Some(value) => scene.bind(*after, value.clone()),
                None => unbound.push(*after),
            }
        }
        let mut search = Solve::new(self, Policy::Bound, such.predicate.span);
        search.add_locals(&unbound);
        search.add_pred(&such.predicate, true);
        search.run_choices(scene, &mut |scene| {
            let values: Eval<Vec<Value>> =
                such.after.iter().map(|local| self.local(*local, scene)).collect();
            sink(&such.places.iter().copied().zip(values?).collect())
        })
    }

    /// What the body of an ANY, as far as it is plain assignments, demands of its names.
    fn add_consequences<'s>(&self, body: &'s Subst, wanted: &Effect, search: &mut Solve<'s, '_>) {
        match &body.kind {
            SubstKind::Assign(parts) => {
                for part in parts.iter().filter(|p| p.target.path.is_empty()) {
                    if let Some(value) = wanted.get(&part.target.place) {
                        search.add_equals(&part.value, value.clone());
                    }
                }
            }
            SubstKind::Parallel(parts) => {
                parts.iter().for_each(|p| self.add_consequences(p, wanted, search));
            }
            _ => {}
        }
    }

    fn run_var(
        &self,
        locals: &[LocalId],
        body: &Subst,
        scene: &Scene,
        wanted: Option<&Effect>,
        sink: Sink<'_>,
    ) -> Flow {
        let mut inner = scene.clone();
        let names = Arc::make_mut(&mut inner.locals);
        locals.iter().for_each(|local| {
            names.remove(local);
        });
        self.run(body, &inner, wanted, &mut |effect| {
            let mut effect = effect.clone();
            effect.retain(|place, _| !matches!(place, Place::Local(id) if locals.contains(id)));
            sink(&effect)
        })
    }

    fn run_sequence(
        &self,
        parts: &[Subst],
        scene: &Scene,
        so_far: Effect,
        wanted: Option<&Effect>,
        sink: Sink<'_>,
    ) -> Flow {
        let Some((first, rest)) = parts.split_first() else { return sink(&so_far) };
        // What a later part may change again is not wanted yet.
        let now = wanted.map(|wanted| {
            let mut later = BTreeSet::new();
            rest.iter().for_each(|part| self.places_written(part, &mut later));
            let mut now = wanted.clone();
            now.retain(|place, _| !later.contains(place));
            now
        });
        self.run(first, scene, now.as_ref(), &mut |effect| {
            let mut all = so_far.clone();
            all.extend(effect.clone());
            self.run_sequence(rest, &self.after(scene, effect), all, wanted, sink)
        })
    }

    fn run_parallel(
        &self,
        parts: &[Subst],
        scene: &Scene,
        so_far: Effect,
        wanted: Option<&Effect>,
        sink: Sink<'_>,
    ) -> Flow {
        let Some((first, rest)) = parts.split_first() else { return sink(&so_far) };
        self.run(first, scene, wanted, &mut |effect| {
            let mut all = so_far.clone();
            for (place, value) in effect {
                if all.insert(*place, value.clone()).is_some() {
                    return Err(self.clash(*place, first.span));
                }
            }
            self.run_parallel(rest, scene, all, wanted, sink)
        })
    }
}
