//! Models with more states than anybody can look at one by one: exact counts, traces, time and memory.

use super::{Within, checked, open, options};
use crate::repository;
use beeline::symbolic::{Method, Relations};
use std::time::Instant;

#[derive(clap::Args)]
pub struct Arguments {
    /// Seconds that each may take
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// Megabytes that each may take
    #[arg(long, default_value_t = 4096)]
    megabytes: u64,
    /// Learn all relations
    #[arg(long)]
    learned: bool,
}

/// A model, its states, and the steps to what is looked for. Counts come from formulas: for the philosophers the trace
/// of the hundredth power of the matrix that says which neighbours fit each other; each station rests or waits, or
/// has the token and may be at work: 64 * 3 * 2 ** 63.
const MODELS: [(&str, Option<&str>, Option<usize>); 4] = [
    ("CounterCube", Some("1000000000000000000"), None),
    ("CounterCubeCorner", None, Some(117)),
    ("TokenRing64", Some("1770887431076116955136"), None),
    ("Philosophers100", Some("515377520732011331036461129765621272702107522001"), None),
];

pub fn run(arguments: &Arguments) -> Result<bool, String> {
    let mut fine = true;
    println!(
        "| model | verdict | states | steps of the trace | seconds | megabytes | peak nodes |"
    );
    println!("|---|---|---|---|---|---|---|");
    for (name, states, steps) in MODELS {
        let begin = Instant::now();
        let model = open(&repository().join(format!("bench/symbolic/{name}.mch")), None)?;
        let within =
            Within { seconds: arguments.seconds, megabytes: arguments.megabytes, states: None };
        let relations = if arguments.learned { Relations::Learned } else { Relations::Exact };
        let mut options = options(Method::by_name("symbolic"), relations, within);
        options.explore.all = false;
        let checked = checked(&model, &options)?;
        let seconds = begin.elapsed().as_secs_f64();
        let exploration = &checked.outcome.exploration;
        let Some(told) = &exploration.symbolic else { return Err("not symbolic".to_owned()) };
        let found = checked.outcome.findings.first();
        // The artificial root counts as no step, and initialisation as one.
        let own = found.map(|f| f.trace.steps.len().saturating_sub(1));
        let confirmed = found.is_none_or(|f| f.refused().is_none());
        let megabytes = exploration.peak_memory_bytes.unwrap_or(0) >> 20;
        println!(
            "| {name} | {} | {} | {} | {seconds:.2} | {megabytes} | {} |",
            checked.outcome.verdict.word(),
            told.states.as_deref().unwrap_or("-"),
            own.map_or("-".to_owned(), |steps| steps.to_string()),
            told.peak_nodes
        );
        let is_right = states.is_none_or(|states| told.states.as_deref() == Some(states))
            && own == steps
            && confirmed
            && (steps.is_some() || exploration.is_complete())
            && seconds < arguments.seconds as f64
            && megabytes < arguments.megabytes;
        if !is_right {
            println!(
                "  not as expected: {:?}, {:?}",
                checked.outcome.cuts,
                exploration.findings.len()
            );
        }
        fine &= is_right;
    }
    Ok(fine)
}
