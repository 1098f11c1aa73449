//! By what must be evaluated: states of which most is known come first, so that more steps into the
//! others are known by the time they are looked at. What a correct model costs to check shrinks; how
//! soon something wrong is found does not.

use super::{New, Weigh};
use crate::tested::Tests;

/// Weighs by the number of conjuncts that are left open.
pub(crate) struct LeftOpen<'a> {
    tests: &'a Tests,
}

impl<'a> LeftOpen<'a> {
    pub fn new(tests: &'a Tests) -> LeftOpen<'a> {
        LeftOpen { tests }
    }
}

impl Weigh for LeftOpen<'_> {
    fn weigh(&mut self, new: &New<'_>) -> i32 {
        self.tests.left_open(new.open)
    }
}
