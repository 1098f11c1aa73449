//! Random machines and states, named elements beside nameless ones: keys are equal exactly if a
//! permutation takes one state to the other, which is found by trying all of them on the values.
//!
//! For every mode, from states as the system has them and from rows, while signatures are laid out anew as
//! values come. Nothing is explored: states are made by chance.

mod shape;

use beeline_compile::{Builder, Settings, System};
use beeline_model::Model;
use beeline_pack::{Codec, Coded, PackedSystem, Source};
use beeline_source::MemoryLoader;
use beeline_symmetry::{Classifier, Elements, Mode, Permutation, Permuter, Symmetry, elements};
use beeline_transition::{
    Constants, ConstantsRef, Look, Row, RowMut, RowRef, SetupIndex, Setups, State, StateRef,
    TransitionSystem,
};
use beeline_value::Val;
use rustc_hash::{FxHashMap, FxHashSet};
use shape::{Dice, Shape};

/// A machine, its variables and constants, and one valuation of the constants after the other.
struct World {
    text: String,
    model: Model,
    system: System,
    elements: Elements,
    variables: Vec<Shape>,
    constants: Vec<Shape>,
}

impl World {
    fn random(dice: &mut Dice) -> Result<World, Wrong> {
        let variables: Vec<Shape> = (0..1 + dice.below(4)).map(|_| Shape::random(dice)).collect();
        let some = if dice.below(3) == 0 { 1 + dice.below(2) } else { 0 };
        let constants: Vec<Shape> = (0..some).map(|_| Shape::random(dice)).collect();
        let list = |letter: &str, shapes: &[Shape], way: &str, by: &str| {
            let each = shapes.iter().enumerate();
            let each = each.map(|(i, s)| match way {
                "" => format!("{letter}{i}"),
                way => format!("{letter}{i} {way} {}", s.text()),
            });
            each.collect::<Vec<String>>().join(by)
        };
        let (c, v) = (list("c", &constants, "", ", "), list("v", &variables, "", ", "));
        let properties = list("c", &constants, ":", " & ");
        let constants_text = match constants.is_empty() {
            true => String::new(),
            false => format!("CONSTANTS {c} PROPERTIES {properties}"),
        };
        let (invariant, init) =
            (list("v", &variables, ":", " & "), list("v", &variables, "::", " || "));
        let text = format!(
            "MACHINE M SETS D; E; N = {{n1, n2, n3, n4, n5}} {constants_text} VARIABLES {v} \
            INVARIANT {invariant} INITIALISATION {init} END"
        );
        let loader = MemoryLoader::new().with("M.mch", &text);
        let loaded = beeline_elaborate::load(&loader, "M.mch");
        let model =
            loaded.model.ok_or_else(|| format!("{text} {:?}", loaded.diagnostics.list()))?;
        let mut settings = Settings::of(&model);
        let sizes = [("D", 2 + dice.below(3) as u64), ("E", 1 + dice.below(3) as u64)];
        settings.set_sizes = sizes.iter().map(|(n, s)| ((*n).to_owned(), *s)).collect();
        let system = System::compile(&model, &settings).map_err(|e| format!("{text} {e:?}"))?;
        let elements = elements(&model, &system, None).map_err(|e| format!("{text} {e}"))?;
        Ok(World { text, model, system, elements, variables, constants })
    }

    fn values(&self, shapes: &[Shape], dice: &mut Dice) -> Vec<u32> {
        let size = |set: usize| self.system.set_sizes()[set].1 as u32;
        let store = self.system.store();
        shapes.iter().map(|shape| shape.value(store, &size, dice).raw()).collect()
    }

    /// States, many of which are symmetric, and many of which nearly are.
    fn states(&self, all: &[Permutation], dice: &mut Dice) -> Vec<State> {
        let mut states: Vec<State> = Vec::new();
        let mut permuter = Permuter::new(self.system.store(), &self.elements);
        for _ in 0..30 {
            let mut state = match states.is_empty() || dice.below(4) == 0 {
                true => State(self.values(&self.variables, dice)),
                false => states[dice.below(states.len())].clone(),
            };
            state = State(moved(&mut permuter, &state.0, &all[dice.below(all.len())]));
            if dice.below(2) == 0 {
                let slot = dice.below(state.0.len());
                state.0[slot] = self.values(&self.variables[slot..=slot], dice)[0];
            }
            states.push(state);
        }
        states
    }
}

/// The words of a state, or of constants, under a permutation.
fn moved(permuter: &mut Permuter<'_>, words: &[u32], by: &Permutation) -> Vec<u32> {
    words.iter().map(|w| permuter.value(Val::from_raw(*w), by).raw()).collect()
}

