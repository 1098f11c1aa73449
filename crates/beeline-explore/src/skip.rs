//! Which operations need not be tried because it is known that they have no step.
//!
//! An operation that had no step and no fault in a state has none after a step that changes nothing it
//! looks at; and some steps disable others whatever was before, which somebody proved. So each step says
//! of the state it leads to which operations are disabled there. Likewise a guard without parameters that was
//! true stays so, and then the operation is executed without it. All ways into a state say something true,
//! so what any of them says counts: it is kept as bits of what is *unproved* (see `proof`), side by side
//! with those of conjuncts, intersected between waves.
//!
//! What was proved leans on the invariant: out of a state in which something failed, or where conjuncts
//! are not checked at all, it does not count. That a value carries over leans on nothing. How proofs are
//! found is not known here.

use crate::options::{Options, Skip};
use crate::proof::Preserved;
use beeline_fault::{Flaw, planted};
use beeline_transition::{OperationIndex, TransitionSystem};
use std::sync::OnceLock;

/// Bits in a word.
pub(crate) const BITS: usize = 64;
/// So many states are known before somebody is asked for proofs, which takes time: in a smaller search there
/// is less to be saved.
const ASKED_AFTER: usize = 20_000;

/// What was proved of operations, beyond what they read and write.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Influence {
    /// Pairs of operations (or initialisation) and others that have no step, and no fault, after a step
    /// of theirs from any state in which all that is said to hold does.
    pub disables: Vec<(Option<OperationIndex>, OperationIndex)>,
    /// Pairs of operations and others: one that has no step and no fault before a step of the first has
    /// none after it, from any state at all.
    pub keeps: Vec<(OperationIndex, OperationIndex)>,
    /// As `disables`: others whose guard is true then. They have a step after every true guard, or a fault.
    pub enables: Vec<(Option<OperationIndex>, OperationIndex)>,
    /// As `keeps`: others that have a step and whose guard is true before a step of the first have a true
    /// guard after it.
    pub keeps_enabled: Vec<(OperationIndex, OperationIndex)>,
}

/// An operation that was known to be disabled, or to be enabled, and is not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongSkip {
    /// Which one.
    pub operation: OperationIndex,
    /// What it is.
    pub is_enabled: bool,
    /// The last step to the state; initialisation is `None`. Another step into it may have said so.
    pub after: Option<OperationIndex>,
    /// Operations from initialisation to the state.
    pub steps: usize,
}

/// Which operations are disabled after each.
pub(crate) struct Skipping {
    /// By operation: its bit, if it has one, for being disabled, and for being enabled.
    bits: Vec<u64>,
    sure: Vec<u64>,
    /// All bits of the one kind, and of the other.
    all: u64,
    all_sure: u64,
    /// The first bit is that of the first operation, the next that of the next.
    shift: Option<u32>,
    /// By operation: what carries over, because nothing is written that is read.
    carries: Vec<u64>,
    proved: OnceLock<Proved>,
    /// May what was proved be used?
    trusted: bool,
    pub audit: bool,
}

#[derive(Default)]
struct Proved {
    after: Vec<u64>,
    initial: u64,
    carries: Vec<u64>,
}

/// Operations that are worth a bit.
pub(crate) fn candidates(
    system: &impl TransitionSystem,
    options: &Options,
) -> impl Iterator<Item = OperationIndex> {
    // A state that stands for another one must have steps of the same operations.
    let some = options.skip != Skip::Off && system.keeps_operations();
    let wanted =
        move |o: &OperationIndex| some && (options.skip != Skip::Auto || !system.is_cheap(*o));
    system.signature().operation_indices().filter(wanted)
}

impl Skipping {
    /// `None` if there is nothing to save. Conjuncts have their bits already.
    pub fn new(
        system: &impl TransitionSystem,
        options: &Options,
        preserved: Option<&Preserved>,
    ) -> Option<Skipping> {
        let signature = system.signature();
        let count = signature.operations.len();
        let mut chosen: Vec<OperationIndex> = candidates(system, options).collect();
        let first = preserved.map_or(0, Preserved::bits);
        // Those that most others leave alone come first, if there are more than bits.
        let alone = |o: &OperationIndex| {
            let reads = &signature.operation(*o).reads;
            let writers =
                |w: &&beeline_transition::Label| w.writes.iter().any(|v| reads.contains(v));
            signature.operations.iter().filter(writers).count()
        };
        if chosen.len() > BITS - first {
            chosen.sort_by_key(alone);
            chosen.truncate(BITS - first);
            chosen.sort_unstable();
        }
        let (mut bits, mut sure) = (vec![0; count], vec![0; count]);
        for (place, operation) in chosen.iter().enumerate() {
            bits[operation.0] = 1 << (first + place);
        }
        let room = first + chosen.len()..BITS;
        for (place, operation) in room.zip(chosen.iter().filter(|o| system.is_apart(**o))) {
            sure[operation.0] = 1 << place;
        }
        let joined = |bits: &[u64]| bits.iter().fold(0, |all, bit| all | bit);
        let (all, all_sure) = (joined(&bits), joined(&sure));
        let carries = signature.operations.iter().map(|by| {
            let kept = |o: &&OperationIndex| {
                let reads = &signature.operation(**o).reads;
                let forgotten = usize::from(planted(Flaw::SkipWriteForgotten));
                by.writes.iter().skip(forgotten).all(|w| !reads.contains(w))
            };
            chosen.iter().filter(kept).fold(0, |all, o| all | bits[o.0])
        });
        // What is proved leans on the invariant, all of it.
        let trusted = options.checks.invariants;
        let (carries, audit) = (carries.collect(), options.skip == Skip::Audit);
        let shift = (chosen.len() == count).then_some(first as u32);
        let proved = OnceLock::new();
        (all != 0).then_some(Skipping {
            bits,
            sure,
            all,
            all_sure,
            shift,
            carries,
            proved,
            trusted,
            audit,
        })
    }

