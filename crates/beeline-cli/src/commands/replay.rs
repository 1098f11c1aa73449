//! `beeline replay`: execute a saved trace again.

use crate::commands::{LoadArguments, ScopeArguments, traced};
use crate::context::Context;
use crate::exit::Exit;
use crate::limits::{self, WorkArguments};
use beeline::Replayed;
use beeline::report::finding_text;
use beeline::source::SourceMap;
use std::fmt::Write as _;
use std::path::PathBuf;

pub const EXAMPLES: &str = "Examples:
  beeline check --trace t.json Lift.mch   save the trace of a finding
  beeline replay Lift.mch t.json          is it still an execution, and what is wrong at its end?

Exit codes: 0 the trace is an execution, 1 it is not, 2 model or usage error,
4 unknown, or the two evaluators disagree.";

/// Execute a saved trace again
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// A machine, refinement or implementation
    #[arg(value_name = "MODEL")]
    file: PathBuf,
    /// A trace that was saved with --trace
    #[arg(value_name = "TRACE")]
    trace: PathBuf,
    #[command(flatten)]
    load: LoadArguments,
    #[command(flatten)]
    scope: ScopeArguments,
    #[command(flatten)]
    work: WorkArguments,
}

pub fn run(arguments: &Arguments, context: &mut Context) -> Exit {
    let Arguments { file, trace, load, scope, work } = arguments;
    let (replay, _) = match traced::open(file, trace, load, scope, context) {
        Ok(opened) => opened,
        Err(exit) => return exit,
    };
    let replay = replay.limits(work.limits_and_keyboard());
    let replayed = match replay.run() {
        Ok(replayed) => replayed,
        Err(error) => return traced::not_replayed(&error, context),
    };
    let plural = if replayed.steps == 1 { "" } else { "s" };
    context.answer(&format!("replayed: {} step{plural}\n", replayed.steps));
    context.answer(&told(&replayed, replay.specification().sources()));
    Exit::Ok
}

/// What is to be said about the last state.
fn told(end: &Replayed, sources: &SourceMap) -> String {
    let mut text = String::new();
    for found in &end.found {
        let refused = match found.refused() {
            Some(why) => format!(" (not confirmed by the judge: {why})"),
            None => String::new(),
        };
        let _ = writeln!(text, "at its end: {}{refused}", found.told.message);
        text += &finding_text(sources, found);
    }
    match end.stopped {
        Some(reason) => {
            _ = writeln!(text, "at its end: not everything was checked: {}", limits::words(reason))
        }
        None => {
            for cut in &end.cuts {
                let _ = writeln!(text, "at its end: undecided: {}", cut.words);
            }
        }
    }
    if text.is_empty() {
        text += "at its end: no error\n";
    }
    text
}
