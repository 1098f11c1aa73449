//! Strings as sequences of characters.

use crate::Judge;
use crate::error::{Eval, EvalError};
use crate::parts::integer;
use crate::value::Value;
use beeline_model::{BinaryOp, UnaryOp};

impl Judge<'_> {
    pub(crate) fn string1(&self, op: UnaryOp, a: &Value) -> Eval<Value> {
        if op == UnaryOp::StringConcat {
            let mut whole = String::new();
            for part in self.items(a)? {
                self.room_for_text(whole.len().saturating_add(text(&part)?.len()))?;
                whole.push_str(text(&part)?);
            }
            return Ok(Value::string(&whole));
        }
        let characters: Vec<char> = text(a)?.chars().collect();
        let part = match (op, characters.as_slice()) {
            (UnaryOp::StringSize, all) => return Ok(Value::int(all.len())),
            (UnaryOp::StringReverse, all) => all.iter().rev().collect(),
            (UnaryOp::StringFirst, [first, ..]) => first.to_string(),
            (UnaryOp::StringLast, [.., last]) => last.to_string(),
            (UnaryOp::StringFront, [front @ .., _]) => front.iter().collect(),
            (UnaryOp::StringTail, [_, tail @ ..]) => tail.iter().collect::<String>(),
            _ => return Err(EvalError::ill_defined("a part of the empty string")),
        };
        Ok(Value::string(&part))
    }

    pub(crate) fn string2(&self, op: BinaryOp, a: &Value, b: &Value) -> Eval<Value> {
        let left = text(a)?;
        if op == BinaryOp::StringConcat {
            self.room_for_text(left.len().saturating_add(text(b)?.len()))?;
            return Ok(Value::string(&format!("{left}{}", text(b)?)));
        }
        let characters: Vec<char> = left.chars().collect();
        let at = self.cut_at(integer(b)?, characters.len())?;
        let part = if op == BinaryOp::StringTake { &characters[..at] } else { &characters[at..] };
        Ok(Value::string(&part.iter().collect::<String>()))
    }
}

/// The text of a string.
pub(crate) fn text(value: &Value) -> Eval<&str> {
    match value {
        Value::String(text) => Ok(text),
        _ => Err(EvalError::internal("a string was expected")),
    }
}
