//! By the distance to a target: a goal, a broken invariant, an operation that is possible.

use super::{New, Opener, Weigh};
use crate::worker::Shared;
use beeline_compile::Scratch;

/// Weighs by distance.
pub(crate) struct Distance<'a> {
    opener: Opener<'a>,
    scratch: Scratch,
}

impl<'a> Distance<'a> {
    pub fn new(shared: &'a Shared<'a>) -> Distance<'a> {
        Distance { opener: Opener::new(shared), scratch: shared.system.scratch() }
    }
}

impl Weigh for Distance<'_> {
    fn weigh(&mut self, new: &New<'_>) -> i32 {
        let state = self.opener.state(new);
        let Shared { system, setups, options, .. } = self.opener.shared;
        let Some(target) = options.target else { return 0 };
        let far = system.distance(target, setups.get(new.setup), &state, &mut self.scratch);
        i32::try_from(far).unwrap_or(i32::MAX)
    }
}
