//! `beeline analyse`: what can be said about a model without exploring it.

use crate::commands::{LoadArguments, load};
use crate::context::Context;
use crate::exit::Exit;
use beeline::Specification;
use clap::Subcommand;
use std::path::PathBuf;

mod bounds;
mod enabling;
mod flow;
mod pairs;
mod plan;
mod reads;
mod states;

pub const EXAMPLES: &str = "Examples:
  beeline analyse plan Lift.mch           how the parameters of each operation are found
  beeline analyse plan Lift.mch move      only this operation
  beeline analyse reads Lift.mch          what each operation reads and writes
  beeline analyse enabling Lift.mch       what each operation does to the guards of others
  beeline analyse flow Lift.mch           how sets of enabled operations follow each other
  beeline analyse plan --json Lift.mch    for programs
  beeline analyse bounds Lift.mch         what is known of each name without running the model
  beeline analyse states Lift.mch         what is true of every reachable state";

/// The model, and how it is opened
#[derive(Debug, clap::Args)]
struct ModelArguments {
    /// A machine, refinement or implementation
    #[arg(value_name = "MODEL")]
    file: PathBuf,
    #[command(flatten)]
    load: LoadArguments,
}

impl ModelArguments {
    fn open(&self, context: &mut Context) -> Result<Specification, Exit> {
        load(&self.file, &self.load, context)
    }
}

/// Analyse a model without exploring it
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    #[command(after_help = enabling::EXAMPLES)]
    Enabling(enabling::Arguments),
    #[command(after_help = flow::EXAMPLES)]
    Flow(flow::Arguments),
    #[command(after_help = bounds::EXAMPLES)]
    Bounds(bounds::Arguments),
    #[command(after_help = plan::EXAMPLES)]
    Plan(plan::Arguments),
    #[command(after_help = reads::EXAMPLES)]
    Reads(reads::Arguments),
    #[command(after_help = states::EXAMPLES)]
    States(states::Arguments),
}

pub fn run(arguments: &Arguments, context: &mut Context) -> Exit {
    match &arguments.what {
        What::Enabling(arguments) => enabling::run(arguments, context),
        What::Flow(arguments) => flow::run(arguments, context),
        What::Bounds(arguments) => bounds::run(arguments, context),
        What::Plan(arguments) => plan::run(arguments, context),
        What::Reads(arguments) => reads::run(arguments, context),
        What::States(arguments) => states::run(arguments, context),
    }
}
