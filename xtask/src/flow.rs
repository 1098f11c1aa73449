//! `cargo xtask flow`: what is said of how operations influence each other, held against states.

mod audit;
mod corpus;
mod prob;
mod questions;
mod skipping;

use clap::Subcommand;

#[derive(Subcommand)]
pub enum Task {
    /// Hold every fact about pairs of operations against every transition
    Audit(corpus::Arguments),
    /// Count the guards that need not be evaluated, and hold the results against each other
    Skipping(skipping::Arguments),
    /// Compare pairs of operations with those of ProB, if it is installed
    Prob(prob::Arguments),
    /// Audit one model (what `audit` runs for each)
    #[command(hide = true)]
    One(audit::Arguments),
}

pub fn run(task: &Task) -> Result<bool, String> {
    match task {
        Task::Audit(arguments) => corpus::run(arguments),
        Task::Skipping(arguments) => skipping::run(arguments),
        Task::Prob(arguments) => prob::run(arguments),
        Task::One(arguments) => audit::one(arguments),
    }
}
