//! `cargo xtask proof`: what knowledge about preservation saves, and that it changes no verdict.

mod corpus;
mod published;
mod rodin;

use clap::Subcommand;
use serde_json::Value;
use std::path::Path;

#[derive(Subcommand)]
pub enum Task {
    /// Evaluations of invariants without and with proofs, beside the published table
    Table(published::Arguments),
    /// All models of the corpus that carry proofs, with every use of them: same verdict
    Corpus(corpus::Arguments),
    /// Rodin projects: how many proofs are accepted, and that none hides a change of the machine
    Rodin(rodin::Arguments),
}

pub fn run(task: &Task) -> Result<bool, String> {
    match task {
        Task::Table(arguments) => published::run(arguments),
        Task::Corpus(arguments) => corpus::run(arguments),
        Task::Rodin(arguments) => rodin::run(arguments),
    }
}

/// One check of a model with this use of proofs.
fn check(program: &Path, model: &Path, proof: &str, limits: &[&str]) -> Result<Value, String> {
    let mut options: Vec<String> =
        ["--all", "--no-goal", "--threads", "1", "--proof", proof].map(str::to_owned).to_vec();
    options.extend(limits.iter().map(|l| (*l).to_owned()));
    let root = model.parent().unwrap_or(Path::new("."));
    crate::program::check(program, model, root, &options)
}

fn count(answer: &Value, name: &str) -> u64 {
    answer["counts"][name].as_u64().unwrap_or(0)
}

fn milliseconds(answer: &Value) -> f64 {
    answer["seconds"].as_f64().unwrap_or(0.0) * 1e3
}
