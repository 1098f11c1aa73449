//! The engine as a whole: values of operators, substitutions, queries, limits.

mod common;
mod limits;
mod operators;
mod queries;
mod random;
mod substitutions;
