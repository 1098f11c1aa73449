//! Event-B as its authors have it: packages, Rodin projects and archives, and text.
//!
//! Every reader gives the same [`Project`]: contexts, machines, theories and proofs, with formulas as
//! trees of `beeline-syntax`. This crate refuses to know types, what a name means, and how a machine
//! is run. It reads no files: it is given texts and bytes.

pub mod archive;
mod extend;
pub mod math;
pub mod package;
mod project;
pub mod prolog;
pub mod rodin;
pub mod text;

pub use extend::write_out_extended;
pub use project::*;
