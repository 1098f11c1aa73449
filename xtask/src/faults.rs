//! `cargo xtask faults`: plants one fault after another, and looks how many random models it takes until
//! one of them shows it.
//!
//! What finds nothing is no check: a fault that stays unseen is a hole in the generator or in the
//! configurations, and is told as one. Most are looked for with random machines; those of the solver, of
//! proofs, and of sets that are not listed by what was made for them ([`Way`]). This is built with the
//! feature `faults`; what is shipped never has it.

use crate::repository;
use beeline_compare::contest::{Choice, Contest, Tally};
use beeline_compare::{Counts, Random, expressions, machines, orbits, solver, spellings};
use beeline_fault::{Flaw, plant};
use std::fmt::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

#[derive(clap::Args)]
pub struct Arguments {
    /// Only these faults; default: all
    faults: Vec<String>,
    /// Look with this alone: machines, processes, chains, predicates, expressions, spellings or orbits
    #[arg(long)]
    by: Option<String>,
    /// Models that may be tried for each
    #[arg(long, default_value_t = 20_000)]
    models: u64,
    /// Seconds for each
    #[arg(long, default_value_t = 300)]
    seconds: u64,
    /// The seed of the first model
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Configurations for each model
    #[arg(long, default_value_t = 9)]
    configs: usize,
    /// Models at a time; default: one a core
    #[arg(long)]
    jobs: Option<usize>,
    /// Keep the table in bench/runs
    #[arg(long)]
    keep: bool,
    /// Only a few that are found at once
    #[arg(long, conflicts_with = "faults")]
    fast: bool,
    /// Name the faults, and end
    #[arg(long)]
    list: bool,
}

/// One of each part that shows in many models.
const FAST: [Flaw; 12] = [
    Flaw::LostSuccessor,
    Flaw::LostInDepth,
    Flaw::TimeUntold,
    Flaw::InvariantSkipped,
    Flaw::WriteForgotten,
    Flaw::StaleProof,
    Flaw::GuardDropped,
    Flaw::EachShort,
    Flaw::DifferentRemoves,
    Flaw::MemoKey,
    Flaw::FoldMixed,
    Flaw::FormOfAnother,
];

/// What a fault is looked for with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// Random machines of classical B in random configurations, as `cargo xtask random` has them.
    Machines,
    /// Machines of many small steps, as `cargo xtask random --processes` has them.
    Processes,
    /// Chains of refinement in Event-B with proofs, as `cargo xtask random --chains` has them.
    Chains,
    /// Random predicates, all solutions of each, as `cargo xtask compare` has them.
    Predicates,
    /// Random expressions on both evaluators, as `cargo xtask compare` has them.
    Expressions,
    /// Machines of two spellings of symbolic sets.
    Spellings,
    /// Random states against all permutations.
    Orbits,
}

impl Way {
    const ALL: [Way; 7] = [
        Way::Machines,
        Way::Processes,
        Way::Chains,
        Way::Predicates,
        Way::Expressions,
        Way::Spellings,
        Way::Orbits,
    ];

