//! `beeline eval`: the value of a formula, alone or in the first state of a model.

use crate::commands::{LoadArguments, ScopeArguments, refusal};
use crate::context::Context;
use crate::exit::Exit;
use crate::limits::{self, WorkArguments};
use crate::watchdog::{self, Watchdog};
use beeline::report::{JsonReport, Report, escape};
use beeline::{Answer, Error, Evaluator, NoAnswer, Specification};
use serde::Serialize;
use std::path::Path;
use std::time::Instant;

pub const EXAMPLES: &str = "Examples:
  beeline eval 'card(POW(1..10))'          a value with its type
  beeline eval 'x : 1..9 & x * x = 49'     all solutions of a predicate
  beeline eval Lift.mch 'floor_now + 1'    in the first initial state of a model

Exit codes: 0 there is an answer, 1 the formula is not well-defined, or its value is
unknown, 2 model or usage error.";

/// Evaluate an expression or solve a predicate
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// A model, if the formula refers to one, and the formula
    #[arg(value_name = "[MODEL] FORMULA", required = true, num_args = 1..=2)]
    words: Vec<String>,
    #[command(flatten)]
    load: LoadArguments,
    #[command(flatten)]
    scope: ScopeArguments,
    #[command(flatten)]
    work: WorkArguments,
    /// Print one JSON object on standard output and nothing else
    #[arg(long)]
    json: bool,
}

/// The answer for programs. Field names are a contract.
#[derive(Serialize)]
struct JsonAnswer<'a> {
    schema: u32,
    kind: &'a str,
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    ty: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    truth: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    solutions: Option<Vec<beeline::verdict::Bindings>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
    /// What reading the formula or the model found, if there is no answer because of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    load: Option<JsonReport>,
}

impl JsonAnswer<'_> {
    fn blank(kind: &str) -> JsonAnswer<'_> {
        JsonAnswer {
            schema: 1,
            kind,
            ty: None,
            value: None,
            truth: None,
            solutions: None,
            message: None,
            load: None,
        }
    }

    fn none(message: String, load: Option<JsonReport>) -> JsonAnswer<'static> {
        JsonAnswer { message: Some(message), load, ..JsonAnswer::blank("none") }
    }
}

pub fn run(arguments: &Arguments, context: &mut Context) -> Exit {
    let (file, text) = match arguments.words.as_slice() {
        [text] if is_model(text) => {
            let help = format!("write `beeline eval {text} 'FORMULA'`");
            return context.complain("a formula is missing", &help);
        }
        [text] => (None, text.as_str()),
        [file, text] => (Some(Path::new(file)), text.as_str()),
        _ => return context.complain("a formula is missing", ""),
    };
    let options = match arguments.load.options(context) {
        Ok(options) => options,
        Err(exit) => return exit,
    };
    let limits = arguments.work.limits_and_keyboard();
    let json_wanted = arguments.json;
    let _watchdog = Watchdog::watch(limits.clone(), Instant::now(), move |reason, phase| {
        let words = format!("{} while {}", limits::reached(reason), phase.words());
        let text = match json_wanted {
            true => beeline::report::to_json(&JsonAnswer::none(words, None)) + "\n",
            false => format!("unknown: {words}\n"),
        };
        watchdog::say(&text);
        Exit::No as u8
    });
    let options = options.formula(text);
    let specification = match file {
        Some(file) => options.open(file),
        None => Specification::of_formulas(options),
    };
    let evaluator = Evaluator::new().scope(arguments.scope.scope()).limits(limits);
    let answer = specification.and_then(|s| evaluator.answer(&s, &s.formulas()[0]));
    let answer = match answer {
        Ok(answer) => Ok(answer),
        Err(Error::Load(failure)) => return not_read(arguments, &failure.report(), context),
        Err(Error::Formula(error)) if !matches!(error, NoAnswer::NoConstants) => Err(error),
        Err(error) => return refused(arguments, refusal(&error), context),
    };
    match arguments.json {
        true => context.json(&json(&answer)),
        false => context.answer(&text_of(&answer)),
    }
    match answer {
        Ok(_) => Exit::Ok,
        Err(NoAnswer::Compile(_)) => Exit::Error,
        Err(_) => Exit::No,
    }
}

/// The formula or its model has errors.
fn not_read(arguments: &Arguments, report: &Report<'_>, context: &mut Context) -> Exit {
    match arguments.json {
        true => context.json(&JsonAnswer::none(
            "the formula or the model contains errors".to_owned(),
            Some(report.json()),
        )),
        false => context.show_aside(report),
    }
    Exit::Error
}

/// The model cannot be run.
fn refused(arguments: &Arguments, words: String, context: &mut Context) -> Exit {
    match arguments.json {
        true => {
            context.json(&JsonAnswer::none(words, None));
            Exit::Error
        }
        false => context.complain(&words, "`beeline check MODEL` shows the details"),
    }
}

/// Is this the name of a model rather than a formula?
fn is_model(text: &str) -> bool {
    [".mch", ".ref", ".imp", ".sys"].iter().any(|end| text.ends_with(end))
        && Path::new(text).is_file()
}

/// An answer for people.
pub fn text_of(answer: &Result<Answer, NoAnswer>) -> String {
    let text = match answer {
        Ok(answer) => answer.to_string(),
        Err(error) => no_answer(error),
    };
    escape::visible_lines(&text) + "\n"
}

/// Why there is no answer, and which option could help.
fn no_answer(error: &NoAnswer) -> String {
    match error {
        NoAnswer::Stopped(reason) => format!("unknown: {}", limits::words(*reason)),
        _ => error.to_string(),
    }
}

fn json(answer: &Result<Answer, NoAnswer>) -> JsonAnswer<'_> {
    let blank = JsonAnswer::blank("predicate");
    match answer {
        Ok(Answer::Value { value, ty }) => {
            JsonAnswer { kind: "expression", ty: Some(ty), value: Some(value), ..blank }
        }
        Ok(Answer::Truth(truth)) => JsonAnswer { truth: Some(*truth), ..blank },
        Ok(Answer::Symbolic(set)) => JsonAnswer { value: Some(set), ..blank },
        Ok(Answer::Solutions { names, rows }) => {
            let row = |r: &Vec<String>| {
                let pairs = names.iter().zip(r).map(|((n, _), v)| (n.clone(), v.clone()));
                beeline::verdict::Bindings(pairs.collect())
            };
            JsonAnswer {
                truth: Some(!rows.is_empty()),
                solutions: Some(rows.iter().map(row).collect()),
                ..blank
            }
        }
        Err(error) => JsonAnswer::none(no_answer(error), None),
    }
}
