//! `beeline analyse reads`: which parts of a state each operation looks at and changes.

use super::ModelArguments;
use crate::context::Context;
use crate::exit::Exit;
use beeline::flow::read_sets;
use beeline::report::ReadsReport;

pub const EXAMPLES: &str =
    "A part is a variable, `f(i)` at an index, `r'a` at a field, or `e : s`: whether \
e is in s.\nThe guard is whatever decides whether there is a step; the body is the rest.

Examples:
  beeline analyse reads Lift.mch           a table
  beeline analyse reads --csv Lift.mch     for spreadsheets
  beeline analyse reads --json Lift.mch    for programs";

/// Show which parts of a state each operation reads and writes
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    model: ModelArguments,
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
    let model = specification.model();
    let report = ReadsReport::new(model, &read_sets(model));
    if arguments.json {
        context.json(&report);
    } else if arguments.csv {
        context.copy(&report.csv());
    } else {
        context.answer(&report.text());
    }
    Exit::Ok
}
