//! The fast tier: states packed into bits, operations and checks lowered to word-level code.
//!
//! [`PackedSystem`] is a [`TransitionSystem`](beeline_transition::TransitionSystem): it answers the same
//! questions as [`beeline_compile::System`], about rows of 32-bit halves in place of states. Each variable has a bit layout that types and invariants give; an
//! operation or conjunct that can be expressed on words runs as [`beeline_ir::Code`], anything
//! else goes through the general engine, one operation or conjunct at a time. What the code meets
//! and is not sure of (no meaning, overflow, a value outside its layout) is asked of the general
//! engine again from scratch, so that findings, order and counts are the same.
//!
//! This crate refuses to know about search, and about how code is run natively.
//!
//! Start reading at `engine` (the door), then `layout` and `shapes` (bits), `lower` (code).

mod bounded;
mod codec;
mod digits;
mod domain;
mod layout;
mod lower;
mod memo;
mod pays;
mod programs;
mod routine;
mod shapes;
mod size;
mod source;
mod system;

pub use beeline_transition::Setups;
pub use codec::{Codec, Coded, FunctionBits, words_of};
pub use layout::Field;
pub use source::Source;
pub use system::{PackedScratch, PackedSystem};
