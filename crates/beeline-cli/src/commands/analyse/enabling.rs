//! `beeline analyse enabling`: what a step of one operation does to the guards of others.

use crate::commands::{LoadArguments, load};
use crate::context::Context;
use crate::exit::Exit;
use beeline::flow::enabling;
use beeline::report::{EnablingReport, Picture};
use std::path::PathBuf;
use std::time::Duration;

pub const EXAMPLES: &str =
    "An enabling predicate holds before a step of the one operation exactly if the other \
one is enabled after it;\nnames of the other one are written OPERATION.NAME, new values that are chosen x'. All \
of it is about states\nthat satisfy the invariant.

Examples:
  beeline analyse enabling Lift.mch                  a table
  beeline analyse enabling --json Lift.mch           for programs
  beeline analyse enabling --svg lift.svg Lift.mch   no arrow where a guard keeps its value";

/// Show what a step of each operation does to the guards of all
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// A machine, refinement or implementation
    #[arg(value_name = "MODEL")]
    file: PathBuf,
    #[command(flatten)]
    load: LoadArguments,
    /// Milliseconds for each pair of operations; what is not found out by then is unknown
    #[arg(long, value_name = "MS", default_value_t = 500)]
    pair_limit: u64,
    /// Draw an arrow for each pair, also where a guard keeps its value
    #[arg(long)]
    all: bool,
    /// Write DOT to this file
    #[arg(long, value_name = "FILE")]
    dot: Option<PathBuf>,
    /// Write SVG to this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Print values separated by commas on standard output and nothing else
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Print one JSON object on standard output and nothing else
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments, context: &mut Context) -> Exit {
    let specification = match load(&arguments.file, &arguments.load, context) {
        Ok(specification) => specification,
        Err(exit) => return exit,
    };
    let limit = Duration::from_millis(arguments.pair_limit);
    let report =
        beeline::on_large_stack(|| EnablingReport::new(&enabling(specification.model(), limit)));
    let files =
        [(&arguments.dot, Picture::dot as fn(&Picture) -> String), (&arguments.svg, Picture::svg)];
    for (path, draw) in files {
        if let Some(path) = path
            && let Err(error) = std::fs::write(path, draw(&report.picture(arguments.all)))
        {
            return context.complain(&format!("{}: {error}", path.display()), "");
        }
    }
    if arguments.json {
        context.json(&report);
    } else if arguments.csv {
        context.copy(&report.csv());
    } else if arguments.dot.is_none() && arguments.svg.is_none() {
        context.answer(&report.text());
    }
    Exit::Ok
}
