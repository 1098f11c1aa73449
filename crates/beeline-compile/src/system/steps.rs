//! Set-ups, initial states and steps: what a system can do.

use super::replan::Replanned;
use super::seen::Seen;
use super::{Body, Outcomes, Scratch, Step, System};
use crate::answer::{Answer, Cut, CutReason, Flow, Stop};
use crate::eval::frame::{Frame, Solutions};
use crate::eval::sets::distinct;
use beeline_source::Span;
use beeline_transition::{
    ArgumentsRef, ConstantsRef, OperationIndex, OperationSet, State, StateRef,
};
use beeline_value::Val;
use std::collections::BTreeSet;

impl System {
    /// All valuations of the constants that satisfy the properties, each once.
    ///
    /// A model without constants has exactly one, the empty one, if its properties hold.
    pub fn setups(
        &self,
        scratch: &mut Scratch,
        sink: &mut dyn FnMut(ConstantsRef<'_>) -> Flow,
    ) -> Answer {
        self.setups_after(0, u64::MAX, scratch, sink).0
    }

    /// The same without the first `skipped`, which are found again and passed over. Once another one
    /// was found it goes on for about `patience` steps, or three times as long as that took. Was it
    /// given up then? They come in the same order each time.
    pub fn setups_after(
        &self,
        skipped: u64,
        patience: u64,
        scratch: &mut Scratch,
        sink: &mut dyn FnMut(ConstantsRef<'_>) -> Flow,
    ) -> (Answer, bool) {
        let mut words = Vec::with_capacity(self.constants.len());
        let (mut seen, mut hurried) = (0u64, false);
        // Constants are searched for as states are: until time or memory run out.
        let steps = scratch.steps.unwrap_or(u64::MAX / 2);
        let (outcome, mut answer) = self.with_frame(scratch, None, None, |f| {
            f.steps = steps;
            self.setup.run(f, &mut |f, stop| {
                words.clear();
                words
                    .extend(self.constants.iter().map(|c| f.slots[self.constant_slot(c.id)].raw()));
                // Before anything is noted: what is left out here has a symmetric twin that is
                // kept, and whatever could be said of it is said there.
                if !f.rt.breaking.picks(f.store, ConstantsRef(&words)) {
                    return Ok(());
                }
                if let Some(stop) = stop {
                    // A property that nobody can decide may hold: the values are tried, and the
                    // report says so.
                    let cut = matches!(stop, Stop::Cut(_)) && !words.contains(&Val::UNSET.raw());
                    f.note(stop)?;
                    if !cut {
                        return Ok(());
                    }
                }
                seen += 1;
                // Found again and passed over: the order is the same each time, so that a number is
                // enough to go on from.
                if seen <= skipped {
                    return Ok(());
                }
                // The first one is worth any time. Those after it wait for the search, unless they
                // are found about as fast.
                if !std::mem::replace(&mut hurried, true) {
                    f.steps = f.steps.min(patience.max(3 * (steps - f.steps)));
                }
                flow(sink(ConstantsRef(&words)))
            })
        });
        let mut given_up = false;
        match outcome {
            Ok(()) => {}
            Err(Stop::Cut(cut)) if hurried && cut.reason == CutReason::EvaluationSteps => {
                given_up = true;
            }
            Err(stop) => stop.told(&mut answer),
        }
        // The frame has other constants in it than were loaded last: nobody may take them for
        // known.
        scratch.loaded.0.clear();
        scratch.loaded.0.push(Val::UNSET.raw());
        (answer, given_up)
    }

    /// All initial states, each once.
    pub fn initial(
        &self,
        constants: ConstantsRef<'_>,
        scratch: &mut Scratch,
        sink: &mut dyn FnMut(StateRef<'_>) -> Flow,
    ) -> Answer {
        let mut seen = Seen::default();
        let mut target = State::default();
        let (outcome, mut answer) = self.with_frame(scratch, Some(constants), None, |f| {
            (self.initialisation)(f, &mut |f| {
                self.target(f, None, &mut target);
                if let Some(i) = target.view().iter().position(|w| w == Val::UNSET.raw()) {
                    let words = format!("{} is not initialised", self.variables[i].name);
                    let kind = crate::answer::FaultKind::Unassigned;
                    return Err(Stop::fault(kind, Span::NONE, words));
                }
                // Different choices of an initialisation often lead to one state.
                if !seen.insert(target.0.as_slice().into()) {
                    return Ok(());
                }
                flow(sink(target.view()))
            })
        });
        if let Err(stop) = outcome {
            stop.told(&mut answer);
        }
        answer
    }

    /// The state after the assignments in the log.
    fn target(&self, f: &Frame<'_>, state: Option<StateRef<'_>>, State(target): &mut State) {
        target.clear();
        match state {
            Some(state) => target.extend_from_slice(state.words()),
            None => target.resize(self.variables.len(), Val::UNSET.raw()),
        }
        for &(slot, value) in &f.log {
            if let Some(&Some(position)) = self.runtime.positions.get(slot as usize) {
                target[position as usize] = value.raw();
            }
        }
    }

    /// What is not known of states with these values, for each variable all that it has if there are
    /// some among them that words do not tell from others: two states may be the same, if values differ
    /// in how they are written and are not proved to be different. Each state is still a real one, and
    /// all are looked at; there are only fewer of them than were counted.
    pub fn doubtful_states(&self, values: &[BTreeSet<u32>]) -> Option<Cut> {
        /// More values of a variable that words do not tell from others are not compared.
        const MOST: usize = 100;
        /// What one variable is worth.
        const STEPS: u64 = 5_000_000;
        for (variable, values) in self.variables.iter().zip(values) {
            let opaque = values.iter().filter(|word| Val::from_raw(**word).is_opaque()).count();
            if opaque == 0 || values.len() < 2 {
                continue;
            }
            let are_different = opaque <= MOST && {
                let mut scratch = self.brief_scratch(STEPS);
                // Counted only if that is certain: a proof that fails for want of steps is a doubt.
                let (different, _) = self.with_frame(&mut scratch, None, None, |f| {
                    let all = values.iter().map(|word| Val::from_raw(*word));
                    f.certain(|f| Ok((distinct(f, all, Span::NONE)?.len(), false)))
                });
                different.ok() == Some(values.len())
            };
            if !are_different {
                let words = format!(
                    "values of {} that are sets which are not listed may be equal: there may be \
                     fewer states than were counted",
                    variable.name
                );
                return Some(Cut { reason: CutReason::LargeSet, span: Span::NONE, words });
            }
        }
        None
    }

    /// All transitions from a state, each once, in the order of the operations.
    pub fn successors(
        &self,
        constants: ConstantsRef<'_>,
        state: StateRef<'_>,
        scratch: &mut Scratch,
        sink: &mut dyn FnMut(Step<'_>) -> Flow,
    ) -> Answer {
        let known = (OperationSet::default(), OperationSet::default());
        let from = (constants, state);
        self.successors_where(None, from, known, scratch, &mut |_, _| true, sink)
    }

    /// The transitions from a state, for which `wanted` says yes to operation and arguments. Operations that
    /// are known to be disabled, and to be enabled, are not asked whether they are. It is asked when the guard holds, before the body is executed. They are the same for other plans, in
    /// another order.
    pub fn successors_where(
        &self,
        plans: Option<&Replanned>,
        (constants, state): (ConstantsRef<'_>, StateRef<'_>),
        (disabled, enabled): (OperationSet<'_>, OperationSet<'_>),
        scratch: &mut Scratch,
        wanted: &mut dyn FnMut(OperationIndex, ArgumentsRef<'_>) -> bool,
        sink: &mut dyn FnMut(Step<'_>) -> Flow,
    ) -> Answer {
        let mut outcomes = std::mem::take(&mut scratch.outcomes);
        let (outcome, mut answer) = self.with_frame(scratch, Some(constants), Some(state), |f| {
            for operation in self.signature.operation_indices().filter(|o| !disabled.has(*o)) {
                // A budget for each operation: one that is expensive must not cut those after it.
                f.steps = self.runtime.settings.steps;
                let mark = f.faults.len();
                let body = self.body(plans, operation);
                let which = (operation, enabled.has(operation));
                let outcome = self.execute(body, which, f, state, &mut outcomes, wanted, sink);
                for fault in &mut f.faults[mark..] {
                    fault.operation.get_or_insert(operation);
                }
                match outcome {
                    Ok(()) => {}
                    Err(Stop::Cut(cut)) => f.cuts.push(*cut),
                    // One operation without a meaning says nothing about the others.
                    Err(stop @ Stop::Fault(_)) => {
                        f.note(located(stop, operation, ArgumentsRef(&[])))?
                    }
                    Err(stop) => return Err(stop),
                }
            }
            Ok(())
        });
        scratch.outcomes = outcomes;
        if let Err(stop) = outcome {
            stop.told(&mut answer);
        }
        answer
    }

    /// The transitions of one operation only.
    pub fn successors_of(
        &self,
        operation: OperationIndex,
        constants: ConstantsRef<'_>,
        state: StateRef<'_>,
        scratch: &mut Scratch,
        sink: &mut dyn FnMut(Step<'_>) -> Flow,
    ) -> Answer {
        let wanted = &mut |_: OperationIndex, _: ArgumentsRef<'_>| true;
        self.successors_of_where(None, (operation, false), constants, state, scratch, wanted, sink)
    }

    /// The transitions by one operation, perhaps known to be enabled, for which `wanted` says yes to the
    /// arguments.
    #[allow(clippy::too_many_arguments)]
    pub fn successors_of_where(
        &self,
        plans: Option<&Replanned>,
        (operation, enabled): (OperationIndex, bool),
        constants: ConstantsRef<'_>,
        state: StateRef<'_>,
        scratch: &mut Scratch,
        wanted: &mut dyn FnMut(OperationIndex, ArgumentsRef<'_>) -> bool,
        sink: &mut dyn FnMut(Step<'_>) -> Flow,
    ) -> Answer {
        let mut outcomes = std::mem::take(&mut scratch.outcomes);
        let (outcome, mut answer) = self.with_frame(scratch, Some(constants), Some(state), |f| {
            let body = self.body(plans, operation);
            self.execute(body, (operation, enabled), f, state, &mut outcomes, wanted, sink)
        });
        scratch.outcomes = outcomes;
        for fault in &mut answer.faults {
            fault.operation.get_or_insert(operation);
        }
        match outcome {
            Ok(()) => {}
            Err(stop @ Stop::Fault(_)) => {
                located(stop, operation, ArgumentsRef(&[])).told(&mut answer)
            }
            Err(stop) => stop.told(&mut answer),
        }
        answer
    }

    /// Can it be executed without its guard? Not if that finds parameters.
    pub fn is_apart(&self, operation: OperationIndex) -> bool {
        let body = &self.bodies[operation.0];
        body.parameters.is_empty() && body.guard.only_tests()
    }

    fn body<'b>(&'b self, plans: Option<&'b Replanned>, operation: OperationIndex) -> &'b Body {
        plans.and_then(|plans| plans.body(operation)).unwrap_or(&self.bodies[operation.0])
    }

    /// Executes an operation by a plan of its own, and forgets what came of it.
    pub(crate) fn execute_once(
        &self,
        body: &Body,
        operation: OperationIndex,
        constants: ConstantsRef<'_>,
        state: StateRef<'_>,
        scratch: &mut Scratch,
    ) {
        let mut outcomes = Outcomes::default();
        let (wanted, sink) =
            (&mut |_: OperationIndex, _: ArgumentsRef<'_>| true, &mut |_: Step<'_>| Flow::More);
        let _ = self.with_frame(scratch, Some(constants), Some(state), |f| {
            self.execute(body, (operation, false), f, state, &mut outcomes, wanted, sink)
        });
    }

    #[allow(clippy::too_many_arguments)]
    fn execute<'s>(
        &self,
        body: &Body,
        (operation, enabled): (OperationIndex, bool),
        f: &mut Frame<'s>,
        state: StateRef<'_>,
        outcomes: &mut Outcomes,
        wanted: &mut dyn FnMut(OperationIndex, ArgumentsRef<'_>) -> bool,
        sink: &mut dyn FnMut(Step<'_>) -> Flow,
    ) -> Result<(), Stop> {
        let Outcomes { arguments, results, target, first, seen } = outcomes;
        let mut found = |f: &mut Frame<'s>, stop: Option<Stop>| {
            arguments.0.clear();
            arguments.0.extend(body.parameters.iter().map(|&p| f.slots[p].raw()));
            if let Some(stop) = stop {
                return f.note(located(stop, operation, arguments.view()));
            }
            if !wanted(operation, arguments.view()) {
                return Ok(());
            }
            // Outcomes of one choice of parameters may repeat; those of different ones cannot.
            seen.clear();
            let (mut count, mark) = (0u64, f.faults.len());
            let outcome = (body.body)(f, &mut |f| {
                self.target(f, Some(state), target);
                results.clear();
                results.extend(body.results.iter().map(|&r| {
                    // The last assignment counts: a sequence may assign a result twice.
                    let entry = f.log.iter().rev().find(|(s, _)| *s as usize == r);
                    entry.map_or(Val::UNSET, |(_, v)| *v).raw()
                }));
                count += 1;
                if !is_new(count == 1, target.view(), results, first, seen) {
                    return Ok(());
                }
                let (arguments, target) = (arguments.view(), target.view());
                flow(sink(Step { operation, arguments, results, target }))
            });
            // What failed inside does not know where it was, and may be known of other arguments.
            for fault in f.faults.split_off(mark) {
                f.note(located(Stop::Fault(Box::new(fault)), operation, arguments.view()))?;
            }
            match outcome {
                Err(stop @ (Stop::Fault(_) | Stop::Cut(_))) => {
                    // What it assigned before it failed must not show in the next choice.
                    f.log.clear();
                    f.note(located(stop, operation, arguments.view()))
                }
                other => other,
            }
        };
        // A guard that is known to be true is nothing but tests.
        if enabled && body.guard.only_tests() {
            found(f, None)
        } else {
            body.guard.run(f, &mut found)
        }
    }
}

fn flow(flow: Flow) -> Result<(), Stop> {
    match flow {
        Flow::More => Ok(()),
        Flow::Enough => Err(Stop::Enough),
    }
}

fn located(stop: Stop, operation: OperationIndex, arguments: ArgumentsRef<'_>) -> Stop {
    match stop {
        Stop::Fault(mut fault) => {
            fault.operation = Some(operation);
            fault.arguments = arguments.owned();
            Stop::Fault(fault)
        }
        other => other,
    }
}

/// Is this outcome new? The first one is kept apart: most choices of parameters have one only.
fn is_new(
    is_first: bool,
    target: StateRef<'_>,
    results: &[u32],
    first: &mut Vec<u32>,
    seen: &mut Seen,
) -> bool {
    if is_first {
        first.clear();
        first.extend_from_slice(target.words());
        first.extend_from_slice(results);
        return true;
    }
    let (known, known_results) = first.split_at(target.len());
    (known != target.words() || known_results != results)
        && seen.insert(target.iter().chain(results.iter().copied()).collect())
}
