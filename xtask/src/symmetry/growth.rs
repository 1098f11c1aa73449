//! Markers on a scheduler of more and more processes: nodes and time.

use super::{check, models, open, sized};
use beeline::symmetry::Mode;

#[derive(clap::Args)]
pub struct Arguments {
    /// Numbers of processes
    #[arg(long, value_delimiter = ',', default_value = "10,20,40,80")]
    sizes: Vec<u64>,
    /// The mode
    #[arg(long, default_value = "markers")]
    mode: String,
}

pub fn run(arguments: &Arguments) -> Result<bool, String> {
    let mode = Mode::by_name(&arguments.mode).ok_or("no such mode")?;
    let model = open(&models().join("Scheduler0.mch"))?;
    let (mut fine, mut last) = (true, None);
    println!("{:>5}{:>8}{:>12}{:>10}{:>12}", "card", "nodes", "(n+1)^2+1", "seconds", "exponent");
    for &size in &arguments.sizes {
        let found = check(&model, &sized(&[("PROC", size)]), mode)?.outcome.exploration;
        let (nodes, seconds) = (found.counts.nodes, found.elapsed.as_secs_f64());
        let expected = (size + 1) * (size + 1) + 1;
        // Time as a power of the size, from one row to the next.
        let exponent =
            last.map(|(n, s): (u64, f64)| (seconds / s).ln() / (size as f64 / n as f64).ln());
        let told = exponent.map_or("-".to_owned(), |e| format!("{e:.2}"));
        println!("{size:>5}{nodes:>8}{expected:>12}{seconds:>10.3}{told:>12}");
        fine &= nodes == expected && found.is_complete();
        last = Some((size, seconds));
    }
    Ok(fine)
}
