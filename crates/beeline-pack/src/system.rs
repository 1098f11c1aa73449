//! The door: packed rows, and what is code. Transitions and checks stand below.

mod program;
mod steps;
mod transition;
mod truth;

use beeline_fault::{Flaw, planted};

use crate::layout::{Layout, Place, Shape};
use crate::lower::{Extra, Lower, No};
use crate::memo::{Memo, Projection};
use crate::pays::Pays;
use crate::programs::Programs;
use crate::routine::Routine;
use crate::shapes::{Shapes, joined};
use crate::source::{Consts, Source};
use beeline_compile::{Contents, PredId, Replanned, Sample, Scratch, System};
use beeline_ir::{Compiler, Interpreter};
use beeline_model::{Model, Pred, VariableId};
use beeline_plan::PlansOf;
use beeline_transition::{
    Arguments, Change, ConstantsRef, Row, RowMut, RowRef, Setup, SetupIndex, Setups, State,
    StateRef,
};
use beeline_value::Val;
use program::Program;
use rustc_hash::FxHashMap;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Code is made beforehand for each valuation of the constants, up to so many; of more, so many
/// have a say in the layout.
const FEW_SETUPS: usize = 16;
/// Of valuations that are still being found the first so many may get code.
const MANY_SETUPS: usize = 1 << 14;
/// So often operations can be planned again.
const REPLANS: usize = 2;
/// Values whose bits a worker remembers.
const REMEMBERED: usize = 1 << 16;

/// A compiled model as a transition system over rows of halves (32 bits), packed or not.
///
/// What it is made of is said before a search; layout and code follow from the valuations of the
/// constants that the search begins with.
pub struct PackedSystem<'a> {
    system: &'a System,
    layout: Layout,
    /// The rows are the states as the system has them.
    plain: bool,
    /// Nothing is remembered.
    forgetful: bool,
    /// What is decided by a clock is decided for the faster way at once.
    early: bool,
    /// Arguments are asked about: see [`beeline_transition::Ask::wanted`].
    choosy: bool,
    /// Operations may be left out where that saves little: see [`beeline_transition::Ask::disabled`].
    leaves_out: bool,
    /// Code for each valuation of the constants.
    programs: Programs<Program>,
    /// What operations are planned again from, if they may be.
    model: Option<&'a Model>,
    /// What code is made from on the way.
    source: Option<&'a Source<'a>>,
    /// Other plans, one after another: the last ones are in use.
    anew: [OnceLock<Anew>; REPLANS],
    compiler: Option<&'a dyn Compiler>,
    /// A variable that met a value outside its layout, plus one.
    overflow: AtomicUsize,
}

/// Operations planned again, and their code.
struct Anew {
    plans: Replanned,
    programs: Programs<Program>,
}

/// What a worker needs for itself.
pub struct PackedScratch {
    general: Scratch,
    interpreter: Interpreter,
    out: Vec<u32>,
    /// Where the records of each lowered operation end.
    ends: Vec<u32>,
    /// Native code was run on the row at hand, or tried to, and this is what it came to.
    ran: Option<bool>,
    /// Arguments of one step.
    told: Arguments,
    words: Vec<u64>,
    state: State,
    row: Row,
    /// Bits of values that are sets or functions.
    encoded: FxHashMap<(u32, u32), Box<[u64]>>,
    decoded: FxHashMap<Box<[u64]>, Val>,
    key: Vec<u64>,
    /// What is remembered of each operation that is left to the general engine.
    memos: Vec<Memo>,
    /// The key and the results of the one at hand.
    memoised: (Vec<u32>, Vec<u32>),
    /// See [`beeline_transition::TransitionSystem::set_later`].
    later: Vec<u32>,
    /// Is it worth it, for each check?
    pays: FxHashMap<PredId, Pays>,
    /// Hashes and sizes of values that were asked for.
    contents: Contents,
    sizes: FxHashMap<u32, i32>,
}

