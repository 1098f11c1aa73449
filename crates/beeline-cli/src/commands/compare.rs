//! `beeline compare`: do two models behave alike, and if not, what tells them apart?

use crate::commands::behaviour::{
    BehaviourArguments, is_aut, json_cuts, not_covered, read_aut, size, tell, words,
};
use crate::commands::{LoadArguments, ScopeArguments};
use crate::context::Context;
use crate::exit::Exit;
use crate::limits;
use crate::status::{Status, part};
use crate::watchdog::{self, Phase, Watchdog};
use beeline::bisimulation::{Only, Relation};
use beeline::report::{JsonCut, to_json};
use beeline::{Equivalence, Error, Lts, LtsVerdict, WorkLimits};
use clap::ValueEnum;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::time::Instant;

pub const EXAMPLES: &str = "Examples:
  beeline compare Old.mch New.mch                     are they bisimilar?
  beeline compare --by traces --labels names A.mch B.mch
  beeline compare --by branching --hide send,ack Spec.mch Protocol.mch
  beeline compare Lift.mch lift.aut                   a graph of CADP, mCRL2 or `beeline graph --aut`

Exit codes: 0 the same, 1 different, 2 model or usage error, 3 incomplete, 4 undetermined.";

/// When two models are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum By {
    /// Strong bisimulation
    Bisimulation,
    /// Branching bisimulation, which keeps divergence
    Branching,
    /// Branching bisimulation without regard to divergence
    BranchingWithoutDivergence,
    /// Sets of traces, in which internal steps do not show
    Traces,
}

impl By {
    fn equivalence(self) -> Equivalence {
        match self {
            By::Bisimulation => Equivalence::Bisimulation(Relation::Strong),
            By::Branching => Equivalence::Bisimulation(Relation::Branching),
            By::BranchingWithoutDivergence => {
                Equivalence::Bisimulation(Relation::BranchingWithoutDivergence)
            }
            By::Traces => Equivalence::Traces,
        }
    }

    fn word(self) -> &'static str {
        match self {
            By::Bisimulation => "bisimulation",
            By::Branching => "branching",
            By::BranchingWithoutDivergence => "branching-without-divergence",
            By::Traces => "traces",
        }
    }

    /// What two models are that are the same, and that are not.
    fn words(self) -> [&'static str; 2] {
        match self {
            By::Bisimulation => ["bisimilar", "not bisimilar"],
            By::Branching | By::BranchingWithoutDivergence => {
                ["branching bisimilar", "not branching bisimilar"]
            }
            By::Traces => ["trace-equivalent", "not trace-equivalent"],
        }
    }
}

/// Compare how two models behave: are they bisimilar, or have they the same traces?
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// A model, or an .aut file
    #[arg(value_name = "A")]
    left: PathBuf,
    /// What it is compared with
    #[arg(value_name = "B")]
    right: PathBuf,
    /// When they are the same
    #[arg(long, value_enum, default_value = "bisimulation")]
    by: By,
    #[command(flatten)]
    load: LoadArguments,
    #[command(flatten)]
    scope: ScopeArguments,
    #[command(flatten)]
    behaviour: BehaviourArguments,
    /// Print one JSON object on standard output and nothing else
    #[arg(long)]
    json: bool,
}

/// The answer for programs. Field names are a contract.
#[derive(Default, Serialize)]
struct JsonComparison {
    schema: u32,
    by: &'static str,
    verdict: &'static str,
    models: Vec<JsonModel>,
    cuts: Vec<JsonCut>,
    /// True of the first model, false of the second; several lines are definitions, the formula last.
    formula: Option<Vec<String>>,
    trace: Option<Vec<String>>,
    /// The model that has the trace.
    trace_of: Option<String>,
    seconds: f64,
    message: String,
}

#[derive(Clone, Serialize)]
struct JsonModel {
    model: String,
    states: usize,
    transitions: usize,
    complete: bool,
}

pub fn run(arguments: &Arguments, context: &mut Context) -> Exit {
    let begin = Instant::now();
    let limits = arguments.behaviour.work.limits_and_keyboard();
    let mut status = Status::new(!arguments.json, &limits.cancel);
    let watchdog = watch(arguments, &limits, begin);
    let mut answer =
        JsonComparison { schema: 1, by: arguments.by.word(), ..JsonComparison::default() };
    let mut sides = Vec::new();
    for file in [&arguments.left, &arguments.right] {
        let left = remaining(&limits, begin);
        match side(arguments, file, &left, &status, (&watchdog, context)) {
            Ok((lts, cuts)) => {
                answer.models.push(JsonModel {
                    model: file.to_string_lossy().into_owned(),
                    states: lts.graph.states(),
                    transitions: lts.graph.transitions(),
                    complete: lts.cuts.is_empty(),
                });
                answer.cuts.extend(cuts);
                sides.push(lts);
                // The answer is known, and takes no more time.
                if !answer.cuts.is_empty() {
                    break;
                }
            }
            Err(exit) => return exit,
        }
    }
    // What is hidden in one of them the other need not have.
    let unknown = |name: &&String| sides.iter().all(|side| side.unknown.contains(name));
    if sides.len() == 2
        && let Some(name) = sides[0].unknown.iter().find(unknown)
    {
        return refused(arguments, format!("neither model has an operation {name}"), context);
    }
    let verdict = match sides.as_slice() {
        [left, right] => {
            status.tell(vec![part(0, "comparing".to_owned())]);
            let limits = remaining(&limits, begin);
            beeline::compare(left, right, arguments.by.equivalence(), &limits)
        }
        _ => LtsVerdict::Incomplete(Vec::new()),
    };
    status.end();
    drop(watchdog);
    let exit = fill(&mut answer, verdict, arguments);
    answer.seconds = begin.elapsed().as_secs_f64();
    match arguments.json {
        true => context.json(&answer),
        false => context.answer(&text(&answer, arguments.by)),
    }
    exit
}

