//! Every complete model of the corpus in every method: exact counts, and the same verdict on each conjunct.

use super::Run;
use super::one::Report;
use crate::check::sheet;
use crate::corpus::corpus_folder;
use beeline_bench::process::Watch;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

#[derive(clap::Args)]
pub struct Arguments {
    /// Where results are kept, one a line; models that are there already are not run again
    results: PathBuf,
    /// Stop after so many minutes; another run goes on
    #[arg(long, default_value_t = 600)]
    minutes: u64,
    /// Seconds for each search
    #[arg(long, default_value_t = 10)]
    seconds: u64,
    /// States of a model at most
    #[arg(long, default_value_t = 200_000)]
    states: u64,
    /// Only models whose path contains this text
    #[arg(long)]
    filter: Option<String>,
    /// Also models of which it is likely only that they were explored completely
    #[arg(long)]
    likely: bool,
    /// Only every so many-th
    #[arg(long, default_value_t = 1)]
    every: usize,
    /// The folder that holds corpus/oracle.csv
    #[arg(long)]
    shared: Option<PathBuf>,
    /// Say of each model what became of it
    #[arg(long)]
    verbose: bool,
}

/// A line of the results.
#[derive(Serialize, Deserialize)]
struct Line {
    path: String,
    report: Report,
}

pub fn run(arguments: &Arguments) -> Result<bool, String> {
    let Some(corpus) = corpus_folder(arguments.shared.as_deref()) else {
        println!("skipped: there is no corpus beside the repository (see --shared)");
        return Ok(true);
    };
    let text = std::fs::read_to_string(corpus.join("oracle.csv")).map_err(|e| e.to_string())?;
    let mut rows = sheet::rows(&text);
    rows.retain(|r| {
        (r.complete == "yes" || arguments.likely && r.complete == "likely")
            && r.states.is_none_or(|n| n <= arguments.states)
            && arguments.filter.as_ref().is_none_or(|f| r.path.contains(f.as_str()))
    });
    let paths: Vec<String> = rows.into_iter().step_by(arguments.every).map(|r| r.path).collect();
    let done = read(&arguments.results)?;
    let begin = Instant::now();
    let mut keep = std::fs::OpenOptions::new()
        .create(true)
        .append(true)
        .open(&arguments.results)
        .map_err(|e| format!("{}: {e}", arguments.results.display()))?;
    for path in paths.iter().filter(|p| !done.contains_key(*p)) {
        if begin.elapsed() > Duration::from_secs(60 * arguments.minutes) {
            break;
        }
        let report = child(&corpus, path, arguments)?;
        let line = Line { path: path.clone(), report };
        let line = serde_json::to_string(&line).map_err(|e| e.to_string())?;
        writeln!(keep, "{line}").map_err(|e| e.to_string())?;
    }
    let mut done = read(&arguments.results)?;
    done.retain(|path, _| paths.contains(path));
    let mut sum = Sum { all: paths.len(), run: done.len(), ..Sum::default() };
    for (path, report) in &done {
        let told = sum.add(path, report);
        if arguments.verbose {
            println!("{path}: {told}");
        }
    }
    print!("{}", sum.text());
    Ok(sum.differences.is_empty())
}

fn read(results: &Path) -> Result<BTreeMap<String, Report>, String> {
    let Ok(text) = std::fs::read_to_string(results) else { return Ok(BTreeMap::new()) };
    let line = |line: &str| {
        let line: Line = serde_json::from_str(line).map_err(|e| e.to_string())?;
        Ok((line.path, line.report))
    };
    text.lines().map(line).collect()
}

fn child(corpus: &Path, path: &str, arguments: &Arguments) -> Result<Report, String> {
    let program = std::env::current_exe().map_err(|e| e.to_string())?;
    let mut command = Command::new(program);
    command
        .args(["symbolic", "one", "--seconds", &arguments.seconds.to_string()])
        .args(["--states", &arguments.states.to_string(), "--root"])
        .arg(corpus.join("models"))
        .arg(corpus.join("models").join(path));
    let patience = Duration::from_secs(arguments.seconds * 8 + 30);
    let ended = Watch::new().limit(patience).run(&mut command)?;
    let text = String::from_utf8_lossy(&ended.output);
    let lost = || Report { skipped: "did not end well".to_owned(), ..Report::default() };
    Ok(serde_json::from_str(text.trim()).unwrap_or_else(|_| lost()))
}

