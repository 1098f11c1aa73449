//! The truth of predicates and the values of expressions in a state.

use super::{ExprId, PredId, Scratch, System};
use crate::answer::{Answer, Stop, Truth};
use beeline_transition::{ConstantsRef, StateRef};
use beeline_value::Val;

impl System {
    /// The truth of a compiled predicate in a state.
    pub fn holds(
        &self,
        pred: PredId,
        constants: ConstantsRef<'_>,
        state: StateRef<'_>,
        scratch: &mut Scratch,
    ) -> Truth {
        decided(self.with_frame(scratch, Some(constants), Some(state), |f| (self.preds[pred.0])(f)))
    }

    /// The same, but only if it can be found in so many steps; afterwards `steps` are left.
    pub fn holds_within(
        &self,
        pred: PredId,
        constants: ConstantsRef<'_>,
        state: StateRef<'_>,
        scratch: &mut Scratch,
        steps: &mut u64,
    ) -> Truth {
        decided(self.with_frame(scratch, Some(constants), Some(state), |f| {
            // Never more than one evaluation may take anyway.
            let given = (*steps).min(f.steps);
            f.steps = given;
            let result = (self.preds[pred.0])(f);
            *steps -= given - f.steps.min(given);
            result
        }))
    }

    /// The truth of several predicates in one state, without setting the state up for each.
    pub fn holds_each(
        &self,
        preds: &[PredId],
        constants: ConstantsRef<'_>,
        state: StateRef<'_>,
        scratch: &mut Scratch,
        sink: &mut dyn FnMut(usize, Truth),
    ) {
        self.holds_each_up_to(preds, constants, state, scratch, &[], sink);
    }

    /// The same. `later` are elements, as sorted words, each of which can be swapped with one that
    /// is not among them and comes before it, and neither state nor constants nor any formula can
    /// tell: quantifiers that depend on nothing but the state try only the others.
    pub fn holds_each_up_to(
        &self,
        preds: &[PredId],
        constants: ConstantsRef<'_>,
        state: StateRef<'_>,
        scratch: &mut Scratch,
        later: &[u32],
        sink: &mut dyn FnMut(usize, Truth),
    ) {
        let mut words = std::mem::take(&mut scratch.later);
        words.clear();
        words.extend_from_slice(later);
        let mut left_out = 0;
        self.with_frame(scratch, Some(constants), Some(state), |f| {
            f.later = std::mem::take(&mut words);
            for (i, pred) in preds.iter().enumerate() {
                f.steps = self.runtime.settings.steps;
                // What was left out for one predicate says nothing about the next.
                f.cuts.clear();
                let truth = match (self.preds[pred.0])(f) {
                    // An answer beside which something was left out is no answer.
                    Ok(_) if !f.cuts.is_empty() => Truth::Unknown(Box::new(f.cuts.swap_remove(0))),
                    Ok(true) => Truth::True,
                    Ok(false) => Truth::False,
                    Err(stop) => truth_of(stop),
                };
                sink(i, truth);
            }
            words = std::mem::take(&mut f.later);
            left_out = f.left_out;
        });
        scratch.later = words;
        scratch.left_out += left_out;
    }

    /// The truth of a compiled predicate that reads constants only.
    pub fn holds_of_constants(
        &self,
        pred: PredId,
        constants: ConstantsRef<'_>,
        scratch: &mut Scratch,
    ) -> Truth {
        decided(self.with_frame(scratch, Some(constants), None, |f| (self.preds[pred.0])(f)))
    }

    /// The value of a compiled expression in a state. Without one the answer says why.
    pub fn value(
        &self,
        expr: ExprId,
        constants: ConstantsRef<'_>,
        state: Option<StateRef<'_>>,
        scratch: &mut Scratch,
    ) -> Result<Val, Truth> {
        let (result, mut answer) =
            self.with_frame(scratch, Some(constants), state, |f| (self.exprs[expr.0])(f));
        match result {
            Ok(_) if !answer.cuts.is_empty() => {
                Err(Truth::Unknown(Box::new(answer.cuts.swap_remove(0))))
            }
            result => result.map_err(truth_of),
        }
    }

    /// How far a state is from what is looked for; nothing if nobody said what that is.
    pub fn distance(
        &self,
        constants: ConstantsRef<'_>,
        state: StateRef<'_>,
        scratch: &mut Scratch,
    ) -> Option<i64> {
        let distance = self.target.as_ref()?;
        Some(self.with_frame(scratch, Some(constants), Some(state), |f| distance(f)).0)
    }
}

/// The truth of a predicate; an answer beside which something was left out is no answer.
fn decided((result, mut answer): (Result<bool, Stop>, Answer)) -> Truth {
    match result {
        Ok(_) if !answer.cuts.is_empty() => Truth::Unknown(Box::new(answer.cuts.swap_remove(0))),
        Ok(true) => Truth::True,
        Ok(false) => Truth::False,
        Err(stop) => truth_of(stop),
    }
}

fn truth_of(stop: Stop) -> Truth {
    match stop {
        Stop::Fault(fault) => Truth::Undefined(fault),
        Stop::Cut(cut) => Truth::Unknown(cut),
        Stop::Enough => Truth::False,
    }
}
