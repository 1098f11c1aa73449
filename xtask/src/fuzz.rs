//! `cargo xtask fuzz`: mutations of the examples, in process, on any stable compiler.
//!
//! Slower and blinder than libFuzzer, but runs everywhere and repeats exactly by its seed.

use crate::{guard, repository};
use beeline_fuzz::mutate::{Random, mutated, shrunk};
use beeline_fuzz::{TARGETS, Target};
use std::collections::BTreeMap;
use std::fs;
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// An input that takes longer has found an endless loop.
const HANG: Duration = Duration::from_secs(20);

/// The slowest input above this is kept for those who look for speed; it is no finding.
const SLOW: Duration = Duration::from_secs(1);

/// The input at work and when it was begun.
type AtWork = Arc<Mutex<(Instant, Vec<u8>)>>;

#[derive(clap::Args)]
pub struct Arguments {
    /// One target; all by default
    #[arg(long)]
    target: Option<String>,
    /// How long, for each target
    #[arg(long, default_value_t = 10)]
    seconds: u64,
    /// Another seed is another run
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

pub fn run(arguments: &Arguments) -> Result<bool, String> {
    let targets = match &arguments.target {
        None => TARGETS.to_vec(),
        Some(name) => vec![beeline_fuzz::target(name).ok_or_else(|| {
            let names: Vec<&str> = TARGETS.iter().map(|t| t.0).collect();
            format!("there is no target {name}; there are {}", names.join(", "))
        })?],
    };
    let seeds = seeds(&repository().join("examples"))?;
    guard::silence_panics();
    let mut fine = true;
    for target in targets {
        fine &= run_target(target, &seeds, arguments)?;
    }
    Ok(fine)
}

fn run_target(
    (name, target): Target,
    seeds: &[String],
    arguments: &Arguments,
) -> Result<bool, String> {
    let mut random = Random::new(arguments.seed);
    let at_work: AtWork = Arc::new(Mutex::new((Instant::now(), Vec::new())));
    watch(name, &at_work);
    let end = Instant::now() + Duration::from_secs(arguments.seconds);
    let (mut runs, mut slowest) = (0_u64, Duration::ZERO);
    // One finding a message is enough.
    let mut findings: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    while Instant::now() < end {
        let input = mutated(seeds, &mut random);
        let start = Instant::now();
        *at_work.lock().unwrap_or_else(PoisonError::into_inner) = (start, input.clone());
        let failure = failure(target, &input);
        let took = start.elapsed();
        if took > slowest && took > SLOW {
            keep(&format!("{name}-slow"), 0, &input)?;
        }
        slowest = slowest.max(took);
        if let Some(kind) = failure {
            let known = findings.entry(kind).or_insert_with(|| input.clone());
            if input.len() < known.len() {
                *known = input;
            }
        }
        runs += 1;
    }
    println!(
        "{name}: {runs} inputs, seed {}, slowest {} ms, {} findings",
        arguments.seed,
        slowest.as_millis(),
        findings.len()
    );
    for (i, (message, input)) in findings.iter().enumerate() {
        let small = shrunk(input, |bytes| failure(target, bytes).as_ref() == Some(message));
        let path = keep(name, i, &small)?;
        println!("  {message}\n    input: {path}");
    }
    Ok(findings.is_empty())
}

/// Ends the process, and keeps the input, when an input does not end. Stops with the target.
fn watch(name: &'static str, at_work: &AtWork) {
    let at_work = Arc::downgrade(at_work);
    std::thread::spawn(move || {
        while let Some(state) = at_work.upgrade() {
            let (start, input) = state.lock().unwrap_or_else(PoisonError::into_inner).clone();
            drop(state);
            if start.elapsed() > HANG {
                let path = keep(&format!("{name}-hang"), 0, &input).unwrap_or_default();
                println!("{name}: no end within {} s\n    input: {path}", HANG.as_secs());
                std::process::exit(1);
            }
            std::thread::sleep(Duration::from_millis(200));
        }
    });
}

/// The first line of the panic that an input causes, if it causes one.
fn failure(target: fn(&[u8]), input: &[u8]) -> Option<String> {
    let payload = panic::catch_unwind(AssertUnwindSafe(|| target(input))).err()?;
    Some(guard::message(&*payload).lines().next().unwrap_or("").to_owned())
}

fn keep(name: &str, number: usize, input: &[u8]) -> Result<String, String> {
    let folder = repository().join("fuzz/artifacts/plain");
    let path = folder.join(format!("{name}-{number}"));
    fs::create_dir_all(&folder)
        .and_then(|()| fs::write(&path, input))
        .map_err(|e| format!("{}: {e}", path.display()))?;
    Ok(path.display().to_string())
}

/// The examples and the old findings.
fn seeds(examples: &Path) -> Result<Vec<String>, String> {
    let findings = repository().join("crates/beeline-fuzz/tests/regressions");
    let mut seeds = Vec::new();
    let event_b = examples.join("event-b");
    let rodin = event_b.join("Turnstile");
    for folder in [examples, &event_b, &rodin, &findings] {
        let Ok(entries) = fs::read_dir(folder) else { continue };
        let mut paths: Vec<_> =
            entries.flatten().map(|e| e.path()).filter(|p| p.is_file()).collect();
        paths.sort();
        for path in paths {
            let bytes = fs::read(&path).map_err(|e| format!("{}: {e}", path.display()))?;
            // Long files make slow runs.
            if bytes.len() < 8 << 10 {
                seeds.push(String::from_utf8_lossy(&bytes).into_owned());
            }
        }
    }
    Ok(seeds)
}
