//! Helpers: models from text, formulas through the properties of a small machine.
#![allow(dead_code)]

use beeline_judge::{Eval, Judge, Scene, Settings, ShowValue, State, Value};
use beeline_model::{ExprKind, Model, PredKind};
use beeline_source::MemoryLoader;

/// The model of a text; panics with the diagnostics if there is none.
pub fn model(text: &str) -> Model {
    let loaded = beeline_elaborate::load(&MemoryLoader::new().with("T.mch", text), "T.mch");
    match loaded.model {
        Some(model) => model,
        None => panic!("{text}\n{:?}", loaded.diagnostics),
    }
}

/// Sets that formulas of tests may speak of.
pub const SETS: &str = "SETS D; E = {ea, eb, ec}";

/// The value of an expression and how it is written.
pub fn value(expr: &str) -> Eval<(Value, String)> {
    let text = format!("MACHINE T {SETS} ABSTRACT_CONSTANTS res PROPERTIES res = ({expr}) END");
    let model = model(&text);
    let judge = Judge::new(&model, Settings::of(&model));
    for property in &model.properties {
        if let PredKind::Compare(_, left, right) = &property.conjunct.pred.kind
            && matches!(left.kind, ExprKind::Constant(_))
        {
            let value = judge.eval(right, &Scene::of(&State::blank(&model)))?;
            let value = judge.settle(value)?;
            let shown = ShowValue::typed(&model, &value, right.ty).to_string();
            return Ok((value, shown));
        }
    }
    panic!("no equation in {text}")
}

/// How the value of an expression is written, or why there is none.
pub fn shown(expr: &str) -> String {
    match value(expr) {
        Ok((_, text)) => text,
        Err(error) => format!("{error}"),
    }
}

/// The truth of a predicate.
pub fn truth(pred: &str) -> Eval<bool> {
    let text = format!("MACHINE T {SETS} DEFINITIONS GOAL == ({pred}) END");
    let model = model(&text);
    let judge = Judge::new(&model, Settings::of(&model));
    let goal = model.special.goal.as_ref().expect("a goal");
    judge.holds(goal, &Scene::of(&State::blank(&model)))
}
