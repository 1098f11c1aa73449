//! Plans of queries as data.
//!
//! A query is a conjunction over names that have no value yet: the parameters of an operation under its
//! guard, the names of a quantifier or a comprehension, the constants under the properties. Its
//! [`Plan`] says in which order names get their values, where these come from, and which conjunct is
//! tested when. [`Plans`] keeps each plan that was made: the general engine makes closures of it, the
//! fast tier code, and people read it; nobody plans a query twice.
//!
//! This crate knows the typed model and sizes of sets. It refuses to know values, frames, closures, the
//! solver and search.
//!
//! Start reading at `plan` (the data), then `planner` (how a plan is found) and `planner/offers` (what
//! one conjunct offers).

mod arrow;
mod choice;
mod defined;
mod estimate;
mod figures;
mod name;
mod named;
mod names;
pub mod normal;
mod operation;
mod plan;
mod planner;
mod plans;
mod scope;
mod template;

pub use arrow::{Arrow, arrow};
pub use choice::Policy;
pub use defined::is_defined;
pub use estimate::{Estimate, INFINITE};
pub use figures::Figures;
pub use name::{Name, as_name};
pub use named::write_out;
pub use names::Names;
pub use operation::{conjunction, peel};
pub use plan::{
    Act, ByPoints, Constraint, Generator, Leeway, Part, Pattern, Plan, PlanStep, Points, Question,
    Range, Rule, Source, TermPlan, TruthPlan, Unknown, pattern_of,
};
pub use plans::{Plans, PlansOf};
pub use scope::Scope;
pub use template::{Term, Truth};
