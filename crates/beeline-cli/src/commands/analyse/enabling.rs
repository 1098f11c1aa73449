//! `beeline analyse enabling`: what a step of one operation does to the guards of others.

use super::ModelArguments;
use super::pairs::{PairArguments, PictureArguments, Work};
use crate::context::Context;
use crate::exit::Exit;
use beeline::report::EnablingReport;

pub const EXAMPLES: &str =
    "An enabling predicate holds before a step of the one operation exactly if the other \
one is enabled after it;\nnames of the other one are written OPERATION.NAME, new values that are chosen x'. What \
leans on the\ninvariant is about steps from states that satisfy it.

Examples:
  beeline analyse enabling Lift.mch                  a table
  beeline analyse enabling --json Lift.mch           for programs
  beeline analyse enabling --timeout 10 Lift.mch     what was found in ten seconds
  beeline analyse enabling --forest Lift.mch         for each operation, whose guards it changes
  beeline analyse enabling --svg lift.svg Lift.mch   no arrow where a guard keeps its value";

/// Show what a step of each operation does to the guards of all
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    model: ModelArguments,
    #[command(flatten)]
    pairs: PairArguments,
    /// Draw an arrow for each pair, also where a guard keeps its value
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    pictures: PictureArguments,
    /// Print values separated by commas on standard output and nothing else
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Print one JSON object on standard output and nothing else
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments, context: &mut Context) -> Exit {
    let specification = match arguments.model.open(context) {
        Ok(specification) => specification,
        Err(exit) => return exit,
    };
    let mut work = match Work::begin(&arguments.pairs, specification.model(), context) {
        Ok(work) => work,
        Err(exit) => return exit,
    };
    let report =
        beeline::on_large_stack(|| EnablingReport::new(&work.enabling(specification.model())));
    let exit = work.end(context);
    let picture = report.picture(arguments.all);
    let drawn = match arguments.pictures.write(&picture, context) {
        Ok(drawn) => drawn,
        Err(exit) => return exit,
    };
    if arguments.json {
        context.json(&report);
    } else if arguments.csv {
        context.copy(&report.csv());
    } else if arguments.pictures.forest && !drawn {
        context.answer(&picture.forest_text());
    } else if !drawn {
        context.answer(&report.text());
    }
    exit
}
