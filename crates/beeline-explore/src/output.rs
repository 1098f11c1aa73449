//! What workers hand over: sums, findings, and states that somebody must decide about.

use crate::cuts::Cuts;
use crate::finding::FindingKind;
use crate::stats::{self, Spent};
use beeline_fault::{Flaw, planted};
use beeline_table::StateId;
use beeline_transition::{Fault, OperationIndex, Truth};

/// What workers found in one wave.
#[derive(Default)]
pub(crate) struct Output {
    pub transitions: u64,
    pub checks: u64,
    /// Checks that were not made because their result is known.
    pub saved: u64,
    pub guards: u64,
    /// Guards whose value was known.
    pub guards_known: u64,
    pub expanded: u64,
    pub findings: Vec<(u32, StateId, FindingKind)>,
    pub suspects: Vec<StateId>,
    /// Tests that failed though they were known to succeed, by number.
    pub contradictions: Vec<(u32, StateId, usize)>,
    /// Operations that were known to be disabled, or to be enabled, and whether they are enabled instead.
    pub wrong_skips: Vec<(u32, StateId, (OperationIndex, bool))>,
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
    /// What the step to it leaves unproved.
    pub unproved: u64,
    /// As the table will have it.
    pub words: Box<[u32]>,
}

impl Output {
    pub fn merge(&mut self, other: Output) {
        self.transitions += other.transitions;
        self.checks += other.checks;
        self.saved += other.saved;
        self.guards += other.guards;
        self.guards_known += other.guards_known;
        self.expanded += other.expanded;
        self.findings.extend(other.findings);
        self.suspects.extend(other.suspects);
        self.contradictions.extend(other.contradictions);
        self.wrong_skips.extend(other.wrong_skips);
        self.cuts.merge(other.cuts);
        self.left_out += other.left_out;
        self.candidates.extend(other.candidates);
        self.degrees.extend(other.degrees);
        self.broken.extend(other.broken);
        // A worker that never began has an empty list.
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

pub(crate) fn note_goal(output: &mut Output, rank: u32, id: StateId, truth: Truth) {
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
