//! `cargo xtask bench`: the performance suite. Models of this repository always, those beside it
//! and Spin where they are; a wrong count is a failure, a missed bar is told.

use super::instructions;
use super::spin::{self, Rival, SpinRun};
use crate::program::program;
use crate::repository;
use crate::runs::{Machine, keep_json};
use beeline_bench::{Configuration, Job, Made, Model, Outcome, Runner, Suite, today};
use serde::Serialize;
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Arguments {
    /// Runs of each model; the one with the least processor time counts
    #[arg(long, default_value_t = 3)]
    rounds: usize,
    /// Numbers of threads, separated by commas
    #[arg(long, value_delimiter = ',', default_values_t = [1, 2])]
    threads: Vec<usize>,
    /// Only models whose name contains this
    #[arg(long)]
    only: Option<String>,
    /// The folder that holds bench/models of others
    #[arg(long)]
    shared: Option<PathBuf>,
    /// The program; default: a release build
    #[arg(long)]
    program: Option<PathBuf>,
    /// Another build of the program, run in turns with it: what did a change cost?
    #[arg(long)]
    beside: Option<PathBuf>,
    /// Count instructions instead of time, with valgrind
    #[arg(long)]
    instructions: bool,
    /// Do not run Spin
    #[arg(long)]
    no_spin: bool,
    /// Keep the result below bench/runs
    #[arg(long)]
    keep: bool,
    /// What a reader of the kept result should know, such as how the program was built
    #[arg(long)]
    note: Option<String>,
}

/// A model, what it must come to, and what it may take.
struct Row {
    name: &'static str,
    /// In this repository, not beside it.
    own: bool,
    states: u64,
    transitions: u64,
    /// Seconds from start to end of the process with one thread, by the clock.
    bar: Option<f64>,
    rival: Option<Rival>,
}

const fn other(name: &'static str, states: u64, transitions: u64, bar: f64) -> Row {
    Row { name, own: false, states, transitions, bar: Some(bar), rival: None }
}

const fn own(name: &'static str, states: u64, transitions: u64, rival: Rival) -> Row {
    Row { name, own: true, states, transitions, bar: None, rival: Some(rival) }
}

const ROWS: &[Row] = &[
    own(
        "TwoCounters",
        1_000_000,
        3_996_001,
        Rival { file: "TwoCounters.pml", generator: &[], verifier: &[] },
    ),
    own(
        "Philosophers13",
        1_594_322,
        13_817_454,
        Rival { file: "Philosophers13.pml", generator: &[], verifier: &["-E"] },
    ),
    own(
        "Peterson4",
        903_452,
        3_208_325,
        Rival { file: "Peterson4.pml", generator: &["-o1", "-o3"], verifier: &[] },
    ),
    Row {
        name: "ThreeCounters",
        own: true,
        states: 8_000_000,
        transitions: 47_760_001,
        bar: None,
        rival: None,
    },
    other("Lift_MC_Large", 1_000_001, 2_000_001, 0.3),
    other("Cruise_finite1_deterministic_MC", 1_360, 26_149, 0.03),
    other("LandingGear_R6", 131_328, 884_369, 1.0),
    other("CAN_BUS_tlc", 132_599, 340_266, 0.3),
    other("Train1_Lukas_POR_v3", 24_636, 55_370, 0.3),
    other("Train_1_beebook_deterministic_MC_POR_v3", 672_174, 2_244_110, 15.0),
    other("nota_v2", 80_718, 1_797_353, 1.0),
    other("sort_m2_data1000_MC", 500_501, 500_502, 5.0),
    other("QueensWithEvents_4", 4, 6, 0.02),
    other("QueensWithEvents_8", 94, 186, 0.1),
];

/// What is kept.
#[derive(Serialize)]
struct Run {
    date: String,
    machine: Machine,
    /// Processes that were ready to run beside ours, when it began.
    load: Option<f64>,
    note: Option<String>,
    rounds: usize,
    models: Vec<ModelRun>,
}

#[derive(Serialize)]
struct ModelRun {
    name: &'static str,
    bar_seconds: Option<f64>,
    runs: Vec<CheckRun>,
    /// The other build, in turns with the first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    beside: Vec<CheckRun>,
    spin: Option<SpinRun>,
}

#[derive(Serialize)]
struct CheckRun {
    threads: usize,
    verdict: String,
    states: u64,
    transitions: u64,
    /// From start to end of the process.
    wall_seconds: f64,
    cpu_seconds: f64,
    search_seconds: f64,
    peak_memory_kib: u64,
    bytes_per_state: f64,
    right: bool,
}

