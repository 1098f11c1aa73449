//! `cargo xtask bench load`: how fast are reading, parsing and loading, and the start of the program?

pub mod archive;
mod instructions;
mod spin;
pub mod suite;

use crate::program::program;
use crate::runs::{Machine, keep_json};
use crate::{corpus, repository};
use beeline::OpenOptions;
use beeline_bench::process::Watch;
use beeline_bench::{median, today};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

#[derive(clap::Args)]
pub struct Arguments {
    /// Rounds over the corpus
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// Starts of the program
    #[arg(long, default_value_t = 200)]
    starts: usize,
    /// The folder that holds corpus/oracle.csv
    #[arg(long)]
    shared: Option<PathBuf>,
    /// Keep the result below bench/runs
    #[arg(long)]
    keep: bool,
}

/// What is kept.
#[derive(Serialize)]
struct Run {
    date: String,
    machine: Machine,
    corpus: Option<CorpusRun>,
    start: Option<StartRun>,
}

#[derive(Serialize)]
struct CorpusRun {
    models: usize,
    /// Of the main files alone: what `parse` reads.
    bytes: u64,
    rounds: usize,
    /// A value a round.
    parse_seconds: Vec<f64>,
    /// With all files that models refer to, and types.
    load_seconds: Vec<f64>,
    parse_mb_per_second: f64,
    load_mb_per_second: f64,
}

#[derive(Serialize)]
struct StartRun {
    command: String,
    starts: usize,
    median_ms: f64,
    minimum_ms: f64,
    maximum_ms: f64,
}

pub fn load(arguments: &Arguments) -> Result<bool, String> {
    let corpus = match corpus::corpus_folder(arguments.shared.as_deref()) {
        Some(folder) => Some(measure_corpus(&folder, arguments.rounds)?),
        None => {
            println!("no corpus beside the repository: only the start is measured");
            None
        }
    };
    if let Some(run) = &corpus {
        println!(
            "{} models, {:.2} MB: read+parse {:.1} MB/s, load with types {:.1} MB/s",
            run.models,
            run.bytes as f64 / 1e6,
            run.parse_mb_per_second,
            run.load_mb_per_second
        );
    }
    let start = measure_start(arguments.starts)?;
    if let Some(run) = &start {
        println!("{}: median {:.2} ms of {} starts", run.command, run.median_ms, run.starts);
    }
    if arguments.keep {
        keep_json("load.json", &Run { date: today(), machine: Machine::here(), corpus, start })?;
    }
    Ok(true)
}

fn measure_corpus(folder: &Path, rounds: usize) -> Result<CorpusRun, String> {
    let models = folder.join("models");
    let paths: Vec<PathBuf> =
        corpus::rows(folder)?.into_iter().map(|row| models.join(row.path)).collect();
    let bytes = paths.iter().filter_map(|p| p.metadata().ok()).map(|m| m.len()).sum();
    let options = OpenOptions { roots: vec![models], ..OpenOptions::default() };
    let mut parse_seconds = Vec::new();
    let mut load_seconds = Vec::new();
    for _ in 0..rounds.max(1) {
        parse_seconds.push(seconds(|| {
            for path in &paths {
                std::hint::black_box(beeline::parse_path(path));
            }
        }));
        load_seconds.push(seconds(|| {
            for path in &paths {
                std::hint::black_box(beeline::open(path, &options));
            }
        }));
    }
    let rate = |all: &[f64]| bytes as f64 / 1e6 / median(all).unwrap_or(f64::INFINITY);
    Ok(CorpusRun {
        models: paths.len(),
        bytes,
        rounds,
        parse_mb_per_second: rate(&parse_seconds),
        load_mb_per_second: rate(&load_seconds),
        parse_seconds,
        load_seconds,
    })
}

/// From start to exit of the release program on an example of about 30 lines.
fn measure_start(starts: usize) -> Result<Option<StartRun>, String> {
    let program = program(None)?;
    let Some(example) = example_of_30_lines(&repository().join("examples")) else {
        println!("no example of 20 to 45 lines: the start is not measured");
        return Ok(None);
    };
    let mut times = Vec::new();
    for _ in 0..starts.max(1) {
        let ended = Watch::new().run(Command::new(&program).arg("types").arg(&example))?;
        times.push(ended.cost.wall_seconds * 1e3);
        if !ended.status.is_some_and(|status| status.success()) {
            return Err(format!("beeline types {} failed", example.display()));
        }
    }
    let name = example.file_name().unwrap_or_default().to_string_lossy();
    Ok(Some(StartRun {
        command: format!("beeline types examples/{name}"),
        starts: times.len(),
        median_ms: median(&times).unwrap_or(0.0),
        minimum_ms: times.iter().copied().fold(f64::INFINITY, f64::min),
        maximum_ms: times.iter().copied().fold(0.0, f64::max),
    }))
}

fn example_of_30_lines(folder: &Path) -> Option<PathBuf> {
    let mut machines: Vec<(usize, PathBuf)> = std::fs::read_dir(folder)
        .ok()?
        .flatten()
        .map(|e| e.path())
        .filter(|p| p.extension().is_some_and(|e| e == "mch"))
        .filter_map(|p| Some((std::fs::read_to_string(&p).ok()?.lines().count(), p)))
        .filter(|(lines, _)| (20..=45).contains(lines))
        .collect();
    machines.sort_by_key(|(lines, path)| (lines.abs_diff(30), path.clone()));
    machines.into_iter().next().map(|(_, path)| path)
}

fn seconds(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64()
}
