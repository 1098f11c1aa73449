//! Values of the engine as values of the judge.
//!
//! Sets that the engine keeps symbolic have no such form: the judge finds them by itself.

use beeline_compile::System;
use beeline_judge::{Real, Value};
use beeline_model::{FreeTypeId, SetId};
use beeline_value::{Elems, Node, Store, Val};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// More elements than this are not copied.
const MAX_ELEMENTS: usize = 20_000_000;

/// Turns words into values of the judge; values that occur again are shared.
pub(crate) struct Converter<'s> {
    store: &'s Store,
    known: FxHashMap<Val, Option<Value>>,
    pairs: FxHashMap<(Val, Val), Value>,
    budget: usize,
}

impl<'s> Converter<'s> {
    pub fn new(system: &'s System) -> Converter<'s> {
        Converter {
            store: system.store(),
            known: FxHashMap::default(),
            pairs: FxHashMap::default(),
            budget: MAX_ELEMENTS,
        }
    }

    /// The judge's value of a word, if the word stands for something listed.
    pub fn value(&mut self, word: u32) -> Option<Value> {
        self.of(Val::from_raw(word))
    }

    fn of(&mut self, val: Val) -> Option<Value> {
        if val.is_immediate() {
            return scalar(val);
        }
        if let Some(known) = self.known.get(&val) {
            return known.clone();
        }
        self.budget = self.budget.checked_sub(1)?;
        let value = self.node(val);
        self.known.insert(val, value.clone());
        value
    }

    fn all(&mut self, vals: &[Val]) -> Option<Vec<Value>> {
        vals.iter().map(|v| self.of(*v)).collect()
    }

    fn node(&mut self, val: Val) -> Option<Value> {
        let store = self.store;
        match store.node(val)? {
            Node::Int(i) => Some(Value::Integer(i.clone())),
            Node::Real(bits) => Real::new(f64::from_bits(*bits)).map(Value::Real),
            Node::Str(text) => Some(Value::string(text)),
            Node::Pair(a, b) => Some(Value::pair(self.of(*a)?, self.of(*b)?)),
            Node::Rec(fields) => Some(Value::Record(self.all(fields)?.into())),
            Node::Free(ty, constructor, argument) => {
                let argument = match argument {
                    Some(a) => Some(Arc::new(self.of(*a)?)),
                    None => None,
                };
                Some(Value::Free(FreeTypeId(*ty), *constructor, argument))
            }
            Node::Sym(..) => None,
            Node::Set(_) | Node::Range(..) | Node::Rel(..) => match store.elems(val)? {
                Elems::Slice(elems) => {
                    self.budget = self.budget.checked_sub(elems.len())?;
                    Some(Value::set(self.all(elems)?))
                }
                Elems::Range(low, high) => {
                    let size = usize::try_from(high.checked_sub(low)?).ok()?;
                    self.budget = self.budget.checked_sub(size)?;
                    Some(Value::set((low..=high).map(Value::int)))
                }
                Elems::Rel(left, right) => {
                    self.budget = self.budget.checked_sub(left.len())?;
                    let mut pairs = Vec::with_capacity(left.len());
                    for (a, b) in left.iter().zip(right) {
                        pairs.push(self.pair(*a, *b)?);
                    }
                    Some(Value::set(pairs))
                }
            },
        }
    }

    fn pair(&mut self, a: Val, b: Val) -> Option<Value> {
        if let Some(known) = self.pairs.get(&(a, b)) {
            return Some(known.clone());
        }
        let pair = Value::pair(self.of(a)?, self.of(b)?);
        self.pairs.insert((a, b), pair.clone());
        Some(pair)
    }
}

/// A value that is its own word.
fn scalar(val: Val) -> Option<Value> {
    if val == Val::UNSET {
        return None;
    }
    if let Some(b) = val.as_bool() {
        return Some(Value::Bool(b));
    }
    if let Some(i) = val.as_small_int() {
        return Some(Value::int(i));
    }
    val.as_atom().map(|(set, index)| Value::Element(SetId(set), index))
}
