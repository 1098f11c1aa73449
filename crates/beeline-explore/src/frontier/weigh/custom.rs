//! By the model's own `HEURISTIC_FUNCTION`. Where it has no value a state comes last.

use super::{New, Opener, Weigh};
use crate::worker::Shared;
use beeline_compile::Scratch;

/// Weighs as the model says.
pub(crate) struct Custom<'a> {
    opener: Opener<'a>,
    scratch: Scratch,
}

impl<'a> Custom<'a> {
    pub fn new(shared: &'a Shared<'a>) -> Custom<'a> {
        Custom { opener: Opener::new(shared), scratch: shared.system.scratch() }
    }
}

impl Weigh for Custom<'_> {
    fn weigh(&mut self, new: &New<'_>) -> i32 {
        let state = self.opener.state(new);
        let Shared { system, setups, .. } = self.opener.shared;
        let Some(function) = system.heuristic() else { return 0 };
        match system.value(function, setups.get(new.setup), Some(&state), &mut self.scratch) {
            Ok(value) => value.as_small_int().map_or(i32::MAX, clamped),
            Err(_) => i32::MAX,
        }
    }
}

fn clamped(value: i64) -> i32 {
    value.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32
}
