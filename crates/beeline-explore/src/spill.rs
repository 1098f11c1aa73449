//! What is done when memory runs short: settled states move to disk, and new ones are held against
//! them now and then.

use crate::frontier::{Cohorts, Fresh};
use crate::order::Order;
use crate::search::{Search, WAVE};
use beeline_table::StateId;
use beeline_transition::{CutReason, TransitionSystem};
use std::time::Instant;

/// With this part of the budget in use states move to disk, in percent.
const NEAR: u64 = 75;
/// If the table has less than this part of the budget, moving it would not help.
const SHARE: u64 = 15;

impl<S: TransitionSystem> Search<'_, S> {
    /// Between two waves: moves states out if memory is short, and takes in what waits.
    pub fn relieve(&mut self, cohorts: &mut Cohorts) {
        let table = self.shared.table;
        if self.shared.options.order == Order::Auto && self.goes_on_from_disk() {
            cohorts.turn(|one| if one.is_tired() { one.rested(WAVE) } else { None });
        }
        let clock;
        if table.is_out() {
            let due = cohorts.current().level_done() || table.waiting() >= self.room;
            if table.waiting() == 0 || !due {
                return;
            }
            clock = Instant::now();
            self.sift(cohorts);
        } else if self.must_move() {
            clock = Instant::now();
            // From disk states come back in the order of their numbers: an order that jumps would read the
            // whole file for each wave.
            cohorts.turn(|one| one.to_breadth(WAVE));
            // Memory that was given back is used again, but not all of it by the table.
            self.room = table.len() / 4 * 3 + 1;
            let moved = table.move_out(&self.shared.options.spill.folder);
            self.trouble(moved.err());
        } else {
            return;
        }
        self.stats.writing += clock.elapsed();
    }

    /// Takes in the states that wait.
    pub fn sift(&mut self, cohorts: &mut Cohorts) {
        match self.shared.table.sift() {
            Ok(states) => cohorts.add(&Fresh { states, depths: &[], weights: &[], ranks: &[] }),
            Err(error) => self.trouble(Some(error)),
        }
    }

    pub fn trouble(&mut self, error: Option<std::io::Error>) {
        if let Some(error) = error {
            self.troubles.push(format!("states cannot be written to disk: {error}"));
            self.shared.watch.halt(CutReason::Disk);
        }
    }

    fn must_move(&self) -> bool {
        let (shared, spill) = (self.shared, &self.shared.options.spill);
        if spill.never
            || shared.table.is_compact()
            || !self.goes_on_from_disk()
            || shared.table.is_empty()
        {
            return false;
        }
        if let Some(states) = spill.after_states {
            return shared.table.len() >= states;
        }
        let Some(limit) = shared.options.limits.memory_bytes else { return false };
        // If something else fills memory, moving states out would only make the rest slow.
        shared.watch.near(limit / 100 * NEAR) && {
            let bytes = shared.table.bytes();
            (bytes.total() - bytes.pairs) as u64 >= limit / 100 * SHARE
        }
    }

    /// Can the order go on with states on disk? Breadth-first search can; depths are lost when
    /// another one turns to it.
    fn goes_on_from_disk(&self) -> bool {
        let options = self.shared.options;
        options.order.is_shortest_first()
            || options.order.can_turn_to_breadth()
                && options.limits.depth.is_none()
                && options.checkpoint.is_none()
    }

    /// Brings near what the wave will read.
    pub fn fetch(&mut self, wave: &[StateId]) {
        let (Some(first), Some(last)) = (wave.iter().min(), wave.iter().max()) else { return };
        if !self.shared.table.is_out() {
            return;
        }
        let loaded = self.shared.table.load_wave(first.0..last.0 + 1);
        self.trouble(loaded.err());
    }
}
