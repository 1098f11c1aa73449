//! What the explicit engine says of parts of states: steps of operations, truth of predicates.
//!
//! What an operation does depends on the bits that it looks at alone, so each pattern of these is evaluated
//! once, in a row whose other bits come from any state. A pattern is evaluated when it is met, and what it comes to
//! becomes a part of a relation or of a set. It does not know which states are reachable.

mod predicate;

pub use predicate::Predicate;

use crate::diagram::bits::{Bits, set_bit};
use crate::diagram::{Diagrams, Halt, Relation, Set, Touch};
use crate::layout::Layout;
use beeline_explore::FindingKind;
use beeline_transition::{
    At, CutReason, Fault, Flow, OperationIndex, Row, RowRef, Setup, TransitionSystem,
};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// Steps are put into the relation when there are so many.
const BATCH: usize = 1 << 16;

/// Some bits of a state that somebody looks at.
pub struct Part {
    /// Their positions, sorted.
    pub positions: Vec<u32>,
    /// Their levels.
    pub levels: Vec<u32>,
    /// Whether a level is among them.
    kept: Vec<bool>,
    number: u64,
}

impl Part {
    /// These positions; the number tells parts apart.
    pub fn new(positions: Vec<u32>, number: u64) -> Part {
        let levels: Vec<u32> = positions.iter().map(|p| 2 * p).collect();
        let mut kept = vec![false; levels.last().map_or(0, |l| *l as usize + 1)];
        levels.iter().for_each(|l| kept[*l as usize] = true);
        Part { positions, levels, kept, number }
    }

    /// What states of a set look like there.
    pub fn of(&self, set: Set, diagrams: &mut Diagrams) -> Result<Set, Halt> {
        if set.is_empty() {
            return Ok(set);
        }
        diagrams.projection(set, self.number, &self.kept)
    }
}

/// Who evaluates, and where.
pub struct Engine<'a, S: TransitionSystem> {
    /// The engine.
    pub system: &'a S,
    /// The constants.
    pub setup: Setup<'a>,
    /// Its space.
    pub scratch: S::Scratch,
    /// Any state: its bits fill up what a part leaves open.
    pub template: Row,
    /// Patterns that no state has are evaluated as well: there a value may be outside its layout.
    pub forgiving: bool,
    /// Evaluations so far.
    pub evaluated: u64,
    /// Somebody wants an end.
    pub stopped: &'a dyn Fn() -> bool,
}

impl<S: TransitionSystem> Engine<'_, S> {
    /// Was the last evaluation for nothing?
    fn is_void(&self) -> bool {
        (self.stopped)() || self.system.overflowed().is_some()
    }
}

/// Something that was found in some patterns of a part.
pub struct Wrong {
    /// What.
    pub kind: FindingKind,
    /// Where.
    pub set: Set,
}

/// Adds patterns to what is wrong, or begins a new kind.
fn add_wrong(all: &mut Vec<(FindingKind, Vec<Bits>)>, kind: FindingKind, at: &[u64]) {
    match all.iter_mut().find(|(known, _)| known.key() == kind.key()) {
        Some((_, list)) => list.push(at.into()),
        None => all.push((kind, vec![at.into()])),
    }
}

fn take_wrong(
    known: &mut Vec<Wrong>,
    found: Vec<(FindingKind, Vec<Bits>)>,
    levels: &[u32],
    diagrams: &mut Diagrams,
) -> Result<(), Halt> {
    for (kind, list) in found {
        let set = diagrams.listed(levels, list)?;
        match known.iter_mut().find(|w| w.kind.key() == kind.key()) {
            Some(wrong) => wrong.set = diagrams.union(wrong.set, set)?,
            None => known.push(Wrong { kind, set }),
        }
    }
    Ok(())
}

/// Something that was left out, for whoever tells of it.
pub type Left = Vec<(CutReason, beeline_source::Span, String)>;

/// An operation as far as it is known.
pub struct Operation {
    /// Which one.
    pub index: OperationIndex,
    /// What it looks at.
    pub looks: Part,
    /// The positions that it may change, sorted.
    changes: Vec<u32>,
    /// Levels of a step, sorted: before where it looks, after where it changes.
    levels: Vec<u32>,
    /// For each of these: the position, and whether it is after.
    sides: Vec<(u32, bool)>,
    /// Its steps.
    pub relation: Relation,
    /// Patterns that are known.
    pub known: Set,
    /// All patterns that can be states are.
    pub whole: bool,
    /// Those of them in which it is possible, fails, or was not evaluated to its end: no deadlock there.
    pub alive: Set,
    /// By number of steps: where it has so many.
    pub counts: BTreeMap<u64, Set>,
    /// Where a step leaves the layout: only where patterns that no state has are evaluated.
    pub outside: Set,
    /// Where something was left out.
    pub unsure: Set,
    /// What goes wrong.
    pub wrong: Vec<Wrong>,
    /// What was left out.
    pub left: Left,
}

