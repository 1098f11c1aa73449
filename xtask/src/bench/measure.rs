//! How long a process took: by the clock on the wall, and of the processor.

use std::process::{Command, Output};
use std::time::Instant;

/// The cost of one process and all its children.
#[derive(Clone, Copy, Debug)]
pub struct Measure {
    pub wall_seconds: f64,
    /// In user and system mode; in hundredths of a second. The number to trust on a busy machine.
    pub cpu_seconds: f64,
}

/// Runs a command to its end.
pub fn measured(command: &mut Command) -> Result<(Output, Measure), String> {
    let (start, before) = (Instant::now(), children_seconds());
    let output = command.output().map_err(|e| format!("{command:?}: {e}"))?;
    let wall_seconds = start.elapsed().as_secs_f64();
    Ok((output, Measure { wall_seconds, cpu_seconds: children_seconds() - before }))
}

/// Processor time of all children that have ended, where the system tells.
fn children_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    of_children(&text).unwrap_or(0.0)
}

/// The fields `cutime` and `cstime` of /proc/self/stat, in ticks of a hundredth.
fn of_children(stat: &str) -> Option<f64> {
    // The name of the program may contain anything, up to the last parenthesis.
    let (_, rest) = stat.rsplit_once(')')?;
    let fields: Vec<&str> = rest.split_whitespace().collect();
    let ticks = |at: usize| fields.get(at)?.parse::<f64>().ok();
    Some((ticks(13)? + ticks(14)?) / 100.0)
}

#[cfg(test)]
mod tests {
    use super::of_children;

    #[test]
    fn ticks_are_read() {
        let stat = "12 (a) b) S 1 2 3 4 5 6 7 8 9 10 11 12 150 50 20 0 1";
        assert_eq!(of_children(stat), Some(2.0));
    }
}
