//! From the typed model to something that runs fast.
//!
//! A [`Builder`] gives every variable and constant a slot, plans every query (operation
//! parameters, quantifiers, comprehensions, properties), and turns formulas and substitutions into
//! closures over a flat frame of words. [`System`] then answers: which set-ups, which initial
//! states, which successors, does this predicate hold — always with a list of what was left out.
//!
//! This crate refuses to know about search: visited states, orders, verdicts.
//!
//! Start reading at `system` (the door), then `plan` (how a predicate becomes a query), `expr`
//! and `pred` (closures), `subst` (how states change), `symbolic` (sets that are not listed).

mod answer;
mod arith;
mod breaking;
mod build;
mod builder;
mod changes;
mod closure;
mod constrain;
mod content;
mod context;
mod distance;
mod entries;
mod enumerate;
mod error;
mod expr;
mod external;
mod fold;
mod frame;
mod ground;
mod integers;
mod library;
mod measure;
mod memory;
mod operators;
mod optimum;
mod pred;
mod project;
mod query;
mod recursion;
mod replan;
mod same;
mod seen;
mod sense;
mod settings;
mod show;
mod sizes;
mod spaces;
mod steps;
mod subst;
mod symbolic;
mod system;
mod tree;

pub use answer::{Answer, Cut, CutReason, Fault, FaultKind, Flow, Stop, Truth};
pub use beeline_plan::Policy;
pub use beeline_transition::{Change, Signature, resident_bytes};
pub use builder::Builder;
pub use content::Contents;
pub use distance::{Target, guard_of};
pub use replan::{Replanned, Sample};
pub use settings::Settings;
pub use system::{Check, CompileError, ExprId, OperationInfo, PredId, Scratch, Slot, Step, System};
