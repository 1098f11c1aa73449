//! `beeline animate`: walk through a model by hand, at a terminal or from a script.

use crate::commands::{LoadArguments, ScopeArguments, eval, load, refuse};
use crate::context::Context;
use crate::exit::Exit;
use crate::limits::WorkArguments;
use beeline::report::escape;
use beeline::{Animator, Error, NoAnswer};
use session::Session;
use std::io::{BufRead, IsTerminal};
use std::path::PathBuf;

mod session;

pub const EXAMPLES: &str = "Examples:
  beeline animate Lift.mch
  printf '1\\n2\\nstate\\nsave t.json\\n' | beeline animate Lift.mch

At the prompt: a number executes that step, `back` undoes it, `ops` lists all
steps, `state` and `inv` show the variables and the invariant, `trace` the steps
so far, `eval FORMULA` evaluates a formula, `save FILE` saves the trace, `quit`
ends. --timeout and --memory limit each step.";

/// Step through a model: execute operations, inspect states, go back
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// A machine, refinement or implementation
    #[arg(value_name = "MODEL")]
    file: PathBuf,
    #[command(flatten)]
    load: LoadArguments,
    #[command(flatten)]
    scope: ScopeArguments,
    #[command(flatten)]
    work: WorkArguments,
}

/// A line of input may not be longer.
const MAX_LINE_BYTES: u64 = 1 << 20;

pub fn run(arguments: &Arguments, context: &mut Context) -> Exit {
    let specification = match load(&arguments.file, &arguments.load, context) {
        Ok(specification) => specification,
        Err(exit) => return exit,
    };
    let (scope, limits) = (arguments.scope.scope(), arguments.work.limits());
    let mut session = match Animator::within(&specification, &scope, limits) {
        Ok(animator) => Session::new(animator),
        Err(error) => return refuse(&error, context),
    };
    let interactive = std::io::stdin().is_terminal();
    context.answer(&session.overview());
    let mut exit = Exit::Ok;
    let mut input = std::io::stdin().lock();
    loop {
        if interactive {
            context.answer("> ");
        }
        context.flush();
        let Some(line) = next_line(&mut input) else { break };
        let line = line.trim();
        if line == "quit" || line == "exit" {
            break;
        }
        let (command, rest) = line.split_once(' ').unwrap_or((line, ""));
        if command == "eval" {
            evaluate(&mut session, rest.trim(), context);
            continue;
        }
        match session.command(command, rest.trim()) {
            Ok(text) => context.answer(&text),
            Err(words) => {
                context.answer(&format!("{}\n", escape::visible(&words)));
                // A script that goes wrong is told so at its end.
                if !interactive {
                    exit = Exit::Error;
                }
            }
        }
    }
    exit
}

fn next_line(input: &mut impl BufRead) -> Option<String> {
    let mut bytes = Vec::new();
    let read = std::io::Read::take(input, MAX_LINE_BYTES).read_until(b'\n', &mut bytes).ok()?;
    (read > 0).then(|| String::from_utf8_lossy(&bytes).into_owned())
}

/// The formula is read together with the model: it speaks of the same names.
fn evaluate(session: &mut Session, text: &str, context: &mut Context) {
    match session.eval(text) {
        Ok(answer) => context.answer(&eval::text_of(&Ok(answer))),
        Err(Error::Load(failure)) => context.show(&failure.report()),
        Err(Error::Formula(NoAnswer::NoConstants)) => {
            context.answer("the constants have no values yet\n");
        }
        Err(Error::Formula(error)) => context.answer(&eval::text_of(&Err(error))),
        Err(error) => context.answer(&format!("{error}\n")),
    }
}
