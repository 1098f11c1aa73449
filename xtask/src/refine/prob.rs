//! One comparison by real ProB, in the scope that Beeline had: sizes of sets and bounds of integers are those of the
//! refinement, for both machines.

use beeline::Refined;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Everything that ProB leaves out by default.
const PREFERENCES: [(&str, &str); 3] =
    [("MAX_OPERATIONS", "10000"), ("MAX_INITIALISATIONS", "10000"), ("TIME_OUT", "10000")];

/// Does the refinement refine, as ProB has it? Nothing if it does not come to an end.
pub fn refines(program: &Path, above: &Path, below: &Path, refined: &Refined) -> Option<bool> {
    let report = refined.report("").json();
    let step = report.steps.first()?;
    let mut scope: Vec<String> = Vec::new();
    for set in &step.sets {
        scope.extend(["-card".to_owned(), set.name.clone(), set.size.to_string()]);
    }
    for (name, value) in [("MAXINT", step.maxint), ("MININT", step.minint)] {
        scope.extend(["-p".to_owned(), name.to_owned(), value.to_string()]);
    }
    // It writes beside what it reads.
    let folder = std::env::temp_dir().join(format!("beeline-refine-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    let (above, below) = (copied(above, &folder)?, copied(below, &folder)?);
    let saved: PathBuf = folder.join("above.P");
    let mut first = Command::new(program);
    first.arg(above).args(["-mc", "100000", "-nodead", "-noinv", "-noass", "-nogoal"]);
    first.args(&scope).arg("-save").arg(&saved);
    run(first)?;
    let mut second = Command::new(program);
    second.arg(below).args(&scope).arg("-refchk").arg(&saved);
    let text = run(second)?;
    let _ = std::fs::remove_dir_all(&folder);
    match (text.contains("Refinement Check Successful"), text.contains("Refinement Check Failed")) {
        (true, false) => Some(true),
        (false, true) => Some(false),
        _ => None,
    }
}

/// A file in a folder, with all that stand beside it.
fn copied(file: &Path, folder: &Path) -> Option<PathBuf> {
    std::fs::create_dir_all(folder).ok()?;
    for entry in std::fs::read_dir(file.parent()?).ok()?.flatten() {
        if entry.path().is_file() {
            std::fs::write(folder.join(entry.file_name()), std::fs::read(entry.path()).ok()?)
                .ok()?;
        }
    }
    Some(folder.join(file.file_name()?))
}

/// What it prints, if it ends within a minute.
fn run(mut command: Command) -> Option<String> {
    for (name, value) in PREFERENCES {
        command.args(["-p", name, value]);
    }
    let log = std::env::temp_dir().join(format!("beeline-refine-{}.log", std::process::id()));
    let file = std::fs::File::create(&log).ok()?;
    command.stdin(Stdio::null()).stdout(file.try_clone().ok()?).stderr(file);
    let mut child = command.spawn().ok()?;
    let begin = Instant::now();
    while child.try_wait().ok()?.is_none() {
        if begin.elapsed() > Duration::from_secs(60) {
            let _ = child.kill();
            let _ = child.wait();
            return None;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let text = std::fs::read(&log).ok()?;
    let _ = std::fs::remove_file(&log);
    Some(String::from_utf8_lossy(&text).into_owned())
}
