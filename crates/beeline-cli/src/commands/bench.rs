//! `beeline bench`: run a suite of models and configurations, and show what came of it.

use crate::context::Context;
use crate::exit::Exit;
use crate::limits;
use crate::status::{Status, part};
use beeline::bench::compare::compare;
use beeline::bench::{
    Job, Journal, Machine, Outcome, Results, Runner, Suite, markdown, plot, replace,
};
use beeline::explore::Cancel;
use beeline::report::{escape, to_json};
use std::path::{Path, PathBuf};

pub const EXAMPLES: &str = "Examples:
  beeline bench search.toml --out runs/monday            run a suite, write tables and plots
  beeline bench search.toml --out runs/monday --resume   continue an interrupted run
  beeline bench search.toml --out runs/blocks --only Blocks --with distance
  beeline bench --compare runs/monday runs/friday        what became faster, slower or wrong

Exit codes: 0 all runs are as the suite expects, 1 a verdict or count is wrong (or got worse),
2 usage error.";

/// Run a benchmark suite: models in several configurations
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// A suite: a TOML file
    #[arg(value_name = "SUITE", required_unless_present = "compare")]
    suite: Option<PathBuf>,
    /// The folder for results: runs.jsonl, results.json, results.csv, table.md, plots
    #[arg(long, value_name = "DIR", required_unless_present = "compare")]
    out: Option<PathBuf>,
    /// Continue the run whose results are in the folder
    #[arg(long)]
    resume: bool,
    /// Only models whose name contains this (repeatable)
    #[arg(long, value_name = "TEXT")]
    only: Vec<String>,
    /// Only this configuration, and the reference (repeatable)
    #[arg(long = "with", value_name = "NAME")]
    with: Vec<String>,
    /// Number of repetitions, instead of the one in the suite
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    repetitions: Option<u32>,
    /// Seconds for each run, instead of those in the suite
    #[arg(long, value_name = "S")]
    timeout: Option<f64>,
    /// Compare two folders of results: the older, the newer
    #[arg(long, num_args = 2, value_names = ["OLD", "NEW"], conflicts_with_all = ["suite", "out"])]
    compare: Option<Vec<PathBuf>>,
}

pub fn run(arguments: &Arguments, context: &mut Context) -> Exit {
    match execute(arguments, context) {
        Ok(exit) => exit,
        Err(words) => context.complain(&words, "`beeline bench --help` shows examples"),
    }
}

fn execute(arguments: &Arguments, context: &mut Context) -> Result<Exit, String> {
    if let Some([old, new]) = arguments.compare.as_deref() {
        let comparison = compare(&results(old)?, &results(new)?);
        context.answer(&comparison.text);
        return Ok(if comparison.worse == 0 { Exit::Ok } else { Exit::No });
    }
    let (Some(path), Some(out)) = (&arguments.suite, &arguments.out) else {
        return Err("a suite and a folder for its results are required".to_owned());
    };
    let suite = suite(arguments, path)?;
    let mut journal = Journal::open(out, arguments.resume, to_json)?;
    let cancel = Cancel::new();
    limits::listen(&cancel);
    let mut status = Status::new(true, &cancel);
    let runner = Runner {
        suite: &suite,
        folder: path.parent().unwrap_or(Path::new(".")).to_owned(),
        program: std::env::current_exe().map_err(|e| e.to_string())?,
        stop: &|| cancel.is_cancelled(),
    };
    let jobs = wanted(arguments, &suite);
    let mut runs = Vec::new();
    for (number, job) in jobs.iter().enumerate() {
        if let Some(known) = journal.find(&suite, job) {
            runs.push(known.clone());
            continue;
        }
        status.tell(vec![
            part(0, format!("{number}/{}", jobs.len())),
            part(2, suite.models[job.model].name.clone()),
            part(3, suite.configurations[job.configuration].name.clone()),
        ]);
        let run = runner.run(job)?.run;
        if cancel.is_cancelled() {
            status.end();
            context.answer("interrupted: continue with --resume\n");
            return Ok(Exit::Undetermined);
        }
        journal.add(&run)?;
        runs.push(run);
    }
    status.end();
    let version = env!("CARGO_PKG_VERSION");
    let results = Results::of(&suite, runs, version, Machine::here().to_string());
    write(out, &results)?;
    context.answer(&markdown::markdown(&results));
    let wrong = results.runs.iter().any(|r| r.outcome == Outcome::Wrong);
    Ok(if wrong { Exit::No } else { Exit::Ok })
}

fn suite(arguments: &Arguments, path: &Path) -> Result<Suite, String> {
    let told = |e: &dyn std::fmt::Display| format!("{}: {e}", path.display());
    let (text, _) = beeline::read_text(path, beeline::MAX_FILE_BYTES)
        .map_err(|e| beeline::load_diagnostic(&path.to_string_lossy(), &e).message)?;
    let mut suite = Suite::parse(&text).map_err(|e| told(&e.0))?;
    suite.repetitions = arguments.repetitions.unwrap_or(suite.repetitions);
    suite.timeout = arguments.timeout.unwrap_or(suite.timeout);
    if let Some(name) =
        arguments.with.iter().find(|w| suite.configurations.iter().all(|c| c.name != **w))
    {
        return Err(told(&format!("there is no configuration {name}")));
    }
    Ok(suite)
}

/// The runs that were asked for.
fn wanted(arguments: &Arguments, suite: &Suite) -> Vec<Job> {
    let only = |job: &Job| {
        let name = &suite.models[job.model].name;
        arguments.only.is_empty() || arguments.only.iter().any(|text| name.contains(text))
    };
    let with = |job: &Job| {
        let name = &suite.configurations[job.configuration].name;
        arguments.with.is_empty() || arguments.with.contains(name) || *name == suite.reference
    };
    suite.jobs().into_iter().filter(|job| only(job) && with(job)).collect()
}

/// Writes everything that shows the results.
fn write(folder: &Path, results: &Results) -> Result<(), String> {
    let save = |name: &str, text: &str| {
        let path = folder.join(name);
        replace(&path, escape::visible_lines(text)).map_err(|e| format!("{}: {e}", path.display()))
    };
    save("results.json", &(to_json(results) + "\n"))?;
    save("results.csv", &results.csv())?;
    save("table.md", &markdown::markdown(results))?;
    let names: Vec<&str> = results.configurations.iter().map(String::as_str).collect();
    for class in results.classes() {
        // A class is a word of the suite's author: only what is safe in a file name stays.
        let safe: String = class.chars().filter(char::is_ascii_alphanumeric).collect();
        let safe = if safe.is_empty() { "all".to_owned() } else { safe };
        save(&format!("bars-{safe}.svg"), &plot::bars(results, class, &names))?;
        save(&format!("radar-{safe}.svg"), &plot::radar(results, class, &names))?;
    }
    Ok(())
}

/// The results in a folder.
fn results(folder: &Path) -> Result<Results, String> {
    let path = folder.join("results.json");
    let text = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    serde_json::from_str(&text).map_err(|e| format!("{}: {e}", path.display()))
}
