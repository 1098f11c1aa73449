//! `cargo xtask matrix`: whatever is switched on or off, nothing changes.
//!
//! Each model of the corpus is checked once plainly and once for each row of [`VARIANTS`]; verdict,
//! counts, cuts, findings with their traces and the checksum of the set of states must be equal.

use crate::check::sheet;
use crate::corpus::corpus_folder;
use crate::program::{check, essence, program, ran_out_of_time};
use crate::repository;
use crate::runs::{Machine, keep};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

#[derive(clap::Args)]
pub struct Arguments {
    /// Models with more recorded states than this are left out
    #[arg(long, default_value_t = 100_000)]
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
    /// Begin with the model of this number
    #[arg(long, default_value_t = 0)]
    from: usize,
    /// Only variants whose name contains this text
    #[arg(long)]
    variant: Option<String>,
    /// Models at a time; default: one a core
    #[arg(long)]
    jobs: Option<usize>,
    /// The folder that holds corpus/oracle.csv
    #[arg(long)]
    shared: Option<PathBuf>,
    /// The program; default: a release build
    #[arg(long)]
    program: Option<PathBuf>,
    /// Print every model
    #[arg(long)]
    verbose: bool,
    /// Keep the result under bench/runs
    #[arg(long)]
    write: bool,
}

/// One thing that is switched.
struct Variant {
    name: &'static str,
    options: &'static [&'static str],
    /// Are findings and their traces the same, too?
    traces: bool,
    /// Is it stopped again and again, and resumed?
    resumed: bool,
    /// Is only a part of the states visited, with the same findings?
    part: bool,
}

const fn variant(name: &'static str, options: &'static [&'static str]) -> Variant {
    Variant { name, options, traces: true, resumed: false, part: false }
}

/// A new switch of the engine is a line here.
const VARIANTS: &[Variant] = &[
    variant("general engine", &["--threads", "1", "--engine", "general"]),
    variant("packed, interpreted", &["--threads", "1", "--engine", "packed"]),
    variant("threads 2", &["--threads", "2"]),
    variant("threads 4", &["--threads", "4"]),
    variant("nothing remembered", &["--threads", "1", "--forgetful"]),
    // Another order of conjuncts is another order of successors: other first findings.
    Variant { traces: false, ..variant("planning off", &["--threads", "1", "--unplanned"]) },
    Variant {
        traces: false,
        ..variant(
            "planning off, general engine",
            &["--threads", "1", "--unplanned", "--engine", "general"],
        )
    },
    Variant { traces: false, ..variant("plans kept", &["--threads", "1", "--keep-plans"]) },
    variant("guards skipped", &["--threads", "1", "--skip", "on"]),
    variant("guards skipped, packed", &["--threads", "1", "--skip", "on", "--engine", "packed"]),
    variant("guards skipped, general", &["--threads", "1", "--skip", "on", "--engine", "general"]),
    variant("guards skipped, spill", &["--threads", "2", "--skip", "on", "--spill-after", "100"]),
    variant("no guard skipped", &["--threads", "1", "--skip", "off"]),
    variant("skipping off", &["--threads", "1", "--proof", "off"]),
    variant("no interpretation", &["--threads", "1", "--uninterpreted"]),
    Variant { traces: false, ..variant("depth first", &["--threads", "1", "--search", "df"]) },
    Variant {
        traces: false,
        part: true,
        ..variant("partial order", &["--threads", "1", "--por", "on"])
    },
    variant("spill", &["--threads", "2", "--spill-after", "100"]),
    Variant {
        resumed: true,
        ..variant("resume and spill", &["--threads", "1", "--spill-after", "500"])
    },
    Variant { resumed: true, ..variant("resume", &["--threads", "2"]) },
];

pub fn run(arguments: &Arguments) -> Result<bool, String> {
    let Some(corpus) = corpus_folder(arguments.shared.as_deref()) else {
        println!("skipped: there is no corpus beside the repository (see --shared)");
        return Ok(true);
    };
    let program = program(arguments.program.as_deref())?;
    let path = corpus.join("oracle.csv");
    let text = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let mut rows = sheet::rows(&text);
    rows.retain(|r| {
        arguments.filter.as_ref().is_none_or(|f| r.path.contains(f))
            && r.why != "load_error"
            && r.states.is_some_and(|n| n < arguments.states)
    });
    let rows: Vec<_> =
        rows.into_iter().skip(arguments.from).step_by(arguments.every.max(1)).collect();
    let jobs =
        arguments.jobs.unwrap_or(std::thread::available_parallelism().map_or(1, usize::from));
    let (next, sums) = (AtomicUsize::new(0), Mutex::new(Sums::default()));
    std::thread::scope(|scope| {
        for job in 0..jobs {
            let (next, sums, rows, program, corpus) = (&next, &sums, &rows, &program, &corpus);
            scope.spawn(move || {
                while let Some(row) = rows.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let models = corpus.join("models");
                    let place = Place { program, models: &models, path: &row.path, job };
                    let result = one(arguments, &place);
                    if arguments.verbose {
                        println!("{} {result:?}", row.path);
                    }
                    sums.lock().unwrap_or_else(PoisonError::into_inner).add(&row.path, result);
                }
            });
        }
    });
    let sums = sums.into_inner().unwrap_or_else(PoisonError::into_inner);
    let text = sums.text();
    print!("{text}");
    if arguments.write {
        keep("matrix.md", &page(arguments, &text))?;
    }
    Ok(sums.differences.is_empty())
}

