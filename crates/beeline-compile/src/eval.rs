//! Evaluation: what runs while a model is explored.
//!
//! From the bottom: `frame` (what a running evaluation holds, and compiled code as data), `arith` and
//! `memory`; `sets` (the questions that any set answers, listed or not); `show` and `operators` on
//! values; `query` (planned loops), `fold` over one, and `external` functions. It does not know how
//! closures are made, the solver, or the system they belong to.

pub(crate) mod arith;
pub(crate) mod external;
pub(crate) mod fold;
pub(crate) mod frame;
pub(crate) mod memory;
pub(crate) mod operators;
pub(crate) mod query;
pub(crate) mod sets;
pub(crate) mod show;
