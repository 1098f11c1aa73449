//! What can go wrong on the way to an answer, as errors of Rust with their causes.
//!
//! A model that is wrong is no error of a check: that is a verdict. These are the reasons why there
//! is no verdict at all.

mod option;

pub use option::{BreadthFirst, OptionError};

use crate::evaluate::{NoAnswer, stopped};
use beeline_compile::{CompileError, CutReason};
use beeline_explore::Refusal;
use beeline_report::{Report, Style};
use beeline_source::{Diagnostic, Diagnostics, SourceMap};
use beeline_symmetry::SymmetryError;
use beeline_verdict::{ReplayError, TraceError, Unconfirmed};
use std::error::Error as StdError;
use std::fmt;

/// Why there is no answer.
///
/// `{}` is one line. `{:?}` shows, for a model that cannot be loaded, every diagnostic with an
/// excerpt of the text, so that `fn main() -> Result<(), beeline::Error>` reports what a compiler
/// would.
#[non_exhaustive]
pub enum Error {
    /// The model, or a formula beside it, cannot be read: its diagnostics say where and why.
    Load(Box<LoadFailure>),
    /// The model is understood, but cannot be run.
    Compile(Box<CompileFailure>),
    /// An option does not fit the model, or another option.
    Option(OptionError),
    /// The checkpoint cannot be used.
    Checkpoint(Refusal),
    /// A formula has no value, or it was not found.
    Formula(NoAnswer),
    /// What was given as a trace is none.
    Trace(TraceError),
    /// A trace is not an execution of the model, or that was not found out.
    Replay(ReplayFailure),
    /// There is no such step.
    NoSuchStep(NoSuchStep),
}

/// What was found in the files of a model that cannot be loaded.
#[derive(Clone)]
pub struct LoadFailure {
    /// The files; the places of diagnostics point into them.
    pub sources: SourceMap,
    /// Errors, warnings and advice, in the order of the text.
    pub diagnostics: Diagnostics,
}

/// Why a model that is understood cannot be run.
#[derive(Clone)]
pub struct CompileFailure {
    /// What is wrong, each with a place.
    pub errors: Vec<CompileError>,
    /// The files; the places of errors point into them.
    pub sources: SourceMap,
}

/// Why a saved trace is not replayed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReplayFailure {
    /// It is a trace of another model.
    OtherModel {
        /// The model it was saved from.
        of: String,
        /// The model that was opened.
        opened: String,
    },
    /// A step of it is not possible, or that was not found out.
    NotFollowed {
        /// The step and what is wrong with it.
        error: ReplayError,
        /// The limit at which nobody looked further.
        stopped: Option<CutReason>,
    },
    /// The judge, the second evaluator, does not confirm what the engine did.
    Unconfirmed(Unconfirmed),
}

/// A step that is not possible here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoSuchStep {
    /// No step has this number; they count from 0.
    Number(usize),
    /// This operation is not possible, or not with these parameters.
    Operation(String),
}

/// Why a typed model cannot be checked, for those who work below [`crate::Checker`].
#[derive(Clone, Debug, PartialEq)]
pub enum CheckError {
    /// The model cannot be compiled.
    Compile(Vec<CompileError>),
    /// An option does not fit the model.
    Option(OptionError),
    /// The checkpoint cannot be used. If it is damaged, nothing can be said.
    Checkpoint(Refusal),
}

impl CheckError {
    /// The same with the files of the model it is about, so that places can be shown.
    pub fn in_files(self, sources: &SourceMap) -> Error {
        match self {
            CheckError::Compile(errors) => {
                let sources = sources.clone();
                Error::Compile(Box::new(CompileFailure { errors, sources }))
            }
            CheckError::Option(error) => Error::Option(error),
            CheckError::Checkpoint(refusal) => Error::Checkpoint(refusal),
        }
    }
}

impl Error {
    /// Everything there is to say, for people: diagnostics come with excerpts of the text.
    pub fn explained(&self) -> String {
        match self {
            Error::Load(failure) => failure.report().text(Style::Plain),
            _ => format!("error: {self}\n"),
        }
    }

    /// The diagnostics, if the model could not be loaded.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        match self {
            Error::Load(failure) => failure.diagnostics.list(),
            _ => &[],
        }
    }

    fn inner(&self) -> &(dyn StdError + 'static) {
        match self {
            Error::Load(e) => &**e,
            Error::Compile(e) => &**e,
            Error::Option(e) => e,
            Error::Checkpoint(e) => e,
            Error::Formula(e) => e,
            Error::Trace(e) => e,
            Error::Replay(e) => e,
            Error::NoSuchStep(e) => e,
        }
    }
}

