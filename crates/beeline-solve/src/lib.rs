//! Finite-domain propagation and search over integers.
//!
//! A [`Space`] has variables with domains and constraints ([`Form`]) over terms ([`Term`]).
//! Propagation narrows domains (bounds of sums and products, holes for small domains, counting),
//! search branches on the variable with the smallest domain. All solutions come out, each once.
//!
//! Propagation never removes a solution; a constraint whose variables are all fixed is decided
//! exactly. This crate refuses to know B: values, sets and functions are taken apart elsewhere.
//!
//! Start at [`Space`], then `term` (how bounds move) and `form` (how truths move).

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

pub use domain::Domain;
pub use form::Form;
pub use space::{Conflict, Space, Var};
pub use table::Table;
pub use term::Term;
