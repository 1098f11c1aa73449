//! The program `beeline`: arguments in, text or JSON and an exit code out.
//!
//! The only crate that prints and exits. Start reading at [`commands`], the table of subcommands.

mod arguments;
mod commands;
mod context;
mod exit;
mod limits;
mod status;
mod stream;

use std::process::ExitCode;

fn main() -> ExitCode {
    arguments::run(std::env::args_os()).into()
}
