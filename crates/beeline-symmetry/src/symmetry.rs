//! Symmetry as the explorer uses it: a [`Reduction`] for each mode.

use crate::audit::{Audit, AuditReport};
use crate::canonical::{Canonical, Setup};
use crate::elements::Elements;
use crate::flood::{self, MAX_PERMUTATIONS};
use crate::hash::{mix, of};
use crate::mode::Mode;
use crate::packed::{Marker, Packed};
use crate::permute::Permutation;
use crate::precision::{Breach, breach};
use beeline_compile::System;
use beeline_explore::{Look, Reducer, Reduction, Twins};
use beeline_model::{Model, Pred};
use beeline_pack::Codec;
use beeline_value::Val;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError, RwLock};

/// The symmetry of a compiled model in one mode.
pub struct Symmetry<'a> {
    model: &'a Model,
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
    /// For what concerns constants alone.
    canonical: Mutex<Canonical<'a>>,
    /// What rows mean, and what is needed between waves.
    packed: Mutex<Option<Packed<'a>>>,
    codec: Mutex<Option<Codec>>,
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
    row: Box<[u32]>,
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
        model: &'a Model,
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
            model,
            system,
            elements,
            mode,
            breach,
            symbolic: AtomicBool::new(false),
            setups: OnceLock::new(),
            forms: Mutex::default(),
            known: RwLock::default(),
            canonical: Mutex::new(Canonical::new(system, elements)),
            packed: Mutex::default(),
            codec: Mutex::default(),
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

    fn setups(&self) -> &[Setup] {
        self.setups.get().map_or(&[], Vec::as_slice)
    }

    fn packed(&self) -> Packed<'a> {
        let plain = || Codec::plain(self.system);
        let codec = locked(&self.codec).clone().unwrap_or_else(plain);
        let flat = self.breach.is_none().then_some(self.model);
        Packed::new(self.system, self.elements, codec, self.setups(), flat)
    }

    fn flood(
        &self,
        known: &mut Known,
        packed: &mut Packed<'_>,
        number: usize,
        row: &[u32],
    ) -> bool {
        let state = packed.open(row);
        let numbered = |state: &[u32]| -> Box<[u32]> {
            state.iter().copied().chain([number as u32]).collect()
        };
        if known.rows.contains(&numbered(&state)) {
            return false;
        }
        let Some(setup) = self.setups().get(number) else { return true };
        let permuter = &mut packed.canonical.sight.profiler.permuter;
        let keeping;
        let all = if setup.fixes {
            keeping = flood::keeping(&self.permutations, &setup.constants, permuter);
            &keeping
        } else {
            &self.permutations
        };
        let mut moved = vec![0; state.len()];
        for by in all {
            for (to, from) in moved.iter_mut().zip(&state) {
                *to = permuter.value(Val::from_raw(*from), by).raw();
            }
            known.rows.insert(numbered(&moved));
        }
        true
    }

    /// The first of its kind among states that may share a marker?
    fn share(
        &self,
        known: &mut Known,
        packed: &mut Packed<'_>,
        (key, number): (u128, usize),
        row: &[u32],
    ) -> bool {
        if packed.marker(self.mode, number, self.setups(), row, &mut || {}).suffices {
            // Nothing else has this marker.
            return known.keys.insert(key);
        }
        let new = |form| Shared { setup: number, row: row.into(), form };
        let Some(sharing) = known.sharing.get_mut(&key) else {
            known.sharing.insert(key, vec![new(OnceLock::new())]);
            return true;
        };
        let mut form: Box<[u32]> = row.into();
        packed.form(number, self.setups(), &mut form);
        if sharing.iter().any(|other| *self.form_of(other, packed) == *form) {
            return false;
        }
        sharing.push(new(OnceLock::from(form)));
        true
    }

    fn form_of<'s>(&self, shared: &'s Shared, packed: &mut Packed<'_>) -> &'s [u32] {
        shared.form.get_or_init(|| {
            let mut form = shared.row.clone();
            packed.form(shared.setup, self.setups(), &mut form);
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

    fn begin(&self, setups: &[Vec<u32>], codec: Codec) {
        let mut canonical = locked(&self.canonical);
        // The set-ups are the same each time that the exploration begins.
        self.setups.get_or_init(|| setups.iter().map(|c| canonical.setup(c)).collect());
        locked(&self.forms).clear();
        *self.known.write().unwrap_or_else(PoisonError::into_inner) = Known::default();
        self.audit.iter().for_each(|audit| *locked(audit) = Audit::default());
        *locked(&self.codec) = Some(codec);
        *locked(&self.packed) = Some(self.packed());
    }

    fn reducer(&self) -> Box<dyn Reducer + '_> {
        Box::new(Worker { symmetry: self, packed: self.packed(), met: vec![0; MET] })
    }

    fn admit(&self, key: u128, setup: usize, row: &[u32]) -> bool {
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        if !matches!(self.mode, Mode::Flood | Mode::Hybrid) {
            return known.keys.insert(key);
        }
        let mut packed = locked(&self.packed);
        let packed = packed.get_or_insert_with(|| self.packed());
        match self.mode {
            Mode::Flood => self.flood(&mut known, packed, setup, row),
            _ => self.share(&mut known, packed, (key, setup), row),
        }
    }
}

/// A worker's own part.
struct Worker<'w, 'a> {
    symmetry: &'w Symmetry<'a>,
    packed: Packed<'a>,
    /// Keys that were met lately and are known: what is known stays known, and asking the others
    /// takes longer.
    met: Vec<u128>,
}

/// Keys that a worker has at hand.
const MET: usize = 1 << 12;

impl Worker<'_, '_> {
    fn marker(&mut self, number: usize, row: &[u32]) -> Marker {
        let symmetry = self.symmetry;
        self.packed.marker(symmetry.mode, number, symmetry.setups(), row, &mut || {
            if symmetry.breach.is_none() {
                symmetry.symbolic.store(true, Ordering::Relaxed);
            }
        })
    }

    fn by_key(&mut self, number: usize, row: &[u32]) -> Look {
        let (symmetry, key) = (self.symmetry, self.marker(number, row).key);
        if let Some(audit) = &symmetry.audit {
            let mut form = row.to_vec();
            self.packed.form(number, symmetry.setups(), &mut form);
            let constants = &symmetry.setups()[number].constants;
            locked(audit).note(key, constants, form, || self.packed.open(row));
        }
        if self.knows(key) { Look::Known } else { Look::Candidate { key, same: key } }
    }

    /// Is a state with this marker known, and does the marker say all?
    fn knows(&mut self, key: u128) -> bool {
        let met = &mut self.met[key as usize % MET];
        if *met == key {
            return true;
        }
        let known = self.symmetry.known.read().unwrap_or_else(PoisonError::into_inner);
        let found = known.keys.contains(&key);
        if found {
            *met = key;
        }
        found
    }

    fn hybrid(&mut self, number: usize, row: &[u32]) -> Look {
        let Marker { key, suffices } = self.marker(number, row);
        let symmetry = self.symmetry;
        if self.knows(key) {
            return Look::Known;
        }
        if suffices {
            return Look::Candidate { key, same: key };
        }
        let known = symmetry.known.read().unwrap_or_else(PoisonError::into_inner);
        let candidate = Look::Candidate { key, same: row_key(number, row) };
        let Some(sharing) = known.sharing.get(&key) else { return candidate };
        if sharing.iter().any(|other| other.setup == number && *other.row == *row) {
            return Look::Known;
        }
        let mut form = row.to_vec();
        let packed = &mut self.packed;
        packed.form(number, symmetry.setups(), &mut form);
        let same = sharing.iter().any(|other| *symmetry.form_of(other, packed) == *form);
        if same { Look::Known } else { candidate }
    }
}

fn row_key(number: usize, row: &[u32]) -> u128 {
    row.iter().fold(of(600, number as u64), |hash, word| mix(hash, u128::from(*word)))
}

impl Reducer for Worker<'_, '_> {
    fn twins(&mut self, number: usize, row: &[u32], twins: &mut Twins) {
        let symmetry = self.symmetry;
        // Flooding is as the paper has it: all steps of a representative are computed.
        if symmetry.mode == Mode::Flood || number >= symmetry.setups().len() {
            return;
        }
        self.packed.twin_classes(number, symmetry.setups(), row, |class| {
            twins.add(class.iter().map(|n| symmetry.elements.atom(*n).raw()));
        });
    }

    fn look(&mut self, number: usize, row: &mut [u32]) -> Look {
        let symmetry = self.symmetry;
        if number >= symmetry.setups().len() {
            return Look::Insert;
        }
        match symmetry.mode {
            Mode::None | Mode::Constants | Mode::Auto => Look::Insert,
            Mode::Canonical => {
                self.packed.form(number, symmetry.setups(), row);
                Look::Insert
            }
            Mode::Markers | Mode::TreeMarkers => self.by_key(number, row),
            Mode::Hybrid => self.hybrid(number, row),
            Mode::Flood => {
                let state = self.packed.open(row);
                let state: Box<[u32]> = state.into_iter().chain([number as u32]).collect();
                let known = symmetry.known.read().unwrap_or_else(PoisonError::into_inner);
                let key = row_key(number, row);
                if known.rows.contains(&state) {
                    Look::Known
                } else {
                    Look::Candidate { key, same: key }
                }
            }
        }
    }
}
