//! The door: successors and checks over packed rows.

use crate::layout::{Layout, Place, Shape};
use crate::lower::{Extra, Lower};
use crate::pays::Pays;
use crate::recall::{Projection, Recall};
use crate::routine::{PRICE, Routine};
use crate::shapes::{Shapes, joined};
use crate::source::{Consts, Source};
use beeline_compile::{
    Answer, Change, Flow, Planner, PredId, Replanned, Sample, Scratch, System, Truth,
};
use beeline_ir::{Code, CompiledAll, Compiler, Machine, NOT_RUN, Outcome};
use beeline_model::{Model, Pred};
use beeline_value::Val;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Instant;

/// Code is made for each valuation of the constants, up to so many.
const MAX_SETUPS: usize = 16;
/// So often operations can be planned again.
pub const REPLANS: usize = 2;
/// Values whose bits a worker remembers.
const REMEMBERED: usize = 1 << 16;

/// A system over rows of halves (32 bits), packed or not.
///
/// All rows have [`Engine::width`] halves. Two states are equal exactly when their rows are.
pub struct Engine<'a> {
    system: &'a System,
    setups: &'a [Vec<u32>],
    layout: Layout,
    /// The rows are the states as the system has them.
    plain: bool,
    /// Nothing is remembered.
    forgetful: bool,
    /// Arguments are asked about: see `wanted` of [`Engine::successors`].
    choosy: bool,
    /// Code for each valuation of the constants.
    programs: Vec<Program>,
    /// What operations are planned again from, if they may be.
    model: Option<&'a Model>,
    source: Option<&'a Source<'a>>,
    /// Other plans, one after another: the last ones are in use.
    anew: [OnceLock<Anew>; REPLANS],
    compiler: Option<&'a dyn Compiler>,
    /// A variable that met a value outside its layout, plus one.
    overflow: AtomicUsize,
}

#[derive(Default)]
struct Program {
    operations: Vec<Option<Routine>>,
    /// How many operations are code, and how long that is.
    lowered: usize,
    size: u64,
    /// Halves of a record of each operation that is code.
    records: Vec<usize>,
    /// Are all operations code, none of which writes a record twice or is asked for arguments?
    emits: bool,
    preds: FxHashMap<PredId, Routine>,
    /// What is looked at and changed by operations whose results may be remembered.
    projections: Vec<Option<Projection>>,
    /// What is left to the general engine, and why.
    refused: Vec<(String, &'static str)>,
    /// Operations of all codes of operations that were interpreted.
    steps: AtomicU64,
    /// The codes of the operations, in order, as native code; none before it is worth that.
    native: OnceLock<Vec<Native>>,
}

/// Operations planned again, and their code.
struct Anew {
    plans: Replanned,
    programs: Vec<Program>,
}

/// Some operations in one piece of native code.
struct Native {
    operations: usize,
    code: Box<dyn CompiledAll>,
}

/// Codes are compiled together up to this size: compilers do not like long functions.
const TOGETHER: usize = 1_500;

impl Program {
    /// All lowered operations as native code, if that is worth it by now.
    fn native(&self, compiler: Option<&dyn Compiler>) -> Option<&[Native]> {
        if let Some(native) = self.native.get() {
            return Some(native).filter(|n| !n.is_empty()).map(Vec::as_slice);
        }
        if self.steps.load(Ordering::Relaxed) < PRICE * self.size {
            return None;
        }
        let compiler = compiler?;
        let native = self.native.get_or_init(|| self.compiled(compiler).unwrap_or_default());
        Some(native).filter(|n| !n.is_empty()).map(Vec::as_slice)
    }

