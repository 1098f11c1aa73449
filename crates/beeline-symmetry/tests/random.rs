//! Random states and permutations: keys of symmetric states are equal, forms of others differ.

#![allow(clippy::unwrap_used)]

use beeline_compile::{Builder, Settings, System};
use beeline_model::{Model, Type, TypeId};
use beeline_pack::{Coded, PackedSystem, Source};
use beeline_source::MemoryLoader;
use beeline_symmetry::{Classifier, Elements, Permutation, Permuter, elements};
use beeline_transition::{ConstantsRef, RowMut, RowRef, Setups, State, StateRef, TransitionSystem};
use beeline_value::{Store, Val};
use rustc_hash::FxHashMap;

/// Values of any nesting over two deferred sets and a set-valued parameter.
const MACHINE: &str = "MACHINE M(P) SETS D; E; F = {ff, gg} VARIABLES \
    a, s, f, g, r, q, t, ss, rr, sq, rc, rs, pp, n, ps \
    INVARIANT a : D & s <: E & f : D +-> INTEGER & g : INTEGER +-> E & r : D <-> D & q : D <-> E \
    & t <: D * E * BOOL & ss : POW(POW(D)) & rr : POW((D <-> E) * D) & sq : seq(seq(E)) \
    & rc : struct(x : D, y : POW(E), z : BOOL) & rs : POW(struct(x : D, y : E)) \
    & pp <: (D * D) * E & n : INTEGER * POW(F) & ps : P +-> POW(D) \
    INITIALISATION a :: D || s, f, g, r, q, t := {}, {}, {}, {}, {}, {} || ss, rr, sq := {}, {}, [] \
    || rc :: struct(x : D, y : POW(E), z : BOOL) || rs, pp, ps := {}, {}, {} || n := 0 |-> {ff} END";

struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 11) % bound as u64) as usize
    }
}

struct World {
    model: Model,
    system: System,
    elements: Elements,
}

fn world(text: &str, sizes: &[(&str, u64)]) -> World {
    let loader = MemoryLoader::new().with("M.mch", text);
    let loaded = beeline_elaborate::load(&loader, "M.mch");
    let model = loaded.model.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics.list()));
    let mut settings = Settings::of(&model);
    settings.set_sizes = sizes.iter().map(|(n, s)| ((*n).to_owned(), *s)).collect();
    let system = System::compile(&model, &settings).unwrap();
    let elements = elements(&model, &system, None).unwrap();
    World { model, system, elements }
}

impl World {
    fn store(&self) -> &Store {
        self.system.store()
    }

    /// A random value of a type; sets have few elements.
    fn value(&self, ty: TypeId, most: usize, dice: &mut Dice) -> Val {
        let store = self.store();
        match self.model.types.get(ty) {
            Type::Bool => Val::bool(dice.below(2) == 0),
            Type::Integer => store.int(dice.below(3) as i64),
            Type::Given(set) => {
                let size = self.system.set_sizes()[set.index()].1 as usize;
                Val::atom(set.index() as u32, dice.below(size) as u32)
            }
            Type::Power(of) => {
                let count = dice.below(most + 1);
                let inner = most.min(2);
                store.set((0..count).map(|_| self.value(*of, inner, dice)).collect())
            }
            Type::Pair(a, b) => {
                let (a, b) = (self.value(*a, most, dice), self.value(*b, most, dice));
                store.pair(a, b)
            }
            Type::Record(fields) => {
                store.record(fields.iter().map(|f| self.value(f.1, most, dice)).collect())
            }
            other => panic!("{other:?}"),
        }
    }

    /// A random state in which most variables are empty: what is left is hard enough.
    fn state(&self, dice: &mut Dice) -> Vec<u32> {
        let busy = 1 + dice.below(self.system.variables().len());
        let most = 1 + dice.below(6);
        let slots = self.system.variables().iter();
        slots
            .map(|slot| {
                let empty = dice.below(self.system.variables().len()) >= busy;
                match self.model.types.get(slot.ty) {
                    Type::Power(_) if empty => Val::EMPTY.raw(),
                    _ => self.value(slot.ty, most, dice).raw(),
                }
            })
            .collect()
    }

