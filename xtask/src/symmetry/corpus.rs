//! Exact modes on every model with a deferred set: verdict and length of traces as without.

use crate::corpus::corpus_folder;
use beeline::explore::{Cancel, Limits, Options};
use beeline::model::SetKind;
use beeline::symmetry::Mode;
use beeline::{CheckError, CheckOptions, Checked, OpenOptions};
use beeline_bench::process::Watch;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

#[derive(clap::Args)]
pub struct Arguments {
    /// Seconds for each model without symmetry; three times as many for each mode
    #[arg(long, default_value_t = 60)]
    limit_seconds: u64,
    /// Only models whose path contains this text
    #[arg(long)]
    filter: Option<String>,
    /// The folder that holds corpus/oracle.csv
    #[arg(long)]
    shared: Option<PathBuf>,
    /// Print every model
    #[arg(long)]
    verbose: bool,
}

#[derive(clap::Args)]
pub struct OneArguments {
    file: PathBuf,
    #[arg(long)]
    root: Option<PathBuf>,
    #[arg(long, default_value_t = 60)]
    seconds: u64,
}

/// What one mode made of a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Run {
    mode: String,
    verdict: String,
    /// Kind, and steps of the trace, of the first finding.
    finding: Option<(String, usize)>,
    nodes: u64,
    finished: bool,
    seconds: f64,
}

/// What all modes made of a model.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Report {
    /// Why it was not looked at.
    skipped: String,
    runs: Vec<Run>,
}

const EXACT: [Mode; 5] = [Mode::None, Mode::Canonical, Mode::Hybrid, Mode::Auto, Mode::Flood];

pub fn one(arguments: &OneArguments) -> Result<bool, String> {
    let options =
        OpenOptions { roots: arguments.root.iter().cloned().collect(), ..OpenOptions::default() };
    let mut report = Report::default();
    match beeline::open(&arguments.file, &options).model {
        None => "not loaded".clone_into(&mut report.skipped),
        Some(model) if model.sets.iter().all(|s| s.kind == SetKind::Enumerated) => {
            "no deferred set".clone_into(&mut report.skipped);
        }
        Some(model) => {
            for mode in EXACT {
                // A busy machine is no difference.
                let patience = if mode == Mode::None { 1 } else { 3 };
                let options = CheckOptions {
                    explore: Options {
                        threads: 1,
                        limits: Limits {
                            time: Some(Duration::from_secs(patience * arguments.seconds)),
                            memory_bytes: Some(3 << 30),
                            ..Limits::default()
                        },
                        ..Options::default()
                    },
                    symmetry: mode,
                    ..CheckOptions::default()
                };
                let checked = match Checked::run(&model, &options, &Cancel::new(), &|_| {}) {
                    Ok(checked) => checked,
                    // Too many permutations: refused, as it should be.
                    Err(CheckError::Option(_)) if mode == Mode::Flood => break,
                    Err(_) => {
                        "not compiled".clone_into(&mut report.skipped);
                        break;
                    }
                };
                let run = summary(mode, &checked);
                let finished = run.finished;
                report.runs.push(run);
                if mode == Mode::None && !finished {
                    "not finished".clone_into(&mut report.skipped);
                    break;
                }
            }
        }
    }
    println!("{}", serde_json::to_string(&report).map_err(|e| e.to_string())?);
    Ok(true)
}

fn summary(mode: Mode, checked: &Checked) -> Run {
    let (outcome, facts) = (&checked.outcome, &checked.outcome.exploration);
    use beeline::compile::CutReason;
    let ended = [CutReason::Time, CutReason::Memory, CutReason::WorkerLost];
    Run {
        mode: mode.name().to_owned(),
        verdict: outcome.verdict.word().to_owned(),
        finding: outcome.findings.first().map(|f| (f.told.kind.to_owned(), f.trace.steps.len())),
        nodes: facts.counts.nodes,
        finished: !ended.iter().any(|r| facts.cuts.has(*r)),
        seconds: facts.elapsed.as_secs_f64(),
    }
}

pub fn run(arguments: &Arguments) -> Result<bool, String> {
    let Some(corpus) = corpus_folder(arguments.shared.as_deref()) else {
        println!("skipped: there is no corpus beside the repository (see --shared)");
        return Ok(true);
    };
    let text = std::fs::read_to_string(corpus.join("oracle.csv")).map_err(|e| e.to_string())?;
    let paths: Vec<&str> = text
        .lines()
        .skip(1)
        .filter_map(|line| line.split(',').next())
        .filter(|p| [".mch", ".ref", ".imp", ".sys", ".eventb"].iter().any(|e| p.ends_with(e)))
        .filter(|p| arguments.filter.as_ref().is_none_or(|f| p.contains(f.as_str())))
        .collect();
    let (mut compared, mut reduced, mut wrong) = (0, 0, Vec::new());
    for path in paths {
        let report = child(&corpus, path, arguments.limit_seconds)?;
        if !report.skipped.is_empty() {
            if arguments.verbose {
                println!("{path}: {}", report.skipped);
            }
            continue;
        }
        compared += 1;
        let Some(plain) = report.runs.first() else { continue };
        let same = |r: &Run| (&r.verdict, &r.finding) == (&plain.verdict, &plain.finding);
        reduced += usize::from(report.runs.iter().any(|r| r.nodes < plain.nodes));
        // Flooding may be too slow; what it says must be right all the same.
        let fine = |r: &&Run| same(r) && r.finished || r.mode == "flood" && !r.finished;
        if !report.runs.iter().all(|r| fine(&r)) {
            wrong.push(path);
            println!("{path} DIFFERS");
            report.runs.iter().for_each(|r| println!("  {r:?}"));
        } else if arguments.verbose {
            let nodes: Vec<u64> = report.runs.iter().map(|r| r.nodes).collect();
            println!("{path}: {} {:?} {nodes:?}", plain.verdict, plain.finding);
        }
    }
    println!("{compared} models compared, {reduced} reduced, {} differ", wrong.len());
    Ok(wrong.is_empty())
}

fn child(corpus: &Path, path: &str, seconds: u64) -> Result<Report, String> {
    let program = std::env::current_exe().map_err(|e| e.to_string())?;
    let mut command = Command::new(program);
    command
        .args(["symmetry", "one", "--seconds", &seconds.to_string(), "--root"])
        .arg(corpus.join("models"))
        .arg(corpus.join("models").join(path));
    let ended = Watch::new().limit(Duration::from_secs(seconds * 14 + 30)).run(&mut command)?;
    let text = String::from_utf8_lossy(&ended.output);
    let lost = || Report { skipped: "did not end well".to_owned(), runs: Vec::new() };
    Ok(serde_json::from_str(text.trim()).unwrap_or_else(|_| lost()))
}
