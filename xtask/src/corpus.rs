//! `cargo xtask corpus load`: does Beeline load what ProB loaded, and refuse what it refused?
//!
//! The corpus lies outside the repository (`--shared`, by default `../shared` beside it).

mod model;
mod page;

use crate::repository;
use model::{Row, Verdict};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

#[derive(clap::Args)]
pub struct Arguments {
    /// Only this formalism: `b` or `eventb`
    #[arg(long)]
    formalism: Option<String>,
    /// Only every tenth model
    #[arg(long)]
    sample: bool,
    /// The folder that holds corpus/oracle.csv
    #[arg(long)]
    shared: Option<PathBuf>,
    /// Write docs/conformance-load.md
    #[arg(long, conflicts_with = "sample")]
    write: bool,
    /// Print the deviations of these only: path contains this text
    #[arg(long)]
    only: Option<String>,
}

/// What was found of one row.
pub struct Result {
    pub row: Row,
    pub verdict: Verdict,
}

/// Counts against the bars.
pub struct Figures {
    pub loads: Share,
    pub rejects: Share,
    pub roundtrips: Share,
    pub panics: usize,
    pub timeouts: usize,
}

/// So many of so many, and the least percentage that is good enough.
pub struct Share {
    pub good: usize,
    pub all: usize,
    pub bar: f64,
}

impl Share {
    fn of(results: &[Result], bar: f64, good: impl Fn(&Result) -> Option<bool>) -> Share {
        let answers: Vec<bool> = results.iter().filter_map(good).collect();
        Share { good: answers.iter().filter(|a| **a).count(), all: answers.len(), bar }
    }

    pub fn percent(&self) -> f64 {
        if self.all == 0 { 100.0 } else { 100.0 * self.good as f64 / self.all as f64 }
    }

    pub fn reached(&self) -> bool {
        self.percent() >= self.bar
    }
}

/// Where the corpus is, if it is there.
pub fn corpus_folder(shared: Option<&Path>) -> Option<PathBuf> {
    let folder =
        shared.map_or_else(|| repository().join("../shared"), Path::to_owned).join("corpus");
    folder.join("oracle.csv").is_file().then_some(folder)
}

/// All rows.
pub fn rows(corpus: &Path) -> std::result::Result<Vec<Row>, String> {
    let path = corpus.join("oracle.csv");
    let text = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    Ok(model::parse_rows(&text))
}

pub fn load(arguments: &Arguments) -> std::result::Result<bool, String> {
    let Some(corpus) = corpus_folder(arguments.shared.as_deref()) else {
        println!("skipped: there is no corpus beside the repository (see --shared)");
        return Ok(true);
    };
    let mut rows = rows(&corpus)?;
    if let Some(formalism) = &arguments.formalism {
        rows.retain(|r| r.formalism == *formalism);
    }
    if let Some(only) = &arguments.only {
        rows.retain(|r| r.path.contains(only));
    }
    if arguments.sample {
        rows = rows.into_iter().step_by(10).collect();
    }
    crate::guard::silence_panics();
    let results = run_all(&corpus.join("models"), rows);
    let figures = figures(&results);
    print!("{}", page::deviations_text(&results));
    print!("{}", page::figures_text(&figures));
    if arguments.write {
        let path = repository().join("docs/conformance-load.md");
        std::fs::write(&path, page::page(&figures, &results))
            .map_err(|e| format!("{}: {e}", path.display()))?;
    }
    let shares = [&figures.loads, &figures.rejects, &figures.roundtrips];
    Ok(shares.iter().all(|s| s.reached()) && figures.panics == 0 && figures.timeouts == 0)
}

/// Every row, on all cores; results in the order of the rows.
fn run_all(models: &Path, rows: Vec<Row>) -> Vec<Result> {
    let next = AtomicUsize::new(0);
    let verdicts = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some((i, row)) = take(&next, &rows) {
                    let verdict = model::examine(models, row);
                    verdicts.lock().unwrap_or_else(PoisonError::into_inner).push((i, verdict));
                }
            });
        }
    });
    let mut verdicts = verdicts.into_inner().unwrap_or_else(PoisonError::into_inner);
    verdicts.sort_by_key(|v| v.0);
    rows.into_iter().zip(verdicts).map(|(row, (_, verdict))| Result { row, verdict }).collect()
}

fn take<'a>(next: &AtomicUsize, rows: &'a [Row]) -> Option<(usize, &'a Row)> {
    let i = next.fetch_add(1, Ordering::Relaxed);
    rows.get(i).map(|row| (i, row))
}

fn figures(results: &[Result]) -> Figures {
    Figures {
        loads: Share::of(results, 99.0, |r| {
            (r.row.expected == Some(true)).then(|| r.verdict.loads())
        }),
        rejects: Share::of(results, 80.0, |r| {
            (r.row.expected == Some(false)).then(|| r.verdict.rejects_with_place())
        }),
        roundtrips: Share::of(results, 100.0, |r| r.verdict.roundtrips()),
        panics: results.iter().filter(|r| matches!(r.verdict, Verdict::Panicked(_))).count(),
        timeouts: results.iter().filter(|r| matches!(r.verdict, Verdict::TimedOut)).count(),
    }
}
