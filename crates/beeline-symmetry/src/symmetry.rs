//! Which states count as one, in each mode; `symmetric` makes a transition system of it.

use crate::audit::{Audit, AuditReport};
use crate::canonical::{Canonical, Setup};
use crate::elements::Elements;
use crate::error::SymmetryError;
use crate::flood::{self, MAX_PERMUTATIONS};
use crate::mode::Mode;
use crate::packed::{Marker, Packed};
use crate::permute::Permutation;
use crate::precision::{Breach, breach};
use beeline_compile::System;
use beeline_fault::{Flaw, planted};
use beeline_model::{Model, Pred};
use beeline_pack::Codec;
use beeline_transition::{
    Constants, ConstantsRef, Look, Reducer, Row, RowMut, RowRef, SetupIndex, Setups, StateRef,
    Twins,
};
use beeline_value::Val;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock};

/// The symmetry of a compiled model in one mode.
pub struct Symmetry<'a> {
    model: &'a Model,
    system: &'a System,
    elements: &'a Elements,
    mode: Mode,
    breach: Option<Breach>,
    /// A state was taken for another one because of its marker alone.
    unchecked: AtomicBool,
    setups: OnceLock<Vec<Setup>>,
    /// Canonical forms of the set-ups that were admitted.
    forms: Mutex<FxHashSet<Constants>>,
    known: RwLock<Known>,
    /// For what concerns constants alone.
    canonical: Mutex<Canonical<'a>>,
    /// What rows mean, and what is needed between waves.
    packed: Mutex<Option<Packed<'a>>>,
    codec: Mutex<Option<Codec>>,
    permutations: Vec<Permutation>,
    audit: Option<Mutex<Audit<'a>>>,
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
    /// What an audit found.
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
    /// Flooding: the state, then the number of the set-up; and the row that was expanded.
    rows: FxHashMap<Box<[u32]>, Arc<[u32]>>,
    /// States that are expanded, by their markers.
    shared: FxHashMap<u128, Vec<Shared>>,
}

