//! `beeline analyse flow`: how sets of enabled operations follow each other.

use crate::commands::{LoadArguments, load};
use crate::context::Context;
use crate::exit::Exit;
use beeline::flow::{enabling, flow_graph};
use beeline::report::{FlowReport, Picture};
use std::path::PathBuf;
use std::time::Duration;

pub const EXAMPLES: &str =
    "Each node stands for all states in which exactly these operations are enabled; each \
step tells what\nmust hold before it, as far as that is not certain.

Examples:
  beeline analyse flow Lift.mch                  nodes and steps
  beeline analyse flow --svg lift.svg Lift.mch   a picture; what cannot be left has a double frame
  beeline analyse flow --json Lift.mch           for programs";

/// Show how sets of enabled operations follow each other, without exploring states
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// A machine, refinement or implementation
    #[arg(value_name = "MODEL")]
    file: PathBuf,
    #[command(flatten)]
    load: LoadArguments,
    /// Milliseconds for each pair of operations
    #[arg(long, value_name = "MS", default_value_t = 500)]
    pair_limit: u64,
    /// Stop after so many nodes
    #[arg(long, value_name = "N", default_value_t = 200)]
    max_nodes: usize,
    /// Write DOT to this file
    #[arg(long, value_name = "FILE")]
    dot: Option<PathBuf>,
    /// Write SVG to this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
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
    let report = beeline::on_large_stack(|| {
        let facts = enabling(specification.model(), limit);
        FlowReport::new(&facts, &flow_graph(&facts, arguments.max_nodes, limit))
    });
    let files =
        [(&arguments.dot, Picture::dot as fn(&Picture) -> String), (&arguments.svg, Picture::svg)];
    for (path, draw) in files {
        if let Some(path) = path
            && let Err(error) = std::fs::write(path, draw(&report.picture()))
        {
            return context.complain(&format!("{}: {error}", path.display()), "");
        }
    }
    if arguments.json {
        context.json(&report);
    } else if arguments.dot.is_none() && arguments.svg.is_none() {
        context.answer(&report.text());
    }
    Exit::Ok
}
