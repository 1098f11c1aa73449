//! Random formulas on both evaluators: the compiled engine and the judge must agree.
//!
//! The two share nothing but the typed model, so that a mistake would have to be made twice to go
//! unnoticed. This crate makes random typed formulas ([`grow`]), evaluates them on both
//! ([`outcome`]), and shrinks what they do not agree on to a formula that can be read ([`shrink`]).
//! It refuses to know how either of them works.
//!
//! Start reading at [`expressions`], then [`solver`] (all solutions of predicates) and [`laws`].
//!
//! Whole models are compared as well: [`machines`] makes them, [`plain`] explores them with the judge
//! alone, and [`contest`] holds every configuration of the checker against that. What symmetry says of
//! single states is held against all permutations in [`orbits`].

pub mod build;
pub mod contest;
pub mod convert;
pub mod count;
pub mod expressions;
pub mod grow;
pub mod laws;
pub mod machines;
pub mod orbits;
pub mod outcome;
pub mod plain;
pub mod random;
pub mod refinements;
pub mod run;
pub mod shrink;
pub mod solver;
pub mod spellings;
pub mod substitutions;
pub mod watch;
pub mod world;

pub use beeline_model::tree;
pub use count::{Counts, Difference};
pub use random::Random;
pub use run::{Goal, run};
