//! The engine as a whole: values of operators, substitutions, queries, limits.
#![allow(clippy::unwrap_used)]

mod common;
mod infinite;
mod limits;
mod operators;
mod queries;
mod random;
mod substitutions;
mod symmetry;
