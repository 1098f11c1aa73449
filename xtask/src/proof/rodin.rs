//! Rodin projects with their proof files: which proofs are accepted, and that none hides a mistake.
//!
//! Machines and contexts are changed at random, one place at a time, and their proof files are not:
//! whatever is wrong then must be found as it is without proofs.

use crate::program::{program, ran_out_of_time};
use beeline::OpenOptions;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub struct Arguments {
    /// Folders that hold Rodin projects, directly or further down
    #[arg(required = true)]
    folders: Vec<PathBuf>,
    /// Changes of each machine
    #[arg(long, default_value_t = 0)]
    changes: u64,
    /// Where the random choices begin
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Seconds for each check
    #[arg(long, default_value_t = 3)]
    limit_seconds: u64,
    /// States of a model at most
    #[arg(long, default_value_t = 5_000)]
    states: u64,
    /// The program; default: a release build
    #[arg(long)]
    program: Option<PathBuf>,
}

const PREFIX: &str = "org.eventb.core.";

#[derive(Default)]
struct Sums {
    machines: usize,
    accepted: usize,
    refused: usize,
    changed: u64,
    not_loaded: u64,
    unfinished: u64,
    violated: u64,
    invariants: u64,
    used: u64,
    wrong: u64,
}

pub fn run(arguments: &Arguments) -> Result<bool, String> {
    let mut machines = Vec::new();
    arguments.folders.iter().for_each(|folder| gather(folder, &mut machines));
    machines.sort();
    let program = match arguments.changes {
        0 => None,
        _ => Some(program(arguments.program.as_deref())?),
    };
    let mut sums = Sums::default();
    for machine in &machines {
        let loaded = beeline::open(machine, &OpenOptions::default());
        let Some(model) = loaded.model else {
            println!("{}: not loaded", machine.display());
            continue;
        };
        let (accepted, refused) = (model.proofs.len(), model.claims.len());
        println!("{}: {accepted} of {} accepted", machine.display(), accepted + refused);
        sums.machines += 1;
        sums.accepted += accepted;
        sums.refused += refused;
        if let Some(program) = &program {
            for number in 0..arguments.changes {
                change(arguments, program, machine, number, &mut sums)?;
            }
        }
    }
    println!(
        "{} machines: {} of {} proofs accepted ({:.1} %)",
        sums.machines,
        sums.accepted,
        sums.accepted + sums.refused,
        100.0 * sums.accepted as f64 / (sums.accepted + sums.refused).max(1) as f64
    );
    if program.is_some() {
        println!(
            "{} changes: {} not loaded, {} not finished, {} with a mistake ({} in an \
             invariant), {} in which proofs spare evaluations, {} with other findings",
            sums.changed,
            sums.not_loaded,
            sums.unfinished,
            sums.violated,
            sums.invariants,
            sums.used,
            sums.wrong
        );
    }
    Ok(sums.wrong == 0)
}

fn gather(folder: &Path, machines: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            gather(&path, machines);
        } else if path.extension().is_some_and(|e| e == "bum")
            && path.with_extension("bps").exists()
        {
            machines.push(path);
        }
    }
}

/// One change of the project of a machine, and both checks of it.
fn change(
    arguments: &Arguments,
    program: &Path,
    machine: &Path,
    number: u64,
    sums: &mut Sums,
) -> Result<(), String> {
    let folder = machine.parent().unwrap_or(Path::new("."));
    let copy = std::env::temp_dir().join(format!("beeline-rodin-{}", std::process::id()));
    let tell = |e: std::io::Error| format!("{}: {e}", copy.display());
    let _ = fs::remove_dir_all(&copy);
    fs::create_dir_all(&copy).map_err(tell)?;
    let mut texts: Vec<(PathBuf, String)> = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let suffix = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
        if ["bum", "buc", "bpo", "bps"].contains(&suffix) {
            fs::copy(&path, copy.join(entry.file_name())).map_err(tell)?;
            if ["bum", "buc"].contains(&suffix) {
                texts.push((path.clone(), fs::read_to_string(&path).map_err(tell)?));
            }
        }
    }
    texts.sort();
    let mut dice = Dice(arguments.seed.wrapping_mul(1_000_003) + number * 7_919 + 17);
    // The machine itself is changed more often than the others. Not every text has all to change.
    let attempts = (0..50).find_map(|_| {
        let chosen = match dice.below(3) {
            0 => dice.below(texts.len()),
            _ => texts.iter().position(|t| t.0 == machine).unwrap_or(0),
        };
        let (path, text) = texts.get(chosen)?;
        let (text, what) = changed(text, &mut dice)?;
        Some((path, text, what))
    });
    let Some((path, text, what)) = attempts else { return Ok(()) };
    let name = path.file_name().unwrap_or_default();
    fs::write(copy.join(name), text).map_err(tell)?;
    let model = copy.join(machine.file_name().unwrap_or_default());
    let check = |proof: &str| -> Result<Value, String> {
        let (seconds, states) = (arguments.limit_seconds.to_string(), arguments.states.to_string());
        let limits = ["--timeout", &seconds, "--memory", "1G", "--max-states", &states];
        super::check(program, &model, proof, &limits)
    };
    sums.changed += 1;
    let off = check("off")?;
    if off["verdict"] == "model_error" {
        sums.not_loaded += 1;
        return Ok(());
    }
    let on = check("on")?;
    if ran_out_of_time(&off) || ran_out_of_time(&on) {
        sums.unfinished += 1;
    }
    let saved = on["counts"]["invariant_evaluations_known"].as_u64().unwrap_or(0);
    sums.used += u64::from(saved > 0);
    sums.violated += u64::from(off["verdict"] == "violated");
    // All findings count, not only the first: many a model has a deadlock anyway. What an evaluation leaves
    // open a proof may decide.
    let (without, with) = (found(&off), found(&on));
    sums.invariants += u64::from(without.iter().any(|f| f.contains("invariant")));
    let out_of_time = ran_out_of_time(&off) || ran_out_of_time(&on);
    if without != with && !out_of_time || off["verdict"] == "violated" && on["verdict"] == "holds" {
        sums.wrong += 1;
        println!(
            "{} change {number} in {}: {what}\n  off {} {without:?}\n  on {} {with:?}",
            machine.display(),
            name.to_string_lossy(),
            off["verdict"],
            on["verdict"]
        );
    }
    fs::remove_dir_all(&copy).map_err(tell)
}

