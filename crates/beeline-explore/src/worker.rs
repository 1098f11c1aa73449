//! What happens to one state: it is checked, then expanded.

use crate::cuts::Cuts;
use crate::finding::FindingKind;
use crate::options::{Options, ProofUse};
use crate::proof::{ALL, Proofs, is_open};
use crate::reduce::{Look, Reducer, Reduction};
use crate::watch::Watch;
use beeline_compile::{CutReason, Fault, Flow, PredId, Scratch, System, Truth};
use beeline_source::Span;
use beeline_table::{Insert, StateId, Table};
use rustc_hash::FxHashSet;
use std::sync::RwLock;

/// What all workers share.
pub(crate) struct Shared<'a> {
    pub system: &'a System,
    pub options: &'a Options,
    pub table: &'a Table,
    pub watch: &'a Watch,
    /// Valuations of the constants; a state ends with the number of its own if there are several.
    pub setups: &'a [Vec<u32>],
    pub tests: &'a Tests,
    /// What was proved, if it is used.
    pub proofs: Option<&'a Proofs>,
    /// Which states count as one.
    pub reduction: Option<&'a dyn Reduction>,
    /// States in which not every check succeeded: their successors are checked in full.
    pub suspects: RwLock<FxHashSet<StateId>>,
}

impl Shared<'_> {
    /// The number of the valuation of the constants that a row belongs to.
    pub fn setup(&self, row: &[u32]) -> usize {
        row.get(self.system.variables().len()).map_or(0, |n| *n as usize)
    }

    /// The constants that a row of the table belongs to, and the state in it.
    pub fn split<'r>(&self, row: &'r [u32]) -> (&[u32], &'r [u32]) {
        let variables = self.system.variables().len();
        (&self.setups[self.setup(row)], &row[..variables])
    }
}

/// One thing that is checked in each state.
pub(crate) struct Test {
    kind: TestKind,
    pred: PredId,
    reads: Vec<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum TestKind {
    Invariant(usize),
    Assertion(usize),
}

/// Everything that is checked in each state.
pub(crate) struct Tests {
    tests: Vec<Test>,
}

impl Tests {
    pub fn new(system: &System, options: &Options) -> Tests {
        let mut tests = Vec::new();
        if options.checks.invariants {
            for (i, c) in system.invariants().iter().enumerate().filter(|(_, c)| !c.only_types) {
                let kind = TestKind::Invariant(i);
                tests.push(Test { kind, pred: c.pred, reads: c.reads.clone() });
            }
        }
        if options.checks.assertions {
            for (i, c) in system.assertions().iter().enumerate().filter(|(_, c)| !c.constant) {
                let kind = TestKind::Assertion(i);
                tests.push(Test { kind, pred: c.pred, reads: c.reads.clone() });
            }
        }
        Tests { tests }
    }

    /// The invariant that each test is about.
    pub fn invariants(&self) -> Vec<Option<usize>> {
        let number = |t: &Test| match t.kind {
            TestKind::Invariant(i) => Some(i),
            TestKind::Assertion(_) => None,
        };
        self.tests.iter().map(number).collect()
    }
}

/// What workers found in one wave.
#[derive(Default)]
pub(crate) struct Output {
    pub transitions: u64,
    pub checks: u64,
    /// Checks that were not needed.
    pub saved: u64,
    /// Conjuncts that were claimed to be proved and are false.
    pub contradicted: Vec<usize>,
    pub guards: u64,
    pub expanded: u64,
    pub findings: Vec<(u32, StateId, FindingKind)>,
    pub suspects: Vec<StateId>,
    pub cuts: Cuts,
    /// Transitions of each operation.
    pub covered: Vec<u64>,
    /// States that a reduction decides about when the wave is over.
    pub candidates: Vec<Candidate>,
}

/// A state that may be the first of its kind.
pub(crate) struct Candidate {
    /// The key of the insertion, as in the table.
    pub order: u64,
    pub parent: StateId,
    /// The key of its kind.
    pub kind: u128,
    pub row: Box<[u32]>,
}

impl Output {
    pub fn merge(&mut self, other: Output) {
        self.transitions += other.transitions;
        self.checks += other.checks;
        self.saved += other.saved;
        self.contradicted.extend(other.contradicted);
        self.guards += other.guards;
        self.expanded += other.expanded;
        self.findings.extend(other.findings);
        self.suspects.extend(other.suspects);
        self.cuts.merge(other.cuts);
        self.candidates.extend(other.candidates);
        self.covered.resize(self.covered.len().max(other.covered.len()), 0);
        for (mine, theirs) in self.covered.iter_mut().zip(other.covered) {
            *mine += theirs;
        }
    }
}

/// A worker: its own scratch space and results.
pub(crate) struct Worker<'a> {
    reducer: Option<Box<dyn Reducer + 'a>>,
    /// Candidates of this wave: the first of each kind is enough.
    pub waiting: FxHashSet<u128>,
    scratch: Scratch,
    row: Vec<u32>,
    parent: Vec<u32>,
    target: Vec<u32>,
    due: Vec<PredId>,
    due_kinds: Vec<TestKind>,
    pub output: Output,
}

