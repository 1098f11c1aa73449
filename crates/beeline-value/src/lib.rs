//! Canonical interned values.
//!
//! A [`Val`] is one 32-bit word. Small integers, booleans and elements of given sets are the word
//! itself; everything else is interned once in a [`Store`], and the word is its number. Two listed
//! values are equal exactly when their words are equal, so a state is a short vector of words that
//! can be compared and hashed without walking a value.
//!
//! Order ([`Store::cmp`]) and content hash ([`Store::hash`]) depend on what a value is, never on
//! when it was interned: they are the same in every run, thread and process.
//!
//! This crate refuses to know B syntax, types, evaluation and well-definedness. Symbolic sets are
//! opaque nodes here ([`Node::Sym`]); the evaluator gives them their meaning.
//!
//! ```
//! use beeline_value::Store;
//!
//! let store = Store::new();
//! let [one, two, three] = [1, 2, 3].map(|n| store.int(n));
//! // However a set comes about, it is one word.
//! let small = store.set(vec![two, one, two]);
//! assert_eq!(small, store.range(1, 2));
//! assert_eq!(store.union(small, store.singleton(three)), Some(store.range(1, 3)));
//!
//! // A relation is a set of pairs, and a sequence is a relation.
//! let squares = store.relation(vec![(two, store.int(4)), (one, one)]);
//! assert_eq!(store.is_function(squares), Some(true));
//! assert_eq!(squares, store.sequence(vec![one, store.int(4)]));
//! assert_eq!(store.domain(squares), Some(small));
//! assert_eq!(store.card(store.product(small, small).expect("listed")), Some(4));
//! ```
//!
//! Start at [`Val`], then [`Store`], then `ops` (sets), `relation`, `sequence`.

mod hash;
mod integer;
mod node;
mod ops;
mod order;
mod relation;
mod sequence;
mod store;
mod wire;
mod word;

pub use node::{Elems, Node};
pub use relation::Lookup;
pub use store::Store;
pub use wire::{Damaged, Incoming, Outgoing};
pub use word::{ATOM_INDEX_LIMIT, ATOM_SET_LIMIT, Val};
