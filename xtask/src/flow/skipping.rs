//! `cargo xtask flow skipping`: how many guards need not be evaluated, model by model.
//!
//! Each model is checked with `--skip off`, `on`, `auto` and `audit`. Verdict, counts, cuts, findings with their
//! traces and the set of states must be the same, and the audit must find nothing.

use crate::check::sheet;
use crate::corpus::corpus_folder;
use crate::program::{check, essence, program, ran_out_of_time};
use crate::runs::keep;
use serde_json::Value;
use std::fmt::Write;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub struct Arguments {
    /// Models to look at; default: those of the corpus that were explored completely
    models: Vec<PathBuf>,
    /// So many models of the corpus, evenly spread; default: all
    #[arg(long)]
    sample: Option<usize>,
    /// Only models of the corpus whose path contains this text
    #[arg(long)]
    filter: Option<String>,
    /// Only models with so many operations or more
    #[arg(long, default_value_t = 5)]
    operations: u64,
    /// States of a model of the corpus at most
    #[arg(long, default_value_t = 20_000)]
    states: u64,
    /// Seconds for each run; a model that needs more is left out
    #[arg(long, default_value_t = 20)]
    limit_seconds: u64,
    /// The folder that holds corpus/oracle.csv
    #[arg(long)]
    shared: Option<PathBuf>,
    /// The program; default: a release build
    #[arg(long)]
    program: Option<PathBuf>,
    /// Keep the table in bench/runs
    #[arg(long)]
    write: bool,
}

/// What one model came to.
struct Row {
    name: String,
    operations: u64,
    states: u64,
    /// Guards of all states.
    all: u64,
    /// Those of them that were evaluated, everywhere and where it pays.
    on: u64,
    auto: u64,
}

pub fn run(arguments: &Arguments) -> Result<bool, String> {
    let (models, root) = match arguments.models.is_empty() {
        false => (arguments.models.clone(), None),
        true => {
            let Some(corpus) = corpus_folder(arguments.shared.as_deref()) else {
                println!("skipped: there is no corpus beside the repository (see --shared)");
                return Ok(true);
            };
            (complete(arguments, &corpus)?, Some(corpus.join("models")))
        }
    };
    let program = program(arguments.program.as_deref())?;
    let (mut rows, mut wrong, mut left_out) = (Vec::new(), 0, 0);
    for model in &models {
        let folder = model.parent().unwrap_or(Path::new("."));
        let root = root.as_deref().unwrap_or(folder);
        match one(arguments, &program, model, root)? {
            None => left_out += 1,
            Some(Err(words)) => {
                println!("{}: {words}", model.display());
                wrong += 1;
            }
            Some(Ok(row)) => rows.push(row),
        }
    }
    let text = table(&rows, left_out, wrong);
    print!("{text}");
    if arguments.write {
        keep("skipping.md", &format!("# Guards that are not evaluated\n\n{text}"))?;
    }
    Ok(wrong == 0)
}

/// Models with a complete state space that is not too large.
fn complete(arguments: &Arguments, corpus: &Path) -> Result<Vec<PathBuf>, String> {
    let path = corpus.join("oracle.csv");
    let text = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let mut rows = sheet::rows(&text);
    rows.retain(|r| {
        r.complete == "yes"
            && r.states.is_some_and(|n| n <= arguments.states)
            && arguments.filter.as_ref().is_none_or(|f| r.path.contains(f.as_str()))
    });
    let every = arguments.sample.map_or(1, |n| rows.len().div_ceil(n.max(1)).max(1));
    let models = corpus.join("models");
    Ok(rows.iter().step_by(every).map(|r| models.join(&r.path)).collect())
}

/// Nothing for a model that is not for this table; words if something differs.
fn one(
    arguments: &Arguments,
    program: &Path,
    model: &Path,
    root: &Path,
) -> Result<Option<Result<Row, String>>, String> {
    let seconds = arguments.limit_seconds.to_string();
    let run = |usage: &str| {
        let options = ["--threads", "1", "--timeout", &seconds, "--skip", usage];
        check(program, model, root, &options.map(str::to_owned))
    };
    let off = run("off")?;
    let count = |answer: &Value, name: &str| answer["counts"][name].as_u64().unwrap_or(0);
    let all = count(&off, "guard_evaluations");
    let states = count(&off, "states") - count(&off, "constants");
    let operations = all.checked_div(states).unwrap_or(0);
    // Of a search that did not visit all states it is not known how many operations there are.
    if off["complete"] != true || operations < arguments.operations || ran_out_of_time(&off) {
        return Ok(None);
    }
    let (on, auto, audit) = (run("on")?, run("auto")?, run("audit")?);
    if [&on, &auto, &audit].into_iter().any(ran_out_of_time) {
        return Ok(None);
    }
    for (answer, name) in [(&on, "on"), (&auto, "auto"), (&audit, "audit")] {
        if essence(answer, true) != essence(&off, true) {
            return Ok(Some(Err(format!("another result with --skip {name}"))));
        }
    }
    let found = audit["wrongly_skipped"].as_array().map_or(0, Vec::len);
    if found > 0 {
        return Ok(Some(Err(format!("{found} operations were known to be disabled and are not"))));
    }
    let name = model.strip_prefix(root).unwrap_or(model).display().to_string();
    let (on, auto) = (count(&on, "guard_evaluations"), count(&auto, "guard_evaluations"));
    Ok(Some(Ok(Row { name, operations, states, all, on, auto })))
}

/// All rows, and what they come to together.
fn table(rows: &[Row], left_out: usize, wrong: usize) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "| model | operations | states | guards | evaluated | saved | auto |");
    let _ = writeln!(out, "|---|---|---|---|---|---|---|");
    let saved = |left: u64, all: u64| 100.0 * (1.0 - left as f64 / all.max(1) as f64);
    for Row { name, operations, states, all, on, auto } in rows {
        let _ = writeln!(
            out,
            "| {name} | {operations} | {states} | {all} | {on} | {:.0} % | {:.0} % |",
            saved(*on, *all),
            saved(*auto, *all)
        );
    }
    let count = rows.len().max(1) as f64;
    // Of what is left: one model of which nothing can be saved must not hide all others.
    let left = |of: fn(&Row) -> u64| {
        let logarithm = |r: &Row| (of(r).max(1) as f64 / r.all.max(1) as f64).ln();
        100.0 * (1.0 - (rows.iter().map(logarithm).sum::<f64>() / count).exp())
    };
    let more = rows.iter().filter(|r| saved(r.on, r.all) >= 30.0).count();
    let _ = writeln!(
        out,
        "\n{} models ({left_out} left out: fewer operations, not complete, no time; {wrong} with another result). \
         Saved with `--skip on`: {:.1} % (geometric mean of what is left), 30 % or more in {more}; \
         with `--skip auto`: {:.1} %.",
        rows.len(),
        left(|r| r.on),
        left(|r| r.auto)
    );
    out
}