/// Runs all of it.
pub fn run(arguments: &Arguments) -> Result<bool, String> {
    let programs = [program(arguments.program.as_deref())?];
    let programs: Vec<PathBuf> = programs.into_iter().chain(arguments.beside.clone()).collect();
    if arguments.instructions {
        return count(arguments, &programs);
    }
    let load = beeline_bench::load();
    let with_spin = !arguments.no_spin && spin::is_installed();
    let rows = wanted(arguments);
    let suite = suite(arguments, &rows);
    let runner = |program: PathBuf| Runner {
        suite: &suite,
        folder: PathBuf::new(),
        program,
        stop: &|| false,
    };
    let runners: Vec<Runner<'_>> = programs.into_iter().map(runner).collect();
    let jobs = suite.jobs();
    let mut models = Vec::new();
    for (number, (row, _)) in rows.iter().enumerate() {
        let (mut runs, mut others) = (Vec::new(), Vec::new());
        for (configuration, &threads) in arguments.threads.iter().enumerate() {
            let own = |job: &&Job| (job.model, job.configuration) == (number, configuration);
            let own: Vec<&Job> = jobs.iter().filter(own).collect();
            let mut best = check(&runners, &own, threads)?.into_iter();
            let (Some(run), other) = (best.next(), best.next()) else { continue };
            print(row, &run);
            if let Some(other) = &other {
                let times = run.cpu_seconds / other.cpu_seconds.max(0.01);
                println!("{:<40} cpu {times:.3} times that of the other build", row.name);
            }
            runs.push(run);
            others.extend(other);
        }
        gain(row, &runs);
        let spin = match row.rival.as_ref().filter(|_| with_spin) {
            Some(rival) => {
                let (rivals, build) =
                    (repository().join("bench/rivals"), repository().join("target/spin"));
                let run = spin::run(rival, &rivals, &build, arguments.rounds)?;
                compare(row, &runs, &run);
                Some(run)
            }
            None => None,
        };
        models.push(ModelRun { name: row.name, bar_seconds: row.bar, runs, beside: others, spin });
    }
    let right = models.iter().flat_map(|m| &m.runs).all(|r| r.right);
    let equal = models
        .iter()
        .all(|m| m.spin.as_ref().is_none_or(|s| m.runs.iter().all(|r| r.states == s.states)));
    if !equal {
        println!("Spin has other counts: the graphs are not the same");
    }
    if arguments.keep {
        let (date, machine) = (today(), Machine::here());
        let (rounds, note) = (arguments.rounds, arguments.note.clone());
        keep_json("suite.json", &Run { date, machine, load, note, rounds, models })?;
    }
    Ok(right && equal)
}

/// Instructions of one check of each model, and how many times those of the other build. Threads and rounds do not
/// matter: one thread, once.
fn count(arguments: &Arguments, programs: &[PathBuf]) -> Result<bool, String> {
    if !instructions::is_installed() {
        println!("skipped: valgrind, which counts instructions, is not installed");
        return Ok(true);
    }
    let options: Vec<String> = ["--all", "--threads", "1"].map(str::to_owned).to_vec();
    let mut logs = Vec::new();
    for (row, path) in wanted(arguments) {
        let own = instructions::count(&programs[0], &options, &path)?;
        let Some(beside) = programs.get(1) else {
            println!("{:<40} {own} instructions", row.name);
            continue;
        };
        let times = own as f64 / instructions::count(beside, &options, &path)?.max(1) as f64;
        println!("{:<40} {own} instructions, {times:.3} times those of the other build", row.name);
        logs.push(times.ln());
    }
    if !logs.is_empty() {
        let mean = (logs.iter().sum::<f64>() / logs.len() as f64).exp();
        println!("{:<40} {mean:.3} times (geometric mean)", "all");
    }
    Ok(true)
}

/// The models that were asked for and are here, each with its file.
fn wanted(arguments: &Arguments) -> Vec<(&'static Row, PathBuf)> {
    let root = repository();
    let beside = arguments.shared.clone().unwrap_or_else(|| root.join("../shared"));
    let mut rows = Vec::new();
    for row in ROWS {
        if arguments.only.as_ref().is_some_and(|only| !row.name.contains(only)) {
            continue;
        }
        let folder = if row.own { root.join("bench/models") } else { beside.join("bench/models") };
        let path = folder.join(format!("{}.mch", row.name));
        match path.is_file() {
            true => rows.push((row, path)),
            false => println!("{}: skipped, the model is not here", row.name),
        }
    }
    rows
}

