//! `beeline analyse plan`: why an operation is slow.

use crate::commands::{LoadArguments, ScopeArguments, load, refuse};
use crate::context::Context;
use crate::exit::Exit;
use beeline::{Plan, PlanLine, Plans, WorkLimits};
use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Duration;

pub const EXAMPLES: &str =
    "A plan is read from top to bottom: each step tries values for names, or \
tests what is known by then.\nThe numbers are estimates of how many values a step tries for each \
choice before it.

Examples:
  beeline analyse plan Lift.mch           every operation
  beeline analyse plan Lift.mch move      one operation
  beeline analyse plan --json Lift.mch    for programs";

/// Show how the parameters of each operation are found, and who executes it
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// A machine, refinement or implementation
    #[arg(value_name = "MODEL")]
    file: PathBuf,
    /// Only these operations
    #[arg(value_name = "OPERATION")]
    operations: Vec<String>,
    #[command(flatten)]
    load: LoadArguments,
    #[command(flatten)]
    scope: ScopeArguments,
    /// Print one JSON object on standard output and nothing else
    #[arg(long)]
    json: bool,
}

/// The constants are looked for so long.
const SEARCH: Duration = Duration::from_secs(10);

pub fn run(arguments: &Arguments, context: &mut Context) -> Exit {
    let specification = match load(&arguments.file, &arguments.load, context) {
        Ok(specification) => specification,
        Err(exit) => return exit,
    };
    let limits = WorkLimits { time: Some(SEARCH), ..WorkLimits::default() };
    let (model, sources) = (specification.model(), specification.sources());
    let mut plans = match beeline::plans(model, sources, &arguments.scope.scope(), &limits) {
        Ok(plans) => plans,
        Err(error) => return refuse(&error.in_files(specification.sources()), context),
    };
    let known: Vec<String> = plans.plans.iter().map(|p| bare(&p.name).to_owned()).collect();
    if let Some(wrong) = arguments.operations.iter().find(|o| !known.contains(o)) {
        let hint = format!("there are: {}", known.join(", "));
        return context.complain(&format!("there is no operation {wrong}"), &hint);
    }
    if !arguments.operations.is_empty() {
        plans.plans.retain(|p| arguments.operations.iter().any(|o| o == bare(&p.name)));
    }
    if arguments.json {
        context.json(&plans);
    } else {
        context.answer(&table(&plans));
    }
    Exit::Ok
}

/// An operation without its parameters.
fn bare(name: &str) -> &str {
    name.split('(').next().unwrap_or(name)
}

fn table(plans: &Plans) -> String {
    let mut text = String::new();
    match plans.state_bits {
        Some(bits) => _ = writeln!(text, "a state takes {bits} bits"),
        None => text += "states are not packed\n",
    }
    for plan in &plans.plans {
        text += "\n";
        text += &headline(plan);
        for line in &plan.lines {
            text += &row(line);
        }
        if plan.lines.is_empty() {
            text += "    always possible\n";
        }
    }
    text
}

fn headline(plan: &Plan) -> String {
    let by = match (&plan.general, plan.of) {
        (_, "invariant") => return format!("invariant {}\n", plan.name),
        (None, _) if beeline::HAS_NATIVE_CODE => "native code".to_owned(),
        (None, _) => "interpreted code".to_owned(),
        (Some(why), _) => format!("general engine: {why}"),
    };
    let candidates = match plan.candidates {
        Some(n) if n <= 1.0 => "one candidate per state".to_owned(),
        Some(n) => format!("about {} candidates per state", rounded(n)),
        None => "no bound on the candidates".to_owned(),
    };
    format!("{}\n    ({candidates}; {by})\n", plan.name)
}

fn rounded(n: f64) -> String {
    if n < 1e6 { format!("{n:.0}") } else { format!("{n:.0e}") }
}

fn row(line: &PlanLine) -> String {
    let PlanLine { names, text, .. } = line;
    let what = match line.kind {
        "test" => format!("test {text}"),
        "let" => format!("{names} = {text}"),
        "each" => format!("each {names} in {text}"),
        "between" => format!("each {names} in {text}"),
        "type" => format!("each {names} of type {text}"),
        "subsets" => format!("each {names} within {text}"),
        "any" => format!("ANY {names}"),
        "forall" => format!("for all {names}"),
        "exists" => format!("there is {names}"),
        "solve" => "all at once, by propagation and search".to_owned(),
        _ => text.clone(),
    };
    let fanout = match line.fanout {
        Some(n) if n <= 1.0 => String::new(),
        Some(n) => format!("    ~{}", rounded(n)),
        None => "    no bound".to_owned(),
    };
    format!("    {}{what}{fanout}\n", "  ".repeat(line.depth))
}
