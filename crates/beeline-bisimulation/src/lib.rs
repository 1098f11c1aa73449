//! Labelled transition systems as plain data: minimising them, comparing them, telling them apart.
//!
//! A [`Graph`] has numbered states and labelled edges; one label stands for internal steps. [`minimise`]
//! merges what is bisimilar ([`Relation`]: strong, or branching with or without regard to divergence),
//! [`distinguish`] compares two graphs and gives a [`Formula`] that is true in one and false in the other,
//! [`trace_difference`] a trace that only one of them has. [`Formula::holds_in`] and [`has_trace`] are naive
//! evaluators that know nothing of how either was found. [`aut`] reads and writes the Aldebaran format.
//!
//! This crate does not know B, files, or where graphs come from. Work ends soon after the flag it is given
//! becomes true, with [`Interrupted`] and without a result.
//!
//! ```
//! use beeline_bisimulation::{Relation, aut, minimise};
//! use std::sync::atomic::AtomicBool;
//!
//! let text = "des (0, 3, 3)\n(0, \"a\", 1)\n(0, \"a\", 2)\n(2, \"a\", 0)\n";
//! let never = AtomicBool::new(false);
//! let graph = aut::parse(text, &never).unwrap();
//! // State 1 is stuck, the others are not.
//! assert_eq!(minimise(&graph, Relation::Strong, &never).unwrap().graph.states(), 3);
//! ```

pub mod aut;
mod contract;
mod distinguish;
mod evaluate;
mod formula;
mod graph;
mod history;
mod quotient;
mod reasons;
mod refine;
mod traces;

pub use distinguish::{Comparison, Difference, distinguish};
pub use evaluate::has_trace;
pub use formula::Formula;
pub use graph::{Builder, Edge, Graph, INTERNAL, MAX_STATES, TooLarge};
pub use quotient::{Minimised, minimise};
pub use traces::{Only, TraceDifference, trace_difference};

/// When states count as equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// Strong bisimulation: each step is answered by one with the same label, internal ones too.
    Strong,
    /// Branching bisimulation that keeps divergence: internal steps that change nothing do not count,
    /// but an endless run of them does.
    Branching,
    /// Branching bisimulation as it is usually defined, which an endless run of internal steps may escape.
    BranchingWithoutDivergence,
}

/// Somebody asked for an end before there was a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interrupted;

/// Looks at the flag that ends work.
fn look(stop: &std::sync::atomic::AtomicBool) -> Result<(), Interrupted> {
    match stop.load(std::sync::atomic::Ordering::Relaxed) {
        true => Err(Interrupted),
        false => Ok(()),
    }
}