/// Limits are those of the whole run: the time that is over is gone.
fn remaining(limits: &WorkLimits, begin: Instant) -> WorkLimits {
    let time = limits.time.map(|time| time.saturating_sub(begin.elapsed()));
    WorkLimits { time, ..limits.clone() }
}

/// The behaviour of one of the two, and what was left out of it.
fn side(
    arguments: &Arguments,
    file: &Path,
    limits: &WorkLimits,
    status: &Status,
    (watchdog, context): (&Watchdog, &mut Context),
) -> Result<(Lts, Vec<JsonCut>), Exit> {
    if is_aut(file) {
        let graph = read_aut(file, limits).map_err(|error| refused(arguments, error, context))?;
        return Ok((Lts::of_graph(graph, &arguments.behaviour.hide), Vec::new()));
    }
    watchdog.enter(Phase::Loading);
    let specification = arguments.behaviour.open(file, &arguments.load, context)?;
    let specification = specification.map_err(|error| failed(arguments, &error, context))?;
    watchdog.enter(Phase::Checking);
    let options = arguments.behaviour.options(&arguments.scope, &specification);
    let found =
        options.and_then(|options| Lts::of(&specification, &options, limits, &|p| tell(status, p)));
    let lts = found.map_err(|error| failed(arguments, &error, context))?;
    let cuts = json_cuts(&lts.cuts, Some(specification.sources()));
    Ok((lts, cuts))
}

fn failed(arguments: &Arguments, error: &Error, context: &mut Context) -> Exit {
    if let Error::Load(failure) = error
        && !arguments.json
    {
        context.show_aside(&failure.report());
        return Exit::Error;
    }
    refused(arguments, words(error), context)
}

fn refused(arguments: &Arguments, message: String, context: &mut Context) -> Exit {
    if !arguments.json {
        return context.complain(&message, "");
    }
    context.json(&blank(arguments.by, "model_error", message));
    Exit::Error
}

fn blank(by: By, verdict: &'static str, message: String) -> JsonComparison {
    JsonComparison { schema: 1, by: by.word(), verdict, message, ..JsonComparison::default() }
}

/// Adds the verdict.
fn fill(answer: &mut JsonComparison, verdict: LtsVerdict, arguments: &Arguments) -> Exit {
    let name = |file: &Path| file.to_string_lossy().into_owned();
    let exit;
    (answer.verdict, exit) = match verdict {
        LtsVerdict::Same => ("same", Exit::Ok),
        LtsVerdict::Formula(lines) => {
            answer.formula = Some(lines);
            ("different", Exit::No)
        }
        LtsVerdict::Trace(difference) => {
            answer.trace_of = Some(match difference.only {
                Only::Left => name(&arguments.left),
                Only::Right => name(&arguments.right),
            });
            answer.trace = Some(difference.trace);
            ("different", Exit::No)
        }
        LtsVerdict::LargeFormula => {
            "the formula that tells them apart is too large to be shown"
                .clone_into(&mut answer.message);
            ("different", Exit::No)
        }
        LtsVerdict::Refuted => {
            "what tells them apart was not confirmed by a second evaluation; please report this"
                .clone_into(&mut answer.message);
            ("undetermined", Exit::Undetermined)
        }
        LtsVerdict::Incomplete(cuts) => {
            if answer.cuts.is_empty() {
                answer.cuts = json_cuts(&cuts, None);
            }
            ("incomplete", Exit::Incomplete)
        }
    };
    exit
}

/// The answer for people.
fn text(answer: &JsonComparison, by: By) -> String {
    let [same, different] = by.words();
    let mut out = match answer.verdict {
        "same" => format!("same: the models are {same}\n"),
        "different" => format!("different: the models are {different}\n"),
        "incomplete" => format!("incomplete: whether the models are {same} is not known\n"),
        _ => "undetermined\n".to_owned(),
    };
    let width = answer.models.iter().map(|m| m.model.chars().count()).max().unwrap_or(0);
    for model in &answer.models {
        let size = size(model.states, model.transitions);
        let part = if model.complete { "" } else { ", incomplete" };
        out += &format!("  {:width$}  {size}{part}\n", model.model);
    }
    if let (Some(lines), [left, right]) = (&answer.formula, answer.models.as_slice()) {
        out += &format!("  true of {}, but not of {}:\n", left.model, right.model);
        lines.iter().for_each(|line| out += &format!("    {line}\n"));
    }
    if let (Some(trace), Some(of)) = (&answer.trace, &answer.trace_of) {
        out += &format!("  only {of} can do this:\n");
        let steps = trace.iter().zip(1..);
        steps.for_each(|(label, number)| out += &format!("  {number:4}  {label}\n"));
    }
    if !answer.message.is_empty() {
        out += &format!("  {}\n", answer.message);
    }
    out + &not_covered(&answer.cuts)
}

/// Ends the program should it not heed its limits.
fn watch(arguments: &Arguments, limits: &WorkLimits, begin: Instant) -> Watchdog {
    let (json, by) = (arguments.json, arguments.by);
    Watchdog::watch(limits.clone(), begin, move |reason, phase| {
        let words = format!("{} while {}", limits::reached(reason), phase.words());
        let line = match json {
            true => to_json(&blank(by, "incomplete", words)),
            false => format!("incomplete: {words}"),
        };
        watchdog::say(&(line + "\n"));
        Exit::Incomplete as u8
    })
}
