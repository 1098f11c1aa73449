//! Developer tasks: corpus runs, benchmarks, fuzzing without a nightly compiler, generated pages.
//!
//! Nothing here is shipped. Start reading at [`corpus`].

mod bench;
mod bounds;
mod certify;
mod check;
mod compare;
mod corpus;
mod faults;
mod flow;
mod frontier;
mod fuzz;
mod guard;
mod hostile;
mod matrix;
mod memory;
mod pages;
mod por;
mod prob;
mod program;
mod proof;
mod random;
mod refine;
mod resume;
mod runs;
mod symbolic;
mod symmetry;

use clap::{Parser, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;

/// Tasks of Beeline's developers
#[derive(Parser)]
#[command(name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Compare with the recorded results of the development corpus
    #[command(subcommand)]
    Corpus(Corpus),
    /// Measure: the performance suite, or one of the tasks below
    Bench(Bench),
    /// Fuzz by mutating the examples, without libFuzzer
    Fuzz(fuzz::Arguments),
    /// Run models that mean harm under limits of time and memory
    Hostile(hostile::Arguments),
    /// Compare the compiled engine with the judge on random formulas
    Compare(compare::Arguments),
    /// Check random machines in every configuration, beside the judge alone
    Random(random::Arguments),
    /// Plant faults one by one, and count the random models that it takes to find each
    Faults(faults::Arguments),
    /// Switch everything on and off: nothing must change
    Matrix(matrix::Arguments),
    /// Check a model that needs ten times the memory it is given
    Memory(memory::Arguments),
    /// Kill checks at random moments, and go on from their checkpoints
    Resume(resume::Arguments),
    /// What proofs save, beside the published figures, and that they change no verdict
    #[command(subcommand)]
    Proof(proof::Task),
    /// What operations do to each other, held against states
    #[command(subcommand)]
    Flow(flow::Task),
    /// What is known without running, held against the states of models
    #[command(subcommand)]
    Bounds(bounds::Task),
    /// Refinement checks beside real ProB, and beside planted mistakes
    #[command(subcommand)]
    Refine(refine::Task),
    /// Certificates are accepted, and changed ones are not
    Certify(certify::Arguments),
    /// Measure the frontier of each search order by itself
    Frontier(frontier::Arguments),
    /// Symmetry reduction beside the published figures, and what it costs
    #[command(subcommand)]
    Symmetry(symmetry::Task),
    /// Sets of states beside the explicit search, a published study, and at scale
    #[command(subcommand)]
    Symbolic(symbolic::Task),
    /// Partial order reduction: same verdicts, smaller state spaces
    #[command(subcommand)]
    Por(por::Task),
    /// Real ProB beside Beeline on models and formulas, where it is installed
    Prob(prob::Arguments),
    /// Write the generated pages of the book
    Pages,
}

#[derive(Subcommand)]
enum Corpus {
    /// Load every classical-B model; compare with what was recorded
    Load(corpus::Arguments),
    /// Check every classical-B model; compare verdicts, states and transitions
    Check(check::Arguments),
    /// Check one model (what `check` runs for each)
    #[command(hide = true)]
    One(check::OneArguments),
}

#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
struct Bench {
    #[command(subcommand)]
    task: Option<BenchTask>,
    #[command(flatten)]
    suite: bench::suite::Arguments,
}

#[derive(Subcommand)]
enum BenchTask {
    /// Measure reading, parsing and loading of the corpus, and the start-up of the program
    Load(bench::Arguments),
    /// Load a large archive, and have hostile ones refused
    Archive(bench::archive::Arguments),
}

fn main() -> ExitCode {
    let done = match Arguments::parse().task {
        Task::Corpus(Corpus::Load(arguments)) => corpus::load(&arguments),
        Task::Corpus(Corpus::Check(arguments)) => check::check(&arguments),
        Task::Corpus(Corpus::One(arguments)) => check::one(&arguments),
        Task::Bench(Bench { task: Some(BenchTask::Load(arguments)), .. }) => {
            bench::load(&arguments)
        }
        Task::Bench(Bench { task: Some(BenchTask::Archive(arguments)), .. }) => {
            bench::archive::run(&arguments)
        }
        Task::Bench(Bench { task: None, suite }) => bench::suite::run(&suite),
        Task::Fuzz(arguments) => fuzz::run(&arguments),
        Task::Hostile(arguments) => hostile::run(&arguments),
        Task::Compare(arguments) => compare::run_all(&arguments),
        Task::Random(arguments) => random::run(&arguments),
        Task::Faults(arguments) => faults::run(&arguments),
        Task::Matrix(arguments) => matrix::run(&arguments),
        Task::Memory(arguments) => memory::run(&arguments),
        Task::Resume(arguments) => resume::run(&arguments),
        Task::Proof(task) => proof::run(&task),
        Task::Flow(task) => flow::run(&task),
        Task::Bounds(task) => bounds::run(&task),
        Task::Refine(task) => refine::run(&task),
        Task::Certify(arguments) => certify::run(&arguments),
        Task::Frontier(arguments) => frontier::run(&arguments),
        Task::Por(task) => por::run(&task),
        Task::Symbolic(task) => symbolic::run(&task),
        Task::Symmetry(task) => symmetry::run(&task),
        Task::Prob(arguments) => prob::run(&arguments),
        Task::Pages => pages::write(),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::from(2)
        }
    }
}

/// The folder of the repository.
fn repository() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}
