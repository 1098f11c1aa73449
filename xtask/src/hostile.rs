//! `cargo xtask hostile`: models that mean harm, and the whole corpus, under limits of time and memory.
//!
//! Each run of the program must end in time and within its memory, by itself, with an exit code that
//! means something. What the model means is no concern of this.

use crate::corpus::corpus_folder;
use crate::program::program;
use crate::runs::keep;
use beeline_bench::process::Watch;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

#[derive(clap::Args)]
pub struct Arguments {
    /// Run every model of the corpus as well
    #[arg(long)]
    corpus: bool,
    /// Run the corpus only
    #[arg(long)]
    only_corpus: bool,
    /// Only what has this in its name
    #[arg(long)]
    filter: Option<String>,
    /// Only the smallest size of each template
    #[arg(long)]
    small: bool,
    /// How many at a time
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    /// A run that is late is tried again so often: others may use the machine
    #[arg(long, default_value_t = 2)]
    again: u32,
    /// Write the hostile models here and leave them there
    #[arg(long)]
    write: Option<PathBuf>,
    /// Keep a summary in bench/runs
    #[arg(long)]
    keep: bool,
    /// Where the corpus is
    #[arg(long)]
    shared: Option<PathBuf>,
    /// The program; default: a release build
    #[arg(long)]
    program: Option<PathBuf>,
}

/// What the program is given, and what it may take.
const LIMITS: [&str; 4] = ["--timeout", "3", "--memory", "500M"];
const SECONDS: f64 = 4.0;
const MEGABYTES: u64 = 550;
/// Nobody waits longer than this for an end.
const PATIENCE: Duration = Duration::from_secs(20);

/// A model to run: its name, and its file.
struct Case {
    name: String,
    path: PathBuf,
    root: Option<PathBuf>,
}

/// What came of it.
struct Ran {
    name: String,
    seconds: f64,
    /// Processor time of all its threads.
    worked: f64,
    megabytes: u64,
    ended: String,
    /// What is wrong; nothing if all is well.
    wrong: Vec<String>,
}

pub fn run(arguments: &Arguments) -> Result<bool, String> {
    let program = program(arguments.program.as_deref())?;
    let folder = match &arguments.write {
        Some(folder) => folder.clone(),
        None => std::env::temp_dir().join(format!("beeline-hostile-{}", std::process::id())),
    };
    let mut cases = Vec::new();
    if !arguments.only_corpus {
        cases.extend(hostile_cases(&folder, arguments.small)?);
    }
    if arguments.corpus || arguments.only_corpus {
        match corpus_folder(arguments.shared.as_deref()) {
            Some(corpus) => models(&corpus.join("models"), &corpus.join("models"), &mut cases),
            None => println!("skipped: there is no corpus beside the repository (see --shared)"),
        }
    }
    if let Some(filter) = &arguments.filter {
        cases.retain(|case| case.name.contains(filter));
    }
    let ran = run_all(&program, &cases, arguments);
    if arguments.write.is_none() {
        // It is in the folder for such files; the system removes what this cannot.
        let _ = std::fs::remove_dir_all(&folder);
    }
    let summary = summary(&ran);
    println!("{summary}");
    if arguments.keep {
        keep("hostile.md", &summary)?;
    }
    Ok(ran.iter().all(|r| r.wrong.is_empty()))
}

fn hostile_cases(folder: &Path, small: bool) -> Result<Vec<Case>, String> {
    let mut cases = Vec::new();
    for hostile in beeline_fuzz::hostile(small) {
        let home = folder.join(&hostile.name);
        std::fs::create_dir_all(&home).map_err(|e| format!("{}: {e}", home.display()))?;
        for (name, bytes) in &hostile.files {
            let path = home.join(name);
            std::fs::write(&path, bytes).map_err(|e| format!("{}: {e}", path.display()))?;
        }
        let path = home.join(&hostile.files[0].0);
        cases.push(Case { name: hostile.name, path, root: None });
    }
    Ok(cases)
}

/// All files of a folder that may be opened as a model, in order.
fn models(root: &Path, folder: &Path, cases: &mut Vec<Case>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            models(root, &path, cases);
            continue;
        }
        let suffix = path.extension().and_then(|s| s.to_str()).unwrap_or_default();
        if matches!(suffix, "mch" | "ref" | "imp" | "sys" | "def" | "eventb" | "bum" | "zip") {
            let name = path.strip_prefix(root).unwrap_or(&path).display().to_string();
            cases.push(Case { name, path, root: Some(root.to_owned()) });
        }
    }
}

