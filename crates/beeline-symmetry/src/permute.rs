//! Permutations of elements, and what they make of values.

use crate::elements::Elements;
use beeline_value::{Node, Store, Val};
use rustc_hash::FxHashMap;

/// A permutation: where each element (by number) goes. It keeps every set in itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Permutation(pub Vec<u32>);

impl Permutation {
    /// Moves nothing.
    pub fn identity(len: usize) -> Permutation {
        Permutation((0..len as u32).collect())
    }

    /// The way back.
    pub fn inverse(&self) -> Permutation {
        let mut back = vec![0; self.0.len()];
        for (from, to) in self.0.iter().enumerate() {
            back[*to as usize] = from as u32;
        }
        Permutation(back)
    }

    /// First this one, then the other.
    pub fn then(&self, next: &Permutation) -> Permutation {
        Permutation(self.0.iter().map(|&to| next.0[to as usize]).collect())
    }

    /// Does it move nothing?
    pub fn is_identity(&self) -> bool {
        self.0.iter().enumerate().all(|(from, to)| from as u32 == *to)
    }
}

/// Permutes values, and remembers which of them hold anything to permute.
pub struct Permuter<'a> {
    store: &'a Store,
    elements: &'a Elements,
    /// By number of the node: 0 not known, 1 nothing to permute, 2 something.
    holds: Vec<u8>,
    /// Values that this permutation has already met, beyond single elements.
    seen: FxHashMap<u32, Val>,
}

/// Below this, what is known of a node is kept by its number.
const KEPT_NODES: usize = 1 << 26;

impl<'a> Permuter<'a> {
    /// For the values of one store.
    pub fn new(store: &'a Store, elements: &'a Elements) -> Permuter<'a> {
        Permuter { store, elements, holds: Vec::new(), seen: FxHashMap::default() }
    }

    /// The store of the values.
    pub fn store(&self) -> &'a Store {
        self.store
    }

    /// Does a value hold an element that may be permuted?
    pub fn holds(&mut self, value: Val) -> bool {
        let Some(index) = value.node_index() else { return self.elements.number(value).is_some() };
        match self.holds.get(index) {
            Some(1) => return false,
            Some(2) => return true,
            _ => {}
        }
        let store = self.store;
        let any = |me: &mut Self, parts: &[Val]| parts.iter().any(|v| me.holds(*v));
        let found = stacker::maybe_grow(64 << 10, 1 << 20, || match store.node(value) {
            None | Some(Node::Int(_) | Node::Real(_) | Node::Str(_) | Node::Range(..)) => false,
            Some(Node::Pair(a, b)) => self.holds(*a) || self.holds(*b),
            Some(Node::Set(parts) | Node::Rec(parts) | Node::Sym(_, parts)) => any(self, parts),
            Some(Node::Rel(left, right)) => any(self, left) || any(self, right),
            Some(Node::Free(_, _, argument)) => argument.is_some_and(|a| self.holds(a)),
        });
        if index < KEPT_NODES {
            if self.holds.len() <= index {
                self.holds.resize((index + 1).next_power_of_two(), 0);
            }
            self.holds[index] = if found { 2 } else { 1 };
        }
        found
    }

    /// A value under a permutation.
    pub fn value(&mut self, value: Val, by: &Permutation) -> Val {
        self.seen.clear();
        self.apply(value, by)
    }

    fn apply(&mut self, value: Val, by: &Permutation) -> Val {
        if let Some(number) = self.elements.number(value) {
            return self.elements.atom(by.0[number] as usize);
        }
        if value.is_immediate() || !self.holds(value) {
            return value;
        }
        if let Some(known) = self.seen.get(&value.raw()) {
            return *known;
        }
        let result = stacker::maybe_grow(64 << 10, 1 << 20, || self.node(value, by));
        self.seen.insert(value.raw(), result);
        result
    }

    fn node(&mut self, value: Val, by: &Permutation) -> Val {
        let store = self.store;
        let all = |me: &mut Self, parts: &[Val]| -> Vec<Val> {
            parts.iter().map(|v| me.apply(*v, by)).collect()
        };
        match store.node(value) {
            Some(Node::Pair(a, b)) => {
                let (a, b) = (self.apply(*a, by), self.apply(*b, by));
                store.pair(a, b)
            }
            Some(Node::Set(parts)) => store.set(all(self, parts)),
            Some(Node::Rel(left, right)) => {
                let (left, right) = (all(self, left), all(self, right));
                store.relation(left.into_iter().zip(right).collect())
            }
            Some(Node::Rec(fields)) => store.record(all(self, fields)),
            Some(Node::Free(ty, constructor, argument)) => {
                let argument = argument.map(|a| self.apply(a, by));
                store.free(*ty, *constructor, argument)
            }
            // What a symbolic set means is a formula over its arguments, and formulas are
            // symmetric.
            Some(Node::Sym(tag, parts)) => store.symbolic(*tag, all(self, parts)),
            None | Some(Node::Int(_) | Node::Real(_) | Node::Str(_) | Node::Range(..)) => value,
        }
    }
}
