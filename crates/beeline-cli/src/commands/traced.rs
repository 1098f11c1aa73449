//! What `replay` and `shorten` share: a model with a saved trace, and the judge's word on a path.

use crate::commands::{LoadArguments, ScopeArguments, load, refuse};
use crate::context::Context;
use crate::exit::Exit;
use crate::limits;
use beeline::WorkLimits;
use beeline::compile::{CutReason, System};
use beeline::explore::Path;
use beeline::judge::{Claim, Judge};
use beeline::model::Model;
use beeline::verdict::{ReplayError, Trace, judge_settings, judge_trace};
use std::path::Path as FilePath;
use std::sync::Arc;

/// Loads and compiles a model, and reads a trace of it.
pub fn open(
    file: &FilePath,
    trace: &FilePath,
    arguments: &LoadArguments,
    scope: &ScopeArguments,
    context: &mut Context,
) -> Result<(Model, System, Trace), Exit> {
    let (model, sources) = load(file, arguments, context)?;
    let text = match beeline::read_text(trace, beeline::MAX_FILE_BYTES) {
        Ok((text, _)) => text,
        Err(error) => {
            let message = beeline::load_diagnostic(&trace.to_string_lossy(), &error).message;
            return Err(context.complain(&message, ""));
        }
    };
    let trace: Trace = match serde_json::from_str(&text) {
        Ok(trace) => trace,
        Err(error) => {
            let message = format!("{} is no trace: {error}", trace.display());
            return Err(context.complain(&message, "save one with `beeline check --trace FILE`"));
        }
    };
    match beeline::compile(&model, &scope.scope()) {
        Ok(system) => Ok((model, system, trace)),
        Err(error) => Err(refuse(&error, &sources, context)),
    }
}

/// Tells why a trace could not be followed.
pub fn not_followed(error: ReplayError, reason: Option<CutReason>, context: &mut Context) -> Exit {
    let words = reason.map_or(error.words, |reason| limits::words(reason).to_owned());
    let (what, exit) = match error.open {
        true => ("not found out", Exit::Undetermined),
        false => ("not an execution", Exit::No),
    };
    let words = beeline_report::escape::visible(&words);
    context.answer(&format!("{what}: step {}: {words}\n", error.step + 1));
    exit
}

/// Asks the judge, within limits, whether a path is an execution. Tells if it does not say so.
pub fn confirmed(
    model: &Model,
    system: &System,
    path: &Path,
    limits: &WorkLimits,
    context: &mut Context,
) -> Result<(), Exit> {
    let stop = Arc::default();
    let mut judge = Judge::new(model, judge_settings(model, system));
    judge.stop_when(Arc::clone(&stop));
    let (replayed, _) = limits.watch(&stop, || {
        judge_trace(&judge, system, path)
            .and_then(|t| judge.replay(&t, &Claim::Reached).map_err(|r| r.to_string()))
    });
    replayed.map(|_| ()).map_err(|why| {
        let why = beeline_report::escape::visible(&why);
        context.answer(&format!("undetermined: the judge does not confirm it: {why}\n"));
        Exit::Undetermined
    })
}