fn all_permutations(elements: &Elements) -> Vec<Permutation> {
    let mut found = vec![Permutation::identity(elements.len())];
    for set in &elements.sets {
        for i in 1..set.len {
            let swaps = (0..=i).flat_map(|j| {
                found.iter().map(move |by| {
                    let mut by = by.clone();
                    by.0.swap(set.first + i, set.first + j);
                    by
                })
            });
            found = swaps.collect();
        }
    }
    found
}

/// What brute force says of one set-up.
struct Truth<'w> {
    permuter: Permuter<'w>,
    constants: Constants,
    keeping: Vec<Permutation>,
}

impl<'w> Truth<'w> {
    fn new(world: &'w World, constants: ConstantsRef<'_>, all: &[Permutation]) -> Truth<'w> {
        let mut permuter = Permuter::new(world.system.store(), &world.elements);
        let keeps =
            |by: &&Permutation| moved(&mut permuter, constants.words(), by) == constants.words();
        let keeping = all.iter().filter(keeps).cloned().collect();
        Truth { permuter, constants: constants.owned(), keeping }
    }

    /// The least of all states that permutations make of one.
    fn class(&mut self, state: StateRef<'_>) -> State {
        let permuter = &mut self.permuter;
        let all = self.keeping.iter().map(|by| moved(permuter, state.words(), by));
        State(all.min().unwrap_or_default())
    }

    fn swaps(&mut self, state: StateRef<'_>, a: usize, b: usize, len: usize) -> bool {
        let mut swap = Permutation::identity(len);
        swap.0.swap(a, b);
        moved(&mut self.permuter, &self.constants.0, &swap) == self.constants.0
            && moved(&mut self.permuter, state.words(), &swap) == state.words()
    }
}

/// Both markers, whether the state is flat, and its twins.
type Told = ((u128, u128), bool, Vec<Vec<usize>>);

