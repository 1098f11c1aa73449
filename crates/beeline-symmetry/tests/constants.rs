//! Constants up to symmetry, at random: every valuation is a renaming of one that is kept.
//!
//! Elements are constants, parts, sources and targets of bijections and injections all at once, of two
//! sets without names beside one with names.

#![allow(clippy::unwrap_used)]

use beeline_compile::{Builder, Flow, Settings, System};
use beeline_source::MemoryLoader;
use beeline_symmetry::{Elements, Permutation, Permuter, elements};
use beeline_value::Val;
use std::collections::BTreeSet;

const CONSTANTS: [(&str, &str); 12] = [
    ("a", "a : D"),
    ("b", "b : D"),
    ("x", "x : E"),
    ("s", "s <: D"),
    ("t", "t <: D"),
    ("u", "u <: E"),
    ("f", "f : D --> E"),
    ("g", "g : D >->> E"),
    ("h", "h : E >-> D"),
    ("i", "i : N >-> D"),
    ("j", "j : D >-> N"),
    ("k", "k : E >->> D"),
];

/// Properties, and the constants that they speak of.
const PROPERTIES: [(&str, &str); 16] = [
    ("ab", "a /= b"),
    ("st", "D = s \\/ t & s /\\ t = {}"),
    ("st", "t = D - s"),
    ("s", "card(s) = 1"),
    ("as", "a : s"),
    ("bs", "b /: s"),
    ("fax", "f(a) = x"),
    ("gax", "g(a) = x"),
    ("hxb", "h(x) = b"),
    ("ks", "k[E] <: s \\/ D"),
    ("is", "i[{n1}] <: s"),
    ("ja", "j(a) = n1"),
    ("fg", "f /= g"),
    ("su", "card(s) = card(u)"),
    ("ux", "x : u"),
    ("gk", "g /= k~"),
];

struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 11) % bound as u64) as usize
    }
}

fn machine(dice: &mut Dice) -> String {
    let mut chosen = Vec::new();
    while chosen.len() < 2 + dice.below(3) {
        let next = CONSTANTS[dice.below(CONSTANTS.len())];
        if !chosen.contains(&next) {
            chosen.push(next);
        }
    }
    let mut properties: Vec<&str> = chosen.iter().map(|c| c.1).collect();
    let known = |names: &str| names.chars().all(|n| chosen.iter().any(|c| c.0.starts_with(n)));
    for (names, property) in PROPERTIES {
        if known(names) && dice.below(2) == 0 {
            properties.push(property);
        }
    }
    let names: Vec<&str> = chosen.iter().map(|c| c.0).collect();
    let (names, properties) = (names.join(", "), properties.join(" & "));
    let text = "MACHINE M SETS D; E; N = {n1, n2, n3} DEFINITIONS scope_D == 3; scope_E ==";
    format!("{text} {} CONSTANTS {names} PROPERTIES {properties} END", 2 + dice.below(2))
}

fn setups(system: &System) -> Vec<Vec<u32>> {
    let mut found = Vec::new();
    let answer = system.setups(&mut system.scratch(), &mut |c| {
        found.push(c.words().to_vec());
        Flow::More
    });
    assert!(answer.complete());
    found
}

fn all_permutations(elements: &Elements) -> Vec<Permutation> {
    let mut found = vec![Permutation::identity(elements.len())];
    for set in &elements.sets {
        for i in 1..set.len {
            let swap = |by: &Permutation, j: usize| {
                let mut by = by.clone();
                by.0.swap(set.first + i, set.first + j);
                by
            };
            found = (0..=i).flat_map(|j| found.iter().map(move |by| swap(by, j))).collect();
        }
    }
    found
}

#[test]
fn every_valuation_is_a_renaming_of_one_that_is_kept() {
    let machines = std::env::var("RANDOM_MACHINES").ok().and_then(|n| n.parse().ok());
    let (mut dice, mut reduced) = (Dice(0xC0_57A5), 0);
    for _ in 0..machines.unwrap_or(150) {
        let text = machine(&mut dice);
        let loader = MemoryLoader::new().with("M.mch", &text);
        let loaded = beeline_elaborate::load(&loader, "M.mch");
        let model =
            loaded.model.unwrap_or_else(|| panic!("{text} {:?}", loaded.diagnostics.list()));
        let settings = Settings::of(&model);
        let plain = System::compile(&model, &settings).unwrap();
        let mut builder = Builder::new(&model, &settings).unwrap();
        let elements = elements(&model, builder.system(), None).unwrap();
        let sets: Vec<_> = elements.sets.iter().map(|s| s.set).collect();
        builder.break_symmetry(&model, &sets);
        let system = builder.build();
        let (all, kept) = (setups(&plain), setups(&system));
        let mut permuter = Permuter::new(system.store(), &elements);
        let mut covered: BTreeSet<Vec<u32>> = BTreeSet::new();
        for by in all_permutations(&elements) {
            covered.extend(kept.iter().map(|constants| -> Vec<u32> {
                constants.iter().map(|w| permuter.value(Val::from_raw(*w), &by).raw()).collect()
            }));
        }
        // Words of two systems are not the same, but there are as many valuations.
        assert_eq!(covered.len(), all.len(), "{text}");
        reduced += usize::from(kept.len() < all.len());
    }
    assert!(reduced > 50, "{reduced}");
}
