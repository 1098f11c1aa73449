//! `beeline check`: explore all states of a model and check them.

use crate::commands::{LoadArguments, ScopeArguments, refusal};
use crate::context::Context;
use crate::exit::Exit;
use beeline::explore::{Cancel, Checks, Limits, Options, Order, ProofUse};
use beeline::model::{Formula, Loaded};
use beeline::symmetry::Mode;
use beeline::{CheckOptions, Checked};
use beeline_report::{CheckReport, JsonCheck, Report, junit};
use std::path::PathBuf;
use std::time::Duration;

mod limits;
mod progress;

pub const EXAMPLES: &str = "Examples:
  beeline check Lift.mch                    invariants, deadlock, assertions, GOAL
  beeline check --json Lift.mch             for programs
  beeline check --all --no-deadlock M.mch   go on after the first finding
  beeline check --set-size PERSON=4 M.mch   with a larger deferred set
  beeline check --timeout 60 --memory 4G --trace t.json M.mch

Exit codes: 0 holds, 1 violated or goal found, 2 model or usage error,
3 no error found but incomplete, 4 undetermined.";

/// Explore all states of a model and check them
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// A machine, refinement or implementation
    #[arg(value_name = "MODEL")]
    file: PathBuf,
    #[command(flatten)]
    load: LoadArguments,
    #[command(flatten)]
    scope: ScopeArguments,
    /// One JSON object on standard output and nothing else
    #[arg(long)]
    json: bool,
    /// Go on after the first finding, and keep the first finding of each kind
    #[arg(long)]
    all: bool,
    /// Do not look for states without successors
    #[arg(long)]
    no_deadlock: bool,
    /// Do not check the invariant
    #[arg(long)]
    no_invariants: bool,
    /// Do not check assertions
    #[arg(long)]
    no_assertions: bool,
    /// Find a state with this predicate, in place of the model's GOAL
    #[arg(long, value_name = "PRED", conflicts_with = "no_goal")]
    goal: Option<String>,
    /// Do not look for the model's GOAL
    #[arg(long)]
    no_goal: bool,
    /// Search order: bf, df, mixed, mixed:P, random
    #[arg(long, value_name = "ORDER", default_value = "bf", value_parser = order)]
    search: Order,
    /// Show a trace that is proved to be of minimal length
    #[arg(long)]
    shortest: bool,
    /// Symmetry reduction: none, flood, markers, tree-markers, canonical, hybrid, auto
    #[arg(long, value_name = "MODE", default_value = "none", value_parser = symmetry)]
    symmetry: Mode,
    /// Count what markers lose, by running the exact test beside them
    #[arg(long)]
    symmetry_audit: bool,
    /// Stop when so many states are known
    #[arg(long, value_name = "N")]
    max_states: Option<u64>,
    /// Do not expand states so many operations away from initialisation
    #[arg(long, value_name = "N")]
    max_depth: Option<u32>,
    /// Stop after so many seconds
    #[arg(long, value_name = "S", value_parser = limits::seconds)]
    timeout: Option<Duration>,
    /// Stop when so much memory is in use: bytes, or with K, M, G (default: most of what is free)
    #[arg(long, value_name = "SIZE", value_parser = limits::bytes)]
    memory: Option<u64>,
    /// How many workers (default: all cores)
    #[arg(long, value_name = "N", value_parser = limits::threads)]
    threads: Option<usize>,
    /// Seed of random choices
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Use proofs and read/write sets to skip invariants; audit: evaluate all, and tell what a state
    /// says against a proof
    #[arg(long, value_name = "on|off|audit", default_value = "on", value_parser = proof_use)]
    proof: ProofUse,
    /// Write a JUnit report to this file
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Save the trace of the finding to this file
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
}

fn order(name: &str) -> Result<Order, String> {
    match Order::by_name(name) {
        Some(order) => Ok(order),
        None if ["hash", "out-degree", "out-degree-hash", "term-size", "custom", "distance"]
            .contains(&name) =>
        {
            Err("this order is not available yet; there are bf, df, mixed, mixed:P, random".into())
        }
        None => Err("expected bf, df, mixed, mixed:P with P from 0 to 100, or random".into()),
    }
}

pub(super) fn proof_use(name: &str) -> Result<ProofUse, String> {
    match name {
        "on" => Ok(ProofUse::On),
        "off" => Ok(ProofUse::Off),
        "audit" => Ok(ProofUse::Audit),
        _ => Err("expected on, off or audit".to_owned()),
    }
}

fn symmetry(name: &str) -> Result<Mode, String> {
    Mode::by_name(name).ok_or_else(|| {
        let names: Vec<&str> = Mode::ALL.iter().map(|m| m.name()).collect();
        format!("expected one of {}", names.join(", "))
    })
}

impl Arguments {
    fn checks(&self) -> Checks {
        Checks {
            invariants: !self.no_invariants,
            deadlock: !self.no_deadlock,
            assertions: !self.no_assertions,
        }
    }

