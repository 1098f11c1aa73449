//! `beeline check`: explore all states of a model and check them.

use crate::commands::{LoadArguments, ScopeArguments, refusal, refuse};
use crate::context::Context;
use crate::exit::Exit;
use crate::limits;
use crate::status::Status;
use crate::watchdog::{self, Phase, Watchdog};
use beeline::compile::Policy;
use beeline::explore::{Cancel, Checks, Order, Proof, Refusal};
use beeline::report::{JsonCheck, NoCheck, Style, junit, junit_error, to_json};
use beeline::symmetry::{Mode, SymmetryError};
use beeline::{
    BreadthFirst, CheckOptions, Checker, Error, Hunt, OptionError, Outcome, Specification,
    WorkLimits,
};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

mod progress;

pub const EXAMPLES: &str = "Examples:
  beeline check Lift.mch                    invariants, deadlock, assertions, GOAL
  beeline check --json Lift.mch             for programs
  beeline check --all --no-deadlock M.mch   continue after the first finding
  beeline check --set-size PERSON=4 M.mch   with a larger deferred set
  beeline check --timeout 60 --memory 4G --trace t.json M.mch

Exit codes: 0 holds, 1 violated or goal found, 2 model or usage error,
3 no error found but incomplete, 4 undetermined.";

/// Explore the state space of a model and check every state
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// A machine, refinement or implementation
    #[arg(value_name = "MODEL")]
    file: PathBuf,
    #[command(flatten)]
    load: LoadArguments,
    #[command(flatten)]
    scope: ScopeArguments,
    /// Print one JSON object on standard output and nothing else
    #[arg(long)]
    json: bool,
    /// Continue after the first finding, and keep the first finding of each kind
    #[arg(long)]
    all: bool,
    /// Do not look for deadlocks
    #[arg(long)]
    no_deadlock: bool,
    /// Do not check the invariant
    #[arg(long)]
    no_invariants: bool,
    /// Do not check assertions
    #[arg(long)]
    no_assertions: bool,
    /// Accept that temporal formulas of the model are not checked yet
    #[arg(long)]
    no_temporal: bool,
    /// Accept that refinement is not checked yet
    #[arg(long)]
    no_refinement: bool,
    /// Look for a state that satisfies this predicate, instead of the model's GOAL
    #[arg(long, value_name = "PRED", conflicts_with = "no_goal")]
    goal: Option<String>,
    /// Do not look for the model's GOAL
    #[arg(long)]
    no_goal: bool,
    /// Search order: bf, df, mixed:P, random, hash, out-degree, out-degree-hash, term-size, custom,
    /// proof, distance, probe, auto, portfolio (default: auto; with --hunt distance; with --shortest, --all or
    /// --max-depth bf)
    #[arg(long, value_name = "ORDER", value_parser = order)]
    search: Option<Order>,
    /// Direct the search towards invariant:NAME, operation:NAME or deadlock
    #[arg(long, value_name = "WHAT", value_parser = hunt, conflicts_with = "shortest")]
    hunt: Option<Hunt>,
    /// Find a trace of minimal length
    #[arg(long)]
    shortest: bool,
    /// Symmetry reduction: none, constants, flood, markers, tree-markers, canonical, hybrid, auto
    #[arg(long, value_name = "MODE", default_value = "constants", value_parser = symmetry)]
    symmetry: Mode,
    /// Compare every reduced state with the definition of symmetry
    #[arg(long)]
    symmetry_audit: bool,
    /// Stop when N states are known
    #[arg(long, value_name = "N")]
    max_states: Option<u64>,
    /// Do not expand states that are N operations away from initialisation
    #[arg(long, value_name = "N")]
    max_depth: Option<u32>,
    /// Stop after S seconds
    #[arg(long, value_name = "S", value_parser = limits::seconds)]
    timeout: Option<Duration>,
    /// Stop when this much memory is in use: bytes, or with K, M, G (default: most of what is free)
    #[arg(long, value_name = "SIZE", value_parser = limits::bytes)]
    memory: Option<u64>,
    /// Number of threads (default: all cores)
    #[arg(long, value_name = "N", value_parser = limits::threads)]
    threads: Option<usize>,
    /// Save the check in this folder, so that --resume can continue it
    #[arg(long, value_name = "DIR")]
    checkpoint: Option<PathBuf>,
    /// Seconds between two checkpoints
    #[arg(long, value_name = "S", default_value = "20", value_parser = limits::seconds, requires = "checkpoint")]
    checkpoint_every: Duration,
    /// Continue from the checkpoint in the folder of --checkpoint, or start if it is empty
    #[arg(long, requires = "checkpoint")]
    resume: bool,
    /// Store a 64-bit hash instead of each state: less memory for long states, but never "holds"
    #[arg(long, conflicts_with = "checkpoint")]
    hash_compaction: bool,
    /// Where to move states when memory runs short (default: the system's temporary folder)
    #[arg(long, value_name = "DIR")]
    spill: Option<PathBuf>,
    /// Move states to disk when N of them are in memory, not when memory runs short
    #[arg(long, value_name = "N")]
    spill_after: Option<usize>,
    /// Compute all results of operations anew (for tests of the engine)
    #[arg(long, hide = true)]
    forgetful: bool,
    /// Take conjuncts in the order in which they are written: planning off (for tests of the engine)
    #[arg(long, hide = true)]
    unplanned: bool,
    /// Never plan an operation again from what was measured (for tests of the engine)
    #[arg(long, hide = true)]
    keep_plans: bool,
    /// Show where time and memory went, and a checksum of the set of states; `totals` does not time
    /// single operations, and costs nothing
    #[arg(long, value_name = "WHAT", num_args = 0..=1, require_equals = true)]
    #[arg(default_missing_value = "full", value_parser = ["full", "totals"])]
    stats: Option<String>,
    /// Seed of random choices
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// The fastest tier the engine may use; results are the same [general, packed, native]
    #[arg(long, value_name = "TIER", default_value = "native", value_parser = tier)]
    engine: beeline::Tier,
    /// Skip evaluations of what is proved (on), also of what is only claimed to be proved (trust);
    /// evaluate everything (off), and compare proofs with the result (audit)
    #[arg(long, value_name = "USE", default_value = "on", value_parser = proof)]
    proof: Proof,
    /// Write a JUnit report to this file
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Save the trace of the first finding to this file
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
}

