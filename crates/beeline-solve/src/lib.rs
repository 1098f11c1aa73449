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
//! ```
//! use beeline_solve::{Domain, Form, Space, Term};
//! use std::convert::Infallible;
//!
//! // x and y from 1 to 9, x < y, x * y = 24.
//! let mut space = Space::new();
//! let [x, y] = [(); 2].map(|()| space.var(Domain::between(1, 9).expect("not empty")));
//! space.post(Form::le(Term::add(Term::Var(x), Term::Const(1)), Term::Var(y)));
//! space.post(Form::eq(Term::product(Term::Var(x), Term::Var(y)), Term::Const(24)));
//!
//! space.propagate().expect("nothing contradicts it yet");
//! assert_eq!(space.domain(x).hi(), 8);
//!
//! let mut found = Vec::new();
//! space.solve(&[x, y], &mut |_| Ok::<_, Infallible>(true), &mut |at| {
//!     found.push((at.value(x), at.value(y)));
//!     Ok(())
//! })?;
//! assert_eq!(found, [(Some(3), Some(8)), (Some(4), Some(6))]);
//! # Ok::<(), Infallible>(())
//! ```
//!
//! Start at [`Space`], then `post` (which constraint goes where), `force` (how truths move) and
//! `term` (how bounds move). `cargo run --release -p beeline-solve --example puzzles` measures.

mod domain;
mod queue;
mod space;

pub use domain::{Domain, WIDE};
pub use space::{Conflict, Form, Space, Table, Term, Tried, Var};
