//! Certificates: what a search did, in the terms of the model, and whether that proves its verdict.
//!
//! A [`Certificate`] has the scope, the valuations of the constants and the states that were kept, and with
//! symmetry the permutations that lead from a state that was not kept to one that was. [`certify`] goes through the
//! model once more, with nothing but the judge: every valuation and every step of every state that is kept must lead
//! to a state that is kept, or be permuted into one, every permutation must be one that the model cannot see, and
//! whatever was to be checked must hold in each state. Steps that were left out because something was proved, or
//! known to be disabled, are taken here: no reason for leaving them out has to be believed.
//!
//! So each run is one of the method of model checking that the book proves (`examples/self`): `unex` begins with the
//! initial states, successors are added, a state is removed when all of its successors are there, and `pass`
//! when none is left. Whatever bugs the search has, what is accepted holds.
//!
//! Start reading at `traverse`, then `permute` (which permutations the model cannot see) and `codec` (the bytes).
//!
//! It shares nothing with the search but the typed model and the judge, and its Cargo.toml shows it.

mod bytes;
mod certificate;
mod codec;
mod complete;
mod nodes;
mod permute;
mod traverse;

pub use bytes::Damage;
pub use certificate::{Asked, Certificate, Claimed, Kept, Known, Scope, Shown};
pub use codec::{read, write};
pub use complete::{Incomplete, complete};
pub use permute::{Movable, Permutation};
pub use traverse::{Accepted, Refused, certify};
