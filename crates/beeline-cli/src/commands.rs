//! The table of subcommands: one line here and one file below for each.

use crate::context::Context;
use crate::exit::Exit;
use beeline::ParsedFile;
use beeline::syntax::ast::MachineKind;
use clap::{Args, Subcommand};
use std::path::{Path, PathBuf};

macro_rules! commands {
    ($($name:ident: $module:ident;)*) => {
        $(mod $module;)*

        /// The subcommands.
        #[derive(Debug, Subcommand)]
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
    Parse: parse;
    Types: types;
    Fmt: fmt;
    Lint: lint;
    Explain: explain;
    Completions: completions;
}

/// How models are found, for the subcommands that load them.
#[derive(Debug, Args)]
pub struct LoadArguments {
    /// A further folder that the model may read and that is searched for machines (repeatable)
    #[arg(long = "root", value_name = "DIR")]
    roots: Vec<PathBuf>,
}

impl LoadArguments {
    /// The same for the library; a folder that cannot be used is a mistake of the user.
    pub fn options(&self, context: &mut Context) -> Result<beeline::OpenOptions, Exit> {
        if let Some(root) = self.roots.iter().find(|r| !r.is_dir()) {
            let message = format!("{} is not a folder", root.display());
            return Err(context.complain(&message, "--root takes an existing folder"));
        }
        Ok(beeline::OpenOptions { roots: self.roots.clone(), ..Default::default() })
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

/// The keyword that opens a machine.
fn machine_word(kind: MachineKind) -> &'static str {
    match kind {
        MachineKind::Machine => "MACHINE",
        MachineKind::Model => "MODEL",
        MachineKind::System => "SYSTEM",
        MachineKind::Refinement => "REFINEMENT",
        MachineKind::Implementation => "IMPLEMENTATION",
    }
}
