//! States with more steps than can be kept at once: the first ones are followed, and the others found
//! when those have had their turn.
//!
//! To go on, the steps of the state are computed from the beginning. Each time several times as many
//! are taken as there were before, so that this costs a third of the work at most. The last time all of
//! them are taken, whichever came first: in between the state's operations may have been planned again,
//! or have got code, and their steps come in another order.

use super::Search;
use crate::frontier::Cohorts;
use crate::frontier::weigh::Scales;
use crate::output::note_faults;
use crate::shared::Shared;
use crate::supply::GROWTH;
use crate::worker::Worker;
use beeline_fault::{Flaw, planted};
use beeline_table::{Batch, StateId, View};
use beeline_transition::{
    Ask, CutReason, Flow, Look, OperationIndex, RowMut, RowRef, TransitionSystem,
};
use std::ops::Range;
use std::sync::PoisonError;

/// Candidates that are kept before they get their numbers.
pub(super) const KEPT: usize = 1 << 18;

/// A state that has more steps.
pub(crate) struct Late {
    pub id: StateId,
    pub depth: u32,
    /// Steps that were taken.
    pub skipped: u64,
    /// When so many states were visited, it is time for the others.
    due: u64,
    /// As the table has it.
    pub words: Box<[u32]>,
}

impl<S: TransitionSystem> Search<'_, S> {
    /// Notes states that have more steps: rank, state and number of the steps that were taken.
    pub fn note_late(&mut self, mut broken: Vec<(u32, StateId, u64)>, depth: impl Fn(u32) -> u32) {
        // Workers hand them over in any order; which state goes on first must not depend on that.
        broken.sort_unstable();
        for (rank, id, skipped) in broken {
            let due = self.due(skipped);
            self.add_late(id, depth(rank), skipped, due);
        }
    }

    /// When a state of which so many steps were taken has its next turn. The number may be one that was
    /// saved, and any.
    fn due(&self, skipped: u64) -> u64 {
        self.visited.saturating_add(skipped.saturating_mul(GROWTH))
    }

    fn add_late(&mut self, id: StateId, depth: u32, skipped: u64, due: u64) {
        let mut view = self.shared.table.view();
        self.shared.table.load(id, &mut view);
        let words = view.words().into();
        self.late.push(Late { id, depth, skipped, due, words });
    }

    /// As numbers.
    pub fn save_late(&self) -> Vec<u64> {
        let one = |l: &Late| [u64::from(l.id.0), u64::from(l.depth), l.skipped, l.due];
        self.late.iter().flat_map(one).collect()
    }

    /// From numbers.
    pub fn load_late(&mut self, saved: &[u64]) -> Result<(), ()> {
        self.late.clear();
        let (all, []) = saved.as_chunks::<4>() else { return Err(()) };
        for [id, depth, skipped, due] in all {
            let (id, depth) = (u32::try_from(*id), u32::try_from(*depth));
            let (Ok(id), Ok(depth)) = (id, depth) else { return Err(()) };
            if id as usize >= self.shared.table.len() {
                return Err(());
            }
            self.add_late(StateId(id), depth, *skipped, *due);
        }
        Ok(())
    }

    /// Goes on with the first state whose turn it is, or with any if nothing else is to be done. What
    /// it leads to is a search of its own. Was there one?
    pub(super) fn go_on(
        &mut self,
        cohorts: &mut Cohorts,
        scales: &mut Scales<'_, S>,
        worker: &mut Worker<'_, S>,
    ) -> bool {
        let idle = cohorts.len() == 0;
        let Some(place) = self.late.iter().position(|l| idle || l.due <= self.visited) else {
            return false;
        };
        let mut late = self.late.remove(place);
        let fresh = self.more_steps(&mut late, worker);
        let depth = late.depth.saturating_add(1);
        // Others have their turn first.
        late.due = self.due(late.skipped);
        if late.skipped > 0 {
            self.late.push(late);
        }
        if !fresh.is_empty() {
            let mut frontier = self.frontier();
            frontier.begin_at(depth);
            cohorts.begin(frontier);
            scales.take_at(&fresh, depth);
            cohorts.add(&scales.fresh(fresh));
        }
        true
    }

    /// More steps of a state; none of them are left to be skipped if these were the last.
    fn more_steps(&mut self, late: &mut Late, worker: &mut Worker<'_, S>) -> Range<u32> {
        let shared = self.shared;
        let trusted = {
            let suspects = shared.suspects.read().unwrap_or_else(PoisonError::into_inner);
            !suspects.contains(&late.id)
        };
        let mut made = Made { batch: Batch::new(1), fresh: None };
        let took = worker.expand_more(shared, &mut made, late, trusted);
        made.settle(shared, late.id);
        late.skipped = took.map_or(0, |count| late.skipped.saturating_add(count));
        self.take(worker.take());
        if !shared.table.is_out() {
            return made.fresh.unwrap_or(0..0);
        }
        match shared.table.sift() {
            Ok(fresh) => fresh,
            Err(error) => {
                self.trouble(Some(error));
                0..0
            }
        }
    }
}

