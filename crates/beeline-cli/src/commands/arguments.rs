//! From arguments to a run.

use super::Command;
use crate::context::{ColorWhen, Context};
use crate::exit::Exit;
use crate::stream::Stream;
use clap::Parser;
use std::ffi::OsString;

/// A model checker and animator for classical B and Event-B
#[derive(Debug, Parser)]
#[command(
    name = "beeline",
    version,
    max_term_width = 100,
    subcommand_required = true,
    arg_required_else_help = true,
    after_help = "Exit codes: 0 success, 1 the answer is no (a violation or goal was found, \
                  fmt --check, lint --deny), 2 an error in the model or on the command line, \
                  3 no error found but incomplete, 4 undetermined.\n\
                  `beeline help COMMAND` shows examples."
)]
pub struct Arguments {
    /// When to use colours
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value = "auto")]
    color: ColorWhen,
    #[command(subcommand)]
    command: Command,
}

/// Runs the program.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> Exit {
    match Arguments::try_parse_from(arguments) {
        Ok(arguments) => {
            let mut context = Context::new(arguments.color);
            let exit = arguments.command.run(&mut context);
            context.finish(exit)
        }
        Err(error) => usage(&error),
    }
}

/// Help and version go to standard output, mistakes to standard error.
fn usage(error: &clap::Error) -> Exit {
    let text = beeline::report::escape::visible_lines(&error.render().to_string());
    let (mut stream, exit) = match error.use_stderr() {
        true => (Stream::error(), Exit::Error),
        false => (Stream::output(), Exit::Ok),
    };
    stream.write(&text);
    if stream.finish().is_some() { Exit::Error } else { exit }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_of_the_arguments_is_sound() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn every_subcommand_has_examples() {
        for command in Arguments::command().get_subcommands() {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(help.contains("beeline "), "{} has no examples", command.get_name());
        }
    }
}
