//! Asking the judge: is this path a real execution, and is what was found really there?

use crate::convert::Converter;
use beeline_compile::System;
use beeline_explore::{Finding, FindingKind, Path};
use beeline_judge::{Claim, Judge, Settings, State, Trace, TraceStep};
use beeline_model::{Model, Pred};

/// Steps for one question: about a minute.
const STEPS: u64 = 500_000_000;

/// The judge's scope: the same sizes and bounds as those of the compiled system.
pub fn judge_settings(model: &Model, system: &System) -> Settings {
    let scope = system.settings();
    let mut settings = Settings::of(model);
    settings.maxint = scope.max_int.into();
    settings.minint = scope.min_int.into();
    settings.set_sizes = system
        .set_sizes()
        .iter()
        .map(|(_, size)| u32::try_from(*size).unwrap_or(u32::MAX))
        .collect();
    // Whoever asks a judge with these settings looks at the clock, too.
    settings.max_steps = STEPS;
    settings
}

/// A path as the judge knows it.
pub fn judge_trace(judge: &Judge<'_>, system: &System, path: &Path) -> Result<Trace, String> {
    let mut setup = State::blank(judge.model());
    let mut values = Converter::new(system);
    for (slot, word) in system.constants().iter().zip(&path.constants) {
        setup.set_constant(slot.id, values.value(*word));
    }
    let setup = match judge.complete_setup(&setup) {
        Ok(Some(setup)) => setup,
        Ok(None) => return Err("the judge finds no values for the constants".to_owned()),
        Err(error) => return Err(format!("the judge cannot set up the constants: {error}")),
    };
    let state = |values: &mut Converter<'_>, words: &[u32]| -> Result<State, String> {
        let mut state = setup.clone();
        for (slot, word) in system.variables().iter().zip(words) {
            let value = values
                .value(*word)
                .ok_or_else(|| format!("the value of {} is not listed", slot.name))?;
            state.set_variable(slot.id, Some(value));
        }
        Ok(state)
    };
    let all = |values: &mut Converter<'_>, words: &[u32]| -> Option<Vec<beeline_judge::Value>> {
        words.iter().map(|w| values.value(*w)).collect()
    };
    let mut steps = Vec::new();
    for step in &path.steps {
        let operation = system.operations()[step.operation].id;
        let arguments = all(&mut values, &step.arguments)
            .ok_or_else(|| "the value of a parameter is not listed".to_owned())?;
        let results = all(&mut values, &step.results);
        steps.push(TraceStep {
            operation,
            arguments,
            results,
            state: state(&mut values, &step.target)?,
        });
    }
    let initial = path.initial.as_deref().map(|words| state(&mut values, words)).transpose()?;
    Ok(Trace { setup, initial, steps })
}

/// Asks the judge about a finding. The error says what the judge refused.
pub(crate) fn confirm(
    judge: &Judge<'_>,
    system: &System,
    finding: &Finding,
    trace: &Trace,
    goal: Option<&Pred>,
) -> Result<(), String> {
    let claim = claim(judge.model(), system, &finding.kind, goal)?;
    match judge.replay(trace, &claim) {
        Ok(_) => Ok(()),
        Err(refusal) => Err(refusal.to_string()),
    }
}

fn claim<'c>(
    model: &'c Model,
    system: &System,
    kind: &FindingKind,
    goal: Option<&'c Pred>,
) -> Result<Claim<'c>, String> {
    let level = model.concrete();
    // The system has no conjuncts about variables that only an abstract level knows.
    let invariant = |i: usize| {
        let mut kept = level.invariants.iter().enumerate().filter(|(_, inv)| !inv.gluing);
        kept.nth(i).map(|(n, inv)| (n, &inv.conjunct.pred)).ok_or("no such conjunct".to_owned())
    };
    let assertion = |i: usize| {
        let mut kept = level.assertions.iter().enumerate().filter(|(_, a)| !a.gluing);
        kept.nth(i).map(|(n, a)| (n, &a.conjunct.pred)).ok_or("no such assertion".to_owned())
    };
    let goal = || goal.ok_or_else(|| "there is no goal".to_owned());
    Ok(match kind {
        FindingKind::Invariant(i) => Claim::Invariant(invariant(*i)?.0),
        FindingKind::InvariantUndefined(i, _) => Claim::IllDefined(invariant(*i)?.1),
        FindingKind::Assertion(i) => Claim::Assertion(assertion(*i)?.0),
        FindingKind::AssertionUndefined(i, _) => Claim::IllDefined(assertion(*i)?.1),
        FindingKind::Operation(fault) => {
            let operation = fault.operation.and_then(|o| system.operations().get(o));
            Claim::OperationFails(operation.ok_or("a fault outside any operation")?.id)
        }
        FindingKind::Initialisation(_) => Claim::InitialisationFails,
        FindingKind::Deadlock => Claim::Deadlock,
        FindingKind::NoInitialState => Claim::NoInitialState,
        FindingKind::Goal => Claim::Goal(goal()?),
        FindingKind::GoalUndefined(_) => Claim::IllDefined(goal()?),
    })
}
