//! What an evaluator says of a formula, and when two answers agree.

use crate::convert;
use beeline_compile::{ConstantsRef, ExprId, Scratch, StateRef, System, Truth};
use beeline_judge::{EvalError, Judge, Scene, Value};
use beeline_model::Expr;
use beeline_value::Val;

/// What an evaluator says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A value, in the judge's form.
    Value(Value),
    /// A set that is not listed.
    Symbolic,
    /// The formula has no meaning.
    IllDefined(String),
    /// Given up: a limit, or something that is not supported.
    Open(String),
    /// Something that must never be.
    Broken(String),
}

/// How two answers compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agreement {
    /// Equal values.
    Equal,
    /// No meaning for both.
    IllDefined,
    /// One of them did not decide.
    Open,
    /// They differ.
    Different,
}

/// Compares the answers of the engine and the judge.
pub fn agreement(engine: &Outcome, judge: &Outcome) -> Agreement {
    match (engine, judge) {
        (Outcome::Broken(_), _) | (_, Outcome::Broken(_)) => Agreement::Different,
        (Outcome::Value(a), Outcome::Value(b)) if a == b => Agreement::Equal,
        (Outcome::IllDefined(_), Outcome::IllDefined(_)) => Agreement::IllDefined,
        (Outcome::Open(_) | Outcome::Symbolic, _) | (_, Outcome::Open(_) | Outcome::Symbolic) => {
            Agreement::Open
        }
        _ => Agreement::Different,
    }
}

/// The judge's answer.
pub fn by_judge(judge: &Judge<'_>, expr: &Expr, scene: &Scene) -> Outcome {
    judge.refill();
    let outcome = judge.eval(expr, scene).and_then(|value| judge.settle(value));
    let notes = judge.take_notes();
    match outcome {
        Ok(_) if !notes.is_empty() => Outcome::Open(format!("judge: {:?}", notes[0].kind)),
        Ok(value) if listed(&value) => Outcome::Value(value),
        Ok(_) => Outcome::Symbolic,
        Err(error) => failed(error),
    }
}

/// The answer of a judge that failed.
pub fn failed(error: EvalError) -> Outcome {
    match error {
        EvalError::IllDefined { what, .. } => Outcome::IllDefined(what),
        EvalError::Violation { what, .. } => Outcome::IllDefined(what),
        EvalError::Unknown { reason, .. } => Outcome::Open(format!("judge: {reason}")),
        EvalError::Unsupported { what, .. } => Outcome::Open(format!("judge: no {what}")),
        EvalError::Unset { what, .. } => Outcome::Broken(format!("judge: {what} is unset")),
        EvalError::Internal { what, .. } => Outcome::Broken(format!("judge: {what}")),
    }
}

fn listed(value: &Value) -> bool {
    match value {
        Value::Symbolic(_) => false,
        Value::Pair(both) => listed(&both.0) && listed(&both.1),
        Value::Record(fields) => fields.iter().all(listed),
        Value::Free(_, _, Some(argument)) => listed(argument),
        _ => true,
    }
}

/// The engine's answer.
pub fn by_engine(
    system: &System,
    expr: ExprId,
    state: StateRef<'_>,
    scratch: &mut Scratch,
) -> Outcome {
    match system.value(expr, ConstantsRef(&[]), Some(state), scratch) {
        Ok(Val::UNSET) => Outcome::Broken("engine: no value".to_owned()),
        Ok(val) => convert::value(system.store(), val).map_or(Outcome::Symbolic, Outcome::Value),
        Err(truth) => undecided(truth),
    }
}

/// The answer of an engine without a value.
pub fn undecided(truth: Truth) -> Outcome {
    match truth {
        Truth::Undefined(fault) => Outcome::IllDefined(fault.words),
        Truth::Unknown(cut) => Outcome::Open(format!("engine: {:?}: {}", cut.reason, cut.words)),
        Truth::True | Truth::False => Outcome::Broken("engine: a truth is no value".to_owned()),
    }
}
