//! Saving a search between two waves, and going on with a saved one.

use crate::checkpoint::{Found, Frame, Manifest};
use crate::frontier::Frontier;
use crate::reduce::{Look, Reducer};
use crate::search::Search;
use crate::worker::{Desk, Worker};
use beeline_fault::{Flaw, planted};
use beeline_table::{Batch, StateId};
use beeline_value::{Incoming, Outgoing, Val};
use std::sync::PoisonError;
use std::time::Instant;

/// States of one frame of the log: little memory, and few frames.
const FRAME: u32 = 1 << 15;

/// How much is on disk already, and what waits for it.
#[derive(Default)]
pub(crate) struct Saved {
    values: Outgoing,
    /// States below this number are in the log.
    states: u32,
    /// Suspects that are not.
    pub suspects: Vec<u32>,
}

impl Search<'_> {
    /// Opens the checkpoint, if one is wanted, and goes on with what it holds.
    pub fn begin_saving(&mut self, frontier: &mut Box<dyn Frontier>) -> Result<(), String> {
        let Some(checkpoint) = &self.shared.options.checkpoint else { return Ok(()) };
        if self.shared.table.is_compact() {
            return Err("with hash compaction there are no states to save".to_owned());
        }
        if self.is_anew {
            // What was saved is of a search that does not count, or of another layout.
            checkpoint.clear()?;
        }
        let found = checkpoint.find()?;
        let after = found.as_ref().map(|f| (f.manifest.log_bytes, f.manifest.log_hash));
        if let Some(found) = found {
            self.restore(found, frontier).map_err(|()| {
                format!("{}: the checkpoint is damaged", checkpoint.folder.display())
            })?;
        }
        self.saver = Some(checkpoint.saver(after)?);
        // For the search after this one, should there be one.
        self.is_anew = true;
        Ok(())
    }

    /// Saves what is new since the last time. A failure is told, and the search goes on.
    pub fn save(&mut self, frontier: &mut dyn Frontier) {
        let clock = Instant::now();
        if self.shared.table.waiting() > 0 {
            self.sift(frontier);
        }
        if let Err(words) = self.try_save(frontier) {
            self.troubles.push(format!("no checkpoint could be written: {words}"));
            // What is on disk stays as it was; half a log must not grow.
            self.saver = None;
        }
        self.stats.writing += clock.elapsed();
    }

    fn try_save(&mut self, frontier: &dyn Frontier) -> Result<(), String> {
        let table = self.shared.table;
        let end = table.len() as u32;
        let Some(mut saver) = self.saver.take() else { return Ok(()) };
        while self.saved.states < end || !self.saved.suspects.is_empty() {
            let frame = self.frame(end);
            saver.log.write(&frame).map_err(|e| e.to_string())?;
        }
        let totals = &self.totals;
        saver.commit(&mut Manifest {
            identity: self.shared.options.checkpoint.as_ref().map_or(0, |c| c.identity),
            layout: self.shared.engine.layout_number(),
            widened: self.widened.iter().map(|n| u64::from(*n)).collect(),
            states: end,
            roots: table.roots(),
            depth: self.depth,
            transitions: totals.transitions,
            checks: totals.checks,
            saved: totals.saved,
            guards: totals.guards,
            expanded: totals.expanded,
            covered: totals.covered.clone(),
            frontier: frontier.save(),
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
        let store = shared.system.store();
        let known = shared.table.reader();
        let mut view = shared.table.view();
        let width = shared.engine.width();
        let mut frame = Frame { suspects: std::mem::take(&mut saved.suspects), ..Frame::default() };
        let stop = end.min(saved.states.saturating_add(FRAME));
        for id in (saved.states..stop).map(StateId) {
            known.open(id, &mut view);
            let first = frame.words.len();
            frame.words.extend_from_slice(view.words());
            let Frame { words, values, .. } = &mut frame;
            let by_content =
                |word| Some(saved.values.word(store, Val::from_raw(word), &mut *values));
            // Always something: rows are as long as the layout says.
            let _ = shared.engine.renumber(&mut words[first..first + width], by_content);
            frame.parents.push(known.parent(id).map_or(u32::MAX, |p| p.0));
        }
        saved.states = stop;
        frame
    }

    /// Goes on with a saved search. Initial states are there already, computed anew.
    fn restore(&mut self, mut found: Found, frontier: &mut Box<dyn Frontier>) -> Result<(), ()> {
        let shared = self.shared;
        let manifest = &found.manifest;
        if manifest.roots != shared.table.roots()
            || manifest.layout != shared.engine.layout_number()
        {
            return Err(());
        }
        let mut values = Incoming::default();
        let mut reducer = shared.reduction.map(|r| r.reducer());
        let mut suspects = Vec::new();
        let mut next = 0;
        while let Some(frame) = found.log.next()? {
            next = self.restore_frame(&frame, next, &mut values, &mut reducer)?;
            suspects.extend(frame.suspects);
            self.relieve(frontier);
            if shared.watch.stopped() {
                return Ok(());
            }
        }
        if shared.table.waiting() > 0 {
            self.sift(&mut **frontier);
        }
        if found.log.hash() != manifest.log_hash
            || next != manifest.states
            || !frontier.load(match planted(Flaw::LostOnResume) {
                true => &manifest.frontier[..manifest.frontier.len().saturating_sub(1)],
                false => &manifest.frontier,
            })
        {
            return Err(());
        }
        shared
            .suspects
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .extend(suspects.into_iter().map(StateId));
        self.saved = Saved { values: values.outgoing(), states: next, suspects: Vec::new() };
        self.depth = manifest.depth;
        self.resumed = Some(u64::from(next));
        let totals = &mut self.totals;
        (totals.transitions, totals.checks) = (manifest.transitions, manifest.checks);
        (totals.guards, totals.expanded) = (manifest.guards, manifest.expanded);
        totals.saved = manifest.saved;
        totals.covered.clone_from(&manifest.covered);
        totals.cuts = manifest.cuts.clone();
        for id in manifest.findings.clone() {
            self.find_again(StateId(u32::try_from(id).ok().filter(|id| *id < next).ok_or(())?));
        }
        Ok(())
    }

    fn restore_frame(
        &mut self,
        frame: &Frame,
        first: u32,
        values: &mut Incoming,
        reducer: &mut Option<Box<dyn Reducer + '_>>,
    ) -> Result<u32, ()> {
        let shared = self.shared;
        let (table, store) = (shared.table, shared.system.store());
        values.read(store, &frame.values).map_err(|_| ())?;
        let (width, count) = (table.width(), frame.parents.len());
        if frame.words.len() != width * count {
            return Err(());
        }
        let halves = shared.engine.width();
        let (mut batch, mut view, mut row) = (Batch::new(1), table.view(), Vec::new());
        let mut parents = Vec::with_capacity(count);
        for (i, parent) in frame.parents.iter().enumerate() {
            row.clear();
            row.extend_from_slice(&frame.words[i * width..(i + 1) * width]);
            let here = |word| values.value(word).ok().map(Val::raw);
            shared.engine.renumber(&mut row[..halves], here).ok_or(())?;
            if row.get(halves).is_some_and(|n| *n as usize >= shared.setups.len()) {
                return Err(());
            }
            let id = first + i as u32;
            if id < table.roots() {
                table.open(StateId(id), &mut view);
                if view.words() != row {
                    return Err(());
                }
                continue;
            }
            // A parent is older than its child.
            if *parent >= id {
                return Err(());
            }
            // A reduction learns of the states as it did at first: in order.
            if let (Some(reducer), Some(reduction)) = (&mut *reducer, shared.reduction) {
                let setup = shared.setup(&row);
                if let Look::Candidate { key } = reducer.look(setup, &mut row[..halves]) {
                    reduction.admit(key, setup, &row[..halves]);
                }
            }
            if !table.offer(&mut batch, &mut view, &row, parents.len() as u32) {
                return Err(());
            }
            parents.push(StateId(*parent));
        }
        let fresh = table.alone().settle(&mut batch, Some(&parents)).ok_or(())?;
        // Each state was new: the numbers are the ones that were saved.
        if fresh.len() != parents.len() { Err(()) } else { Ok(first + count as u32) }
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
        {
            let known = shared.table.reader();
            let suspects = shared.suspects.read().unwrap_or_else(PoisonError::into_inner);
            let desk = Desk { shared, known: &known, suspects: &suspects };
            worker.visit(&desk, &mut Batch::new(1), id, 0, expand);
        }
        let findings = std::mem::take(&mut worker.output.findings);
        self.take_findings(findings);
    }
}
