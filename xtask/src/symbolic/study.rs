//! The methods that Fisler and Vardi compared, on models of the same kind: what each counts and takes, whether the lower
//! bounds hold, and whether what they found is found here.

use super::{Within, checked, open, options};
use crate::repository;
use beeline::explore::SetOperations;
use beeline::symbolic::{Method, Relations};
use std::collections::BTreeMap;
use std::fmt::Write;

const MODELS: [&str; 15] = [
    "Gigamax",
    "EisenbergWrong",
    "AlternatingBit",
    "BakeryWrong",
    "TreeArbiter",
    "Elevator23",
    "Coherence1",
    "Coherence2",
    "Coherence3",
    "Coherence4",
    "Elevator33",
    "Elevator43",
    "TcpWrong",
    "Eisenberg",
    "Bakery",
];
const METHODS: [&str; 5] = ["backward", "ly", "bfh", "pt", "pt-split"];

#[derive(clap::Args)]
pub struct Arguments {
    /// Seconds for each run
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// Each is run so often; the shortest time counts
    #[arg(long, default_value_t = 3)]
    rounds: usize,
    /// Only models whose name contains this text
    #[arg(long)]
    filter: Option<String>,
}

/// What a method took.
struct Cell {
    verdict: String,
    rounds: u64,
    done: SetOperations,
    seconds: f64,
    nodes: usize,
    blocks: Option<u64>,
    bits: usize,
    ended: bool,
}

pub fn run(arguments: &Arguments) -> Result<bool, String> {
    let mut fine = true;
    let mut sums: BTreeMap<&str, Sum> = BTreeMap::new();
    println!(
        "| model | bits | verdict | method | iterations | M | U | D | I | E | seconds | peak nodes | blocks |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|---|");
    let is_wanted =
        |name: &&str| arguments.filter.as_ref().is_none_or(|f| name.contains(f.as_str()));
    for name in MODELS.into_iter().filter(is_wanted) {
        let mut cells: Vec<(&str, Cell)> = Vec::new();
        for method in METHODS {
            let cell = measured(name, method, arguments)?;
            println!("{}", line(name, method, &cell));
            cells.push((method, cell));
        }
        let ended = || cells.iter().filter(|(_, cell)| cell.ended);
        let mut verdicts: Vec<&str> = ended().map(|(_, cell)| cell.verdict.as_str()).collect();
        verdicts.dedup();
        if verdicts.len() > 1 {
            println!("  verdicts of {name} differ: {verdicts:?}");
            fine = false;
        }
        let Some((_, backward)) = ended().find(|(method, _)| *method == "backward") else {
            continue;
        };
        for (method, cell) in ended() {
            sums.entry(*method).or_default().add(name, method, cell, backward);
        }
    }
    println!();
    for method in METHODS {
        if let Some(sum) = sums.get(method) {
            print!("{}", sum.text(method));
        }
    }
    Ok(fine)
}

fn measured(name: &str, method: &str, arguments: &Arguments) -> Result<Cell, String> {
    let model = open(&repository().join(format!("bench/symbolic/{name}.mch")), None)?;
    let within = Within { seconds: arguments.seconds, megabytes: 4096, states: None };
    let mut options = options(Method::by_name(method), Relations::Exact, within);
    options.explore.all = false;
    options.explore.checks.deadlock = false;
    let mut best: Option<Cell> = None;
    for _ in 0..arguments.rounds.max(1) {
        let checked = checked(&model, &options)?;
        let exploration = &checked.outcome.exploration;
        let Some(told) = &exploration.symbolic else { return Err("not symbolic".to_owned()) };
        let seconds = exploration.elapsed.as_secs_f64();
        let verdict = checked.outcome.verdict.word();
        let cell = Cell {
            verdict: verdict.to_owned(),
            rounds: told.rounds,
            done: told.operations,
            seconds,
            nodes: told.peak_nodes,
            blocks: told.blocks,
            bits: told.bits,
            ended: verdict != "no_error_found",
        };
        let is_last = !cell.ended || seconds > 5.0;
        if best.as_ref().is_none_or(|best| cell.seconds < best.seconds) {
            best = Some(cell);
        }
        if is_last {
            break;
        }
    }
    best.ok_or_else(|| "never run".to_owned())
}

fn line(name: &str, method: &str, cell: &Cell) -> String {
    let done = cell.done;
    let mut out = format!("| {name} | {} | {} | {method} | ", cell.bits, cell.verdict);
    let _ = write!(
        out,
        "{} | {} | {} | {} | {} | {} | {:.3} | {} | {} |",
        cell.rounds,
        done.images,
        done.unions,
        done.differences,
        done.intersections,
        done.comparisons,
        cell.seconds,
        cell.nodes,
        cell.blocks.map_or("-".to_owned(), |blocks| blocks.to_string())
    );
    out
}

/// The least number of each operation that the study gives, `n` being iterations of the method itself, or those of
/// backward search where the study has it so.
fn least(method: &str, own: u64, backward: u64) -> SetOperations {
    let n = if matches!(method, "ly" | "bfh") { backward } else { own };
    let some = |images, unions, differences, intersections, comparisons| SetOperations {
        images,
        unions,
        differences,
        intersections,
        comparisons,
    };
    let all = (n * n + 3 * n) / 2;
    match method {
        "backward" => some(n, n, n, n, 2 * n),
        "ly" => {
            let n = n.saturating_sub(1);
            some(5 * n, 0, 3 * n, 4 * n, 4 * n)
        }
        "bfh" => some(all, 0, n, all, 2 * all),
        _ => some(2 * n, 0, n, n, n),
    }
}

fn reaches(done: SetOperations, least: SetOperations) -> bool {
    done.images >= least.images
        && done.unions >= least.unions
        && done.differences >= least.differences
        && done.intersections >= least.intersections
        && done.comparisons >= least.comparisons
}

/// Over all models that a method ended on.
#[derive(Default)]
struct Sum {
    models: u64,
    below: Vec<String>,
    faster: Vec<String>,
    fewer: Vec<String>,
    times: f64,
    images: f64,
    seconds: f64,
}

impl Sum {
    fn add(&mut self, name: &str, method: &str, cell: &Cell, backward: &Cell) {
        self.models += 1;
        if !reaches(cell.done, least(method, cell.rounds, backward.rounds)) {
            self.below.push(name.to_owned());
        }
        if cell.seconds < backward.seconds {
            self.faster.push(name.to_owned());
        }
        if cell.done.images < backward.done.images {
            self.fewer.push(name.to_owned());
        }
        self.times += (cell.seconds / backward.seconds).ln();
        let images = |cell: &Cell| cell.done.images.max(1) as f64;
        self.images += (images(cell) / images(backward)).ln();
        self.seconds += cell.seconds;
    }

    fn text(&self, method: &str) -> String {
        let models = self.models.max(1) as f64;
        format!(
            "{method}: {} models ended, {:.2} s; geometric mean beside backward: {:.2} times the time, {:.2} times \
             the images\n  below the lower bound: {:?}\n  faster than backward: {:?}\n  fewer images: {:?}\n",
            self.models,
            self.seconds,
            (self.times / models).exp(),
            (self.images / models).exp(),
            self.below,
            self.faster,
            self.fewer
        )
    }
}
