//! What is told at the end of a check: as text, JSON and JUnit, and as an exit code.

use super::Arguments;
use crate::commands::{refusal, refuse};
use crate::context::Context;
use crate::exit::Exit;
use beeline::explore::Refusal;
use beeline::report::{JsonCheck, NoCheck, Style, junit, junit_error, to_json};
use beeline::symmetry::SymmetryError;
use beeline::{BreadthFirst, Error, OptionError, Outcome, Specification, WorkLimits};
use std::path::Path;

/// A check that came to a verdict.
pub fn report(arguments: &Arguments, outcome: &Outcome, context: &mut Context) -> Exit {
    let file = arguments.file.to_string_lossy();
    let report = outcome.report(&file);
    if let Some(path) = &arguments.junit
        && let Err(exit) = write(path, junit(&report), context)
    {
        return exit;
    }
    if let (Some(path), Some(trace)) = (&arguments.trace, outcome.trace())
        && let Err(exit) = write(path, &(to_json(&trace) + "\n"), context)
    {
        return exit;
    }
    if arguments.json {
        context.json(&report.json());
    } else {
        context.report(&report);
    }
    Exit::of(outcome.verdict())
}

/// Saves the certificate. Where there is none the verdict stays what it is, and somebody is told.
pub fn certificate(
    path: &Path,
    outcome: &Outcome,
    limits: &WorkLimits,
    context: &mut Context,
) -> Result<(), Exit> {
    match outcome.certificate(limits) {
        Ok(bytes) => write(path, bytes, context),
        Err(why) => {
            context.note(&format!("no certificate: {why}\n"));
            Ok(())
        }
    }
}

/// The model cannot be loaded: its diagnostics say why.
pub fn not_loaded(arguments: &Arguments, error: &Error, context: &mut Context) -> Exit {
    let Error::Load(failure) = error else { return refuse(error, context) };
    let report = failure.report();
    let file = arguments.file.to_string_lossy();
    let words = "the model cannot be loaded";
    if let Some(path) = &arguments.junit {
        // A build server shows nothing else: the diagnostics themselves.
        let text = format!("{words}\n{}", report.text(Style::Plain));
        if let Err(exit) = write(path, junit_error(&file, NoCheck::ModelError, &text), context) {
            return exit;
        }
    }
    if arguments.json {
        let settings = arguments.scope.scope().settings(None);
        let load = Some(report.json());
        context.json(&JsonCheck::not_checked(
            &file,
            NoCheck::ModelError,
            words.to_owned(),
            &settings,
            load,
        ));
    } else {
        context.show_aside(&report);
    }
    Exit::Error
}

/// A mistake on the command line and what to do, whatever the model is.
fn misuse(error: &Error) -> Option<(String, &'static str)> {
    const BREADTH_FIRST: &str = "omit --search, or use --search bf";
    let Error::Option(option) = error else { return None };
    Some(match option {
        OptionError::NothingToAudit => (
            "--symmetry-audit needs a symmetry mode that reduces states".to_owned(),
            "add --symmetry auto, or another such mode",
        ),
        OptionError::NeedsBreadthFirst(BreadthFirst::Shortest) => {
            ("--shortest needs breadth-first search".to_owned(), BREADTH_FIRST)
        }
        OptionError::NeedsBreadthFirst(BreadthFirst::HashCompaction) => {
            ("--hash-compaction needs breadth-first search".to_owned(), BREADTH_FIRST)
        }
        OptionError::PartialOrderScope => (option.to_string(), "use --por off"),
        OptionError::GoalNotPredicate => (option.to_string(), "write a predicate, such as x = 1"),
        OptionError::GoalUnknownName(_) => {
            (option.to_string(), "`beeline types MODEL` lists the names of a model")
        }
        _ => return None,
    })
}

/// The model is loaded, but cannot be run.
pub fn not_run(
    arguments: &Arguments,
    specification: &Specification,
    error: &Error,
    context: &mut Context,
) -> Exit {
    if let Some((message, help)) = misuse(error) {
        return context.complain(&message, help);
    }
    let file = arguments.file.to_string_lossy();
    let words = refusal(error);
    let damaged = matches!(error, Error::Checkpoint(Refusal::Damaged(_)));
    let (verdict, exit) = match damaged {
        true => (NoCheck::Undetermined, Exit::Undetermined),
        false => (NoCheck::ModelError, Exit::Error),
    };
    if let Some(path) = &arguments.junit
        && let Err(exit) = write(path, junit_error(&file, verdict, &words), context)
    {
        return exit;
    }
    if arguments.json {
        let settings = arguments.scope.scope().settings(Some(specification.model()));
        context.json(&JsonCheck::not_checked(&file, verdict, words, &settings, None));
    } else if damaged {
        context.answer(&format!("undetermined: {words}\n  help: {CHECKPOINT_HELP}\n"));
    } else {
        let help = match error {
            Error::Checkpoint(_) => CHECKPOINT_HELP,
            Error::Option(OptionError::Symmetry(SymmetryError::NotSymmetric { .. })) => {
                "remove that definition, or use --symmetry none"
            }
            _ => "`beeline types MODEL` shows the model's sets, names and types",
        };
        context.complain(&words, help);
    }
    exit
}

/// What to do about a checkpoint that cannot be used.
const CHECKPOINT_HELP: &str =
    "to start again, use another folder for --checkpoint, or remove this one";

/// Writes a file that was asked for.
fn write(path: &Path, text: impl AsRef<[u8]>, context: &mut Context) -> Result<(), Exit> {
    std::fs::write(path, text)
        .map_err(|error| context.complain(&format!("{}: {error}", path.display()), ""))
}
