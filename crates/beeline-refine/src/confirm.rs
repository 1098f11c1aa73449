//! The judge's word: a trace is executed again on both machines, each as it was written, and what was
//! found at its end is looked for anew. Nothing of the engine or of the pair is used but the trace.

use crate::Mode;
use crate::judges::Judges;
use crate::levels::top;
use crate::story::{Call, Candidate};
use beeline_judge::{Claim, EvalError, Replayed, Scene, State, Step, Trace, Value};
use beeline_model::{OperationId, Promise};
use beeline_source::Span;
use std::collections::BTreeSet;

/// So many candidates are told of.
pub(crate) const TOLD: usize = 20;

/// What was found, to be confirmed.
#[derive(Clone, Debug)]
pub(crate) enum Claimed {
    /// An operation, or initialisation, does something that nothing matches.
    Unmatched(Option<(usize, Vec<Value>)>),
    /// An operation may not be called where its abstraction may.
    Forbidden(usize, Vec<Value>),
    /// Something is refused.
    Refused(usize, Vec<Value>),
    /// There is no step.
    Stuck,
    /// An operation, or initialisation, fails in one of the machines.
    Fails(Option<(usize, Vec<Value>)>),
    /// The refinement has no initial state.
    NoInitialState,
}

/// What the judge says of a finding.
pub(crate) struct Confirmation {
    pub replayed: Replayed,
    /// The abstract states that match, after initialisation and after each step.
    pub sets: Vec<Vec<State>>,
    /// The step that is not matched.
    pub failing: Option<Step>,
    pub candidates: Vec<Candidate>,
    /// How many candidates there are in all.
    pub total: usize,
    /// What is said to be false.
    pub span: Span,
}

impl From<EvalError> for Doubt {
    fn from(error: EvalError) -> Doubt {
        Doubt(error.to_string())
    }
}

/// Why the judge does not confirm something.
#[derive(Debug)]
pub(crate) struct Doubt(pub String);

pub(crate) type Sure<T> = Result<T, Doubt>;

pub(crate) fn doubt<T>(words: impl Into<String>) -> Sure<T> {
    Err(Doubt(words.into()))
}

impl<'l> Judges<'l> {
    /// Looks at a trace of the refinement and what was found at its end. `operations` are the places of
    /// the operations of its steps.
    pub fn confirm(
        &self,
        trace: &Trace,
        operations: &[usize],
        claimed: &Claimed,
    ) -> Sure<Confirmation> {
        let claim = match claimed {
            Claimed::NoInitialState => Claim::NoInitialState,
            _ => Claim::Reached,
        };
        let replayed = self.concrete.replay(trace, &claim).map_err(|r| Doubt(r.to_string()))?;
        let mut confirmation = Confirmation {
            replayed,
            sets: Vec::new(),
            failing: None,
            candidates: Vec::new(),
            total: 0,
            span: Span::NONE,
        };
        if matches!(claimed, Claimed::NoInitialState) {
            return Ok(confirmation);
        }
        let (begun, troubles) = self.abstraction.initial_outcomes(&trace.setup)?;
        if let (None, Claimed::Fails(None)) = (&trace.initial, claimed) {
            let (_, own) = self.concrete.initial_outcomes(&trace.setup)?;
            let fails = own.fault.is_some() || troubles.fault.is_some();
            return if fails { Ok(confirmation) } else { doubt("initialisation does not fail") };
        }
        if let Some(error) = troubles.unknown {
            return Err(error.into());
        }
        let Some(initial) = &trace.initial else {
            self.unmatched_initial(&trace.setup, &begun, &mut confirmation)?;
            return Ok(confirmation);
        };
        let mut set = self.fitting(initial, begun)?;
        let mut at = initial;
        for (step, operation) in trace.steps.iter().zip(operations) {
            confirmation.sets.push(set.clone());
            self.all_allow(&set, *operation, &step.arguments)?;
            let results: Option<Vec<Option<Value>>> =
                step.results.as_ref().map(|list| list.iter().cloned().map(Some).collect());
            set = self.after(&set, *operation, &step.arguments, results.as_deref())?;
            set = self.fitting(&step.state, set)?;
            at = &step.state;
        }
        confirmation.sets.push(set.clone());
        if set.is_empty() {
            return doubt("the step before is not matched, either");
        }
        confirmation.total = set.len();
        self.at_end(at, &set, claimed, &mut confirmation)?;
        Ok(confirmation)
    }

    fn at_end(
        &self,
        at: &State,
        set: &[State],
        claimed: &Claimed,
        out: &mut Confirmation,
    ) -> Sure<()> {
        match claimed {
            Claimed::Unmatched(Some((operation, arguments))) => {
                self.all_allow(set, *operation, arguments)?;
                self.unmatched(at, set, (*operation, arguments), out)
            }
            Claimed::Forbidden(operation, arguments) => {
                self.all_allow(set, *operation, arguments)?;
                self.forbidden(at, set, (*operation, arguments), out)
            }
            Claimed::Refused(operation, arguments) => {
                self.refused(at, set, (*operation, arguments), out)
            }
            Claimed::Stuck => self.stuck(at, set),
            Claimed::Fails(Some((operation, arguments))) => {
                self.fails(at, set, (*operation, arguments))
            }
            _ => doubt("initialisation came to an end"),
        }
    }

