//! `beeline analyse states`: what is true of every reachable state.

use super::ModelArguments;
use super::bounds::section;
use crate::commands::ScopeArguments;
use crate::context::Context;
use crate::exit::Exit;
use beeline::{ConjunctKnown, NodeKnown, StatesReport};
use std::fmt::Write as _;

pub const EXAMPLES: &str = "Nothing is run: initialisation and operations are interpreted with abstract \
values until nothing new is found.\nWhat is said holds in every reachable state, however many there are, \
for deferred sets of any size.

Examples:
  beeline analyse states Lift.mch           the abstract state, and which conjuncts it proves
  beeline analyse states --by flow Lift.mch one for each set of enabled operations
  beeline analyse states --json Lift.mch    for programs";

/// Show what is true of every reachable state, and which conjuncts of the invariant that proves
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    model: ModelArguments,
    #[command(flatten)]
    scope: ScopeArguments,
    /// Keep states apart: `flow` by the operations that are enabled in them
    #[arg(long, value_name = "WHAT")]
    by: Option<By>,
    /// Print one JSON object on standard output and nothing else
    #[arg(long)]
    json: bool,
}

/// What states are kept apart by.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum By {
    /// The operations whose guards hold
    Flow,
}

pub fn run(arguments: &Arguments, context: &mut Context) -> Exit {
    let specification = match arguments.model.open(context) {
        Ok(specification) => specification,
        Err(exit) => return exit,
    };
    let (model, sources) = (specification.model(), specification.sources());
    let report = beeline::states(model, sources, &arguments.scope.scope(), arguments.by.is_some());
    if arguments.json {
        context.json(&report);
    } else {
        context.answer(&table(&report, arguments.by.is_some()));
    }
    Exit::Ok
}

fn table(report: &StatesReport, by_flow: bool) -> String {
    let mut text = format!(
        "machine {}, with MININT = {} and MAXINT = {}\n",
        report.machine, report.min_int, report.max_int
    );
    if report.no_states {
        text += "\nthere is no state: PROPERTIES or the initialisation cannot be satisfied\n";
        return text;
    }
    section("constants", &report.constants, &mut text);
    section("variables, in every reachable state", &report.variables, &mut text);
    if report.given_up {
        text += "    (a limit was reached: nothing is known of them)\n";
    }
    if !report.conjuncts.is_empty() {
        text += "\ninvariant\n";
        report.conjuncts.iter().for_each(|c| text += &row(c));
    }
    match &report.nodes {
        Some(nodes) => nodes.iter().for_each(|n| node(n, &mut text)),
        None if by_flow => {
            text += "\nby enabled operations: a limit was reached, and nothing more is known\n";
        }
        None => {}
    }
    for name in &report.without_step {
        let _ = writeln!(text, "\n{name}: no step from any reachable state");
    }
    text
}

fn node(node: &NodeKnown, text: &mut String) {
    let enabled = match node.enabled.as_slice() {
        [] => "nothing".to_owned(),
        names => names.join(", "),
    };
    let open = match node.open.as_slice() {
        [] => String::new(),
        names => format!(" (left open: {})", names.join(", ")),
    };
    section(&format!("where {enabled} is enabled{open}"), &node.variables, text);
    if !node.holds.is_empty() {
        let _ = writeln!(text, "    holds there: {}", node.holds.join(", "));
    }
}

fn row(conjunct: &ConjunctKnown) -> String {
    let word = match (conjunct.typing, conjunct.proved) {
        (true, _) => "typing",
        (false, true) => "proved",
        (false, false) => "open",
    };
    let place = conjunct.place.as_deref().unwrap_or("the model");
    format!("    {word:<8}{}  ({place})\n", conjunct.text)
}
