//! The typed model: what a specification means, whichever notation it was written in.
//!
//! The data first: [`Model`], then [`Expr`], [`Pred`] and [`Subst`]. Beside it what everybody needs
//! who works on it: a traversal ([`visit_expr`] and its kin), a printer, and a verifier of what the
//! data promises. `beeline-elaborate` makes models from text. This crate refuses to know how
//! one is made, and how it is run.

pub mod digest;
mod formula;
mod ids;
mod library;
mod model;
mod print;
mod reads;
mod show;
mod subst;
pub mod tree;
mod types;
mod verify;
mod visit;

/// A name as written; a composed name `a.b.c` is one `Name` with dots.
pub type Name = smol_str::SmolStr;

pub use formula::*;
pub use ids::*;
pub use library::*;
pub use model::*;
pub use reads::{Footprint, applies, fill_footprints};
pub use show::{TypeNode, show_type};
pub use subst::*;
pub use types::{Type, TypeTable};
pub use verify::verify;
pub use visit::{Mentions, Part, PartMut, visit_expr, visit_pred, visit_subst};
