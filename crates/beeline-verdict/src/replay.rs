//! Following a saved trace: each step is searched for among the possible ones, by what it shows.

use crate::trace::{INITIALISATION, SETUP, Trace, TraceStep, constants, variables};
use beeline_compile::{ConstantsRef, Cut, Fault, Flow, Scratch, StateRef, System};
use beeline_explore::{Path, PathStep};
use beeline_value::Val;
use std::fmt;

/// Why a trace cannot be followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayError {
    /// The number of the step, from 0.
    pub step: usize,
    /// What is in the way.
    pub obstacle: Obstacle,
}

/// What is in the way of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Obstacle {
    /// There is no state in which it could happen.
    NoInitialState,
    /// No initialisation leads to the first state.
    NoInitialisation,
    /// The constants cannot have these values.
    OtherConstants,
    /// The model has no operation of this name.
    UnknownOperation(String),
    /// This operation is possible, but leads elsewhere.
    LeadsElsewhere(String),
    /// This operation fails.
    Fails(String, Box<Fault>),
    /// This operation is not possible with these parameters.
    NotPossible(String),
    /// Something was left out: the step may be possible after all.
    Unknown(Box<Cut>),
}

impl Obstacle {
    /// The same, or that it is not known, if something was left out.
    fn unless(self, cut: Option<&Cut>) -> Obstacle {
        cut.map_or(self, |cut| Obstacle::Unknown(Box::new(cut.clone())))
    }

    fn at(self, step: usize) -> ReplayError {
        ReplayError { step, obstacle: self }
    }
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Obstacle::NoInitialState => f.write_str("there is no initial state"),
            Obstacle::NoInitialisation => f.write_str("no initialisation leads to this state"),
            Obstacle::OtherConstants => f.write_str("the constants cannot have these values"),
            Obstacle::UnknownOperation(name) => write!(f, "the model has no operation {name}"),
            Obstacle::LeadsElsewhere(name) => write!(f, "{name} is possible, but leads elsewhere"),
            Obstacle::Fails(name, fault) => write!(f, "{name} fails: {fault}"),
            Obstacle::NotPossible(name) => {
                write!(f, "{name} is not possible with these parameters")
            }
            Obstacle::Unknown(cut) => cut.fmt(f),
        }
    }
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "step {}: {}", self.step + 1, self.obstacle)
    }
}

impl std::error::Error for ReplayError {}

/// Follows a saved trace as far as it goes.
pub fn follow(system: &System, trace: &Trace) -> Result<Path, ReplayError> {
    let mut scratch = system.scratch();
    let mut steps = trace.steps.iter().enumerate().peekable();
    let setup = steps.next_if(|(_, s)| s.operation == SETUP).map(|(_, s)| s);
    let initial = steps.next_if(|(_, s)| s.operation == INITIALISATION).map(|(_, s)| s);
    let mut path = begin(system, setup, initial, &mut scratch)?;
    for (number, step) in steps {
        let state = path.last().ok_or_else(|| Obstacle::NoInitialState.at(number))?;
        let found = find(system, path.constants.view(), state, (number, step), &mut scratch)?;
        path.steps.push(found);
    }
    Ok(path)
}

fn begin(
    system: &System,
    setup: Option<&TraceStep>,
    initial: Option<&TraceStep>,
    scratch: &mut Scratch,
) -> Result<Path, ReplayError> {
    let mut setups = Vec::new();
    let mut answer = system.setups(scratch, &mut |words| {
        if setup.is_none_or(|s| s.state == constants(system, words)) {
            setups.push(words.owned());
        }
        Flow::More
    });
    let first = usize::from(setup.is_some());
    for constants in setups {
        let Some(initial) = initial else {
            return Ok(Path { constants, ..Path::default() });
        };
        let mut found = None;
        let initials = system.initial(constants.view(), scratch, &mut |state| {
            if variables(system, state) != initial.state {
                return Flow::More;
            }
            found = Some(state.owned());
            Flow::Enough
        });
        if found.is_some() {
            return Ok(Path { constants, initial: found, steps: Vec::new() });
        }
        answer.cuts.extend(initials.cuts);
    }
    let obstacle = match initial {
        Some(_) => Obstacle::NoInitialisation,
        None => Obstacle::OtherConstants,
    };
    Err(obstacle.unless(answer.cuts.first()).at(first))
}

fn find(
    system: &System,
    constants: ConstantsRef<'_>,
    state: StateRef<'_>,
    (number, wanted): (usize, &TraceStep),
    scratch: &mut Scratch,
) -> Result<PathStep, ReplayError> {
    let name = wanted.operation.clone();
    let mut all = system.signature().operation_indices();
    let Some(operation) = all.find(|o| system.operation(*o).name == name) else {
        return Err(Obstacle::UnknownOperation(name).at(number));
    };
    let info = system.operation(operation);
    let (mut enabled, mut found) = (false, None);
    let answer = system.successors_of(operation, constants, state, scratch, &mut |step| {
        let named = |names: &[(String, beeline_model::TypeId)], words: &[u32]| -> Vec<_> {
            let set = names.iter().zip(words).filter(|(_, w)| **w != Val::UNSET.raw());
            set.map(|((n, ty), w)| (n.clone(), system.show(*w, *ty))).collect()
        };
        if named(&info.parameters, step.arguments.words()) != wanted.parameters.0 {
            return Flow::More;
        }
        enabled = true;
        let results = named(&info.results, step.results);
        let same_results = wanted.results.0.is_empty() || results == wanted.results.0;
        if !same_results || variables(system, step.target) != wanted.state {
            return Flow::More;
        }
        found = Some(PathStep::of(step));
        Flow::Enough
    });
    found.ok_or_else(|| {
        let obstacle = match (enabled, answer.faults.first()) {
            (true, _) => Obstacle::LeadsElsewhere(name),
            (false, Some(fault)) => Obstacle::Fails(name, Box::new(fault.clone())),
            (false, None) => Obstacle::NotPossible(name),
        };
        obstacle.unless(answer.cuts.first()).at(number)
    })
}
