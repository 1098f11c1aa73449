//! Values of one evaluator as values of the other.

use beeline_judge::{Real, Value};
use beeline_model::{FreeTypeId, SetId};
use beeline_value::{Elems, Node, Store, Val};
use std::sync::Arc;

/// The engine's word for a value; nothing for a set that is not listed.
pub fn word(store: &Store, value: &Value) -> Option<Val> {
    Some(match value {
        Value::Bool(b) => Val::bool(*b),
        Value::Integer(i) => store.big_int(i.big()),
        Value::Real(r) => store.real(r.get()),
        Value::String(text) => store.string(text),
        Value::Element(set, index) => Val::atom(set.0, *index),
        Value::Pair(both) => store.pair(word(store, &both.0)?, word(store, &both.1)?),
        Value::Record(fields) => {
            store.record(fields.iter().map(|f| word(store, f)).collect::<Option<_>>()?)
        }
        Value::Free(ty, constructor, argument) => {
            let argument = match argument {
                Some(a) => Some(word(store, a)?),
                None => None,
            };
            store.free(ty.0, *constructor, argument)
        }
        Value::Set(elements) => {
            store.set(elements.iter().map(|e| word(store, e)).collect::<Option<_>>()?)
        }
        Value::Symbolic(_) => return None,
    })
}

/// The judge's value of a word; nothing for a set that is not listed.
pub fn value(store: &Store, val: Val) -> Option<Value> {
    if let Some(b) = val.as_bool() {
        return Some(Value::Bool(b));
    }
    if let Some(i) = val.as_small_int() {
        return Some(Value::int(i));
    }
    if let Some((set, index)) = val.as_atom() {
        return Some(Value::Element(SetId(set), index));
    }
    let all = |vals: &[Val]| vals.iter().map(|v| value(store, *v)).collect::<Option<Vec<_>>>();
    match store.node(val)? {
        Node::Int(i) => Some(Value::int(i.clone())),
        Node::Real(bits) => Real::new(f64::from_bits(*bits)).map(Value::Real),
        Node::Str(text) => Some(Value::string(text)),
        Node::Pair(a, b) => Some(Value::pair(value(store, *a)?, value(store, *b)?)),
        Node::Rec(fields) => Some(Value::Record(all(fields)?.into())),
        Node::Free(ty, constructor, argument) => {
            let argument = match argument {
                Some(a) => Some(Arc::new(value(store, *a)?)),
                None => None,
            };
            Some(Value::Free(FreeTypeId(*ty), *constructor, argument))
        }
        Node::Sym(..) => None,
        Node::Set(_) | Node::Range(..) | Node::Rel(..) => match store.elems(val)? {
            Elems::Slice(elems) => Some(Value::set(all(elems)?)),
            Elems::Range(low, high) if high.checked_sub(low).is_some_and(|n| n < 100_000) => {
                Some(Value::set((low..=high).map(Value::int)))
            }
            Elems::Range(..) => None,
            Elems::Rel(left, right) => {
                let pairs = all(left)?.into_iter().zip(all(right)?);
                Some(Value::set(pairs.map(|(a, b)| Value::pair(a, b))))
            }
        },
    }
}