/// A state that is expanded.
struct Shared {
    setup: SetupIndex,
    row: Row,
    /// Computed when another state has the same marker.
    form: OnceLock<Row>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The elements that may be permuted, or why a forced symmetry is refused.
pub fn elements(
    model: &Model,
    system: &System,
    goal: Option<&Pred>,
) -> Result<Elements, SymmetryError> {
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
    ) -> Result<Option<Symmetry<'a>>, SymmetryError> {
        if elements.is_empty() {
            return Ok(None);
        }
        let breach = breach(model, system, elements);
        let mode = match mode {
            Mode::None | Mode::Constants => return Ok(None),
            Mode::Auto => Mode::Canonical,
            mode => mode,
        };
        let mut permutations = Vec::new();
        if mode == Mode::Flood {
            if elements.permutations(MAX_PERMUTATIONS).is_none() {
                return Err(SymmetryError::TooManyPermutations(MAX_PERMUTATIONS));
            }
            permutations = flood::all(elements);
        }
        Ok(Some(Symmetry {
            model,
            system,
            elements,
            mode,
            breach,
            unchecked: AtomicBool::new(false),
            setups: OnceLock::new(),
            forms: Mutex::default(),
            known: RwLock::default(),
            canonical: Mutex::new(Canonical::new(system, elements)),
            packed: Mutex::default(),
            codec: Mutex::default(),
            permutations,
            audit: audit.then(|| Mutex::new(Audit::new(system, elements))),
        }))
    }

    /// The mode that is used: what `auto` has chosen.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// Why states may have been taken for symmetric that are not; nothing if all were compared.
    /// Asked when the exploration is over.
    pub fn imprecise(&self) -> Option<Breach> {
        if !self.unchecked.load(Ordering::Relaxed) {
            return None;
        }
        let name = "a set that is not listed".to_owned();
        let why = "contains elements of symmetric sets";
        Some(self.breach.clone().unwrap_or(Breach { name, why }))
    }

    /// What an audit has found, if one was asked for.
    pub fn audit(&self) -> Option<AuditReport> {
        self.audit.as_ref().map(|audit| locked(audit).report())
    }

    /// Tells the audit which row stands for a row.
    fn note(
        &self,
        packed: &mut Packed<'_>,
        number: SetupIndex,
        row: RowRef<'_>,
        taken_for: RowRef<'_>,
    ) {
        if let Some(audit) = &self.audit {
            let (state, other) = (packed.unpack(row), packed.unpack(taken_for));
            locked(audit).note(number, &self.setups()[number.0], state.view(), other.view());
        }
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
        number: SetupIndex,
        row: RowRef<'_>,
    ) -> bool {
        let state = packed.unpack(row);
        let numbered =
            |state: StateRef<'_>| -> Box<[u32]> { state.iter().chain([number.0 as u32]).collect() };
        if let Some(other) = known.rows.get(&numbered(state.view())) {
            self.note(packed, number, row, RowRef(other));
            return false;
        }
        let Some(setup) = self.setups().get(number.0) else { return true };
        self.note(packed, number, row, row);
        let permuter = &mut packed.canonical.profile.profiler.permuter;
        let keeping;
        let all = if setup.fixes {
            keeping = flood::keeping(&self.permutations, setup.constants.view(), permuter);
            &keeping
        } else {
            &self.permutations
        };
        let (mut moved, row) = (vec![0; state.0.len()], Arc::from(row.words()));
        for by in all {
            for (to, from) in moved.iter_mut().zip(&state.0) {
                *to = permuter.value(Val::from_raw(*from), by).raw();
            }
            known.rows.insert(numbered(StateRef(&moved)), Arc::clone(&row));
        }
        true
    }

    /// The state among those with one marker that stands for a row.
    ///
    /// A marker never decides alone where the mode is exact: canonical forms are compared, row by row.
    /// The modes that are named after markers trust them in states that relate elements to each
    /// other, where forms are expensive; that is remembered, and no verdict is `holds` then.
    fn find(
        &self,
        shared: &[Shared],
        packed: &mut Packed<'_>,
        (number, row): (SetupIndex, RowRef<'_>),
        flat: bool,
    ) -> Option<usize> {
        let same = |other: &Shared| other.setup == number && other.row.view() == row;
        if let Some(at) = shared.iter().position(same) {
            return Some(at);
        }
        if planted(Flaw::MarkerDecides) {
            return shared.iter().position(|other| other.setup == number);
        }
        if self.mode != Mode::Hybrid && !flat {
            let at = shared.iter().position(|other| other.setup == number)?;
            self.unchecked.store(true, Ordering::Relaxed);
            return Some(at);
        }
        let mut form = row.owned();
        packed.form(number, self.setups(), RowMut(&mut form.0));
        shared
            .iter()
            .position(|other| other.setup == number && *self.form_of(other, packed) == form)
    }

    fn form_of<'s>(&self, shared: &'s Shared, packed: &mut Packed<'_>) -> &'s Row {
        shared.form.get_or_init(|| {
            let mut form = shared.row.clone();
            packed.form(shared.setup, self.setups(), RowMut(&mut form.0));
            form
        })
    }

    /// Is a row the first of its kind? Then it stands for all like it.
    fn share(
        &self,
        known: &mut Known,
        packed: &mut Packed<'_>,
        (key, number): (u128, SetupIndex),
        row: RowRef<'_>,
    ) -> bool {
        let flat = packed.marker(self.mode, number, self.setups(), row).flat;
        let shared = known.shared.entry(key).or_default();
        if let Some(at) = self.find(shared, packed, (number, row), flat) {
            self.note(packed, number, row, shared[at].row.view());
            return false;
        }
        shared.push(Shared { setup: number, row: row.owned(), form: OnceLock::new() });
        self.note(packed, number, row, row);
        true
    }
}

