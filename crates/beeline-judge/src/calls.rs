//! Loops, and operations called by others.

use crate::Judge;
use crate::error::{Eval, EvalError, ViolationKind};
use crate::execute::{Effect, Sink};
use crate::flow::{Flow, go};
use crate::scene::{Scene, unset};
use crate::value::Value;
use beeline_model::{Call, OperationId, Place, While};
use beeline_source::Span;
use num_bigint::Sign;
use std::ops::ControlFlow;

/// A point in the execution of a loop: the scene, what was changed so far, the last variant.
type Round = (Scene, Effect, Option<Value>);

impl Judge<'_> {
    /// Rounds wait in a list, so that a long loop nests no deeper than a short one.
    pub(crate) fn run_while(
        &self,
        body: &While,
        scene: &Scene,
        span: Span,
        sink: Sink<'_>,
    ) -> Flow {
        let mut start = scene.clone();
        for (local, place) in &body.before {
            if let Some(value) = scene.place(*place) {
                start.bind(*local, value.clone());
            }
        }
        let mut rounds = vec![(start, Effect::new(), None)];
        while let Some(round) = rounds.pop() {
            self.charge(1)?;
            go!(self.survive(self.run_round(body, round, &mut rounds, span, sink)));
        }
        Ok(ControlFlow::Continue(()))
    }

    /// One round: what comes after it waits with the others, or the loop ends here.
    fn run_round(
        &self,
        body: &While,
        (scene, effect, before): Round,
        rounds: &mut Vec<Round>,
        span: Span,
        sink: Sink<'_>,
    ) -> Flow {
        let invariant = ViolationKind::LoopInvariant;
        self.promise(invariant, "a loop invariant", &body.invariant, &scene)?;
        if !self.holds(&body.condition, &scene)? {
            return sink(&effect);
        }
        let variant = self.eval(&body.variant, &scene)?;
        let decreases = match (&variant, &before) {
            (Value::Integer(now), _) if now.sign() == Sign::Minus => false,
            (now, Some(before)) => now < before,
            _ => true,
        };
        if !decreases {
            let what = format!("the variant of a loop is {}", self.show(&variant));
            let what = match &before {
                Some(before) => format!("{what} after {}", self.show(before)),
                None => what,
            };
            return Err(EvalError::Violation { kind: ViolationKind::Variant, what, span });
        }
        self.run(&body.body, &scene, None, &mut |change| {
            let mut all = effect.clone();
            all.extend(change.clone());
            rounds.push((self.after(&scene, change), all, Some(variant.clone())));
            Ok(ControlFlow::Continue(()))
        })
    }

    /// Runs the body of a called operation: its precondition must hold.
    pub(crate) fn run_call(
        &self,
        call: &Call,
        scene: &Scene,
        wanted: Option<&Effect>,
        sink: Sink<'_>,
    ) -> Flow {
        let arguments = self.eval_all(&call.arguments, scene)?;
        let operation = self.model.operation(call.operation);
        self.run_called(call.operation, arguments, scene, wanted, &mut |effect| {
            let mut visible = effect.clone();
            visible.retain(|place, _| matches!(place, Place::Variable(_)));
            for (result, target) in operation.results.iter().zip(&call.results) {
                let value = effect.get(&Place::Local(*result)).cloned();
                let value = value.ok_or_else(|| {
                    unset(format!("result {}", self.model.local(*result).name)).at(target.span)
                })?;
                if target.path.is_empty() && visible.contains_key(&target.place) {
                    return Err(self.clash(target.place, target.span));
                }
                self.assign_to(target, value, scene, &mut visible)?;
            }
            sink(&visible)
        })
    }

    /// Effects of an operation on given arguments; its results are among the places.
    pub(crate) fn run_called(
        &self,
        operation: OperationId,
        arguments: Vec<Value>,
        scene: &Scene,
        wanted: Option<&Effect>,
        sink: Sink<'_>,
    ) -> Flow {
        let operation = self.model.operation(operation);
        let mut inner = Scene::of(&scene.state);
        for (parameter, argument) in operation.parameters.iter().zip(arguments) {
            inner.bind(*parameter, argument);
        }
        self.run(&operation.body, &inner, wanted, sink)
    }

    /// The result of a query operation called in an expression.
    pub(crate) fn operation_value(
        &self,
        operation: OperationId,
        arguments: Vec<Value>,
        scene: &Scene,
    ) -> Eval<Value> {
        let results = &self.model.operation(operation).results;
        let mut found: Option<Value> = None;
        let mut outcome = |effect: &Effect| {
            if effect.keys().any(|place| matches!(place, Place::Variable(_))) {
                return Err(EvalError::unsupported("an operation in an expression changes state"));
            }
            let values = results.iter().map(|r| effect.get(&Place::Local(*r)).cloned());
            let value = values.collect::<Option<Vec<Value>>>().and_then(Value::tuple);
            let value = value.ok_or_else(|| unset("the result of an operation"))?;
            match &found {
                Some(before) if !self.equal(before, &value)? => {
                    Err(EvalError::unsupported("an operation in an expression has several results"))
                }
                _ => {
                    found = Some(value);
                    Ok(ControlFlow::Continue(()))
                }
            }
        };
        let _ = self.with_all_choices(|| {
            self.run_called(operation, arguments, scene, None, &mut outcome)
        })?;
        found.ok_or_else(|| EvalError::ill_defined("an operation in an expression is disabled"))
    }
}