    fn word(self) -> &'static str {
        match self {
            Way::Machines => "machines",
            Way::Processes => "processes",
            Way::Chains => "chains",
            Way::Predicates => "predicates",
            Way::Expressions => "expressions",
            Way::Spellings => "spellings",
            Way::Orbits => "orbits",
        }
    }

    /// What is made for a fault.
    fn of(flaw: Flaw) -> Way {
        match flaw {
            Flaw::StaleProof => Way::Chains,
            Flaw::SkipWriteForgotten
            | Flaw::SkipOfAnother
            | Flaw::SkipSuspect
            | Flaw::AbstractStops
            | Flaw::DependencyForgotten => Way::Processes,
            Flaw::SolverRemoves | Flaw::DifferentRemoves => Way::Predicates,
            Flaw::DoubtUntold => Way::Spellings,
            Flaw::UnionRepeats => Way::Expressions,
            Flaw::SignaturesWrong | Flaw::FormsKept | Flaw::NamedIgnored | Flaw::LabelIgnored => {
                Way::Orbits
            }
            _ => Way::Machines,
        }
    }

    /// Tries one model: by which configuration, and how it differs, if it does.
    fn attempt(self, contest: &Contest, seed: u64) -> Option<Seen> {
        match self {
            Way::Machines | Way::Processes | Way::Chains => {
                let found = contest.one(seed, &mut Tally::default())?;
                Some((found.config.to_string(), found.difference.kind.to_owned()))
            }
            Way::Predicates | Way::Expressions => {
                let (batch, how): (fn(&mut Random, &mut Counts), _) = match self {
                    Way::Predicates => (solver::batch, "solutions"),
                    _ => (expressions::batch, "values"),
                };
                let mut counts = Counts::default();
                batch(&mut Random::new(seed), &mut counts);
                let some = !counts.differences.is_empty();
                some.then(|| (self.word().to_owned(), how.to_owned()))
            }
            Way::Spellings => spellings::miscounted(&mut Random::new(seed))
                .map(|_| (self.word().to_owned(), "states".to_owned())),
            Way::Orbits => {
                let wrong = orbits::machine(seed).err()?;
                let kind = wrong.split(": ").take(2).collect::<Vec<_>>().join(": ");
                let kind = kind.split(": MACHINE").next().unwrap_or_default().to_owned();
                Some((self.word().to_owned(), kind))
            }
        }
    }
}

/// The configuration that saw a fault, and how it showed.
type Seen = (String, String);

/// How one fault was found.
struct Row {
    flaw: Flaw,
    found: Option<Seen>,
    models: u64,
    seconds: f64,
}

pub fn run(arguments: &Arguments) -> Result<bool, String> {
    if arguments.list {
        for flaw in Flaw::ALL {
            println!("{:24} {:12} {}", flaw.word(), flaw.part(), flaw.words());
        }
        return Ok(true);
    }
    if !beeline_fault::ENABLED {
        return again();
    }
    let named = |word: &String| Flaw::by_word(word).ok_or(format!("there is no fault {word}"));
    let flaws: Vec<Flaw> = match arguments.faults.is_empty() {
        true if arguments.fast => FAST.to_vec(),
        true => Flaw::ALL.to_vec(),
        false => arguments.faults.iter().map(named).collect::<Result<_, _>>()?,
    };
    std::panic::set_hook(Box::new(|_| {}));
    let by = match &arguments.by {
        Some(word) => {
            let way = Way::ALL.into_iter().find(|w| w.word() == word);
            Some(way.ok_or(format!("nothing is looked for with {word}"))?)
        }
        None => None,
    };
    let mut table = String::from(
        "| fault | part | what goes wrong | found by | how it shows | models | seconds |\n\
         |---|---|---|---|---|---|---|\n",
    );
    print!("{table}");
    let mut unseen = 0;
    for flaw in flaws {
        let row = hunt(by.unwrap_or(Way::of(flaw)), flaw, arguments);
        unseen += usize::from(row.found.is_none());
        let line = line(&row);
        print!("{line}");
        table += &line;
    }
    let _ = writeln!(table, "\n{unseen} not found.");
    println!("{unseen} not found");
    if arguments.keep {
        keep(&table, arguments)?;
    }
    Ok(unseen == 0)
}

/// The same in a build in which faults can be planted.
fn again() -> Result<bool, String> {
    let target = std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| repository().join("target"), Into::into)
        .join("faults");
    let done = Command::new("cargo")
        .args(["run", "--quiet", "--release", "--package", "xtask", "--features", "faults"])
        .arg("--target-dir")
        .arg(target)
        .arg("--")
        .args(std::env::args_os().skip(1))
        .current_dir(repository())
        .status()
        .map_err(|e| format!("cargo: {e}"))?;
    Ok(done.success())
}

