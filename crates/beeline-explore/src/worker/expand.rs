//! The steps of one state, and what becomes of them.

use super::{Context, Worker};
use crate::finding::FindingKind;
use crate::output::{Candidate, note_faults};
use crate::stats::Spent;
use beeline_fault::{Flaw, planted};
use beeline_table::{Batch, StateId};
use beeline_transition::{
    Answer, Ask, CutReason, Flow, Look, OperationIndex, RowMut, RowRef, TransitionSystem,
};
use std::time::Instant;

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
        let operations = shared.system.signature().operations.len();
        let (mut steps, mut broken) = (0u64, false);
        // A state with millions of steps must not fill memory before any of them was looked at.
        let room = self.room;
        let Worker { output, scratch, target, view, reducer, waiting, .. } = self;
        let mut spent = shared.options.clocks.then(|| std::mem::take(&mut output.operations));
        // What comes of a step is offered to the table as it is: then a whole batch can be, without
        // a call for each.
        let plain = reducer.is_none() && suffix.is_empty();
        let emitted = match plain && spent.is_none() && !planted(Flaw::LostSuccessor) {
            true => shared.system.emitted(at, scratch),
            false => None,
        };
        let answer = if let Some(emitted) = emitted {
            emitted.each(|operation, records, step| {
                let unproved = shared.tests.unproved_after(Some(operation), trusted);
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
            Answer { stopped: shared.stopped(), ..Answer::default() }
        } else {
            let mut sink = |operation: OperationIndex, next: RowRef<'_>| {
                // Asked before the step is counted: it will be the first of the next portion.
                if steps == room {
                    broken = true;
                    return Flow::Enough;
                }
                steps += 1;
                output.covered[operation.0] += 1;
                let unproved = shared.tests.unproved_after(Some(operation), trusted);
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
                        let order = u64::from(rank) << 32 | (steps - 1).min(u64::from(u32::MAX));
                        let words: Box<[u32]> = target_words.into();
                        waiting.insert(words.clone());
                        output.candidates.push(Candidate { order, kind, unproved, words });
                    }
                } else if look == Look::Insert
                    && !(planted(Flaw::LostSuccessor) && steps % 7 == 6)
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
            match &mut spent {
                None => shared.system.successors(at, scratch, &mut Ask::default(), &mut sink),
                Some(spent) => {
                    spent.resize(operations, Spent::default());
                    let mut clock = Instant::now();
                    let done = &mut |operation: OperationIndex| {
                        let before = std::mem::replace(&mut clock, Instant::now());
                        if let Some(spent) = spent.get_mut(operation.0) {
                            spent.add(clock - before);
                        }
                    };
                    let mut ask = Ask { done: Some(done), ..Ask::default() };
                    shared.system.successors(at, scratch, &mut ask, &mut sink)
                }
            }
        };
        output.operations = spent.unwrap_or_default();
        output.transitions += steps;
        if shared.want_degrees {
            output.degrees.push((rank, u32::try_from(steps).unwrap_or(u32::MAX)));
        }
        output.expanded += 1;
        output.guards += operations as u64;
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