    /// With so many states, is it time to ask for proofs?
    pub fn is_due(&self, options: &Options, states: usize) -> bool {
        let at_once = options.early || options.skip != Skip::Auto;
        self.proved.get().is_none() && (at_once || states >= ASKED_AFTER)
    }

    /// Takes in what somebody proved; for when nobody is at work.
    pub fn learn(&self, influence: &Influence) {
        let count = self.bits.len();
        let mut proved = Proved { after: vec![0; count], initial: 0, carries: vec![0; count] };
        let disables = influence.disables.iter().map(|(by, other)| (by, self.bits.get(other.0)));
        let enables = influence.enables.iter().map(|(by, other)| (by, self.sure.get(other.0)));
        for (by, bit) in disables.chain(enables).filter(|_| self.trusted) {
            let Some(bit) = bit else { continue };
            let place = match by {
                Some(by) if planted(Flaw::SkipOfAnother) => proved.after.get_mut(by.0 + 1),
                Some(by) => proved.after.get_mut(by.0),
                None => Some(&mut proved.initial),
            };
            place.into_iter().for_each(|all| *all |= bit);
        }
        let keeps = influence.keeps.iter().map(|(by, other)| (by, self.bits.get(other.0)));
        let enabled =
            influence.keeps_enabled.iter().map(|(by, other)| (by, self.sure.get(other.0)));
        for (by, bit) in keeps.chain(enabled) {
            if let (Some(all), Some(bit)) = (proved.carries.get_mut(by.0), bit) {
                *all |= bit;
            }
        }
        let _ = self.proved.set(proved);
    }

    /// The bits of an operation, if it has any.
    #[inline]
    pub fn bits(&self, operation: OperationIndex) -> u64 {
        self.bits[operation.0] | self.sure[operation.0]
    }

    /// What is known of a state, given what is unproved about it.
    #[inline]
    pub fn known(&self, unproved: u64) -> u64 {
        (self.all | self.all_sure) & !unproved
    }

    /// What is known of a state in which these operations have a step, and these failed.
    #[inline]
    pub fn seen(&self, stepped: u64, failed: u64) -> u64 {
        self.all & !(stepped | failed) | self.all_sure & stepped
    }

    /// The bits of what is disabled, and of what is enabled.
    #[inline]
    pub fn split(&self, known: u64) -> (u64, u64) {
        (known & self.all, known & self.all_sure)
    }

    /// What is known after a step from a state of which this is.
    #[inline]
    pub fn after(&self, operation: OperationIndex, known: u64, trusted: bool) -> u64 {
        let mut carries = self.carries[operation.0];
        let mut after = 0;
        if let Some(proved) = self.proved.get() {
            carries |= proved.carries[operation.0];
            if trusted || planted(Flaw::SkipSuspect) {
                after = proved.after[operation.0];
            }
        }
        after | known & carries
    }

    /// What is known after initialisation.
    pub fn initially(&self) -> u64 {
        self.proved.get().map_or(0, |proved| proved.initial)
    }

    /// What is disabled and what is enabled, by number of operations.
    #[inline]
    pub fn spread(&self, known: u64, disabled: &mut Vec<u64>, enabled: &mut Vec<u64>) {
        disabled.clear();
        enabled.clear();
        let (off, on) = self.split(known);
        match self.shift {
            _ if off == 0 => {}
            Some(shift) => disabled.push(off >> shift),
            None => numbers(&self.bits, off, disabled),
        }
        if on != 0 {
            numbers(&self.sure, on, enabled);
        }
    }

    /// What turned out to be wrong in a state: operations, and whether they are enabled.
    pub fn wrong(
        &self,
        known: u64,
        (stepped, failed): (u64, u64),
        complete: bool,
    ) -> impl Iterator<Item = (OperationIndex, bool)> {
        let (off, on) = self.split(known);
        let off = off & (stepped | failed);
        // Who failed, or was not looked at to the end, may have a true guard.
        let on = if complete { on & !(stepped | failed) } else { 0 };
        let has =
            move |number: &usize| off & self.bits[*number] != 0 || on & self.sure[*number] != 0;
        let told = move |number: usize| (OperationIndex(number), off & self.bits[number] != 0);
        (0..self.bits.len()).filter(has).map(told)
    }
}

/// The numbers of the operations of some bits, as bits.
fn numbers(bits: &[u64], known: u64, into: &mut Vec<u64>) {
    into.resize(bits.len().div_ceil(BITS), 0);
    for (number, bit) in bits.iter().enumerate() {
        if known & bit != 0 {
            into[number / BITS] |= 1 << (number % BITS);
        }
    }
}
