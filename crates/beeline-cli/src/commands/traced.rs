//! What `replay` and `shorten` share: a model with a saved trace, and why it is not replayed.

use crate::commands::{LoadArguments, ScopeArguments, load, refuse};
use crate::context::Context;
use crate::exit::Exit;
use crate::limits;
use beeline::verdict::{Obstacle, Trace, TraceError};
use beeline::{Error, Replay, ReplayFailure};
use std::path::Path;

/// Reads a trace, and loads and compiles its model in its scope. Also, how many steps it has.
pub fn open(
    file: &Path,
    trace: &Path,
    arguments: &LoadArguments,
    scope: &ScopeArguments,
    context: &mut Context,
) -> Result<(Replay, usize), Exit> {
    let trace = read(trace, context)?;
    let arguments = match trace.scope.as_ref().map(|saved| arguments.of_trace(saved)) {
        Some(Ok(arguments)) => arguments,
        Some(Err(words)) => return Err(context.complain(&words, "omit the option")),
        None => arguments.clone(),
    };
    let specification = load(file, &arguments, context)?;
    let steps = trace.steps.len();
    match Replay::new(&specification, trace, &scope.scope()) {
        Ok(replay) => Ok((replay, steps)),
        Err(error @ Error::Replay(ReplayFailure::OtherModel { .. })) => {
            Err(context.complain(&error.to_string(), "use the model with which it was saved"))
        }
        Err(error) => Err(refuse(&error, context)),
    }
}

/// A trace that this program can follow.
fn read(path: &Path, context: &mut Context) -> Result<Trace, Exit> {
    const HELP: &str = "save one with `beeline check --trace FILE`";
    let text = match beeline::read_text(path, beeline::MAX_FILE_BYTES) {
        Ok((text, _)) => text,
        Err(error) => {
            let message = beeline::load_diagnostic(&path.to_string_lossy(), &error).message;
            return Err(context.complain(&message, ""));
        }
    };
    let name = path.display();
    Trace::from_json(&text).map_err(|error| match error {
        TraceError::Schema(schema) => context.complain(
            &format!("{name} has format {schema}, which this version does not know"),
            "it was saved by a later version of beeline, or changed by hand",
        ),
        TraceError::Empty => context.complain(&format!("{name} has no steps"), HELP),
        TraceError::Json(error) => {
            context.complain(&format!("{name} is not a trace: {error}"), HELP)
        }
    })
}

/// Tells why a trace is not replayed.
pub fn not_replayed(error: &Error, context: &mut Context) -> Exit {
    match error {
        Error::Replay(ReplayFailure::NotFollowed { error, stopped }) => {
            let words = match stopped {
                Some(reason) => limits::words(*reason).to_owned(),
                None => error.obstacle.to_string(),
            };
            let (what, exit) = match error.obstacle {
                Obstacle::Unknown(_) => ("unknown", Exit::Undetermined),
                _ => ("not an execution", Exit::No),
            };
            context.answer(&format!("{what}: step {}: {words}\n", error.step + 1));
            exit
        }
        Error::Replay(failure @ ReplayFailure::Unconfirmed(_)) => {
            context.answer(&format!("undetermined: {failure}\n"));
            Exit::Undetermined
        }
        _ => refuse(error, context),
    }
}