/// What steps lead to: what has no number yet, and what has.
struct Made {
    batch: Batch,
    fresh: Option<Range<u32>>,
}

impl Made {
    /// Gives numbers to states that one leads to. Nothing else is settled meanwhile, so they follow one
    /// another.
    fn settle<S: TransitionSystem>(&mut self, shared: &Shared<'_, S>, from: StateId) {
        match shared.table.alone().settle(&mut self.batch, Some(&[from])) {
            Some(new) => {
                let start = self.fresh.as_ref().map_or(new.start, |f| f.start);
                self.fresh = Some(start..new.end);
            }
            None => shared.watch.halt(CutReason::Memory),
        }
    }
}

impl<S: TransitionSystem> Worker<'_, S> {
    /// Takes more steps of a state, several times as many as before. How many, if there are others?
    fn expand_more(
        &mut self,
        shared: &Shared<'_, S>,
        made: &mut Made,
        late: &Late,
        trusted: bool,
    ) -> Option<u64> {
        self.turn_to(shared, &late.words);
        let at = shared.at(&late.words);
        let suffix = &late.words[at.row.len()..];
        let room = late.skipped.saturating_mul(GROWTH);
        let (mut seen, mut broken) = (0u64, false);
        let Worker { output, scratch, target, view, reducer, .. } = self;
        let look_at = |view: &mut View| match shared.table.is_compact() {
            true => *view = shared.table.view(),
            false => shared.table.load(late.id, view),
        };
        look_at(view);
        let mut sink = |operation: OperationIndex, next: RowRef<'_>| {
            if shared.stopped() {
                return Flow::Enough;
            }
            if seen == room {
                broken = true;
                return Flow::Enough;
            }
            seen += 1;
            // Found again, and offered again: it need not be one of those that were taken. Keeping an
            // enumeration alive instead would keep its stack.
            if seen > late.skipped {
                output.covered[operation.0] += 1;
            }
            // The flaw: the first of those that were left is passed over.
            if seen == late.skipped + 1 && planted(Flaw::LostLateSteps) {
                return Flow::More;
            }
            target.clear();
            target.extend_from_slice(next.words());
            target.extend_from_slice(suffix);
            let mut own = RowMut(&mut target[..next.len()]);
            let number = at.setup.number;
            let look = reducer.as_mut().map_or(Look::Insert, |r| r.look(number, own.again()));
            let fresh = match look {
                Look::Insert => true,
                Look::Known => false,
                Look::Candidate { key } => shared.system.admit(key, at.setup, own.view()),
            };
            let unproved = shared.tests.unproved_after(Some(operation), trusted);
            if fresh && !shared.table.offer_unproved(&mut made.batch, view, target, 0, unproved) {
                shared.watch.halt(CutReason::Memory);
            }
            // There may be millions: numbers are given on the way, and memory is needed for one batch only.
            if made.batch.len() >= KEPT {
                made.settle(shared, late.id);
                // Who folds must fold as the table does now.
                look_at(view);
            }
            Flow::More
        };
        let answer = shared.system.successors(at, scratch, &mut Ask::default(), &mut sink);
        let count = seen.saturating_sub(late.skipped);
        output.transitions += count;
        note_faults(output, 0, late.id, answer.faults);
        if !broken {
            answer.cuts.iter().for_each(|cut| output.cuts.add(cut));
        }
        // Who was stopped has not seen the last one.
        (broken || shared.stopped()).then_some(count)
    }
}
