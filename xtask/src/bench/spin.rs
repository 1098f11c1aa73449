//! Spin as a rival: the same state graph, its verifier made with gcc -O2 and run.

use beeline_bench::process::Watch;
use serde::Serialize;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

/// What Spin needs to build the graph of a model.
pub struct Rival {
    /// Below bench/rivals.
    pub file: &'static str,
    /// Arguments of `spin -a`.
    pub generator: &'static [&'static str],
    /// Arguments of the verifier.
    pub verifier: &'static [&'static str],
}

/// What Spin did; the better of depth-first and breadth-first search.
#[derive(Clone, Debug, Serialize)]
pub struct SpinRun {
    pub states: u64,
    pub transitions: u64,
    pub order: &'static str,
    /// `spin -a` and gcc, as the clock goes.
    pub build_seconds: f64,
    /// The verifier alone.
    pub wall_seconds: f64,
    pub cpu_seconds: f64,
}

/// Is it there?
pub fn is_installed() -> bool {
    Command::new("spin").arg("-V").output().is_ok_and(|o| o.status.success())
}

/// Builds and runs it in both search orders, `rounds` times each.
pub fn run(rival: &Rival, models: &Path, folder: &Path, rounds: usize) -> Result<SpinRun, String> {
    let orders: [(&str, &[&str]); 2] =
        [("depth-first", &["-DSAFETY", "-DNOREDUCE"]), ("breadth-first", &["-DBFS", "-DNOREDUCE"])];
    let mut best: Option<SpinRun> = None;
    std::fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let source = models.join(rival.file);
    let source = source.canonicalize().map_err(|e| format!("{}: {e}", source.display()))?;
    for (order, flags) in orders {
        let start = Instant::now();
        step(Command::new("spin").arg("-a").args(rival.generator).arg(&source), folder)?;
        step(Command::new("gcc").args(["-O2", "-w", "-o", "pan", "pan.c"]).args(flags), folder)?;
        let build_seconds = start.elapsed().as_secs_f64();
        for _ in 0..rounds.max(1) {
            let mut pan = Command::new(folder.join("pan"));
            // Room for the stack of the depth-first search.
            pan.args(["-m3000000", "-w22"]).args(rival.verifier).current_dir(folder);
            let ended = Watch::new().run(&mut pan)?;
            let text = String::from_utf8_lossy(&ended.output).into_owned();
            let run = SpinRun {
                states: number_before(&text, "states, stored"),
                transitions: number_before(&text, "transitions"),
                order,
                build_seconds,
                wall_seconds: ended.cost.wall_seconds,
                cpu_seconds: ended.cost.cpu_seconds,
            };
            if best.as_ref().is_none_or(|b| run.cpu_seconds < b.cpu_seconds) {
                best = Some(run);
            }
        }
    }
    best.ok_or_else(|| "no run".to_owned())
}

fn step(command: &mut Command, folder: &Path) -> Result<(), String> {
    let output = command.current_dir(folder).output().map_err(|e| e.to_string())?;
    match output.status.success() {
        true => Ok(()),
        false => Err(format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr))),
    }
}

/// The number at the begin of the line that goes on like this.
fn number_before(text: &str, words: &str) -> u64 {
    text.lines()
        .find_map(|line| {
            let (number, rest) = line.trim_start().split_once(' ')?;
            rest.trim_start().starts_with(words).then(|| number.parse().ok())?
        })
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::number_before;

    #[test]
    fn counts_are_read() {
        let text = "State-vector 20 byte\n  1000000 states, stored\n  3996000 transitions (= x)\n";
        assert_eq!(number_before(text, "states, stored"), 1_000_000);
        assert_eq!(number_before(text, "transitions"), 3_996_000);
        assert_eq!(number_before(text, "collisions"), 0);
    }
}
