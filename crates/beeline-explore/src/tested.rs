//! What is tested in each state, and what of it need not be.

use crate::options::Options;
use crate::proof::{Preserved, Proof, Trust};
use crate::skip::{self, BITS};
use beeline_fault::{Flaw, planted};
use beeline_table::ALL_UNPROVED;
use beeline_transition::{Check, ConjunctId, OperationIndex, PredId, Prover, TransitionSystem};
use std::sync::OnceLock;

/// So many states are known before somebody is asked for proofs, which takes a hundredth of a second or two: a
/// few parts in a hundred of what a search of that size takes where conjuncts are evaluated by code, and where
/// they are not.
const ASKED_AFTER: usize = 4_000_000;
const ASKED_SOON: usize = 100_000;

/// One thing that is checked in each state.
pub(crate) struct Test {
    pub conjunct: ConjunctId,
    pub pred: PredId,
    /// The bits of a row that it reads.
    pub reads: Vec<(usize, u32)>,
}

/// Everything that is checked in each state.
pub(crate) struct Tests {
    pub tests: Vec<Test>,
    /// Which operations preserve what, as it was known at the beginning; nothing if that is not asked for, or
    /// of no use.
    first: Option<Preserved>,
    /// The same, with what was learned on the way.
    learned: OnceLock<(Preserved, Vec<Prover>)>,
    trust: Trust,
    /// States after which somebody is asked; never, if nothing may be believed.
    asked_after: Option<usize>,
}

impl Tests {
    pub fn new(system: &impl TransitionSystem, options: &Options, trust_proofs: bool) -> Tests {
        let signature = system.signature();
        let test = |c: &Check| Test { conjunct: c.id, pred: c.pred, reads: system.mask(&c.reads) };
        let mut tests = Vec::new();
        if options.checks.invariants {
            tests.extend(signature.invariants.iter().filter(|c| !c.only_types).map(test));
        }
        if options.checks.invariants && planted(Flaw::InvariantSkipped) {
            tests.pop();
        }
        if options.checks.assertions && !planted(Flaw::AssertionSkipped) {
            tests.extend(signature.assertions.iter().filter(|c| !c.constant).map(test));
        }
        let wanted = options.proof != Proof::Off;
        let conjuncts = tests.iter().map(|t| t.conjunct);
        let checked = options.checks.assertions || signature.assertions.is_empty();
        // Proofs lean on assertions as well: unless these are checked, proofs are not believed.
        let trust = Trust { steps: checked && trust_proofs, everywhere: trust_proofs };
        // Operations share the bits with conjuncts, and leave half of them at least.
        let most = BITS - skip::candidates(system, options).count().min(BITS / 2);
        let first = if wanted { Preserved::new(signature, conjuncts, trust, most) } else { None };
        let cheap = signature.operation_indices().all(|operation| system.is_cheap(operation));
        let at_once = options.early || options.proof == Proof::Audit;
        let asked_after = match (at_once, cheap) {
            (true, _) => 1,
            (false, true) => ASKED_AFTER,
            (false, false) => ASKED_SOON,
        };
        let of_use = wanted && trust.everywhere && !tests.is_empty();
        let asked_after = of_use.then_some(asked_after);
        Tests { tests, first, learned: OnceLock::new(), trust, asked_after }
    }

    /// Which operations preserve what, as far as it is known now.
    #[inline]
    pub fn preserved(&self) -> Option<&Preserved> {
        self.learned.get().map(|(preserved, _)| preserved).or(self.first.as_ref())
    }

    /// With so many states, is it time to ask for proofs?
    pub fn is_due(&self, states: usize) -> bool {
        self.asked_after.is_some_and(|after| states >= after) && self.learned.get().is_none()
    }

    /// Takes in what somebody proved; for when nobody is at work.
    pub fn learn(&self, operations: usize, provers: Vec<Prover>) {
        let conjuncts: Vec<ConjunctId> = self.conjuncts().collect();
        let nothing = Preserved::nothing(conjuncts.len(), operations);
        let before = self.first.as_ref().unwrap_or(&nothing);
        let all = before.learned(&conjuncts, &provers, self.trust);
        let _ = self.learned.set((all, provers));
    }

    /// What was learned on the way.
    pub fn learned(&self) -> &[Prover] {
        self.learned.get().map_or(&[], |(_, provers)| provers)
    }

    /// What a step leaves unproved about the state it leads to.
    #[inline]
    pub fn unproved_after(&self, operation: Option<OperationIndex>, trusted: bool) -> u64 {
        self.preserved().map_or(ALL_UNPROVED, |p| p.after(operation, trusted))
    }

    /// Invariants that are left out now and then because somebody proved something about them.
    pub fn proved(&self) -> Vec<ConjunctId> {
        let known = self.preserved().into_iter().flat_map(|p| &p.proved).copied();
        known.filter(|id| self.conjuncts().any(|tested| tested == *id)).collect()
    }

    /// How many of them are to be made in a state that leaves this unproved.
    pub fn unproved_count(&self, unproved: u64) -> i32 {
        let known = |test: &usize| self.preserved().is_some_and(|p| p.is_known(*test, unproved));
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
