//! Saving a search between two waves, and going on with a saved one.

use super::Search;
use crate::checkpoint::{Found, Frame, Manifest, Refusal, damaged};
use crate::frontier::{Cohorts, Wave};
use crate::shared::Shared;
use crate::worker::{Context, Worker};
use beeline_fault::{Flaw, planted};
use beeline_table::{Batch, StateId};
use beeline_transition::{Look, Reducer, RowMut, RowRef, TransitionSystem, Translate};
use std::sync::PoisonError;
use std::time::Instant;

/// States of one frame of the log: little memory, and few frames.
const FRAME: u32 = 1 << 15;

/// How much is on disk already, and what waits for it.
pub(crate) struct Saved<'a> {
    /// Makes rows fit to be saved.
    rows: Box<dyn Translate + 'a>,
    /// States below this number are in the log.
    states: u32,
    /// Suspects that are not.
    pub suspects: Vec<u32>,
}

impl<'a> Saved<'a> {
    /// Nothing is on disk.
    pub fn nothing(system: &'a impl TransitionSystem) -> Saved<'a> {
        Saved { rows: system.translator(), states: 0, suspects: Vec::new() }
    }
}

impl<S: TransitionSystem> Search<'_, S> {
    /// Opens the checkpoint, if one is wanted, and goes on with what it holds.
    pub fn begin_saving(&mut self, cohorts: &mut Cohorts) -> Result<(), Refusal> {
        let Some(checkpoint) = &self.shared.options.checkpoint else { return Ok(()) };
        if self.shared.table.is_compact() {
            let words = "with hash compaction there are no states to save";
            return Err(Refusal::Unfit(words.to_owned()));
        }
        if self.is_anew {
            // What was saved is of a search that does not count, or of another layout.
            checkpoint.clear()?;
        }
        let found = checkpoint.find()?;
        let after = found.as_ref().map(|f| (f.manifest.log_bytes, f.manifest.log_hash));
        if let Some(found) = found {
            self.restore(found, cohorts).map_err(|()| {
                damaged(&checkpoint.folder, "its states are not those of the check")
            })?;
        }
        self.saver = Some(checkpoint.saver(after)?);
        // For the search after this one, should there be one.
        self.is_anew = true;
        Ok(())
    }

    /// Saves what is new since the last time. A failure is told, and the search goes on.
    pub fn save(&mut self, cohorts: &mut Cohorts) {
        let clock = Instant::now();
        // A frame holds states by number: those that wait for one cannot be saved.
        if self.shared.table.waiting() > 0 {
            self.sift(cohorts);
        }
        if let Err(words) = self.try_save(cohorts) {
            self.troubles.push(format!("no checkpoint could be written: {words}"));
            // What is on disk stays as it was; half a log must not grow.
            self.saver = None;
        }
        self.stats.writing += clock.elapsed();
    }

    fn try_save(&mut self, cohorts: &Cohorts) -> Result<(), String> {
        let table = self.shared.table;
        let end = table.len() as u32;
        let Some(mut saver) = self.saver.take() else { return Ok(()) };
        // Frame by frame: the log grows with what is new, and is never written again.
        while self.saved.states < end || !self.saved.suspects.is_empty() {
            let frame = self.frame(end);
            saver.log.write(&frame).map_err(|e| e.to_string())?;
        }
        let totals = &self.totals;
        saver.commit(&mut Manifest {
            identity: self.shared.options.checkpoint.as_ref().map_or([0; 32], |c| c.identity),
            layout: self.shared.system.layout_number(),
            widened: self.widened.iter().map(|n| u64::from(*n)).collect(),
            states: end,
            roots: table.roots(),
            depth: self.depth,
            transitions: totals.transitions,
            checks: totals.checks,
            saved: totals.saved,
            guards: totals.guards,
            guards_known: totals.guards_known,
            expanded: totals.expanded,
            covered: totals.covered.clone(),
            frontier: cohorts.save(),
            setups: self.setup_portions(),
            portions: self.place.portions,
            visited: self.visited,
            late: self.save_late(),
            points: [self.points as u64, self.points_skipped],
            findings: self.found_at.iter().map(|id| u64::from(id.0)).collect(),
            cuts: totals.cuts.clone(),
            seconds: self.shared.watch.elapsed().as_secs_f64(),
            ..Manifest::default()
        })?;
        self.saver = Some(saver);
        Ok(())
    }

