//! By what must be evaluated: states of which most is known come first, so that more steps into the
//! others are known by the time they are looked at. What a correct model costs to check shrinks; how
//! soon something wrong is found does not.

use crate::frontier::weigh::{New, Weigh};
use crate::tested::Tests;

/// Weighs by the number of conjuncts that are left unproved.
pub(crate) struct Unproved<'a> {
    tests: &'a Tests,
}

impl<'a> Unproved<'a> {
    pub fn new(tests: &'a Tests) -> Unproved<'a> {
        Unproved { tests }
    }
}

impl Weigh for Unproved<'_> {
    fn weigh(&mut self, new: &New<'_>) -> i32 {
        self.tests.unproved_count(new.unproved)
    }
}
