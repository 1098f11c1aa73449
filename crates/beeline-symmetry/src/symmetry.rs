//! Symmetry as the explorer uses it: a [`Reduction`] for each mode.

use crate::audit::{Audit, AuditReport};
use crate::canonical::{Canonical, Setup};
use crate::elements::Elements;
use crate::flood::{self, MAX_PERMUTATIONS};
use crate::hash::{mix, of};
use crate::mode::Mode;
use crate::permute::{Permutation, Permuter};
use crate::precision::{Breach, breach};
use beeline_compile::System;
use beeline_explore::{Look, Reducer, Reduction, Twins};
use beeline_model::{Model, Pred};
use beeline_value::Val;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError, RwLock};

/// The symmetry of a compiled model in one mode.
pub struct Symmetry<'a> {
    system: &'a System,
    elements: &'a Elements,
    mode: Mode,
    breach: Option<Breach>,
    /// A value was met that is kept symbolic, whatever its type promises.
    symbolic: AtomicBool,
    setups: OnceLock<Vec<Setup>>,
    /// Canonical forms of the set-ups that were admitted.
    forms: Mutex<FxHashSet<Vec<u32>>>,
    known: RwLock<Known>,
    /// For what is decided between waves.
    canonical: Mutex<Canonical<'a>>,
    permutations: Vec<Permutation>,
    audit: Option<Mutex<Audit>>,
}

/// What symmetry reduction did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reduced {
    /// The mode in use: what `auto` has chosen, or `none` if there was nothing to reduce.
    pub mode: Mode,
    /// Symmetric sets and how many of their elements may be permuted.
    pub sets: Vec<(String, usize)>,
    /// Deferred sets that are not symmetric, and why.
    pub excluded: Vec<(String, String)>,
    /// What the audit of markers found.
    pub audit: Option<AuditReport>,
}

impl Reduced {
    /// What came of a symmetry; `None` if there was nothing to reduce.
    pub fn of(elements: &Elements, symmetry: Option<&Symmetry<'_>>) -> Reduced {
        Reduced {
            mode: symmetry.map_or(Mode::None, Symmetry::mode),
            sets: elements.sets.iter().map(|s| (s.name.clone(), s.len)).collect(),
            excluded: elements.excluded.clone(),
            audit: symmetry.and_then(Symmetry::audit),
        }
    }
}

/// What is known of the states so far.
#[derive(Default)]
struct Known {
    /// Flooding: number of the set-up, then the state.
    rows: FxHashSet<Box<[u32]>>,
    /// Markers.
    keys: FxHashSet<u128>,
    /// States whose marker may not tell them apart.
    sharing: FxHashMap<u128, Vec<Shared>>,
}

/// A state among several that may share a marker.
struct Shared {
    setup: usize,
    state: Box<[u32]>,
    /// Computed when a second state has the same marker.
    form: OnceLock<Box<[u32]>>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The elements that may be permuted, or why a forced symmetry is refused.
pub fn elements(model: &Model, system: &System, goal: Option<&Pred>) -> Result<Elements, String> {
    let goals: Vec<&Pred> = goal.into_iter().collect();
    Elements::of(model, system, &goals)
}

impl<'a> Symmetry<'a> {
    /// Prepares a mode. `None`: there is nothing to reduce. The error says why the mode is refused.
    pub fn new(
        model: &Model,
        system: &'a System,
        elements: &'a Elements,
        mode: Mode,
        audit: bool,
    ) -> Result<Option<Symmetry<'a>>, String> {
        if elements.is_empty() {
            return Ok(None);
        }
        let breach = breach(model, system, elements);
        let mode = match mode {
            Mode::None | Mode::Constants => return Ok(None),
            Mode::Auto if breach.is_none() => Mode::Markers,
            Mode::Auto => Mode::Hybrid,
            mode => mode,
        };
        let mut permutations = Vec::new();
        if mode == Mode::Flood {
            if elements.permutations(MAX_PERMUTATIONS).is_none() {
                let words = format!("flooding needs more than {MAX_PERMUTATIONS} permutations");
                return Err(format!("{words} of each state; use --symmetry auto"));
            }
            permutations = flood::all(elements);
        }
        Ok(Some(Symmetry {
            system,
            elements,
            mode,
            breach,
            symbolic: AtomicBool::new(false),
            setups: OnceLock::new(),
            forms: Mutex::default(),
            known: RwLock::default(),
            canonical: Mutex::new(Canonical::new(system, elements)),
            permutations,
            audit: audit.then(Mutex::default),
        }))
    }

