//! What need not be checked because it is known already.
//!
//! An operation that preserves a conjunct leads from a state in which everything holds to one in which
//! the conjunct holds. So a state that waits to be checked collects all its incoming steps, and only
//! what every one of them leaves unproved is evaluated (proof-supported consistency checking: the
//! intersection over incoming events). A step from a state in which something failed vouches for
//! nothing, or a wrong model could prove itself right in a circle. What is known of every reachable state
//! needs no step to vouch for it, and is never evaluated.
//!
//! Which operations preserve what is told by the [`Signature`]: proofs that came with the model, and
//! the operations' write sets. How somebody came to know it is not known here. What is unproved about a
//! state is settled between waves, so that the number of threads cannot show.

use beeline_fault::{Flaw, planted};
use beeline_table::ALL_UNPROVED;
use beeline_transition::{ConjunctId, OperationIndex, Prover, Signature};
use rustc_hash::FxHashSet;

/// Bits in a word.
const BITS: usize = 64;

/// What is made of knowledge about preservation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Proof {
    /// Everything is evaluated.
    Off,
    /// What is known to hold is not evaluated.
    #[default]
    On,
    /// The same, and what somebody only says to be proved is believed.
    Trust,
    /// Everything is evaluated, and what turns out to be false though it was known to hold is told.
    Audit,
}

impl Proof {
    /// The use of this name on the command line.
    pub fn by_name(name: &str) -> Option<Proof> {
        match name {
            "on" => Some(Proof::On),
            "trust" => Some(Proof::Trust),
            "off" => Some(Proof::Off),
            "audit" => Some(Proof::Audit),
            _ => None,
        }
    }
}

/// A conjunct that was known to hold and does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contradiction {
    /// Which one.
    pub conjunct: ConjunctId,
    /// Who was said to preserve it; initialisation is `None`. More than one where several steps may
    /// have led to the state.
    pub operations: Vec<Option<OperationIndex>>,
    /// Operations from initialisation to the state.
    pub steps: usize,
}

/// Which proofs are believed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Trust {
    /// That operations preserve something: such proofs lean on everything that is said to hold, and
    /// are worth nothing if part of it is not checked.
    pub steps: bool,
    /// That something is true in every reachable state: this leans on nothing.
    pub everywhere: bool,
}

/// Which tests each operation leaves unproved.
///
/// Tests that the same operations preserve share a bit.
#[derive(Clone, Default)]
pub(crate) struct Preserved {
    /// By operation.
    after: Vec<u64>,
    /// After initialisation.
    initial: u64,
    /// By test: the bits that must all be unproved for it to be made; none if it is always made.
    bits: Vec<u64>,
    /// By test: is it never made, whatever the state was reached from?
    always: Vec<bool>,
    /// All bits, if each test that is ever made has some.
    all: Option<u64>,
    /// Invariants that somebody proved something about.
    pub proved: Vec<ConjunctId>,
    count: usize,
}

impl Preserved {
    /// `None` if nothing is known. It gets `most` bits, which are the first ones.
    pub fn new(
        signature: &Signature,
        tests: impl Iterator<Item = ConjunctId>,
        trust: Trust,
        most: usize,
    ) -> Option<Preserved> {
        let (operations, trusted) = (signature.operations.len(), trust.steps);
        // A proof that leans on something unchecked proves nothing: then all are left aside.
        let proofs: FxHashSet<_> = match trusted {
            true => signature.proofs().collect(),
            false => FxHashSet::default(),
        };
        let everywhere: Vec<ConjunctId> = match trust.everywhere {
            true => signature.provers.iter().flat_map(|p| p.always.iter().copied()).collect(),
            false => Vec::new(),
        };
        let (mut columns, mut always) = (Vec::new(), Vec::new());
        for test in tests {
            let is_known = everywhere.contains(&test);
            // It needs no bits.
            columns.push(if is_known { Vec::new() } else { column(signature, test, &proofs) });
            always.push(is_known);
        }
        // Those with the most to save come first, if there are more than bits.
        let mut kinds: Vec<&Vec<bool>> = columns.iter().filter(|c| c.contains(&true)).collect();
        kinds.sort_by_key(|c| (std::cmp::Reverse(c.iter().filter(|p| **p).count()), *c));
        // Tests that the same operations preserve are unproved together: one bit serves all of them.
        kinds.dedup();
        kinds.truncate(most.min(BITS));
        if kinds.is_empty() && !always.contains(&true) {
            return None;
        }
        let mut proved: Vec<ConjunctId> = proofs.iter().map(|(_, conjunct)| *conjunct).collect();
        proved.extend(&everywhere);
        proved.sort_unstable();
        proved.dedup();
        let unproved = |who: usize| {
            let closed = kinds.iter().enumerate().filter(|(_, c)| c[who]);
            ALL_UNPROVED & !closed.fold(0, |all, (bit, _)| all | 1 << bit)
        };
        let bit = |c| kinds.iter().position(|k| *k == c).map_or(0, |bit| 1 << bit);
        let bits: Vec<u64> = columns.iter().map(bit).collect();
        let made = bits.iter().zip(&always).filter(|(_, always)| !**always);
        let all = made.map(|(bit, _)| bit).try_fold(0, |all, b| (*b != 0).then_some(all | b));
        let after = (0..operations).map(unproved).collect();
        let count = kinds.len();
        Some(Preserved { after, initial: unproved(operations), bits, always, all, proved, count })
    }

