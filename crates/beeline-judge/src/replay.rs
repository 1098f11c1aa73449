//! Is a trace a real execution, and is what it claims to show really there?
//!
//! The states of the trace are given, so every step is checked towards its known end instead of
//! being searched for among all steps. A variable whose value is not told (a set that cannot be
//! listed) may have any: then the judge goes on from the states that it finds itself, and the claim
//! must be true of one of them.

use crate::Judge;
use crate::error::{Eval, EvalError, Note, UnknownReason};
use crate::execute::Effect;
use crate::run::Step;
use crate::scene::{Scene, State};
use crate::value::Value;
use beeline_model::{ConjunctId, OperationId, Place, Pred, VariableId};
use std::fmt;
use std::ops::ControlFlow;

/// So many states are followed where the trace does not tell which one is meant.
const MOST_STATES: usize = 16;

/// A claimed execution.
#[derive(Clone, Debug)]
pub struct Trace {
    /// The constants; variables have no value here.
    pub setup: State,
    /// The state after initialisation, if the trace comes that far. Variables may be left out.
    pub initial: Option<State>,
    /// The steps from there.
    pub steps: Vec<TraceStep>,
}

/// One step of a claimed execution.
#[derive(Clone, Debug)]
pub struct TraceStep {
    /// The operation.
    pub operation: OperationId,
    /// One value a parameter.
    pub arguments: Vec<Value>,
    /// One value a result, if known.
    pub results: Option<Vec<Value>>,
    /// The state after. Variables may be left out.
    pub state: State,
}

/// What the last state of a trace is claimed to show.
#[derive(Clone, Debug)]
pub enum Claim<'c> {
    /// Nothing but that the trace is an execution.
    Reached,
    /// A conjunct is false.
    Violated(ConjunctId),
    /// No operation has a step.
    Deadlock,
    /// A predicate is true.
    Goal(&'c Pred),
    /// A predicate is ill-defined.
    IllDefined(&'c Pred),
    /// Evaluating or executing an operation fails: ill-defined, or a broken promise; with these arguments, if
    /// they are known.
    OperationFails(OperationId, Option<Vec<Value>>),
    /// Initialisation fails: ill-defined, or a broken promise.
    InitialisationFails,
    /// There is no initial state.
    NoInitialState,
}

/// A trace that was found to be real, and to show what was claimed of it.
///
/// Nobody else can make one: who has it has asked.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Replayed {
    /// The last state, with all values.
    pub last: State,
    /// What was decided within bounds only on the way.
    pub notes: Vec<Note>,
}

/// Why a trace is not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The property of this number is false for these constants.
    Property(usize),
    /// A constant or variable has no value.
    Incomplete,
    /// Initialisation does not lead to the initial state.
    Initial,
    /// The step of this number (from 0) is not possible.
    Step(usize),
    /// The trace is real, but what it claims to show is not there.
    Claim,
    /// An evaluation gave no value.
    Evaluation(EvalError),
}