    /// The next states that are not in the log.
    fn frame(&mut self, end: u32) -> Frame {
        let (shared, saved) = (self.shared, &mut self.saved);
        let known = shared.table.reader();
        let mut view = shared.table.view();
        let width = shared.system.width();
        let mut frame = Frame { suspects: std::mem::take(&mut saved.suspects), ..Frame::default() };
        let stop = end.min(saved.states.saturating_add(FRAME));
        for id in (saved.states..stop).map(StateId) {
            known.load(id, &mut view);
            let first = frame.words.len();
            frame.words.extend_from_slice(view.words());
            let Frame { words, values, .. } = &mut frame;
            saved.rows.save(RowMut(&mut words[first..first + width]), values);
            frame.parents.push(known.parent(id).map_or(u32::MAX, |p| p.0));
        }
        saved.states = stop;
        frame
    }

    /// Goes on with a saved search. Initial states are there already, computed anew.
    fn restore(&mut self, mut found: Found, cohorts: &mut Cohorts) -> Result<(), ()> {
        let shared = self.shared;
        let manifest = &found.manifest;
        // Initial states were computed anew: if these differ, so would everything that follows from them.
        if manifest.roots != shared.table.roots()
            || manifest.layout != shared.system.layout_number()
        {
            return Err(());
        }
        self.restore_portions(manifest)?;
        let mut reducer = shared.system.reducer();
        let mut suspects = Vec::new();
        let mut next = 0;
        while let Some(frame) = found.log.next()? {
            next = self.restore_frame(&frame, next, &mut reducer)?;
            suspects.extend(frame.suspects);
            // A search that fitted into memory with states on disk must fit again while it is read.
            self.relieve(cohorts);
            if shared.watch.stopped() {
                return Ok(());
            }
        }
        if shared.table.waiting() > 0 {
            self.sift(cohorts);
        }
        let operations = shared.system.signature().operations.len();
        if found.log.hash() != manifest.log_hash
            || next != manifest.states
            || suspects.iter().any(|id| *id >= next)
            || !matches!(manifest.covered.len(), n if n == 0 || n == operations)
            || !cohorts.load(&manifest.frontier, || self.frontier())
        {
            return Err(());
        }
        if planted(Flaw::LostOnResume) {
            cohorts.next(&mut Wave::default(), false);
        }
        shared
            .suspects
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .extend(suspects.into_iter().map(StateId));
        self.saved.states = next;
        self.load_late(&manifest.late)?;
        self.plan_again(manifest.points)?;
        self.depth = manifest.depth;
        self.resumed = Some(u64::from(next));
        let totals = &mut self.totals;
        (totals.transitions, totals.checks) = (manifest.transitions, manifest.checks);
        (totals.guards, totals.expanded) = (manifest.guards, manifest.expanded);
        (totals.saved, totals.guards_known) = (manifest.saved, manifest.guards_known);
        totals.covered.clone_from(&manifest.covered);
        totals.cuts = manifest.cuts.clone();
        for id in manifest.findings.clone() {
            self.find_again(StateId(u32::try_from(id).ok().filter(|id| *id < next).ok_or(())?));
        }
        Ok(())
    }

    /// Portions of the valuations of the constants: whether there are more, and how many each has.
    fn setup_portions(&self) -> Vec<u64> {
        let setups = self.shared.setups;
        let sizes = (0..).map_while(|number| setups.portion(number)).map(|p| p.len() as u64);
        std::iter::once(u64::from(setups.has_more())).chain(sizes).collect()
    }

    /// Takes the portions that a saved search had taken. What goes wrong in them is found again; their
    /// states are in the log.
    fn restore_portions(&mut self, manifest: &Manifest) -> Result<(), ()> {
        let [more, sizes @ ..] = &manifest.setups[..] else { return Err(()) };
        for (number, size) in sizes.iter().enumerate() {
            let size = usize::try_from(*size).map_err(|_| ())?;
            let has_more = number + 1 < sizes.len() || *more == 1;
            let same = match self.shared.setups.portion(number) {
                Some(known) => known.len() == size,
                None => self.supply.again(&self.shared.source(), size, has_more),
            };
            if self.shared.watch.stopped() {
                return Ok(());
            }
            if !same {
                return Err(());
            }
        }
        while self.place.portions < manifest.portions && self.has_more() {
            self.portion(true);
            if self.shared.watch.stopped() {
                return Ok(());
            }
        }
        self.visited = manifest.visited;
        if self.place.portions == manifest.portions { Ok(()) } else { Err(()) }
    }

