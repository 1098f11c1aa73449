//! The steps of one state, and what becomes of them.

use super::{Context, Worker};
use crate::finding::FindingKind;
use crate::output::{Candidate, note_faults};
use crate::proof::Preserved;
use crate::shared::Shared;
use crate::skip::Skipping;
use crate::stats::Spent;
use beeline_fault::{Flaw, planted};
use beeline_table::{ALL_UNPROVED, Batch, StateId};
use beeline_transition::{
    Answer, Ask, At, CutReason, Fault, Flow, Look, OperationIndex, OperationSet, RowMut, RowRef,
    TransitionSystem,
};
use std::cell::Cell;
use std::time::Instant;

/// What came of the steps of a state.
struct Expanded {
    steps: u64,
    /// The bits of operations that have some.
    stepped: u64,
    /// There are more than there is room for.
    broken: bool,
    answer: Answer,
}

/// What a step leaves unproved about the state it leads to, as far as that is the same for all steps of a state.
#[derive(Clone, Copy)]
struct Leaves<'a> {
    preserved: Option<&'a Preserved>,
    skipping: Option<&'a Skipping>,
    trusted: bool,
}

impl<'a> Leaves<'a> {
    #[inline]
    fn new<S>(shared: &Shared<'a, S>, trusted: bool) -> Leaves<'a> {
        Leaves { preserved: shared.tests.preserved(), skipping: shared.skipping, trusted }
    }

    /// Conjuncts, and guards: `known` are those of the state itself.
    #[inline]
    fn after(self, operation: OperationIndex, known: u64) -> u64 {
        let guards = self.skipping.map_or(0, |s| s.after(operation, known, self.trusted));
        self.conjuncts_after(operation) & !guards
    }

    /// The same where nothing is known of guards.
    #[inline]
    fn conjuncts_after(self, operation: OperationIndex) -> u64 {
        self.preserved.map_or(ALL_UNPROVED, |p| p.after(Some(operation), self.trusted))
    }
}

impl<S: TransitionSystem> Worker<'_, S> {
    /// Computes the steps of a state and offers what they lead to.
    pub(super) fn expand(
        &mut self,
        context: &Context<'_, S>,
        batch: &mut Batch,
        (id, rank, trusted): (StateId, u32, bool),
        words: &[u32],
    ) {
        let shared = context.shared;
        let at = shared.at(words);
        let suffix = &words[at.row.len()..];
        let leaves = Leaves::new(shared, trusted);
        let skipping = shared.skipping;
        // What is known of guards is not asked, but for an audit.
        let known = skipping.map_or(0, |s| s.known(context.known.unproved_bits(id)));
        if let Some(s) = skipping {
            let used = if s.audit { 0 } else { known };
            s.spread(used, &mut self.disabled, &mut self.enabled);
        }
        // What comes of a step is offered to the table as it is: then a whole batch can be, without
        // a call for each.
        let plain = self.reducer.is_none() && suffix.is_empty();
        let at_once = match plain && !shared.options.clocks && !planted(Flaw::LostSuccessor) {
            true => self.all_at_once(context, batch, (rank, leaves), at),
            false => None,
        };
        let Expanded { steps, stepped, broken, answer } = match at_once {
            Some(expanded) => expanded,
            None => self.one_by_one(context, batch, (rank, leaves, known), (at, suffix)),
        };
        let output = &mut self.output;
        output.transitions += steps;
        if shared.want_degrees {
            output.degrees.push((rank, u32::try_from(steps).unwrap_or(u32::MAX)));
        }
        output.expanded += 1;
        output.guards += shared.system.signature().operations.len() as u64;
        if let Some(skipping) = skipping {
            let skipped = u64::from(known.count_ones());
            output.guards_known += skipped;
            if skipping.audit {
                let seen = (stepped, failed(skipping, &answer.faults));
                let wrong = skipping.wrong(known, seen, answer.complete());
                output.wrong_skips.extend(wrong.map(|one| (rank, id, one)));
            } else {
                output.guards -= skipped;
            }
        }
        if broken {
            // What was left out of its steps is told with the last of them.
            output.broken.push((rank, id, steps));
        } else {
            answer.cuts.iter().for_each(|cut| output.cuts.add(cut));
        }
        let phantom = planted(Flaw::PhantomDeadlock) || planted(Flaw::JudgeNotAsked);
        // Only if nothing was cut and nothing failed: a step that was not found is not one that is missing.
        let stuck = (steps == 0 || phantom && steps == 1)
            && answer.complete()
            && answer.faults.is_empty()
            && !(planted(Flaw::DeadlockNotChecked) && context.known.parent(id).is_some());
        if stuck && shared.options.checks.deadlock {
            output.findings.push((rank, id, FindingKind::Deadlock));
        }
        note_faults(output, rank, id, answer.faults);
    }