impl<'a> PackedSystem<'a> {
    /// The general engine alone: rows are states.
    pub fn general(system: &'a System) -> PackedSystem<'a> {
        PackedSystem {
            system,
            layout: Layout::plain(system),
            plain: true,
            forgetful: false,
            early: false,
            choosy: false,
            leaves_out: false,
            programs: Programs::none(),
            model: None,
            source: None,
            anew: Default::default(),
            compiler: None,
            overflow: AtomicUsize::new(0),
        }
    }

    /// Packs states and lowers what it can, when a search begins; with native code for what is hot if
    /// there is a compiler.
    pub fn new(
        system: &'a System,
        source: &'a Source<'a>,
        compiler: Option<&'a dyn Compiler>,
    ) -> PackedSystem<'a> {
        PackedSystem { source: Some(source), compiler, ..PackedSystem::general(system) }
    }

    /// Finds a layout for the states of these valuations, and makes code. `widened` says how often
    /// each variable met a value outside its layout in an earlier attempt: it gets a wider one.
    pub(crate) fn lay_out(&mut self, setups: &Setups, widened: &[u8]) {
        // Whatever an earlier search found out is void, overflow among it.
        self.layout = Layout::plain(self.system);
        self.plain = true;
        self.programs = Programs::none();
        self.anew = Default::default();
        *self.overflow.get_mut() = 0;
        let Some(source) = self.source else { return };
        let mut shapes: Option<Vec<Shape>> = None;
        for constants in spread(setups) {
            let own = Shapes::of(&Consts::new(self.system, source, constants));
            // One layout for all valuations: rows of different ones lie in one table.
            shapes = Some(match shapes {
                None => own,
                Some(all) => all.iter().zip(&own).map(|(a, b)| joined(a, b)).collect(),
            });
        }
        let Some(mut shapes) = shapes else { return };
        for (shape, times) in shapes.iter_mut().zip(widened) {
            for _ in 0..*times {
                *shape = wider(shape);
            }
        }
        self.layout = Layout::new(shapes);
        // Which operations will be code is not known beforehand then: none of them is cheap.
        self.leaves_out |= setups.len() > FEW_SETUPS;
        self.plain = false;
        self.programs = Programs::later(places(setups));
        // Of many valuations most may have a state or two, and code would cost more than it saves:
        // they get it when they have shown to need it.
        if setups.len() <= FEW_SETUPS {
            for (setup, constants) in setups.iter() {
                let program = self.program(&Consts::new(self.system, source, constants), None);
                self.programs.put(setup, program);
            }
        }
    }

    /// The program of a valuation that has none yet, if it is worth it by now.
    #[cold]
    fn late_program(&self, setup: Setup<'_>) -> Option<&Program> {
        let source = self.source?;
        self.programs().late(setup.number, self.early, || {
            let consts = Consts::new(self.system, source, setup.constants());
            let program = self.program(&consts, self.plans());
            let size = program.words();
            (program, size)
        })
    }

    fn program(&self, consts: &Consts<'_>, plans: Option<&Replanned>) -> Program {
        let mut program = self.operations(consts, plans);
        let plans = PlansOf::new(consts.source.model, self.system.plans().clone());
        for (id, pred) in self.checks(consts) {
            if self.is_interrupted() {
                break;
            }
            let code = stacker::maybe_grow(4 << 20, 64 << 20, || {
                Lower::pred_code(consts, &self.layout, &plans, pred)
            });
            match code {
                Ok(code) => {
                    program.preds.insert(id, Routine::new(code, Extra::default()));
                }
                // No loss but speed: the general engine does what has no code.
                Err(no) => program.refused.push(("a check".to_owned(), no.0)),
            }
        }
        program
    }

