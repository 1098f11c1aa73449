//! Hashes of values without permutable elements, by content.
//!
//! Markers are made of them, so that a collision must not be cheap to construct: a value is digested by
//! BLAKE3 from what it is and from the digests of its parts, never from the number under which it was
//! interned. No two states are called equal because of them; see `symmetry`.

use crate::hash::of;
use beeline_value::{Node, Store, Val};
use rustc_hash::FxHashMap;

/// Digests of values, each computed once.
pub(crate) struct Contents<'a> {
    store: &'a Store,
    known: FxHashMap<u32, u128>,
}

impl<'a> Contents<'a> {
    pub fn new(store: &'a Store) -> Contents<'a> {
        Contents { store, known: FxHashMap::default() }
    }

    /// The hash of a value.
    pub fn of(&mut self, value: Val) -> u128 {
        if value.is_immediate() {
            return of(101, u64::from(value.raw()));
        }
        if let Some(known) = self.known.get(&value.raw()) {
            return *known;
        }
        let digest = stacker::maybe_grow(64 << 10, 1 << 20, || self.digest(value));
        self.known.insert(value.raw(), digest);
        digest
    }

    fn digest(&mut self, value: Val) -> u128 {
        let mut hasher = blake3::Hasher::new();
        // What kind of node it is, and how long its first list is: what follows is then unambiguous.
        let mut head = |kind: u8, number: u64| {
            hasher.update(&[kind]);
            hasher.update(&number.to_le_bytes());
        };
        let no: &[Val] = &[];
        let store = self.store;
        let (parts, more): (&[Val], &[Val]) = match store.node(value) {
            None => return of(101, u64::from(value.raw())),
            Some(Node::Int(i)) => {
                head(1, 0);
                hasher.update(&i.to_signed_bytes_le());
                (no, no)
            }
            Some(Node::Real(bits)) => {
                head(2, *bits);
                (no, no)
            }
            Some(Node::Str(text)) => {
                head(3, text.len() as u64);
                hasher.update(text.as_bytes());
                (no, no)
            }
            Some(Node::Pair(a, b)) => {
                head(4, 0);
                (std::slice::from_ref(a), std::slice::from_ref(b))
            }
            Some(Node::Set(parts)) => {
                head(5, parts.len() as u64);
                (parts, no)
            }
            Some(Node::Range(low, high)) => {
                head(6, *low as u64);
                hasher.update(&high.to_le_bytes());
                (no, no)
            }
            Some(Node::Rel(left, right)) => {
                head(7, left.len() as u64);
                (left, right)
            }
            Some(Node::Rec(fields)) => {
                head(8, fields.len() as u64);
                (fields, no)
            }
            Some(Node::Free(ty, constructor, argument)) => {
                head(9, u64::from(*ty) << 32 | u64::from(*constructor));
                (argument.as_slice(), no)
            }
            Some(Node::Sym(tag, parts)) => {
                head(10, u64::from(*tag));
                hasher.update(&(parts.len() as u64).to_le_bytes());
                (parts, no)
            }
        };
        for part in parts.iter().chain(more) {
            match part.is_immediate() {
                true => hasher.update(&[0]).update(&part.raw().to_le_bytes()),
                false => hasher.update(&[1]).update(&self.of(*part).to_le_bytes()),
            };
        }
        let digest = hasher.finalize();
        digest.as_bytes()[..16].iter().fold(0, |word, byte| word << 8 | u128::from(*byte))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_one_hash_in_the_store_has_two_here() {
        let store = Store::new();
        let mut contents = Contents::new(&store);
        // Two integers for which the 64 bits of the store are the same.
        let one = store.big_int("1512366075204170935818410520166303587".parse().unwrap());
        let two = store.big_int("1512366075204170937453709203589281548".parse().unwrap());
        assert_eq!(store.hash(one), store.hash(two));
        assert_ne!(contents.of(one), contents.of(two));
        let pair = |a, b| store.pair(a, b);
        assert_ne!(contents.of(pair(one, two)), contents.of(pair(two, one)));
    }

    #[test]
    fn nothing_depends_on_when_a_value_was_interned() {
        let (first, second) = (Store::new(), Store::new());
        second.string("something else");
        let value = |store: &Store| {
            let text = store.string("text");
            store.set(vec![store.pair(text, store.int(7)), store.pair(store.string("a"), text)])
        };
        let hash = |store: &Store| Contents::new(store).of(value(store));
        assert_eq!(hash(&first), hash(&second));
    }
}
