//! What a reduction did, held against the definition of symmetry.
//!
//! An audit hears which state was taken for which representative, and which elements were called
//! interchangeable, and looks at both as values of the system. Where there are few permutations, all
//! are tried; that shares nothing with signatures, labels, markers or graphs. Where there are many, the
//! class of a state is its general canonical form, which shares nothing with signatures and caches of rows.

use crate::canonical::{Canonical, Setup};
use crate::elements::Elements;
use crate::flood;
use crate::permute::{Permutation, Permuter};
use beeline_compile::System;
use beeline_transition::{Constants, SetupIndex, State, StateRef};
use beeline_value::Val;
use rustc_hash::FxHashMap;

/// With more permutations than this, classes are told by general canonical forms.
const TRIED: u64 = 5_040;

/// A state and its constants, as words of the store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateOf {
    /// One word a constant.
    pub constants: Constants,
    /// One word a variable.
    pub state: State,
}

/// What an audit has found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AuditReport {
    /// States that stand for others, and for themselves.
    pub representatives: usize,
    /// Classes of symmetric states that were seen.
    pub classes: usize,
    /// Representatives that stand for more than one class.
    pub collisions: usize,
    /// Classes with more than one representative: work done twice.
    pub split: usize,
    /// Elements that were called interchangeable in a state, and are not.
    pub wrong_twins: usize,
    /// Was every permutation tried?
    pub exhaustive: bool,
    /// Two states that were taken for one and are not symmetric.
    pub example: Option<(StateOf, StateOf)>,
}

impl AuditReport {
    /// Was a state left out for which nothing stands?
    pub fn is_wrong(&self) -> bool {
        self.collisions + self.wrong_twins > 0
    }
}

/// The number of a set-up, and a state.
type Numbered = (SetupIndex, State);

/// Which states were taken for which.
pub(crate) struct Audit<'a> {
    canonical: Canonical<'a>,
    permuter: Permuter<'a>,
    all: Option<Vec<Permutation>>,
    /// Those that keep the constants of a set-up.
    keeping: FxHashMap<SetupIndex, Vec<Permutation>>,
    /// The class of each state that was seen.
    classes: FxHashMap<Numbered, u32>,
    /// Numbers of classes, by their least states or by their forms.
    numbers: FxHashMap<Numbered, u32>,
    /// The classes of each representative.
    stands_for: FxHashMap<Numbered, Vec<u32>>,
    /// Representatives of each class.
    representatives: FxHashMap<u32, Vec<Numbered>>,
    wrong_twins: usize,
    example: Option<(StateOf, StateOf)>,
}

impl<'a> Audit<'a> {
    pub fn new(system: &'a System, elements: &'a Elements) -> Audit<'a> {
        Audit {
            canonical: Canonical::new(system, elements),
            permuter: Permuter::new(system.store(), elements),
            all: elements.permutations(TRIED).map(|_| flood::all(elements)),
            keeping: FxHashMap::default(),
            classes: FxHashMap::default(),
            numbers: FxHashMap::default(),
            stands_for: FxHashMap::default(),
            representatives: FxHashMap::default(),
            wrong_twins: 0,
            example: None,
        }
    }

    /// Forgets what was seen: the exploration begins anew.
    pub fn clear(&mut self) {
        self.stands_for.clear();
        self.representatives.clear();
        (self.wrong_twins, self.example) = (0, None);
    }

    /// The class of a state.
    fn class(&mut self, number: SetupIndex, setup: &Setup, state: StateRef<'_>) -> u32 {
        let key = (number, state.owned());
        if let Some(known) = self.classes.get(&key) {
            return *known;
        }
        let mut least = state.owned();
        match &self.all {
            None => self.canonical.form(number, setup, &mut least),
            Some(all) => {
                let permuter = &mut self.permuter;
                let keeping = self.keeping.entry(number);
                let keeping = keeping
                    .or_insert_with(|| flood::keeping(all, setup.constants.view(), permuter));
                for by in &*keeping {
                    let moved = state.iter().map(|w| permuter.value(Val::from_raw(w), by).raw());
                    least = least.min(State(moved.collect()));
                }
            }
        }
        let next = self.numbers.len() as u32;
        let class = *self.numbers.entry((number, least)).or_insert(next);
        self.classes.insert(key, class);
        class
    }

    /// Hears that a state was taken for another one of the same set-up, or for itself.
    pub fn note(
        &mut self,
        number: SetupIndex,
        setup: &Setup,
        state: StateRef<'_>,
        taken_for: StateRef<'_>,
    ) {
        let (class, other) =
            (self.class(number, setup, state), self.class(number, setup, taken_for));
        let stands_for = self.stands_for.entry((number, taken_for.owned())).or_default();
        for class in [other, class] {
            if !stands_for.contains(&class) {
                stands_for.push(class);
            }
        }
        let known = self.representatives.entry(class).or_default();
        let representative = (number, taken_for.owned());
        if !known.contains(&representative) {
            known.push(representative);
        }
        if class != other && self.example.is_none() {
            let of = |state: StateRef<'_>| StateOf {
                constants: setup.constants.clone(),
                state: state.owned(),
            };
            self.example = Some((of(taken_for), of(state)));
        }
    }

    /// Hears that elements were called interchangeable in a state.
    pub fn twins(
        &mut self,
        setup: &Setup,
        state: StateRef<'_>,
        class: &[usize],
        elements: &Elements,
    ) {
        for pair in class.windows(2) {
            let mut swap = Permutation::identity(elements.len());
            swap.0.swap(pair[0], pair[1]);
            let mut words = setup.constants.view().iter().chain(state.iter());
            let keeps = words.all(|w| self.permuter.value(Val::from_raw(w), &swap).raw() == w);
            self.wrong_twins += usize::from(!keeps);
        }
    }

    pub fn report(&self) -> AuditReport {
        let seen: usize = self.representatives.len();
        AuditReport {
            representatives: self.stands_for.len(),
            classes: seen,
            collisions: self.stands_for.values().filter(|c| c.len() > 1).count(),
            split: self.representatives.values().filter(|r| r.len() > 1).count(),
            wrong_twins: self.wrong_twins,
            exhaustive: self.all.is_some(),
            example: self.example.clone(),
        }
    }
}
