//! Transition systems, as a search sees them.
//!
//! What a search and the things it searches say to each other: valuations of the constants
//! ([`Setups`]), what was left out ([`Cut`]), what a model does wrong ([`Fault`]) and whether
//! something holds ([`Truth`]).
//!
//! This crate refuses to know how a system is made, and how it is searched.

mod answer;
mod memory;
mod setups;

pub use answer::{Answer, Cut, CutReason, Fault, FaultKind, Flow, Truth};
pub use memory::resident_bytes;
pub use setups::Setups;
