//! `beeline graph`: the state space of a small model as a picture.

mod minimise;

use crate::commands::behaviour::BehaviourArguments;
use crate::commands::{LoadArguments, ScopeArguments, load, refuse};
use crate::context::Context;
use crate::exit::Exit;
use beeline::report::{DrawnNode, Picture};
use beeline::symmetry::Mode;
use beeline::{GraphOptions, StateGraph};
use std::path::PathBuf;

pub const EXAMPLES: &str = "Examples:
  beeline graph Login.mch                                 DOT on standard output
  beeline graph --svg login.svg --symmetry auto Login.mch representatives have a double frame
  beeline graph --reduced --symmetry canonical M.mch      representatives only
  beeline graph --fold --max-nodes 5000 M.mch             one box for each set of enabled operations
  beeline graph --minimise bisimulation M.mch             one box for all states that behave alike
  beeline graph --minimise branching --hide lock,unlock --labels names --svg m.svg M.mch
  beeline graph --aut m.aut M.mch                         all states and steps, for CADP and mCRL2

Exit codes: 0 done, 2 model or usage error, 3 incomplete: nothing is drawn or written.";

/// Draw the state space of a model
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// A machine, refinement or implementation; or an .aut file
    #[arg(value_name = "MODEL")]
    file: PathBuf,
    #[command(flatten)]
    load: LoadArguments,
    #[command(flatten)]
    scope: ScopeArguments,
    /// Symmetry mode; one state of each class gets a double frame
    #[arg(long, value_name = "MODE", default_value = "none", value_parser = super::check::symmetry)]
    symmetry: Mode,
    /// Draw only one state of each class
    #[arg(long)]
    reduced: bool,
    /// Merge states in which the same operations are possible
    #[arg(long)]
    fold: bool,
    /// Refuse to draw more boxes than this (with --fold: to compute more states)
    #[arg(long, value_name = "N", default_value_t = 300)]
    max_nodes: usize,
    /// Write DOT to this file
    #[arg(long, value_name = "FILE")]
    dot: Option<PathBuf>,
    /// Write SVG to this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Merge states that behave alike; what they are does not matter
    #[arg(long, visible_alias = "minimize", value_enum, conflicts_with_all = ["fold", "reduced", "symmetry"])]
    minimise: Option<minimise::Minimise>,
    /// Write states and labelled steps to this file, in the Aldebaran format
    #[arg(long, value_name = "FILE", conflicts_with_all = ["fold", "reduced", "symmetry"])]
    aut: Option<PathBuf>,
    /// Print one JSON object on standard output and nothing else (with --minimise or --aut)
    #[arg(long, conflicts_with_all = ["fold", "reduced", "symmetry"])]
    json: bool,
    #[command(flatten)]
    behaviour: BehaviourArguments,
}

pub fn run(arguments: &Arguments, context: &mut Context) -> Exit {
    let is_behaviour = arguments.minimise.is_some() || arguments.aut.is_some() || arguments.json;
    if is_behaviour || crate::commands::behaviour::is_aut(&arguments.file) {
        return minimise::run(arguments, context);
    }
    let specification = match load(&arguments.file, &arguments.load, context) {
        Ok(specification) => specification,
        Err(exit) => return exit,
    };
    let options = GraphOptions {
        scope: arguments.scope.scope(),
        symmetry: arguments.symmetry,
        reduced: arguments.reduced,
        max_nodes: arguments.max_nodes,
    };
    let graph = match StateGraph::of(specification.model(), &options) {
        Ok(graph) => graph,
        Err(error) => return refuse(&error.in_files(specification.sources()), context),
    };
    if graph.cut {
        return context.complain(
            &format!("there are more than {} states", arguments.max_nodes),
            "try --symmetry auto --reduced, --fold, smaller sets, or a larger --max-nodes",
        );
    }
    let graph = if arguments.fold { graph.folded() } else { graph };
    let marked = arguments.symmetry != Mode::None && !arguments.reduced && !arguments.fold;
    let picture = picture(specification.name(), graph, marked);
    let files =
        [(&arguments.dot, Picture::dot as fn(&Picture) -> String), (&arguments.svg, Picture::svg)];
    for (path, draw) in files {
        if let Some(path) = path
            && let Err(error) = std::fs::write(path, draw(&picture))
        {
            return context.complain(&format!("{}: {error}", path.display()), "");
        }
    }
    if arguments.dot.is_none() && arguments.svg.is_none() {
        context.answer(&picture.dot());
    }
    Exit::Ok
}

fn picture(title: &str, graph: StateGraph, marked: bool) -> Picture {
    let nodes = graph.nodes.into_iter().map(|node| DrawnNode {
        lines: node.values.iter().map(|(name, value)| format!("{name} = {value}")).collect(),
        row: node.depth,
        double: marked && node.representative,
        initial: node.initial,
    });
    Picture { title: title.to_owned(), nodes: nodes.collect(), edges: graph.edges }
}
