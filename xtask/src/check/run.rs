//! One model in a process of its own.

use super::sheet::Row;
use beeline::compile::CutReason;
use beeline::explore::{Cancel, Limits, Options};
use beeline::{CheckOptions, Checked, OpenOptions};
use beeline_bench::process::Watch;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// Reasons that end an exploration early.
const ENDED: [CutReason; 4] =
    [CutReason::Time, CutReason::Memory, CutReason::WorkerLost, CutReason::EvaluationSteps];

/// What Beeline makes of a model.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Ours {
    pub verdict: String,
    /// Nothing was left out.
    pub complete: bool,
    /// No limit of time or memory ended it.
    pub finished: bool,
    pub states: u64,
    /// Valuations of the constants among the states.
    #[serde(default)]
    pub setups: u64,
    pub transitions: u64,
    pub deadlock: bool,
    pub violated: bool,
    /// Findings as words, each with whether the judge confirms it.
    pub findings: Vec<(String, bool)>,
    /// Reasons of cuts.
    pub cuts: Vec<String>,
    pub message: String,
    pub seconds: f64,
}

impl Ours {
    fn failed(verdict: &str, message: String) -> Ours {
        Ours { verdict: verdict.to_owned(), message, ..Ours::default() }
    }

    pub fn line(&self) -> String {
        format!(
            "{} states={} transitions={} {:.2}s {}",
            self.verdict, self.states, self.transitions, self.seconds, self.message
        )
    }
}

#[derive(clap::Args)]
pub struct OneArguments {
    file: PathBuf,
    #[arg(long)]
    root: Option<PathBuf>,
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    #[arg(long, default_value_t = 4096)]
    megabytes: u64,
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Without any reduction
    #[arg(long)]
    unreduced: bool,
}

/// Runs one model and prints a line of JSON.
pub fn one(arguments: &OneArguments) -> Result<bool, String> {
    let ours = examine(arguments);
    println!("{}", serde_json::to_string(&ours).map_err(|e| e.to_string())?);
    Ok(true)
}

fn examine(arguments: &OneArguments) -> Ours {
    let begin = Instant::now();
    let options =
        OpenOptions { roots: arguments.root.iter().cloned().collect(), ..OpenOptions::default() };
    let loaded = beeline::open(&arguments.file, &options);
    let Some(model) = loaded.model else {
        let first = loaded.diagnostics.list().iter().find(|d| d.is_error());
        return Ours::failed("not_loaded", first.map_or(String::new(), |d| d.message.clone()));
    };
    let left = Duration::from_secs(arguments.seconds).saturating_sub(begin.elapsed());
    let options = CheckOptions {
        explore: Options {
            all: true,
            threads: arguments.threads,
            limits: Limits {
                time: Some(left),
                memory_bytes: Some(arguments.megabytes << 20),
                ..Limits::default()
            },
            ..Options::default()
        },
        no_goal: true,
        symmetry: match arguments.unreduced {
            true => beeline::symmetry::Mode::None,
            false => beeline::symmetry::Mode::default(),
        },
        ..CheckOptions::default()
    };
    let checked = match Checked::run(&model, &options, &Cancel::new(), &|_| {}) {
        Ok(checked) => checked,
        Err(error) => return Ours::failed("not_compiled", format!("{error:?}")),
    };
    let (outcome, facts) = (&checked.outcome, &checked.outcome.exploration);
    let has = |kinds: &[&str]| outcome.findings.iter().any(|f| kinds.contains(&f.told.kind));
    let found = |f: &beeline::verdict::Found| {
        let why = f.refused().map_or(String::new(), |w| format!(" [{w}]"));
        (format!("{}: {}{why}", f.told.kind, f.told.message), f.refused().is_none())
    };
    Ours {
        verdict: outcome.verdict.word().to_owned(),
        complete: facts.is_complete(),
        finished: !ENDED.iter().any(|reason| facts.cuts.has(*reason)),
        states: facts.counts.states(),
        setups: facts.counts.constants,
        transitions: facts.counts.transitions,
        deadlock: has(&["deadlock", "no_initial_state"]) || facts.no_setup,
        violated: has(&["invariant"]),
        findings: outcome.findings.iter().map(found).collect(),
        cuts: outcome.cuts.iter().map(|c| format!("{:?}: {}", c.reason, c.words)).collect(),
        message: outcome.verdict.why().unwrap_or_default(),
        seconds: begin.elapsed().as_secs_f64(),
    }
}

/// Runs one model in another process; its end is awaited a little longer than its own limit.
pub fn spawn(models: &Path, row: &Row, seconds: u64, megabytes: u64) -> Ours {
    spawn_file(models, &models.join(&row.path), seconds, megabytes, &[])
}

/// The same for any file, with more options; `root` may be read as well.
pub fn spawn_file(root: &Path, file: &Path, seconds: u64, megabytes: u64, more: &[&str]) -> Ours {
    let attempt = || -> Result<Ours, String> {
        let program = std::env::current_exe().map_err(|e| e.to_string())?;
        let mut command = Command::new(program);
        command
            .args(["corpus", "one", "--root"])
            .arg(root)
            .arg("--seconds")
            .arg(seconds.to_string())
            .arg("--megabytes")
            .arg(megabytes.to_string())
            .args(more)
            .arg(file);
        let ended = Watch::new().limit(Duration::from_secs(seconds + 15)).run(&mut command)?;
        if ended.status.is_none() {
            // It did not keep its own limit.
            return Ok(Ours::failed("killed", "it did not end in time".to_owned()));
        }
        let (out, err) =
            (String::from_utf8_lossy(&ended.output), String::from_utf8_lossy(&ended.errors));
        let line = out.lines().last().unwrap_or("");
        let tail: String = err.lines().take(3).collect::<Vec<_>>().join(" ");
        Ok(serde_json::from_str(line).unwrap_or_else(|_| Ours::failed("crashed", tail)))
    };
    attempt().unwrap_or_else(|e| Ours::failed("crashed", e))
}
