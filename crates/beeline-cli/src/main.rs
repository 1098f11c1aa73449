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

// Faults are planted to be found, and never shipped: such a build of the program does not exist.
const _: () = assert!(!beeline_fault::ENABLED, "the program is built with planted faults");

fn main() -> ExitCode {
    arguments::run(std::env::args_os()).into()
}
