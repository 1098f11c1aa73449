//! What it costs to compute markers and canonical forms, beside hashing the same states.

use super::{models, open, sized};
use beeline::compile::{Flow, System};
use beeline::explore::{Cancel, Look, Options, Reducer, Reduction, explore_reduced};
use beeline::model::Model;
use beeline::symmetry::{Classifier, Elements, Mode, Symmetry};
use beeline::value::{Node, Store, Val};
use std::collections::HashSet;
use std::hint::black_box;
use std::time::Instant;

#[derive(clap::Args)]
pub struct Arguments {
    /// Number of processes
    #[arg(long, default_value_t = 7)]
    size: u64,
    /// How often each is measured; the best counts
    #[arg(long, default_value_t = 5)]
    rounds: usize,
}

/// Hashes the words of a state, as the visited table does.
fn hash_words(state: &[u32]) -> u64 {
    let mut h = 0x243F_6A88_85A3_08D3u64;
    for &word in state {
        let product = u128::from(h ^ u64::from(word)) * 0x9E37_79B9_7F4A_7C15;
        h = (product >> 64) as u64 ^ product as u64;
    }
    (h ^ (h >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9)
}

/// Hashes a value by walking it, as a checker has to that does not intern values.
fn walk(store: &Store, value: Val, hash: u64) -> u64 {
    let list = |hash, parts: &[Val]| parts.iter().fold(hash, |h, v| walk(store, *v, h));
    match store.node(value) {
        Some(Node::Pair(a, b)) => walk(store, *b, walk(store, *a, hash)),
        Some(Node::Set(parts) | Node::Rec(parts) | Node::Sym(_, parts)) => list(hash, parts),
        Some(Node::Rel(left, right)) => list(list(hash, left), right),
        _ => hash_words(&[hash as u32, (hash >> 32) as u32, value.raw()]),
    }
}

/// All states of a system without constants, in the order in which they are found.
fn states(system: &System) -> Vec<Vec<u32>> {
    let mut scratch = system.scratch();
    let (mut all, mut known): (Vec<Vec<u32>>, HashSet<Vec<u32>>) = Default::default();
    system.initial(&[], &mut scratch, &mut |state| {
        known.insert(state.to_vec());
        all.push(state.to_vec());
        Flow::More
    });
    let mut next = 0;
    while next < all.len() {
        let state = all[next].clone();
        next += 1;
        system.successors(&[], &state, &mut scratch, &mut |step| {
            if known.insert(step.target.to_vec()) {
                all.push(step.target.to_vec());
            }
            Flow::More
        });
    }
    all
}

/// The least time of several rounds, in nanoseconds a state.
fn best(rounds: usize, states: &[Vec<u32>], mut work: impl FnMut(&[u32])) -> f64 {
    let mut least = f64::MAX;
    for _ in 0..rounds.max(1) {
        let begin = Instant::now();
        states.iter().for_each(|s| work(s));
        least = least.min(begin.elapsed().as_secs_f64());
    }
    least * 1e9 / states.len() as f64
}

/// Computes what a mode computes, and reduces nothing.
struct Unused<'a>(&'a Symmetry<'a>);

impl Reduction for Unused<'_> {
    fn admit_setup(&self, _constants: &[u32]) -> bool {
        true
    }
    fn begin(&self, setups: &[Vec<u32>]) {
        self.0.begin(setups);
    }
    fn reducer(&self) -> Box<dyn Reducer + '_> {
        Box::new(UnusedReducer(self.0.reducer(), Vec::new()))
    }
    fn admit(&self, _key: u128, _setup: usize, _state: &[u32]) -> bool {
        true
    }
}

struct UnusedReducer<'a>(Box<dyn Reducer + 'a>, Vec<u32>);

impl Reducer for UnusedReducer<'_> {
    fn look(&mut self, setup: usize, state: &mut [u32]) -> Look {
        self.1.clear();
        self.1.extend_from_slice(state);
        black_box(self.0.look(setup, &mut self.1));
        Look::Insert
    }
}

pub fn run(arguments: &Arguments) -> Result<bool, String> {
    let model = open(&models().join("Scheduler1.ref"))?;
    let scope = sized(&[("PROC", arguments.size)]);
    let system = beeline::compile(&model, &scope).map_err(|e| format!("{e:?}"))?;
    let elements = beeline::symmetry::elements(&model, &system, None)?;
    single(arguments, &system, &elements);
    whole(arguments, &model, &system, &elements)
}

/// Each state by itself.
fn single(arguments: &Arguments, system: &System, elements: &Elements) {
    let all = states(system);
    println!("{} states of Scheduler1 with {} processes, ns a state", all.len(), arguments.size);
    let mut classes = Classifier::new(system, elements, &[]);
    let mut row = Vec::new();
    let store = system.store();
    let rounds = arguments.rounds;
    let words = best(rounds, &all, |s| {
        black_box(hash_words(black_box(s)));
    });
    let content = best(rounds, &all, |s| {
        let mut sum = 0u64;
        for word in black_box(s) {
            sum = sum.rotate_left(5) ^ store.hash(Val::from_raw(*word));
        }
        black_box(sum);
    });
    let walked = best(rounds, &all, |s| {
        let values = black_box(s).iter().map(|w| Val::from_raw(*w));
        black_box(values.fold(0, |hash, value| walk(store, value, hash)));
    });
    println!("{:<34}{:>8}{:>8}", "", "ns", "ratio");
    let show = |name: &str, ns: f64| println!("{name:<34}{ns:>8.1}{:>8.1}", ns / words);
    show("hash of the words", words);
    show("hash of remembered hashes", content);
    show("hash of the values, walked", walked);
    show(
        "marker",
        best(rounds, &all, |s| {
            black_box(classes.marker(black_box(s)));
        }),
    );
    show(
        "tree marker",
        best(rounds, &all, |s| {
            black_box(classes.tree_marker(black_box(s)));
        }),
    );
    show(
        "canonical form",
        best(rounds, &all, |s| {
            row.clear();
            row.extend_from_slice(black_box(s));
            classes.canonical(&mut row);
            black_box(&row);
        }),
    );
}

/// A whole exploration with keys that are computed and not used.
fn whole(
    arguments: &Arguments,
    model: &Model,
    system: &System,
    elements: &Elements,
) -> Result<bool, String> {
    let options = Options { all: true, threads: 1, ..Options::default() };
    println!("\na whole exploration, keys computed and not used");
    println!("{:<34}{:>8}{:>8}", "", "s", "ratio");
    let mut plain = f64::MAX;
    for mode in [Mode::None, Mode::Markers, Mode::Hybrid, Mode::TreeMarkers, Mode::Canonical] {
        let mut least = f64::MAX;
        for _ in 0..arguments.rounds.clamp(1, 3) {
            let symmetry = Symmetry::new(model, system, elements, mode, false)?;
            let unused = symmetry.as_ref().map(Unused);
            let reduction = unused.as_ref().map(|u| u as &dyn Reduction);
            let begin = Instant::now();
            let found = explore_reduced(system, &options, reduction, &Cancel::new(), &|_| {});
            least = least.min(begin.elapsed().as_secs_f64());
            black_box(found.counts.nodes);
        }
        if mode == Mode::None {
            plain = least;
        }
        println!("{:<34}{least:>8.3}{:>8.2}", mode.name(), least / plain);
    }
    Ok(true)
}