    /// A random state of the flat machine, inside its layout.
    fn flat_state(&self, dice: &mut Dice) -> Vec<u32> {
        let store = self.store();
        let size = |set: usize| self.system.set_sizes()[set].1 as u32;
        let any = |set: usize, dice: &mut Dice| {
            Val::atom(set as u32, dice.below(size(set) as usize) as u32)
        };
        let some = |set: usize, dice: &mut Dice| {
            let all = (0..size(set)).map(|i| Val::atom(set as u32, i));
            let chosen: Vec<Val> = all.filter(|_| dice.below(2) == 0).collect();
            store.set(chosen)
        };
        let (a, b) = (any(0, dice), any(1, dice));
        let (s, t) = (some(0, dice), some(1, dice));
        let all = (0..size(0)).map(|i| Val::atom(0, i));
        let f = store.relation(all.map(|d| (d, store.int(dice.below(6) as i64))).collect());
        let partial = (1..=3).filter(|_| dice.below(2) == 0).map(|i| store.int(i));
        let partial: Vec<Val> = partial.collect();
        let g = store.relation(partial.into_iter().map(|i| (i, any(0, dice))).collect());
        let length = dice.below(4) as i64;
        let p = store.relation((1..=length).map(|i| (store.int(i), any(1, dice))).collect());
        let pairs = (0..dice.below(5)).map(|_| (any(0, dice), Val::bool(dice.below(2) == 0)));
        let pairs: Vec<Val> = pairs.map(|(d, b)| store.pair(d, b)).collect();
        let q = store.set(pairs);
        let n = store.int(dice.below(10) as i64);
        let r = store.record(vec![any(0, dice), Val::bool(dice.below(2) == 0)]);
        [a, b, s, t, f, g, p, q, n, r].map(Val::raw).to_vec()
    }

    fn permutation(&self, dice: &mut Dice) -> Permutation {
        let mut by = Permutation::identity(self.elements.len());
        for set in &self.elements.sets {
            for i in (1..set.len).rev() {
                let j = dice.below(i + 1);
                by.0.swap(set.first + i, set.first + j);
            }
        }
        by
    }
}

fn moved(permuter: &mut Permuter<'_>, state: &[u32], by: &Permutation) -> Vec<u32> {
    state.iter().map(|w| permuter.value(Val::from_raw(*w), by).raw()).collect()
}

