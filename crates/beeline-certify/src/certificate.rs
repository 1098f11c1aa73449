//! What a certificate says. It does not know how it is written, nor whether it is right.

use crate::permute::Permutation;
use beeline_judge::{Settings, State, Trace, Value};
use beeline_model::{ConjunctId, ConstantId, Model};

/// Everything that a certificate says.
#[derive(Clone, Debug, PartialEq)]
pub struct Certificate {
    /// In which scope.
    pub scope: Scope,
    /// What was checked.
    pub asked: Asked,
    /// What came of it, with what proves it.
    pub claimed: Claimed,
}

/// Sizes of sets by name, and the bounds of integers.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Scope {
    pub sets: Vec<(String, u32)>,
    pub maxint: i64,
    pub minint: i64,
}

/// What was checked in each state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Asked {
    pub invariants: bool,
    pub assertions: bool,
    pub deadlock: bool,
    pub goal: bool,
}

/// A verdict and what proves it.
#[derive(Clone, Debug, PartialEq)]
pub enum Claimed {
    /// Nothing is wrong in any reachable state.
    Holds(Kept),
    /// A trace leads to what is wrong.
    Violated(Known, Shown),
}

/// The states that a search kept.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Kept {
    /// Valuations of the constants, one value each.
    pub setups: Vec<Vec<Value>>,
    /// States: the number of a valuation, and a value for each variable of the level that is run.
    pub states: Vec<(u32, Vec<Value>)>,
    /// Permutations of elements, by number.
    pub permutations: Vec<Permutation>,
    /// For valuations that were not kept, in the order of values: which permutation leads to one that was.
    pub setup_leads: Vec<u32>,
    /// For each valuation that was kept the same of its initial states, and for each state of its successors.
    pub initial_leads: Vec<Vec<u32>>,
    /// One list a state.
    pub leads: Vec<Vec<u32>>,
}

/// A trace in values: those of the constants, then states with the operations that lead to them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Known {
    /// A value for each constant.
    pub setup: Vec<Value>,
    /// The state after initialisation.
    pub initial: Vec<Value>,
    /// Operations by number, their arguments, and the state after them.
    pub steps: Vec<(u32, Vec<Value>, Vec<Value>)>,
}

/// What the last state of a trace shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// A conjunct of the invariant, by number, is false.
    Invariant(u32),
    /// An assertion, by number, is false.
    Assertion(u32),
    /// No operation has a step.
    Deadlock,
}

impl Scope {
    /// The judge's settings for this scope, if the model can have it.
    pub fn settings(&self, model: &Model) -> Option<Settings> {
        let mut settings = Settings::of(model);
        if self.sets.len() != model.sets.len() {
            return None;
        }
        for (number, (set, (name, size))) in model.sets.iter().zip(&self.sets).enumerate() {
            let fixed = set.elements.as_ref().is_some_and(|e| e.len() != *size as usize);
            if *name != *set.name || fixed || *size == 0 {
                return None;
            }
            *settings.set_sizes.get_mut(number)? = *size;
        }
        (settings.maxint, settings.minint) = (self.maxint.into(), self.minint.into());
        (settings.max_steps, settings.max_depth) = (u64::MAX, 1_000_000);
        Some(settings)
    }
}

impl Kept {
    /// The valuation of this number as the judge has it.
    pub(crate) fn setup(&self, model: &Model, number: usize) -> Option<State> {
        with_constants(model, self.setups.get(number)?)
    }

    /// The state of this number as the judge has it.
    pub(crate) fn state(&self, model: &Model, number: usize) -> Option<State> {
        let (setup, values) = self.states.get(number)?;
        with_variables(model, &self.setup(model, *setup as usize)?, values)
    }
}

impl Known {
    /// The same as the judge knows it.
    pub(crate) fn trace(&self, model: &Model) -> Option<Trace> {
        let setup = with_constants(model, &self.setup)?;
        let steps: Option<Vec<_>> = self
            .steps
            .iter()
            .map(|(operation, arguments, values)| {
                Some(beeline_judge::TraceStep {
                    operation: *model.concrete().operations.get(*operation as usize)?,
                    arguments: arguments.clone(),
                    results: None,
                    state: with_variables(model, &setup, values)?,
                })
            })
            .collect();
        let initial = Some(with_variables(model, &setup, &self.initial)?);
        Some(Trace { steps: steps?, initial, setup })
    }
}

impl Shown {
    /// The conjunct that it speaks of.
    pub(crate) fn conjunct(self) -> Option<ConjunctId> {
        match self {
            Shown::Invariant(n) => Some(ConjunctId::Invariant(n)),
            Shown::Assertion(n) => Some(ConjunctId::Assertion(n)),
            Shown::Deadlock => None,
        }
    }
}

fn with_constants(model: &Model, values: &[Value]) -> Option<State> {
    let mut state = State::blank(model);
    for (number, value) in values.iter().enumerate() {
        state.set_constant(ConstantId(number as u32), Some(value.clone()));
    }
    (values.len() == model.constants.len()).then_some(state)
}

fn with_variables(model: &Model, setup: &State, values: &[Value]) -> Option<State> {
    let (mut state, variables) = (setup.clone(), &model.concrete().variables);
    for (id, value) in variables.iter().zip(values) {
        state.set_variable(*id, Some(value.clone()));
    }
    (values.len() == variables.len()).then_some(state)
}