impl LoadFailure {
    /// The diagnostics, ready to be shown as text, JSON or SARIF.
    pub fn report(&self) -> Report<'_> {
        let mut report = Report::new();
        report.add(&self.sources, &self.diagnostics);
        report
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self.inner(), f)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.explained().trim_end())
    }
}

impl StdError for Error {
    /// What lies behind the error that this one shows.
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.inner().source()
    }
}

impl fmt::Display for LoadFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(first) = self.diagnostics.list().iter().find(|d| d.is_error()) else {
            return f.write_str("the model cannot be loaded");
        };
        if let Some((file, at)) = self.sources.place(first.primary.span) {
            write!(f, "{}:{}:{}: ", file.name, at.line, at.column)?;
        }
        write!(f, "{}[{}]: {}", first.severity.word(), first.code, first.message)?;
        match self.diagnostics.error_count() {
            0 | 1 => Ok(()),
            more => write!(f, " (and {} more)", more - 1),
        }
    }
}

impl fmt::Debug for LoadFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.report().text(Style::Plain).trim_end())
    }
}

impl StdError for LoadFailure {}

impl fmt::Display for CompileFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, error) in self.errors.iter().enumerate() {
            f.write_str(if i == 0 { "" } else { "; " })?;
            match self.sources.place(error.span) {
                Some((file, at)) => {
                    write!(f, "{}:{}:{}: {}", file.name, at.line, at.column, error.words)?;
                }
                None => f.write_str(&error.words)?,
            }
        }
        Ok(())
    }
}

impl fmt::Debug for CompileFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("CompileFailure").field(&self.errors).finish()
    }
}

impl StdError for CompileFailure {}

impl fmt::Display for ReplayFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReplayFailure::OtherModel { of, opened } => {
                write!(f, "the trace belongs to {of}, not to {opened}")
            }
            ReplayFailure::NotFollowed { error, stopped: None } => fmt::Display::fmt(error, f),
            ReplayFailure::NotFollowed { error, stopped: Some(reason) } => {
                write!(f, "step {}: {}", error.step + 1, stopped(*reason))
            }
            ReplayFailure::Unconfirmed(why) => write!(f, "the judge does not confirm it: {why}"),
        }
    }
}

impl StdError for ReplayFailure {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match self {
            ReplayFailure::NotFollowed { error, stopped: Some(_) } => Some(error),
            ReplayFailure::Unconfirmed(why) => why.source(),
            _ => None,
        }
    }
}

impl fmt::Display for NoSuchStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoSuchStep::Number(number) => write!(f, "there is no step {number} here"),
            NoSuchStep::Operation(name) => write!(f, "{name} is not possible here"),
        }
    }
}

impl StdError for NoSuchStep {}

impl fmt::Display for CheckError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CheckError::Compile(errors) => {
                let words: Vec<&str> = errors.iter().map(|e| e.words.as_str()).collect();
                f.write_str(&words.join("; "))
            }
            CheckError::Option(error) => fmt::Display::fmt(error, f),
            CheckError::Checkpoint(refusal) => fmt::Display::fmt(refusal, f),
        }
    }
}

impl StdError for CheckError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match self {
            CheckError::Compile(errors) => errors.first().map(|e| e as &(dyn StdError + 'static)),
            CheckError::Option(error) => error.source(),
            CheckError::Checkpoint(_) => None,
        }
    }
}

macro_rules! from {
    ($($inner:ty => $outer:ident::$variant:ident),* $(,)?) => {
        $(impl From<$inner> for $outer {
            fn from(inner: $inner) -> $outer {
                $outer::$variant(inner)
            }
        })*
    };
}

from! {
    OptionError => Error::Option,
    Refusal => Error::Checkpoint,
    NoAnswer => Error::Formula,
    TraceError => Error::Trace,
    ReplayFailure => Error::Replay,
    NoSuchStep => Error::NoSuchStep,
    OptionError => CheckError::Option,
    Refusal => CheckError::Checkpoint,
}

impl From<SymmetryError> for CheckError {
    fn from(error: SymmetryError) -> CheckError {
        CheckError::Option(OptionError::Symmetry(error))
    }
}
