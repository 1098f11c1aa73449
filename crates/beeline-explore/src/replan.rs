//! When operations are planned again: before states of certain numbers are expanded, from a sample
//! of those before them.
//!
//! Which plan a state is expanded by is decided by its number alone, and what the new plans are by
//! the states before: so numbers, traces and counts are the same for every number of threads, with
//! states on disk, and in a search that goes on from a checkpoint.

use crate::frontier::Wave;
use crate::search::Search;
use crate::stats::Replan;
use beeline_table::StateId;
use beeline_transition::TransitionSystem;

/// How often.
const TIMES: usize = 2;
/// The numbers. A search of fewer states is not worth a second look at its plans; and what is true
/// of the first thousand states need not be true of those that come later.
const POINTS: [u32; TIMES] = [1 << 10, 1 << 14];
/// The same for tests, which have few states.
const EARLY: [u32; TIMES] = [6, 24];
/// States of a sample, from the later half of those that are known.
const SAMPLE: u32 = 32;

impl<S: TransitionSystem> Search<'_, S> {
    fn all_points(&self) -> &'static [u32; TIMES] {
        if self.shared.options.early { &EARLY } else { &POINTS }
    }

    /// The number of the first state that waits for another look at the plans.
    pub fn next_point(&self) -> u32 {
        self.all_points().get(self.points).copied().unwrap_or(u32::MAX)
    }

    /// Takes another look at the plans if the first state of the wave waits for that; otherwise those
    /// that do come in a wave of their own, next.
    pub fn look_at_plans(&mut self, wave: &mut Wave) {
        let point = self.next_point();
        if point == u32::MAX || wave.states.iter().all(|id| id.0 < point) {
            return;
        }
        let before = wave.states.partition_point(|id| id.0 < point);
        if before > 0 && wave.states.is_sorted() {
            self.rest.states.extend(wave.states.drain(before..));
            self.rest.depths.extend(wave.depths.drain(before..));
            return;
        }
        let number = self.points;
        self.points += 1;
        // Steps that were passed over must come in the same order again.
        if self.late.is_empty() {
            self.replan(point);
        } else {
            self.points_skipped |= 1 << number;
        }
        self.look_at_plans(wave);
    }

    /// Plans as a search did that goes on here: `count` points, and by bits those that were left out.
    /// That comes before everything else, as states that have more steps were begun by these plans.
    pub fn plan_again(&mut self, [count, skipped]: [u64; 2]) -> Result<(), ()> {
        let count = usize::try_from(count).map_err(|_| ())?;
        for (number, point) in self.all_points().get(..count).ok_or(())?.iter().enumerate() {
            if *point as usize >= self.shared.table.len() {
                return Err(());
            }
            if skipped >> number & 1 == 0 {
                self.replan(*point);
            }
        }
        (self.points, self.points_skipped) = (count, skipped);
        Ok(())
    }

    fn replan(&mut self, point: u32) {
        let (table, setups) = (self.shared.table, self.shared.setups);
        if !self.shared.options.replan || table.is_compact() {
            return;
        }
        // The later half: the first states are special in most models (empty sets, nobody has begun).
        let first = point / 2;
        if table.is_out() && table.load_wave(first..point).is_err() {
            return;
        }
        let rows: Vec<_> = {
            let (reader, mut view) = (table.reader(), table.view());
            let sample = (first..point).step_by(((point - first) / SAMPLE).max(1) as usize);
            let mut row = |id: u32| {
                reader.load(StateId(id), &mut view);
                let at = self.shared.at(view.words());
                (at.setup.number, at.row.owned())
            };
            sample.map(&mut row).collect()
        };
        let changes = self.shared.system.replan(&rows, setups, self.shared.options.early);
        self.stats.replanned.extend(changes.into_iter().map(|change| Replan { change, point }));
    }
}