fn tier(text: &str) -> Result<beeline::Tier, String> {
    match text {
        "general" => Ok(beeline::Tier::General),
        "packed" => Ok(beeline::Tier::Packed),
        "native" => Ok(beeline::Tier::Native),
        _ => Err("expected general, packed or native".to_owned()),
    }
}

fn proof(name: &str) -> Result<Proof, String> {
    Proof::by_name(name).ok_or_else(|| "expected on, trust, off or audit".to_owned())
}

fn order(name: &str) -> Result<Order, String> {
    Order::by_name(name).ok_or_else(|| format!("expected one of {}", Order::names().join(", ")))
}

fn hunt(text: &str) -> Result<Hunt, String> {
    Hunt::by_name(text)
        .ok_or_else(|| "expected invariant:NAME, operation:NAME or deadlock".to_owned())
}

pub(super) fn symmetry(name: &str) -> Result<Mode, String> {
    Mode::by_name(name).ok_or_else(|| {
        let names: Vec<&str> = Mode::ALL.iter().map(|m| m.name()).collect();
        format!("expected one of {}", names.join(", "))
    })
}

impl Arguments {
    /// The same for the library, but for what only a run knows: the clock, and who listens.
    fn checker<'a>(&self, specification: &Specification) -> Checker<'a> {
        let mut checker = Checker::new(specification.clone())
            .scope(self.scope.scope())
            .checks(Checks {
                invariants: !self.no_invariants,
                deadlock: !self.no_deadlock,
                assertions: !self.no_assertions,
                temporal: !self.no_temporal,
                refinement: !self.no_refinement,
                goal: true,
            })
            .symmetry(self.symmetry)
            .proof(self.proof)
            .engine(self.engine)
            .seed(self.seed)
            .max_states(self.max_states)
            .max_depth(self.max_depth)
            .timeout(self.timeout)
            .tune(|options| self.tune(options));
        if let Some(formula) = specification.formulas().first() {
            checker = checker.goal_formula(formula.clone());
        }
        if let Some(order) = self.search {
            checker = checker.search(order);
        }
        if let Some(memory) = self.memory {
            checker = checker.memory(memory);
        }
        if let Some(threads) = self.threads {
            checker = checker.threads(threads);
        }
        if let Some(folder) = &self.checkpoint {
            checker = checker.checkpoint(folder, self.checkpoint_every);
        }
        type Switch<'a> = (bool, fn(Checker<'a>) -> Checker<'a>);
        let switches: [Switch<'a>; 5] = [
            (self.all, Checker::all),
            (self.no_goal, Checker::no_goal),
            (self.shortest, Checker::shortest),
            (self.symmetry_audit, Checker::symmetry_audit),
            (self.resume, Checker::resume),
        ];
        switches.into_iter().filter(|(on, _)| *on).fold(checker, |checker, (_, set)| set(checker))
    }

    /// What is for experts and tests.
    fn tune(&self, options: &mut CheckOptions) {
        options.hunt.clone_from(&self.hunt);
        options.policy = if self.unplanned { Policy::AsWritten } else { Policy::Estimated };
        options.forgetful = self.forgetful;
        let explore = &mut options.explore;
        explore.stats = self.stats.is_some();
        explore.clocks = self.stats.as_deref() == Some("full");
        explore.hash_compaction = self.hash_compaction;
        explore.replan = !self.keep_plans && !self.unplanned;
        explore.spill.after_states = self.spill_after;
        if let Some(folder) = &self.spill {
            explore.spill.folder.clone_from(folder);
        }
    }
}

