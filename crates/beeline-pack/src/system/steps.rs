//! The transitions of a row: by native code, by the interpreter, or by the general engine.

use super::program::{Native, Program};
use super::{PackedScratch, PackedSystem, REPLANS};
use crate::memo::Memo;
use beeline_ir::{NOT_RUN, Outcome};
use beeline_transition::{
    Answer, ArgumentsRef, Ask, At, Emitted, Flow, OperationIndex, OperationSet, RowRef, Setup, Step,
};
use std::cell::RefCell;
use std::sync::atomic::Ordering;
use std::time::Instant;

impl PackedSystem<'_> {
    /// All initial rows of a set-up, each once.
    pub(super) fn initial_rows(
        &self,
        setup: Setup<'_>,
        scratch: &mut PackedScratch,
        sink: &mut dyn FnMut(RowRef<'_>) -> Flow,
    ) -> Answer {
        let PackedScratch { general, words, row, encoded, .. } = scratch;
        self.system.initial(setup.constants(), general, &mut |state| {
            if self.close(state, words, encoded, row) { sink(row.view()) } else { Flow::Enough }
        })
    }

    /// All transitions from a row, if native code finds all of them, each once. Nothing otherwise:
    /// [`PackedSystem::steps_of_row`] must be asked next, for the same row.
    #[inline]
    pub(super) fn batch<'m>(
        &'m self,
        at: At<'_>,
        disabled: OperationSet<'_>,
        scratch: &'m mut PackedScratch,
    ) -> Option<Emitted<'m>> {
        let program = self.code(at.setup.number).filter(|p| p.emits)?;
        let native = self.native(program)?;
        let ran = self.run_native(Some(program), Some(native), (at.row, disabled), scratch);
        if !ran || scratch.ends.contains(&NOT_RUN) {
            scratch.ran = Some(ran);
            return None;
        }
        Some(Emitted::new(&scratch.out, &scratch.ends, &program.records))
    }

    #[inline]
    fn native<'p>(&self, program: &'p Program) -> Option<&'p [Native]> {
        program.native(self.compiler, self.leaves_out, &|| self.is_interrupted())
    }

    /// Runs native code for all operations on a row. False: there is none, or nothing counts.
    #[inline]
    fn run_native(
        &self,
        program: Option<&Program>,
        native: Option<&[Native]>,
        row: (RowRef<'_>, OperationSet<'_>),
        scratch: &mut PackedScratch,
    ) -> bool {
        let Some(native) = native else { return false };
        let PackedScratch { out, ends, .. } = scratch;
        out.clear();
        ends.resize(program.map_or(0, |p| p.lowered), 0);
        Native::run(native, row, out, ends, &|| self.is_interrupted())
    }

    /// All transitions from a row, each once, in the order of the operations. It tells who asks of
    /// arguments that are elements of given sets, in order, and only if it is choosy.
    pub(super) fn steps_of_row(
        &self,
        at: At<'_>,
        scratch: &mut PackedScratch,
        ask: &mut Ask<'_>,
        sink: &mut dyn FnMut(OperationIndex, RowRef<'_>) -> Flow,
    ) -> Answer {
        let setup = at.setup.number;
        let program = self.code(setup).or_else(|| self.late_program(at.setup));
        if program.is_none() && ask.done.is_none() {
            let clock = self.source.map(|_| Instant::now());
            self.unpack_into(at.row, scratch);
            let PackedScratch { general, words, state, row, encoded, .. } = scratch;
            let plans = self.plans();
            let mut found = |step: Step<'_>| {
                if self.close(step.target, words, encoded, row) {
                    sink(step.operation, row.view())
                } else {
                    Flow::Enough
                }
            };
            let known = (ask.disabled, ask.enabled);
            // The general engine asks before it executes a body; code has the step by then.
            let wanted =
                &mut |operation, arguments: ArgumentsRef<'_>| ask.wants(operation, arguments);
            let from = (at.constants(), state.view());
            let answer =
                self.system.successors_where(plans, from, known, general, wanted, &mut found);
            if let Some(clock) = clock {
                self.programs().spend(setup, clock.elapsed());
            }
            return answer;
        }
        let mut answer = Answer::default();
        // With a clock beside it each is run, and compiled, on its own.
        let alone = ask.done.is_some().then_some(self.compiler).flatten();
        let native = match alone {
            Some(_) => None,
            None => program.and_then(|p| self.native(p)),
        };
        let ran = scratch.ran.take();
        let run = ran
            .unwrap_or_else(|| self.run_native(program, native, (at.row, ask.disabled), scratch));
        let before = scratch.interpreter.steps();
        let (mut lowered, mut from, mut unpacked) = (0, 0, false);
        // Asked once, since in most searches it is nothing.
        let leaves_out = !ask.disabled.is_empty();
        for operation in self.system.signature().operation_indices() {
            if let Some(before) = operation.0.checked_sub(1)
                && let Some(done) = &mut ask.done
            {
                done(OperationIndex(before));
            }
            // One operation may take a while: a thousand would outlast any limit.
            if self.is_interrupted() {
                answer.stopped = true;
                return answer;
            }
            let routine = program.and_then(|p| p.operations.get(operation.0)?.as_ref());
            if leaves_out && ask.disabled.has(operation) {
                // Native code left it out, or found nothing either.
                lowered += usize::from(run && routine.is_some());
                continue;
            }
            if let Some(routine) = routine {
                let PackedScratch { interpreter, out, ends, told, .. } = scratch;
                let records = if run {
                    let end = ends[lowered];
                    lowered += 1;
                    if end as usize == from {
                        continue;
                    }
                    (end != NOT_RUN).then(|| {
                        let records = &mut out[from..end as usize];
                        from = end as usize;
                        let kept = match routine.repeats() {
                            true => routine.distinct(records),
                            false => records.len(),
                        };
                        &records[..kept]
                    })
                } else {
                    let outcome = routine.run(at.row, interpreter, alone, out);
                    (outcome == Outcome::True).then_some(&out[..])
                };
                if let Some(records) = records {
                    for record in records.chunks_exact(routine.record_halves()) {
                        if routine.tells() {
                            told.0.clear();
                            told.0.extend(routine.arguments(record));
                            if !ask.wants(operation, told.view()) {
                                continue;
                            }
                        }
                        if sink(operation, self.row_of(record)) == Flow::Enough {
                            answer.stopped = true;
                            return answer;
                        }
                    }
                    continue;
                }
            }
            let own = self.general_successors(operation, at, scratch, &mut unpacked, ask, sink);
            // Hardly ever something, and this is asked for each operation of each state.
            if !own.faults.is_empty() || !own.cuts.is_empty() || own.stopped {
                answer.faults.extend(own.faults);
                answer.cuts.extend(own.cuts);
                answer.stopped = own.stopped;
                if own.stopped {
                    return answer;
                }
            }
        }
        if let Some(done) = &mut ask.done {
            done(OperationIndex(self.system.operations().len().saturating_sub(1)));
        }
        if let Some(program) = program.filter(|_| !run) {
            program.steps.fetch_add(scratch.interpreter.steps() - before, Ordering::Relaxed);
        }
        answer
    }

    /// The row that a record leads to.
    #[inline]
    fn row_of<'r>(&self, record: &'r [u32]) -> RowRef<'r> {
        RowRef(&record[..self.layout.halves])
    }

    /// The transitions from a row by one operation, each once.
    pub(super) fn steps_of_operation(
        &self,
        operation: OperationIndex,
        at: At<'_>,
        scratch: &mut PackedScratch,
        sink: &mut dyn FnMut(RowRef<'_>) -> Flow,
    ) -> Answer {
        let program = self.code(at.setup.number);
        let PackedScratch { interpreter, out, ran, .. } = &mut *scratch;
        // Records of all operations may lie there, for somebody who asked before.
        *ran = None;
        if let Some(routine) = program.and_then(|p| p.operations.get(operation.0)?.as_ref())
            && routine.run(at.row, interpreter, self.compiler, out) == Outcome::True
        {
            let records = out.chunks_exact(routine.record_halves());
            return Answer::of_each(records, |record| sink(self.row_of(record)));
        }
        let ask = &mut Ask::default();
        self.general_successors(operation, at, scratch, &mut false, ask, &mut |_, row| sink(row))
    }

    /// The transitions of one operation by the general engine, or as it gave them before.
    fn general_successors(
        &self,
        operation: OperationIndex,
        at: At<'_>,
        scratch: &mut PackedScratch,
        unpacked: &mut bool,
        ask: &mut Ask<'_>,
        sink: &mut dyn FnMut(OperationIndex, RowRef<'_>) -> Flow,
    ) -> Answer {
        let (setup, plans) = (at.setup.number, self.plans());
        let program = self.code(setup);
        let projection = program.and_then(|p| p.projections.get(operation.0)?.as_ref());
        // Results come in the order of their plan: those of another one are not remembered.
        let age = self.anew.iter().filter(|place| place.get().is_some()).count();
        let (mut keeps, mut clock) = (false, None);
        if let Some(projection) = projection {
            let PackedScratch { memos, memoised: (key, _), row: target, .. } = &mut *scratch;
            if memos.is_empty() {
                let fresh = if self.early { Memo::early } else { Memo::default };
                memos.resize_with(self.system.operations().len(), fresh);
            }
            let memo = &mut memos[operation.0];
            match memo.look(projection, setup.0 * (REPLANS + 1) + age, at.row, key) {
                Ok(results) => {
                    let mut answer = Answer::default();
                    for result in projection.each(results) {
                        if !ask.wants(operation, projection.arguments(result)) {
                            continue;
                        }
                        projection.applied(at.row, result, target);
                        if sink(operation, target.view()) == Flow::Enough {
                            answer.stopped = true;
                            break;
                        }
                    }
                    return answer;
                }
                Err(to_keep) => keeps = to_keep,
            }
            clock = memo.is_timed().then(Instant::now);
        }
        if !std::mem::replace(unpacked, true) {
            self.unpack_into(at.row, scratch);
        }
        let PackedScratch { general, words, state, row, encoded, memos, memoised, .. } = scratch;
        let (key, results) = memoised;
        results.clear();
        // What is remembered serves other states, in which other arguments are wanted.
        let late = keeps && self.choosy;
        let which = (operation, ask.enabled.has(operation));
        let ask = RefCell::new(ask);
        let mut asked =
            |o, arguments: ArgumentsRef<'_>| late || ask.borrow_mut().wants(o, arguments);
        let mut found = |step: Step<'_>| {
            if !self.close(step.target, words, encoded, row) {
                return Flow::Enough;
            }
            if let Some(projection) = projection.filter(|_| keeps) {
                projection.record(row.view(), step.arguments, results);
            }
            if late && !ask.borrow_mut().wants(operation, step.arguments) {
                return Flow::More;
            }
            sink(step.operation, row.view())
        };
        let (constants, state) = (at.constants(), state.view());
        let (asked, found) = (&mut asked, &mut found);
        let answer =
            self.system.successors_of_where(plans, which, constants, state, general, asked, found);
        if let Some(clock) = clock {
            memos[operation.0].took(clock.elapsed());
        }
        // What was left out, or went wrong, is told each time.
        if keeps && answer.complete() && answer.faults.is_empty() {
            memos[operation.0].keep(key, results);
        }
        answer
    }

    /// How often results of each operation were looked for among those that are remembered, and
    /// how often they were there, since the last time that somebody asked.
    pub(super) fn memoised(&self, scratch: &mut PackedScratch) -> Vec<(u64, u64)> {
        let taken = |r: &mut Memo| (std::mem::take(&mut r.looked), std::mem::take(&mut r.met));
        scratch.memos.iter_mut().map(taken).collect()
    }
}
