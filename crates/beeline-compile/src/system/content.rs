//! A hash of values by what they are, for those who compare runs of systems that were compiled in
//! different ways: a set that is not listed counts by its text, not by the number of its code.

use super::System;
use crate::eval::sets::{CLOSURE, split};
use beeline_value::{Node, Val};
use rustc_hash::FxHashMap;

/// Deeper inside a value the store's own hash is taken.
const MAX_DEPTH: usize = 64;

/// Hashes values of one system, always the same; what was hashed before is known.
#[derive(Default)]
pub struct Contents {
    known: FxHashMap<Val, u64>,
    /// Values that were hashed and are kept unlisted, or hold such ones.
    unlisted: u64,
}

impl Contents {
    /// The hash of a word of a system.
    pub fn of(&mut self, system: &System, word: u32) -> u64 {
        let value = Val::from_raw(word);
        self.unlisted += u64::from(value.is_opaque());
        Hasher { system, known: &mut self.known }.value(value, 0)
    }

    /// How many of the values were kept unlisted, or held such ones. Their hashes say how a set is written: two
    /// systems that list different sets give different hashes for the same value.
    pub fn unlisted(&self) -> u64 {
        self.unlisted
    }
}

struct Hasher<'a> {
    system: &'a System,
    known: &'a mut FxHashMap<Val, u64>,
}

impl Hasher<'_> {
    fn value(&mut self, value: Val, depth: usize) -> u64 {
        let store = &self.system.runtime.store;
        let own = store.hash(value);
        let Some(node) = store.node(value).filter(|_| depth < MAX_DEPTH) else { return own };
        if let Some(known) = self.known.get(&value) {
            return *known;
        }
        // Elements are in an order that code numbers may decide: sums have none.
        let hash = match node {
            Node::Int(_) | Node::Real(_) | Node::Str(_) | Node::Range(..) => own,
            Node::Pair(a, b) => self.list(2, &[*a, *b], depth),
            Node::Rec(fields) => self.list(3, fields, depth),
            Node::Free(ty, constructor, argument) => {
                let seed = mix(u64::from(*ty), u64::from(*constructor));
                self.list(seed, argument.as_slice(), depth)
            }
            Node::Set(elems) => {
                let each = elems.iter().map(|e| mix(4, self.value(*e, depth + 1)));
                each.fold(0, u64::wrapping_add)
            }
            Node::Rel(left, right) => {
                let rows = left.iter().zip(right);
                let each = rows.map(|(a, b)| mix(4, self.list(2, &[*a, *b], depth + 1)));
                each.fold(0, u64::wrapping_add)
            }
            Node::Sym(tag, args) => {
                let seed = match split(*tag) {
                    (CLOSURE, code) => self.text(code),
                    _ => u64::from(*tag),
                };
                self.list(seed, args, depth)
            }
        };
        self.known.insert(value, hash);
        hash
    }

    fn list(&mut self, seed: u64, values: &[Val], depth: usize) -> u64 {
        values.iter().fold(mix(1, seed), |hash, v| mix(hash, self.value(*v, depth + 1)))
    }

    fn text(&self, code: usize) -> u64 {
        let text = self.system.runtime.codes.get(code).map_or("", |code| &code.text);
        text.bytes().fold(5, |hash, byte| mix(hash, u64::from(byte)))
    }
}

fn mix(a: u64, b: u64) -> u64 {
    let product = u128::from(a ^ 0xA076_1D64_78BD_642F) * u128::from(b ^ 0xE703_7ED1_A0B4_28DB);
    (product as u64) ^ ((product >> 64) as u64) ^ a.rotate_left(17)
}