/// What is wrong with a model, in no order.
fn found(answer: &Value) -> Vec<String> {
    let mut all: Vec<String> = answer["findings"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|f| format!("{} {} {}", f["kind"], f["name"], f["where"]))
        .collect();
    all.sort();
    all
}

/// Random numbers: linear, and the same everywhere.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % n.max(1)
    }
}

/// Signs that take each other's place.
const SIGNS: [(&str, &str); 18] = [
    ("&lt;", "≤"),
    ("≤", "&lt;"),
    ("&gt;", "≥"),
    ("≥", "&gt;"),
    ("+", "−"),
    ("−", "+"),
    ("∪", "∖"),
    ("∖", "∪"),
    ("=", "≠"),
    ("≠", "="),
    ("∈", "∉"),
    ("TRUE", "FALSE"),
    ("FALSE", "TRUE"),
    ("∧", "∨"),
    ("⇒", "∧"),
    ("0", "1"),
    ("1", "2"),
    ("ℕ", "ℤ"),
];

/// A text of Rodin with one change, and what it is.
fn changed(text: &str, dice: &mut Dice) -> Option<(String, String)> {
    let lines: Vec<&str> = text.lines().collect();
    let is = |line: &str, kinds: &[&str]| {
        kinds.iter().any(|kind| line.starts_with(&format!("<{PREFIX}{kind} ")))
    };
    let formulas = ["guard", "axiom", "invariant", "action", "witness", "variant"];
    let of = |kinds: &[&str]| -> Vec<usize> {
        (0..lines.len()).filter(|i| is(lines[*i], kinds) && lines[*i].ends_with("/>")).collect()
    };
    match dice.below(5) {
        0 | 1 => {
            let places = of(&["guard", "guard", "action", "axiom", "invariant", "witness"]);
            let place = *places.get(dice.below(places.len()))?;
            let rest = lines.iter().enumerate().filter(|(i, _)| *i != place).map(|(_, l)| *l);
            Some((rest.collect::<Vec<_>>().join("\n"), format!("without {}", lines[place])))
        }
        2 => {
            // An action of one event in another.
            let actions = of(&["action"]);
            let (from, to) = (
                *actions.get(dice.below(actions.len()))?,
                *actions.get(dice.below(actions.len()))?,
            );
            let mut new = lines.clone();
            new.insert(to, lines[from]);
            Some((new.join("\n"), format!("{} before {}", lines[from], lines[to])))
        }
        _ => {
            let places = of(&formulas);
            let place = *places.get(dice.below(places.len()))?;
            let line = lines[place];
            let attributes = ["predicate=\"", "assignment=\"", "expression=\""];
            let start = attributes.iter().find_map(|a| line.find(a).map(|at| at + a.len()))?;
            let end = start + line[start..].find('"')?;
            let formula = &line[start..end];
            let options: Vec<(usize, &str, &str)> = SIGNS
                .iter()
                .flat_map(|(from, to)| {
                    formula.match_indices(from).map(move |(at, _)| (at, *from, *to))
                })
                .collect();
            let (at, from, to) = *options.get(dice.below(options.len()))?;
            let new = format!("{}{to}{}", &formula[..at], &formula[at + from.len()..]);
            let changed = format!("{}{new}{}", &line[..start], &line[end..]);
            let mut all = lines.clone();
            all[place] = &changed;
            Some((all.join("\n"), format!("{formula} became {new}")))
        }
    }
}
