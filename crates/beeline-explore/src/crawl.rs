//! Narrow parts of a state space: level after level of a few states each, on one thread.
//!
//! A level is a wave, and a wave has a price: locks, sums, looks at limits. Where a level has one
//! state, that is most of the work. So a few hundred narrow levels are taken in one go. The states,
//! their numbers and parents are the same.

use crate::frontier::{Frontier, Wave};
use crate::pool::{Pool, full, locked};
use crate::search::Search;
use crate::shared::Shared;
use crate::worker::{Context, Worker};
use beeline_table::{Alone, Batch, StateId};
use beeline_transition::{CutReason, TransitionSystem};
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// A level of more states is not narrow.
const NARROW: usize = 16;
/// After so many levels somebody looks at limits, memory and checkpoints.
const LEVELS: u32 = 1024;

impl<S: TransitionSystem> Search<'_, S> {
    /// Takes narrow levels until one is not, or something was found. The wave that is left comes
    /// next; `false`: there is none, or it is not to be visited.
    pub fn crawl(
        &mut self,
        frontier: &mut dyn Frontier,
        pool: &Pool,
        worker: &mut Worker<'_, S>,
        wave: &mut Wave,
    ) -> bool {
        let (shared, options) = (self.shared, self.shared.options);
        let may = wave.states.len() <= NARROW
            && frontier.len() == 0
            && frontier.may_crawl()
            && wave.depth().is_some()
            && options.limits.states.is_none()
            && options.limits.depth.is_none()
            && !shared.system.reduces()
            && !shared.table.is_compact()
            && !shared.table.is_out();
        if !may {
            return true;
        }
        let before = wave.depths.first().copied().unwrap_or(0);
        // Nothing else waits: all states from here on are visited in order.
        let (first, known) = (wave.states.clone(), shared.table.len() as u32);
        let clock = options.clocks.then(Instant::now);
        pool.crawl(shared, worker, wave, self.next_point());
        self.stats.visiting += clock.map_or(Duration::ZERO, |clock| clock.elapsed());
        let depth = wave.depths.first().copied().unwrap_or(before);
        if depth == before {
            return true;
        }
        self.stats.waves += u64::from(depth - before);
        self.depth = self.depth.max(depth - 1);
        frontier.crawled(wave);
        shared.watch.frontier.store(wave.states.len(), Ordering::Relaxed);
        shared.watch.states.store(shared.table.len(), Ordering::Relaxed);
        let mut news = worker.take_news();
        self.note_late(std::mem::take(&mut news.broken), |_| depth - 1);
        self.take(news);
        let next = wave.states.first().map_or(shared.table.len() as u32, |id| id.0);
        shared.table.forget_unproved(first.iter().map(|id| id.0).chain(known..next));
        // Asked even where nothing is left: it notes why the search ended.
        !self.enough() && !wave.states.is_empty()
    }
}

impl Pool {
    /// Visits and settles narrow levels, beginning with a wave; in its place comes the level after
    /// them. Its depth is that of an empty level if nothing is left. It ends before a level with the
    /// state of a certain number.
    fn crawl<S: TransitionSystem>(
        &self,
        shared: &Shared<'_, S>,
        worker: &mut Worker<'_, S>,
        wave: &mut Wave,
        until: u32,
    ) {
        let mut batch = locked(&self.alone);
        let suspects = shared.suspects.read().unwrap_or_else(PoisonError::into_inner);
        let result = catch_unwind(AssertUnwindSafe(|| {
            let mut table = shared.table.alone();
            for _ in 0..LEVELS {
                if wave.states.is_empty() || wave.states.len() > NARROW || shared.stopped() {
                    return;
                }
                if wave.states.last().is_some_and(|id| id.0 >= until) {
                    return;
                }
                // Anew for each level: settling writes to the table.
                let known = table.reader();
                let context = Context { shared, known: &known, suspects: &suspects };
                for (rank, id) in wave.states.iter().enumerate() {
                    worker.visit(&context, &mut batch, *id, rank as u32, true);
                }
                drop(known);
                let Some(fresh) = settled(shared, &mut table, &mut batch, wave) else { return };
                advance(wave, fresh);
                // A finding may end the search, and must be told before another level is taken.
                if worker.has_news() {
                    return;
                }
            }
        }));
        if result.is_err() {
            batch.clear();
            shared.watch.halt(CutReason::WorkerLost);
        }
    }
}

/// Numbers the states that were found; `None` if that did not work.
fn settled<S: TransitionSystem>(
    shared: &Shared<'_, S>,
    table: &mut Alone<'_>,
    batch: &mut Batch,
    wave: &Wave,
) -> Option<Range<u32>> {
    // What a lost worker found is not to be believed, and there may be no room for all.
    let broken = shared.stopped()
        && matches!(shared.watch.reason(), Some(CutReason::WorkerLost | CutReason::Memory));
    if broken {
        batch.clear();
        return None;
    }
    table.settle(batch, Some(&wave.states)).or_else(|| full(shared))
}

/// Makes new states the next wave.
fn advance(wave: &mut Wave, fresh: Range<u32>) {
    let depth = wave.depths.first().map_or(0, |d| d + 1);
    wave.states.clear();
    wave.states.extend(fresh.map(StateId));
    wave.depths.clear();
    // An empty level has a depth as well.
    wave.depths.resize(wave.states.len().max(1), depth);
}