#[test]
fn symmetric_states_have_equal_keys() {
    let mut dice = Dice(0x5EED_CAFE);
    // A few in every run; `RANDOM_STATES=100000` for more.
    let states = std::env::var("RANDOM_STATES").ok().and_then(|n| n.parse().ok());
    let states: usize = states.unwrap_or(12_000);
    for sizes in [[3, 2, 2], [4, 3, 2], [6, 5, 3], [9, 7, 2]] {
        let sizes = [("D", sizes[0]), ("E", sizes[1]), ("P", sizes[2])];
        let world = world(MACHINE, &sizes);
        assert_eq!(world.elements.sets.len(), 3);
        let mut permuter = Permuter::new(world.store(), &world.elements);
        let mut one = Classifier::general(&world.system, &world.elements, ConstantsRef(&[]));
        let mut two = Classifier::general(&world.system, &world.elements, ConstantsRef(&[]));
        for _ in 0..states / 4 {
            let state = world.state(&mut dice);
            let by = world.permutation(&mut dice);
            let other = moved(&mut permuter, &state, &by);
            assert_eq!(moved(&mut permuter, &other, &by.inverse()), state);
            assert_eq!(one.marker(RowRef(&state)), two.marker(RowRef(&other)));
            assert_eq!(one.tree_marker(RowRef(&state)), two.tree_marker(RowRef(&other)));
            let (mut form, mut same) = (state.clone(), other.clone());
            one.canonical(RowMut(&mut form));
            two.canonical(RowMut(&mut same));
            assert_eq!(form, same, "{state:?} {other:?}");
            let again = form.clone();
            one.canonical(RowMut(&mut form));
            assert_eq!(form, again);
        }
        assert_eq!((one.too_large(), two.too_large()), (0, 0));
    }
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

/// A state that differs a little from another one.
fn changed(world: &World, state: &[u32], dice: &mut Dice) -> Vec<u32> {
    let mut state = state.to_vec();
    let slot = dice.below(state.len());
    state[slot] = world.value(world.system.variables()[slot].ty, 3, dice).raw();
    state
}

#[test]
fn forms_tell_apart_exactly_what_no_permutation_joins() {
    let mut dice = Dice(77);
    let world = world(MACHINE, &[("D", 3), ("E", 3), ("P", 2)]);
    let all = all_permutations(&world.elements);
    assert_eq!(all.len(), 72);
    let mut permuter = Permuter::new(world.store(), &world.elements);
    let mut classes = Classifier::general(&world.system, &world.elements, ConstantsRef(&[]));
    let (mut joined, mut apart, mut lost) = (0, 0, [0, 0]);
    for _ in 0..3_000 {
        let state = world.state(&mut dice);
        let by = world.permutation(&mut dice);
        let other = changed(&world, &moved(&mut permuter, &state, &by), &mut dice);
        let symmetric = all.iter().any(|by| moved(&mut permuter, &state, by) == other);
        let (mut a, mut b) = (state.clone(), other.clone());
        classes.canonical(RowMut(&mut a));
        classes.canonical(RowMut(&mut b));
        assert_eq!(a == b, symmetric, "{state:?} {other:?}");
        if symmetric {
            joined += 1;
        } else {
            apart += 1;
            lost[0] +=
                usize::from(classes.marker(RowRef(&state)) == classes.marker(RowRef(&other)));
            lost[1] += usize::from(
                classes.tree_marker(RowRef(&state)) == classes.tree_marker(RowRef(&other)),
            );
        }
    }
    assert!(joined > 100 && apart > 1_000, "{joined} {apart}");
    // Trees lose no more than paths.
    assert!(lost[1] <= lost[0], "{lost:?}");
}

#[test]
fn cycles_need_the_exact_test() {
    let text = "MACHINE M SETS D VARIABLES r INVARIANT r : D <-> D INITIALISATION r := {} END";
    let world = world(text, &[("D", 6)]);
    let mut classes = Classifier::general(&world.system, &world.elements, ConstantsRef(&[]));
    let graph = |pairs: &[(u32, u32)]| {
        let pairs = pairs.iter().map(|(a, b)| (Val::atom(0, *a), Val::atom(0, *b))).collect();
        vec![world.store().relation(pairs).raw()]
    };
    let ring = graph(&[(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0)]);
    let two = graph(&[(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)]);
    let other = graph(&[(0, 3), (3, 1), (1, 5), (5, 2), (2, 4), (4, 0)]);
    assert_eq!(classes.marker(RowRef(&ring)), classes.marker(RowRef(&two)));
    assert_eq!(classes.tree_marker(RowRef(&ring)), classes.tree_marker(RowRef(&two)));
    let mut form = |state: &[u32]| {
        let mut state = state.to_vec();
        classes.canonical(RowMut(&mut state));
        state
    };
    assert_eq!(form(&ring), form(&other));
    assert_ne!(form(&ring), form(&two));
}

/// Flat values over two sets, of all kinds that signatures show, beside plain ones.
const FLAT: &str = "MACHINE M SETS D; E VARIABLES a, b, s, t, f, g, p, q, n, r \
    INVARIANT a : D & b : E & s <: D & t <: E & f : D --> 0..5 & g : 1..3 +-> D & p : seq(E) \
    & q : D <-> BOOL & n : 0..9 & r : struct(x : D, y : BOOL) \
    INITIALISATION a :: D || b :: E || s, t, g, p, q := {}, {}, {}, [], {} || f := D * {0} || n := 0 \
    || r :: struct(x : D, y : BOOL) \
    OPERATIONS op = BEGIN f :: D --> 0..5 || g :: 1..3 +-> D || q :: D <-> BOOL END END";

#[test]
fn bits_say_what_states_say() {
    let mut dice = Dice(0xF1A7);
    for sizes in [[2, 2], [4, 3], [7, 5], [9, 3], [12, 11], [30, 2]] {
        let sizes = [("D", sizes[0]), ("E", sizes[1])];
        let mut world = world(FLAT, &sizes);
        let mut builder = Builder::from(world.system);
        let source = Source::new(&world.model, &mut builder);
        world.system = builder.build();
        let mut engine = PackedSystem::new(&world.system, &source, None).choosy();
        engine.begin(&Setups::of(&[ConstantsRef(&[])]), &[]);
        assert!(!engine.is_plain());
        let (system, elements) = (&world.system, &world.elements);
        let class =
            || Classifier::new(&world.model, system, elements, ConstantsRef(&[]), engine.codec());
        let (mut packed, mut general) =
            (class(), Classifier::general(system, elements, ConstantsRef(&[])));
        let mut memory = engine.scratch();
        let mut keys: FxHashMap<u128, Vec<u32>> = FxHashMap::default();
        let mut permuter = Permuter::new(system.store(), elements);
        for _ in 0..1_500 {
            let state = world.flat_state(&mut dice);
            let row = engine.pack(StateRef(&state), &mut memory).unwrap();
            assert_eq!(engine.unpack(row.view(), &mut memory).0, state);
            let by = world.permutation(&mut dice);
            let other = moved(&mut permuter, &state, &by);
            let other_row = engine.pack(StateRef(&other), &mut memory).unwrap();
            // The first time it is learned, the second time it is known.
            for _ in 0..2 {
                let key = packed.marker(row.view());
                assert_eq!(key, packed.marker(other_row.view()));
                assert_eq!(key, packed.tree_marker(row.view()));
                assert!(packed.is_flat(row.view()));
                let mut both = row.clone();
                assert_eq!(packed.hybrid(RowMut(&mut both.0)), key);
                let (mut form, mut same) = (row.clone(), other_row.clone());
                packed.canonical(RowMut(&mut form.0));
                packed.canonical(RowMut(&mut same.0));
                assert_eq!(form, same);
                assert_eq!(form, both);
                let mut whole = state.clone();
                general.canonical(RowMut(&mut whole));
                assert_eq!(engine.unpack(form.view(), &mut memory), State(whole.clone()));
                assert_eq!(keys.entry(key).or_insert_with(|| whole.clone()), &whole);
            }
        }
    }
}
