//! `beeline check`: explore all states of a model and check them.

use crate::commands::{LoadArguments, ScopeArguments, refusal};
use crate::context::Context;
use crate::exit::Exit;
use crate::limits;
use crate::status::Status;
use crate::watchdog::{self, Phase, Watchdog};
use beeline::compile::Policy;
use beeline::explore::{Cancel, Checkpoint, Checks, Limits, Options, Order, Proof, Refusal};
use beeline::model::{Formula, Loaded};
use beeline::symmetry::Mode;
use beeline::{CheckError, CheckOptions, Checked, Hunt, WorkLimits};
use beeline_report::{CheckReport, JsonCheck, NoCheck, Report, junit, junit_error};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

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
    /// Leave out temporal formulas of the model, knowingly: they are not checked yet
    #[arg(long)]
    no_temporal: bool,
    /// Leave out, knowingly, whether a refinement refines: that is not checked yet
    #[arg(long)]
    no_refinement: bool,
    /// Find a state with this predicate, in place of the model's GOAL
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
    /// Direct the search at this: invariant:NAME, operation:NAME or deadlock
    #[arg(long, value_name = "WHAT", value_parser = hunt, conflicts_with = "shortest")]
    hunt: Option<Hunt>,
    /// Show a trace that is proved to be of minimal length
    #[arg(long)]
    shortest: bool,
    /// Symmetry reduction: none, constants, flood, markers, tree-markers, canonical, hybrid, auto
    #[arg(long, value_name = "MODE", default_value = "constants", value_parser = symmetry)]
    symmetry: Mode,
    /// Hold every reduced state against the definition of symmetry
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
    /// Save the state of the check in this folder, so that --resume can go on with it
    #[arg(long, value_name = "DIR")]
    checkpoint: Option<PathBuf>,
    /// Seconds between two checkpoints
    #[arg(long, value_name = "S", default_value = "20", value_parser = limits::seconds, requires = "checkpoint")]
    checkpoint_every: Duration,
    /// Go on with what the folder of --checkpoint holds; begin anew if it holds nothing
    #[arg(long, requires = "checkpoint")]
    resume: bool,
    /// Tell states apart by a hash of 64 bits: less memory for long states, but never "holds"
    #[arg(long, conflicts_with = "checkpoint")]
    hash_compaction: bool,
    /// Where to keep states when memory runs short (default: the system's folder for such files)
    #[arg(long, value_name = "DIR")]
    spill: Option<PathBuf>,
    /// Move states to disk when so many are in memory, not when memory runs short
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
    /// Show where time and bytes went, and a checksum of the set of states; `totals` measures no
    /// single operation, and so nothing slower
    #[arg(long, value_name = "WHAT", num_args = 0..=1, require_equals = true)]
    #[arg(default_missing_value = "full", value_parser = ["full", "totals"])]
    stats: Option<String>,
    /// Seed of random choices
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// How far the engine may go to be fast: results are the same [general, packed, native]
    #[arg(long, value_name = "TIER", default_value = "native", value_parser = tier)]
    engine: beeline::Tier,
    /// Do not evaluate what is proved to hold (on), nor what is only said to be proved (trust);
    /// evaluate all (off), or hold proofs against it (audit)
    #[arg(long, value_name = "USE", default_value = "on", value_parser = proof)]
    proof: Proof,
    /// Write a JUnit report to this file
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Save the trace of the finding to this file
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
    fn checks(&self) -> Checks {
        Checks {
            invariants: !self.no_invariants,
            deadlock: !self.no_deadlock,
            assertions: !self.no_assertions,
            temporal: !self.no_temporal,
            refinement: !self.no_refinement,
            goal: !self.no_goal && self.goal.is_none(),
        }
    }

    /// Where a shortest trace, an exact depth or states on disk are wanted, or everything is visited
    /// anyway, breadth-first search is the one to choose.
    fn order(&self) -> Order {
        let exact = self.shortest
            || self.all
            || self.max_depth.is_some()
            || self.hash_compaction
            || self.checkpoint.is_some()
            || self.spill_after.is_some();
        self.search.unwrap_or(match (&self.hunt, exact) {
            (Some(_), _) => Order::Distance,
            (None, true) => Order::BreadthFirst,
            (None, false) => Order::Auto,
        })
    }

    fn options(&self) -> CheckOptions {
        let mut explore = Options {
            checks: self.checks(),
            all: self.all,
            order: self.order(),
            seed: self.seed,
            proof: self.proof,
            limits: Limits {
                states: self.max_states,
                depth: self.max_depth,
                time: self.timeout,
                memory_bytes: self.memory.or_else(limits::default_memory),
            },
            stats: self.stats.is_some(),
            clocks: self.stats.as_deref() == Some("full"),
            hash_compaction: self.hash_compaction,
            remember: !self.forgetful,
            replan: !self.keep_plans && !self.unplanned,
            ..Options::default()
        };
        explore.spill.after_states = self.spill_after;
        if let Some(folder) = &self.spill {
            explore.spill.folder.clone_from(folder);
        }
        if let Some(threads) = self.threads {
            explore.threads = threads;
        }
        CheckOptions {
            scope: self.scope.scope(),
            explore,
            goal: None,
            no_goal: self.no_goal,
            hunt: self.hunt.clone(),
            engine: self.engine,
            policy: if self.unplanned { Policy::AsWritten } else { Policy::Estimated },
            symmetry: self.symmetry,
            symmetry_audit: self.symmetry_audit,
            judge_steps: None,
        }
    }
}

