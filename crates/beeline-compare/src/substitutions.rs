//! Random substitutions on both evaluators: the same successors, or a fault for both.

use crate::count::{Counts, Difference};
use crate::expressions::{engine_settings, engine_state, judge_settings, judge_state};
use crate::grow::Grow;
use crate::outcome::{Outcome, failed};
use crate::random::Random;
use crate::solver::add_operation;
use crate::{convert, world};
use beeline_compile::{ConstantsRef, Flow, Scratch, StateRef, System};
use beeline_judge::{Judge, State, Value};
use beeline_model::{Model, OperationId, VariableId};
use beeline_value::Val;
use std::collections::BTreeSet;

/// Substitutions of one compiled model, and states that each is executed in.
const BATCH: usize = 30;
const STATES: usize = 3;

type Targets = BTreeSet<Vec<Value>>;

/// Compares one batch of random substitutions.
pub fn batch(random: &mut Random, counts: &mut Counts) {
    let mut model = world::model_copy();
    let operations: Vec<OperationId> = (0..BATCH)
        .map(|_| {
            let body = Grow::new(&mut model, random).substitution();
            add_operation(&mut model, Vec::new(), body)
        })
        .collect();
    let system = match System::compile(&model, &engine_settings(&model)) {
        Ok(system) => system,
        Err(errors) => {
            counts.open(&format!("engine: {}", errors[0].words));
            return;
        }
    };
    let judge = Judge::new(&model, judge_settings(&model));
    let mut scratch = system.scratch();
    for _ in 0..STATES {
        let values = world::state(&model, random);
        let before = judge_state(&model, &values);
        let words = engine_state(&system, &values);
        for id in &operations {
            counts.formulas += 1;
            let engine = by_engine(&system, *id, words.view(), &mut scratch);
            let judged = by_judge(&judge, *id, &before, values.len());
            settle(&model, *id, engine, judged, &values, counts);
        }
    }
}

fn settle(
    model: &Model,
    id: OperationId,
    engine: Result<Targets, Outcome>,
    judged: Result<Targets, Outcome>,
    values: &[Value],
    counts: &mut Counts,
) {
    let words = match (engine, judged) {
        (Err(Outcome::Open(why)), _) | (_, Err(Outcome::Open(why))) => return counts.open(&why),
        (Err(Outcome::IllDefined(_)), Err(Outcome::IllDefined(_))) => {
            counts.ill_defined += 1;
            return;
        }
        (Ok(a), Ok(b)) if a == b => {
            counts.equal += 1;
            return;
        }
        (Ok(a), Ok(b)) => {
            let lost = b.difference(&a).next().map(|t| changes(model, values, t));
            let more = a.difference(&b).next().map(|t| changes(model, values, t));
            format!(
                "engine {} successors, judge {}; only the judge: {lost:?}; only the engine: {more:?}",
                a.len(),
                b.len()
            )
        }
        (a, b) => format!("engine {:?}, judge {:?}", a.map(|t| t.len()), b.map(|t| t.len())),
    };
    let formula = format!("{:?}", model.operation(id).body.kind);
    counts.differences.push(Difference { words, formula, values: String::new() });
}

/// What a step changes.
fn changes(model: &Model, before: &[Value], after: &[Value]) -> Vec<String> {
    let changed = model.variables.iter().zip(before.iter().zip(after));
    changed
        .filter(|(_, (a, b))| a != b)
        .map(|(v, (_, b))| {
            let value = model.show_expr(&world::quote(model, b, v.ty));
            format!("{} := {value}", v.name)
        })
        .collect()
}

fn by_engine(
    system: &System,
    id: OperationId,
    state: StateRef<'_>,
    scratch: &mut Scratch,
) -> Result<Targets, Outcome> {
    let Some(index) = system.index_of(id) else {
        return Err(Outcome::Broken("engine: no operation".to_owned()));
    };
    let mut found = BTreeSet::new();
    let mut described = false;
    let answer = system.successors_of(index, ConstantsRef(&[]), state, scratch, &mut |step| {
        let all: Option<Vec<Value>> =
            step.target.iter().map(|w| convert::value(system.store(), Val::from_raw(w))).collect();
        match all {
            Some(values) => {
                found.insert(values);
            }
            None => described = true,
        }
        Flow::More
    });
    if let Some(cut) = answer.cuts.first() {
        return Err(Outcome::Open(format!("engine: {}", cut.words)));
    }
    if let Some(fault) = answer.faults.first() {
        return Err(Outcome::IllDefined(fault.words.clone()));
    }
    if described {
        return Err(Outcome::Open("engine: not listed".to_owned()));
    }
    Ok(found)
}

fn by_judge(
    judge: &Judge<'_>,
    id: OperationId,
    state: &State,
    variables: usize,
) -> Result<Targets, Outcome> {
    judge.refill();
    let steps = judge.steps_of(id, state);
    if let Some(note) = judge.take_notes().first() {
        return Err(Outcome::Open(format!("judge: {:?}", note.kind)));
    }
    let mut found = BTreeSet::new();
    for step in steps.map_err(failed)? {
        let all: Option<Vec<Value>> =
            (0..variables).map(|i| step.state.variable(VariableId(i as u32)).cloned()).collect();
        match all {
            Some(values) if values.iter().all(Value::is_listed) => {
                found.insert(values);
            }
            _ => return Err(Outcome::Open("judge: not listed".to_owned())),
        }
    }
    Ok(found)
}
