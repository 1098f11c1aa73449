//! `beeline replay`: execute a saved trace again.

use crate::commands::{LoadArguments, ScopeArguments, load, refuse};
use crate::context::Context;
use crate::exit::Exit;
use crate::limits::{self, WorkArguments};
use beeline::judge::{Claim, Judge};
use beeline::verdict::{Trace, follow, judge_settings, judge_trace};
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
    let (path, reason) =
        arguments.work.limits_and_keyboard().watch(system.interrupt(), || follow(&system, &trace));
    let path = match path {
        Ok(path) => path,
        Err(error) => {
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
    let judge = Judge::new(&model, judge_settings(&model, &system));
    let replayed = judge_trace(&judge, &system, &path)
        .and_then(|t| judge.replay(&t, &Claim::Reached).map_err(|r| r.to_string()));
    match replayed {
        Ok(_) => {
            context.answer(&format!("replayed: {} steps\n", trace.steps.len()));
            Exit::Ok
        }
        Err(why) => {
            let why = beeline_report::escape::visible(&why);
            context.answer(&format!("undetermined: the judge does not confirm it: {why}\n"));
            Exit::Undetermined
        }
    }
}
