//! `beeline refine`: does everything that a refinement does match something its abstraction can do?

use crate::commands::{LoadArguments, ScopeArguments, refusal, refuse};
use crate::context::Context;
use crate::exit::Exit;
use crate::limits;
use crate::status::Status;
use crate::watchdog::{self, Phase, Watchdog};
use beeline::explore::Cancel;
use beeline::refinement::Mode;
use beeline::report::{JsonRefine, escape, to_json};
use beeline::{Checker, Error, NoRefinement, Outcome, Refined, Refiner, Specification, WorkLimits};
use std::path::PathBuf;
use std::time::{Duration, Instant};

pub const EXAMPLES: &str = "Examples:
  beeline refine QueueR.ref                         every level of the chain against the one above
  beeline refine --levels 1 Stack_i.imp             only the last level
  beeline refine --abstract Queue.mch QueueR.ref    from this machine on
  beeline refine --mode trace M1.ref                traces only, without the gluing invariant
  beeline refine --enabledness --json M1.ref        with relative deadlock freedom, for programs

Exit codes: 0 refines, 1 does not refine, 2 model or usage error,
3 no error found but incomplete, 4 undetermined.";

/// Check that a refinement refines its abstraction
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// A refinement or implementation
    #[arg(value_name = "CONCRETE")]
    file: PathBuf,
    #[command(flatten)]
    load: LoadArguments,
    #[command(flatten)]
    scope: ScopeArguments,
    /// Begin with this machine of the chain (default: the most abstract one)
    #[arg(long = "abstract", value_name = "FILE", conflicts_with = "levels")]
    abstraction: Option<PathBuf>,
    /// How many levels are compared, counted from the most concrete one: all, or a number
    #[arg(long, value_name = "all|N", default_value = "all", value_parser = levels)]
    levels: Levels,
    /// What is compared: simulation (with the gluing invariant), trace, failures
    #[arg(long, value_name = "MODE", default_value = "simulation", value_parser = mode)]
    mode: Mode,
    /// Demand a step of the refinement wherever the abstraction has one
    #[arg(long)]
    enabledness: bool,
    /// Print one JSON object on standard output and nothing else
    #[arg(long)]
    json: bool,
    /// Continue after the first finding, and keep the first finding of each kind
    #[arg(long)]
    all: bool,
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
}

/// How many levels are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Levels {
    All,
    Last(usize),
}

fn levels(text: &str) -> Result<Levels, String> {
    match (text, text.parse()) {
        ("all", _) => Ok(Levels::All),
        (_, Ok(n)) if n > 0 => Ok(Levels::Last(n)),
        _ => Err("expected all, or a number from 1 on".to_owned()),
    }
}

fn mode(name: &str) -> Result<Mode, String> {
    Mode::by_name(name).ok_or_else(|| "expected simulation, trace or failures".to_owned())
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
    let specification = match load_options.open(&arguments.file) {
        Ok(specification) => specification,
        Err(error) => return arguments.not_loaded(&error, context),
    };
    if specification.refinement() == Err(NoRefinement::EventB) && arguments.mode == Mode::Simulation
    {
        let left = arguments.timeout.map(|time| time.saturating_sub(begin.elapsed()));
        let checker = arguments.chain(&specification, left).cancel(&cancel);
        let checker = checker.on_progress(|p| status.tell(super::check::figures(&p)));
        watchdog.enter(Phase::Checking);
        let outcome = checker.run();
        drop((checker, watchdog));
        status.end();
        return match outcome {
            Ok(outcome) => arguments.report_chain(&outcome, context),
            Err(error) => arguments.refused(&refusal(&error), "", context),
        };
    }
    let upper = match arguments.first_level(&specification, context) {
        Ok(upper) => upper,
        Err(exit) => return exit,
    };
    let left = arguments.timeout.map(|time| time.saturating_sub(begin.elapsed()));
    let refiner = arguments
        .refiner(&specification, upper, left)
        .cancel(&cancel)
        .on_progress(|p| status.tell(super::check::figures(&p)));
    watchdog.enter(Phase::Checking);
    let refined = refiner.run();
    drop((refiner, watchdog));
    status.end();
    match refined {
        Ok(refined) => {
            let exit = arguments.report(&refined, context);
            // The program ends here: the system takes millions of values back faster than one by one.
            std::mem::forget(refined);
            exit
        }
        Err(error) => arguments.refused(&refusal(&error), "", context),
    }
}

