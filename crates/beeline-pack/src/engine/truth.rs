//! The truth of checks in a row.

use super::{Engine, Memory};
use beeline_compile::{Cut, CutReason, PredId, Truth};
use beeline_ir::Outcome;
use beeline_source::Span;
use std::time::Instant;

impl Engine<'_> {
    /// The truth of several predicates in one row.
    pub fn holds_each(
        &self,
        preds: &[PredId],
        setup: usize,
        row: &[u32],
        memory: &mut Memory,
        sink: &mut dyn FnMut(usize, Truth),
    ) {
        let program = self.programs.get(setup).or_else(|| self.code(setup));
        let mut opened = false;
        for (i, pred) in preds.iter().enumerate() {
            if self.is_interrupted() {
                let words = "stopped from outside".to_owned();
                let cut = Cut { reason: CutReason::Interrupted, span: Span::NONE, words };
                sink(i, Truth::Unknown(Box::new(cut)));
                continue;
            }
            if let Some(routine) = program.and_then(|p| p.preds.get(pred)) {
                let Memory { machine, out, .. } = memory;
                let run = || routine.run(row, machine, self.compiler, out);
                match routine.constant().unwrap_or_else(run) {
                    Outcome::True => {
                        sink(i, Truth::True);
                        continue;
                    }
                    Outcome::False => {
                        sink(i, Truth::False);
                        continue;
                    }
                    Outcome::Unusual => {}
                }
            }
            if !opened {
                self.open(row, memory);
                opened = true;
            }
            let Memory { scratch, state, later, pays, .. } = memory;
            let one = std::slice::from_ref(pred);
            let (system, constants) = (self.system, self.setups.get(setup));
            let mut told = |_: usize, truth| sink(i, truth);
            if later.is_empty() {
                system.holds_each(one, constants, state, scratch, &mut told);
                continue;
            }
            let pays = pays.entry(*pred).or_default();
            let (other, clock) = (pays.is_other(), pays.is_timed().then(Instant::now));
            let later: &[u32] = if other { later } else { &[] };
            system.holds_each_up_to(one, constants, state, scratch, later, &mut told);
            if let Some(clock) = clock {
                pays.took(other, clock.elapsed());
            }
        }
    }

    /// From now on checks are about states in which these elements (sorted words) can be swapped
    /// with one before them, and nothing changes.
    pub fn set_later(&self, memory: &mut Memory, later: &[u32]) {
        memory.later.clear();
        memory.later.extend_from_slice(later);
    }

    /// How many candidates of quantifiers were left out for that, since somebody asked.
    pub fn take_left_out(&self, memory: &mut Memory) -> u64 {
        memory.scratch.take_left_out()
    }
}
