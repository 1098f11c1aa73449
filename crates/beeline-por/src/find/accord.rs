//! Which operations accord: wherever both are live neither ends the other, and the order of their steps makes
//! no difference.

use super::{Finder, overlap};
use beeline_flow::parts_read;
use beeline_model::Pred;

impl Finder<'_> {
    pub(super) fn accord(&self, one: usize, other: usize) -> bool {
        let (a, b) = (&self.operations[one], &self.operations[other]);
        let apart = !overlap(&a.writes, &b.writes)
            && !overlap(&a.writes, &b.body)
            && !overlap(&b.writes, &a.body);
        let blind = !overlap(&a.writes, &b.guard) && !overlap(&b.writes, &a.guard);
        if apart && blind || self.exclude(one, other) {
            return true;
        }
        // Only guards are left: is what they say the same after a step of the other one?
        apart
            && !a.may_fail
            && !b.may_fail
            && self.is_left_alone(one, other)
            && self.is_left_alone(other, one)
    }

    /// Are the two never live in one state?
    fn exclude(&self, one: usize, other: usize) -> bool {
        let (Some(a), Some(b)) = (self.sure_guard(one), self.sure_guard(other)) else {
            return false;
        };
        self.ask() && self.influence.exclude(&[a, b].concat())
    }

    /// What must hold wherever an operation is live: its guard up to the first conjunct that may have no
    /// meaning, since there it may fail.
    fn sure_guard(&self, at: usize) -> Option<Vec<&Pred>> {
        let guard = self.influence.guards[at].as_ref()?;
        Some(match self.operations[at].may_fail {
            false => guard.conjuncts.iter().collect(),
            true => {
                guard.conjuncts.iter().take(guard.plain).take_while(|p| self.is_total(p)).collect()
            }
        })
    }

    /// Where both operations are live: can the one be done after a step of the other with exactly the
    /// parameters with which it could be done before?
    fn is_left_alone(&self, one: usize, by: usize) -> bool {
        let Some(guard) = self.influence.guards[one].as_ref().filter(|g| g.exact) else {
            return false;
        };
        let all: Vec<&Pred> = guard.conjuncts.iter().collect();
        let writes = &self.operations[by].writes;
        guard.conjuncts.iter().all(|p| {
            if !overlap(writes, &parts_read(&self.influence.model, p)) {
                return true;
            }
            if !self.is_total(p) || !self.ask() || !self.influence.leaves_true(by, p, &all) {
                return false;
            }
            // Without parameters it holds before, since the operation is live there.
            self.is_condition(p) || self.ask() && self.influence.leaves_false(by, p)
        })
    }
}
