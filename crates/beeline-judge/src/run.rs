//! The model in motion: valuations of the constants, initial states, steps.

use crate::Judge;
use crate::error::Eval;
use crate::execute::{Effect, Sink};
use crate::flow::{Flow, go};
use crate::scene::{Scene, State};
use crate::solve::{Policy, Solve};
use crate::trouble::Troubles;
use crate::value::Value;
use beeline_model::{Conjunct, ConstantId, Operation, OperationId, Place, Subst, SubstKind};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// One execution of an operation.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Step {
    /// Which operation.
    pub operation: OperationId,
    /// One value a parameter.
    pub arguments: Vec<Value>,
    /// One value a result; nothing for a result that was not assigned.
    pub results: Vec<Option<Value>>,
    /// The state after.
    pub state: State,
}

/// The conditions at the top of an operation, before anything is done, and what remains. They are one
/// condition: one of them that is false decides, also beside one without a meaning.
///
/// `g ==> (p | S)` fails where `g` is true and `p` is not, so that a `PRE` below a `SELECT` is a promise;
/// unless nothing else says what the parameters are.
fn guards(operation: &Operation) -> (Vec<&Conjunct>, &Subst) {
    let (mut conjuncts, mut rest) = (Vec::new(), &operation.body);
    let mut below_select = false;
    let mut untyped = !operation.parameters.is_empty();
    loop {
        match &rest.kind {
            SubstKind::Pre(condition, body) if untyped || !below_select => {
                conjuncts.extend(condition);
                rest = body;
                untyped = false;
            }
            SubstKind::Select(branches, None) if let [(condition, body)] = branches.as_slice() => {
                conjuncts.extend(condition);
                rest = body;
                below_select = true;
            }
            _ => return (conjuncts, rest),
        }
    }
}

