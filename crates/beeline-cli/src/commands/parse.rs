//! `beeline parse`: syntax alone.

use crate::context::Context;
use crate::exit::Exit;
use beeline::ParsedFile;
use beeline::report::{JsonReport, Report, escape};
use beeline::syntax::ast::Unit;
use serde::Serialize;
use std::path::PathBuf;

mod tree;

pub const EXAMPLES: &str = "Examples:
  beeline parse Lift.mch                 is the syntax correct?
  beeline parse *.mch *.def              many files at once
  beeline parse --tree Lift.mch          the syntax tree
  beeline parse --json Lift.mch          for programs";

/// Check the syntax of files, but not of the files they refer to
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Machines or definition files; - is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print one JSON object on standard output and nothing else
    #[arg(long, conflicts_with = "tree")]
    json: bool,
    /// Print the syntax tree
    #[arg(long)]
    tree: bool,
}

pub fn run(arguments: &Arguments, context: &mut Context) -> Exit {
    let parsed: Vec<ParsedFile> = arguments.files.iter().map(|f| super::input(f)).collect();
    let mut report = Report::new();
    for file in &parsed {
        report.add(&file.sources, file.diagnostics());
    }
    let exit = if report.errors() > 0 { Exit::Error } else { Exit::Ok };
    if arguments.json {
        let units = arguments.files.iter().zip(&parsed).map(|(f, p)| summary(f, p)).collect();
        context.json(&Answer { report: report.json(), units });
        return exit;
    }
    for (path, file) in arguments.files.iter().zip(&parsed) {
        let mut own = Report::new();
        own.add(&file.sources, file.diagnostics());
        context.show(&own);
        if let (Some(unit), true) = (file.unit(), arguments.tree) {
            context.answer(&beeline::on_large_stack(|| tree::show(unit)));
        } else if own.errors() == 0 {
            context.answer(&format!("{}: ok\n", escape::visible(&path.to_string_lossy())));
        }
    }
    exit
}

#[derive(Serialize)]
struct Answer {
    #[serde(flatten)]
    report: JsonReport,
    units: Vec<UnitSummary>,
}

/// What a file holds; `unit` is `null` if that cannot be said.
#[derive(Serialize)]
struct UnitSummary {
    file: String,
    ok: bool,
    unit: Option<&'static str>,
    name: Option<String>,
    clauses: Vec<&'static str>,
}

fn summary(path: &std::path::Path, file: &ParsedFile) -> UnitSummary {
    let mut summary = UnitSummary {
        file: path.to_string_lossy().into_owned(),
        ok: !file.diagnostics().has_errors(),
        unit: file.unit().map(unit_word),
        name: None,
        clauses: Vec::new(),
    };
    if let Some(Unit::Machine(machine)) = file.unit() {
        summary.name = Some(machine.name.name.to_string());
        summary.clauses = machine.clauses.iter().map(|c| c.kind.keyword()).collect();
    }
    summary
}

fn unit_word(unit: &Unit) -> &'static str {
    match unit {
        Unit::Machine(machine) => machine.kind.keyword(),
        Unit::Definitions(_) => "definitions",
        Unit::Formula(_) => "formula",
        Unit::Substitution(_) => "substitution",
    }
}
