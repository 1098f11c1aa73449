//! A laboratory: suites of models and configurations, running them, what came of it, tables and plots.
//!
//! [`Suite`] says what is run, [`Runner`] makes a run in a process of its own, [`Run`] is what came of it;
//! [`Journal`] keeps runs as they are made. [`Results`] holds all runs and is shown as CSV, as a Markdown
//! table relative to a reference ([`markdown`]) and as plots ([`plot`]). [`compare`] sets two results side
//! by side.
//!
//! Below that is what any measurement needs: a [`process`] under watch, the [`Machine`], means and
//! medians, and files that are replaced as one step.
//!
//! This crate refuses to know B, what a report means beyond its promised fields, and terminals.

pub mod compare;
mod expect;
mod file;
mod journal;
mod machine;
pub mod markdown;
pub mod plot;
pub mod process;
mod results;
mod runner;
mod statistics;
mod suite;

pub use expect::judge;
pub use file::replace;
pub use journal::Journal;
pub use machine::{Machine, load, today};
pub use results::{Outcome, Results, Run};
pub use runner::{Made, Runner};
pub use statistics::{geometric_mean, median};
pub use suite::{Configuration, Job, Measure, Model, Suite, SuiteError};
