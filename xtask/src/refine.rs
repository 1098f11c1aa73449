//! `cargo xtask refine`: refinement checks held against recorded results, and against planted mistakes.

mod corpus;
mod mutants;
mod prob;

use beeline::refinement::Mode;
use beeline::{OpenOptions, Refined, Refiner, Specification};
use clap::Subcommand;
use std::path::Path;
use std::time::Duration;

#[derive(Subcommand)]
pub enum Task {
    /// Compare trace refinement with real ProB's results, and simulation with trace refinement
    Corpus(corpus::Arguments),
    /// Change one operator in the bodies of refinements: how many of the changes are found?
    Mutants(mutants::Arguments),
}

pub fn run(task: &Task) -> Result<bool, String> {
    match task {
        Task::Corpus(arguments) => corpus::run(arguments),
        Task::Mutants(arguments) => mutants::run(arguments),
    }
}

/// Opens a refinement that may look for machines in its own folder.
fn open(path: &Path) -> Result<Specification, String> {
    OpenOptions::new().open(path).map_err(|e| e.to_string())
}

/// Compares the last level of a chain, or those from the abstraction of this name on.
fn refine(
    specification: &Specification,
    above: Option<&str>,
    mode: Mode,
    seconds: u64,
) -> Result<Refined, String> {
    let steps = specification.refinement().map_err(|why| format!("{why:?}"))?;
    let level = match above {
        None => steps - 1,
        Some(name) => specification.chain()[..steps]
            .iter()
            .position(|n| *n == name)
            .ok_or_else(|| format!("{name} is no machine of the chain"))?,
    };
    Refiner::new(specification.clone())
        .mode(mode)
        .from_level(level)
        .tune(|options| options.limits.time = Some(Duration::from_secs(seconds)))
        .run()
        .map_err(|e| e.to_string())
}
