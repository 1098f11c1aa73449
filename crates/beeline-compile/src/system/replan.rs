//! Operations planned again from what their plans came to in a sample of states.
//!
//! An operation is executed in the sample with counters around the steps of its plan; then it is
//! planned again with what was counted in the place of estimates, as long as that gives a plan that
//! was not tried yet. The one that tries least is kept, if that is much less. What comes out depends
//! on the states of the sample alone: not on threads, on clocks, or on what was evaluated before.
//! This module does not know which states are a good sample, or when to look.

use super::build::operation_body;
use super::{Body, System};
use crate::compiler::context::Cx;
use crate::compiler::measure::Measuring;
use beeline_model::Model;
use beeline_plan::Plans;
use beeline_transition::{Change, ConstantsRef, OperationIndex, State};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Plans that are tried for one operation.
const ROUNDS: usize = 5;
/// An operation that tries fewer values in a state is left alone.
const FEW: u64 = 16;
/// States after which it may be plain that it does.
const GLANCE: usize = 4;
/// A plan is worth it if it tries at most one in so many.
const WORTH: u64 = 2;
/// Values that one plan may try in all states of a sample.
const MOST: u64 = 1 << 18;

/// A state of a sample: the constants, and the state itself.
pub type Sample<'a> = (ConstantsRef<'a>, State);

/// Operations with other plans than those they were compiled with.
#[derive(Default)]
pub struct Replanned {
    bodies: Vec<Option<(Body, Arc<Plans>)>>,
    /// What is different from the plans before.
    pub changes: Vec<Change>,
}

impl Replanned {
    pub(crate) fn body(&self, operation: OperationIndex) -> Option<&Body> {
        self.bodies.get(operation.0)?.as_ref().map(|(body, _)| body)
    }

    /// The plans of an operation, if they are not the first ones.
    pub fn plans(&self, operation: OperationIndex) -> Option<&Arc<Plans>> {
        self.bodies.get(operation.0)?.as_ref().map(|(_, plans)| plans)
    }
}

impl System {
    /// Is there an operation that can be planned in another way?
    pub fn may_replan(&self) -> bool {
        self.bodies.iter().any(|body| body.may_replan)
    }

