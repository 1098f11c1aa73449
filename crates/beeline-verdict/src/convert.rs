//! Values of the engine as values of the judge.
//!
//! Sets that the engine keeps symbolic have no such form: the judge finds them by itself.

use beeline_compile::System;
use beeline_judge::{Real, Value};
use beeline_model::{FreeTypeId, SetId};
use beeline_value::{Elems, Node, Store, Val};
use std::sync::Arc;

/// More elements than this are not copied.
const MAX_ELEMENTS: usize = 2_000_000;

/// The judge's value of a word, if the word stands for something listed.
pub(crate) fn convert(system: &System, word: u32) -> Option<Value> {
    let mut budget = MAX_ELEMENTS;
    value(system.store(), Val::from_raw(word), &mut budget)
}

fn value(store: &Store, val: Val, budget: &mut usize) -> Option<Value> {
    *budget = budget.checked_sub(1)?;
    if val == Val::UNSET {
        return None;
    }
    if let Some(b) = val.as_bool() {
        return Some(Value::Bool(b));
    }
    if let Some(i) = val.as_small_int() {
        return Some(Value::int(i));
    }
    if let Some((set, index)) = val.as_atom() {
        return Some(Value::Element(SetId(set), index));
    }
    let all = |vals: &[Val], budget: &mut usize| {
        vals.iter().map(|v| value(store, *v, budget)).collect::<Option<Vec<_>>>()
    };
    match store.node(val)? {
        Node::Int(i) => Some(Value::Integer(i.clone())),
        Node::Real(bits) => Real::new(f64::from_bits(*bits)).map(Value::Real),
        Node::Str(text) => Some(Value::string(text)),
        Node::Pair(a, b) => Some(Value::pair(value(store, *a, budget)?, value(store, *b, budget)?)),
        Node::Rec(fields) => Some(Value::Record(all(fields, budget)?.into())),
        Node::Free(ty, constructor, argument) => {
            let argument = match argument {
                Some(a) => Some(Arc::new(value(store, *a, budget)?)),
                None => None,
            };
            Some(Value::Free(FreeTypeId(*ty), *constructor, argument))
        }
        Node::Sym(..) => None,
        Node::Set(_) | Node::Range(..) | Node::Rel(..) => match store.elems(val)? {
            Elems::Slice(elems) => Some(Value::set(all(elems, budget)?)),
            Elems::Range(low, high) => {
                *budget = budget.checked_sub(usize::try_from(high.checked_sub(low)?).ok()?)?;
                Some(Value::set((low..=high).map(Value::int)))
            }
            Elems::Rel(left, right) => {
                let (left, right) = (all(left, budget)?, all(right, budget)?);
                Some(Value::set(left.into_iter().zip(right).map(|(a, b)| Value::pair(a, b))))
            }
        },
    }
}
