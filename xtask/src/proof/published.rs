//! The tables of the published experiment on proof-supported checking again.

use super::{check, count, milliseconds};
use crate::corpus::corpus_folder;
use crate::program::program;
use crate::repository;
use crate::runs::{self, Machine};
use beeline_bench::today;
use serde_json::Value;
use std::fmt::Write;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub struct Arguments {
    /// The folder that holds expected/proof_tables.csv and the corpus
    #[arg(long)]
    shared: Option<PathBuf>,
    /// States of a model at most; the same without and with proofs
    #[arg(long, default_value_t = 300_000)]
    states: u64,
    /// Runs of each, of which the fastest counts
    #[arg(long, default_value_t = 5)]
    runs: u32,
    /// The program; default: a release build
    #[arg(long)]
    program: Option<PathBuf>,
    /// Keep the table in bench/runs
    #[arg(long)]
    write: bool,
}

/// Name in the table, and file: one of ours, or one of the corpus.
const ROWS: [(&str, &str); 13] = [
    ("Mondex m2", "mondex_m2.eventb"),
    ("Mondex m3", "mondex_m3.eventb"),
    ("Earley Parser m2", "earley_2.eventb"),
    ("Earley Parser m3", "earley_3.eventb"),
    ("Earley Parser m3 (auto proof)", "earley_3_autoproof.eventb"),
    ("Scheduler", "scheduler.eventb"),
    ("SSF", "obsw_M001.eventb"),
    ("SAP", "m_partner_behaviour.eventb"),
    ("CXCC", "cxcc0.eventb"),
    ("CXCC (auto proof)", "cxcc0_autoonly.eventb"),
    ("Siemens", "siemens_mch_0.eventb"),
    ("Siemens (auto proof)", "siemens_mch_0_autoproofs.eventb"),
    ("Constructed Example", ""),
];
const FOLDER: &str = "models/EventBPrologPackages/ProofDirected/benchmarks";
const CONSTRUCTED: &str = "bench/models/proof/Constructed.eventb";

const HEAD: &str = "| model | verdict | states | evaluations off | on | saving | published | \
    ms off | ms on | on / off |\n|---|---|---|---|---|---|---|---|---|---|\n";

pub fn run(arguments: &Arguments) -> Result<bool, String> {
    let program = program(arguments.program.as_deref())?;
    let corpus = corpus_folder(arguments.shared.as_deref());
    let published = published(corpus.as_deref());
    let mut page = String::from(HEAD);
    let (mut missed, mut differing) = (Vec::new(), Vec::new());
    for (name, file) in ROWS {
        let path = match (file, &corpus) {
            ("", _) => repository().join(CONSTRUCTED),
            (file, Some(corpus)) => corpus.join(FOLDER).join(file),
            (_, None) => continue,
        };
        let limit = arguments.states.to_string();
        let limits = ["--max-states", &limit, "--timeout", "60"];
        // In turn, so that what else the computer does is fair to both.
        let (mut off, mut on) = (Vec::new(), Vec::new());
        for _ in 0..arguments.runs.max(1) {
            off.push(check(&program, &path, "off", &limits)?);
            on.push(check(&program, &path, "trust", &limits)?);
        }
        let fastest = |mut runs: Vec<Value>| {
            runs.sort_by(|a, b| milliseconds(a).total_cmp(&milliseconds(b)));
            runs.swap_remove(0)
        };
        let (off, on) = (fastest(off), fastest(on));
        let audit = check(&program, &path, "audit", &limits)?;
        let same = off["verdict"] == on["verdict"] && off["verdict"] == audit["verdict"];
        if !same {
            differing.push(name);
        }
        let wanted = published.iter().find(|(n, _)| n == name).and_then(|(_, percent)| *percent);
        let saving = saving(&off, &on);
        if wanted.is_some_and(|percent| saving < percent - 0.1) {
            missed.push(name);
        }
        let line = format!(
            "| {name} | {} | {} | {} | {} | {saving:.1} % | {} | {:.1} | {:.1} | {:.2} |\n",
            on["verdict"].as_str().unwrap_or("?"),
            count(&on, "states"),
            count(&off, "invariant_evaluations"),
            count(&on, "invariant_evaluations"),
            wanted.map_or("-".to_owned(), |p| format!("{p:.0} %")),
            milliseconds(&off),
            milliseconds(&on),
            milliseconds(&on) / milliseconds(&off).max(1e-3),
        );
        print!("{line}");
        page.push_str(&line);
    }
    let told = |names: &[&str]| match names {
        [] => "none".to_owned(),
        names => names.join(", "),
    };
    let _ = writeln!(page, "\nsaving below the published one: {}", told(&missed));
    let _ = writeln!(page, "verdict not the same with off, trust and audit: {}", told(&differing));
    println!("{}", page.lines().rev().take(2).collect::<Vec<_>>().join("\n"));
    if arguments.write {
        keep(&page)?;
    }
    Ok(differing.is_empty())
}

/// Of the evaluations that are made without proofs, so many percent are not needed. Both runs may
/// end at the same limit of states with another wave half done, so each is held against its own.
fn saving(off: &Value, on: &Value) -> f64 {
    let made = count(on, "invariant_evaluations") as f64;
    let all = made + count(on, "invariant_evaluations_known") as f64;
    let all = if all == 0.0 { count(off, "invariant_evaluations") as f64 } else { all };
    100.0 * (1.0 - made / all.max(1.0))
}

/// Names and savings in percent, from the evaluations that are published.
fn published(corpus: Option<&Path>) -> Vec<(String, Option<f64>)> {
    let path = corpus.map(|c| c.join("../expected/proof_tables.csv"));
    let text = path.and_then(|p| std::fs::read_to_string(p).ok()).unwrap_or_default();
    let row = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        let number = |i: usize| fields.get(i)?.parse::<f64>().ok().filter(|n| *n > 0.0);
        let saving = number(5).zip(number(4)).map(|(with, without)| 100.0 * (1.0 - with / without));
        Some((fields.first()?.to_string(), saving))
    };
    text.lines().skip(1).filter_map(row).collect()
}

fn keep(page: &str) -> Result<(), String> {
    let machine = Machine::line()?;
    let date = today();
    let text = format!(
        "# What proofs save, {date}\n\nMade by `cargo xtask proof table --write`; one thread, the \
         fastest of several runs. Conjuncts that every well-typed value satisfies are evaluated \
         in neither column, but in the published figures; a state in which an invariant is \
         violated vouches for nothing.\n\n{page}\n```\n{machine}\n```\n"
    );
    runs::keep("proof.md", &text)
}