/// The result with what it is about.
fn page(arguments: &Arguments, text: &str) -> String {
    let names: Vec<&str> = VARIANTS.iter().map(|v| v.name).collect();
    let machine = Machine::here();
    format!(
        "# Nothing changes\n\nEvery model of the corpus with fewer than {} recorded states, checked \
         plainly on one thread and once more with each of these: {}. Verdict, counts, cuts, findings \
         with their traces and the checksum of the set of states are compared. {} s a run; {}, {} \
         cores.\n\nMade by `cargo xtask matrix --write`.\n\n{text}",
        arguments.states,
        names.join(", "),
        arguments.limit_seconds,
        machine.computer.cpu,
        machine.computer.cores,
    )
}

#[derive(Default)]
struct Sums {
    models: u64,
    compared: u64,
    left_out: u64,
    unlike: u64,
    differences: Vec<String>,
}

/// What came of one model.
#[derive(Debug, Default)]
struct Compared {
    variants: u64,
    /// Those that kept other sets unlisted than the plain run, so that checksums tell nothing.
    unlike: u64,
    differences: Vec<String>,
}

impl Sums {
    fn text(&self) -> String {
        let mut text = format!(
            "{} models, {} comparisons ({} without the checksum, as other sets are kept unlisted), {} models \
             left out (not loaded, or out of time), {} differences\n",
            self.models,
            self.compared,
            self.unlike,
            self.left_out,
            self.differences.len(),
        );
        for difference in &self.differences {
            text += &format!("- {difference}\n");
        }
        text
    }

    fn add(&mut self, path: &str, result: Result<Compared, String>) {
        self.models += 1;
        match result {
            Ok(compared) => {
                self.compared += compared.variants;
                self.unlike += compared.unlike;
                self.differences
                    .extend(compared.differences.iter().map(|d| format!("{path}: {d}")));
            }
            Err(_) => self.left_out += 1,
        }
    }
}

struct Place<'a> {
    program: &'a Path,
    models: &'a Path,
    path: &'a str,
    job: usize,
}

/// Compares all variants of one model. An error: the model is left out.
fn one(arguments: &Arguments, place: &Place<'_>) -> Result<Compared, String> {
    let common: Vec<String> = ["--all", "--no-goal", "--timeout"]
        .map(str::to_owned)
        .into_iter()
        .chain([arguments.limit_seconds.to_string()])
        .collect();
    let model = place.models.join(place.path);
    let with = |more: &[&str]| {
        let mut options = common.clone();
        options.extend(more.iter().map(|o| (*o).to_owned()));
        options
    };
    let plain = check(place.program, &model, place.models, &with(&["--threads", "1"]))?;
    if ran_out_of_time(&plain) || lacks_checksum(&plain) || plain["verdict"] == "model_error" {
        return Err("left out".to_owned());
    }
    let mut compared = Compared::default();
    for variant in VARIANTS {
        if arguments.variant.as_ref().is_some_and(|v| !variant.name.contains(v.as_str())) {
            continue;
        }
        let answer = match variant.resumed {
            false => match check(place.program, &model, place.models, &with(variant.options)) {
                // Refused, with a reason.
                Err(_) if variant.part => continue,
                answer => answer?,
            },
            true => match in_pieces(place, &with(variant.options), arguments.limit_seconds)? {
                Some(answer) => answer,
                None => continue,
            },
        };
        // The checksum is the last thing that a limit can end.
        if ran_out_of_time(&answer) || lacks_checksum(&answer) {
            continue;
        }
        compared.variants += 1;
        let (mut a, mut b) = (essence(&answer, variant.traces), essence(&plain, variant.traces));
        // A judge that gave up did so by the clock.
        if [&answer, &plain].iter().any(|r| r["verdict"] == "undetermined") {
            (a[0], b[0]) = (String::new(), String::new());
        }
        if variant.part {
            let counts = ["nodes ", "transitions ", "states "];
            let keep = |l: &String| !counts.iter().any(|count| l.starts_with(count));
            [&mut a, &mut b].into_iter().for_each(|lines| lines.retain(keep));
        }
        if answer["stats"]["unlisted"] != plain["stats"]["unlisted"] {
            compared.unlike += 1;
            [&mut a, &mut b]
                .into_iter()
                .for_each(|lines| lines.retain(|l| !l.starts_with("states ")));
        }
        if a != b {
            let line = a.iter().zip(&b).find(|(a, b)| a != b);
            let (a, b) = line.map_or(("more or fewer findings", ""), |(a, b)| (a.as_str(), b));
            compared.differences.push(format!("{}: {a} not {b}", variant.name));
        }
    }
    Ok(compared)
}

/// Did a limit end the sum over all states?
fn lacks_checksum(answer: &Value) -> bool {
    answer["stats"].is_object() && answer["stats"]["checksum"].is_null()
}

/// Stopped after ever longer pieces of time, until it comes to its end; nothing if that takes a few
/// times longer than one run may.
fn in_pieces(
    place: &Place<'_>,
    options: &[String],
    limit_seconds: u64,
) -> Result<Option<Value>, String> {
    // Nobody else's, should two run at once.
    let name = format!("target/matrix/{}-{}", std::process::id(), place.job);
    let folder = repository().join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
    let mut found = None;
    for piece in 0..24 {
        let mut options = options.to_vec();
        let at = options.iter().position(|o| o == "--timeout").ok_or("no limit")?;
        let seconds = 0.02 * f64::from(1 << piece);
        if seconds > 4.0 * limit_seconds as f64 {
            break;
        }
        options[at + 1] = seconds.to_string();
        options
            .extend(["--resume", "--checkpoint-every", "0.005", "--checkpoint"].map(str::to_owned));
        options.push(folder.to_string_lossy().into_owned());
        let answer = check(place.program, &place.models.join(place.path), place.models, &options)?;
        if !ran_out_of_time(&answer) {
            found = Some(answer);
            break;
        }
    }
    let _ = std::fs::remove_dir_all(&folder);
    Ok(found)
}
