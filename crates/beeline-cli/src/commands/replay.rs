//! `beeline replay`: execute a saved trace again.

use crate::commands::{LoadArguments, ScopeArguments, traced};
use crate::context::Context;
use crate::exit::Exit;
use crate::limits::WorkArguments;
use beeline::verdict::follow;
use std::path::PathBuf;

pub const EXAMPLES: &str = "Examples:
  beeline check --trace t.json Lift.mch   save the trace of a finding
  beeline replay Lift.mch t.json          is it still an execution of the model?

Exit codes: 0 the trace is an execution, 1 it is not, 2 model or usage error,
4 not found out, or the two evaluators disagree.";

/// Execute a saved trace again, and have it confirmed
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
    let (model, system, trace) = match traced::open(file, trace, load, scope, context) {
        Ok(opened) => opened,
        Err(exit) => return exit,
    };
    let limits = work.limits_and_keyboard();
    system.limit_memory(limits.memory_bytes);
    let (path, reason) = limits.watch(system.interrupt(), || follow(&system, &trace));
    let path = match path {
        Ok(path) => path,
        Err(error) => return traced::not_followed(error, reason, context),
    };
    if let Err(exit) = traced::confirmed(&model, &system, &path, &limits, context) {
        return exit;
    }
    context.answer(&format!("replayed: {} steps\n", trace.steps.len()));
    Exit::Ok
}