impl Judge<'_> {
    /// Do the constants need a valuation, or the properties a check, before initialisation?
    pub fn has_setup(&self) -> bool {
        !(self.model.constants.is_empty() && self.model.properties.is_empty())
    }

    /// All valuations of the constants that satisfy the properties.
    pub fn setups(&self) -> Eval<Vec<State>> {
        self.refill();
        let mut search = Solve::new(self, Policy::Bound, beeline_source::Span::NONE);
        search.add_constants((0..self.model.constants.len()).map(|i| ConstantId(i as u32)));
        for property in &self.model.properties {
            search.add_pred(&property.conjunct.pred, true);
        }
        let mut found = BTreeSet::new();
        let _ = search.run_noted(Scene::of(&State::blank(self.model)), &mut |scene| {
            found.insert(scene.state.clone());
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(found.into_iter().collect())
    }

    /// Gives the constants without a value one that satisfies the properties, beside the values of
    /// the others. `None`: there is none.
    pub fn complete_setup(&self, setup: &State) -> Eval<Option<State>> {
        let ids = (0..self.model.constants.len()).map(|i| ConstantId(i as u32));
        let unbound: Vec<ConstantId> = ids.filter(|c| setup.constant(*c).is_none()).collect();
        if unbound.is_empty() {
            return Ok(Some(setup.clone()));
        }
        self.refill();
        let mut search = Solve::new(self, Policy::Bound, beeline_source::Span::NONE);
        search.add_constants(unbound);
        for property in &self.model.properties {
            search.add_pred(&property.conjunct.pred, true);
        }
        let mut found = None;
        let _ = search.run_noted(Scene::of(setup), &mut |scene| {
            found = Some(scene.state.clone());
            Ok(ControlFlow::Break(()))
        })?;
        Ok(found)
    }

    /// All states after initialisation.
    pub fn initial_states(&self, setup: &State) -> Eval<Vec<State>> {
        let (states, troubles) = self.initial_outcomes(setup)?;
        troubles.result()?;
        Ok(states)
    }

    /// All states after initialisation, and what is wrong beside them.
    pub fn initial_outcomes(&self, setup: &State) -> Eval<(Vec<State>, Troubles)> {
        self.refill();
        let mut found = BTreeSet::new();
        let (flow, troubles) = self.with_troubles(|| {
            let flow = self.each_initial_state(setup, None, &mut |state| {
                found.insert(state);
                Ok(ControlFlow::Continue(()))
            });
            self.survive(flow)
        });
        let _ = flow?;
        Ok((found.into_iter().collect(), troubles))
    }

    /// One component is initialised after the other.
    pub(crate) fn each_initial_state(
        &self,
        setup: &State,
        wanted: Option<&Effect>,
        found: &mut dyn FnMut(State) -> Flow,
    ) -> Flow {
        self.initialise(0, &Scene::of(setup), wanted, found)
    }

    fn initialise(
        &self,
        index: usize,
        scene: &Scene,
        wanted: Option<&Effect>,
        found: &mut dyn FnMut(State) -> Flow,
    ) -> Flow {
        let Some((_, subst)) = self.model.concrete().initialisation.get(index) else {
            return found(scene.state.clone());
        };
        self.run(subst, scene, wanted, &mut |effect| {
            let state = self.settled(scene, effect)?;
            self.initialise(index + 1, &Scene::of(&state), wanted, found)
        })
    }

    /// The state after an effect, with every finite set listed.
    fn settled(&self, scene: &Scene, effect: &Effect) -> Eval<State> {
        let mut state = scene.state.clone();
        for (place, value) in effect {
            if let Place::Variable(id) = place {
                state.set_variable(*id, Some(self.settle(value.clone())?));
            }
        }
        Ok(state)
    }

    /// All steps from a state, without repetition, operations in the order of the text.
    pub fn successors(&self, state: &State) -> Eval<Vec<Step>> {
        self.refill();
        let mut steps = Vec::new();
        for operation in &self.model.concrete().operations {
            steps.extend(self.steps_of(*operation, state)?);
        }
        Ok(steps)
    }

    /// All steps of one operation from a state, without repetition; an error if one fails.
    pub fn steps_of(&self, operation: OperationId, state: &State) -> Eval<Vec<Step>> {
        let (steps, troubles) = self.outcomes_of(operation, state)?;
        troubles.result()?;
        Ok(steps)
    }

    /// All steps of one operation from a state, without repetition, and what is wrong beside them.
    pub fn outcomes_of(
        &self,
        operation: OperationId,
        state: &State,
    ) -> Eval<(Vec<Step>, Troubles)> {
        let mut steps = BTreeSet::new();
        let (flow, troubles) = self.with_troubles(|| {
            let flow = self.each_step(operation, state, &mut |step| {
                steps.insert(step);
                Ok(ControlFlow::Continue(()))
            });
            self.survive(flow)
        });
        let _ = flow?;
        Ok((steps.into_iter().collect(), troubles))
    }

    /// All steps of one operation with these arguments, and what is wrong beside them.
    pub fn outcomes_with(
        &self,
        operation: OperationId,
        arguments: &[Value],
        state: &State,
    ) -> Eval<(Vec<Step>, Troubles)> {
        let mut steps = BTreeSet::new();
        let (flow, troubles) = self.with_troubles(|| {
            let flow = self.each_step_with(operation, arguments, state, None, &mut |step| {
                steps.insert(step);
                Ok(ControlFlow::Continue(()))
            });
            self.survive(flow)
        });
        let _ = flow?;
        Ok((steps.into_iter().collect(), troubles))
    }

    /// Has the state a step of this operation?
    pub fn is_enabled(&self, operation: OperationId, state: &State) -> Eval<bool> {
        let flow = self.with_all_choices(|| {
            self.each_step(operation, state, &mut |_| Ok(ControlFlow::Break(())))
        })?;
        Ok(flow.is_break())
    }

    fn each_step(
        &self,
        id: OperationId,
        state: &State,
        found: &mut dyn FnMut(Step) -> Flow,
    ) -> Flow {
        let operation = self.model.operation(id);
        let mut seen = BTreeSet::new();
        let mut with_arguments = |scene: &Scene| -> Flow {
            let arguments: Eval<Vec<Value>> =
                operation.parameters.iter().map(|p| self.local(*p, scene)).collect();
            let arguments = arguments?;
            if !seen.insert(arguments.clone()) {
                return Ok(ControlFlow::Continue(()));
            }
            self.each_step_with(id, &arguments, state, None, found)
        };
        if operation.parameters.is_empty() {
            return with_arguments(&Scene::of(state));
        }
        let mut search = Solve::new(self, Policy::Bound, operation.span);
        search.add_locals(&operation.parameters);
        guards(operation).0.iter().for_each(|c| search.add_pred(&c.pred, true));
        search.run_choices(Scene::of(state), &mut with_arguments)
    }

    /// The steps with given arguments; if `wanted` is given, only those that agree with it.
    pub(crate) fn each_step_with(
        &self,
        id: OperationId,
        arguments: &[Value],
        state: &State,
        wanted: Option<&Effect>,
        found: &mut dyn FnMut(Step) -> Flow,
    ) -> Flow {
        let operation = self.model.operation(id);
        let mut scene = Scene::of(state);
        for (parameter, argument) in operation.parameters.iter().zip(arguments) {
            scene.bind(*parameter, argument.clone());
        }
        self.run_guarded(operation, &scene, wanted, &mut |effect| {
            let results = operation.results.iter().map(|r| effect.get(&Place::Local(*r)).cloned());
            let results: Eval<Vec<Option<Value>>> =
                results.map(|r| r.map(|r| self.settle(r)).transpose()).collect();
            go!(found(Step {
                operation: id,
                arguments: arguments.to_vec(),
                results: results?,
                state: self.settled(&scene, effect)?,
            }));
            Ok(ControlFlow::Continue(()))
        })
    }

    /// A body in which a precondition at the top is a guard.
    fn run_guarded(
        &self,
        operation: &Operation,
        scene: &Scene,
        wanted: Option<&Effect>,
        sink: Sink<'_>,
    ) -> Flow {
        let (conjuncts, rest) = guards(operation);
        match self.all_hold(conjuncts, scene)? {
            true => self.run(rest, scene, wanted, sink),
            false => Ok(ControlFlow::Continue(())),
        }
    }
}
