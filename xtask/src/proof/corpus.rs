//! Every model that carries proofs, with proofs off, on and audited: nothing may change but work.

use super::{check, count};
use crate::corpus::corpus_folder;
use crate::program::{program, ran_out_of_time};
use serde_json::Value;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub struct Arguments {
    /// The folder that holds the corpus
    #[arg(long)]
    shared: Option<PathBuf>,
    /// Seconds for each check
    #[arg(long, default_value_t = 10)]
    limit_seconds: u64,
    /// Only models whose path contains this text
    #[arg(long)]
    filter: Option<String>,
    /// Only every n-th model
    #[arg(long, default_value_t = 1)]
    every: usize,
    /// The program; default: a release build
    #[arg(long)]
    program: Option<PathBuf>,
}

/// What a package with proofs has in it.
const MARKS: [&str; 2] = ["discharged(", "],true)"];

pub fn run(arguments: &Arguments) -> Result<bool, String> {
    let Some(corpus) = corpus_folder(arguments.shared.as_deref()) else {
        println!("skipped: there is no corpus beside the repository (see --shared)");
        return Ok(true);
    };
    let program = program(arguments.program.as_deref())?;
    let mut models = Vec::new();
    gather(&corpus.join("models"), &mut models);
    models.sort();
    models.retain(|m| {
        let name = m.to_string_lossy();
        arguments.filter.as_ref().is_none_or(|f| name.contains(f.as_str()))
    });
    let seconds = arguments.limit_seconds.to_string();
    let limits = ["--timeout", &seconds, "--memory", "2G"];
    let mut sums = [0u64; 6];
    for model in models.iter().step_by(arguments.every.max(1)) {
        let answers: Result<Vec<Value>, String> =
            ["off", "on", "audit"].iter().map(|p| check(&program, model, p, &limits)).collect();
        sums[0] += 1;
        let Ok(answers) = answers else {
            println!("{}: no answer", model.display());
            sums[1] += 1;
            continue;
        };
        if answers.iter().any(ran_out_of_time) {
            sums[2] += 1;
            continue;
        }
        let verdicts: Vec<&str> =
            answers.iter().map(|a| a["verdict"].as_str().unwrap_or("?")).collect();
        if verdicts.iter().any(|v| *v != verdicts[0]) {
            sums[3] += 1;
            println!("{}: {}", model.display(), verdicts.join(", "));
        }
        let wrong = answers[2]["contradicted"].as_array().map_or(0, Vec::len);
        if wrong > 0 {
            println!("{}: {}", model.display(), answers[2]["contradicted"]);
        }
        sums[4] += count(&answers[0], "invariant_evaluations");
        sums[5] += count(&answers[1], "invariant_evaluations");
    }
    let saved = 100.0 * (1.0 - sums[5] as f64 / sums[4].max(1) as f64);
    println!(
        "{} models with proofs: {} without an answer, {} not finished in {seconds} s, {} with \
         another verdict; {} evaluations without, {} with proofs ({saved:.1} % saved)",
        sums[0], sums[1], sums[2], sums[3], sums[4], sums[5]
    );
    Ok(sums[1] + sums[3] == 0)
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
