//! `beeline completions`: scripts for shells.

use crate::context::Context;
use crate::exit::Exit;
use clap::CommandFactory;
use clap_complete::Shell;

pub const EXAMPLES: &str = "Examples:
  beeline completions bash > ~/.local/share/bash-completion/completions/beeline
  beeline completions zsh > ~/.zfunc/_beeline
  beeline completions fish > ~/.config/fish/completions/beeline.fish";

/// Print a completion script for a shell
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The shell
    shell: Shell,
}

pub fn run(arguments: &Arguments, context: &mut Context) -> Exit {
    let mut script = Vec::new();
    let mut command = super::arguments::Arguments::command();
    clap_complete::generate(arguments.shell, &mut command, "beeline", &mut script);
    context.answer(&String::from_utf8_lossy(&script));
    Exit::Ok
}