impl Arguments {
    fn refiner<'a>(
        &self,
        specification: &Specification,
        upper: usize,
        left: Option<Duration>,
    ) -> Refiner<'a> {
        let mut refiner = Refiner::new(specification.clone())
            .scope(self.scope.scope())
            .mode(self.mode)
            .enabledness(self.enabledness)
            .from_level(upper)
            .tune(|options| {
                options.all = self.all;
                options.limits.states = self.max_states;
                options.limits.depth = self.max_depth;
                options.limits.time = left;
                options.limits.memory_bytes = self.memory.or(options.limits.memory_bytes);
                options.threads = self.threads.unwrap_or(options.threads);
            });
        if let Some(folder) = &self.checkpoint {
            refiner = refiner.checkpoint(folder.clone(), self.checkpoint_every, self.resume);
        }
        refiner
    }

    /// An Event-B chain runs at once: each event beside those it refines.
    fn chain<'a>(&self, specification: &Specification, left: Option<Duration>) -> Checker<'a> {
        let mut checker = Checker::new(specification.clone())
            .scope(self.scope.scope())
            .deadlock(false)
            .no_goal()
            .max_states(self.max_states)
            .max_depth(self.max_depth)
            .timeout(left);
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
        let switches: [Switch<'a>; 2] = [(self.all, Checker::all), (self.resume, Checker::resume)];
        switches.into_iter().filter(|(on, _)| *on).fold(checker, |checker, (_, set)| set(checker))
    }

    fn report_chain(&self, outcome: &Outcome, context: &mut Context) -> Exit {
        let file = self.file.to_string_lossy();
        let report = outcome.report(&file);
        match self.json {
            true => context.json(&report.json()),
            false => context.report(&report),
        }
        Exit::of(outcome.verdict())
    }

    /// The level that comparing begins with.
    fn first_level(
        &self,
        specification: &Specification,
        context: &mut Context,
    ) -> Result<usize, Exit> {
        let steps = match specification.refinement() {
            Ok(steps) => steps,
            Err(why) => {
                let (words, help) = match why {
                    NoRefinement::NothingRefined => (
                        format!("{} refines nothing", specification.name()),
                        "give a REFINEMENT or IMPLEMENTATION; `beeline check` checks a machine by itself",
                    ),
                    NoRefinement::EventB => (
                        format!(
                            "{} is an Event-B chain, which is compared by simulation only",
                            specification.name()
                        ),
                        "omit --mode: guards, actions, witnesses and variants of all levels are checked together",
                    ),
                };
                return Err(self.refused(&words, help, context));
            }
        };
        let Some(file) = &self.abstraction else {
            return Ok(match self.levels {
                Levels::All => 0,
                Levels::Last(n) => steps.saturating_sub(n),
            });
        };
        let above = super::load(file, &self.load, context)?;
        let chain = specification.chain();
        match chain[..steps].iter().position(|name| *name == above.name()) {
            Some(level) => Ok(level),
            None => {
                let words = format!(
                    "{} is none of the machines that {} refines: {}",
                    above.name(),
                    specification.name(),
                    chain[..steps].join(", ")
                );
                Err(self.refused(&words, "--abstract names a machine of the chain", context))
            }
        }
    }

    fn report(&self, refined: &Refined, context: &mut Context) -> Exit {
        let file = self.file.to_string_lossy();
        let report = refined.report(&file);
        match self.json {
            true => context.json(&report.json()),
            false => context.refinement(&report),
        }
        refined.worst().map_or(Exit::Incomplete, Exit::of)
    }

    fn not_loaded(&self, error: &Error, context: &mut Context) -> Exit {
        let Error::Load(failure) = error else { return refuse(error, context) };
        let report = failure.report();
        match self.json {
            true => {
                let (file, words) = (self.file.to_string_lossy(), "the model cannot be loaded");
                let load = Some(report.json());
                context.json(&JsonRefine::not_checked(
                    &file,
                    "model_error",
                    words.to_owned(),
                    load,
                ));
            }
            false => context.show_aside(&report),
        }
        Exit::Error
    }

    fn refused(&self, words: &str, help: &str, context: &mut Context) -> Exit {
        if self.json {
            let file = self.file.to_string_lossy();
            context.json(&JsonRefine::not_checked(&file, "model_error", words.to_owned(), None));
            return Exit::Error;
        }
        context.complain(words, help)
    }

    /// Ends the program should it not heed its limits.
    fn watchdog(&self, begin: Instant, cancel: &Cancel) -> Watchdog {
        let limits = WorkLimits {
            time: self.timeout,
            memory_bytes: self.memory.or_else(beeline::default_memory_bytes),
            cancel: cancel.clone(),
        };
        let (file, json) = (self.file.to_string_lossy().into_owned(), self.json);
        Watchdog::watch(limits, begin, move |reason, phase| {
            let words = format!("{} while {}", limits::reached(reason), phase.words());
            let report = JsonRefine::broken_off(&file, reason, &words, begin.elapsed());
            watchdog::say(&match json {
                true => to_json(&report) + "\n",
                false => format!(
                    "no error found, but the check is incomplete   {}\nincomplete because:\n  - {}\n",
                    escape::visible(&file),
                    escape::visible(&words)
                ),
            });
            Exit::Incomplete as u8
        })
    }
}
