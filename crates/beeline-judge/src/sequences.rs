//! Sequences: functions on `1..n`.

use crate::Judge;
use crate::error::{Eval, EvalError};
use crate::int::Int;
use crate::parts::{halves, integer};
use crate::value::Value;
use beeline_model::{BinaryOp, UnaryOp};

impl Judge<'_> {
    /// The items of a sequence, or nothing if the value is no sequence.
    pub(crate) fn as_sequence(&self, value: &Value) -> Eval<Option<Vec<Value>>> {
        if self.size_hint(value).is_none() && !self.finite(value)? {
            return Ok(None);
        }
        let pairs = self.elements(value)?;
        let mut items: Vec<Option<Value>> = vec![None; pairs.len()];
        for pair in &pairs {
            let (index, item) = halves(pair)?;
            let slot = self.small(&(integer(index)?.previous())).and_then(|i| items.get_mut(i));
            match slot {
                // A second item for one index leaves another index without one.
                Some(slot) => *slot = Some(item.clone()),
                None => return Ok(None),
            }
        }
        Ok(items.into_iter().collect())
    }

    /// The items of what has to be a sequence.
    pub(crate) fn items(&self, value: &Value) -> Eval<Vec<Value>> {
        self.as_sequence(value)?.ok_or_else(|| {
            EvalError::ill_defined(format!("{} is used as a sequence", self.show(value)))
        })
    }

    pub(crate) fn make_sequence(&self, items: Vec<Value>) -> Eval<Value> {
        let numbered = items.into_iter().enumerate();
        self.make_set(numbered.map(|(i, v)| Value::pair(Value::int(i + 1), v)))
    }

    pub(crate) fn sequence1(&self, op: UnaryOp, a: &Value) -> Eval<Value> {
        let mut items = self.items(a)?;
        let some = |item: Option<Value>, word: &str| {
            item.ok_or_else(|| EvalError::ill_defined(format!("{word} of the empty sequence")))
        };
        match op {
            UnaryOp::Size => return Ok(Value::int(items.len())),
            UnaryOp::First => return some(items.first().cloned(), "first"),
            UnaryOp::Last => return some(items.pop(), "last"),
            UnaryOp::Front => {
                some(items.pop(), "front")?;
            }
            UnaryOp::Tail => {
                some(items.first().cloned(), "tail")?;
                items.remove(0);
            }
            UnaryOp::Reverse => items.reverse(),
            UnaryOp::Concat => {
                let mut whole = Vec::new();
                for part in &items {
                    let part = self.items(part)?;
                    self.room(whole.len().saturating_add(part.len()), self.settings.max_elements)?;
                    whole.extend(part);
                }
                items = whole;
            }
            _ => return Err(EvalError::internal("not an operator on sequences")),
        }
        self.make_sequence(items)
    }

    pub(crate) fn sequence2(&self, op: BinaryOp, a: Value, b: Value) -> Eval<Value> {
        let mut items;
        match op {
            BinaryOp::Concat => {
                items = self.items(&a)?;
                items.extend(self.items(&b)?);
            }
            BinaryOp::Prepend => {
                items = vec![a];
                items.extend(self.items(&b)?);
            }
            BinaryOp::Append => {
                items = self.items(&a)?;
                items.push(b);
            }
            BinaryOp::Take | BinaryOp::Drop => {
                items = self.items(&a)?;
                let at = self.cut_at(integer(&b)?, items.len())?;
                items = if op == BinaryOp::Take { items[..at].into() } else { items[at..].into() };
            }
            _ => return Err(EvalError::internal("not an operator on sequences")),
        }
        self.make_sequence(items)
    }

    /// The place where take and drop cut.
    pub(crate) fn cut_at(&self, at: &Int, length: usize) -> Eval<usize> {
        self.small(at).filter(|at| *at <= length).ok_or_else(|| {
            EvalError::ill_defined(format!("a sequence of length {length} is cut at {at}"))
        })
    }
}