impl Arguments {
    /// Ends the program should it not heed its limits.
    fn watchdog(&self, begin: Instant, cancel: &Cancel) -> Watchdog {
        let limits = WorkLimits {
            time: self.timeout,
            memory_bytes: self.memory.or_else(limits::default_memory),
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
                true => beeline_report::to_json(&report) + "\n",
                false => report.broken_off_text(),
            });
            Exit::Incomplete as u8
        })
    }
}

pub fn run(arguments: &Arguments, context: &mut Context) -> Exit {
    if arguments.symmetry_audit && matches!(arguments.symmetry, Mode::None | Mode::Constants) {
        return context.complain(
            "--symmetry-audit looks at what a reduction of states does",
            "add --symmetry auto, or another mode that reduces states",
        );
    }
    if arguments.shortest && !arguments.order().is_shortest_first() {
        return context.complain(
            "--shortest needs breadth-first search",
            "leave --search out, or use --search bf",
        );
    }
    if arguments.hash_compaction && !arguments.order().is_shortest_first() {
        return context.complain(
            "--hash-compaction needs breadth-first search",
            "leave --search out, or use --search bf",
        );
    }
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
    let goal: Vec<&str> = arguments.goal.iter().map(String::as_str).collect();
    let mut loaded = beeline::open_formulas(&arguments.file, &load_options, &goal);
    let mut options = arguments.options();
    match loaded.formulas.pop() {
        None | Some(None) => {}
        Some(Some(Formula::Pred(open, pred))) if open.is_empty() => options.goal = Some(pred),
        Some(Some(Formula::Pred(open, _))) => {
            let name = loaded.model.as_ref().map(|m| m.local(open[0]).name.to_string());
            let message = format!("the goal speaks of {}, which the model does not know", name.unwrap_or_default());
            return context.complain(&message, "`beeline types MODEL` lists the names of a model");
        }
        Some(Some(Formula::Expr(_))) => {
            return context.complain("the goal is no predicate", "write a predicate, such as x = 1");
        }
    }
    let Some(model) = &loaded.model else { return not_loaded(arguments, &loaded, context) };
    if let Some(folder) = &arguments.checkpoint {
        options.explore.checkpoint = Some(Checkpoint {
            folder: folder.clone(),
            every: arguments.checkpoint_every,
            resume: arguments.resume,
            identity: beeline::identity(&loaded.sources, model, &options),
        });
    }
    // Limits are those of the whole run: what loading took is gone.
    let limits = &mut options.explore.limits;
    limits.time = limits.time.map(|time| time.saturating_sub(begin.elapsed()));
    watchdog.enter(Phase::Checking);
    status.tell(progress::phase("preparing the model"));
    let checked = Checked::run(model, &options, &cancel, &|p| status.tell(progress::figures(&p)));
    drop(watchdog);
    status.end();
    let checked = match checked {
        Ok(checked) => checked,
        Err(error) => {
            return not_run(arguments, &loaded, &error, context);
        }
    };
    let exit = report(arguments, &loaded, &checked, context);
    // The program ends here: the system takes millions of values back faster than one by one.
    std::mem::forget((checked, loaded));
    exit
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
        && let Err(exit) = write(path, &junit(&report), context)
    {
        return exit;
    }
    if let (Some(path), Some(found)) = (&arguments.trace, checked.outcome.findings.first()) {
        let text = beeline_report::to_json(&arguments.load.mark(found.trace.clone())) + "\n";
        if let Err(exit) = write(path, &text, context) {
            return exit;
        }
    }
    if arguments.json {
        context.json(&report.json());
    } else {
        context.report(&report);
    }
    Exit::of(&checked.outcome.verdict)
}

/// The model cannot be loaded: its diagnostics say why.
fn not_loaded(arguments: &Arguments, loaded: &Loaded, context: &mut Context) -> Exit {
    let mut report = Report::new();
    report.add(&loaded.sources, &loaded.diagnostics);
    let file = arguments.file.to_string_lossy();
    let words = "the model cannot be loaded";
    if let Some(path) = &arguments.junit {
        // A build server shows nothing else: the diagnostics themselves.
        let text = format!("{words}\n{}", report.text(beeline_report::Style::Plain));
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

/// The model is loaded, but cannot be run.
fn not_run(
    arguments: &Arguments,
    loaded: &Loaded,
    error: &CheckError,
    context: &mut Context,
) -> Exit {
    let file = arguments.file.to_string_lossy();
    let words = refusal(error, &loaded.sources);
    let damaged = matches!(error, CheckError::Checkpoint(Refusal::Damaged(_)));
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
        let settings = arguments.scope.scope().settings(loaded.model.as_ref());
        context.json(&JsonCheck::not_checked(&file, verdict, words, &settings, None));
    } else if damaged {
        context.answer(&format!("undetermined: {words}\n  help: {CHECKPOINT_HELP}\n"));
    } else {
        let help = match error {
            CheckError::Checkpoint(_) => CHECKPOINT_HELP,
            _ if words.starts_with("FORCE_SYMMETRY") => {
                "take that definition out, or use --symmetry none"
            }
            _ => "`beeline types MODEL` shows the model's sets, names and types",
        };
        context.complain(&words, help);
    }
    exit
}

/// What to do about a checkpoint that cannot be used.
const CHECKPOINT_HELP: &str = "to begin anew, name another folder with --checkpoint, or remove this one";

/// Writes a file that was asked for.
fn write(path: &Path, text: &str, context: &mut Context) -> Result<(), Exit> {
    std::fs::write(path, text)
        .map_err(|error| context.complain(&format!("{}: {error}", path.display()), ""))
}
