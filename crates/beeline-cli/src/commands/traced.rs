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
use beeline::source::SourceMap;
use beeline::verdict::{ReplayError, TRACE_SCHEMAS, Trace, judge_settings, judge_trace};
use std::path::Path as FilePath;
use std::sync::Arc;

/// A model, compiled for the scope of a trace.
pub struct Traced {
    pub model: Model,
    pub sources: SourceMap,
    pub system: System,
    pub trace: Trace,
    /// What of the model was opened.
    pub load: LoadArguments,
}

/// Reads a trace, and loads and compiles its model in its scope.
pub fn open(
    file: &FilePath,
    trace: &FilePath,
    arguments: &LoadArguments,
    scope: &ScopeArguments,
    context: &mut Context,
) -> Result<Traced, Exit> {
    let trace = read(trace, context)?;
    let saved = trace.scope.clone();
    let arguments = match saved.as_ref().map(|saved| arguments.of_trace(saved)) {
        Some(Ok(arguments)) => arguments,
        Some(Err(words)) => return Err(context.complain(&words, "leave the option out")),
        None => arguments.clone(),
    };
    let (model, sources) = load(file, &arguments, context)?;
    if model.name != trace.model.as_str() {
        let message = format!("the trace is of {}, not of {}", trace.model, model.name);
        return Err(context.complain(&message, "name the model that it was saved from"));
    }
    let scope = saved.map_or_else(|| scope.scope(), |saved| scope.of_trace(&saved, &model));
    match beeline::compile(&model, &scope) {
        Ok(system) => Ok(Traced { model, sources, system, trace, load: arguments }),
        Err(error) => Err(refuse(&error, &sources, context)),
    }
}

/// A trace that this program can follow.
fn read(path: &FilePath, context: &mut Context) -> Result<Trace, Exit> {
    const HELP: &str = "save one with `beeline check --trace FILE`";
    let text = match beeline::read_text(path, beeline::MAX_FILE_BYTES) {
        Ok((text, _)) => text,
        Err(error) => {
            let message = beeline::load_diagnostic(&path.to_string_lossy(), &error).message;
            return Err(context.complain(&message, ""));
        }
    };
    let name = path.display();
    // The number comes first: in another form nothing else need be as expected.
    let schema = serde_json::from_str::<serde_json::Value>(&text)
        .ok()
        .and_then(|value| value.get("schema")?.as_u64());
    if let Some(schema) = schema.filter(|n| TRACE_SCHEMAS.iter().all(|s| u64::from(*s) != *n)) {
        let message = format!("{name} has the form {schema}, which this version does not know");
        let help = "it was saved by a later version of beeline, or changed by hand";
        return Err(context.complain(&message, help));
    }
    match serde_json::from_str::<Trace>(&text) {
        Ok(trace) if trace.steps.is_empty() => {
            Err(context.complain(&format!("{name} has no steps"), HELP))
        }
        Ok(trace) => Ok(trace),
        Err(error) => Err(context.complain(&format!("{name} is no trace: {error}"), HELP)),
    }
}

/// Tells why a trace could not be followed.
pub fn not_followed(error: ReplayError, reason: Option<CutReason>, context: &mut Context) -> Exit {
    let words = reason.map_or(error.words, |reason| limits::words(reason).to_owned());
    let (what, exit) = match error.open {
        true => ("not found out", Exit::Undetermined),
        false => ("not an execution", Exit::No),
    };
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
        context.answer(&format!("undetermined: the judge does not confirm it: {why}\n"));
        Exit::Undetermined
    })
}
