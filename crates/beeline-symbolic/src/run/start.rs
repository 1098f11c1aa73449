//! The initial states of a valuation, and what goes wrong on the way to them.

use super::Run;
use crate::diagram::bits::{Bits, set_bit};
use crate::diagram::{Halt, Set};
use crate::space::Space;
use beeline_explore::{Finding, FindingKind};
use beeline_source::Span;
use beeline_transition::{CutReason, Flow, SetupIndex, TransitionSystem};
use num_bigint::BigUint;

/// Initial states that are put into a diagram at once.
const BATCH: usize = 1 << 16;

/// The initial states of a valuation.
#[derive(Default)]
pub(super) struct Start {
    /// How many.
    pub count: BigUint,
    answer: beeline_transition::Answer,
    whole: bool,
}

impl Start {
    /// Finds them.
    pub fn find<S: TransitionSystem>(&mut self, space: &mut Space<'_, S>) -> Result<Set, Halt> {
        let positions: Vec<u32> = (0..space.layout.len() as u32).collect();
        let words = positions.len().div_ceil(64);
        let (system, setup) = (space.engine.system, space.engine.setup);
        let (mut rows, mut template) = (Vec::<Bits>::new(), None);
        let (mut set, mut halt) = (Set::EMPTY, None);
        let mut scratch = system.scratch();
        let Space { engine, diagrams, layout, levels, .. } = space;
        let answer = system.initial(setup, &mut scratch, &mut |row| {
            let mut bits = vec![0; words];
            for position in &positions {
                if layout.get(row, *position) {
                    set_bit(&mut bits, *position as usize);
                }
            }
            template.get_or_insert_with(|| row.owned());
            rows.push(bits.into());
            if rows.len() >= BATCH {
                let batch = diagrams.listed(levels, std::mem::take(&mut rows));
                match batch.and_then(|batch| diagrams.union(set, batch)) {
                    Ok(all) => set = all,
                    Err(why) => halt = Some(why),
                }
            }
            if halt.is_some() || (engine.stopped)() { Flow::Enough } else { Flow::More }
        });
        engine.template = template.unwrap_or_default();
        self.whole = answer.complete();
        self.answer = answer;
        if let Some(halt) = halt {
            return Err(halt);
        }
        let rest = diagrams.listed(levels, rows)?;
        let set = diagrams.union(set, rest)?;
        self.count = diagrams.count(set, levels);
        Ok(set)
    }

    /// Tells what went wrong.
    pub fn faults<S: TransitionSystem>(&mut self, number: SetupIndex, run: &mut Run<'_, S>) {
        for cut in &self.answer.cuts {
            run.cuts.add(cut);
        }
        if !self.whole {
            let words = "not all initial states were found";
            run.cuts.note(CutReason::InitialStates, Span::NONE, words, 1);
        }
        let faults = std::mem::take(&mut self.answer.faults);
        if self.whole && self.count == BigUint::ZERO && faults.is_empty() {
            let path = run.root(number);
            run.keep(0, Finding { kind: FindingKind::NoInitialState, path });
        }
        for fault in faults {
            let kind = FindingKind::Initialisation(Box::new(fault));
            run.keep(0, Finding { kind, path: run.root(number) });
        }
    }
}