    /// The code of all operations by some plans, and of nothing else.
    fn operations(&self, consts: &Consts<'_>, anew: Option<&Replanned>) -> Program {
        let model = consts.source.model;
        let mut program = Program::default();
        for index in self.system.signature().operation_indices() {
            let operation = self.system.operation(index);
            let plans = anew.and_then(|anew| anew.plans(index)).unwrap_or(self.system.plans());
            let plans = PlansOf::new(model, plans.clone());
            let code = match self.is_interrupted() {
                // Making code takes long for large models: a user who waits for the end gets it
                // soon.
                true => Err(No("there is no time")),
                false => stacker::maybe_grow(4 << 20, 64 << 20, || {
                    Lower::operation_code(consts, &self.layout, &plans, operation.id, self.choosy)
                }),
            };
            if let Err(no) = &code {
                program.refused.push((operation.name.clone(), no.0));
            }
            program.lowered += usize::from(code.is_ok());
            program.size += code.as_ref().map_or(0, |(code, _)| code.ops.len() as u64);
            let routine = code.ok().map(|(code, extra)| Routine::new(code, extra));
            program.records.extend(routine.as_ref().map(Routine::record_halves));
            program.operations.push(routine);
        }
        let once = |routine: &Option<Routine>| routine.as_ref().is_some_and(|r| !r.repeats());
        // Records are passed on as they are: none may repeat, and nobody may choose among them.
        program.emits =
            !self.choosy && self.layout.halves > 0 && program.operations.iter().all(once);
        program.projections = (self.system.signature().operation_indices())
            .filter(|_| !self.forgetful)
            .map(|index| {
                Projection::of(model, self.system, &self.layout, index)
                    .map(|p| if self.choosy { p.with_arguments(self.system, index) } else { p })
            })
            .collect();
        program
    }