    fn options(&self) -> CheckOptions {
        let mut explore = Options {
            checks: self.checks(),
            all: self.all,
            order: self.search,
            seed: self.seed,
            skip_unchanged: self.proof == ProofUse::On,
            proofs: self.proof,
            limits: Limits {
                states: self.max_states,
                depth: self.max_depth,
                time: self.timeout,
                memory_bytes: self.memory.or_else(limits::default_memory),
            },
            ..Options::default()
        };
        if let Some(threads) = self.threads {
            explore.threads = threads;
        }
        CheckOptions {
            scope: self.scope.scope(),
            explore,
            goal: None,
            no_goal: self.no_goal,
            symmetry: self.symmetry,
            symmetry_audit: self.symmetry_audit,
        }
    }
}

pub fn run(arguments: &Arguments, context: &mut Context) -> Exit {
    if arguments.symmetry_audit
        && !matches!(arguments.symmetry, Mode::Markers | Mode::TreeMarkers)
    {
        return context.complain(
            "--symmetry-audit looks at markers",
            "add --symmetry markers or --symmetry tree-markers",
        );
    }
    if arguments.shortest && arguments.search != Order::BreadthFirst {
        return context.complain(
            "--shortest needs breadth-first search",
            "leave --search out, or use --search bf",
        );
    }
    let load_options = match arguments.load.options(context) {
        Ok(options) => options,
        Err(exit) => return exit,
    };
    let goal: Vec<&str> = arguments.goal.iter().map(String::as_str).collect();
    let mut loaded = beeline::open_formulas(&arguments.file, &load_options, &goal);
    let mut options = arguments.options();
    match loaded.formulas.pop() {
        None | Some(None) => {}
        Some(Some(Formula::Pred(open, pred))) if open.is_empty() => options.goal = Some(pred),
        Some(Some(Formula::Pred(open, _))) => {
            let name = loaded.model.as_ref().map(|m| m.local(open[0]).name.to_string());
            let message = format!("the goal speaks of {}, which the model does not know", name.unwrap_or_default());
            return context.complain(&message, "");
        }
        Some(Some(Formula::Expr(_))) => {
            return context.complain("the goal is no predicate", "write a predicate, such as x = 1");
        }
    }
    let Some(model) = &loaded.model else { return not_loaded(arguments, &loaded, context) };
    let cancel = Cancel::new();
    let token = cancel.clone();
    // Without a handler Ctrl-C ends the program at once, which is no reason not to check.
    let _ = ctrlc::set_handler(move || token.cancel());
    let progress = progress::Line::new(!arguments.json);
    let checked = Checked::run(model, &options, &cancel, &|p| progress.show(&p));
    progress.clear();
    let checked = match checked {
        Ok(checked) => checked,
        Err(error) => {
            let words = refusal(&error, &loaded.sources);
            if arguments.json {
                let file = arguments.file.to_string_lossy();
                context.json(&JsonCheck::model_error(&file, words, None));
                return Exit::Error;
            }
            return context.complain(&words, "");
        }
    };
    report(arguments, &loaded, &checked, context)
}

fn report(
    arguments: &Arguments,
    loaded: &Loaded,
    checked: &Checked,
    context: &mut Context,
) -> Exit {
    let Some(model) = &loaded.model else { return Exit::Undetermined };
    let file = arguments.file.to_string_lossy();
    let report = CheckReport {
        file: &file,
        model,
        sources: &loaded.sources,
        system: &checked.system,
        outcome: &checked.outcome,
        checks: arguments.checks(),
        goal_left_out: arguments.no_goal && model.special.goal.is_some(),
        symmetry: checked.reduced.as_ref(),
    };
    if let Some(path) = &arguments.junit
        && let Err(error) = std::fs::write(path, junit(&report)) {
            return context.complain(&format!("{}: {error}", path.display()), "");
        }
    if let (Some(path), Some(found)) = (&arguments.trace, checked.outcome.findings.first()) {
        let text = beeline_report::to_json(&found.trace) + "\n";
        if let Err(error) = std::fs::write(path, text) {
            return context.complain(&format!("{}: {error}", path.display()), "");
        }
    }
    if arguments.json {
        context.json(&report.json());
    } else {
        let style = context.answer_style();
        context.answer(&report.text(style));
    }
    Exit::of(&checked.outcome.verdict)
}

fn not_loaded(arguments: &Arguments, loaded: &Loaded, context: &mut Context) -> Exit {
    let mut report = Report::new();
    report.add(&loaded.sources, &loaded.diagnostics);
    if arguments.json {
        let file = arguments.file.to_string_lossy();
        let words = "the model cannot be loaded".to_owned();
        context.json(&JsonCheck::model_error(&file, words, Some(report.json())));
    } else {
        context.show_aside(&report);
    }
    Exit::Error
}