/// What a batch of evaluations came to.
#[derive(Default)]
struct Batch {
    steps: Vec<Bits>,
    known: Vec<Bits>,
    alive: Vec<Bits>,
    counts: BTreeMap<u64, Vec<Bits>>,
    outside: Vec<Bits>,
    unsure: Vec<Bits>,
    wrong: Vec<(FindingKind, Vec<Bits>)>,
}

impl Operation {
    /// One of which nothing is known yet.
    pub fn new(
        index: OperationIndex,
        (looks, changes): (Vec<u32>, Vec<u32>),
        bits: usize,
    ) -> Operation {
        let number = index.0 as u64;
        let mut touches = vec![Touch::Leaves; bits];
        looks.iter().for_each(|p| touches[*p as usize] = Touch::Reads);
        changes.iter().for_each(|p| touches[*p as usize] = Touch::Writes);
        let before = looks.iter().map(|p| (2 * p, (*p, false)));
        let after = changes.iter().map(|p| (2 * p + 1, (*p, true)));
        let all: BTreeMap<u32, (u32, bool)> = before.chain(after).collect();
        Operation {
            index,
            looks: Part::new(looks, number),
            changes,
            levels: all.keys().copied().collect(),
            sides: all.values().copied().collect(),
            relation: Relation::new(number, touches),
            known: Set::EMPTY,
            whole: false,
            alive: Set::EMPTY,
            counts: BTreeMap::new(),
            outside: Set::EMPTY,
            unsure: Set::EMPTY,
            wrong: Vec::new(),
            left: Vec::new(),
        }
    }

    /// The positions that it may change, sorted.
    pub fn changes(&self) -> &[u32] {
        &self.changes
    }

    /// Levels of a step, sorted.
    pub fn levels(&self) -> &[u32] {
        &self.levels
    }

    /// All sets that it holds.
    pub fn sets(&self) -> impl Iterator<Item = Set> {
        let wrong = self.wrong.iter().map(|w| w.set);
        let own = [self.relation.steps, self.known, self.alive, self.outside, self.unsure];
        own.into_iter().chain(self.counts.values().copied()).chain(wrong)
    }

    /// Evaluates the patterns of a set; with `chase` also those that its own steps lead to. How many were
    /// evaluated?
    pub fn learn<S: TransitionSystem>(
        &mut self,
        fresh: Set,
        chase: bool,
        engine: &mut Engine<'_, S>,
        (layout, diagrams): (&Layout, &mut Diagrams),
    ) -> Result<u64, Halt> {
        let mut waiting: Vec<Bits> = Vec::new();
        let _ = diagrams.each(fresh, &self.looks.levels, &mut |bits| {
            waiting.push(bits.into());
            // A list of all of them might not fit memory; the rest is found next time.
            match waiting.len() < BATCH && !(engine.stopped)() {
                true => std::ops::ControlFlow::Continue(()),
                false => std::ops::ControlFlow::Break(()),
            }
        });
        let (mut met, mut batch, mut count) = (FxHashSet::default(), Batch::default(), 0);
        if chase {
            met.extend(waiting.iter().cloned());
        }
        while let Some(pattern) = waiting.pop() {
            let next = chase.then_some((&mut met, &mut waiting));
            self.evaluate(&pattern, &mut batch, next, engine, (layout, &*diagrams));
            if engine.is_void() {
                return Err(Halt::Stopped);
            }
            count += 1;
            if batch.steps.len() + batch.known.len() >= BATCH {
                self.take(std::mem::take(&mut batch), diagrams)?;
            }
        }
        self.take(batch, diagrams)?;
        Ok(count)
    }

