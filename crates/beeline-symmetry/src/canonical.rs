//! Canonical forms: of all states that permutations make of one, always the same.
//!
//! Colours put the elements into an order. Where they leave some alike, those are often twins:
//! swapping them changes nothing, so that any order will do. Only what remains is labelled as a
//! graph by nauty. Equal forms are permutations of one state by construction, whatever the hashes
//! do; that symmetric states have equal forms rests on colours being invariant.

use crate::elements::Elements;
use crate::graph::Graphs;
use crate::permute::{Permutation, Permuter};
use crate::refine::Colours;
use crate::state_profile::{Base, StateProfile};
use beeline_compile::System;
use beeline_transition::{Constants, ConstantsRef, SetupIndex, State, StateRef};
use beeline_value::Val;
use rustc_hash::FxHashMap;

/// A set-up: its constants, and what they contribute to each state.
pub(crate) struct Setup {
    pub constants: Constants,
    pub base: Base,
    /// Do its constants hold permutable elements?
    pub fixes: bool,
    /// Takes the constants to their canonical form.
    canon: Permutation,
}

/// Values under a permutation, given by its number, remembered.
#[derive(Clone, Copy)]
struct Moved {
    by: u32,
    from: u32,
    to: u32,
}

/// No permutation has this number.
const NOTHING: Moved = Moved { by: u32::MAX, from: 0, to: 0 };
/// So many permutations have a number at a time.
const NUMBERED: usize = 1 << 16;

/// Places of the memory of moved values; a power of two.
const MOVED: usize = 1 << 14;

/// Computes canonical forms, one after the other.
pub(crate) struct Canonical<'a> {
    pub elements: &'a Elements,
    pub profile: StateProfile<'a>,
    pub colours: Colours,
    graphs: Graphs,
    symmetric: Vec<bool>,
    moved: Vec<Moved>,
    /// Numbers of permutations that were met.
    numbers: FxHashMap<Box<[u32]>, u32>,
    order: Vec<usize>,
    linked: Vec<bool>,
    uses: Vec<Vec<(u32, u32)>>,
    by: Permutation,
    /// For other constants that are a permutation of a set-up's: the way back to it.
    back: FxHashMap<(SetupIndex, Constants), Option<Permutation>>,
    /// Graphs that were too large to be labelled.
    pub too_large: u64,
}

