//! `cargo xtask symbolic`: sets of states beside the explicit search, beside the published study, and at scale.

mod corpus;
mod one;
mod scale;
mod study;

use beeline::explore::{Cancel, FindingKind, Limits, Options, Order};
use beeline::model::Model;
use beeline::symbolic::{Method, Relations};
use beeline::symmetry::Mode;
use beeline::{CheckOptions, Checked, OpenOptions};
use clap::Subcommand;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::Duration;

#[derive(Subcommand)]
pub enum Task {
    /// Every complete model of the corpus, in every method, beside the explicit search
    Corpus(corpus::Arguments),
    /// Check one model in every method (what `corpus` runs for each)
    #[command(hide = true)]
    One(one::Arguments),
    /// The methods that the published study compared, on models of the same kind
    Study(study::Arguments),
    /// Models with more states than anybody can look at one by one
    Scale(scale::Arguments),
}

pub fn run(task: &Task) -> Result<bool, String> {
    match task {
        Task::Corpus(arguments) => corpus::run(arguments),
        Task::One(arguments) => one::run(arguments),
        Task::Study(arguments) => study::run(arguments),
        Task::Scale(arguments) => scale::run(arguments),
    }
}

/// What a search came to.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Facts {
    verdict: String,
    /// Exact, in digits, if states are counted.
    states: Option<String>,
    transitions: Option<String>,
    /// Kind of each finding, and the steps that lead to it.
    findings: Vec<String>,
}

/// A search in one method.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Run {
    method: String,
    facts: Facts,
    /// Why it is not complete.
    cut: Option<String>,
    seconds: f64,
    /// Relations that were made from code, those that were in part, and those that were learned.
    made: [usize; 3],
    peak_nodes: usize,
}

/// Limits of a search.
#[derive(Clone, Copy)]
struct Within {
    seconds: u64,
    megabytes: u64,
    states: Option<u64>,
}

fn open(path: &Path, root: Option<&PathBuf>) -> Result<Model, String> {
    let options = OpenOptions { roots: root.into_iter().cloned().collect(), ..Default::default() };
    beeline::open(path, &options).model.ok_or_else(|| "not loaded".to_owned())
}

fn options(method: Option<Method>, relations: Relations, within: Within) -> CheckOptions {
    CheckOptions {
        explore: Options {
            all: true,
            threads: 1,
            order: Order::BreadthFirst,
            limits: Limits {
                time: Some(Duration::from_secs(within.seconds)),
                memory_bytes: Some(within.megabytes << 20),
                states: within.states,
                ..Limits::default()
            },
            ..Options::default()
        },
        symmetry: Mode::None,
        method,
        relations,
        ..CheckOptions::default()
    }
}

fn checked(model: &Model, options: &CheckOptions) -> Result<Checked, String> {
    Checked::run(model, options, &Cancel::new(), &|_| {}).map_err(|e| format!("{e:?}"))
}

fn told(method: Option<Method>, checked: &Checked) -> Run {
    let exploration = &checked.outcome.exploration;
    let mut findings: Vec<String> = exploration
        .findings
        .iter()
        .map(|found| {
            let kind = match &found.kind {
                FindingKind::Operation(fault) => format!("{:?}", fault.kind),
                FindingKind::Undefined(id, fault) => format!("{id:?} {:?}", fault.kind),
                other => format!("{other:?}"),
            };
            format!("{kind} after {}", found.path.steps.len())
        })
        .collect();
    findings.sort();
    let symbolic = exploration.symbolic.as_ref();
    let (states, transitions) = match symbolic {
        Some(symbolic) => (symbolic.states.clone(), symbolic.transitions.clone()),
        None => {
            let counts = &exploration.counts;
            (Some(counts.states().to_string()), Some(counts.transitions.to_string()))
        }
    };
    let mut made = [0; 3];
    for (_, how) in symbolic.iter().flat_map(|s| &s.relations) {
        made[*how as usize] += 1;
    }
    let is_whole = exploration.is_complete();
    let cut = checked.outcome.cuts.first().map(|cut| cut.words.clone());
    Run {
        method: method.map_or("explicit", Method::name).to_owned(),
        facts: Facts {
            verdict: checked.outcome.verdict.word().to_owned(),
            states,
            transitions,
            findings,
        },
        cut: (!is_whole).then(|| cut.unwrap_or_else(|| "not complete".to_owned())),
        seconds: exploration.elapsed.as_secs_f64(),
        made,
        peak_nodes: symbolic.map_or(0, |s| s.peak_nodes),
    }
}
