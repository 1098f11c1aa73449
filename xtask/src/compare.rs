//! `cargo xtask compare`: random formulas on the engine and on the judge.

use beeline_compare::{Counts, Goal, Random, expressions, run};
use std::time::{Duration, Instant};

#[derive(clap::Args)]
pub struct Arguments {
    /// Random expressions, each in several states
    #[arg(long, default_value_t = 100_000)]
    expressions: u64,
    /// Another seed is another run
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// No longer than this for each kind
    #[arg(long, default_value_t = 3_600)]
    seconds: u64,
    /// Stop after so many differences of a kind
    #[arg(long, default_value_t = 10)]
    differences: usize,
    /// Say why formulas were given up
    #[arg(long)]
    reasons: bool,
}

type Batch = fn(&mut Random, &mut Counts);

pub fn run_all(arguments: &Arguments) -> Result<bool, String> {
    let kinds: [(&str, u64, Batch); 1] =
        [("expressions", arguments.expressions, expressions::batch)];
    let mut fine = true;
    for (name, formulas, batch) in kinds {
        if formulas == 0 {
            continue;
        }
        let time = Duration::from_secs(arguments.seconds);
        let goal = Goal { formulas, time, differences: arguments.differences };
        let start = Instant::now();
        let counts = run(goal, arguments.seed, batch);
        println!(
            "{name}: {counts}; seed {}, {:.1} s",
            arguments.seed,
            start.elapsed().as_secs_f64()
        );
        if arguments.reasons {
            counts.open.iter().for_each(|(reason, n)| println!("  {n} × {reason}"));
        }
        counts.differences.iter().for_each(|d| println!("  {d}"));
        fine &= counts.differences.is_empty();
    }
    Ok(fine)
}