    /// Nothing is known, and no bit taken.
    pub fn nothing(tests: usize, operations: usize) -> Preserved {
        let (bits, always) = (vec![0; tests], vec![false; tests]);
        let (after, initial) = (vec![ALL_UNPROVED; operations], ALL_UNPROVED);
        Preserved { after, initial, bits, always, ..Preserved::default() }
    }

    /// The same with what somebody proved while the search was under way. Bits keep their meaning, since states
    /// wait that have some: a bit is proved by an operation that is known, now, to preserve each test that shares
    /// it. Tests without a bit get none.
    pub fn learned(&self, tests: &[ConjunctId], provers: &[Prover], trust: Trust) -> Preserved {
        let mut all = self.clone();
        let steps: FxHashSet<_> = match trust.steps {
            true => provers.iter().flat_map(|p| p.preserved.iter().copied()).collect(),
            false => FxHashSet::default(),
        };
        let everywhere = provers.iter().filter(|_| trust.everywhere).flat_map(|p| &p.always);
        let everywhere: FxHashSet<_> = everywhere.copied().collect();
        for (place, test) in tests.iter().enumerate() {
            all.always[place] |= everywhere.contains(test);
        }
        for bit in (0..self.count).map(|bit| 1 << bit) {
            let sharing = |place: &usize| self.bits[*place] == bit && !all.always[*place];
            let shared: Vec<usize> = (0..tests.len()).filter(sharing).collect();
            let is_proved = |who: Option<OperationIndex>, unproved: u64| {
                let known = |place: &usize| steps.contains(&(who, tests[*place]));
                unproved & bit == 0 || shared.iter().all(known)
            };
            for (number, unproved) in all.after.iter_mut().enumerate() {
                if is_proved(Some(OperationIndex(number)), *unproved) {
                    *unproved &= !bit;
                }
            }
            if is_proved(None, all.initial) {
                all.initial &= !bit;
            }
        }
        let made = all.bits.iter().zip(&all.always).filter(|(_, always)| !**always);
        all.all = made.map(|(bit, _)| bit).try_fold(0, |all, b| (*b != 0).then_some(all | b));
        all.proved.extend(steps.iter().map(|(_, conjunct)| *conjunct).chain(everywhere));
        all.proved.sort_unstable();
        all.proved.dedup();
        all
    }

    /// How many bits it uses, the first ones.
    pub fn bits(&self) -> usize {
        self.count
    }

    /// What a step of an operation leaves unproved; without one, initialisation. A step from a state
    /// in which something failed leaves everything unproved.
    #[inline]
    pub fn after(&self, operation: Option<OperationIndex>, trusted: bool) -> u64 {
        match operation {
            _ if !trusted => ALL_UNPROVED,
            Some(operation) => self.after[operation.0],
            None => self.initial,
        }
    }

    /// Does a state that leaves this unproved need no evaluation of a test?
    #[inline]
    pub fn is_known(&self, test: usize, unproved: u64) -> bool {
        let bit = self.bits[test];
        self.always[test] || bit != 0 && unproved & bit == 0
    }

    /// Does it need no evaluation of any test?
    #[inline]
    pub fn is_all_known(&self, unproved: u64) -> bool {
        self.all.is_some_and(|all| unproved & all == 0)
    }

    /// Does an operation, or initialisation, vouch for a test?
    pub fn vouches(&self, operation: Option<OperationIndex>, test: usize) -> bool {
        self.is_known(test, self.after(operation, true))
    }
}

/// For each operation, and at the end for initialisation: does it preserve a test?
fn column(
    signature: &Signature,
    test: ConjunctId,
    proved: &FxHashSet<(Option<OperationIndex>, ConjunctId)>,
) -> Vec<bool> {
    let check = signature.check(test);
    let claimed = |operation: Option<OperationIndex>| match planted(Flaw::WrongOperation) {
        true => operation
            .is_some_and(|o| proved.contains(&(o.0.checked_sub(1).map(OperationIndex), test))),
        false => proved.contains(&(operation, test)),
    };
    // An operation that writes nothing it reads preserves it.
    let apart = |writes: &[usize]| {
        let forgotten = usize::from(planted(Flaw::WriteForgotten));
        writes.iter().skip(forgotten).all(|w| !check.reads.contains(w))
    };
    let preserves = |o| claimed(Some(o)) || apart(&signature.operation(o).writes);
    let mut column: Vec<bool> = signature.operation_indices().map(preserves).collect();
    column.push(claimed(None));
    column
}