    /// Plans operations again where that makes a difference in a sample of states; `before` are the
    /// plans in use, if they are not the first ones. `eager`: any other plan will do that is no worse.
    /// Nothing: all stay as they are.
    pub fn replanned(
        &self,
        model: &Model,
        sample: &[Sample<'_>],
        before: Option<&Replanned>,
        eager: bool,
    ) -> Option<Replanned> {
        let mut replanned = Replanned::default();
        for operation in self.signature.operation_indices() {
            let known = before.and_then(|b| b.plans(operation)).cloned();
            let better = self.better_plan(model, operation, sample, known.clone(), eager);
            let plans = match better {
                Some((plans, change)) => {
                    replanned.changes.push(change);
                    Some(plans)
                }
                None => known,
            };
            // The same plans once more, without counters.
            let body = plans.and_then(|plans| {
                let compiled = self.compiled(model, operation, &plans, Measuring::default());
                Some((compiled?.0, plans))
            });
            replanned.bodies.push(body);
        }
        (!replanned.changes.is_empty()).then_some(replanned)
    }

    /// Plans that try much less, if there are any.
    fn better_plan(
        &self,
        model: &Model,
        operation: OperationIndex,
        sample: &[Sample<'_>],
        known: Option<Arc<Plans>>,
        eager: bool,
    ) -> Option<(Arc<Plans>, Change)> {
        let (few, worth) = if eager { (0, 1) } else { (FEW, WORTH) };
        if !self.bodies[operation.0].may_replan {
            return None;
        }
        let mut plans = known.unwrap_or_else(|| self.plans.clone());
        let (mut first, mut best): (Option<u64>, Option<(u64, Arc<Plans>)>) = (None, None);
        let mut tried: Vec<Vec<u64>> = Vec::new();
        for _ in 0..ROUNDS {
            // A plan that has tried more than the best one so far is given up there.
            let most = best.as_ref().map_or(MOST, |(least, _)| *least);
            let counted = Measuring::counted(most);
            let (body, counted) = self.compiled(model, operation, &plans, counted)?;
            let order = counted.order();
            // What was learned leads back to a plan that is known: so would every round after it.
            if tried.contains(&order) {
                break;
            }
            tried.push(order);
            let (some, others) = sample.split_at(sample.len().min(GLANCE));
            self.execute_in(&body, operation, some);
            // Most operations try little, and a few states show it: the rest of the sample is
            // spared.
            if first.is_none() && counted.given() < few / 2 * some.len() as u64 {
                return None;
            }
            self.execute_in(&body, operation, others);
            let given = counted.given();
            let found = (given, plans.clone());
            match first {
                None if given < few * sample.len() as u64 => return None,
                None => (first, best) = (Some(given), Some(found)),
                Some(_) if given < most || (eager && given == most) => best = Some(found),
                Some(_) => {}
            }
            plans = Arc::new(plans.anew(Arc::new(counted.learned(plans.figures()))));
        }
        let (before, (after, plans)) = (first?, best?);
        if after * worth > before {
            return None;
        }
        let each = |given: u64| given as f64 / sample.len().max(1) as f64;
        let order = self.in_words(model, operation, sample, &plans)?;
        let change = Change { operation, before: each(before), after: each(after), order };
        Some((plans, change))
    }

    /// The steps of a plan that are come to in a sample.
    fn in_words(
        &self,
        model: &Model,
        operation: OperationIndex,
        sample: &[Sample<'_>],
        plans: &Arc<Plans>,
    ) -> Option<Vec<String>> {
        let mut counted = Measuring::counted(MOST);
        counted.in_words = true;
        let (body, counted) = self.compiled(model, operation, plans, counted)?;
        self.execute_in(&body, operation, sample);
        Some(counted.words())
    }

    /// An operation planned in another way; nothing if it cannot be.
    fn compiled(
        &self,
        model: &Model,
        operation: OperationIndex,
        plans: &Arc<Plans>,
        measuring: Measuring,
    ) -> Option<(Body, Measuring)> {
        let runtime = &self.runtime;
        let (store, sets) = (runtime.store.clone(), runtime.sets.clone());
        let mut cx = Cx::new(model, &runtime.settings, store, sets, plans.clone());
        let codes = runtime.codes.len();
        cx.codes.resize_with(codes, || None);
        cx.recursions.resize_with(runtime.recursions.len(), || None);
        cx.next_slot = self.own_slots;
        cx.next_query = runtime.next_query.load(Ordering::Relaxed);
        cx.measuring = Some(measuring);
        let id = self.operation(operation).id;
        let body = stacker::maybe_grow(64 << 20, 128 << 20, || operation_body(&mut cx, id));
        let measuring = cx.measuring.take()?;
        // Sets that are not listed are known by the numbers of their codes: a second code for one
        // would make equal values different.
        let fits = cx.codes.len() == codes && cx.errors.is_empty();
        // Workers ask for the size when they next make a frame; it never shrinks, because bodies of
        // earlier plans may still be in use.
        self.frame_size.fetch_max(cx.next_slot, Ordering::Relaxed);
        runtime.next_query.fetch_max(cx.next_query, Ordering::Relaxed);
        fits.then_some((body, measuring))
    }

    /// Executes an operation in all states of a sample, for what is counted while it runs.
    fn execute_in(&self, body: &Body, operation: OperationIndex, sample: &[Sample<'_>]) {
        let mut scratch = self.scratch();
        for (constants, state) in sample {
            self.execute_once(body, operation, *constants, state.view(), &mut scratch);
        }
    }
}
