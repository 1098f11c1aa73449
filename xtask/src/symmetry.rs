//! `cargo xtask symmetry`: symmetry reduction beside the published figures, and what it costs.

mod corpus;
mod cost;
mod growth;
mod published;

use crate::repository;
use beeline::explore::{Cancel, Options};
use beeline::model::Model;
use beeline::symmetry::Mode;
use beeline::{CheckOptions, Checked, OpenOptions, Scope};
use clap::Subcommand;
use std::path::{Path, PathBuf};

#[derive(Subcommand)]
pub enum Task {
    /// Nodes of every model, size and mode, beside the published table
    Table(published::Arguments),
    /// What markers and canonical forms cost, as ratios to hashing a state
    Cost(cost::Arguments),
    /// Time of markers as a set grows
    Growth(growth::Arguments),
    /// Exact modes on the models of the corpus: same verdict, same length of traces
    Corpus(corpus::Arguments),
    /// Check one model of the corpus in all exact modes (what `corpus` runs for each)
    #[command(hide = true)]
    One(corpus::OneArguments),
}

pub fn run(task: &Task) -> Result<bool, String> {
    match task {
        Task::Table(arguments) => published::run(arguments),
        Task::Cost(arguments) => cost::run(arguments),
        Task::Growth(arguments) => growth::run(arguments),
        Task::Corpus(arguments) => corpus::run(arguments),
        Task::One(arguments) => corpus::one(arguments),
    }
}

/// The folder of the models that are written for this.
fn models() -> PathBuf {
    repository().join("bench/models/symmetry")
}

fn open(path: &Path) -> Result<Model, String> {
    let loaded = beeline::open(path, &OpenOptions::default());
    loaded.model.ok_or_else(|| format!("{} cannot be loaded", path.display()))
}

fn sized(sizes: &[(&str, u64)]) -> Scope {
    let set_sizes = sizes.iter().map(|(name, n)| ((*name).to_owned(), *n)).collect();
    Scope { set_sizes, ..Scope::default() }
}

fn check(model: &Model, scope: &Scope, mode: Mode) -> Result<Checked, String> {
    let options = CheckOptions {
        scope: scope.clone(),
        explore: Options { all: true, threads: 1, ..Options::default() },
        no_goal: true,
        symmetry: mode,
        ..CheckOptions::default()
    };
    Checked::run(model, &options, &Cancel::new(), &|_| {}).map_err(|e| format!("{e:?}"))
}