/// Everything that is told of a row, or of a state.
fn told(classes: &mut [Classifier<'_>; 2], row: RowRef<'_>) -> Told {
    let [one, two] = classes;
    let mut twins = Vec::new();
    one.twins(row, |class| {
        let mut class = class.to_vec();
        class.sort_unstable();
        twins.push(class);
    });
    twins.sort();
    ((one.marker(row), two.tree_marker(row)), one.is_flat(row), twins)
}

/// How much was looked at.
#[derive(Clone, Copy, Debug, Default)]
pub struct Seen {
    /// Machines whose states are packed.
    pub packed: usize,
    /// Rows.
    pub rows: usize,
}

/// Something that is not so, in words.
type Wrong = String;

/// An error that tells what is not so unless it is.
fn so(it_is: bool, words: impl FnOnce() -> String) -> Result<(), Wrong> {
    if it_is { Ok(()) } else { Err(words()) }
}

/// Holds the keys of the states of one random machine against brute force.
pub fn machine(seed: u64) -> Result<Seen, Wrong> {
    let mut dice = Dice::new(seed);
    let mut seen = Seen::default();
    let mut world = World::random(&mut dice)?;
    let all = all_permutations(&world.elements);
    let setups: Vec<Constants> =
        (0..2).map(|_| Constants(world.values(&world.constants, &mut dice))).collect();
    let setups: Vec<ConstantsRef<'_>> = setups.iter().map(Constants::view).collect();
    let mut builder = Builder::from(world.system);
    let source = Source::new(&world.model, &mut builder);
    world.system = builder.build();
    let mut engine = PackedSystem::new(&world.system, &source, None).choosy();
    engine.begin(&Setups::of(&setups), &[]);
    seen.packed = usize::from(!engine.is_plain());
    let states = world.states(&all, &mut dice);
    for constants in &setups {
        seen.rows += keys(&world, &engine, *constants, &states, &all, &mut dice)?;
    }
    if !world.elements.is_empty() {
        let plain = Codec::plain(&world.system);
        for mode in [Mode::Flood, Mode::Markers, Mode::TreeMarkers, Mode::Canonical, Mode::Hybrid] {
            let audit = seed.is_multiple_of(4);
            explored(&world, &setups, (mode, audit), &states, &all, (&engine, &plain))?;
        }
    }
    Ok(seen)
}

/// Keys and forms of single states. How many of them were packed?
fn keys(
    world: &World,
    engine: &PackedSystem<'_>,
    constants: ConstantsRef<'_>,
    states: &[State],
    all: &[Permutation],
    dice: &mut Dice,
) -> Result<usize, Wrong> {
    let (system, elements, text) = (&world.system, &world.elements, &world.text);
    let mut truth = Truth::new(world, constants, all);
    let from_rows = || Classifier::new(&world.model, system, elements, constants, engine.codec());
    let from_states = || Classifier::general(system, elements, constants);
    let (mut fast, mut slow) = ([from_rows(), from_rows()], [from_states(), from_states()]);
    let (mut memory, mut packed) = (engine.scratch(), 0);
    let mut forms: FxHashMap<State, State> = FxHashMap::default();
    let mut markers: FxHashMap<(bool, State), (u128, u128)> = FxHashMap::default();
    // What was met before is met again, after signatures were laid out anew.
    for _ in 0..2 * states.len() {
        let state = &states[dice.below(states.len())];
        let class = truth.class(state.view());
        // Rows of the plain layout are states.
        let general = told(&mut slow, RowRef(&state.0));
        let mut form = state.clone();
        slow[0].canonical(RowMut(&mut form.0));
        let told_of = |what: &str| format!("{what}: {text} {state:?}");
        so(truth.class(form.view()) == class, || told_of("no permutation of its state"))?;
        let first = forms.entry(class.clone()).or_insert_with(|| form.clone());
        so(*first == form, || told_of("a class with two forms"))?;
        let marker = *markers.entry((false, class.clone())).or_insert(general.0);
        so(marker == general.0, || told_of("a class with two markers"))?;
        for twins in general.2.iter().flat_map(|class| class.windows(2)) {
            let swaps = truth.swaps(state.view(), twins[0], twins[1], elements.len());
            so(swaps, || told_of("twins that are none"))?;
        }
        let Some(row) = engine.pack(state.view(), &mut memory) else { continue };
        packed += 1;
        let quick = told(&mut fast, row.view());
        let same = (quick.1, &quick.2) == (general.1, &general.2);
        so(same, || told_of("the row says something else than the state"))?;
        // What stands beside elements is hashed as it lies in the row: markers are of one layout.
        let marker = *markers.entry((true, class)).or_insert(quick.0);
        so(marker == quick.0, || told_of("a class with two markers of rows"))?;
        let mut same = row.clone();
        fast[0].canonical(RowMut(&mut same.0));
        let same = engine.unpack(same.view(), &mut memory) == form;
        so(same, || told_of("the row has another form than the state"))?;
    }
    // Forms of different classes differ, since each is a permutation of its states.
    let different: FxHashSet<&State> = forms.values().collect();
    so(different.len() == forms.len(), || format!("two classes with one form: {text}"))?;
    Ok(packed)
}

/// A mode as the explorer uses it: a state is new exactly if its class is, first with packed rows and
/// then, from the beginning, with plain ones.
fn explored(
    world: &World,
    setups: &[ConstantsRef<'_>],
    (mode, audit): (Mode, bool),
    states: &[State],
    all: &[Permutation],
    (engine, plain): (&PackedSystem<'_>, &Codec),
) -> Result<(), Wrong> {
    let symmetry = Symmetry::new(&world.model, &world.system, &world.elements, mode, audit);
    let symmetry = symmetry.map_err(|e| e.to_string())?.ok_or("there is no symmetry")?;
    let mut truths: Vec<Truth<'_>> =
        setups.iter().map(|constants| Truth::new(world, *constants, all)).collect();
    for is_packed in [true, false] {
        let codec = if is_packed { engine.codec() } else { plain.clone() };
        symmetry.begin(&Setups::of(setups), codec.clone());
        let (mut reducer, mut memory) = (symmetry.reducer(), engine.scratch());
        let (mut classes, mut table) = (FxHashSet::default(), FxHashSet::default());
        for (i, state) in states.iter().chain(states).enumerate() {
            let setup = SetupIndex(i * setups.len() / (2 * states.len()));
            let packed = match is_packed {
                true => engine.pack(state.view(), &mut memory),
                false => Some(Row(state.0.clone())),
            };
            let Some(mut row) = packed else { continue };
            let fresh = match reducer.look(setup, RowMut(&mut row.0)) {
                Look::Insert => table.insert((setup, row)),
                Look::Known => false,
                Look::Candidate { key } => symmetry.admit(key, setup, row.view()),
            };
            let class = truths[setup.0].class(state.view());
            let expected = classes.insert((setup, class));
            let marked = matches!(mode, Mode::Markers | Mode::TreeMarkers);
            // Markers may take two for one, and say so; nothing may be new twice.
            let lost = marked && expected && symmetry.imprecise().is_some();
            let words = if fresh { "new twice" } else { "lost" };
            so(fresh == expected || lost, || format!("{mode}: {words}: {} {state:?}", world.text))?;
        }
        if let Some(report) = symmetry.audit() {
            let lost = symmetry.imprecise().is_some();
            let right = (!report.is_wrong() || lost) && report.split == 0;
            so(right, || format!("{mode}: audit: {} {report:?}", world.text))?;
        }
    }
    Ok(())
}
