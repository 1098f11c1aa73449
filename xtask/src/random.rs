//! `cargo xtask random`: random machines in every configuration, held against the judge alone.

mod files;

use crate::repository;
use beeline_compare::contest::{Choice, Config, Contest, Found, Tally, overdue};
use beeline_compare::machines;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A check that takes longer is told.
const SLOW: Duration = Duration::from_secs(15);
/// After so many machines a thread hands over its sums, and after so many of all they are printed.
const HAND_OVER: u64 = 100;
const TELL: u64 = 10_000;
/// A check that takes longer does not end. Other work on the machine must not look like it.
const HANG: Duration = Duration::from_secs(180);

#[derive(clap::Args)]
pub struct Arguments {
    /// So many machines
    #[arg(long, default_value_t = 10_000)]
    models: u64,
    /// The seed of the first; the others follow
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// No longer than this
    #[arg(long, default_value_t = 36_000)]
    seconds: u64,
    /// Only this configuration, as it is shown beside a difference; or these
    #[arg(long)]
    config: Vec<String>,
    /// Chains of refinement in Event-B instead of machines of classical B
    #[arg(long)]
    chains: bool,
    /// Models of several machines, and forms that are rare
    #[arg(long, conflicts_with = "chains")]
    rich: bool,
    /// Machines of many small steps, of which much can be proved
    #[arg(long, conflicts_with_all = ["chains", "rich"])]
    processes: bool,
    /// Every configuration that has a name, for every machine
    #[arg(long)]
    every_config: bool,
    /// So many configurations for each machine
    #[arg(long, default_value_t = 7)]
    configs: usize,
    /// Machines at a time; default: one a core
    #[arg(long)]
    jobs: Option<usize>,
    /// Stop after so many differences
    #[arg(long, default_value_t = 10)]
    differences: usize,
    /// Keep what differs here, as files
    #[arg(long)]
    folder: Option<PathBuf>,
    /// Keep what differs as a test of beeline-compare
    #[arg(long)]
    keep: bool,
    /// Do not make what differs smaller
    #[arg(long)]
    unshrunk: bool,
    /// Print the machine of the first seed, and nothing else
    #[arg(long)]
    show: bool,
    /// Say why machines did not load
    #[arg(long)]
    reasons: bool,
    /// These models instead, in every configuration: files, or folders with a main file `M`
    files: Vec<PathBuf>,
}

pub fn run(arguments: &Arguments) -> Result<bool, String> {
    let these: Result<Vec<Config>, String> =
        arguments.config.iter().map(|text| text.parse::<Config>()).collect();
    let choice = match these? {
        these if !these.is_empty() => Choice::These(these),
        _ if arguments.every_config => Choice::All,
        _ => Choice::Some(arguments.configs),
    };
    let generator = match (arguments.chains, arguments.rich, arguments.processes) {
        (true, ..) => machines::chain::chain,
        (_, true, _) => machines::compose::model,
        (.., true) => machines::processes::processes,
        _ => machines::machine,
    };
    if !arguments.files.is_empty() {
        return files::run(&arguments.files);
    }
    let contest = Contest::new(generator, choice);
    if arguments.show {
        for (name, text) in contest.machine(arguments.seed).texts() {
            println!("/* {name} */\n{text}");
        }
        return Ok(true);
    }
    std::panic::set_hook(Box::new(|_| {}));
    watch();
    let jobs =
        arguments.jobs.unwrap_or(std::thread::available_parallelism().map_or(1, usize::from));
    let begin = Instant::now();
    let time = Duration::from_secs(arguments.seconds);
    let (next, differences) = (AtomicU64::new(0), AtomicUsize::new(0));
    let sums = Mutex::new(Tally::default());
    std::thread::scope(|scope| {
        for _ in 0..jobs.max(1) {
            // Enough for everything that would ask for a larger stack.
            let thread = std::thread::Builder::new().stack_size(256 << 20);
            let spawned = thread.spawn_scoped(scope, || {
                let mut tally = Tally::default();
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let enough = differences.load(Ordering::Relaxed) >= arguments.differences;
                    if number >= arguments.models || begin.elapsed() > time || enough {
                        break;
                    }
                    let found = contest.one(arguments.seed.wrapping_add(number), &mut tally);
                    if let Some(found) = found {
                        differences.fetch_add(1, Ordering::Relaxed);
                        tell(arguments, &contest, found);
                    }
                    if tally.made >= HAND_OVER {
                        hand_over(&sums, std::mem::take(&mut tally), begin);
                    }
                }
                hand_over(&sums, tally, begin);
            });
            if let Err(error) = spawned {
                eprintln!("a thread cannot be started: {error}");
            }
        }
    });
    let tally = sums.into_inner().unwrap_or_else(PoisonError::into_inner);
    let differences = differences.into_inner();
    println!("{tally}");
    if arguments.reasons {
        tally.refusals().iter().take(20).for_each(|(n, words)| println!("  {n} × {words}"));
    }
    println!(
        "{differences} differences; seeds from {}, {:.1} s",
        arguments.seed,
        begin.elapsed().as_secs_f64()
    );
    Ok(differences == 0)
}

/// Adds what a thread did to the sums, and tells of them now and then.
fn hand_over(sums: &Mutex<Tally>, tally: Tally, begin: Instant) {
    let mut sums = sums.lock().unwrap_or_else(PoisonError::into_inner);
    let before = sums.made / TELL;
    sums.merge(&tally);
    if sums.made / TELL > before {
        println!("so far, after {:.0} s: {}", begin.elapsed().as_secs_f64(), *sums);
    }
}

/// Tells of machines that take long, and ends the process when one does not end.
fn watch() {
    std::thread::spawn(|| {
        let mut told = Vec::new();
        loop {
            std::thread::sleep(Duration::from_secs(1));
            for (seed, what) in overdue(SLOW) {
                if !told.contains(&seed) {
                    println!("slow: seed {seed}, {what}");
                    told.push(seed);
                }
            }
            if let Some((seed, what)) = overdue(HANG).first() {
                println!("no end within {} s: seed {seed}, {what}", HANG.as_secs());
                std::process::exit(1);
            }
        }
    });
}

/// Shrinks a difference, prints it, and writes it where it is wanted.
fn tell(arguments: &Arguments, contest: &Contest, found: Found) {
    let found = if arguments.unshrunk { found } else { contest.shrunk(found) };
    let texts = found.machine.texts();
    let mut words = format!(
        "{}: {}\nseed {}, configuration: {}\n",
        found.difference.kind, found.difference.words, found.seed, found.config
    );
    for (name, text) in &texts {
        words += &format!("--- {name}\n{text}");
    }
    println!("{words}");
    let mut folders: Vec<PathBuf> = arguments.folder.iter().cloned().collect();
    if arguments.keep {
        folders.push(repository().join("crates/beeline-compare/tests/machines"));
    }
    for folder in folders {
        let name = format!("{}-{}", found.difference.kind.replace(' ', "-"), found.seed);
        if let Err(error) = write(&folder, &name, &texts, &words) {
            eprintln!("{}: {error}", folder.display());
        }
    }
}

/// One file a machine, or a folder for several.
fn write(
    folder: &std::path::Path,
    name: &str,
    texts: &[(String, String)],
    words: &str,
) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    if let [(_, text)] = texts {
        std::fs::write(folder.join(format!("{name}.mch")), text)?;
    } else {
        let folder = folder.join(name);
        std::fs::create_dir_all(&folder)?;
        for (name, text) in texts {
            std::fs::write(folder.join(name), text)?;
        }
    }
    std::fs::write(folder.join(format!("{name}.txt")), words)
}