    /// The formulas behind the checks of the system.
    fn checks<'c>(&self, consts: &'c Consts<'_>) -> Vec<(PredId, &'c Pred)> {
        let model = consts.source.model;
        let conjuncts = model.concrete().checked();
        let mut checks: Vec<_> =
            conjuncts.map(|(id, c)| (self.system.check(id).pred, &c.pred)).collect();
        let special = &model.special;
        checks.extend(self.system.goal().zip(special.goal.as_ref()));
        checks.extend(self.system.scope().zip(special.scope.as_ref()));
        checks
    }

    /// One whose operations can be planned again.
    pub fn with_model(mut self, model: Option<&'a Model>) -> PackedSystem<'a> {
        self.model = model;
        self
    }

    /// One that computes all results of operations anew, however often it had them before.
    pub fn without_memory(mut self) -> PackedSystem<'a> {
        self.forgetful = true;
        self
    }

    /// One that takes every short cut from the first state on, and asks no clock whether it pays: what
    /// small models would not get to see otherwise.
    pub fn early(mut self) -> PackedSystem<'a> {
        self.early = true;
        self
    }

    /// One that asks which arguments are wanted. Those who do not ask emit all steps in one go.
    pub fn choosy(mut self) -> PackedSystem<'a> {
        self.choosy = true;
        self
    }

    /// One whose native code leaves out what need not be tried, too.
    pub fn leaving_out(mut self) -> PackedSystem<'a> {
        self.leaves_out = true;
        self
    }

    /// Plans operations again where that makes a difference in these rows, each with the number of
    /// its set-up. For when nobody is at work. All results stay the same, in another order.
    pub(crate) fn replanned(
        &self,
        rows: &[(SetupIndex, Row)],
        setups: &Setups,
        eager: bool,
    ) -> Vec<Change> {
        let Some(model) = self.model.filter(|_| self.system.may_replan()) else {
            return Vec::new();
        };
        // A few times only: plans stay valid as long as the system, because workers may still use
        // them.
        let Some(place) = self.anew.iter().find(|place| place.get().is_none()) else {
            return Vec::new();
        };
        let mut scratch = self.new_scratch();
        let sample: Vec<Sample<'_>> = rows
            .iter()
            .map(|(setup, row)| (setups.get(*setup), self.unpacked(row.view(), &mut scratch)))
            .collect();
        // From states as people see them: what comes out depends on values, not on the layout.
        let Some(plans) = self.system.replanned(model, &sample, self.plans(), eager) else {
            return Vec::new();
        };
        let changes = plans.changes.clone();
        let programs = Programs::later(places(setups));
        if let Some(source) = self.source.filter(|_| setups.len() <= FEW_SETUPS) {
            for (setup, constants) in setups.iter() {
                let consts = Consts::new(self.system, source, constants);
                // Checks are not planned again: their code stays where it is.
                programs.put(setup, self.operations(&consts, Some(&plans)));
            }
        }
        let _ = place.set(Anew { plans, programs });
        changes
    }

    /// The plans in use, if they are not the first ones.
    fn anew(&self) -> Option<&Anew> {
        self.anew.iter().rev().find_map(OnceLock::get)
    }

    fn plans(&self) -> Option<&Replanned> {
        self.anew().map(|anew| &anew.plans)
    }

    /// The operations of a set-up as code.
    fn code(&self, setup: SetupIndex) -> Option<&Program> {
        self.programs().get(setup)
    }

    /// The code in use.
    fn programs(&self) -> &Programs<Program> {
        self.anew().map_or(&self.programs, |anew| &anew.programs)
    }

    /// Does somebody want everything to end soon?
    #[inline]
    fn is_interrupted(&self) -> bool {
        self.system.interrupt().load(Ordering::Relaxed)
    }

    pub(crate) fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Bits of a row that hold something.
    pub fn bits(&self) -> u32 {
        self.layout.places.iter().flat_map(|p| &p.fields).map(|f| f.width).sum()
    }

    /// How many operations and checks are code.
    pub fn lowered(&self) -> usize {
        let code = |p: &Program| p.lowered + p.preds.len();
        self.programs.first().map_or(0, code)
    }

    /// What is left to the general engine: the name of an operation, or "a check", and why.
    pub fn refused(&self) -> &[(String, &'static str)] {
        self.programs.first().map_or(&[], |p| &p.refused)
    }

    /// A worker's own space.
    fn new_scratch(&self) -> PackedScratch {
        PackedScratch {
            general: self.system.scratch(),
            interpreter: Interpreter::default(),
            out: Vec::new(),
            ends: Vec::new(),
            ran: None,
            told: Arguments::default(),
            words: Vec::new(),
            state: State::default(),
            row: Row::default(),
            encoded: FxHashMap::default(),
            decoded: FxHashMap::default(),
            key: Vec::new(),
            memos: Vec::new(),
            memoised: (Vec::new(), Vec::new()),
            later: Vec::new(),
            pays: FxHashMap::default(),
            contents: Contents::default(),
            sizes: FxHashMap::default(),
        }
    }

    /// The state in a row, as the system has it.
    fn unpacked(&self, row: RowRef<'_>, scratch: &mut PackedScratch) -> State {
        self.unpack_into(row, scratch);
        std::mem::take(&mut scratch.state)
    }

    /// Is a row the state as the system has it?
    pub fn is_plain(&self) -> bool {
        self.plain
    }

    /// The variables whose values have a number in a row, because nothing bounds them.
    pub fn unbounded(&self) -> impl Iterator<Item = VariableId> {
        let variables = self.system.variables().iter().zip(&self.layout.places);
        variables.filter(|(_, place)| place.shape == Shape::Word).map(|(variable, _)| variable.id)
    }

    /// Do rows hold values, and no numbers of values in the store?
    fn is_self_contained(&self) -> bool {
        !self.plain && self.layout.places.iter().all(|p| p.shape != Shape::Word)
    }

    /// Replaces each number of a value in the store that a row has: such numbers mean something in
    /// one process only. Where `with` has no other number, nothing comes back.
    fn renumber(
        &self,
        mut row: RowMut<'_>,
        mut with: impl FnMut(u32) -> Option<u32>,
    ) -> Option<()> {
        for field in self.layout.places.iter().filter_map(Place::stored) {
            let value = field.get_half(row.view())?;
            field.set_half(row.again(), with(value)?);
        }
        Some(())
    }

    /// The values that a row has as words of the store, each with the place of its variable.
    fn stored(&self, row: RowRef<'_>) -> impl Iterator<Item = (usize, Val)> {
        let stored =
            self.layout.places.iter().enumerate().filter_map(|(v, p)| Some((v, p.stored()?)));
        stored.filter_map(move |(v, field)| Some((v, Val::from_raw(field.get_half(row)?))))
    }

    /// Puts the state of a row into `scratch.state`.
    fn unpack_into(&self, row: RowRef<'_>, scratch: &mut PackedScratch) {
        scratch.state.0.clear();
        if self.plain {
            scratch.state.0.extend_from_slice(row.words());
            return;
        }
        let PackedScratch { words, state, decoded, key, .. } = scratch;
        words.clear();
        words.extend(
            row.words()
                .chunks(2)
                .map(|h| h.iter().rev().fold(0, |w, half| w << 32 | u64::from(*half))),
        );
        let store = self.system.store();
        for (v, place) in self.layout.places.iter().enumerate() {
            let value = match place.shape {
                Shape::Word | Shape::Scalar(_) => place.decode(store, words),
                _ => {
                    key.clear();
                    key.push(if planted(Flaw::DecodedMixed) { 0 } else { v as u64 });
                    key.extend(place.fields.iter().map(|f| f.get(words)));
                    match decoded.get(key.as_slice()) {
                        Some(value) => *value,
                        None => {
                            let value = place.decode(store, words);
                            if decoded.len() >= REMEMBERED {
                                decoded.clear();
                            }
                            decoded.insert(key.as_slice().into(), value);
                            value
                        }
                    }
                }
            };
            state.0.push(value.raw());
        }
    }

    /// The row of a state; nothing, and an overflow, if it does not fit.
    fn close(
        &self,
        state: StateRef<'_>,
        words: &mut Vec<u64>,
        encoded: &mut FxHashMap<(u32, u32), Box<[u64]>>,
        Row(row): &mut Row,
    ) -> bool {
        row.clear();
        if self.plain {
            row.extend_from_slice(state.words());
            return true;
        }
        let store = self.system.store();
        words.clear();
        words.resize(self.layout.words, 0);
        for (v, place) in self.layout.places.iter().enumerate() {
            let mixed = if planted(Flaw::EncodedMixed) { 0 } else { v as u32 };
            let value = Val::from_raw(state[v]);
            // What is in the word itself, or kept as a word, is encoded faster than it is looked
            // up.
            let cached = value.node_index().is_some() && place.shape != Shape::Word;
            if cached && let Some(parts) = encoded.get(&(mixed, state[v])) {
                place.fields.iter().zip(parts).for_each(|(f, part)| f.set(words, *part));
                continue;
            }
            if !place.encode(store, value, words) {
                // Whoever comes last is told: all results are void anyway, and each round widens
                // one variable.
                self.overflow.store(v + 1, Ordering::Relaxed);
                return false;
            }
            if cached {
                if encoded.len() >= REMEMBERED {
                    encoded.clear();
                }
                let parts = place.fields.iter().map(|f| f.get(words)).collect();
                encoded.insert((mixed, state[v]), parts);
            }
        }
        row.extend(words.iter().flat_map(|w| [*w as u32, (*w >> 32) as u32]));
        // The last word may need one half only.
        row.truncate(self.layout.halves);
        true
    }
}

/// A few valuations from all over the list: the last ones often have the largest values.
fn spread(setups: &Setups) -> impl Iterator<Item = ConstantsRef<'_>> {
    // The first portion decides: a search that goes on begins with the same one.
    let all = setups.portion(0).map_or(0, |first| first.len());
    let count = all.min(FEW_SETUPS);
    (0..count).map(move |i| setups.get(SetupIndex(i * (all - 1) / (count - 1).max(1))))
}

/// How many valuations may have code: all, unless there are more than anybody knows.
fn places(setups: &Setups) -> usize {
    if setups.has_more() { setups.len().max(MANY_SETUPS) } else { setups.len() }
}

/// A shape for values that did not fit the last one.
fn wider(shape: &Shape) -> Shape {
    match shape {
        // First it may be partial, which takes one more code; what does not fit then becomes a
        // word.
        Shape::Fun { from, to, total: true } => {
            Shape::Fun { from: from.clone(), to: to.clone(), total: false }
        }
        _ => Shape::Word,
    }
}
