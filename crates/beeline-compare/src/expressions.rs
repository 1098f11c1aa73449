//! Random expressions on both evaluators.

use crate::convert;
use crate::count::{Counts, Difference};
use crate::grow::Grow;
use crate::outcome::{Agreement, Outcome, agreement, by_engine, by_judge};
use crate::random::Random;
use crate::{shrink, watch, world};
use beeline_compile::{Builder, System};
use beeline_judge::{Judge, Scene, State, Value};
use beeline_model::{Expr, Model, VariableId};
use std::sync::Arc;

/// Formulas of one compiled model. More would make names and codes of all of them pile up.
const BATCH: usize = 60;
/// States that each formula is evaluated in.
const STATES: usize = 4;

/// Limits small enough for millions of formulas.
pub(crate) fn engine_settings(model: &Model) -> beeline_compile::Settings {
    beeline_compile::Settings {
        steps: 20_000,
        elements: 1_500,
        ..beeline_compile::Settings::of(model)
    }
}

/// Limits small enough for millions of formulas.
pub(crate) fn judge_settings(model: &Model) -> beeline_judge::Settings {
    beeline_judge::Settings {
        max_steps: 40_000,
        eager_steps: 20_000,
        max_elements: 1_500,
        ..beeline_judge::Settings::of(model)
    }
}

/// A state of the judge.
pub(crate) fn judge_state(model: &Model, values: &[Value]) -> State {
    let mut state = State::blank(model);
    for (i, value) in values.iter().enumerate() {
        state.set_variable(VariableId(i as u32), Some(value.clone()));
    }
    state
}

/// A state of the engine.
pub(crate) fn engine_state(system: &System, values: &[Value]) -> beeline_compile::State {
    let word = |v| convert::word(system.store(), v).unwrap_or(beeline_value::Val::UNSET).raw();
    beeline_compile::State(values.iter().map(word).collect())
}

/// Compares one batch of random expressions.
pub fn batch(random: &mut Random, counts: &mut Counts) {
    let mut model = world::model_copy();
    let formulas: Vec<Expr> = (0..BATCH).map(|_| Grow::new(&mut model, random).formula()).collect();
    let states: Vec<Vec<Value>> = (0..STATES).map(|_| world::state(&model, random)).collect();
    let model = Arc::new(model);
    let Ok(mut builder) = Builder::new(&model, &engine_settings(&model)) else {
        counts.differences.push(Difference::new("the world does not compile", ""));
        return;
    };
    let judge = Judge::new(&model, judge_settings(&model));
    let mut scratch = builder.system().scratch();
    let scenes: Vec<Scene> = states.iter().map(|s| Scene::of(&judge_state(&model, s))).collect();
    let words: Vec<_> = states.iter().map(|s| engine_state(builder.system(), s)).collect();
    for formula in &formulas {
        counts.formulas += 1;
        watch::begin(&model, formula);
        let id = match builder.expr(&model, formula) {
            Ok(id) => id,
            Err(errors) => {
                counts.open(&format!("engine: {}", errors[0].words));
                continue;
            }
        };
        for ((scene, words), values) in scenes.iter().zip(&words).zip(&states) {
            let engine = by_engine(builder.system(), id, words.view(), &mut scratch);
            let judged = by_judge(&judge, formula, scene);
            counts.add(&engine, &judged);
            if agreement(&engine, &judged) == Agreement::Different {
                counts.differences.push(report(&model, formula, values));
                break;
            }
        }
    }
    watch::end();
}

/// Both answers, each from a fresh evaluator.
fn answers(model: &Model, expr: &Expr, values: &[Value]) -> Option<(Outcome, Outcome)> {
    let mut builder = Builder::new(model, &engine_settings(model)).ok()?;
    let id = builder.expr(model, expr).ok()?;
    let system = builder.build();
    let mut scratch = system.scratch();
    let words = engine_state(&system, values);
    let engine = by_engine(&system, id, words.view(), &mut scratch);
    let judge = Judge::new(model, judge_settings(model));
    Some((engine, by_judge(&judge, expr, &Scene::of(&judge_state(model, values)))))
}

fn kind(outcome: &Outcome) -> u8 {
    match outcome {
        Outcome::Value(_) => 0,
        Outcome::Symbolic => 1,
        Outcome::IllDefined(_) => 2,
        Outcome::Open(_) => 3,
        Outcome::Broken(_) => 4,
    }
}

/// A difference with its shrunk formula.
pub(crate) fn report(model: &Model, expr: &Expr, values: &[Value]) -> Difference {
    let Some((engine, judge)) = answers(model, expr, values) else {
        return Difference::new("only beside other formulas", &model.show_expr(expr));
    };
    let kinds = (kind(&engine), kind(&judge));
    let small = shrink::shrunk(model, expr, &mut |candidate| {
        answers(model, candidate, values).is_some_and(|(engine, judge)| {
            agreement(&engine, &judge) == Agreement::Different
                && (kind(&engine), kind(&judge)) == kinds
        })
    });
    let (engine, judge) = answers(model, &small, values).unwrap_or((engine, judge));
    Difference {
        words: format!("engine {engine:?}, judge {judge:?}"),
        formula: model.show_expr(&small),
        values: used_values(model, &model.show_expr(&small), values),
    }
}

/// The values of the variables that a text mentions.
pub(crate) fn used_values(model: &Model, text: &str, values: &[Value]) -> String {
    let words: Vec<&str> =
        text.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).collect();
    let mut used = Vec::new();
    for (variable, value) in model.variables.iter().zip(values) {
        if words.contains(&variable.name.as_str()) {
            let value = model.show_expr(&world::quote(model, value, variable.ty));
            used.push(format!("{} = {value}", variable.name));
        }
    }
    used.join(", ")
}
