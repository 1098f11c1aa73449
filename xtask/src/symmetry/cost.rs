//! What it costs to compute markers and canonical forms, beside hashing the same states.

use super::{models, open, sized};
use beeline::compile::{Builder, Flow, System};
use beeline::explore::{Job, Options, explore};
use beeline::model::Model;
use beeline::pack::{Coded, PackedScratch, PackedSystem, Source};
use beeline::symmetry::{Classifier, Elements, Mode, Symmetry};
use beeline::transition::{
    Ask, At, ConstantsRef, Look, Reducer, RowMut, RowRef, Setup, SetupIndex, Setups,
    TransitionSystem, Wrap,
};
use beeline::{Tier, native};
use beeline_table::{Batch, Table};
use std::collections::HashSet;
use std::hint::black_box;
use std::time::Instant;

#[derive(clap::Args)]
pub struct Arguments {
    /// Number of processes
    #[arg(long, default_value_t = 7)]
    size: u64,
    /// How often each is measured; the best counts
    #[arg(long, default_value_t = 7)]
    rounds: usize,
}

/// Bars: a marker, a canonical form, and hybrid over markers.
const BARS: [f64; 3] = [3.0, 30.0, 1.5];

/// All packed states of a model without constants, one after the other, in the order in which they
/// are found.
fn states(engine: &PackedSystem<'_>, all: &Setups) -> Vec<u32> {
    let (mut memory, setup) = (engine.scratch(), Setup::first(all));
    let (mut found, mut known): (Vec<u32>, HashSet<Vec<u32>>) = Default::default();
    engine.initial(setup, &mut memory, &mut |row| {
        known.insert(row.words().to_vec());
        found.extend_from_slice(row.words());
        Flow::More
    });
    let (mut next, width) = (0, engine.width());
    while next < found.len() {
        let row = found[next..next + width].to_vec();
        next += width;
        let at = At { setup, row: RowRef(&row) };
        engine.successors(at, &mut memory, &mut Ask::default(), &mut |_, target| {
            if known.insert(target.words().to_vec()) {
                found.extend_from_slice(target.words());
            }
            Flow::More
        });
    }
    found
}

/// What is done with one row.
type Work<'w> = &'w mut dyn FnMut(RowRef<'_>);

/// Several kinds of work on the same states: of each the least time of several rounds, in
/// nanoseconds a state. They take turns, so that a busy machine is as bad for all.
fn best<const N: usize>(
    rounds: usize,
    rows: &[u32],
    width: usize,
    work: &mut [Work<'_>; N],
) -> [f64; N] {
    let mut least = [f64::MAX; N];
    for _ in 0..=rounds {
        for (least, work) in least.iter_mut().zip(&mut *work) {
            let begin = Instant::now();
            rows.chunks_exact(width).for_each(|row| work(RowRef(row)));
            *least = least.min(begin.elapsed().as_secs_f64());
        }
    }
    least.map(|s| s * 1e9 / (rows.len() / width) as f64)
}

/// What the visited set does for a state that it knows: nanoseconds a state.
fn look_up(rounds: usize, table: &Table, rows: &[u32]) -> f64 {
    let (mut view, mut least) = (table.view(), f64::MAX);
    // The first round puts them there.
    for round in 0..=rounds {
        let (begin, mut batch) = (Instant::now(), Batch::new(1));
        for row in rows.chunks_exact(table.width()) {
            black_box(table.offer(&mut batch, &mut view, row, 0));
        }
        black_box(table.alone().settle(&mut batch, None));
        if round > 0 {
            least = least.min(begin.elapsed().as_secs_f64());
        }
    }
    least * 1e9 / (rows.len() / table.width()) as f64
}

/// Computes what a mode computes, and reduces nothing.
struct Unused<'a> {
    symmetry: &'a Symmetry<'a>,
    inner: PackedSystem<'a>,
}

struct UnusedReducer<'a>(Box<dyn Reducer + 'a>, Vec<u32>);

impl<'a> Wrap for Unused<'a> {
    type Inner = PackedSystem<'a>;
    type Scratch = PackedScratch;

    fn inner(&self) -> &PackedSystem<'a> {
        &self.inner
    }

    fn inner_mut(&mut self) -> &mut PackedSystem<'a> {
        &mut self.inner
    }

    fn scratch(&self) -> PackedScratch {
        self.inner.scratch()
    }

    fn scratch_of(scratch: &mut PackedScratch) -> &mut PackedScratch {
        scratch
    }

    fn begin(&mut self, setups: &Setups, widened: &[u8]) {
        self.inner.begin(setups, widened);
        self.symmetry.begin(setups, self.inner.codec());
    }

    fn reduces(&self) -> bool {
        true
    }

    fn reducer(&self) -> Option<Box<dyn Reducer + '_>> {
        Some(Box::new(UnusedReducer(self.symmetry.reducer(), Vec::new())))
    }
}

impl Reducer for UnusedReducer<'_> {
    fn look(&mut self, setup: SetupIndex, row: RowMut<'_>) -> Look {
        self.1.clear();
        self.1.extend_from_slice(row.0);
        black_box(self.0.look(setup, RowMut(&mut self.1)));
        Look::Insert
    }
}