impl Symmetry<'_> {
    /// Is this valuation of the constants the first of its kind?
    pub fn admit_setup(&self, constants: ConstantsRef<'_>) -> bool {
        let mut canonical = locked(&self.canonical);
        let form = canonical.constants(constants);
        locked(&self.forms).insert(form)
    }

    /// These are the valuations that are explored, and rows are as the codec has them. Said again when
    /// the exploration begins anew, with other rows: nothing that was known counts then.
    pub fn begin(&self, setups: &Setups, codec: Codec) {
        let mut canonical = locked(&self.canonical);
        // The set-ups are the same each time that the exploration begins.
        self.setups.get_or_init(|| setups.iter().map(|(_, c)| canonical.setup(c)).collect());
        locked(&self.forms).clear();
        *self.known.write().unwrap_or_else(PoisonError::into_inner) = Known::default();
        self.audit.iter().for_each(|audit| locked(audit).clear());
        self.unchecked.store(false, Ordering::Relaxed);
        *locked(&self.codec) = Some(codec);
        *locked(&self.packed) = Some(self.packed());
    }

    /// A worker's own part.
    pub fn reducer(&self) -> Box<dyn Reducer + '_> {
        Box::new(Worker { symmetry: self, packed: self.packed() })
    }

    /// Is a row the first of its kind?
    pub fn admit(&self, key: u128, setup: SetupIndex, row: RowRef<'_>) -> bool {
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
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
}

impl Worker<'_, '_> {
    fn by_key(&mut self, number: SetupIndex, row: RowRef<'_>) -> Look {
        let symmetry = self.symmetry;
        let Marker { key, flat } =
            self.packed.marker(symmetry.mode, number, symmetry.setups(), row);
        let key = if planted(Flaw::MarkerDecides) { key % 16 } else { key };
        let known = symmetry.known.read().unwrap_or_else(PoisonError::into_inner);
        let Some(shared) = known.shared.get(&key) else { return Look::Candidate { key } };
        match symmetry.find(shared, &mut self.packed, (number, row), flat) {
            None => Look::Candidate { key },
            Some(at) => {
                symmetry.note(&mut self.packed, number, row, shared[at].row.view());
                Look::Known
            }
        }
    }

    fn by_state(&mut self, number: SetupIndex, row: RowRef<'_>) -> Look {
        let symmetry = self.symmetry;
        let state = self.packed.unpack(row);
        let state: Box<[u32]> = state.0.into_iter().chain([number.0 as u32]).collect();
        let known = symmetry.known.read().unwrap_or_else(PoisonError::into_inner);
        match known.rows.get(&state) {
            None => Look::Candidate { key: 0 },
            Some(other) => {
                symmetry.note(&mut self.packed, number, row, RowRef(other));
                Look::Known
            }
        }
    }

    fn by_form(&mut self, number: SetupIndex, mut row: RowMut<'_>) -> Look {
        let symmetry = self.symmetry;
        let before = symmetry.audit.is_some().then(|| row.view().owned());
        self.packed.form(number, symmetry.setups(), row.again());
        if let Some(before) = before {
            symmetry.note(&mut self.packed, number, before.view(), row.view());
        }
        Look::Insert
    }
}

impl Reducer for Worker<'_, '_> {
    fn twins(&mut self, number: SetupIndex, row: RowRef<'_>, twins: &mut Twins) {
        let symmetry = self.symmetry;
        // Flooding is as the paper has it: all steps of a representative are computed.
        if symmetry.mode == Mode::Flood || number.0 >= symmetry.setups().len() {
            return;
        }
        let state = symmetry.audit.is_some().then(|| self.packed.unpack(row));
        self.packed.twin_classes(number, symmetry.setups(), row, |class| {
            twins.add(class.iter().map(|n| symmetry.elements.atom(*n).raw()));
            if let (Some(audit), Some(state)) = (&symmetry.audit, &state) {
                let setup = &symmetry.setups()[number.0];
                locked(audit).twins(setup, state.view(), class, symmetry.elements);
            }
        });
        if planted(Flaw::FalseTwins) {
            let sets = &symmetry.elements.sets;
            twins.clear();
            for set in sets {
                let all = set.first..set.first + set.len;
                twins.add(all.map(|n| symmetry.elements.atom(n).raw()));
            }
        }
    }

    fn look(&mut self, number: SetupIndex, row: RowMut<'_>) -> Look {
        let symmetry = self.symmetry;
        if number.0 >= symmetry.setups().len() {
            return Look::Insert;
        }
        match symmetry.mode {
            Mode::None | Mode::Constants | Mode::Auto => Look::Insert,
            Mode::Canonical => self.by_form(number, row),
            Mode::Markers | Mode::TreeMarkers | Mode::Hybrid => self.by_key(number, row.view()),
            Mode::Flood => self.by_state(number, row.view()),
        }
    }
}
