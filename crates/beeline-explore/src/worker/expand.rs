//! The steps of one state, and what becomes of them.

use super::{Context, Worker};
use crate::finding::FindingKind;
use crate::output::{Candidate, note_faults};
use crate::shared::Shared;
use crate::skip::Skipping;
use crate::stats::Spent;
use beeline_fault::{Flaw, planted};
use beeline_table::{Batch, StateId};
use beeline_transition::{
    Answer, Ask, CutReason, Fault, Flow, Look, OperationIndex, OperationSet, RowMut, RowRef,
    TransitionSystem,
};
use std::cell::Cell;
use std::time::Instant;

impl<S: TransitionSystem> Worker<'_, S> {
    /// Computes the steps of a state and offers what they lead to.
    #[inline]
    pub(super) fn expand(
        &mut self,
        context: &Context<'_, S>,
        batch: &mut Batch,
        which: (StateId, u32, bool),
        words: &[u32],
    ) {
        // Two copies: most searches skip nothing, and shall not pay for asking.
        match context.shared.skipping {
            Some(_) => self.expand_as::<true>(context, batch, which, words),
            None => self.expand_as::<false>(context, batch, which, words),
        }
    }

    fn expand_as<const SKIPS: bool>(
        &mut self,
        context: &Context<'_, S>,
        batch: &mut Batch,
        (id, rank, trusted): (StateId, u32, bool),
        words: &[u32],
    ) {
        let shared = context.shared;
        let at = shared.at(words);
        let suffix = &words[at.row.len()..];
        let operations = shared.system.signature().operations.len();
        let (steps, mut broken) = (Cell::new(0u64), false);
        let skipping = shared.skipping.filter(|_| SKIPS);
        // What is known of guards is not asked, but for an audit.
        let known = skipping.map_or(0, |s| s.known(context.known.unproved_bits(id)));
        // A state with millions of steps must not fill memory before any of them was looked at.
        let room = self.room;
        let Worker {
            output, scratch, target, view, reducer, waiting, kept, disabled, enabled, ..
        } = self;
        if let Some(s) = skipping {
            s.spread(if s.audit { 0 } else { known }, disabled, enabled);
        }
        let (disabled, enabled) = (OperationSet(disabled), OperationSet(enabled));
        let mut stepped = 0u64;
        let mut spent = shared.options.clocks.then(|| std::mem::take(&mut output.operations));
        // What comes of a step is offered to the table as it is: then a whole batch can be, without
        // a call for each.
        let plain = reducer.is_none() && suffix.is_empty();
        let emitted = match plain && spent.is_none() && !planted(Flaw::LostSuccessor) {
            true => shared.system.emitted(at, disabled, scratch),
            false => None,
        };
        let answer = if let Some(emitted) = emitted {
            if let Some(s) = skipping {
                emitted.each(|operation, _, _| stepped |= s.bits(operation));
            }
            let seen = skipping.map_or(0, |s| s.seen(stepped, 0));
            emitted.each(|operation, records, step| {
                let unproved = unproved_after::<S, SKIPS>(shared, operation, seen, trusted);
                // All records of an operation at once: the table knows how wide they are, and asks once
                // instead of for each.
                let count = shared.table.offer_all(batch, view, (records, step), rank, unproved);
                steps.set(steps.get() + count);
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
            Answer { stopped: shared.stopped(), ..Answer::default() }
        } else {
            let mut take = |operation: OperationIndex, next: RowRef<'_>, seen: u64| {
                steps.set(steps.get() + 1);
                output.covered[operation.0] += 1;
                let unproved = unproved_after::<S, SKIPS>(shared, operation, seen, trusted);
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
            let mut sink = |operation: OperationIndex, next: RowRef<'_>| {
                let count = steps.get() + kept.len() as u64;
                // Asked before the step is counted: it will be the first of the next portion.
                if count == room {
                    broken = true;
                    return Flow::Enough;
                }
                let Some(skipping) = skipping else { return take(operation, next, 0) };
                stepped |= skipping.bits(operation);
                kept.push(operation, next);
                // What is disabled is seen when all operations were tried, and not all steps may wait for that.
                if kept.is_full() || count + 1 == room {
                    kept.each(|operation, next| take(operation, next, known) == Flow::More);
                }
                if shared.stopped() { Flow::Enough } else { Flow::More }
            };
            let answer = match &mut spent {
                None => {
                    let mut ask = Ask { disabled, enabled, ..Ask::default() };
                    shared.system.successors(at, scratch, &mut ask, &mut sink)
                }
                Some(spent) => {
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
            };
            if let Some(skipping) = skipping {
                let failed = failed(skipping, &answer.faults);
                let seen = if answer.complete() { skipping.seen(stepped, failed) } else { known };
                kept.each(|operation, next| take(operation, next, seen) == Flow::More);
            }
            answer
        };
        let steps = steps.get();
        output.operations = spent.unwrap_or_default();
        output.transitions += steps;
        if shared.want_degrees {
            output.degrees.push((rank, u32::try_from(steps).unwrap_or(u32::MAX)));
        }
        output.expanded += 1;
        let skipped = known.count_ones();
        output.guards_known += u64::from(skipped);
        output.guards += operations as u64;
        match skipping {
            Some(skipping) if skipping.audit => {
                let seen = (stepped, failed(skipping, &answer.faults));
                let wrong = skipping.wrong(known, seen, answer.complete());
                output.wrong_skips.extend(wrong.map(|one| (rank, id, one)));
            }
            _ => output.guards -= u64::from(skipped),
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
}

/// What a step leaves unproved about the state it leads to: conjuncts, and guards.
#[inline]
fn unproved_after<S: TransitionSystem, const SKIPS: bool>(
    shared: &Shared<'_, S>,
    operation: OperationIndex,
    known: u64,
    trusted: bool,
) -> u64 {
    let skipping = shared.skipping.filter(|_| SKIPS);
    let guards = skipping.map_or(0, |s| s.after(operation, known, trusted));
    shared.tests.unproved_after(Some(operation), trusted) & !guards
}

/// Operations that came to a fault are not disabled, whether they have a step or not.
fn failed(skipping: &Skipping, faults: &[Fault]) -> u64 {
    let one = |operation: Option<OperationIndex>| operation.map_or(u64::MAX, |o| skipping.bits(o));
    faults.iter().fold(0, |all, fault| all | one(fault.operation))
}
