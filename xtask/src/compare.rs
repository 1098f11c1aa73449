//! `cargo xtask compare`: random formulas on the engine and on the judge.

use beeline_compare::watch::overdue;
use beeline_compare::{Counts, Goal, Random, expressions, laws, run, solver, substitutions};
use std::time::{Duration, Instant};

/// A formula that takes longer has found a step that nobody counts. Other work on the machine must
/// not look like it.
const HANG: Duration = Duration::from_secs(120);

#[derive(clap::Args)]
pub struct Arguments {
    /// Random expressions, each in several states
    #[arg(long, default_value_t = 100_000)]
    expressions: u64,
    /// Random predicates, all solutions of each
    #[arg(long, default_value_t = 3_000)]
    predicates: u64,
    /// Laws of B on random values
    #[arg(long, default_value_t = 20_000)]
    laws: u64,
    /// Random substitutions
    #[arg(long, default_value_t = 10_000)]
    substitutions: u64,
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
    let kinds: [(&str, u64, Batch); 4] = [
        ("laws", arguments.laws, laws::batch),
        ("predicates", arguments.predicates, solver::batch),
        ("substitutions", arguments.substitutions, substitutions::batch),
        ("expressions", arguments.expressions, expressions::batch),
    ];
    watch();
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

/// Ends the process when a formula does not end.
fn watch() {
    std::thread::spawn(|| {
        loop {
            if let Some(formula) = overdue(HANG) {
                println!("no end within {} s:\n  {formula}", HANG.as_secs());
                std::process::exit(1);
            }
            std::thread::sleep(Duration::from_millis(500));
        }
    });
}
