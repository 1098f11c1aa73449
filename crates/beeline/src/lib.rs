//! The library door of Beeline: open a specification, and ask things of it.
//!
//! [`open`] loads a model from the file system under the safety rules of [`FsLoader`];
//! [`open_with`] does so through any [`source::Loader`]. Everything returns values with diagnostics:
//! nothing here prints, exits or reads arguments. The crates behind the door are re-exported, so
//! that a program needs only this one.

mod check;
mod direct;
mod evaluate;
mod eventb;
mod files;
mod format;
mod graph;
mod identity;
mod open;
mod parse;
mod plans;
mod portfolio;
mod watched;

pub use beeline_compile as compile;
pub use beeline_eventb as event_b;
pub use beeline_explore as explore;
pub use beeline_judge as judge;
pub use beeline_model as model;
pub use beeline_pack as pack;
pub use beeline_source as source;
pub use beeline_symmetry as symmetry;
pub use beeline_syntax as syntax;
pub use beeline_value as value;
pub use beeline_verdict as verdict;
pub use check::{CheckError, CheckOptions, Checked, Scope, Tier, compile, native};
pub use direct::Hunt;
pub use evaluate::{Answer, NoAnswer, evaluate};
pub use eventb::open_bytes;
pub use files::{FsLoader, MAX_FILE_BYTES, decode, read_at_most, read_text};
pub use format::{FormatError, format, print};
pub use graph::{GraphNode, GraphOptions, StateGraph};
pub use identity::identity;
pub use open::{OpenOptions, load_diagnostic, on_large_stack, open, open_formulas, open_with};
pub use parse::{ParsedFile, parse_path, parse_text};
pub use plans::{Plan, PlanLine, Plans, plans};
pub use watched::WorkLimits;