fn run_all(program: &Path, cases: &[Case], arguments: &Arguments) -> Vec<Ran> {
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..arguments.jobs.max(1) {
            scope.spawn(|| {
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let ran = run_one(program, case, arguments.again);
                    if !ran.wrong.is_empty() {
                        println!("{}", line(&ran));
                    }
                    if let Ok(mut done) = done.lock() {
                        done.push(ran);
                    }
                }
            });
        }
    });
    let mut ran = done.into_inner().unwrap_or_default();
    ran.sort_by(|a, b| a.name.cmp(&b.name));
    ran
}

/// Runs one model; if it was late and nothing else, again.
fn run_one(program: &Path, case: &Case, again: u32) -> Ran {
    let mut ran = once(program, case);
    for _ in 0..again {
        if ran.wrong.iter().any(|w| w != LATE) || ran.wrong.is_empty() {
            break;
        }
        ran = once(program, case);
    }
    ran
}

const LATE: &str = "late";

fn once(program: &Path, case: &Case) -> Ran {
    let mut command = Command::new(program);
    command.arg("check").args(LIMITS).arg(&case.path);
    if let Some(root) = &case.root {
        command.arg("--root").arg(root);
    }
    let mut ran = Ran {
        name: case.name.clone(),
        seconds: 0.0,
        worked: 0.0,
        megabytes: 0,
        ended: String::new(),
        wrong: Vec::new(),
    };
    match Watch::new().limit(PATIENCE).memory().keep(1 << 20).run(&mut command) {
        Ok(ended) => {
            ran.seconds = ended.cost.wall_seconds;
            ran.worked = ended.cost.cpu_seconds;
            ran.megabytes = ended.cost.peak_kib / 1024;
            let said = [ended.output, ended.errors].concat();
            judge(&mut ran, ended.status, &String::from_utf8_lossy(&said));
        }
        Err(error) => ran.wrong.push(error),
    }
    ran
}

fn judge(ran: &mut Ran, ended: Option<ExitStatus>, said: &str) {
    match ended {
        None => ran.ended = "no end".to_owned(),
        Some(status) => match status.code() {
            Some(code) => ran.ended = format!("exit {code}"),
            None => ran.ended = format!("{status}"),
        },
    }
    let code = ended.and_then(|status| status.code());
    if !code.is_some_and(|code| (0..=4).contains(&code)) {
        ran.wrong.push(ran.ended.clone());
    }
    if said.contains("panicked at") || said.contains("worker_lost") {
        ran.wrong.push("panic".to_owned());
    }
    if ran.megabytes > MEGABYTES {
        ran.wrong.push(format!("more than {MEGABYTES} MB"));
    }
    if ran.seconds > SECONDS {
        ran.wrong.push(LATE.to_owned());
    }
}

fn line(ran: &Ran) -> String {
    let wrong = if ran.wrong.is_empty() { "well".to_owned() } else { ran.wrong.join(", ") };
    let Ran { name, seconds, worked, megabytes, ended, .. } = ran;
    format!("| {name} | {ended} | {seconds:.2} | {worked:.2} | {megabytes} | {wrong} |")
}

fn summary(ran: &[Ran]) -> String {
    let wrong: Vec<&Ran> = ran.iter().filter(|r| !r.wrong.is_empty()).collect();
    let count = |code: i32| ran.iter().filter(|r| r.ended == format!("exit {code}")).count();
    let most = |of: fn(&Ran) -> f64| ran.iter().map(of).fold(0.0, f64::max);
    let mut text = format!(
        "# Hostile models\n\n`check {}` of {} models: {} not well. Longest {:.2} s, most memory {:.0} MB. \
         Exit codes 0 to 4: {}, {}, {}, {}, {}.\n",
        LIMITS.join(" "),
        ran.len(),
        wrong.len(),
        most(|r| r.seconds),
        most(|r| r.megabytes as f64),
        count(0),
        count(1),
        count(2),
        count(3),
        count(4),
    );
    let head = "\n| model | end | s | processor s | MB | |\n|---|---|---|---|---|---|\n";
    let mut table = |title: &str, rows: &[&Ran]| {
        // Writing to a string never fails.
        let _ = write!(text, "\n## {title}\n{head}");
        rows.iter().for_each(|r| text.push_str(&(line(r) + "\n")));
    };
    table("Not well", &wrong);
    let mut slow: Vec<&Ran> = ran.iter().collect();
    slow.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
    table("Longest", &slow[..slow.len().min(15)]);
    slow.sort_by_key(|r| std::cmp::Reverse(r.megabytes));
    table("Most memory", &slow[..slow.len().min(15)]);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_fault_is_told() {
        let ran = |seconds, megabytes| Ran {
            name: "m".into(),
            seconds,
            worked: 0.0,
            megabytes,
            ended: String::new(),
            wrong: Vec::new(),
        };
        let mut late = ran(4.5, 560);
        judge(&mut late, None, "thread 'x' panicked at y");
        assert_eq!(late.wrong, ["no end", "panic", "more than 550 MB", "late"]);
    }
}
