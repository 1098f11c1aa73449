//! By what the system says of a state: its size, the model's own figure, the distance to a target.

use crate::frontier::weigh::{New, Weigh};
use crate::shared::Shared;
use beeline_transition::{Measure, TransitionSystem};

/// Weighs by a measure.
pub(crate) struct Measured<'a, S: TransitionSystem> {
    shared: &'a Shared<'a, S>,
    scratch: S::Scratch,
    by: Measure,
}

impl<'a, S: TransitionSystem> Measured<'a, S> {
    pub fn new(shared: &'a Shared<'a, S>, by: Measure) -> Measured<'a, S> {
        Measured { shared, scratch: shared.system.scratch(), by }
    }
}

impl<S: TransitionSystem> Weigh for Measured<'_, S> {
    fn weigh(&mut self, new: &New<'_>) -> i32 {
        self.shared.system.measure(self.by, new.at, &mut self.scratch)
    }
}
