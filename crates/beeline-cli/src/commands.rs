//! The table of subcommands: two lines here and one file below for each.

mod analyse;
mod animate;
pub mod arguments;
mod behaviour;
mod bench;
mod certify;
mod check;
mod compare;
mod completions;
mod eval;
mod explain;
mod fmt;
mod graph;
mod lint;
mod parse;
mod refine;
mod replay;
mod shorten;
mod traced;
mod types;

use crate::context::Context;
use crate::exit::Exit;
use beeline::model::EventbOptions;
use beeline::symmetry::SymmetryError;
use beeline::verdict::TraceScope;
use beeline::{Error, OptionError, ParsedFile, Specification};
use clap::{Args, Subcommand};
use std::path::{Path, PathBuf};

macro_rules! commands {
    ($($name:ident: $module:ident;)*) => {
        /// The subcommands.
        #[derive(Debug, Subcommand)]
        // Made once, by the command line.
        #[allow(clippy::large_enum_variant)]
        pub enum Command {
            $(
                #[allow(missing_docs)]
                #[command(after_help = $module::EXAMPLES)]
                $name($module::Arguments),
            )*
        }

        impl Command {
            /// Runs the one that was asked for.
            pub fn run(self, context: &mut Context) -> Exit {
                match self {
                    $(Command::$name(arguments) => $module::run(&arguments, context),)*
                }
            }
        }
    };
}

commands! {
    Check: check;
    Refine: refine;
    Certify: certify;
    Replay: replay;
    Shorten: shorten;
    Bench: bench;
    Animate: animate;
    Eval: eval;
    Graph: graph;
    Compare: compare;
    Analyse: analyse;
    Parse: parse;
    Types: types;
    Fmt: fmt;
    Lint: lint;
    Explain: explain;
    Completions: completions;
}

/// How models are found, for the subcommands that load them.
#[derive(Clone, Debug, Args)]
pub struct LoadArguments {
    /// Another folder that the model may read, and in which machines are looked up (repeatable)
    #[arg(long = "root", value_name = "DIR")]
    roots: Vec<PathBuf>,
    /// The machine or context of an Event-B project to load: NAME, or PROJECT/NAME
    #[arg(long, value_name = "NAME")]
    main: Option<String>,
    /// Run only this machine of an Event-B refinement chain, without its abstractions
    #[arg(long, value_name = "NAME")]
    level: Option<String>,
}

impl LoadArguments {
    /// The same for the library; a folder that cannot be used is a mistake of the user.
    pub fn options(&self, context: &mut Context) -> Result<beeline::OpenOptions, Exit> {
        if let Some(root) = self.roots.iter().find(|r| !r.is_dir()) {
            let message = format!("{} is not a folder", root.display());
            return Err(context.complain(&message, "--root needs an existing folder"));
        }
        let eventb = EventbOptions { main: self.main.clone(), level: self.level.clone() };
        Ok(beeline::OpenOptions { roots: self.roots.clone(), eventb, ..Default::default() })
    }
}

impl LoadArguments {
    /// What was opened when a trace was saved; an error if the user asks for something else.
    pub fn of_trace(&self, scope: &TraceScope) -> Result<LoadArguments, String> {
        let one = |option: &str, asked: &Option<String>, saved: &Option<String>| match asked {
            Some(asked) if Some(asked) != saved.as_ref() => {
                let saved = saved.as_ref().map_or("none".to_owned(), |name| name.clone());
                Err(format!("the trace was saved with a different {option}: {saved}"))
            }
            _ => Ok(saved.clone()),
        };
        Ok(LoadArguments {
            roots: self.roots.clone(),
            main: one("--main", &self.main, &scope.main)?,
            level: one("--level", &self.level, &scope.level)?,
        })
    }
}

/// The scope of a run, for the subcommands that run models.
#[derive(Debug, Args)]
pub struct ScopeArguments {
    /// Size of a deferred set or set parameter (repeatable)
    #[arg(long = "set-size", value_name = "NAME=N", value_parser = set_size)]
    set_sizes: Vec<(String, u64)>,
    /// Size of deferred sets whose size nothing else determines (default: that of the model, or 2)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    default_set_size: Option<u64>,
    /// Value of MAXINT (default: that of the model, or 3)
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    maxint: Option<i64>,
    /// Value of MININT (default: that of the model, or -1)
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    minint: Option<i64>,
}

impl ScopeArguments {
    /// The same for the library.
    pub fn scope(&self) -> beeline::Scope {
        beeline::Scope {
            max_int: self.maxint,
            min_int: self.minint,
            default_set_size: self.default_set_size,
            set_sizes: self.set_sizes.clone(),
        }
    }
}

fn set_size(text: &str) -> Result<(String, u64), String> {
    let parsed = text.split_once('=').and_then(|(name, n)| Some((name, n.trim().parse().ok()?)));
    match parsed {
        Some((name, size)) => Ok((name.trim().to_owned(), size)),
        None => Err("expected NAME=N, for example PERSON=4".to_owned()),
    }
}

/// A model that was loaded, or an exit after its diagnostics were shown.
fn load(
    file: &Path,
    arguments: &LoadArguments,
    context: &mut Context,
) -> Result<Specification, Exit> {
    let options = arguments.options(context)?;
    options.open(file).map_err(|error| refuse(&error, context))
}

/// Tells why a model cannot be loaded or run.
fn refuse(error: &Error, context: &mut Context) -> Exit {
    match error {
        Error::Load(failure) => {
            context.show_aside(&failure.report());
            Exit::Error
        }
        _ => context.complain(&refusal(error), ""),
    }
}

/// Why a model cannot be run, in the words of the command line.
fn refusal(error: &Error) -> String {
    let Error::Option(option) = error else { return error.to_string() };
    match option {
        OptionError::NoTarget => {
            "--search distance needs something to go to: a definition GOAL in \
                                  the model, --goal or --hunt"
                .to_owned()
        }
        OptionError::NoHeuristic => {
            "--search custom needs a definition HEURISTIC_FUNCTION in the model".to_owned()
        }
        OptionError::PortfolioCheckpoint => {
            "a portfolio cannot be saved: choose one search order for --checkpoint".to_owned()
        }
        OptionError::Symmetry(SymmetryError::TooManyPermutations(_)) => {
            format!("{option}; use --symmetry auto")
        }
        _ => option.to_string(),
    }
}

/// A file of the command line, parsed; `-` is standard input.
fn input(path: &Path) -> ParsedFile {
    if path.as_os_str() != "-" {
        return beeline::parse_path(path);
    }
    match beeline::read_at_most(std::io::stdin().lock(), beeline::MAX_FILE_BYTES) {
        Ok(bytes) => {
            let (text, replaced) = beeline::decode(bytes);
            beeline::parse_text("standard input", text, replaced)
        }
        Err(error) => ParsedFile::missing("standard input", &error),
    }
}