/// Does a cut say that the layout is not finite?
fn is_unpacked(run: &Run) -> bool {
    let words = ["no finite layout", "nobody says how variable", "states of at most"];
    run.cut.as_ref().is_some_and(|cut| words.iter().any(|w| cut.contains(w)))
}

/// What one method did, over all models that pack.
#[derive(Default)]
struct Share {
    equal: usize,
    /// Why it did not end, and how often.
    cuts: BTreeMap<String, usize>,
}

#[derive(Default)]
struct Sum {
    all: usize,
    run: usize,
    /// Explored completely by the explicit search.
    complete: usize,
    /// Those of them that do not pack.
    unpacked: usize,
    skipped: BTreeMap<String, usize>,
    methods: BTreeMap<String, Share>,
    made: [usize; 3],
    differences: Vec<String>,
}

impl Sum {
    fn add(&mut self, path: &str, report: &Report) -> String {
        let Some(explicit) = &report.explicit else {
            let words = report.skipped.split(':').next().unwrap_or("").to_owned();
            *self.skipped.entry(words).or_default() += 1;
            return report.skipped.clone();
        };
        self.complete += 1;
        if report.runs.iter().any(is_unpacked) {
            self.unpacked += 1;
        }
        let mut told = String::new();
        for run in &report.runs {
            let what = match &run.cut {
                None if same(run, explicit) => "equal",
                None => {
                    let words = format!("{:?}, not {:?}", run.facts, explicit.facts);
                    self.differences.push(format!("{path}, {}: {words}", run.method));
                    "DIFFERS"
                }
                Some(cut) if cut.contains("error of the program") => {
                    self.differences.push(format!("{path}, {}: {cut}", run.method));
                    "DIFFERS"
                }
                Some(cut) => cut.as_str(),
            };
            let _ = write!(told, "{} {what} {:.2} s; ", run.method, run.seconds);
            if report.runs.iter().any(is_unpacked) {
                continue;
            }
            let share = self.methods.entry(run.method.clone()).or_default();
            match what {
                "equal" => share.equal += 1,
                "DIFFERS" => {}
                cut => *share.cuts.entry(shortened(cut)).or_default() += 1,
            }
            if run.method == "symbolic" {
                self.made.iter_mut().zip(run.made).for_each(|(all, own)| *all += own);
            }
        }
        told
    }

    fn text(&self) -> String {
        let mut out = format!(
            "{} of {} models run; {} explored completely by the explicit search, {} of them pack\n",
            self.run,
            self.all,
            self.complete,
            self.complete - self.unpacked
        );
        for (words, count) in &self.skipped {
            let _ = writeln!(out, "  left out: {count} × {words}");
        }
        let all = (self.complete - self.unpacked).max(1);
        for (method, share) in &self.methods {
            let percent = 100.0 * share.equal as f64 / all as f64;
            let _ = writeln!(out, "{method}: {} equal ({percent:.1} %)", share.equal);
            for (words, count) in &share.cuts {
                let _ = writeln!(out, "  {count} × {words}");
            }
        }
        let [exact, partly, learned] = self.made;
        let _ = writeln!(out, "relations: {exact} exact, {partly} partly exact, {learned} learned");
        let _ = writeln!(out, "{} differences", self.differences.len());
        for difference in &self.differences {
            let _ = writeln!(out, "  {difference}");
        }
        out
    }
}

/// Numbers make each reason another one.
fn shortened(cut: &str) -> String {
    let plain: String = cut.chars().map(|c| if c.is_ascii_digit() { '#' } else { c }).collect();
    let mut words: Vec<&str> = Vec::new();
    for word in plain.split_whitespace() {
        let word = if word.contains('#') { "…" } else { word };
        if words.last() != Some(&word) {
            words.push(word);
        }
    }
    // Names of operations come second.
    match words[..] {
        ["operation", _, ref rest @ ..] => format!("an operation {}", rest.join(" ")),
        _ => words.join(" "),
    }
}

/// Is everything that a method says what the explicit search says?
fn same(run: &Run, explicit: &Run) -> bool {
    let (own, other) = (&run.facts, &explicit.facts);
    let counts = |a: &Option<String>, b: &Option<String>| a.is_none() || a == b;
    own.verdict == other.verdict
        && own.findings == other.findings
        && counts(&own.states, &other.states)
        && counts(&own.transitions, &other.transitions)
}
