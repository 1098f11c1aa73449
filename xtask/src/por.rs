//! `cargo xtask por`: partial order reduction on the models of the corpus: the same verdicts and the same kinds
//! of findings, and how much smaller state spaces become.

use crate::check::sheet;
use crate::corpus::corpus_folder;
use crate::program::{check, program, ran_out_of_time};
use crate::runs::keep;
use clap::Subcommand;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};

#[derive(Subcommand)]
pub enum Task {
    /// Check models with and without the reduction, and compare
    Corpus(Arguments),
}

#[derive(clap::Args)]
pub struct Arguments {
    /// Models with more recorded states than this are left out
    #[arg(long, default_value_t = 20_000)]
    states: u64,
    /// Seconds for each run; a model that needs more is left out
    #[arg(long, default_value_t = 20)]
    limit_seconds: u64,
    /// Only models whose path contains this text
    #[arg(long)]
    filter: Option<String>,
    /// Only every so-manieth model
    #[arg(long, default_value_t = 1)]
    every: usize,
    /// The first of them: with `--every N`, those from 0 to N - 1 are all models in portions
    #[arg(long, default_value_t = 0)]
    offset: usize,
    /// Figures of real ProB with ample sets: lines of path, states
    #[arg(long)]
    figures: Option<PathBuf>,
    /// The folder that holds corpus/oracle.csv
    #[arg(long)]
    shared: Option<PathBuf>,
    /// The program; default: a release build
    #[arg(long)]
    program: Option<PathBuf>,
    /// Print every model
    #[arg(long)]
    verbose: bool,
    /// Keep the table under bench/runs
    #[arg(long)]
    write: bool,
}

pub fn run(task: &Task) -> Result<bool, String> {
    let Task::Corpus(arguments) = task;
    let Some(corpus) = corpus_folder(arguments.shared.as_deref()) else {
        println!("skipped: there is no corpus beside the repository (see --shared)");
        return Ok(true);
    };
    let program = program(arguments.program.as_deref())?;
    let path = corpus.join("oracle.csv");
    let text = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let figures = arguments.figures.as_deref().map(figures).transpose()?;
    let mut rows = sheet::rows(&text);
    rows.retain(|r| {
        arguments.filter.as_ref().is_none_or(|f| r.path.contains(f))
            && figures.as_ref().is_none_or(|f| f.contains_key(&r.path))
            && r.why != "load_error"
            && r.states.is_some_and(|n| n < arguments.states)
    });
    let mut sums = Sums::default();
    for row in rows.iter().skip(arguments.offset).step_by(arguments.every.max(1)) {
        let theirs = figures.as_ref().and_then(|f| f.get(&row.path).copied());
        let models = corpus.join("models");
        let result = one(&program, &models, &row.path, arguments.limit_seconds);
        if arguments.verbose {
            println!("{} {result:?} {theirs:?}", row.path);
        }
        sums.add(&row.path, result, theirs);
    }
    let text = sums.text();
    print!("{text}");
    if arguments.write {
        keep(
            "partial-order.md",
            &format!("# Partial order reduction on the corpus\n\n{text}{}", sums.table()),
        )?;
    }
    Ok(sums.differences.is_empty())
}

/// States of each model that real ProB visits.
fn figures(path: &Path) -> Result<BTreeMap<String, u64>, String> {
    let text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let line = |l: &str| {
        let (path, states) = l.rsplit_once(',')?;
        Some((path.to_owned(), states.trim().parse().ok()?))
    };
    Ok(text.lines().filter_map(line).collect())
}

/// What came of one model.
#[derive(Debug)]
enum Compared {
    /// Nodes without the root: of all, and reduced.
    Same(u64, u64),
    /// It was not explored to its end, or not at all.
    Open(String),
    Different(String),
}

