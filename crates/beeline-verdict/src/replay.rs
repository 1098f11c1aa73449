//! Following a saved trace: each step is searched for among the possible ones, by what it shows.

use crate::trace::{INITIALISATION, SETUP, Trace, TraceStep, constants, variables};
use beeline_compile::{Cut, Flow, Scratch, System};
use beeline_explore::{Path, PathStep};
use beeline_value::Val;

/// Why a trace cannot be followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayError {
    /// The number of the step, from 0.
    pub step: usize,
    /// In words.
    pub words: String,
    /// Something was left out: the step may be possible after all.
    pub undecided: bool,
}

impl ReplayError {
    fn new(step: usize, words: impl Into<String>, cut: Option<&Cut>) -> ReplayError {
        match cut {
            None => ReplayError { step, words: words.into(), undecided: false },
            Some(cut) => ReplayError { step, words: cut.words.clone(), undecided: true },
        }
    }
}

impl std::fmt::Display for ReplayError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "step {}: {}", self.step + 1, self.words)
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
        let state = path
            .last()
            .ok_or_else(|| ReplayError::new(number, "there is no initial state", None))?;
        let found = find(system, &path.constants, state, (number, step), &mut scratch)?;
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
            setups.push(words.to_vec());
        }
        Flow::More
    });
    let first = usize::from(setup.is_some());
    for constants in setups {
        let Some(initial) = initial else {
            return Ok(Path { constants, ..Path::default() });
        };
        let mut found = None;
        let initials = system.initial(&constants, scratch, &mut |state| {
            if variables(system, state) != initial.state {
                return Flow::More;
            }
            found = Some(state.to_vec());
            Flow::Enough
        });
        if found.is_some() {
            return Ok(Path { constants, initial: found, steps: Vec::new() });
        }
        answer.cuts.extend(initials.cuts);
    }
    let words = match initial {
        Some(_) => "no initialisation leads to this state",
        None => "the constants cannot have these values",
    };
    Err(ReplayError::new(first, words, answer.cuts.first()))
}

fn find(
    system: &System,
    constants: &[u32],
    state: &[u32],
    (number, wanted): (usize, &TraceStep),
    scratch: &mut Scratch,
) -> Result<PathStep, ReplayError> {
    let Some(operation) = system.operations().iter().position(|o| o.name == wanted.operation)
    else {
        let words = format!("the model has no operation {}", wanted.operation);
        return Err(ReplayError::new(number, words, None));
    };
    let info = &system.operations()[operation];
    let (mut enabled, mut found) = (false, None);
    let answer = system.successors_of(operation, constants, state, scratch, &mut |step| {
        let named = |names: &[(String, beeline_model::TypeId)], words: &[u32]| -> Vec<_> {
            let set = names.iter().zip(words).filter(|(_, w)| **w != Val::UNSET.raw());
            set.map(|((n, ty), w)| (n.clone(), system.show(*w, *ty))).collect()
        };
        if named(&info.parameters, step.arguments) != wanted.parameters.0 {
            return Flow::More;
        }
        enabled = true;
        let results = named(&info.results, step.results);
        let same_results = wanted.results.0.is_empty() || results == wanted.results.0;
        if !same_results || variables(system, step.target) != wanted.state {
            return Flow::More;
        }
        found = Some(PathStep {
            operation,
            arguments: step.arguments.to_vec(),
            results: step.results.to_vec(),
            target: step.target.to_vec(),
        });
        Flow::Enough
    });
    found.ok_or_else(|| {
        let words = match (enabled, answer.faults.first()) {
            (true, _) => format!("{} is possible, but leads elsewhere", wanted.operation),
            (false, Some(fault)) => format!("{} fails: {}", wanted.operation, fault.words),
            (false, None) => format!("{} is not possible with these parameters", wanted.operation),
        };
        ReplayError::new(number, words, answer.cuts.first())
    })
}