pub fn run(arguments: &Arguments) -> Result<bool, String> {
    let model = open(&models().join("Scheduler1.ref"))?;
    let scope = sized(&[("PROC", arguments.size)]);
    let system = beeline::compile(&model, &scope).map_err(|e| format!("{e:?}"))?;
    let elements = beeline::symmetry::elements(&model, &system, None).map_err(|e| e.to_string())?;
    let mut builder = Builder::from(system);
    let source = Source::new(&model, &mut builder);
    let system = builder.build();
    single(arguments, &model, &system, &source, &elements);
    whole(arguments, &model, &system, &source, &elements)
}

/// Each state by itself.
fn single(
    arguments: &Arguments,
    model: &Model,
    system: &System,
    source: &Source<'_>,
    elements: &Elements,
) {
    let setups = Setups::of(&[ConstantsRef(&[])]);
    let mut engine = PackedSystem::new(system, source, None);
    engine.begin(&setups, &[]);
    let (rows, width) = (states(&engine, &setups), engine.width());
    let count = rows.len() / width;
    println!(
        "{count} states of Scheduler1 with {} processes, {} bits each; ns a state",
        arguments.size,
        engine.bits()
    );
    let class = || Classifier::new(model, system, elements, ConstantsRef(&[]), engine.codec());
    let mut general = Classifier::general(system, elements, ConstantsRef(&[]));
    let (mut markers, mut trees, mut both, mut forms) = (class(), class(), class(), class());
    let table = Table::new(width);
    let (mut view, mut codec, mut form) = (table.view(), engine.codec(), vec![0; width]);
    let mut other = vec![0; width];
    let [hash, marker, tree, hybrid, canonical, opened] = best(
        arguments.rounds,
        &rows,
        width,
        &mut [
            &mut |row| {
                black_box(table.hash_of(&mut view, black_box(row).words()));
            },
            &mut |row| {
                black_box(markers.marker(black_box(row)));
            },
            &mut |row| {
                black_box(trees.tree_marker(black_box(row)));
            },
            &mut |row| {
                other.copy_from_slice(black_box(row).words());
                black_box(both.hybrid(RowMut(&mut other)));
            },
            &mut |row| {
                form.copy_from_slice(black_box(row).words());
                forms.canonical(RowMut(&mut form));
                black_box(&form);
            },
            &mut |row| {
                // Rows of the plain layout are states.
                let state = codec.unpack(system.store(), black_box(row));
                black_box(general.marker(RowRef(state.words())));
            },
        ],
    );
    let look_up = look_up(arguments.rounds, &table, &rows);
    println!("{:<34}{:>8}{:>8}{:>12}", "", "ns", "ratio", "to look-up");
    let show = |name: &str, ns: f64, bar: Option<f64>| {
        let ratio = ns / hash;
        let told = bar.map_or(String::new(), |bar| {
            format!("   bar {bar}: {}", if ratio <= bar { "met" } else { "missed" })
        });
        println!("{name:<34}{ns:>8.1}{ratio:>8.1}{:>12.2}{told}", ns / look_up);
    };
    show("hash in the visited set", hash, None);
    show("hash and look-up in it", look_up, None);
    show("marker", marker, Some(BARS[0]));
    show("tree marker", tree, None);
    show("hybrid", hybrid, None);
    show("canonical form", canonical, Some(BARS[1]));
    show("marker of the opened state", opened, None);
    println!("hybrid is {:.2} markers (bar {})", hybrid / marker, BARS[2]);
}

/// A whole exploration with keys that are computed and not used.
fn whole(
    arguments: &Arguments,
    model: &Model,
    system: &System,
    source: &Source<'_>,
    elements: &Elements,
) -> Result<bool, String> {
    let options = Options { all: true, threads: 1, ..Options::default() };
    let compiler = native(Tier::Native, false);
    println!("\na whole exploration, keys of all successors computed and not used");
    println!("{:<34}{:>8}{:>8}", "", "s", "ratio");
    let modes = [Mode::None, Mode::Markers, Mode::Hybrid, Mode::TreeMarkers, Mode::Canonical];
    let mut least = [f64::MAX; 5];
    for _ in 0..arguments.rounds.clamp(1, 4) {
        for (mode, least) in modes.into_iter().zip(&mut least) {
            let symmetry =
                Symmetry::new(model, system, elements, mode, false).map_err(|e| e.to_string())?;
            let mut inner = PackedSystem::new(system, source, compiler.as_deref());
            let begin = Instant::now();
            let found = match &symmetry {
                Some(symmetry) => {
                    let inner = inner.choosy();
                    explore(&mut Unused { symmetry, inner }, &Job::new(&options))
                }
                None => explore(&mut inner, &Job::new(&options)),
            };
            *least = least.min(begin.elapsed().as_secs_f64());
            black_box(found.counts.nodes);
        }
    }
    for (mode, seconds) in modes.into_iter().zip(least) {
        println!("{:<34}{seconds:>8.3}{:>8.2}", mode.name(), seconds / least[0]);
    }
    Ok(true)
}
