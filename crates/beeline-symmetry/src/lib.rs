//! Symmetry of B models: which states are permutations of each other.
//!
//! Elements of deferred sets have no names, so permuting them changes no predicate and no
//! behaviour (Leuschel, Butler, Spermann & Turner 2007). [`Elements`] decides what may be permuted,
//! [`Symmetry`] tells them apart in a [`Mode`]: flooding, canonical forms, markers (Leuschel & Massart
//! 2007), or both; [`Symmetric`] is a transition system up to symmetry.
//!
//! This crate refuses to know search orders, verdicts and B syntax. It looks at states as words.
//!
//! Start reading at `elements`, then `profile` (how a value uses elements), `state_profile` (how a state
//! does), `refine` and `canonical` (one form for each class), `signature` and `packed` (the same from the
//! bits of a row), `symmetry` (the modes), `symmetric` (what a search is given).

mod audit;
mod canonical;
mod classify;
mod content;
mod elements;
mod error;
mod flood;
mod graph;
mod hash;
mod mode;
mod packed;
mod permute;
mod precision;
mod profile;
mod recent;
mod refine;
mod signature;
mod state_profile;
mod symmetric;
mod symmetry;

pub use audit::{AuditReport, StateOf};
pub use classify::Classifier;
pub use elements::{Elements, SymmetricSet};
pub use error::SymmetryError;
pub use mode::Mode;
pub use permute::{Permutation, Permuter};
pub use precision::Breach;
pub use symmetric::Symmetric;
pub use symmetry::{Reduced, Symmetry, elements};
