//! Sets of states as decision diagrams: searches that do not look at states one by one.
//!
//! [`explore`] takes a [`TransitionSystem`] and gives the same [`Exploration`] as the explicit search: counts,
//! findings with a path to each, cuts. What operations and checks do is made from their code (`exact`), or
//! learned from the system, over the parts of a state that they look at (`learned`); sets and relations are diagrams (`diagram`), whose levels are the bits of
//! rows (`layout`) in an order that keeps together what is used together (`order`). `forward` finds the reachable
//! states, `walk` the way to one of them; `invariance` has methods that do not look at which states are reachable.
//!
//! This crate refuses to know how a system is made, what its bits mean, and what a verdict is.

mod diagram;
mod exact;
mod forward;
mod invariance;
mod layout;
mod learned;
mod make;
mod method;
mod order;
mod run;
mod space;
mod walk;

pub use forward::Strategy;
pub use make::Relations;
pub use method::Method;
pub use run::{Job, explore};
pub use space::Reads;

#[cfg(doc)]
use beeline_explore::Exploration;
#[cfg(doc)]
use beeline_transition::TransitionSystem;
