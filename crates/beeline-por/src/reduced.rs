//! A transition system without the steps that can wait.
//!
//! All steps of a state are asked for, so that which operations have some is known, and what fails is told
//! whether it is followed or not. Then those of a stubborn set are handed on. What is left out depends on
//! nothing but the state: not on the order in which states are visited, nor on who visits them.

use crate::relations::Relations;
use crate::stubborn::{Choices, choices};
use crate::{Set, set};
use beeline_transition::{
    Answer, Ask, At, Flow, InnerScratch, OperationIndex, PredId, RowRef, TransitionSystem, Truth,
    Wrap,
};
use rustc_hash::FxHashMap;
use std::sync::atomic::{AtomicU64, Ordering};

/// A state with more steps is expanded as it is: they need not be kept.
const MOST_STEPS: usize = 1 << 16;
/// Choices are remembered for so many kinds of states.
const MOST_KINDS: usize = 1 << 14;

/// A system without the steps that can wait.
pub struct PartialOrder<'a, S> {
    inner: S,
    relations: &'a Relations,
    /// The conditions, as the system has them; one that it does not have is not known.
    conditions: &'a [Option<PredId>],
    tally: &'a Tallied,
}

/// What a reduction came to.
#[derive(Debug, Default)]
pub struct Tallied {
    /// Steps that were left out.
    pub steps: AtomicU64,
    /// States in which some were.
    pub states: AtomicU64,
}

/// What a worker needs for itself.
pub struct Scratch<T> {
    inner: T,
    held: Held,
    /// How many steps each operation has.
    counts: Vec<u64>,
    live: Set,
    truth: Vec<Option<bool>>,
    asked: Vec<PredId>,
    known: FxHashMap<(Set, Vec<Option<bool>>), Choices>,
}

/// Steps of a state.
#[derive(Default)]
struct Held {
    operations: Vec<OperationIndex>,
    rows: Vec<u32>,
    width: usize,
}

impl Held {
    fn clear(&mut self, width: usize) {
        self.operations.clear();
        self.rows.clear();
        self.width = width;
    }

    fn push(&mut self, operation: OperationIndex, row: RowRef<'_>) {
        self.operations.push(operation);
        self.rows.extend_from_slice(row.words());
    }

    /// Hands on those that are wanted.
    fn hand_on(
        &self,
        wanted: impl Fn(usize) -> bool,
        sink: &mut dyn FnMut(OperationIndex, RowRef<'_>) -> Flow,
    ) -> Flow {
        for (at, operation) in self.operations.iter().enumerate() {
            if !wanted(operation.0) {
                continue;
            }
            let row = &self.rows[at * self.width..(at + 1) * self.width];
            if sink(*operation, RowRef(row)) == Flow::Enough {
                return Flow::Enough;
            }
        }
        Flow::More
    }
}

impl<'a, S: TransitionSystem> PartialOrder<'a, S> {
    /// The system, with what is known of its operations.
    pub fn new(
        inner: S,
        relations: &'a Relations,
        conditions: &'a [Option<PredId>],
        tally: &'a Tallied,
    ) -> PartialOrder<'a, S> {
        PartialOrder { inner, relations, conditions, tally }
    }

    /// What is known of the conditions in a state.
    fn look(&self, at: At<'_>, scratch: &mut Scratch<S::Scratch>) {
        let Scratch { inner, truth, asked, .. } = scratch;
        truth.clear();
        truth.resize(self.conditions.len(), None);
        asked.clear();
        asked.extend(self.conditions.iter().flatten());
        let mut places = self.conditions.iter().enumerate().filter(|(_, c)| c.is_some());
        let mut told = vec![None; asked.len()];
        self.inner.holds_each(asked, at, inner, &mut |i, answer| {
            told[i] = match answer {
                Truth::True => Some(true),
                Truth::False => Some(false),
                _ => None,
            };
        });
        told.into_iter().for_each(|answer| {
            if let Some((place, _)) = places.next() {
                truth[place] = answer;
            }
        });
    }

    /// The operations that are enough: those with the fewest steps.
    fn enough(&self, at: At<'_>, scratch: &mut Scratch<S::Scratch>) -> Set {
        self.look(at, scratch);
        let Scratch { counts, live, truth, known, .. } = scratch;
        if known.len() >= MOST_KINDS {
            known.clear();
        }
        // What is enough depends on this alone, and states of a kind are many.
        let key = (live.clone(), truth.clone());
        let found = known.entry(key).or_insert_with(|| choices(self.relations, live, truth));
        let steps = |set: &&Set| set.iter().map(|operation| counts[operation]).sum::<u64>();
        found.0.iter().min_by_key(steps).cloned().unwrap_or_else(|| live.clone())
    }
}

impl<S: TransitionSystem> Wrap for PartialOrder<'_, S> {
    type Inner = S;
    type Scratch = Scratch<S::Scratch>;

    fn inner(&self) -> &S {
        &self.inner
    }

    fn inner_mut(&mut self) -> &mut S {
        &mut self.inner
    }

    fn scratch(&self) -> Self::Scratch {
        Scratch {
            inner: self.inner.scratch(),
            held: Held::default(),
            counts: Vec::new(),
            live: Set::default(),
            truth: Vec::new(),
            asked: Vec::new(),
            known: FxHashMap::default(),
        }
    }

    #[inline]
    fn scratch_of(scratch: &mut Self::Scratch) -> &mut InnerScratch<Self> {
        &mut scratch.inner
    }

    fn successors(
        &self,
        at: At<'_>,
        scratch: &mut Self::Scratch,
        ask: &mut Ask<'_>,
        sink: &mut dyn FnMut(OperationIndex, RowRef<'_>) -> Flow,
    ) -> Answer {
        let operations = self.relations.operations.len();
        let mut held = std::mem::take(&mut scratch.held);
        held.clear(self.inner.width());
        let mut open = false;
        let mut answer = self.inner.successors(at, &mut scratch.inner, ask, &mut |op, row| {
            if !open && held.operations.len() < MOST_STEPS {
                held.push(op, row);
                return Flow::More;
            }
            if !std::mem::replace(&mut open, true) && held.hand_on(|_| true, sink) == Flow::Enough {
                return Flow::Enough;
            }
            sink(op, row)
        });
        if open {
            scratch.held = held;
            return answer;
        }
        scratch.counts.clear();
        scratch.counts.resize(operations, 0);
        scratch.live = Set::new(operations);
        let mut strange = !answer.complete();
        for operation in &held.operations {
            scratch.counts[operation.0] += 1;
            scratch.live.add(operation.0);
        }
        for fault in &answer.faults {
            match fault.operation {
                Some(operation) => _ = scratch.live.add(operation.0),
                None => strange = true,
            }
        }
        // Where something is not known, nothing is left out.
        let flow = if strange || scratch.live.is_empty() {
            held.hand_on(|_| true, sink)
        } else {
            let enough = self.enough(at, scratch);
            let left: u64 = set::others(&scratch.live, &enough)
                .map(|operation| scratch.counts[operation])
                .sum();
            if left > 0 {
                self.tally.steps.fetch_add(left, Ordering::Relaxed);
                self.tally.states.fetch_add(1, Ordering::Relaxed);
            }
            held.hand_on(|operation| enough.has(operation), sink)
        };
        answer.stopped |= flow == Flow::Enough;
        scratch.held = held;
        answer
    }
}
