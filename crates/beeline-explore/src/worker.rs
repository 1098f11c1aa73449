//! What happens to one state: it is checked, then expanded.

use crate::cuts::Cuts;
use crate::finding::FindingKind;
use crate::options::Options;
use crate::proof::{Preserved, Proof};
use crate::reduce::{Look, Reducer, Reduction, Twins};
use crate::stats::{self, Spent};
use crate::supply::Source;
use crate::watch::Watch;
use beeline_compile::{Answer, Check, CutReason, Fault, Flow, PredId, System, Truth};
use beeline_fault::{Flaw, planted};
use beeline_model::ConjunctId;
use beeline_pack::{Engine, Memory, Setups};
use beeline_source::Span;
use beeline_table::{ALL_OPEN, Batch, Reader, StateId, Table, View};
use rustc_hash::FxHashSet;
use std::sync::RwLock;
use std::time::Instant;

/// What all workers share.
pub(crate) struct Shared<'a> {
    pub system: &'a System,
    /// What a row of the table means.
    pub engine: &'a Engine<'a>,
    pub options: &'a Options,
    pub table: &'a Table,
    pub watch: &'a Watch,
    /// Valuations of the constants; a state ends with the number of its own if there are several.
    pub setups: &'a Setups,
    /// May there be several?
    pub several: bool,
    pub tests: &'a Tests,
    /// Which states count as one.
    pub reduction: Option<&'a dyn Reduction>,
    /// States in which not every check succeeded: their successors are checked in full.
    pub suspects: RwLock<FxHashSet<StateId>>,
    /// Does the order ask how many steps a state has?
    pub want_degrees: bool,
}

impl Shared<'_> {
    /// What valuations of the constants come from.
    pub fn source(&self) -> Source<'_> {
        let Shared { system, options, reduction, watch, setups, .. } = *self;
        Source { system, options, reduction, watch, setups }
    }

    /// The number of the valuation of the constants that a row belongs to.
    pub fn setup(&self, row: &[u32]) -> usize {
        row.get(self.engine.width()).map_or(0, |n| *n as usize)
    }

    /// The number of the constants that a row belongs to, and the packed state in it.
    pub fn parts<'r>(&self, row: &'r [u32]) -> (usize, &'r [u32]) {
        (self.setup(row), &row[..self.engine.width()])
    }

    /// Is there no point in going on?
    pub fn stopped(&self) -> bool {
        self.watch.stopped() || self.engine.overflowed().is_some()
    }
}

/// One thing that is checked in each state.
pub(crate) struct Test {
    conjunct: ConjunctId,
    pred: PredId,
    /// The bits of a row that it reads.
    reads: Vec<(usize, u32)>,
}

/// Everything that is checked in each state.
pub(crate) struct Tests {
    tests: Vec<Test>,
    /// Which operations preserve what; nothing if that is not asked for, or of no use.
    pub preserved: Option<Preserved>,
}

impl Tests {
    pub fn new(engine: &Engine<'_>, options: &Options, trust_proofs: bool) -> Tests {
        let system = engine.system();
        let test = |c: &Check| Test { conjunct: c.id, pred: c.pred, reads: engine.mask(&c.reads) };
        let mut tests = Vec::new();
        if options.checks.invariants {
            tests.extend(system.invariants().iter().filter(|c| !c.only_types).map(test));
        }
        if options.checks.invariants && planted(Flaw::InvariantSkipped) {
            tests.pop();
        }
        if options.checks.assertions && !planted(Flaw::AssertionSkipped) {
            tests.extend(system.assertions().iter().filter(|c| !c.constant).map(test));
        }
        let wanted = options.proof != Proof::Off;
        let conjuncts = tests.iter().map(|t| t.conjunct);
        let checked = options.checks.assertions || system.assertions().is_empty();
        let trusted = checked && trust_proofs;
        let preserved = if wanted { Preserved::new(system, conjuncts, trusted) } else { None };
        Tests { tests, preserved }
    }

    /// What a step leaves open about the state it leads to.
    #[inline]
    pub fn open_after(&self, operation: Option<usize>, trusted: bool) -> u64 {
        self.preserved.as_ref().map_or(ALL_OPEN, |p| p.after(operation, trusted))
    }