    fn compiled(&self, compiler: &dyn Compiler) -> Option<Vec<Native>> {
        let mut native = Vec::new();
        let mut codes: &[&Code] =
            &self.operations.iter().flatten().map(Routine::code).collect::<Vec<_>>();
        while !codes.is_empty() {
            let (mut count, mut size) = (1, codes[0].ops.len());
            while let Some(code) = codes.get(count).filter(|c| size + c.ops.len() <= TOGETHER) {
                (count, size) = (count + 1, size + code.ops.len());
            }
            let (some, rest) = codes.split_at(count);
            native.push(Native { operations: count, code: compiler.compile_all(some)? });
            codes = rest;
        }
        Some(native)
    }
}

impl Native {
    /// Runs all pieces; `ends` has a place for each operation. False: nothing counts.
    fn run(native: &[Native], row: &[u32], out: &mut Vec<u32>, ends: &mut [u32]) -> bool {
        let mut ends = ends;
        for piece in native {
            let Some((here, rest)) = ends.split_at_mut_checked(piece.operations) else {
                return false;
            };
            if !piece.code.run(row, out, here) {
                return false;
            }
            ends = rest;
        }
        true
    }
}

/// The transitions of one row as native code wrote them: of each operation all at once.
pub struct Emitted<'m> {
    out: &'m [u32],
    /// Where the records of each operation end, and how many halves one has.
    ends: &'m [u32],
    records: &'m [usize],
}

impl Emitted<'_> {
    /// Calls back with each operation that leads somewhere, its records one after the other, and
    /// the halves of one; the row that a record leads to comes first in it.
    #[inline]
    pub fn each(&self, mut found: impl FnMut(usize, &[u32], usize)) {
        let mut from = 0;
        for (operation, (end, record)) in self.ends.iter().zip(self.records).enumerate() {
            let end = *end as usize;
            if from < end {
                found(operation, &self.out[from..end], *record);
                from = end;
            }
        }
    }
}

/// What a worker needs for itself.
pub struct Memory {
    scratch: Scratch,
    machine: Machine,
    out: Vec<u32>,
    /// Where the records of each lowered operation end.
    ends: Vec<u32>,
    /// Native code was run on the row at hand, or tried to, and this is what it came to.
    ran: Option<bool>,
    /// Arguments of one step.
    told: Vec<u32>,
    words: Vec<u64>,
    state: Vec<u32>,
    row: Vec<u32>,
    /// Bits of values that are sets or functions.
    encoded: FxHashMap<(u32, u32), Box<[u64]>>,
    decoded: FxHashMap<Box<[u64]>, Val>,
    key: Vec<u64>,
    /// What is remembered of each operation that is left to the general engine.
    recalls: Vec<Recall>,
    /// The key and the results of the one at hand.
    recalled: (Vec<u32>, Vec<u32>),
    /// See [`Engine::set_later`].
    later: Vec<u32>,
    /// Is it worth it, for each check?
    pays: FxHashMap<PredId, Pays>,
}

