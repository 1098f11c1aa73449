//! `beeline analyse bounds`: what predicates say of the names in them.

use super::ModelArguments;
use crate::commands::ScopeArguments;
use crate::context::Context;
use crate::exit::Exit;
use beeline::report::{JsonDiagnostic, Report};
use beeline::{BoundsReport, Known};
use std::fmt::Write as _;

pub const EXAMPLES: &str = "Nothing is run. What is said of a constant follows from PROPERTIES, of a \
variable from the invariant as well,\nof a parameter from the guard as well, for deferred sets of any size.

Examples:
  beeline analyse bounds Lift.mch               what is known of each name, and why
  beeline analyse bounds --maxint 10 Lift.mch   in another scope
  beeline analyse bounds --json Lift.mch        for programs";

/// Show what is known of constants, variables and parameters without running the model
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    model: ModelArguments,
    #[command(flatten)]
    scope: ScopeArguments,
    /// Print one JSON object on standard output and nothing else
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments, context: &mut Context) -> Exit {
    let specification = match arguments.model.open(context) {
        Ok(specification) => specification,
        Err(exit) => return exit,
    };
    let (model, sources) = (specification.model(), specification.sources());
    let report = beeline::bounds(model, sources, &arguments.scope.scope());
    let mut warnings = Report::new();
    warnings.add(sources, &report.warnings);
    if arguments.json {
        context.json(&Json { report: &report, diagnostics: warnings.json().diagnostics });
    } else {
        context.answer(&table(&report));
        if !report.warnings.is_empty() {
            context.show_aside(&warnings);
        }
    }
    Exit::Ok
}

/// The report with what is odd about the scope.
#[derive(serde::Serialize)]
struct Json<'a> {
    #[serde(flatten)]
    report: &'a BoundsReport,
    diagnostics: Vec<JsonDiagnostic>,
}

fn table(report: &BoundsReport) -> String {
    let mut text = format!(
        "machine {}, with MININT = {} and MAXINT = {}\n",
        report.machine, report.min_int, report.max_int
    );
    if report.no_constants {
        text += "\nno values of the constants satisfy PROPERTIES\n";
        return text;
    }
    section("constants", &report.constants, &mut text);
    if report.no_states {
        text += "\nno state satisfies the invariant\n";
        return text;
    }
    section("variables", &report.variables, &mut text);
    for operation in &report.operations {
        if operation.never_enabled {
            let name = &operation.name;
            let _ = writeln!(text, "\n{name}: never enabled where the invariant holds");
        } else {
            section(&operation.name, &operation.parameters, &mut text);
        }
    }
    text
}

/// What is known of several names.
pub(super) fn section(title: &str, names: &[Known], text: &mut String) {
    if names.is_empty() {
        return;
    }
    let _ = writeln!(text, "\n{title}");
    for known in names {
        match &known.claims[..] {
            [] => _ = writeln!(text, "    {}: nothing but its type", known.name),
            claims => claims.iter().for_each(|claim| _ = writeln!(text, "    {claim}")),
        }
        for because in &known.because {
            let place = because.place.as_deref().unwrap_or("the model");
            let (rule, said) = (because.rule, &because.text);
            let _ = writeln!(text, "        {rule}: {said}  ({place})");
        }
    }
}
