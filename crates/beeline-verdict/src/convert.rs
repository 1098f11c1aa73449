//! Values of the engine as values of the judge.
//!
//! Sets that the engine keeps symbolic have no such form: the judge finds them by itself.

use beeline_compile::System;
use beeline_judge::{Real, Value};
use beeline_model::{FreeTypeId, SetId};
use beeline_value::{Elems, Node, Store, Val};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// More elements than this are not copied for one path.
const MAX_ELEMENTS: usize = 20_000_000;
/// More than this are not kept for the next path.
const KEPT_ELEMENTS: usize = 2_000_000;

/// Turns words into values of the judge; values that occur again are shared.
pub(crate) struct Converter<'s> {
    store: &'s Store,
    known: FxHashMap<Val, Option<Value>>,
    /// The last relation that each variable was, with the pairs of its value in the same order.
    last: FxHashMap<usize, Last<'s>>,
    budget: usize,
}

struct Last<'s> {
    left: &'s [Val],
    right: &'s [Val],
    pairs: Vec<Value>,
}

impl Last<'_> {
    /// The pair at a place, if it is this one.
    fn pair(&self, at: usize, a: Val, b: Val) -> Option<&Value> {
        if *self.left.get(at)? == a && *self.right.get(at)? == b {
            return self.pairs.get(at);
        }
        None
    }
}

impl<'s> Converter<'s> {
    pub fn new(system: &'s System) -> Converter<'s> {
        Converter {
            store: system.store(),
            known: FxHashMap::default(),
            last: FxHashMap::default(),
            budget: MAX_ELEMENTS,
        }
    }

    /// The judge's value of a word, if the word stands for something listed.
    pub fn value(&mut self, word: u32) -> Option<Value> {
        self.of(Val::from_raw(word))
    }

    /// A new path begins.
    pub fn begin(&mut self) {
        if MAX_ELEMENTS - self.budget > KEPT_ELEMENTS {
            self.known.clear();
            self.last.clear();
        }
        self.budget = MAX_ELEMENTS;
    }

    /// The same for the value of a variable: its pairs are often those that it had before.
    pub fn variable(&mut self, number: usize, word: u32) -> Option<Value> {
        let val = Val::from_raw(word);
        let store = self.store;
        if val.is_immediate() || self.known.contains_key(&val) {
            return self.of(val);
        }
        let Some(Elems::Rel(left, right)) = store.elems(val) else { return self.of(val) };
        self.budget = self.budget.checked_sub(left.len() + 1)?;
        let last = self.last.remove(&number);
        let pairs = self.pairs(left, right, last.as_ref())?;
        let value = Value::set(pairs.iter().cloned());
        self.known.insert(val, Some(value.clone()));
        self.last.insert(number, Last { left, right, pairs });
        Some(value)
    }

    /// The pairs of a relation. Those that another one has at about the same place are shared.
    fn pairs(
        &mut self,
        left: &[Val],
        right: &[Val],
        last: Option<&Last<'_>>,
    ) -> Option<Vec<Value>> {
        let mut pairs = Vec::with_capacity(left.len());
        let mut at = 0;
        for (a, b) in left.iter().zip(right) {
            let found = last.and_then(|last| {
                // It may have lost a pair here, or gained one.
                let skipped = [at, at + 1].into_iter().find(|i| last.pair(*i, *a, *b).is_some());
                let same_left = last.left.get(at) == Some(a);
                at = skipped.map_or(at + usize::from(same_left), |i| i + 1);
                last.pair(skipped?, *a, *b).cloned()
            });
            pairs.push(match found {
                Some(pair) => pair,
                None => Value::pair(self.of(*a)?, self.of(*b)?),
            });
        }
        Some(pairs)
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
            Node::Int(i) => Some(Value::int(i.clone())),
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
                    Some(Value::set(self.pairs(left, right, None)?))
                }
            },
        }
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
