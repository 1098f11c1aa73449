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
