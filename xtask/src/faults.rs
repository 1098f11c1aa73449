//! `cargo xtask faults`: plants one fault after another, and looks how many random models it takes until
//! one of them shows it.
//!
//! What finds nothing is no check: a fault that stays unseen is a hole in the generator or in the
//! configurations, and is told as one. The program is built with the feature `faults` for this, in a
//! folder of its own; what is shipped never has it.

use crate::repository;
use beeline_compare::contest::{Choice, Contest, Found, Tally};
use beeline_compare::machines;
use beeline_fault::{Flaw, plant};
use std::fmt::Write;
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

#[derive(clap::Args)]
pub struct Arguments {
    /// Only these faults; default: all
    faults: Vec<String>,
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
const FAST: [Flaw; 7] = [
    Flaw::LostSuccessor,
    Flaw::InvariantSkipped,
    Flaw::WriteForgotten,
    Flaw::GuardDropped,
    Flaw::EachShort,
    Flaw::HashDecides,
    Flaw::FalseTwins,
];

/// How one fault was found.
struct Row {
    flaw: Flaw,
    /// The configuration, and how it showed.
    found: Option<(String, String)>,
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
    let contest = Contest::new(machines::machine, Choice::Some(arguments.configs));
    let mut table = String::from(
        "| fault | part | what goes wrong | found by | how it shows | models | seconds |\n\
         |---|---|---|---|---|---|---|\n",
    );
    print!("{table}");
    let mut unseen = 0;
    for flaw in flaws {
        let row = hunt(&contest, flaw, arguments);
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

/// Tries models until one shows the fault. What differs without the fault as well says nothing
/// about it, and is passed over.
fn hunt(contest: &Contest, flaw: Flaw, arguments: &Arguments) -> Row {
    let begin = Instant::now();
    let mut from = 0;
    loop {
        let (found, tried) = first(contest, flaw, arguments, from, begin);
        let seconds = begin.elapsed().as_secs_f64();
        let Some((number, found)) = found else {
            return Row { flaw, found: None, models: tried, seconds };
        };
        if contest.one(found.seed, &mut Tally::default()).is_some() {
            from = number + 1;
            continue;
        }
        let how = (found.config.to_string(), found.difference.kind.to_string());
        return Row { flaw, found: Some(how), models: number + 1, seconds };
    }
}

/// The first model from a number on that differs with the fault, and how many were tried.
fn first(
    contest: &Contest,
    flaw: Flaw,
    arguments: &Arguments,
    from: u64,
    begin: Instant,
) -> (Option<(u64, Found)>, u64) {
    let time = Duration::from_secs(arguments.seconds);
    let (next, done) = (AtomicU64::new(from), AtomicBool::new(false));
    let best: Mutex<Option<(u64, Found)>> = Mutex::new(None);
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
                    if let Some(found) = contest.one(seed, &mut Tally::default()) {
                        let mut best = best.lock().unwrap_or_else(PoisonError::into_inner);
                        if best.as_ref().is_none_or(|(n, _)| number < *n) {
                            *best = Some((number, found));
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
    let path = repository().join(format!("bench/runs/{}-faults.md", crate::machine::today()));
    let text = format!(
        "# Planted faults\n\nOne fault at a time, random machines from seed {} with {} \
         configurations each, until the reference disagrees; at most {} models and {} s a fault. \
         Written by `cargo xtask faults --keep`.\n\n{table}",
        arguments.seed, arguments.configs, arguments.models, arguments.seconds
    );
    std::fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display()))
}