impl Arguments {
    /// Ends the program should it not heed its limits.
    fn watchdog(&self, begin: Instant, cancel: &Cancel) -> Watchdog {
        let limits = WorkLimits {
            time: self.timeout,
            memory_bytes: self.memory.or_else(beeline::default_memory_bytes),
            cancel: cancel.clone(),
        };
        let (file, json, junit) =
            (self.file.to_string_lossy().into_owned(), self.json, self.junit.clone());
        let settings = self.scope.scope().settings(None);
        Watchdog::watch(limits, begin, move |reason, phase| {
            let words = format!("{} while {}", limits::reached(reason), phase.words());
            if let Some(path) = junit {
                // Nobody is left to hear that it cannot be written.
                let _ = std::fs::write(path, junit_error(&file, NoCheck::BrokenOff, &words));
            }
            let report = JsonCheck::broken_off(&file, reason, &words, &settings, begin.elapsed());
            watchdog::say(&match json {
                true => to_json(&report) + "\n",
                false => report.broken_off_text(),
            });
            Exit::Incomplete as u8
        })
    }
}

pub fn run(arguments: &Arguments, context: &mut Context) -> Exit {
    let load_options = match arguments.load.options(context) {
        Ok(options) => options,
        Err(exit) => return exit,
    };
    let begin = Instant::now();
    let cancel = Cancel::new();
    let mut status = Status::new(!arguments.json, &cancel);
    limits::listen(&cancel);
    let watchdog = arguments.watchdog(begin, &cancel);
    status.tell(progress::phase("reading the model"));
    let goal = arguments.goal.iter();
    let load_options = goal.fold(load_options, |options, goal| options.formula(goal));
    let specification = match load_options.open(&arguments.file) {
        Ok(specification) => specification,
        Err(error) => return not_loaded(arguments, &error, context),
    };
    // Limits are those of the whole run: what loading took is gone.
    let left = arguments.timeout.map(|time| time.saturating_sub(begin.elapsed()));
    let checker = arguments
        .checker(&specification)
        .timeout(left)
        .cancel(&cancel)
        .on_progress(|p| status.tell(progress::figures(&p)));
    watchdog.enter(Phase::Checking);
    status.tell(progress::phase("preparing the model"));
    let outcome = checker.run();
    drop((checker, watchdog));
    status.end();
    match outcome {
        Ok(outcome) => {
            let exit = report(arguments, &outcome, context);
            // The program ends here: the system takes millions of values back faster than one by one.
            std::mem::forget(outcome);
            exit
        }
        Err(error) => not_run(arguments, &specification, &error, context),
    }
}

fn report(arguments: &Arguments, outcome: &Outcome, context: &mut Context) -> Exit {
    let file = arguments.file.to_string_lossy();
    let report = outcome.report(&file);
    if let Some(path) = &arguments.junit
        && let Err(exit) = write(path, &junit(&report), context)
    {
        return exit;
    }
    if let (Some(path), Some(trace)) = (&arguments.trace, outcome.trace())
        && let Err(exit) = write(path, &(to_json(&trace) + "\n"), context)
    {
        return exit;
    }
    if arguments.json {
        context.json(&report.json());
    } else {
        context.report(&report);
    }
    Exit::of(outcome.verdict())
}

