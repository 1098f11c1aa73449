//! `beeline animate`: walk through a model by hand, at a terminal or from a script.

use crate::commands::{LoadArguments, ScopeArguments, eval, load, refuse};
use crate::context::Context;
use crate::exit::Exit;
use crate::limits::{self, WorkArguments};
use beeline::{NoAnswer, OpenOptions};
use beeline_report::{Report, escape};
use session::Session;
use std::io::{BufRead, IsTerminal};
use std::path::PathBuf;

mod session;

pub const EXAMPLES: &str = "Examples:
  beeline animate Lift.mch
  printf '1\\n2\\nstate\\nsave t.json\\n' | beeline animate Lift.mch

At the prompt: a number executes that operation, `back` undoes it, `ops` lists
operations, `state` and `inv` show variables and the invariant, `trace` the way
here, `eval FORMULA` evaluates, `save FILE` saves the trace, `quit` ends.
--timeout and --memory limit each single step.";

/// Walk through a model: execute operations, look at states, go back
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
    let options = match arguments.load.options(context) {
        Ok(options) => options,
        Err(exit) => return exit,
    };
    let (model, sources) = match load(&arguments.file, &arguments.load, context) {
        Ok(loaded) => loaded,
        Err(exit) => return exit,
    };
    let system = match beeline::compile(&model, &arguments.scope.scope()) {
        Ok(system) => system,
        Err(error) => return refuse(&error, &sources, context),
    };
    let origin = arguments.load.clone();
    let mut session =
        Session::new(system, model.name.to_string(), origin, arguments.work.limits());
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
            evaluate(arguments, &options, &mut session, rest.trim(), context);
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
fn evaluate(
    arguments: &Arguments,
    options: &OpenOptions,
    session: &mut Session,
    text: &str,
    context: &mut Context,
) {
    let mut loaded = beeline::open_formulas(&arguments.file, options, &[text]);
    let (Some(mut model), Some(Some(formula))) = (loaded.model, loaded.formulas.pop()) else {
        let mut report = Report::new();
        report.add(&loaded.sources, &loaded.diagnostics);
        return context.show(&report);
    };
    let (Some(constants), state) = session.here() else {
        return context.answer("the constants have no values yet\n");
    };
    let interrupt = session.system().interrupt().clone();
    let (answer, reason) = arguments.work.limits().watch(&interrupt, || {
        beeline::evaluate(&mut model, session.system(), &formula, &constants, state.as_deref())
    });
    context.answer(&eval::text_of(&match (answer, reason) {
        (Err(_), Some(reason)) => Err(NoAnswer::Stopped(limits::words(reason).to_owned())),
        (answer, _) => answer,
    }));
}