impl From<EvalError> for Refusal {
    fn from(error: EvalError) -> Refusal {
        Refusal::Evaluation(error)
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Property(i) => write!(f, "property {} is false for these constants", i + 1),
            Refusal::Incomplete => f.write_str("a constant or variable has no value"),
            Refusal::Initial => f.write_str("initialisation does not lead to the first state"),
            Refusal::Step(i) => write!(f, "step {} is not possible", i + 1),
            Refusal::Claim => f.write_str("the last state does not show what is claimed"),
            Refusal::Evaluation(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Refusal {}

impl Judge<'_> {
    /// Replays a trace and checks its claim about the last state.
    pub fn replay(&self, trace: &Trace, claim: &Claim<'_>) -> Result<Replayed, Refusal> {
        self.take_notes();
        self.replay_setup(&trace.setup)?;
        let mut at = vec![trace.setup.clone()];
        if let Some(initial) = &trace.initial {
            self.refill();
            at = self.reach_initial(&trace.setup, initial)?;
            if at.is_empty() {
                return Err(Refusal::Initial);
            }
        }
        for (i, step) in trace.steps.iter().enumerate() {
            self.refill();
            let mut next = Vec::new();
            for from in &at {
                self.reach(from, step, &mut next)?;
            }
            if next.is_empty() {
                return Err(Refusal::Step(i));
            }
            at = next;
        }
        let mut refusal = Refusal::Claim;
        for last in &at {
            self.refill();
            match self.shows(last, claim) {
                Ok(true) => {
                    return Ok(Replayed { last: last.clone(), notes: self.take_notes() });
                }
                Ok(false) => {}
                Err(error) => refusal = error.into(),
            }
        }
        Err(self.unless_guessed(refusal))
    }

    /// What was looked at within bounds only is no ground to contradict.
    fn unless_guessed(&self, refusal: Refusal) -> Refusal {
        let contradicts = matches!(refusal, Refusal::Property(_) | Refusal::Claim);
        match contradicts && !self.notes.borrow().is_empty() {
            true => Refusal::Evaluation(EvalError::unknown(UnknownReason::Infinite)),
            false => refusal,
        }
    }

    fn replay_setup(&self, setup: &State) -> Result<(), Refusal> {
        self.refill();
        if setup.constants.len() != self.model.constants.len()
            || setup.constants.iter().any(Option::is_none)
        {
            return Err(Refusal::Incomplete);
        }
        let scene = Scene::of(setup);
        for (i, property) in self.model.properties.iter().enumerate() {
            if !self.holds(&property.conjunct.pred, &scene)? {
                return Err(self.unless_guessed(Refusal::Property(i)));
            }
        }
        Ok(())
    }

    /// Does each variable of the level that is run have a value?
    fn is_complete(&self, state: &State) -> bool {
        self.model.concrete().variables.iter().all(|v| state.variable(*v).is_some())
    }

    /// Notes a state that was found on the way to a claimed one; enough of them?
    fn arrive(&self, found: State, claimed: &State, at: &mut Vec<State>) -> Eval<ControlFlow<()>> {
        if !self.is_complete(&found) || !self.fits(&found, claimed)? {
            return Ok(ControlFlow::Continue(()));
        }
        if self.is_complete(claimed) {
            at.push(claimed.clone());
            return Ok(ControlFlow::Break(()));
        }
        at.push(found);
        let enough = at.len() >= MOST_STATES;
        Ok(if enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }

    /// The values of a state as an effect to be reached.
    fn wanted(&self, state: &State) -> Effect {
        let variables = (0..self.model.variables.len()).map(|i| VariableId(i as u32));
        variables
            .filter_map(|id| Some((Place::Variable(id), state.variable(id)?.clone())))
            .collect()
    }

    /// Does a state have all values that are told of another?
    fn fits(&self, found: &State, claimed: &State) -> Eval<bool> {
        for (x, y) in found.variables.iter().zip(claimed.variables.iter()) {
            let same = match (x, y) {
                (Some(x), Some(y)) => self.equal(x, y)?,
                (_, None) => true,
                (None, Some(_)) => false,
            };
            if !same {
                return Ok(false);
            }
        }
        for (x, y) in found.constants.iter().zip(claimed.constants.iter()) {
            if let (Some(x), Some(y)) = (x, y)
                && !self.equal(x, y)?
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The initial states that are meant.
    fn reach_initial(&self, setup: &State, initial: &State) -> Eval<Vec<State>> {
        self.enter(setup);
        // Initialisation of a later component may change a variable again only by an operation
        // call, which is rare: then the known end must not prune the earlier steps.
        let wanted = self.wanted(initial);
        let mut at = Vec::new();
        for wanted in [Some(&wanted), None] {
            // A choice that fails does not end the way of the others.
            let (flow, troubles) = self.with_troubles(|| {
                self.each_initial_state(setup, wanted, &mut |state| {
                    self.arrive(state, initial, &mut at)
                })
            });
            if !at.is_empty() {
                break;
            }
            let _ = flow?;
            troubles.result()?;
        }
        Ok(at)
    }

    /// Adds the states that are meant after a step from one state.
    fn reach(&self, from: &State, step: &TraceStep, at: &mut Vec<State>) -> Eval<()> {
        let operation = self.model.operation(step.operation);
        if !self.model.concrete().operations.contains(&step.operation)
            || operation.parameters.len() != step.arguments.len()
            || at.len() >= MOST_STATES
        {
            return Ok(());
        }
        self.enter(from);
        for (parameter, argument) in operation.parameters.iter().zip(&step.arguments) {
            if !self.contains(&self.type_set(self.model.local(*parameter).ty), argument)? {
                return Ok(());
            }
        }
        let mut wanted = self.wanted(&step.state);
        if let Some(results) = &step.results {
            let places = operation.results.iter().map(|r| Place::Local(*r));
            wanted.extend(places.zip(results.iter().cloned()));
        }
        let before = at.len();
        let mut found = |found: Step| {
            for (value, claimed) in found.results.iter().zip(step.results.iter().flatten()) {
                if !value.as_ref().map_or(Ok(true), |v| self.equal(v, claimed))? {
                    return Ok(ControlFlow::Continue(()));
                }
            }
            self.arrive(found.state.clone(), &step.state, at)
        };
        let (flow, troubles) = self.with_troubles(|| {
            let (operation, arguments) = (step.operation, &step.arguments);
            self.each_step_with(operation, arguments, from, Some(&wanted), &mut found)
        });
        // A choice that fails does not end the way of the others.
        if at.len() == before {
            let _ = flow?;
            troubles.result()?;
        }
        Ok(())
    }

    fn shows(&self, state: &State, claim: &Claim<'_>) -> Eval<bool> {
        let level = self.model.concrete();
        let scene = Scene::of(state);
        match claim {
            Claim::Reached => Ok(true),
            Claim::Violated(id) => match level.conjunct(*id) {
                Some(conjunct) => Ok(!self.holds(&conjunct.pred, &scene)?),
                None => Ok(false),
            },
            Claim::Goal(goal) => self.holds(goal, &scene),
            Claim::Deadlock => {
                for operation in &level.operations {
                    if self.is_enabled(*operation, state)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Claim::IllDefined(pred) => fails(self.holds(pred, &scene)),
            Claim::OperationFails(operation, arguments) => {
                // Where they are known, no others need to be looked for.
                let at_once = arguments.as_ref().is_some_and(|arguments| {
                    let outcomes = self.outcomes_with(*operation, arguments, state);
                    let result = outcomes.and_then(|(_, troubles)| troubles.result());
                    fails_to_run(result) == Ok(true)
                });
                Ok(at_once || fails_to_run(self.steps_of(*operation, state))?)
            }
            Claim::InitialisationFails => match self.initial_states(state) {
                // A variable that gets no value is a failure, too.
                Ok(states) => Ok(states
                    .iter()
                    .any(|s| level.variables.iter().any(|v| s.variable(*v).is_none()))),
                failed => fails_to_run(failed),
            },
            Claim::NoInitialState => self.initial_states(state).map(|states| states.is_empty()),
        }
    }
}

/// Is it a failure of the model (and not one of ours)?
fn fails<T>(result: Eval<T>) -> Eval<bool> {
    match result {
        Ok(_) => Ok(false),
        Err(EvalError::IllDefined { .. } | EvalError::Violation { .. }) => Ok(true),
        Err(other) => Err(other),
    }
}

/// The same for what is executed: constants and the state before are known, so that a name without
/// a value is one that the model reads too early.
fn fails_to_run<T>(result: Eval<T>) -> Eval<bool> {
    match result {
        Ok(_) => Ok(false),
        Err(error) if error.is_fault() => Ok(true),
        Err(other) => Err(other),
    }
}