/// The model cannot be loaded: its diagnostics say why.
fn not_loaded(arguments: &Arguments, error: &Error, context: &mut Context) -> Exit {
    let Error::Load(failure) = error else { return refuse(error, context) };
    let report = failure.report();
    let file = arguments.file.to_string_lossy();
    let words = "the model cannot be loaded";
    if let Some(path) = &arguments.junit {
        // A build server shows nothing else: the diagnostics themselves.
        let text = format!("{words}\n{}", report.text(Style::Plain));
        if let Err(exit) = write(path, &junit_error(&file, NoCheck::ModelError, &text), context) {
            return exit;
        }
    }
    if arguments.json {
        let settings = arguments.scope.scope().settings(None);
        let load = Some(report.json());
        context.json(&JsonCheck::not_checked(&file, NoCheck::ModelError, words.to_owned(), &settings, load));
    } else {
        context.show_aside(&report);
    }
    Exit::Error
}

/// A mistake on the command line and what to do, whatever the model is.
fn misuse(error: &Error) -> Option<(String, &'static str)> {
    const BREADTH_FIRST: &str = "omit --search, or use --search bf";
    let Error::Option(option) = error else { return None };
    Some(match option {
        OptionError::NothingToAudit => (
            "--symmetry-audit needs a symmetry mode that reduces states".to_owned(),
            "add --symmetry auto, or another such mode",
        ),
        OptionError::NeedsBreadthFirst(BreadthFirst::Shortest) => {
            ("--shortest needs breadth-first search".to_owned(), BREADTH_FIRST)
        }
        OptionError::NeedsBreadthFirst(BreadthFirst::HashCompaction) => {
            ("--hash-compaction needs breadth-first search".to_owned(), BREADTH_FIRST)
        }
        OptionError::GoalNotPredicate => {
            (option.to_string(), "write a predicate, such as x = 1")
        }
        OptionError::GoalUnknownName(_) => {
            (option.to_string(), "`beeline types MODEL` lists the names of a model")
        }
        _ => return None,
    })
}

/// The model is loaded, but cannot be run.
fn not_run(
    arguments: &Arguments,
    specification: &Specification,
    error: &Error,
    context: &mut Context,
) -> Exit {
    if let Some((message, help)) = misuse(error) {
        return context.complain(&message, help);
    }
    let file = arguments.file.to_string_lossy();
    let words = refusal(error);
    let damaged = matches!(error, Error::Checkpoint(Refusal::Damaged(_)));
    let (verdict, exit) = match damaged {
        true => (NoCheck::Undetermined, Exit::Undetermined),
        false => (NoCheck::ModelError, Exit::Error),
    };
    if let Some(path) = &arguments.junit
        && let Err(exit) = write(path, &junit_error(&file, verdict, &words), context)
    {
        return exit;
    }
    if arguments.json {
        let settings = arguments.scope.scope().settings(Some(specification.model()));
        context.json(&JsonCheck::not_checked(&file, verdict, words, &settings, None));
    } else if damaged {
        context.answer(&format!("undetermined: {words}\n  help: {CHECKPOINT_HELP}\n"));
    } else {
        let help = match error {
            Error::Checkpoint(_) => CHECKPOINT_HELP,
            Error::Option(OptionError::Symmetry(SymmetryError::NotSymmetric { .. })) => {
                "remove that definition, or use --symmetry none"
            }
            _ => "`beeline types MODEL` shows the model's sets, names and types",
        };
        context.complain(&words, help);
    }
    exit
}

/// What to do about a checkpoint that cannot be used.
const CHECKPOINT_HELP: &str = "to start again, use another folder for --checkpoint, or remove this one";

/// Writes a file that was asked for.
fn write(path: &Path, text: &str, context: &mut Context) -> Result<(), Exit> {
    std::fs::write(path, text)
        .map_err(|error| context.complain(&format!("{}: {error}", path.display()), ""))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Debug, Parser)]
    struct Alone {
        #[command(flatten)]
        check: Arguments,
    }

    /// All that a check depends on; memory changes from one moment to the next.
    fn shown(checker: &Checker<'_>) -> String {
        let mut options = checker.options();
        let memory = options.explore.limits.memory_bytes.take().is_some();
        format!("{options:?}, memory: {memory}")
    }

    #[test]
    fn the_defaults_of_the_program_are_those_of_the_library() {
        let specification = Specification::from_text("MACHINE M END").unwrap();
        let of = |words: &[&str]| {
            let all = [&["check", "M.mch"], words].concat();
            shown(&Alone::try_parse_from(all).unwrap().check.checker(&specification))
        };
        let library = Checker::new(specification.clone());
        assert_eq!(of(&[]), shown(&library));
        assert_eq!(of(&["--shortest"]), shown(&Checker::new(specification.clone()).shortest()));
        assert_eq!(of(&["--max-depth", "3"]), shown(&Checker::new(specification.clone()).max_depth(3)));
        assert_ne!(of(&["--seed", "1"]), shown(&library));
    }
}