    fn unmatched_initial(
        &self,
        setup: &State,
        begun: &[State],
        out: &mut Confirmation,
    ) -> Sure<()> {
        let (states, _) = self.concrete.initial_outcomes(setup)?;
        for state in states {
            if !self.fitting(&state, begun.to_vec())?.is_empty() {
                continue;
            }
            out.total = begun.len();
            for candidate in begun.iter().take(TOLD) {
                let (why, span) = self.told(self.misfit(&state, candidate)?);
                out.candidates.push(Candidate { state: self.shown(candidate), why, span });
            }
            let (arguments, results) = (Vec::new(), Vec::new());
            out.failing =
                Some(Step { operation: OperationId(u32::MAX), arguments, results, state });
            return Ok(());
        }
        doubt("each initial state is matched")
    }

    /// The first step with these arguments that nothing matches.
    fn unmatched(
        &self,
        at: &State,
        set: &[State],
        (operation, arguments): (usize, &[Value]),
        out: &mut Confirmation,
    ) -> Sure<()> {
        let (own, above) = self.levels.operations[operation];
        let (steps, _) = self.concrete.outcomes_with(own, arguments, at)?;
        for step in steps {
            let after = self.after(set, operation, arguments, Some(&step.results))?;
            if !self.fitting(&step.state, after)?.is_empty() {
                continue;
            }
            let labelled = self.labelled(operation);
            let call = Call { above, arguments, step: &step, labelled };
            for candidate in set.iter().take(TOLD) {
                out.candidates.push(self.story(candidate, &call)?);
            }
            out.span = out.candidates.first().map_or(Span::NONE, |c| c.span);
            out.failing = Some(step);
            return Ok(());
        }
        doubt("each step of this operation is matched")
    }

    fn labelled(&self, operation: usize) -> bool {
        let (own, above) = self.levels.operations[operation];
        let own = self.concrete.model().operation(own);
        above.map(|a| self.abstraction.model().operation(a)).is_some_and(|a| {
            a.parameters.len() == own.parameters.len() && a.results.len() == own.results.len()
        })
    }

    /// Where a set goes by an operation with these arguments and results.
    fn after(
        &self,
        set: &[State],
        operation: usize,
        arguments: &[Value],
        results: Option<&[Option<Value>]>,
    ) -> Sure<Vec<State>> {
        let (_, Some(above)) = self.levels.operations[operation] else { return Ok(set.to_vec()) };
        let labelled = self.labelled(operation);
        let mut next = BTreeSet::new();
        for state in set {
            self.abstraction.refill();
            let (steps, troubles) = match labelled {
                true => self.abstraction.outcomes_with(above, arguments, state)?,
                false => self.abstraction.outcomes_of(above, state)?,
            };
            if let Some(error) = troubles.unknown {
                return Err(error.into());
            }
            for step in steps {
                let same = match results {
                    Some(results) if labelled => self.same(&step.results, results)?,
                    _ => true,
                };
                if same {
                    next.insert(step.state);
                }
            }
        }
        Ok(next.into_iter().collect())
    }

    /// Nothing is owed where one candidate forbids the call.
    fn all_allow(&self, set: &[State], operation: usize, arguments: &[Value]) -> Sure<()> {
        let (_, Some(above)) = self.levels.operations[operation] else { return Ok(()) };
        if self.options.mode != Mode::Simulation || !self.labelled(operation) {
            return Ok(());
        }
        let operation = self.abstraction.model().operation(above);
        let (conjuncts, _) = top(&operation.body);
        for state in set {
            let mut scene = Scene::of(state);
            for (parameter, argument) in operation.parameters.iter().zip(arguments) {
                scene.bind(*parameter, argument.clone());
            }
            if !self.abstraction.all_hold(&conjuncts, &scene)? {
                return doubt("the abstraction may not be called there");
            }
        }
        Ok(())
    }

    fn fitting(&self, concrete: &State, candidates: Vec<State>) -> Sure<Vec<State>> {
        let mut fitting = Vec::new();
        for candidate in candidates {
            self.concrete.refill();
            if self.misfit(concrete, &candidate)?.is_none() {
                fitting.push(candidate);
            }
        }
        Ok(fitting)
    }
}

/// What a broken promise of the product claims.
pub(crate) fn claimed(promise: Promise, call: Option<(usize, Vec<Value>)>) -> Claimed {
    match (promise, call) {
        (Promise::Simulation, call) => Claimed::Unmatched(call),
        (Promise::RefinedPrecondition, Some((o, a))) => Claimed::Forbidden(o, a),
        (Promise::Refusal, Some((o, a))) => Claimed::Refused(o, a),
        (Promise::Enabledness, _) => Claimed::Stuck,
        (_, call) => Claimed::Fails(call),
    }
}