    fn restore_frame(
        &mut self,
        frame: &Frame,
        first: u32,
        reducer: &mut Option<Box<dyn Reducer + '_>>,
    ) -> Result<u32, ()> {
        let shared = self.shared;
        let (table, rows) = (shared.table, &mut self.saved.rows);
        rows.read(&frame.values).ok_or(())?;
        let (width, count) = (table.width(), frame.parents.len());
        if frame.words.len() != width * count {
            return Err(());
        }
        let halves = shared.system.width();
        let (mut batch, mut view, mut row) = (Batch::new(1), table.view(), Vec::new());
        let (mut parents, mut roots) = (Vec::with_capacity(count), 0);
        for (i, parent) in frame.parents.iter().enumerate() {
            row.clear();
            row.extend_from_slice(&frame.words[i * width..(i + 1) * width]);
            rows.load(RowMut(&mut row[..halves])).ok_or(())?;
            if row.get(halves).is_some_and(|n| *n as usize >= shared.setups.len()) {
                return Err(());
            }
            let id = first + i as u32;
            if id < table.roots() {
                table.load(StateId(id), &mut view);
                if view.words() != row {
                    return Err(());
                }
                continue;
            }
            // A parent is older than its child; an initial state has none.
            if *parent >= id && *parent != u32::MAX {
                return Err(());
            }
            // They are settled apart from others.
            if (*parent == u32::MAX) != (roots > 0) && !batch.is_empty() {
                settle(shared, &mut batch, &mut parents, &mut roots)?;
            }
            // A reduction learns of the states as it did at first: in order.
            if let Some(reducer) = reducer {
                let setup = shared.setup(shared.at(&row).setup.number);
                if let Look::Candidate { key } =
                    reducer.look(setup.number, RowMut(&mut row[..halves]))
                {
                    shared.system.admit(key, setup, RowRef(&row[..halves]));
                }
            }
            if !table.offer(&mut batch, &mut view, &row, parents.len() as u32) {
                return Err(());
            }
            match parent {
                &u32::MAX => roots += 1,
                parent => parents.push(StateId(*parent)),
            }
        }
        settle(shared, &mut batch, &mut parents, &mut roots)?;
        Ok(first + count as u32)
    }

    /// Finds again what was found in a state.
    fn find_again(&mut self, id: StateId) {
        let shared = self.shared;
        let mut depth = 0;
        let mut next = id;
        while let Some(parent) = shared.table.parent(next) {
            (next, depth) = (parent, depth + 1);
        }
        let expand = shared.options.limits.depth.is_none_or(|limit| depth < limit);
        let mut worker = Worker::new(shared);
        // All steps that were taken then are taken again.
        let late = self.late.iter().find(|late| late.id == id);
        worker.room = late.map_or(u64::MAX, |late| late.skipped);
        {
            let known = shared.table.reader();
            let suspects = shared.suspects.read().unwrap_or_else(PoisonError::into_inner);
            let context = Context { shared, known: &known, suspects: &suspects };
            worker.visit(&context, &mut Batch::new(1), id, 0, expand);
        }
        let findings = std::mem::take(&mut worker.output.findings);
        self.take_findings(findings);
    }
}

/// Settles states from the log, which are initial ones or have these parents.
fn settle<S: TransitionSystem>(
    shared: &Shared<'_, S>,
    batch: &mut Batch,
    parents: &mut Vec<StateId>,
    roots: &mut usize,
) -> Result<(), ()> {
    let wave = if *roots > 0 { None } else { Some(parents.as_slice()) };
    let fresh = shared.table.alone().settle(batch, wave).ok_or(())?;
    // Each state was new: the numbers are the ones that were saved.
    let same = fresh.len() == parents.len() + *roots;
    parents.clear();
    *roots = 0;
    if same { Ok(()) } else { Err(()) }
}
