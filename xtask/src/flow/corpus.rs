//! Many models, each in a process of its own.

use super::audit::Audited;
use crate::check::sheet;
use crate::corpus::corpus_folder;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

#[derive(clap::Args)]
pub struct Arguments {
    /// Models to look at
    models: Vec<PathBuf>,
    /// Models of the corpus whose state space was explored completely
    #[arg(long)]
    corpus: bool,
    /// So many of them, evenly spread
    #[arg(long)]
    sample: Option<usize>,
    /// Only models whose path contains this text
    #[arg(long)]
    filter: Option<String>,
    /// The folder that holds corpus/oracle.csv
    #[arg(long)]
    shared: Option<PathBuf>,
    /// States of a model at most
    #[arg(long, default_value_t = 20_000)]
    states: usize,
    /// Seconds for each model
    #[arg(long, default_value_t = 60)]
    limit_seconds: u64,
    /// Also ask the solver, in the scope of a check
    #[arg(long)]
    in_scope: bool,
    /// Also ask Z3
    #[arg(long)]
    z3: bool,
    /// Print every model
    #[arg(long)]
    verbose: bool,
}

pub fn run(arguments: &Arguments) -> Result<bool, String> {
    let mut models = arguments.models.clone();
    if arguments.corpus {
        let Some(corpus) = corpus_folder(arguments.shared.as_deref()) else {
            println!("skipped: there is no corpus beside the repository (see --shared)");
            return Ok(true);
        };
        models.extend(complete(arguments, &corpus)?);
    }
    let mut sum = Audited::default();
    let (mut done, mut ended) = (0, 0);
    for model in &models {
        match one(arguments, model)? {
            Some(found) => {
                done += 1;
                if arguments.verbose || !found.contradictions.is_empty() {
                    println!("{}: {}", model.display(), found.line());
                }
                found.contradictions.iter().for_each(|c| println!("  {c}"));
                sum.add(found);
            }
            None => {
                ended += 1;
                if arguments.verbose {
                    println!("{}: not audited", model.display());
                }
            }
        }
    }
    println!("{} models, {done} audited, {ended} not (load, time): {}", models.len(), sum.line());
    Ok(sum.contradictions.is_empty())
}

/// Models with a complete state space that is not too large.
fn complete(arguments: &Arguments, corpus: &Path) -> Result<Vec<PathBuf>, String> {
    let path = corpus.join("oracle.csv");
    let text = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let mut rows = sheet::rows(&text);
    rows.retain(|r| {
        r.complete == "yes"
            && r.states.is_some_and(|n| n <= arguments.states as u64)
            && arguments.filter.as_ref().is_none_or(|f| r.path.contains(f.as_str()))
    });
    let every = arguments.sample.map_or(1, |n| rows.len().div_ceil(n.max(1)).max(1));
    let models = corpus.join("models");
    Ok(rows.iter().step_by(every).map(|r| models.join(&r.path)).collect())
}

fn one(arguments: &Arguments, model: &Path) -> Result<Option<Audited>, String> {
    let program = std::env::current_exe().map_err(|e| e.to_string())?;
    let mut command = Command::new(program);
    command.args(["flow", "one", "--states", &arguments.states.to_string()]).arg(model);
    command.args(arguments.in_scope.then_some("--in-scope"));
    command.args(arguments.z3.then_some("--z3"));
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().map_err(|e| e.to_string())?;
    let until = Instant::now() + Duration::from_secs(arguments.limit_seconds);
    // What it says is one line, which fits into the pipe.
    while child.try_wait().map_err(|e| e.to_string())?.is_none() {
        if Instant::now() > until {
            let _ = child.kill();
            let _ = child.wait();
            return Ok(None);
        }
        sleep(Duration::from_millis(10));
    }
    let output = child.wait_with_output().map_err(|e| e.to_string())?;
    Ok(serde_json::from_slice(&output.stdout).ok())
}
