//! Advice: what has a meaning, but perhaps not the one its author thinks.
//!
//! Syntactic advice looks at the trees of the main file; the rest looks at the typed model.

mod definitions;
mod refinement;
mod semantic;
mod syntactic;

pub(crate) use definitions::definitions;
pub(crate) use semantic::model;
pub(crate) use syntactic::file;
