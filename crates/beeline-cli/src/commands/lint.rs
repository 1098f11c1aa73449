//! `beeline lint`: everything there is to say about models.

use crate::commands::LoadArguments;
use crate::context::Context;
use crate::exit::Exit;
use beeline::model::Loaded;
use beeline::report::{Report, escape};
use beeline::source::{Code, Severity};
use std::path::PathBuf;

pub const EXAMPLES: &str = "Examples:
  beeline lint Lift.mch                       errors, warnings and advice
  beeline lint --deny warnings *.mch          exit code 1 if there is a warning
  beeline lint --allow B0906 Lift.mch         hide one kind of advice
  beeline lint --sarif *.mch > lint.sarif     for code review tools

`beeline explain CODE` explains a code.";

/// Load models and show all errors, warnings and advice
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Machines, refinements or implementations
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    load: LoadArguments,
    /// Hide a warning or note (repeatable)
    #[arg(long, value_name = "CODE", value_parser = allowed_code)]
    allow: Vec<Code>,
    /// Exit with code 1 if there are such diagnostics: warnings, notes or a code (repeatable)
    #[arg(long, value_name = "WHAT", value_parser = denied)]
    deny: Vec<Denied>,
    /// Print one JSON object on standard output and nothing else
    #[arg(long, conflicts_with = "sarif")]
    json: bool,
    /// Print a SARIF 2.1.0 log on standard output and nothing else
    #[arg(long)]
    sarif: bool,
}

/// What `--deny` names.
#[derive(Clone, Copy, Debug)]
enum Denied {
    AtLeast(Severity),
    Code(Code),
}

pub fn run(arguments: &Arguments, context: &mut Context) -> Exit {
    let options = match arguments.load.options(context) {
        Ok(options) => options,
        Err(exit) => return exit,
    };
    let loaded: Vec<Loaded> = arguments.files.iter().map(|f| beeline::open(f, &options)).collect();
    let mut report = Report::new();
    for load in &loaded {
        report.add_only(&load.sources, &load.diagnostics, |d| !arguments.allow.contains(&d.code));
    }
    if arguments.json {
        context.json(&report.json());
    } else if arguments.sarif {
        context.json(&report.sarif(env!("CARGO_PKG_VERSION")));
    } else {
        context.show(&report);
        for path in arguments.files.iter().zip(&loaded).filter(|(_, l)| l.diagnostics.is_empty()) {
            let name = path.0.to_string_lossy();
            context.answer(&format!("{}: no problems\n", escape::visible(&name)));
        }
        if !report.is_empty() {
            context.answer(&format!(
                "{}, {}\n",
                count(report.errors(), "error"),
                count(report.warnings(), "warning")
            ));
        }
    }
    if report.errors() > 0 || loaded.iter().any(|l| l.model.is_none()) {
        return Exit::Error;
    }
    let denied = |d: &beeline::source::Diagnostic| {
        !arguments.allow.contains(&d.code)
            && arguments.deny.iter().any(|deny| match deny {
                Denied::AtLeast(severity) => d.severity <= *severity,
                Denied::Code(code) => d.code == *code,
            })
    };
    if loaded.iter().any(|l| l.diagnostics.list().iter().any(denied)) { Exit::No } else { Exit::Ok }
}

fn count(n: usize, thing: &str) -> String {
    format!("{n} {thing}{}", if n == 1 { "" } else { "s" })
}

fn code(name: &str) -> Result<Code, String> {
    Code::by_name(name).ok_or_else(|| "no such code; `beeline explain` lists them all".to_owned())
}

fn allowed_code(name: &str) -> Result<Code, String> {
    match code(name)? {
        code if code.severity() == Severity::Error => {
            Err("it is an error: only warnings and notes can be allowed".to_owned())
        }
        code => Ok(code),
    }
}

fn denied(name: &str) -> Result<Denied, String> {
    match name {
        "warnings" => Ok(Denied::AtLeast(Severity::Warning)),
        "notes" => Ok(Denied::AtLeast(Severity::Note)),
        _ => code(name).map(Denied::Code),
    }
}