/// Tries models until one shows the fault. What differs without the fault as well, or not again with
/// it, says nothing about it, and is passed over.
fn hunt(way: Way, flaw: Flaw, arguments: &Arguments) -> Row {
    let generator = match way {
        Way::Chains => machines::chain::chain,
        Way::Processes => machines::processes::processes,
        _ => machines::machine,
    };
    let contest = Contest::new(generator, Choice::Some(arguments.configs));
    let begin = Instant::now();
    let mut from = 0;
    loop {
        let (found, tried) = first((way, &contest), flaw, arguments, from, begin);
        let Some((number, seen)) = found else {
            let seconds = begin.elapsed().as_secs_f64();
            return Row { flaw, found: None, models: tried, seconds };
        };
        let seed = arguments.seed.wrapping_add(number);
        let sound = (0..3).all(|_| way.attempt(&contest, seed).is_none());
        plant(Some(flaw));
        let attempt = || catch_unwind(AssertUnwindSafe(|| way.attempt(&contest, seed)));
        let again = sound && (0..5).any(|_| !matches!(attempt(), Ok(None)));
        plant(None);
        if again {
            let seconds = begin.elapsed().as_secs_f64();
            return Row { flaw, found: Some(seen), models: number + 1, seconds };
        }
        from = number + 1;
    }
}

/// The first model from a number on that differs with the fault, and how many were tried.
fn first(
    (way, contest): (Way, &Contest),
    flaw: Flaw,
    arguments: &Arguments,
    from: u64,
    begin: Instant,
) -> (Option<(u64, Seen)>, u64) {
    let time = Duration::from_secs(arguments.seconds);
    let (next, done) = (AtomicU64::new(from), AtomicBool::new(false));
    let best: Mutex<Option<(u64, Seen)>> = Mutex::new(None);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    plant(Some(flaw));
    std::thread::scope(|scope| {
        for _ in 0..arguments.jobs.unwrap_or(cores).max(1) {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) && begin.elapsed() < time {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= arguments.models {
                        break;
                    }
                    let seed = arguments.seed.wrapping_add(number);
                    // Whoever panics has seen it as well.
                    let attempt = AssertUnwindSafe(|| way.attempt(contest, seed));
                    let panic = || Some((way.word().to_owned(), "panic".to_owned()));
                    if let Some(seen) = catch_unwind(attempt).unwrap_or_else(|_| panic()) {
                        let mut best = best.lock().unwrap_or_else(PoisonError::into_inner);
                        if best.as_ref().is_none_or(|(n, _)| number < *n) {
                            *best = Some((number, seen));
                        }
                        done.store(true, Ordering::Relaxed);
                    }
                }
            });
        }
    });
    plant(None);
    let found = best.into_inner().unwrap_or_else(PoisonError::into_inner);
    (found, next.into_inner().min(arguments.models))
}

fn line(row: &Row) -> String {
    let (flaw, models, seconds) = (row.flaw, row.models, row.seconds);
    let (config, kind) = match &row.found {
        Some((config, kind)) => (config.as_str(), kind.as_str()),
        None => ("**not found**", ""),
    };
    let (word, part, words) = (flaw.word(), flaw.part(), flaw.words());
    format!("| {word} | {part} | {words} | {config} | {kind} | {models} | {seconds:.1} |\n")
}

fn keep(table: &str, arguments: &Arguments) -> Result<(), String> {
    let text = format!(
        "# Planted faults\n\nOne fault at a time: random machines from seed {} with {} \
         configurations each (or what stands in the column *found by*: batches of predicates or expressions, \
         spellings, orbits), until the reference disagrees, \
         which must be so again, and not without the fault; at most {} models and {} s a fault. \
         Written by `cargo xtask faults --keep`.\n\n{table}",
        arguments.seed, arguments.configs, arguments.models, arguments.seconds
    );
    crate::runs::keep("faults.md", &text)
}
