//! Every model that carries proofs, with proofs off, believed and audited: nothing may change but work.

use super::{check, count, milliseconds};
use crate::corpus::corpus_folder;
use crate::program::{program, ran_out_of_time};
use crate::runs::{self, Machine};
use beeline_bench::{geometric_mean, today};
use serde_json::Value;
use std::fmt::Write;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub struct Arguments {
    /// The folder that holds the corpus
    #[arg(long)]
    shared: Option<PathBuf>,
    /// Seconds for each check
    #[arg(long, default_value_t = 10)]
    limit_seconds: u64,
    /// States of a model at most, so that all three look at the same part of a large one
    #[arg(long, default_value_t = 20_000)]
    states: u64,
    /// Runs without and with proofs, in turn, of which the fastest counts
    #[arg(long, default_value_t = 1)]
    runs: u32,
    /// Only models whose path contains this text
    #[arg(long)]
    filter: Option<String>,
    /// Only every n-th model
    #[arg(long, default_value_t = 1)]
    every: usize,
    /// The program; default: a release build
    #[arg(long)]
    program: Option<PathBuf>,
    /// Keep the result in bench/runs
    #[arg(long)]
    write: bool,
}

/// What a package with proofs has in it.
const MARKS: [&str; 2] = ["discharged(", "],true)"];

/// Slower than this counts as slower, in runs that take long enough to be measured.
const SLOWER: f64 = 1.05;
const MEASURED_MS: f64 = 50.0;

/// What was found about all models.
#[derive(Default)]
struct Sums {
    models: u64,
    unanswered: u64,
    unfinished: u64,
    differing: u64,
    contradicted: u64,
    evaluations: [u64; 2],
    measured: u64,
    /// Times with proofs by times without.
    ratios: Vec<(f64, String)>,
    lines: String,
}

pub fn run(arguments: &Arguments) -> Result<bool, String> {
    let Some(corpus) = corpus_folder(arguments.shared.as_deref()) else {
        println!("skipped: there is no corpus beside the repository (see --shared)");
        return Ok(true);
    };
    let program = program(arguments.program.as_deref())?;
    let folder = corpus.join("models");
    let mut models = Vec::new();
    gather(&folder, &mut models);
    models.sort();
    models.retain(|m| {
        let name = m.to_string_lossy();
        arguments.filter.as_ref().is_none_or(|f| name.contains(f.as_str()))
    });
    let mut sums = Sums::default();
    for model in models.iter().step_by(arguments.every.max(1)) {
        let name = model.strip_prefix(&folder).unwrap_or(model).display().to_string();
        one(arguments, &program, model, &name, &mut sums);
    }
    let text = summary(arguments, &mut sums);
    print!("{text}");
    if arguments.write {
        keep(&text)?;
    }
    Ok(sums.unanswered + sums.differing == 0)
}

/// One model with each use of proofs.
fn one(arguments: &Arguments, program: &Path, model: &Path, name: &str, sums: &mut Sums) {
    let (seconds, states) = (arguments.limit_seconds.to_string(), arguments.states.to_string());
    let limits = ["--timeout", &seconds, "--memory", "2G", "--max-states", &states];
    sums.models += 1;
    let say = |sums: &mut Sums, words: &str| {
        println!("{name}: {words}");
        let _ = writeln!(sums.lines, "- {name}: {words}");
    };
    let fastest = |proof: &str, known: Option<Value>| -> Result<Value, String> {
        let answer = check(program, model, proof, &limits)?;
        Ok(match known {
            Some(known) if milliseconds(&known) <= milliseconds(&answer) => known,
            _ => answer,
        })
    };
    let all = || -> Result<[Value; 3], String> {
        let (mut off, mut on) = (None, None);
        for _ in 0..arguments.runs.max(1) {
            off = Some(fastest("off", off)?);
            on = Some(fastest("trust", on)?);
        }
        let none = || "not run".to_owned();
        let audit = check(program, model, "audit", &limits)?;
        Ok([off.ok_or_else(none)?, on.ok_or_else(none)?, audit])
    };
    let answers = match all() {
        Ok(answers) => answers,
        Err(problem) => {
            sums.unanswered += 1;
            return say(sums, &format!("no answer ({problem})"));
        }
    };
    if answers.iter().any(ran_out_of_time) {
        sums.unfinished += 1;
        return;
    }
    let verdicts: Vec<&str> =
        answers.iter().map(|a| a["verdict"].as_str().unwrap_or("?")).collect();
    if verdicts.iter().any(|v| *v != verdicts[0]) {
        sums.differing += 1;
        say(sums, &format!("off, trust, audit: {}", verdicts.join(", ")));
    }
    let wrong = &answers[2]["contradicted"];
    if wrong.as_array().is_some_and(|list| !list.is_empty()) {
        sums.contradicted += 1;
        say(sums, &format!("a state contradicts what is said to be proved: {wrong}"));
    }
    let [off, on, _] = &answers;
    sums.evaluations[0] += count(off, "invariant_evaluations");
    sums.evaluations[1] += count(on, "invariant_evaluations");
    if milliseconds(off) >= MEASURED_MS {
        sums.measured += 1;
        sums.ratios.push((milliseconds(on) / milliseconds(off), name.to_owned()));
    }
}

fn summary(arguments: &Arguments, sums: &mut Sums) -> String {
    let [off, on] = sums.evaluations;
    let saved = 100.0 * (1.0 - on as f64 / off.max(1) as f64);
    let mut text = format!(
        "{} models with proofs, at most {} states of each: {} without an answer, {} not finished in \
         {} s, {} with another verdict, {} with a proof that a state contradicts; {off} evaluations \
         without, {on} with proofs ({saved:.1} % saved)\n",
        sums.models,
        arguments.states,
        sums.unanswered,
        sums.unfinished,
        arguments.limit_seconds,
        sums.differing,
        sums.contradicted,
    );
    sums.ratios.sort_by(|a, b| b.0.total_cmp(&a.0));
    let ratios: Vec<f64> = sums.ratios.iter().map(|r| r.0).collect();
    let mean = geometric_mean(&ratios).unwrap_or(1.0);
    let slower: Vec<_> = sums.ratios.iter().filter(|r| r.0 > SLOWER).collect();
    let _ = writeln!(
        text,
        "time with proofs by time without, {} models of {MEASURED_MS} ms or more, fastest of {}: {mean:.2} \
         (geometric mean), {} slower by more than 5 %",
        sums.measured,
        arguments.runs.max(1),
        slower.len(),
    );
    for (ratio, name) in slower {
        let _ = writeln!(text, "- {ratio:.2} {name}");
    }
    if !sums.lines.is_empty() {
        let _ = write!(text, "\n{}", sums.lines);
    }
    text
}

fn keep(text: &str) -> Result<(), String> {
    let machine = Machine::line()?;
    let date = today();
    let text = format!(
        "# Verdicts with and without proofs, {date}\n\nMade by `cargo xtask proof corpus --write`; one \
         thread.\n\n{text}\n```\n{machine}\n```\n"
    );
    runs::keep("proof-corpus.md", &text)
}

/// All packages below a folder that carry proofs.
fn gather(folder: &Path, models: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            gather(&path, models);
        } else if path.extension().is_some_and(|e| e == "eventb") {
            let text = std::fs::read(&path).unwrap_or_default();
            let text = String::from_utf8_lossy(&text);
            if MARKS.iter().any(|mark| text.contains(mark)) {
                models.push(path);
            }
        }
    }
}