    /// Invariants that are left out now and then because somebody proved something about them.
    pub fn proved(&self) -> Vec<ConjunctId> {
        let known = self.preserved.iter().flat_map(|p| &p.proved).copied();
        known.filter(|id| self.conjuncts().any(|tested| tested == *id)).collect()
    }

    /// How many of them are to be made in a state that leaves this open.
    pub fn left_open(&self, open: u64) -> i32 {
        let known = |test: &usize| self.preserved.as_ref().is_some_and(|p| p.is_known(*test, open));
        (0..self.tests.len()).filter(|test| !known(test)).count() as i32
    }

    /// What the test of a number is about.
    pub fn conjunct(&self, test: usize) -> Option<ConjunctId> {
        self.tests.get(test).map(|t| t.conjunct)
    }

    /// What each of them is about.
    pub fn conjuncts(&self) -> impl Iterator<Item = ConjunctId> {
        self.tests.iter().map(|t| t.conjunct)
    }
}

/// What workers found in one wave.
#[derive(Default)]
pub(crate) struct Output {
    pub transitions: u64,
    pub checks: u64,
    /// Checks that were not made because their result is known.
    pub saved: u64,
    pub guards: u64,
    pub expanded: u64,
    pub findings: Vec<(u32, StateId, FindingKind)>,
    pub suspects: Vec<StateId>,
    /// Tests that failed though they were known to succeed, by number.
    pub contradictions: Vec<(u32, StateId, usize)>,
    pub cuts: Cuts,
    /// Transitions of each operation.
    pub covered: Vec<u64>,
    /// Each operation, and each test, if somebody asked.
    pub operations: Vec<Spent>,
    pub tests: Vec<Spent>,
    /// Of each operation: results looked for among remembered ones, and met there.
    pub remembered: Vec<(u64, u64)>,
    /// Candidates of quantifiers that were left out, since others stand for them.
    pub left_out: u64,
    /// States that a reduction decides about when the wave is over.
    pub candidates: Vec<Candidate>,
    /// Ranks of states and how many steps they have, if the order asks.
    pub degrees: Vec<(u32, u32)>,
    /// States that have more steps: rank, and steps that were taken.
    pub broken: Vec<(u32, StateId, u64)>,
}

/// A state that may be the first of its kind.
pub(crate) struct Candidate {
    /// The rank of the state it comes from, then the number of the step.
    pub order: u64,
    /// The key of its kind.
    pub kind: u128,
    /// What the step to it leaves open.
    pub open: u64,
    pub row: Box<[u32]>,
}

impl Output {
    pub fn merge(&mut self, other: Output) {
        self.transitions += other.transitions;
        self.checks += other.checks;
        self.saved += other.saved;
        self.guards += other.guards;
        self.expanded += other.expanded;
        self.findings.extend(other.findings);
        self.suspects.extend(other.suspects);
        self.contradictions.extend(other.contradictions);
        self.cuts.merge(other.cuts);
        self.left_out += other.left_out;
        self.candidates.extend(other.candidates);
        self.degrees.extend(other.degrees);
        self.broken.extend(other.broken);
        self.covered.resize(self.covered.len().max(other.covered.len()), 0);
        for (mine, theirs) in self.covered.iter_mut().zip(other.covered) {
            *mine += theirs;
        }
        self.remembered.resize(self.remembered.len().max(other.remembered.len()), (0, 0));
        for (mine, theirs) in self.remembered.iter_mut().zip(other.remembered) {
            *mine = (mine.0 + theirs.0, mine.1 + theirs.1);
        }
        stats::merge(&mut self.operations, &other.operations);
        stats::merge(&mut self.tests, &other.tests);
    }
}

/// What a worker looks at while it is at work on a wave.
pub(crate) struct Desk<'a> {
    pub shared: &'a Shared<'a>,
    /// The states that are known.
    pub known: &'a Reader<'a>,
    /// States in which not every check succeeded.
    pub suspects: &'a FxHashSet<StateId>,
}

