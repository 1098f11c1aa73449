//! `beeline types`: what every name of a model is.

use crate::commands::LoadArguments;
use crate::context::Context;
use crate::exit::Exit;
use beeline::report::Report;
use std::path::PathBuf;

mod facts;
mod text;

pub const EXAMPLES: &str = "Examples:
  beeline types Lift.mch                  sets, constants, variables and operations
  beeline types --json Lift.mch           for programs
  beeline types --root lib Lift.mch       also look up machines in lib";

/// Show the type and origin of every identifier of a model
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// A machine, refinement or implementation
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    load: LoadArguments,
    /// Print one JSON object on standard output and nothing else
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments, context: &mut Context) -> Exit {
    let options = match arguments.load.options(context) {
        Ok(options) => options,
        Err(exit) => return exit,
    };
    let loaded = beeline::open(&arguments.file, &options);
    let mut report = Report::new();
    report.add(&loaded.sources, &loaded.diagnostics);
    let facts = loaded.model.as_ref().map(|model| facts::Facts::new(model, &loaded.sources));
    if arguments.json {
        context.json(&facts::Answer { report: report.json(), model: facts.as_ref() });
    } else if let Some(facts) = &facts {
        context.answer(&text::text(facts));
    } else {
        context.show_aside(&report);
    }
    if facts.is_some() { Exit::Ok } else { Exit::Error }
}
