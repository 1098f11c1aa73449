//! The program `beeline`: arguments in, text or JSON and an exit code out.
//!
//! The only crate that prints and exits. Start reading at [`commands`], the table of subcommands.

mod commands;
mod context;
mod exit;
mod limits;
mod status;
mod stream;
mod watchdog;

use std::process::ExitCode;

// Faults are planted to be found, and never shipped: such a build of the program does not exist.
const _: () = assert!(!beeline::FAULTS_PLANTED, "the program is built with planted faults");

/// Room for everything that recurses over a model, and for giving a deep one back: it is taken from the
/// system only as far as it is used.
const STACK_BYTES: usize = 1 << 30;

fn main() -> ExitCode {
    let run = || commands::arguments::run(std::env::args_os());
    match std::thread::Builder::new().stack_size(STACK_BYTES).spawn(run) {
        // What panicked has said so; no answer is no verdict.
        Ok(thread) => thread.join().unwrap_or(exit::Exit::Undetermined).into(),
        Err(_) => run().into(),
    }
}