/// The same for the laboratory: a configuration is a number of threads.
fn suite(arguments: &Arguments, rows: &[(&Row, PathBuf)]) -> Suite {
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
    let configuration = |threads: &usize| Configuration {
        name: format!("{threads} threads"),
        options: words(&["--threads", &threads.to_string()]),
        classes: Vec::new(),
    };
    let configurations: Vec<_> = arguments.threads.iter().map(configuration).collect();
    let model = |(row, path): &(&Row, PathBuf)| Model {
        name: row.name.to_owned(),
        file: path.to_string_lossy().into_owned(),
        // What one finds is counted, not judged: a deadlock may belong to the model.
        verdict: None,
        states: Some(row.states),
        transitions: Some(row.transitions),
        ..Model::default()
    };
    Suite {
        name: "suite".to_owned(),
        reference: configurations.first().map_or(String::new(), |c| c.name.clone()),
        repetitions: u32::try_from(arguments.rounds.max(1)).unwrap_or(u32::MAX),
        timeout: 120.0,
        memory: None,
        measure: beeline_bench::Measure::Cpu,
        floor: 0.0,
        options: words(&["--all"]),
        configurations,
        models: rows.iter().map(model).collect(),
    }
}

/// The best of some runs of one model, for each program; they take turns.
fn check(runners: &[Runner<'_>], jobs: &[&Job], threads: usize) -> Result<Vec<CheckRun>, String> {
    let mut best: Vec<Option<CheckRun>> = runners.iter().map(|_| None).collect();
    for job in jobs {
        for (best, runner) in best.iter_mut().zip(runners) {
            // Wrong once is wrong.
            if best.as_ref().is_some_and(|b| !b.right) {
                continue;
            }
            let run = check_once(runner, job, threads)?;
            let is_better = |b: &CheckRun| {
                !run.right || (run.cpu_seconds, run.wall_seconds) < (b.cpu_seconds, b.wall_seconds)
            };
            if best.as_ref().is_none_or(is_better) {
                *best = Some(run);
            }
        }
    }
    Ok(best.into_iter().flatten().collect())
}

fn check_once(runner: &Runner<'_>, job: &Job, threads: usize) -> Result<CheckRun, String> {
    let Made { run, report, cost } = runner.run(job)?;
    if report.is_null() {
        return Err(format!("{}: {}", run.model, run.why));
    }
    Ok(CheckRun {
        threads,
        verdict: run.verdict,
        states: run.states,
        transitions: run.transitions,
        wall_seconds: cost.wall_seconds,
        cpu_seconds: cost.cpu_seconds,
        search_seconds: run.seconds,
        peak_memory_kib: run.peak_memory_bytes.unwrap_or(0) / 1024,
        bytes_per_state: report["bytes_per_state"].as_f64().unwrap_or(0.0),
        right: run.outcome == Outcome::Right,
    })
}

fn print(row: &Row, run: &CheckRun) {
    let bar = match row.bar {
        Some(bar) if run.threads == 1 && run.wall_seconds > bar => format!(" MISSED (bar {bar})"),
        Some(bar) if run.threads == 1 => format!(" (bar {bar})"),
        _ => String::new(),
    };
    let wrong = match run.right {
        true => String::new(),
        false => format!(
            " WRONG: {} states, {} transitions, {}",
            run.states, run.transitions, run.verdict
        ),
    };
    println!(
        "{:<40} {} thread(s): wall {:.3} s, cpu {:.2} s, search {:.3} s, {} KiB, {:.1} B/state{bar}{wrong}",
        row.name,
        run.threads,
        run.wall_seconds,
        run.cpu_seconds,
        run.search_seconds,
        run.peak_memory_kib,
        run.bytes_per_state,
    );
}

/// What more threads gain, where that is worth a look.
fn gain(row: &Row, runs: &[CheckRun]) {
    let Some(one) = runs.iter().find(|run| run.threads == 1 && run.wall_seconds > 1.0) else {
        return;
    };
    for run in runs.iter().filter(|run| run.threads > 1) {
        let times = one.wall_seconds / run.wall_seconds.max(1e-3);
        println!("{:<40} {} threads are {times:.2} times as fast as one", row.name, run.threads);
    }
}

fn compare(row: &Row, runs: &[CheckRun], spin: &SpinRun) {
    let Some(own) = runs.first() else { return };
    println!(
        "{:<40} Spin {}: {} states, build {:.2} s, pan cpu {:.2} s; ours is {:.2} of pan, {:.2} of all",
        row.name,
        spin.order,
        spin.states,
        spin.build_seconds,
        spin.cpu_seconds,
        own.cpu_seconds / spin.cpu_seconds.max(0.01),
        own.wall_seconds / (spin.build_seconds + spin.wall_seconds),
    );
}