    fn evaluate<S: TransitionSystem>(
        &mut self,
        pattern: &Bits,
        batch: &mut Batch,
        mut next: Option<(&mut FxHashSet<Bits>, &mut Vec<Bits>)>,
        engine: &mut Engine<'_, S>,
        (layout, diagrams): (&Layout, &Diagrams),
    ) {
        let mut row = engine.template.clone();
        layout.put_all(&mut row.0, &self.looks.positions, pattern);
        let at = At { setup: engine.setup, row: row.view() };
        let (mut steps, mut foreign) = (0u64, false);
        let before = batch.steps.len();
        let this = &*self;
        let answer = engine.system.successors_of(this.index, at, &mut engine.scratch, &mut |to| {
            steps += 1;
            foreign |= !this.leaves_the_rest(row.view(), to, layout);
            batch.steps.push(this.step(row.view(), to, layout));
            if let Some((met, waiting)) = &mut next {
                let target = pattern_of(to, &this.looks.positions, layout);
                if !diagrams.has(this.known, &this.looks.levels, &target)
                    && met.insert(target.clone())
                {
                    waiting.push(target);
                }
            }
            if (engine.stopped)() { Flow::Enough } else { Flow::More }
        });
        engine.evaluated += 1;
        if engine.forgiving && engine.system.overflowed().is_some() {
            // The rest of its steps is not known: whoever gets here is told, and nothing else counts.
            engine.system.forgive();
            batch.steps.truncate(before);
            batch.known.push(pattern.clone());
            batch.alive.push(pattern.clone());
            batch.outside.push(pattern.clone());
            return;
        }
        if foreign {
            let words = "an operation changes more than it says".to_owned();
            self.left.push((CutReason::Unsupported, beeline_source::Span::NONE, words));
        }
        if foreign || !answer.complete() || !answer.cuts.is_empty() {
            batch.unsure.push(pattern.clone());
        }
        batch.known.push(pattern.clone());
        if steps > 0 {
            batch.counts.entry(steps).or_default().push(pattern.clone());
        }
        if steps > 0 || !answer.complete() || !answer.faults.is_empty() {
            batch.alive.push(pattern.clone());
        }
        for cut in answer.cuts {
            self.left.push((cut.reason, cut.span, cut.words));
        }
        for fault in answer.faults {
            let fault = Fault { operation: Some(self.index), ..fault };
            add_wrong(&mut batch.wrong, FindingKind::Operation(Box::new(fault)), pattern);
        }
    }

    /// Are all bits that it does not change as they were?
    fn leaves_the_rest(&self, from: RowRef<'_>, to: RowRef<'_>, layout: &Layout) -> bool {
        let mut back = to.owned();
        for position in &self.changes {
            layout.put(&mut back.0, *position, layout.get(from, *position));
        }
        back.view().words() == from.words()
    }

    fn step(&self, from: RowRef<'_>, to: RowRef<'_>, layout: &Layout) -> Bits {
        let mut bits = vec![0; self.sides.len().div_ceil(64)];
        for (place, (position, after)) in self.sides.iter().enumerate() {
            if layout.get(if *after { to } else { from }, *position) {
                set_bit(&mut bits, place);
            }
        }
        bits.into()
    }

    fn take(&mut self, batch: Batch, diagrams: &mut Diagrams) -> Result<(), Halt> {
        let levels = &self.looks.levels;
        let steps = diagrams.listed(&self.levels, batch.steps)?;
        self.relation.steps = diagrams.union(self.relation.steps, steps)?;
        let alive = diagrams.listed(levels, batch.alive)?;
        self.alive = diagrams.union(self.alive, alive)?;
        let outside = diagrams.listed(levels, batch.outside)?;
        self.outside = diagrams.union(self.outside, outside)?;
        let unsure = diagrams.listed(levels, batch.unsure)?;
        self.unsure = diagrams.union(self.unsure, unsure)?;
        for (count, list) in batch.counts {
            let set = diagrams.listed(levels, list)?;
            let own = self.counts.entry(count).or_insert(Set::EMPTY);
            *own = diagrams.union(*own, set)?;
        }
        take_wrong(&mut self.wrong, batch.wrong, levels, diagrams)?;
        // Last: where there was no room, nothing is known of these, and they are evaluated again.
        let known = diagrams.listed(levels, batch.known)?;
        self.known = diagrams.union(self.known, known)?;
        Ok(())
    }
}

fn pattern_of(row: RowRef<'_>, positions: &[u32], layout: &Layout) -> Bits {
    let mut bits = vec![0; positions.len().div_ceil(64)];
    for (place, position) in positions.iter().enumerate() {
        if layout.get(row, *position) {
            set_bit(&mut bits, place);
        }
    }
    bits.into()
}
