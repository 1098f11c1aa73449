//! `beeline shorten`: cut a saved trace down.

use crate::commands::{LoadArguments, ScopeArguments, traced};
use crate::context::Context;
use crate::exit::Exit;
use crate::limits::WorkArguments;
use beeline::explore::Effort;
use std::path::PathBuf;

pub const EXAMPLES: &str = "Examples:
  beeline check --search df --trace t.json Lift.mch    save a trace, possibly a long one
  beeline shorten Lift.mch t.json --out short.json     the same end, fewer steps

The first and the last state stay the same. To find a trace of minimal length, use
`beeline check --shortest`.

Exit codes: 0 done, 1 the trace is not an execution, 2 model or usage error, 4 unknown.";

/// Look for a shorter trace to the same state
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// A machine, refinement or implementation
    #[arg(value_name = "MODEL")]
    file: PathBuf,
    /// A trace that was saved with --trace
    #[arg(value_name = "TRACE")]
    trace: PathBuf,
    /// Save the shorter trace to this file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Visit at most N states
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    max_states: usize,
    /// Visit at most N states for one shortcut
    #[arg(long, value_name = "N", default_value_t = 50_000)]
    window: usize,
    #[command(flatten)]
    load: LoadArguments,
    #[command(flatten)]
    scope: ScopeArguments,
    #[command(flatten)]
    work: WorkArguments,
}

pub fn run(arguments: &Arguments, context: &mut Context) -> Exit {
    let Arguments { file, trace, load, scope, work, .. } = arguments;
    let (replay, steps) = match traced::open(file, trace, load, scope, context) {
        Ok(opened) => opened,
        Err(exit) => return exit,
    };
    let effort = Effort { window: arguments.window, total: arguments.max_states };
    // What is shown is confirmed by the judge, like every trace.
    let shorter = match replay.limits(work.limits_and_keyboard()).shorten(effort) {
        Ok(shorter) => shorter,
        Err(error) => return traced::not_replayed(&error, context),
    };
    if let Some(out) = &arguments.out
        && let Err(error) = std::fs::write(out, beeline::report::to_json(&shorter) + "\n")
    {
        return context.complain(&format!("{}: {error}", out.display()), "");
    }
    context.answer(&beeline::report::trace_text(&shorter));
    context.answer(&format!("{} steps instead of {}\n", shorter.steps.len(), steps));
    Exit::Ok
}