impl<'a> Worker<'a> {
    pub fn new(shared: &'a Shared<'_>) -> Worker<'a> {
        let covered = vec![0; shared.system.operations().len()];
        Worker {
            reducer: shared.reduction.map(|r| r.reducer()),
            waiting: FxHashSet::default(),
            scratch: shared.system.scratch(),
            row: Vec::new(),
            parent: Vec::new(),
            target: Vec::new(),
            due: Vec::new(),
            due_kinds: Vec::new(),
            output: Output { covered, ..Output::default() },
        }
    }

    /// Checks a state and, unless it lies at the limit of depth, expands it.
    pub fn visit(&mut self, shared: &Shared<'_>, id: StateId, rank: u32, expand: bool) {
        let mut row = std::mem::take(&mut self.row);
        let parent = shared.table.read(id, &mut row);
        if self.inside(shared, &row) {
            let trusted = self.check(shared, id, parent, rank, &row);
            if expand {
                self.expand(shared, id, rank, &row, trusted);
            } else {
                let words = "states at the greatest depth allowed were not expanded";
                self.output.cuts.note(CutReason::Depth, Span::NONE, words, 1);
            }
        }
        self.row = row;
    }

    /// Is the state inside the scope that the model itself sets?
    fn inside(&mut self, shared: &Shared<'_>, row: &[u32]) -> bool {
        let Some(scope) = shared.system.scope() else { return true };
        let (constants, state) = shared.split(row);
        let words = match shared.system.holds(scope, constants, state, &mut self.scratch) {
            Truth::True => return true,
            Truth::False => "states outside SCOPE were neither checked nor expanded",
            _ => "states were neither checked nor expanded: SCOPE has no value there",
        };
        self.output.cuts.note(CutReason::Ignored, Span::NONE, words, 1);
        false
    }

    /// Does everything hold that was evaluated, and so, by what was not, everything?
    fn check(
        &mut self,
        shared: &Shared<'_>,
        id: StateId,
        parent: Option<StateId>,
        rank: u32,
        row: &[u32],
    ) -> bool {
        let (constants, state) = shared.split(row);
        self.due.clear();
        self.due_kinds.clear();
        let skip = shared.options.skip_unchanged;
        let trusted = parent.filter(|p| skip && !is_suspect(shared, *p));
        if let Some(parent) = trusted {
            shared.table.read(parent, &mut self.parent);
        }
        let old = trusted.map(|_| self.parent.as_slice());
        let open = shared.proofs.map_or(ALL, |proofs| proofs.open(rank));
        let audit = shared.options.proofs == ProofUse::Audit;
        for (number, test) in shared.tests.tests.iter().enumerate() {
            // What it reads is as in a state in which it holds.
            let same = old.is_some_and(|old| test.reads.iter().all(|&s| old[s] == state[s]));
            if same || (!audit && !is_open(open, number)) {
                self.output.saved += 1;
                continue;
            }
            self.due.push(test.pred);
            self.due_kinds.push(test.kind);
        }
        if let Some(goal) = shared.options.goal {
            self.due.push(goal);
        }
        let Worker { due, due_kinds, output, scratch, .. } = self;
        output.checks += due_kinds.len() as u64;
        if due.is_empty() {
            return true;
        }
        let mut suspect = false;
        shared.system.holds_each(due, constants, state, scratch, &mut |i, truth| {
            let Some(kind) = due_kinds.get(i) else {
                return note_goal(output, rank, id, truth);
            };
            suspect |= truth != Truth::True;
            let found = match (truth, kind) {
                (Truth::True, _) => return,
                (Truth::Unknown(cut), _) => return output.cuts.add(&cut),
                (Truth::False, TestKind::Invariant(i)) => {
                    let number = shared.tests.tests.iter().position(|t| t.kind == *kind);
                    if number.is_some_and(|n| !is_open(open, n)) {
                        output.contradicted.push(*i);
                    }
                    FindingKind::Invariant(*i)
                }
                (Truth::False, TestKind::Assertion(i)) => FindingKind::Assertion(*i),
                (Truth::Undefined(f), TestKind::Invariant(i)) => {
                    FindingKind::InvariantUndefined(*i, f)
                }
                (Truth::Undefined(f), TestKind::Assertion(i)) => {
                    FindingKind::AssertionUndefined(*i, f)
                }
            };
            output.findings.push((rank, id, found));
        });
        if suspect {
            output.suspects.push(id);
        }
        !suspect
    }

    fn expand(&mut self, shared: &Shared<'_>, id: StateId, rank: u32, row: &[u32], trusted: bool) {
        let (constants, state) = shared.split(row);
        let (suffix, setup) = (&row[state.len()..], shared.setup(row));
        let mut steps = 0u64;
        let Worker { output, scratch, target, reducer, waiting, .. } = self;
        let answer = shared.system.successors(constants, state, scratch, &mut |step| {
            target.clear();
            target.extend_from_slice(step.target);
            target.extend_from_slice(suffix);
            let key = u64::from(rank) << 32 | steps.min(u64::from(u32::MAX));
            steps += 1;
            output.covered[step.operation] += 1;
            let look = match reducer {
                Some(reducer) => reducer.look(setup, &mut target[..step.target.len()]),
                None => Look::Insert,
            };
            if let Look::Candidate { key: kind, same } = look {
                // Within one worker and wave, states come in order.
                if waiting.insert(same) {
                    let row = target.as_slice().into();
                    output.candidates.push(Candidate { order: key, parent: id, kind, row });
                }
            } else if look == Look::Insert {
                let operation = Some(step.operation);
                let inserted = match shared.proofs {
                    Some(proofs) => {
                        proofs.insert(shared.table, target, key, Some(id), operation, trusted)
                    }
                    None => shared.table.insert(target, key, Some(id)),
                };
                if inserted == Insert::Full {
                    shared.watch.halt(CutReason::Memory, shared.system);
                }
            }
            if shared.watch.stopped() { Flow::Enough } else { Flow::More }
        });
        output.transitions += steps;
        output.expanded += 1;
        output.guards += shared.system.operations().len() as u64;
        for cut in &answer.cuts {
            output.cuts.add(cut);
        }
        let stuck = steps == 0 && answer.complete() && answer.faults.is_empty();
        if stuck && shared.options.checks.deadlock {
            output.findings.push((rank, id, FindingKind::Deadlock));
        }
        // One of each kind is enough: a state can have thousands of failing parameters.
        let mut told: Vec<FindingKind> = Vec::new();
        for fault in answer.faults {
            let kind = FindingKind::Operation(Box::new(fault));
            if told.iter().all(|k| k.key() != kind.key()) {
                told.push(kind.clone());
                output.findings.push((rank, id, kind));
            }
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

fn is_suspect(shared: &Shared<'_>, id: StateId) -> bool {
    let suspects = shared.suspects.read().unwrap_or_else(std::sync::PoisonError::into_inner);
    suspects.contains(&id)
}

/// What a fault during initialisation is.
pub(crate) fn initialisation(fault: Fault) -> FindingKind {
    FindingKind::Initialisation(Box::new(fault))
}
