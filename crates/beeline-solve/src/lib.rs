//! Finite-domain propagation and search over integers.
//!
//! A [`Space`] has variables with domains and constraints ([`Form`]) over terms ([`Term`]).
//! Propagation narrows domains (bounds of sums and products, holes for domains of up to 256 values,
//! tables, matchings), search branches on the variable with the smallest domain for the trouble it
//! made. All solutions come out, each once.
//!
//! Propagation never removes a solution; a constraint whose variables are all fixed is decided
//! exactly. [`Space::work`] counts what was looked at, so that a caller can set a limit, and the
//! caller is asked about every millisecond. This crate refuses to know B: values, sets and functions
//! are taken apart elsewhere.
//!
//! Start at [`Space`], then `post` (which constraint goes where), `force` (how truths move) and
//! `term` (how bounds move). `cargo run --release -p beeline-solve --example puzzles` measures.

mod clause;
mod different;
mod domain;
mod force;
mod form;
mod linear;
mod literal;
mod post;
mod queue;
mod rows;
mod search;
mod space;
mod survey;
mod table;
mod term;
mod trail;
mod truth;

pub use domain::{Domain, WIDE};
pub use form::Form;
pub use search::Tried;
pub use space::{Conflict, Space, Var};
pub use table::Table;
pub use term::Term;
