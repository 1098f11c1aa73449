//! `beeline shorten`: cut a saved trace down.

use crate::commands::traced::{self, Traced};
use crate::commands::{LoadArguments, ScopeArguments};
use crate::context::Context;
use crate::exit::Exit;
use crate::limits::WorkArguments;
use beeline::explore::{Effort, Path, shorten};
use beeline::verdict::{Trace, follow};
use std::path::PathBuf;
use std::sync::atomic::Ordering;

pub const EXAMPLES: &str = "Examples:
  beeline check --search df --trace t.json Lift.mch    save a trace, perhaps a long one
  beeline shorten Lift.mch t.json --out short.json     the same end, fewer steps

The first and the last state stay the same. To prove a trace minimal, use
`beeline check --shortest`.

Exit codes: 0 done, 1 the trace is not an execution, 2 model or usage error, 4 not found out.";

/// Cut a saved trace down: the same end with fewer steps
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
    /// Look at so many states in all
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    max_states: usize,
    /// Look at so many states for one shortcut
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
    let Traced { model, system, trace, load, .. } = match traced::open(file, trace, load, scope, context) {
        Ok(opened) => opened,
        Err(exit) => return exit,
    };
    let effort = Effort { window: arguments.window, total: arguments.max_states };
    let interrupt = system.interrupt().clone();
    let limits = work.limits_and_keyboard();
    system.limit_memory(limits.memory_bytes);
    let (path, reason) = limits.watch(system.interrupt(), || {
        let path = follow(&system, &trace)?;
        let stop = || interrupt.load(Ordering::Relaxed);
        Ok(beeline::on_large_stack(|| shorten(&system, &path, effort, &stop)))
    });
    let path: Path = match path {
        Ok(path) => path,
        Err(error) => return traced::not_followed(error, reason, context),
    };
    // What is shown is confirmed by the judge, like every trace.
    if let Err(exit) = traced::confirmed(&model, &system, &path, &limits, context) {
        return exit;
    }
    let shorter = load.mark(Trace::new(&system, model.name.as_str(), &path));
    if let Some(out) = &arguments.out
        && let Err(error) = std::fs::write(out, beeline_report::to_json(&shorter) + "\n")
    {
        return context.complain(&format!("{}: {error}", out.display()), "");
    }
    context.answer(&beeline_report::trace_text(&shorter));
    context.answer(&format!("{} steps, were {}\n", shorter.steps.len(), trace.steps.len()));
    Exit::Ok
}
