//! Values of which the type is known: what they must be.

use crate::error::{Eval, EvalError};
use crate::int::Int;
use crate::value::Value;

/// Both halves of a pair.
pub(crate) fn halves(value: &Value) -> Eval<(&Value, &Value)> {
    match value {
        Value::Pair(both) => Ok((&both.0, &both.1)),
        _ => Err(EvalError::internal("a pair was expected")),
    }
}

/// The integer.
pub(crate) fn integer(value: &Value) -> Eval<&Int> {
    match value {
        Value::Integer(number) => Ok(number),
        _ => Err(EvalError::internal("an integer was expected")),
    }
}