impl<'a> Engine<'a> {
    /// The general engine alone: rows are states.
    pub fn general(system: &'a System, setups: &'a [Vec<u32>]) -> Engine<'a> {
        Engine {
            system,
            setups,
            layout: Layout::plain(system),
            plain: true,
            forgetful: false,
            choosy: false,
            programs: Vec::new(),
            model: None,
            source: None,
            anew: Default::default(),
            compiler: None,
            overflow: AtomicUsize::new(0),
        }
    }

    /// Packs states and lowers what it can. `widened` says how often each variable met a value
    /// outside its layout in an earlier attempt: it gets a wider one. Only a `choosy` engine asks
    /// which arguments are wanted.
    pub fn packed(
        system: &'a System,
        source: &'a Source<'a>,
        setups: &'a [Vec<u32>],
        compiler: Option<&'a dyn Compiler>,
        widened: &[u8],
        choosy: bool,
    ) -> Engine<'a> {
        let mut shapes: Option<Vec<Shape>> = None;
        for constants in setups.iter().take(MAX_SETUPS) {
            let own = Shapes::of(&Consts::new(system, source, constants));
            shapes = Some(match shapes {
                None => own,
                Some(all) => all.iter().zip(&own).map(|(a, b)| joined(a, b)).collect(),
            });
        }
        let Some(mut shapes) = shapes else { return Engine::general(system, setups) };
        for (shape, times) in shapes.iter_mut().zip(widened) {
            for _ in 0..*times {
                *shape = wider(shape);
            }
        }
        let mut engine = Engine::general(system, setups);
        engine.layout = Layout::new(shapes);
        engine.plain = false;
        engine.choosy = choosy;
        engine.compiler = compiler;
        engine.source = Some(source);
        if setups.len() <= MAX_SETUPS {
            engine.programs = setups
                .iter()
                .map(|constants| engine.program(&Consts::new(system, source, constants)))
                .collect();
        }
        engine
    }

    fn program(&self, consts: &Consts<'_>) -> Program {
        let mut planner = Planner::new(consts.source.model, self.system);
        let mut program = self.operations(consts, &mut planner, None);
        for (id, pred) in self.checks(consts) {
            let code = stacker::maybe_grow(4 << 20, 64 << 20, || {
                Lower::pred_code(consts, &self.layout, &mut planner, pred)
            });
            match code {
                Ok(code) => {
                    program.preds.insert(id, Routine::new(code, Extra::default()));
                }
                Err(no) => program.refused.push(("a check".to_owned(), no.0)),
            }
        }
        program
    }

    /// The code of all operations by some plans, and of nothing else.
    fn operations(
        &self,
        consts: &Consts<'_>,
        planner: &mut Planner<'_>,
        plans: Option<&Replanned>,
    ) -> Program {
        let model = consts.source.model;
        let mut program = Program::default();
        for (number, operation) in self.system.operations().iter().enumerate() {
            planner.follow(plans, number);
            let code = stacker::maybe_grow(4 << 20, 64 << 20, || {
                Lower::operation_code(consts, &self.layout, planner, operation.id, self.choosy)
            });
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
        program.emits =
            !self.choosy && self.layout.halves > 0 && program.operations.iter().all(once);
        program.projections = (0..self.system.operations().len())
            .filter(|_| !self.forgetful)
            .map(|number| {
                Projection::of(model, self.system, &self.layout, number)
                    .map(|p| if self.choosy { p.with_arguments(self.system, number) } else { p })
            })
            .collect();
        program
    }

    /// The formulas behind the checks of the system.
    fn checks<'c>(&self, consts: &'c Consts<'_>) -> Vec<(PredId, &'c Pred)> {
        let model = consts.source.model;
        let level = match self.system.settings().level {
            Some(n) => model.levels.get(n).unwrap_or(model.concrete()),
            None => model.concrete(),
        };
        let invariants = level.invariants.iter().filter(|i| !i.gluing).map(|i| &i.conjunct.pred);
        let assertions = level.assertions.iter().filter(|a| !a.gluing).map(|a| &a.conjunct.pred);
        let ids = self.system.invariants().iter().map(|c| c.pred);
        let more = self.system.assertions().iter().map(|c| c.pred);
        let mut checks: Vec<_> = ids.zip(invariants).chain(more.zip(assertions)).collect();
        let special = &model.special;
        checks.extend(self.system.goal().zip(special.goal.as_ref()));
        checks.extend(self.system.scope().zip(special.scope.as_ref()));
        checks
    }

    /// One whose operations can be planned again.
    pub fn with_model(mut self, model: Option<&'a Model>) -> Engine<'a> {
        self.model = model;
        self
    }

    /// One that computes all results of operations anew, however often it had them before.
    pub fn without_memory(mut self) -> Engine<'a> {
        self.programs.iter_mut().for_each(|program| program.projections.clear());
        self.forgetful = true;
        self
    }

    /// Plans operations again where that makes a difference in these rows, each with the number of
    /// its set-up. For when nobody is at work. All results stay the same, in another order.
    pub fn replan(&self, rows: &[(usize, Vec<u32>)]) -> Vec<Change> {
        let Some(model) = self.model.filter(|_| self.system.may_replan()) else {
            return Vec::new();
        };
        let Some(place) = self.anew.iter().find(|place| place.get().is_none()) else {
            return Vec::new();
        };
        let mut memory = self.memory();
        let sample: Vec<Sample<'_>> = rows
            .iter()
            .map(|(setup, row)| (&self.setups[*setup][..], self.unpack(row, &mut memory)))
            .collect();
        let Some(plans) = self.system.replanned(model, &sample, self.plans()) else {
            return Vec::new();
        };
        let changes = plans.changes.clone();
        let programs = match self.source.filter(|_| !self.programs.is_empty()) {
            Some(source) => {
                let of = |constants: &Vec<u32>| {
                    let consts = Consts::new(self.system, source, constants);
                    let mut planner = Planner::new(model, self.system);
                    self.operations(&consts, &mut planner, Some(&plans))
                };
                self.setups.iter().map(of).collect()
            }
            None => Vec::new(),
        };
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
    fn code(&self, setup: usize) -> Option<&Program> {
        self.anew().map_or(&self.programs, |anew| &anew.programs).get(setup)
    }

    /// The system behind it.
    pub fn system(&self) -> &'a System {
        self.system
    }

    /// Halves of a row.
    pub fn width(&self) -> usize {
        self.layout.halves
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

    /// The halves, and the bits in them, that hold these variables.
    pub fn mask(&self, variables: &[usize]) -> Vec<(usize, u32)> {
        self.layout.mask(variables)
    }

    /// A variable (by its position) that met a value outside its layout. All results so far are
    /// void: try again with a wider layout.
    pub fn overflowed(&self) -> Option<usize> {
        self.overflow.load(Ordering::Relaxed).checked_sub(1)
    }

    /// A worker's own space.
    pub fn memory(&self) -> Memory {
        Memory {
            scratch: self.system.scratch(),
            machine: Machine::default(),
            out: Vec::new(),
            ends: Vec::new(),
            ran: None,
            told: Vec::new(),
            words: Vec::new(),
            state: Vec::new(),
            row: Vec::new(),
            encoded: FxHashMap::default(),
            decoded: FxHashMap::default(),
            key: Vec::new(),
            recalls: Vec::new(),
            recalled: (Vec::new(), Vec::new()),
            later: Vec::new(),
            pays: FxHashMap::default(),
        }
    }

    /// The state in a row, as the system has it.
    pub fn unpack(&self, row: &[u32], memory: &mut Memory) -> Vec<u32> {
        self.open(row, memory);
        std::mem::take(&mut memory.state)
    }

    /// The row of a state; nothing if it does not fit the layout.
    pub fn pack(&self, state: &[u32], memory: &mut Memory) -> Option<Vec<u32>> {
        let Memory { words, row, encoded, .. } = memory;
        self.close(state, words, encoded, row).then(|| row.clone())
    }

    /// Is a row the state as the system has it?
    pub fn is_plain(&self) -> bool {
        self.plain
    }

    /// Do rows hold values, and no numbers of values in the store?
    pub fn is_self_contained(&self) -> bool {
        !self.plain && self.layout.places.iter().all(|p| p.shape != Shape::Word)
    }

    /// Replaces each number of a value in the store that a row has: such numbers mean something in
    /// one process only. Where `with` has no other number, nothing comes back.
    pub fn renumber(
        &self,
        row: &mut [u32],
        mut with: impl FnMut(u32) -> Option<u32>,
    ) -> Option<()> {
        for field in self.layout.places.iter().filter_map(Place::stored) {
            let value = field.get_half(row)?;
            field.set_half(row, with(value)?);
        }
        Some(())
    }

    /// Tells layouts apart: rows of one mean the same under all others with this number, in every
    /// process of this version.
    pub fn layout_number(&self) -> u64 {
        let text = format!("{:?}", self.layout);
        text.bytes()
            .fold(0xCBF2_9CE4_8422_2325, |h, b| (h ^ u64::from(b)).wrapping_mul(0x100_0000_01B3))
    }

    /// Puts the state of a row into `memory.state`.
    fn open(&self, row: &[u32], memory: &mut Memory) {
        memory.state.clear();
        if self.plain {
            memory.state.extend_from_slice(row);
            return;
        }
        let Memory { words, state, decoded, key, .. } = memory;
        words.clear();
        words.extend(
            row.chunks(2).map(|h| h.iter().rev().fold(0, |w, half| w << 32 | u64::from(*half))),
        );
        let store = self.system.store();
        for (v, place) in self.layout.places.iter().enumerate() {
            let value = match place.shape {
                Shape::Word | Shape::Scalar(_) => place.decode(store, words),
                _ => {
                    key.clear();
                    key.push(v as u64);
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
            state.push(value.raw());
        }
    }

    /// The row of a state; nothing, and an overflow, if it does not fit.
    fn close(
        &self,
        state: &[u32],
        words: &mut Vec<u64>,
        encoded: &mut FxHashMap<(u32, u32), Box<[u64]>>,
        row: &mut Vec<u32>,
    ) -> bool {
        row.clear();
        if self.plain {
            row.extend_from_slice(state);
            return true;
        }
        let store = self.system.store();
        words.clear();
        words.resize(self.layout.words, 0);
        for (v, place) in self.layout.places.iter().enumerate() {
            let value = Val::from_raw(state[v]);
            let cached = value.node_index().is_some() && place.shape != Shape::Word;
            if cached && let Some(parts) = encoded.get(&(v as u32, state[v])) {
                place.fields.iter().zip(parts).for_each(|(f, part)| f.set(words, *part));
                continue;
            }
            if !place.encode(store, value, words) {
                self.overflow.store(v + 1, Ordering::Relaxed);
                return false;
            }
            if cached {
                if encoded.len() >= REMEMBERED {
                    encoded.clear();
                }
                let parts = place.fields.iter().map(|f| f.get(words)).collect();
                encoded.insert((v as u32, state[v]), parts);
            }
        }
        row.extend(words.iter().flat_map(|w| [*w as u32, (*w >> 32) as u32]));
        row.truncate(self.layout.halves);
        true
    }

    /// All initial rows of a set-up, each once.
    pub fn initial(
        &self,
        setup: usize,
        memory: &mut Memory,
        sink: &mut dyn FnMut(&[u32]) -> Flow,
    ) -> Answer {
        let Memory { scratch, words, row, encoded, .. } = memory;
        self.system.initial(&self.setups[setup], scratch, &mut |state| {
            if self.close(state, words, encoded, row) { sink(row) } else { Flow::Enough }
        })
    }

    /// All transitions from a row, if native code finds all of them, each once. Nothing otherwise:
    /// [`Engine::successors`] must be asked next, for the same row.
    #[inline]
    pub fn emitted<'m>(
        &'m self,
        setup: usize,
        row: &[u32],
        memory: &'m mut Memory,
    ) -> Option<Emitted<'m>> {
        let program = self.programs.get(setup).filter(|p| p.emits)?;
        let native = program.native(self.compiler)?;
        let ran = self.run_native(Some(program), Some(native), row, memory);
        if !ran || memory.ends.contains(&NOT_RUN) {
            memory.ran = Some(ran);
            return None;
        }
        Some(Emitted { out: &memory.out, ends: &memory.ends, records: &program.records })
    }

    /// Runs native code for all operations on a row. False: there is none, or nothing counts.
    #[inline]
    fn run_native(
        &self,
        program: Option<&Program>,
        native: Option<&[Native]>,
        row: &[u32],
        memory: &mut Memory,
    ) -> bool {
        let Some(native) = native else { return false };
        let Memory { out, ends, .. } = memory;
        out.clear();
        ends.resize(program.map_or(0, |p| p.lowered), 0);
        Native::run(native, row, out, ends)
    }

    /// All transitions from a row, each once, in the order of the operations: the operation and
    /// the row it leads to. `wanted` may turn down arguments: a packed engine tells it of those that
    /// are elements of given sets, in order, and only if it is choosy. `done` hears of each
    /// operation that is finished.
    pub fn successors(
        &self,
        setup: usize,
        row: &[u32],
        memory: &mut Memory,
        wanted: &mut dyn FnMut(usize, &[u32]) -> bool,
        mut done: Option<&mut dyn FnMut(usize)>,
        sink: &mut dyn FnMut(usize, &[u32]) -> Flow,
    ) -> Answer {
        let program = self.code(setup);
        if program.is_none() && done.is_none() {
            let constants = &self.setups[setup];
            self.open(row, memory);
            let Memory { scratch, words, state, row, encoded, .. } = memory;
            let plans = self.plans();
            return self.system.successors_where(
                plans,
                constants,
                state,
                scratch,
                wanted,
                &mut |step| {
                    if self.close(step.target, words, encoded, row) {
                        sink(step.operation, row)
                    } else {
                        Flow::Enough
                    }
                },
            );
        }
        let mut answer = Answer::default();
        // With a clock beside it each is run, and compiled, on its own.
        let alone = done.is_some().then_some(self.compiler).flatten();
        let native = match alone {
            Some(_) => None,
            None => program.and_then(|p| p.native(self.compiler)),
        };
        let ran = memory.ran.take();
        let run = ran.unwrap_or_else(|| self.run_native(program, native, row, memory));
        let before = memory.machine.steps();
        let (mut lowered, mut from, mut opened) = (0, 0, false);
        let count = self.system.operations().len();
        for operation in 0..count {
            if operation > 0
                && let Some(done) = &mut done
            {
                done(operation - 1);
            }
            let routine = program.and_then(|p| p.operations.get(operation)?.as_ref());
            if let Some(routine) = routine {
                let Memory { machine, out, ends, told, .. } = memory;
                let records = if run {
                    let end = ends[lowered];
                    lowered += 1;
                    if end as usize == from {
                        continue;
                    }
                    (end != NOT_RUN).then(|| {
                        let records = &mut out[from..end as usize];
                        from = end as usize;
                        let kept = match routine.repeats() {
                            true => routine.distinct(records),
                            false => records.len(),
                        };
                        &records[..kept]
                    })
                } else {
                    let outcome = routine.run(row, machine, alone, out);
                    (outcome == Outcome::True).then_some(&out[..])
                };
                if let Some(records) = records {
                    for record in records.chunks_exact(routine.record_halves()) {
                        if routine.tells() {
                            told.clear();
                            told.extend(routine.arguments(record));
                            if !wanted(operation, told) {
                                continue;
                            }
                        }
                        if sink(operation, &record[..self.layout.halves]) == Flow::Enough {
                            answer.stopped = true;
                            return answer;
                        }
                    }
                    continue;
                }
            }
            let own =
                self.general_successors(operation, setup, row, memory, &mut opened, wanted, sink);
            answer.faults.extend(own.faults);
            answer.cuts.extend(own.cuts);
            if own.stopped {
                answer.stopped = true;
                return answer;
            }
        }
        if let Some(done) = done {
            done(count.saturating_sub(1));
        }
        if let Some(program) = program.filter(|_| !run) {
            program.steps.fetch_add(memory.machine.steps() - before, Ordering::Relaxed);
        }
        answer
    }

    /// The transitions of one operation by the general engine, or as it gave them before.
    #[allow(clippy::too_many_arguments)]
    fn general_successors(
        &self,
        operation: usize,
        setup: usize,
        row: &[u32],
        memory: &mut Memory,
        opened: &mut bool,
        wanted: &mut dyn FnMut(usize, &[u32]) -> bool,
        sink: &mut dyn FnMut(usize, &[u32]) -> Flow,
    ) -> Answer {
        let (program, plans) = (self.code(setup), self.plans());
        let projection = program.and_then(|p| p.projections.get(operation)?.as_ref());
        // Results come in the order of their plan: those of another one are not remembered.
        let age = self.anew.iter().filter(|place| place.get().is_some()).count();
        let (mut keeps, mut clock) = (false, None);
        if let Some(projection) = projection {
            let Memory { recalls, recalled: (key, _), row: target, .. } = &mut *memory;
            recalls.resize_with(self.system.operations().len(), Recall::default);
            let recall = &mut recalls[operation];
            match recall.look(projection, setup + age * MAX_SETUPS, row, key) {
                Ok(results) => {
                    let mut answer = Answer::default();
                    for result in projection.each(results) {
                        if !wanted(operation, projection.arguments(result)) {
                            continue;
                        }
                        projection.applied(row, result, target);
                        if sink(operation, target) == Flow::Enough {
                            answer.stopped = true;
                            break;
                        }
                    }
                    return answer;
                }
                Err(to_keep) => keeps = to_keep,
            }
            clock = recall.is_timed().then(Instant::now);
        }
        if !std::mem::replace(opened, true) {
            self.open(row, memory);
        }
        let Memory { scratch, words, state, row, encoded, recalls, recalled, .. } = memory;
        let (key, results) = recalled;
        results.clear();
        let constants = &self.setups[setup];
        // What is remembered serves other states, in which other arguments are wanted.
        let late = keeps && self.choosy;
        let wanted = RefCell::new(wanted);
        let mut asked = |o: usize, arguments: &[u32]| late || (wanted.borrow_mut())(o, arguments);
        let mut found = |step: beeline_compile::Step<'_>| {
            if !self.close(step.target, words, encoded, row) {
                return Flow::Enough;
            }
            if let Some(projection) = projection.filter(|_| keeps) {
                projection.record(row, step.arguments, results);
            }
            if late && !(wanted.borrow_mut())(operation, step.arguments) {
                return Flow::More;
            }
            sink(step.operation, row)
        };
        let answer = self.system.successors_of_where(
            plans, operation, constants, state, scratch, &mut asked, &mut found,
        );
        if let Some(clock) = clock {
            recalls[operation].took(clock.elapsed());
        }
        // What was left out, or went wrong, is told each time.
        if keeps && answer.complete() && answer.faults.is_empty() {
            recalls[operation].keep(key, results);
        }
        answer
    }

    /// How often results of each operation were looked for among those that are remembered, and
    /// how often they were there, since the last time that somebody asked.
    pub fn recalled(&self, memory: &mut Memory) -> Vec<(u64, u64)> {
        let taken = |r: &mut Recall| (std::mem::take(&mut r.looked), std::mem::take(&mut r.met));
        memory.recalls.iter_mut().map(taken).collect()
    }

    /// The truth of several predicates in one row.
    pub fn holds_each(
        &self,
        preds: &[PredId],
        setup: usize,
        row: &[u32],
        memory: &mut Memory,
        sink: &mut dyn FnMut(usize, Truth),
    ) {
        let program = self.programs.get(setup);
        let mut opened = false;
        for (i, pred) in preds.iter().enumerate() {
            if let Some(routine) = program.and_then(|p| p.preds.get(pred)) {
                let Memory { machine, out, .. } = memory;
                let run = || routine.run(row, machine, self.compiler, out);
                match routine.constant().unwrap_or_else(run) {
                    Outcome::True => {
                        sink(i, Truth::True);
                        continue;
                    }
                    Outcome::False => {
                        sink(i, Truth::False);
                        continue;
                    }
                    Outcome::Unusual => {}
                }
            }
            if !opened {
                self.open(row, memory);
                opened = true;
            }
            let Memory { scratch, state, later, pays, .. } = memory;
            let one = std::slice::from_ref(pred);
            let (system, constants) = (self.system, &self.setups[setup]);
            let mut told = |_: usize, truth| sink(i, truth);
            if later.is_empty() {
                system.holds_each(one, constants, state, scratch, &mut told);
                continue;
            }
            let pays = pays.entry(*pred).or_default();
            let (other, clock) = (pays.is_other(), pays.is_timed().then(Instant::now));
            let later: &[u32] = if other { later } else { &[] };
            system.holds_each_up_to(one, constants, state, scratch, later, &mut told);
            if let Some(clock) = clock {
                pays.took(other, clock.elapsed());
            }
        }
    }

    /// From now on checks are about states in which these elements (sorted words) can be swapped
    /// with one before them, and nothing changes.
    pub fn set_later(&self, memory: &mut Memory, later: &[u32]) {
        memory.later.clear();
        memory.later.extend_from_slice(later);
    }

    /// How many candidates of quantifiers were left out for that, since somebody asked.
    pub fn take_left_out(&self, memory: &mut Memory) -> u64 {
        memory.scratch.take_left_out()
    }
}

/// A shape for values that did not fit the last one.
fn wider(shape: &Shape) -> Shape {
    match shape {
        Shape::Fun { from, to, total: true } => {
            Shape::Fun { from: from.clone(), to: to.clone(), total: false }
        }
        _ => Shape::Word,
    }
}
