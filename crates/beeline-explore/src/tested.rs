//! What is tested in each state, and what of it need not be.

use crate::options::Options;
use crate::proof::{Preserved, Proof, Trust};
use crate::skip::{self, BITS};
use beeline_fault::{Flaw, planted};
use beeline_table::ALL_UNPROVED;
use beeline_transition::{Check, ConjunctId, OperationIndex, PredId, TransitionSystem};

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
    /// Which operations preserve what; nothing if that is not asked for, or of no use.
    pub preserved: Option<Preserved>,
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
        let preserved =
            if wanted { Preserved::new(signature, conjuncts, trust, most) } else { None };
        Tests { tests, preserved }
    }

    /// What a step leaves unproved about the state it leads to.
    #[inline]
    pub fn unproved_after(&self, operation: Option<OperationIndex>, trusted: bool) -> u64 {
        self.preserved.as_ref().map_or(ALL_UNPROVED, |p| p.after(operation, trusted))
    }

    /// Invariants that are left out now and then because somebody proved something about them.
    pub fn proved(&self) -> Vec<ConjunctId> {
        let known = self.preserved.iter().flat_map(|p| &p.proved).copied();
        known.filter(|id| self.conjuncts().any(|tested| tested == *id)).collect()
    }

    /// How many of them are to be made in a state that leaves this unproved.
    pub fn unproved_count(&self, unproved: u64) -> i32 {
        let known =
            |test: &usize| self.preserved.as_ref().is_some_and(|p| p.is_known(*test, unproved));
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
