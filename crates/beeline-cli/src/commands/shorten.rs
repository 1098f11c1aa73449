//! `beeline shorten`: cut a saved trace down.

use crate::commands::{LoadArguments, ScopeArguments, load, refuse};
use crate::context::Context;
use crate::exit::Exit;
use crate::limits::{self, WorkArguments};
use beeline::explore::{Effort, shorten};
use beeline::judge::{Claim, Judge};
use beeline::verdict::{Trace, follow, judge_settings, judge_trace};
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
    let (model, sources) = match load(&arguments.file, &arguments.load, context) {
        Ok(loaded) => loaded,
        Err(exit) => return exit,
    };
    let text = match beeline::read_text(&arguments.trace, beeline::MAX_FILE_BYTES) {
        Ok((text, _)) => text,
        Err(error) => {
            let name = arguments.trace.to_string_lossy();
            return context.complain(&beeline::load_diagnostic(&name, &error).message, "");
        }
    };
    let trace: Trace = match serde_json::from_str(&text) {
        Ok(trace) => trace,
        Err(error) => {
            let message = format!("{} is no trace: {error}", arguments.trace.display());
            return context.complain(&message, "save one with `beeline check --trace FILE`");
        }
    };
    let system = match beeline::compile(&model, &arguments.scope.scope()) {
        Ok(system) => system,
        Err(error) => return refuse(&error, &sources, context),
    };
    let effort = Effort { window: arguments.window, total: arguments.max_states };
    let interrupt = system.interrupt().clone();
    let (path, reason) = arguments.work.limits_and_keyboard().watch(system.interrupt(), || {
        let path = follow(&system, &trace)?;
        let stop = || interrupt.load(Ordering::Relaxed);
        Ok(beeline::on_large_stack(|| shorten(&system, &path, effort, &stop)))
    });
    let path: beeline::explore::Path = match path {
        Ok(path) => path,
        Err(error) => {
            let error: beeline::verdict::ReplayError = error;
            let words = reason.map_or(error.words, |reason| limits::words(reason).to_owned());
            let (what, exit) = match error.open {
                true => ("not found out", Exit::Undetermined),
                false => ("not an execution", Exit::No),
            };
            let words = beeline_report::escape::visible(&words);
            context.answer(&format!("{what}: step {}: {words}\n", error.step + 1));
            return exit;
        }
    };
    // What is shown is confirmed by the judge, like every trace.
    let judge = Judge::new(&model, judge_settings(&model, &system));
    let replayed = judge_trace(&judge, &system, &path)
        .and_then(|t| judge.replay(&t, &Claim::Reached).map_err(|r| r.to_string()));
    if let Err(why) = replayed {
        let why = beeline_report::escape::visible(&why);
        context.answer(&format!("undetermined: the judge does not confirm it: {why}\n"));
        return Exit::Undetermined;
    }
    let shorter = Trace::new(&system, model.name.as_str(), &path);
    if let Some(out) = &arguments.out
        && let Err(error) = std::fs::write(out, beeline_report::to_json(&shorter) + "\n")
    {
        return context.complain(&format!("{}: {error}", out.display()), "");
    }
    context.answer(&beeline_report::trace_text(&shorter));
    context.answer(&format!("{} steps, were {}\n", shorter.steps.len(), trace.steps.len()));
    Exit::Ok
}
