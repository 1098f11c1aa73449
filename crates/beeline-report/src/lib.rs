//! Results shown: diagnostics as text with excerpts, JSON and SARIF; checks as text, JSON and JUnit.
//!
//! A [`Report`] collects what the loads of one run found; [`Report::text`], [`Report::json`] and
//! [`Report::sarif`] show the same data three ways, and [`explain`] gives the long story of a code.
//! A [`CheckReport`] does so for a verdict. This crate decides nothing about B, and knows neither
//! files nor terminals (the caller says whether colour is wanted). Whatever comes from a file passes
//! [`escape`] on its way out.

mod check;
mod cut;
pub mod escape;
mod excerpt;
mod explain;
mod flow;
mod graph;
mod json;
mod refine;
mod report;
mod sarif;
mod shown;
mod style;
mod text;

pub use check::{
    CheckReport, JsonCheck, NoCheck, SetScope, finding_text, junit, junit_error, trace_text,
};
pub use cut::JsonCut;
pub use explain::{explain, explanations_page};
pub use flow::{EnablingReport, EnablingRow, FlowReport, FlowRow, Offered, ReadsReport, ReadsRow};
pub use graph::{DrawnNode, Picture};
pub use json::{JsonDiagnostic, JsonPlace, JsonReport, place, to_json};
pub use refine::{JsonRefine, RefineReport, RefineStep};
pub use report::Report;
pub use style::Style;