fn one(program: &Path, models: &Path, path: &str, seconds: u64) -> Compared {
    let run = |options: &[&str]| {
        let mut all = vec!["--timeout".to_owned(), seconds.to_string(), "--threads".to_owned()];
        all.extend(["1", "--no-temporal", "--no-refinement"].map(str::to_owned));
        all.extend(options.iter().map(|o| (*o).to_owned()));
        check(program, &models.join(path), models, &all)
    };
    let answers = (run(&["--all"]), run(&["--all", "--por", "on"]), run(&["--por", "audit"]));
    let (Ok(plain), Ok(all), Ok(first)) = answers else {
        return Compared::Open("no answer".to_owned());
    };
    if [&plain, &all, &first].into_iter().any(ran_out_of_time) {
        return Compared::Open("more time is needed".to_owned());
    }
    if all["message"].as_str().is_some_and(|m| m.contains("SCOPE")) {
        return Compared::Open("it has a SCOPE".to_owned());
    }
    for (name, answer) in [("--all", &all), ("first", &first)] {
        if plain["verdict"] != answer["verdict"] {
            let words = format!("{name}: {} is {}", plain["verdict"], answer["verdict"]);
            return Compared::Different(words);
        }
    }
    let lost = first["partial_order"]["audit"]["lost"].as_array().is_some_and(|l| !l.is_empty());
    if lost || kinds(&plain) != kinds(&all) {
        return Compared::Different(format!("{:?} are {:?}", kinds(&plain), kinds(&all)));
    }
    let nodes = |answer: &Value| answer["counts"]["nodes"].as_u64().unwrap_or(0).saturating_sub(1);
    let found = !kinds(&plain).is_empty();
    let reduced = if found { &all } else { &first };
    match plain["complete"].as_bool() {
        Some(true) => Compared::Same(nodes(&plain), nodes(reduced)),
        _ => Compared::Open("not complete".to_owned()),
    }
}

fn kinds(answer: &Value) -> BTreeSet<String> {
    let list = answer["findings"].as_array().cloned().unwrap_or_default();
    list.iter().map(|f| format!("{} {}", f["kind"], f["name"])).collect()
}

#[derive(Default)]
struct Sums {
    same: Vec<(String, u64, u64, Option<u64>)>,
    open: BTreeMap<String, usize>,
    differences: Vec<String>,
}

impl Sums {
    fn add(&mut self, path: &str, result: Compared, theirs: Option<u64>) {
        match result {
            Compared::Same(all, reduced) => self.same.push((path.to_owned(), all, reduced, theirs)),
            Compared::Open(why) => *self.open.entry(why).or_default() += 1,
            Compared::Different(what) => self.differences.push(format!("{path}: {what}")),
        }
    }

    fn text(&self) -> String {
        let mut out = String::new();
        let ratios = self.same.iter().filter(|r| r.1 > 0).map(|r| r.2 as f64 / r.1 as f64);
        let smaller = self.same.iter().filter(|r| r.2 < r.1).count();
        let _ = writeln!(
            out,
            "{} models, {} different; {smaller} of them smaller, geometric mean {:.3} of all nodes",
            self.same.len() + self.differences.len(),
            self.differences.len(),
            mean(ratios)
        );
        for (why, count) in &self.open {
            let _ = writeln!(out, "{count} left out: {why}");
        }
        for difference in &self.differences {
            let _ = writeln!(out, "DIFFERENT {difference}");
        }
        let beside: Vec<_> = self.same.iter().filter_map(|r| Some((r.2, r.3?))).collect();
        if !beside.is_empty() {
            let fine = beside.iter().filter(|(ours, theirs)| ours <= theirs).count();
            let ratios = beside.iter().filter(|b| b.1 > 0).map(|b| b.0 as f64 / b.1 as f64);
            let _ = writeln!(
                out,
                "beside ProB's ample sets: no larger on {fine} of {}, geometric mean {:.3}",
                beside.len(),
                mean(ratios)
            );
        }
        out
    }

    fn table(&self) -> String {
        let mut out = String::from("\n| model | nodes | reduced | ProB |\n|---|---|---|---|\n");
        for (path, all, reduced, theirs) in &self.same {
            let theirs = theirs.map(|n| n.to_string()).unwrap_or_default();
            let _ = writeln!(out, "| {path} | {all} | {reduced} | {theirs} |");
        }
        out
    }
}

fn mean(ratios: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) =
        ratios.fold((0.0, 0.0), |(sum, n), ratio| (sum + ratio.max(1e-9).ln(), n + 1.0));
    if count > 0.0 { f64::exp(sum / count) } else { 1.0 }
}