    /// The mode that is used: what `auto` has chosen.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// Why states may be taken for symmetric that are not; nothing if that cannot be. Asked when
    /// the exploration is over.
    pub fn imprecise(&self) -> Option<Breach> {
        match self.mode {
            Mode::Markers | Mode::TreeMarkers if self.breach.is_some() => self.breach.clone(),
            Mode::Markers | Mode::TreeMarkers => {
                let met = self.symbolic.load(Ordering::Relaxed);
                let name = "a set that is not listed".to_owned();
                met.then_some(Breach { name, why: "holds elements of symmetric sets" })
            }
            _ => None,
        }
    }

    /// What the audit of markers has found, if one was asked for.
    pub fn audit(&self) -> Option<AuditReport> {
        self.audit.as_ref().map(|audit| locked(audit).report())
    }

    fn setup(&self, number: usize) -> Option<&Setup> {
        self.setups.get().and_then(|s| s.get(number))
    }

    fn flood(&self, known: &mut Known, number: usize, state: &[u32]) -> bool {
        let row = |state: &[u32]| -> Box<[u32]> {
            state.iter().copied().chain([number as u32]).collect()
        };
        if known.rows.contains(&row(state)) {
            return false;
        }
        let Some(setup) = self.setup(number) else { return true };
        let mut canonical = locked(&self.canonical);
        let permuter: &mut Permuter<'a> = &mut canonical.sight.profiler.permuter;
        let keeping;
        let all = if setup.fixes {
            keeping = flood::keeping(&self.permutations, &setup.constants, permuter);
            &keeping
        } else {
            &self.permutations
        };
        let mut moved = vec![0; state.len()];
        for by in all {
            for (to, from) in moved.iter_mut().zip(state) {
                *to = permuter.value(Val::from_raw(*from), by).raw();
            }
            known.rows.insert(row(&moved));
        }
        true
    }

    /// The first of its kind among states that may share a marker?
    fn share(&self, known: &mut Known, key: u128, number: usize, state: &[u32]) -> bool {
        let Some(setup) = self.setup(number) else { return true };
        let mut canonical = locked(&self.canonical);
        canonical.sight.look(&setup.base, state);
        let new = |form| Shared { setup: number, state: state.into(), form };
        if canonical.labels_suffice() {
            // Nothing else has this marker.
            return known.keys.insert(key);
        }
        let Some(sharing) = known.sharing.get_mut(&key) else {
            known.sharing.insert(key, vec![new(OnceLock::new())]);
            return true;
        };
        let mut form: Vec<u32> = state.to_vec();
        canonical.form(number, setup, &mut form);
        if sharing.iter().any(|other| *self.form_of(other, &mut canonical) == *form) {
            return false;
        }
        sharing.push(new(OnceLock::from(form.into_boxed_slice())));
        true
    }

    fn form_of<'s>(&self, shared: &'s Shared, canonical: &mut Canonical<'_>) -> &'s [u32] {
        shared.form.get_or_init(|| {
            let mut form = shared.state.clone();
            if let Some(setup) = self.setup(shared.setup) {
                canonical.form(shared.setup, setup, &mut form);
            }
            form
        })
    }
}

impl Reduction for Symmetry<'_> {
    fn admit_setup(&self, constants: &[u32]) -> bool {
        let mut canonical = locked(&self.canonical);
        let form = canonical.constants(constants);
        locked(&self.forms).insert(form)
    }

    fn begin(&self, setups: &[Vec<u32>]) {
        let mut canonical = locked(&self.canonical);
        let all = setups.iter().map(|constants| canonical.setup(constants)).collect();
        // A second exploration needs a symmetry of its own.
        let _ = self.setups.set(all);
        locked(&self.forms).clear();
    }

    fn reducer(&self) -> Box<dyn Reducer + '_> {
        Box::new(Worker { symmetry: self, canonical: Canonical::new(self.system, self.elements) })
    }

    fn admit(&self, key: u128, setup: usize, state: &[u32]) -> bool {
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        match self.mode {
            Mode::Flood => self.flood(&mut known, setup, state),
            Mode::Hybrid => self.share(&mut known, key, setup, state),
            _ => known.keys.insert(key),
        }
    }
}