/// A worker: its own scratch space and results.
pub(crate) struct Worker<'a> {
    pub reducer: Option<Box<dyn Reducer + 'a>>,
    /// Candidates of this wave: each row once is enough.
    pub waiting: FxHashSet<Box<[u32]>>,
    pub memory: Memory,
    /// The state that is visited, open so that its successors can be folded beside it.
    pub view: View,
    pub twins: Twins,
    /// All but the first of each class of them.
    later: Vec<u32>,
    row: Vec<u32>,
    /// The parent that was looked at last, and its words: brothers follow one another.
    parent: (Option<StateId>, View),
    pub target: Vec<u32>,
    due: Vec<PredId>,
    /// Places in the list of tests.
    due_tests: Vec<usize>,
    /// Those of them whose result is known, in an audit.
    known_tests: Vec<usize>,
    pub output: Output,
    /// Steps of a state that are taken at first.
    pub room: u64,
}

impl<'a> Worker<'a> {
    pub fn new(shared: &'a Shared<'_>) -> Worker<'a> {
        let covered = vec![0; shared.system.operations().len()];
        Worker {
            reducer: shared.reduction.map(|r| r.reducer()),
            waiting: FxHashSet::default(),
            memory: shared.engine.memory(),
            view: shared.table.view(),
            twins: Twins::default(),
            later: Vec::new(),
            row: Vec::new(),
            parent: (None, shared.table.view()),
            target: Vec::new(),
            due: Vec::new(),
            due_tests: Vec::new(),
            known_tests: Vec::new(),
            output: Output { covered, ..Output::default() },
            room: shared.options.first().steps.max(1),
        }
    }

    /// Checks a state and, unless it lies at the limit of depth, expands it.
    pub fn visit(
        &mut self,
        desk: &Desk<'_>,
        batch: &mut Batch,
        id: StateId,
        rank: u32,
        expand: bool,
    ) {
        let mut row = std::mem::take(&mut self.row);
        desk.known.open(id, &mut self.view);
        row.clear();
        row.extend_from_slice(self.view.words());
        #[cfg(test)]
        assert_ne!(desk.shared.options.lose_worker_at, Some(rank as usize), "as the test wants it");
        self.find_twins(desk.shared, &row);
        if self.inside(desk.shared, &row) {
            let trusted = self.check(desk, id, rank, &row);
            if expand {
                self.expand(desk, batch, (id, rank, trusted), &row);
            } else {
                let words = "states at the greatest depth allowed were not expanded";
                if !planted(Flaw::DepthUntold) {
                    self.output.cuts.note(CutReason::Depth, Span::NONE, words, 1);
                }
            }
        }
        self.row = row;
    }

    /// Finds elements that are interchangeable in a state.
    pub fn find_twins(&mut self, shared: &Shared<'_>, row: &[u32]) {
        let Worker { reducer: Some(reducer), twins, later, memory, .. } = self else { return };
        let (setup, state) = shared.parts(row);
        twins.clear();
        reducer.twins(setup, state, twins);
        twins.later(later);
        shared.engine.set_later(memory, later);
    }

    /// Is the state inside the scope that the model itself sets?
    fn inside(&mut self, shared: &Shared<'_>, row: &[u32]) -> bool {
        let Some(scope) = shared.system.scope() else { return true };
        let (setup, state) = shared.parts(row);
        let mut inside = Truth::False;
        shared.engine.holds_each(&[scope], setup, state, &mut self.memory, &mut |_, truth| {
            inside = truth;
        });
        let words = match inside {
            Truth::True => return true,
            Truth::False => "states outside SCOPE were neither checked nor expanded",
            _ => "states were neither checked nor expanded: SCOPE has no value there",
        };
        self.output.cuts.note(CutReason::Ignored, Span::NONE, words, 1);
        false
    }

    /// Opens the parent of a state, if all checks succeeded there.
    fn trusted(&mut self, desk: &Desk<'_>, id: StateId) -> bool {
        let Some(parent) = desk.known.parent(id) else { return false };
        if desk.suspects.contains(&parent) && !planted(Flaw::SuspectVouches) {
            return false;
        }
        if self.parent.0 != Some(parent) {
            desk.known.open(parent, &mut self.parent.1);
            self.parent.0 = Some(parent);
        }
        true
    }

    /// Finds the tests that must be made in a state. In an audit these are all, and the ones whose
    /// result is known stand in a list of their own.
    fn find_due(&mut self, desk: &Desk<'_>, id: StateId, state: &[u32]) {
        let shared = desk.shared;
        self.due.clear();
        self.due_tests.clear();
        self.known_tests.clear();
        let proof = shared.options.proof;
        let preserved = shared.tests.preserved.as_ref();
        let open = preserved.map_or(ALL_OPEN, |_| desk.known.open_bits(id));
        let count = shared.tests.tests.len();
        if proof != Proof::Audit && preserved.is_some_and(|p| p.is_all_known(open)) {
            self.output.saved += count as u64;
            return;
        }
        let told = |test: usize| preserved.is_some_and(|p| p.is_known(test, open));
        // The parent is not looked at if there is nothing to ask.
        let skip = proof != Proof::Off && !shared.table.is_compact();
        let trusted = skip && !(0..count).all(told) && self.trusted(desk, id);
        let old = trusted.then(|| self.parent.1.words());
        for (place, test) in shared.tests.tests.iter().enumerate() {
            // What it reads is as in a state in which it holds.
            let same =
                |&(half, bits): &(usize, u32), old: &[u32]| (old[half] ^ state[half]) & bits == 0;
            if told(place) || old.is_some_and(|old| test.reads.iter().all(|read| same(read, old))) {
                self.output.saved += 1;
                if proof != Proof::Audit {
                    continue;
                }
                self.known_tests.push(place);
            }
            self.due.push(test.pred);
            self.due_tests.push(place);
        }
    }

    /// Checks a state. Is everything as it should be?
    fn check(&mut self, desk: &Desk<'_>, id: StateId, rank: u32, row: &[u32]) -> bool {
        let shared = desk.shared;
        let (setup, state) = shared.parts(row);
        self.find_due(desk, id, state);
        if let Some(goal) = shared.options.goal {
            self.due.push(goal);
        }
        let Worker { due, due_tests, known_tests, output, memory, .. } = self;
        output.checks += due_tests.len() as u64;
        if due.is_empty() {
            return true;
        }
        let mut suspect = false;
        let mut clock = shared.options.clocks.then(Instant::now);
        shared.engine.holds_each(due, setup, state, memory, &mut |i, truth| {
            let Some(test) = due_tests.get(i) else {
                return note_goal(output, rank, id, truth);
            };
            if let Some(clock) = &mut clock {
                output.tests.resize(shared.tests.tests.len(), Spent::default());
                let before = std::mem::replace(clock, Instant::now());
                output.tests[*test].add(*clock - before);
            }
            let conjunct = shared.tests.tests[*test].conjunct;
            suspect |= truth != Truth::True;
            let wrong = matches!(truth, Truth::False | Truth::Undefined(_));
            if wrong && known_tests.contains(test) {
                output.contradictions.push((rank, id, *test));
            }
            let found = match truth {
                Truth::True => return,
                Truth::Unknown(cut) => return output.cuts.add(&cut),
                Truth::False => FindingKind::Violated(conjunct),
                Truth::Undefined(fault) => FindingKind::Undefined(conjunct, fault),
            };
            output.findings.push((rank, id, found));
        });
        if suspect {
            output.suspects.push(id);
        }
        !suspect
    }

    fn expand(
        &mut self,
        desk: &Desk<'_>,
        batch: &mut Batch,
        (id, rank, trusted): (StateId, u32, bool),
        row: &[u32],
    ) {
        let shared = desk.shared;
        let (setup, state) = shared.parts(row);
        let suffix = &row[state.len()..];
        let (mut steps, mut broken) = (0u64, false);
        let room = self.room;
        let Worker { output, memory, target, view, reducer, waiting, twins, .. } = self;
        let wanted = &mut |_: usize, arguments: &[u32]| twins.stand(arguments);
        let mut spent = shared.options.clocks.then(|| std::mem::take(&mut output.operations));
        // What comes of a step is offered to the table as it is.
        let plain = reducer.is_none() && suffix.is_empty();
        let emitted = match plain && spent.is_none() && !planted(Flaw::LostSuccessor) {
            true => shared.engine.emitted(setup, state, memory),
            false => None,
        };
        let answer = if let Some(emitted) = emitted {
            emitted.each(|operation, records, step| {
                let open = shared.tests.open_after(Some(operation), trusted);
                let count = shared.table.offer_all(batch, view, (records, step), rank, open);
                steps += count;
                output.covered[operation] += count;
                if batch.is_full() {
                    shared.watch.halt(CutReason::Memory, shared.system);
                }
                if batch.is_crowded() {
                    desk.known.thin(batch);
                }
            });
            Answer { stopped: shared.stopped(), ..Answer::default() }
        } else {
            let mut sink = |operation: usize, next: &[u32]| {
                if steps == room {
                    broken = true;
                    return Flow::Enough;
                }
                steps += 1;
                output.covered[operation] += 1;
                let open = shared.tests.open_after(Some(operation), trusted);
                let mut target_row = next;
                let mut look = Look::Insert;
                if !plain {
                    target.clear();
                    target.extend_from_slice(next);
                    target.extend_from_slice(suffix);
                    if let Some(reducer) = reducer {
                        look = reducer.look(setup, &mut target[..next.len()]);
                    }
                    target_row = target;
                }
                if let Look::Candidate { key: kind } = look {
                    // Within one worker and wave, states come in order.
                    if !waiting.contains(target_row) {
                        let order = u64::from(rank) << 32 | (steps - 1).min(u64::from(u32::MAX));
                        let row: Box<[u32]> = target_row.into();
                        waiting.insert(row.clone());
                        output.candidates.push(Candidate { order, kind, open, row });
                    }
                } else if look == Look::Insert
                    && !(planted(Flaw::LostSuccessor) && steps % 7 == 6)
                    && !shared.table.offer_open(batch, view, target_row, rank, open)
                {
                    shared.watch.halt(CutReason::Memory, shared.system);
                }
                if batch.is_crowded() {
                    desk.known.thin(batch);
                }
                if shared.stopped() { Flow::Enough } else { Flow::More }
            };
            match &mut spent {
                None => shared.engine.successors(setup, state, memory, wanted, None, &mut sink),
                Some(spent) => {
                    spent.resize(shared.system.operations().len(), Spent::default());
                    let mut clock = Instant::now();
                    let done = &mut |operation: usize| {
                        let before = std::mem::replace(&mut clock, Instant::now());
                        if let Some(spent) = spent.get_mut(operation) {
                            spent.add(clock - before);
                        }
                    };
                    shared.engine.successors(setup, state, memory, wanted, Some(done), &mut sink)
                }
            }
        };
        output.operations = spent.unwrap_or_default();
        output.transitions += steps;
        if shared.want_degrees {
            output.degrees.push((rank, u32::try_from(steps).unwrap_or(u32::MAX)));
        }
        output.expanded += 1;
        output.guards += shared.system.operations().len() as u64;
        if broken {
            // What was left out of its steps is told with the last of them.
            output.broken.push((rank, id, steps));
        } else {
            answer.cuts.iter().for_each(|cut| output.cuts.add(cut));
        }
        let phantom = planted(Flaw::PhantomDeadlock) || planted(Flaw::JudgeNotAsked);
        let stuck = (steps == 0 || phantom && steps == 1)
            && answer.complete()
            && answer.faults.is_empty()
            && !(planted(Flaw::DeadlockNotChecked) && desk.known.parent(id).is_some());
        if stuck && shared.options.checks.deadlock {
            output.findings.push((rank, id, FindingKind::Deadlock));
        }
        note_faults(output, rank, id, answer.faults);
    }
}

/// Notes what goes wrong in a state. One of each kind is enough: a state can have thousands of failing
/// parameters.
pub(crate) fn note_faults(output: &mut Output, rank: u32, id: StateId, faults: Vec<Fault>) {
    if planted(Flaw::FaultUntold) {
        return;
    }
    let mut told: Vec<FindingKind> = Vec::new();
    for fault in faults {
        if planted(Flaw::FaultUntold) {
            break;
        }
        let kind = FindingKind::Operation(Box::new(fault));
        if told.iter().all(|k| k.key() != kind.key()) {
            told.push(kind.clone());
            output.findings.push((rank, id, kind));
        }
    }
}

fn note_goal(output: &mut Output, rank: u32, id: StateId, truth: Truth) {
    match truth {
        Truth::True => output.findings.push((rank, id, FindingKind::Goal)),
        Truth::False => {}
        Truth::Undefined(f) => output.findings.push((rank, id, FindingKind::GoalUndefined(f))),
        Truth::Unknown(cut) => output.cuts.add(&cut),
    }
}

/// What a fault during initialisation is.
pub(crate) fn initialisation(fault: Fault) -> FindingKind {
    FindingKind::Initialisation(Box::new(fault))
}
