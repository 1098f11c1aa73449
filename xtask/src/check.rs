//! `cargo xtask corpus check`: do verdicts and counts agree with the recorded ones?
//!
//! Each model runs in a process of its own with a limit on time and memory, so that one bad model
//! cannot spoil the others.

mod compare;
mod page;
mod run;
pub mod sheet;

use crate::corpus::corpus_folder;
use crate::repository;
use compare::Compared;
use sheet::Row;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

pub use run::{OneArguments, Ours, one, spawn_file};

#[derive(clap::Args)]
pub struct Arguments {
    /// Seconds for each model
    #[arg(long, default_value_t = 60)]
    limit_seconds: u64,
    /// Megabytes for each model
    #[arg(long, default_value_t = 4096)]
    limit_megabytes: u64,
    /// Only this formalism: `b` or `eventb`
    #[arg(long)]
    formalism: Option<String>,
    /// Only every tenth model
    #[arg(long)]
    sample: bool,
    /// Only models whose path contains this text
    #[arg(long)]
    filter: Option<String>,
    /// Only rows with this value in the column `complete` (repeatable); default: all with counts
    #[arg(long)]
    complete: Vec<String>,
    /// Models at a time; default: one a core
    #[arg(long)]
    jobs: Option<usize>,
    /// The folder that holds corpus/oracle.csv
    #[arg(long)]
    shared: Option<PathBuf>,
    /// Write docs/conformance.md
    #[arg(long, conflicts_with_all = ["sample", "filter"])]
    write: bool,
    /// Print every model, also those that agree
    #[arg(long)]
    verbose: bool,
}

pub fn check(arguments: &Arguments) -> Result<bool, String> {
    let Some(corpus) = corpus_folder(arguments.shared.as_deref()) else {
        println!("skipped: there is no corpus beside the repository (see --shared)");
        return Ok(true);
    };
    let path = corpus.join("oracle.csv");
    let text = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let mut rows = sheet::rows(&text);
    rows.retain(|r| {
        arguments.formalism.as_ref().is_none_or(|f| r.formalism == *f)
            && arguments.filter.as_ref().is_none_or(|f| r.path.contains(f))
            && match arguments.complete.is_empty() {
                true => r.why != "load_error" && r.why != "not_recorded",
                false => arguments.complete.contains(&r.complete),
            }
    });
    if arguments.sample {
        rows = rows.into_iter().step_by(10).collect();
    }
    let models = corpus.join("models");
    let results = run_all(arguments, &rows, &|row| {
        run::spawn(&models, row, arguments.limit_seconds, arguments.limit_megabytes)
    });
    let compared: Vec<Compared> =
        rows.into_iter().zip(results).map(|(row, ours)| Compared::new(row, ours)).collect();
    print!("{}", page::differences(&compared));
    print!("{}", page::figures(&compared));
    if arguments.write {
        let path = repository().join("docs/conformance.md");
        std::fs::write(&path, page::page(&compared, arguments.limit_seconds))
            .map_err(|e| format!("{}: {e}", path.display()))?;
    }
    Ok(true)
}

/// Every row, several at a time; results in the order of the rows.
fn run_all(
    arguments: &Arguments,
    rows: &[Row],
    work: &(dyn Fn(&Row) -> run::Ours + Sync),
) -> Vec<run::Ours> {
    let jobs = arguments.jobs.unwrap_or(thread::available_parallelism().map_or(1, usize::from));
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                loop {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    let Some(row) = rows.get(i) else { return };
                    let ours = work(row);
                    if arguments.verbose {
                        println!("{}/{} {} {}", i + 1, rows.len(), row.path, ours.line());
                    }
                    done.lock().unwrap_or_else(PoisonError::into_inner).push((i, ours));
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|d| d.0);
    done.into_iter().map(|d| d.1).collect()
}