    /// The steps of a state if there is native code that finds all of them.
    #[inline]
    fn all_at_once(
        &mut self,
        context: &Context<'_, S>,
        batch: &mut Batch,
        (rank, leaves): (u32, Leaves<'_>),
        at: At<'_>,
    ) -> Option<Expanded> {
        let shared = context.shared;
        let Worker { output, scratch, view, disabled, .. } = self;
        let emitted = shared.system.emitted(at, OperationSet(disabled), scratch)?;
        let mut stepped = 0u64;
        let mut seen = 0;
        if let Some(s) = leaves.skipping {
            emitted.each(|operation, _, _| stepped |= s.bits(operation));
            seen = s.seen(stepped, 0);
        }
        let mut steps = 0;
        emitted.each(|operation, records, step| {
            let unproved = leaves.after(operation, seen);
            // All records of an operation at once: the table knows how wide they are, and asks once
            // instead of for each.
            let count = shared.table.offer_all(batch, view, (records, step), rank, unproved);
            steps += count;
            output.covered[operation.0] += count;
            if batch.is_full() {
                shared.watch.halt(CutReason::Memory);
            }
            // Known states are dropped before the end of the wave, or a wave with many steps would
            // need room for all of them.
            if batch.is_crowded() {
                context.known.thin(batch);
            }
        });
        let answer = Answer { stopped: shared.stopped(), ..Answer::default() };
        Some(Expanded { steps, stepped, broken: false, answer })
    }

    /// The steps of a state as the system finds them.
    #[inline(never)]
    fn one_by_one(
        &mut self,
        context: &Context<'_, S>,
        batch: &mut Batch,
        (rank, leaves, known): (u32, Leaves<'_>, u64),
        (at, suffix): (At<'_>, &[u32]),
    ) -> Expanded {
        let shared = context.shared;
        let plain = self.reducer.is_none() && suffix.is_empty();
        let (steps, mut stepped, mut broken) = (Cell::new(0u64), 0u64, false);
        // A state with millions of steps must not fill memory before any of them was looked at.
        let room = self.room;
        let Worker {
            output, scratch, target, view, reducer, waiting, kept, disabled, enabled, ..
        } = self;
        let (disabled, enabled) = (OperationSet(disabled), OperationSet(enabled));
        let mut spent = shared.options.clocks.then(|| std::mem::take(&mut output.operations));
        let mut take = |operation: OperationIndex, next: RowRef<'_>, unproved: u64| {
            steps.set(steps.get() + 1);
            output.covered[operation.0] += 1;
            let mut target_words = next.words();
            let mut look = Look::Insert;
            // Without a number of constants and without a reduction the table has the words of
            // the row, and they are not copied.
            if !plain {
                target.clear();
                target.extend_from_slice(next.words());
                target.extend_from_slice(suffix);
                if let Some(reducer) = reducer {
                    look = reducer.look(at.setup.number, RowMut(&mut target[..next.len()]));
                }
                target_words = target;
            }
            if let Look::Candidate { key: kind } = look {
                // Within one worker and wave, states come in order.
                if !waiting.contains(target_words) {
                    let number = (steps.get() - 1).min(u64::from(u32::MAX));
                    let order = u64::from(rank) << 32 | number;
                    let words: Box<[u32]> = target_words.into();
                    waiting.insert(words.clone());
                    output.candidates.push(Candidate { order, kind, unproved, words });
                }
            } else if look == Look::Insert
                && !(planted(Flaw::LostSuccessor) && steps.get() % 7 == 6)
                && !shared.table.offer_unproved(batch, view, target_words, rank, unproved)
            {
                shared.watch.halt(CutReason::Memory);
            }
            if batch.is_crowded() {
                context.known.thin(batch);
            }
            // A state can have a million steps: a limit must not wait for the last one.
            if shared.stopped() { Flow::Enough } else { Flow::More }
        };
        let answer = {
            let mut sink = |operation: OperationIndex, next: RowRef<'_>| {
                let count = steps.get() + kept.len() as u64;
                // Asked before the step is counted: it will be the first of the next portion.
                if count == room {
                    broken = true;
                    return Flow::Enough;
                }
                let Some(skipping) = leaves.skipping else {
                    return take(operation, next, leaves.conjuncts_after(operation));
                };
                stepped |= skipping.bits(operation);
                kept.push(operation, next);
                // What is disabled is seen when all operations were tried, and not all steps may wait for that.
                if kept.is_full() || count + 1 == room {
                    kept.each(|operation, next| {
                        take(operation, next, leaves.after(operation, known)) == Flow::More
                    });
                }
                if shared.stopped() { Flow::Enough } else { Flow::More }
            };
            match &mut spent {
                None => {
                    let mut ask = Ask { disabled, enabled, ..Ask::default() };
                    shared.system.successors(at, scratch, &mut ask, &mut sink)
                }
                Some(spent) => {
                    let operations = shared.system.signature().operations.len();
                    spent.resize(operations, Spent::default());
                    let mut clock = Instant::now();
                    let done = &mut |operation: OperationIndex| {
                        let before = std::mem::replace(&mut clock, Instant::now());
                        if let Some(spent) = spent.get_mut(operation.0) {
                            spent.add(clock - before);
                        }
                    };
                    let mut ask = Ask { disabled, enabled, done: Some(done), ..Ask::default() };
                    shared.system.successors(at, scratch, &mut ask, &mut sink)
                }
            }
        };
        if let Some(skipping) = leaves.skipping {
            let failed = failed(skipping, &answer.faults);
            let seen = if answer.complete() { skipping.seen(stepped, failed) } else { known };
            kept.each(|operation, next| {
                take(operation, next, leaves.after(operation, seen)) == Flow::More
            });
        }
        if let Some(spent) = spent {
            output.operations = spent;
        }
        Expanded { steps: steps.get(), stepped, broken, answer }
    }
}

/// Operations that came to a fault are not disabled, whether they have a step or not.
fn failed(skipping: &Skipping, faults: &[Fault]) -> u64 {
    let one = |operation: Option<OperationIndex>| operation.map_or(u64::MAX, |o| skipping.bits(o));
    faults.iter().fold(0, |all, fault| all | one(fault.operation))
}
