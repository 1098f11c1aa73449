//! Asks an SMT solver, which runs as a process, whether facts exclude each other.
//!
//! Start reading at [`Smt`], a source of `beeline-prove`. `script` writes facts in SMT-LIB 2, with sets as arrays from
//! elements to truth values; `sorts` has the types. What has no counterpart is left out, or becomes a constant
//! that may be anything: that makes less known, never more. Nothing here knows states, search or how a fact is used.

mod process;
mod script;
mod sorts;

pub use process::{Smt, Solver};
pub use script::script;
