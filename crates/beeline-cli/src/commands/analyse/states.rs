//! `beeline analyse states`: what is true of every reachable state.

use super::ModelArguments;
use super::bounds::section;
use crate::commands::ScopeArguments;
use crate::context::Context;
use crate::exit::Exit;
use beeline::{ConjunctKnown, StatesReport};
use std::fmt::Write as _;

pub const EXAMPLES: &str = "Nothing is run: initialisation and operations are interpreted with abstract \
values until nothing new is found.\nWhat is said holds in every reachable state, however many there are, \
for deferred sets of any size.

Examples:
  beeline analyse states Lift.mch           the abstract state, and which conjuncts it proves
  beeline analyse states --json Lift.mch    for programs";

/// Show what is true of every reachable state, and which conjuncts of the invariant that proves
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    model: ModelArguments,
    #[command(flatten)]
    scope: ScopeArguments,
    /// Print one JSON object on standard output and nothing else
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments, context: &mut Context) -> Exit {
    let specification = match arguments.model.open(context) {
        Ok(specification) => specification,
        Err(exit) => return exit,
    };
    let (model, sources) = (specification.model(), specification.sources());
    let report = beeline::states(model, sources, &arguments.scope.scope());
    if arguments.json {
        context.json(&report);
    } else {
        context.answer(&table(&report));
    }
    Exit::Ok
}

fn table(report: &StatesReport) -> String {
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
    for name in &report.without_step {
        let _ = writeln!(text, "\n{name}: no step from any reachable state");
    }
    text
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