/// A worker's own part.
struct Worker<'w, 'a> {
    symmetry: &'w Symmetry<'a>,
    canonical: Canonical<'a>,
}

impl Worker<'_, '_> {
    /// The marker of a state, with the number of its set-up.
    fn marker(&mut self, number: usize, setup: &Setup, state: &[u32]) -> u128 {
        let Canonical { sight, colours, .. } = &mut self.canonical;
        sight.look(&setup.base, state);
        let marker = if self.symmetry.mode == Mode::TreeMarkers {
            colours.refine(sight);
            sight.marker(Some(&colours.of))
        } else {
            sight.marker(None)
        };
        if self.symmetry.breach.is_none() && !sight.deep.is_empty() {
            self.symmetry.symbolic.store(true, Ordering::Relaxed);
        }
        marker.wrapping_add(u128::from(number as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }

    fn by_key(&mut self, number: usize, setup: &Setup, state: &[u32]) -> Look {
        let key = self.marker(number, setup, state);
        if let Some(audit) = &self.symmetry.audit {
            let mut form = state.to_vec();
            self.canonical.form(number, setup, &mut form);
            locked(audit).note(key, &setup.constants, state, form);
        }
        let known = self.symmetry.known.read().unwrap_or_else(PoisonError::into_inner);
        if known.keys.contains(&key) { Look::Known } else { Look::Candidate { key, same: key } }
    }

    fn hybrid(&mut self, number: usize, setup: &Setup, state: &[u32]) -> Look {
        let key = self.marker(number, setup, state);
        let symmetry = self.symmetry;
        let known = symmetry.known.read().unwrap_or_else(PoisonError::into_inner);
        if known.keys.contains(&key) {
            return Look::Known;
        }
        if self.canonical.labels_suffice() {
            return Look::Candidate { key, same: key };
        }
        let candidate = Look::Candidate { key, same: row_key(number, state) };
        let Some(sharing) = known.sharing.get(&key) else { return candidate };
        if sharing.iter().any(|other| other.setup == number && *other.state == *state) {
            return Look::Known;
        }
        let mut form = state.to_vec();
        self.canonical.form(number, setup, &mut form);
        let canonical = &mut self.canonical;
        let same = sharing.iter().any(|other| *symmetry.form_of(other, canonical) == *form);
        if same { Look::Known } else { candidate }
    }
}

fn row_key(number: usize, state: &[u32]) -> u128 {
    state.iter().fold(of(600, number as u64), |hash, word| mix(hash, u128::from(*word)))
}

impl Reducer for Worker<'_, '_> {
    fn twins(&mut self, number: usize, state: &[u32], twins: &mut Twins) {
        // Flooding is as the paper has it: all steps of a representative are computed.
        if self.symmetry.mode == Mode::Flood {
            return;
        }
        if let Some(setup) = self.symmetry.setup(number) {
            let elements = self.symmetry.elements;
            self.canonical.twin_classes(setup, state, |class| {
                twins.add(class.iter().map(|n| elements.atom(*n).raw()));
            });
        }
    }

    fn look(&mut self, number: usize, state: &mut [u32]) -> Look {
        let symmetry = self.symmetry;
        let Some(setup) = symmetry.setup(number) else { return Look::Insert };
        match symmetry.mode {
            Mode::None | Mode::Constants | Mode::Auto => Look::Insert,
            Mode::Canonical => {
                self.canonical.form(number, setup, state);
                Look::Insert
            }
            Mode::Markers | Mode::TreeMarkers => self.by_key(number, setup, state),
            Mode::Hybrid => self.hybrid(number, setup, state),
            Mode::Flood => {
                let row: Box<[u32]> = state.iter().copied().chain([number as u32]).collect();
                let known = symmetry.known.read().unwrap_or_else(PoisonError::into_inner);
                let key = row_key(number, state);
                if known.rows.contains(&row) {
                    Look::Known
                } else {
                    Look::Candidate { key, same: key }
                }
            }
        }
    }
}