impl<'a> Canonical<'a> {
    pub fn new(system: &'a System, elements: &'a Elements) -> Canonical<'a> {
        Canonical {
            elements,
            profile: StateProfile::new(system, elements),
            colours: Colours::default(),
            graphs: Graphs::default(),
            symmetric: system.variables().iter().map(|v| elements.in_type(v.ty)).collect(),
            moved: vec![NOTHING; MOVED],
            numbers: FxHashMap::default(),
            order: Vec::new(),
            linked: Vec::new(),
            uses: Vec::new(),
            by: Permutation(Vec::new()),
            back: FxHashMap::default(),
            too_large: 0,
        }
    }

    /// Prepares a set-up.
    pub fn setup(&mut self, constants: ConstantsRef<'_>) -> Setup {
        let base = self.profile.base(constants);
        let fixes =
            constants.iter().any(|w| self.profile.profiler.permuter.holds(Val::from_raw(w)));
        let canon = if fixes {
            self.colour_and_order();
            self.permutation()
        } else {
            Permutation::identity(self.elements.len())
        };
        Setup { constants: constants.owned(), base, fixes, canon }
    }

    /// The canonical form of the constants alone.
    pub fn constants(&mut self, constants: ConstantsRef<'_>) -> Constants {
        let setup = self.setup(constants);
        self.moved(constants, &setup.canon)
    }

    fn moved(&mut self, constants: ConstantsRef<'_>, by: &Permutation) -> Constants {
        let permuter = &mut self.profile.profiler.permuter;
        Constants(constants.iter().map(|w| permuter.value(Val::from_raw(w), by).raw()).collect())
    }

    /// Do paths say all there is about the state last looked at? Then elements with equal labels are
    /// interchangeable in it, unless hashes collide.
    pub fn is_flat(&self) -> bool {
        self.profile.links.is_empty() && self.profile.deep.is_empty()
    }

    /// Finds the elements of the state last looked at that something links to others.
    fn linked(&mut self) {
        let (profile, linked) = (&mut self.profile, &mut self.linked);
        linked.clear();
        linked.resize(profile.labels.len(), false);
        // In deeper values all elements count that occur at all.
        profile.each_deep(|number| linked[number] = true);
        for link in &profile.links {
            linked[link.left as usize] = true;
            linked[link.right as usize] = true;
        }
    }

    /// Replaces a state by its canonical form under the permutations that keep the constants.
    pub fn form(&mut self, number: SetupIndex, setup: &Setup, state: &mut State) {
        self.profile.look(&setup.base, state.view());
        self.colour_and_order();
        self.by.0.resize(self.order.len(), 0);
        for (place, number) in self.order.iter().enumerate() {
            self.by.0[*number] = place as u32;
        }
        if setup.fixes && !self.keep_constants(number, setup) {
            return;
        }
        if !self.by.is_identity() {
            self.apply(state);
        }
    }

    /// Goes on to a permutation that keeps the constants. What it adds depends on the permuted
    /// constants only, so that the form stays canonical.
    fn keep_constants(&mut self, number: SetupIndex, setup: &Setup) -> bool {
        let by = self.by.clone();
        let moved = self.moved(setup.constants.view(), &by);
        if moved == setup.constants {
            return true;
        }
        let key = (number, moved);
        if !self.back.contains_key(&key) {
            // canon(moved) = canon(constants): there and back is a way from one to the other.
            let other = self.setup(key.1.view());
            let way = other.canon.then(&setup.canon.inverse());
            let right = self.moved(key.1.view(), &way) == setup.constants;
            self.back.insert(key.clone(), right.then_some(way));
        }
        match self.back.get(&key) {
            Some(Some(way)) => {
                self.by = by.then(way);
                true
            }
            // A graph was too large: the state stands for itself.
            _ => {
                self.too_large += 1;
                false
            }
        }
    }

    /// The number of the permutation at hand.
    fn number(&mut self) -> u32 {
        if let Some(number) = self.numbers.get(self.by.0.as_slice()) {
            return *number;
        }
        if self.numbers.len() >= NUMBERED {
            // Numbers begin anew, and nothing may be known under the old ones.
            self.numbers.clear();
            self.moved.fill(NOTHING);
        }
        let number = self.numbers.len() as u32;
        self.numbers.insert(self.by.0.as_slice().into(), number);
        number
    }

    /// Moves the values of a state.
    fn apply(&mut self, State(state): &mut State) {
        let number = self.number();
        let by = &self.by;
        let permuter: &mut Permuter<'a> = &mut self.profile.profiler.permuter;
        for (word, _) in state.iter_mut().zip(&self.symmetric).filter(|(_, s)| **s) {
            let value = Val::from_raw(*word);
            if value.is_immediate() {
                *word = permuter.value(value, by).raw();
                continue;
            }
            let spread = (number as usize).wrapping_mul(0x85EB_CA6B);
            let place = (spread ^ (*word as usize).wrapping_mul(0x9E37_79B1)) % MOVED;
            let moved = &mut self.moved[place];
            if moved.by != number || moved.from != *word {
                *moved = Moved { by: number, from: *word, to: permuter.value(value, by).raw() };
            }
            *word = moved.to;
        }
    }

    /// Colours the state last looked at, and puts the elements into canonical order.
    fn colour_and_order(&mut self) {
        self.colours.refine(&mut self.profile);
        let colours = &self.colours.of;
        self.order.clear();
        self.order.extend(0..colours.len());
        let elements = self.elements;
        self.order.sort_unstable_by_key(|&n| (elements.class(n), colours[n]));
        if !self.all_twins() {
            match self.graphs.order(&mut self.profile, &self.colours) {
                Some(order) => {
                    self.order = order;
                    self.order.sort_by_key(|&n| elements.class(n));
                }
                None => self.too_large += 1,
            }
        }
    }

    /// The elements in order become the first, second, … of their set.
    fn permutation(&self) -> Permutation {
        let mut by = vec![0; self.order.len()];
        // Sets are numbered one after the other, and so is the order.
        for (place, number) in self.order.iter().enumerate() {
            by[*number] = place as u32;
        }
        Permutation(by)
    }

    /// Calls back with each class of two or more interchangeable elements of a state. Only those
    /// are found that nothing links to others. Steps are left out because of it: how elements are
    /// used is compared, not a hash of it.
    pub fn twin_classes(
        &mut self,
        setup: &Setup,
        state: StateRef<'_>,
        class: impl FnMut(&[usize]),
    ) {
        self.profile.look(&setup.base, state);
        self.linked();
        self.profile.all_uses(&setup.base, state, &mut self.uses);
        let (uses, linked, elements) = (&self.uses, &self.linked, self.elements);
        self.order.clear();
        self.order.extend((0..uses.len()).filter(|n| !linked[*n]));
        self.order.sort_by_key(|&n| (elements.class(n), &uses[n]));
        let alike =
            |a: &usize, b: &usize| elements.class(*a) == elements.class(*b) && uses[*a] == uses[*b];
        self.order.chunk_by(alike).filter(|same| same.len() > 1).for_each(class);
    }

    /// Are elements of one colour interchangeable, all of them?
    fn all_twins(&mut self) -> bool {
        if self.colours.ties.is_empty() && self.profile.deep.is_empty() {
            // Only paths to single elements: alike in label is alike in everything
            // (Leuschel & Massart 2007, Prop. 2).
            return true;
        }
        for i in 1..self.order.len() {
            let (a, b) = (self.order[i - 1], self.order[i]);
            let alike = self.colours.of[a] == self.colours.of[b]
                && self.elements.class(a) == self.elements.class(b);
            if alike && !self.twins(a, b) {
                return false;
            }
        }
        true
    }

    /// Does swapping two elements of one colour leave the state as it is?
    fn twins(&mut self, a: usize, b: usize) -> bool {
        if !self.same_ties(a as u32, b as u32) {
            return false;
        }
        if !self.colours.deep[a] && !self.colours.deep[b] {
            return true;
        }
        let mut swap = Permutation::identity(self.elements.len());
        swap.0.swap(a, b);
        let permuter = &mut self.profile.profiler.permuter;
        self.profile.deep.iter().all(|(_, value)| permuter.value(*value, &swap) == *value)
    }

    fn same_ties(&self, a: u32, b: u32) -> bool {
        let ties = &self.colours.ties;
        let of = |n: u32| {
            let start = ties.partition_point(|t| t.from < n);
            let end = ties.partition_point(|t| t.from <= n);
            &ties[start..end]
        };
        let swapped = |n: u32| match n {
            n if n == a => b,
            n if n == b => a,
            n => n,
        };
        let (mine, theirs) = (of(a), of(b));
        mine.len() == theirs.len()
            && mine.iter().all(|tie| {
                let to = swapped(tie.to);
                let at = theirs.binary_search_by_key(&to, |t| t.to);
                at.is_ok_and(|at| theirs[at].how == tie.how)
            })
    }
}
