//! The truth of checks in a row.

use super::{PackedScratch, PackedSystem};
use beeline_ir::Outcome;
use beeline_source::Span;
use beeline_transition::{At, Cut, CutReason, PredId, Truth};
use std::time::Instant;

impl PackedSystem<'_> {
    /// The truth of several predicates in one row.
    pub(super) fn truths(
        &self,
        preds: &[PredId],
        at: At<'_>,
        scratch: &mut PackedScratch,
        sink: &mut dyn FnMut(usize, Truth),
    ) {
        let setup = at.setup.number;
        // The first programs have the checks; those of later plans have operations only, unless
        // they were made on the way.
        let program = self.programs.get(setup).or_else(|| self.code(setup));
        let mut unpacked = false;
        for (i, pred) in preds.iter().enumerate() {
            if self.is_interrupted() {
                let words = "stopped from outside".to_owned();
                let cut = Cut { reason: CutReason::Interrupted, span: Span::NONE, words };
                sink(i, Truth::Unknown(Box::new(cut)));
                continue;
            }
            if let Some(routine) = program.and_then(|p| p.preds.get(pred)) {
                let PackedScratch { interpreter, out, .. } = scratch;
                let run = || routine.run(at.row, interpreter, self.compiler, out);
                match routine.constant().unwrap_or_else(run) {
                    Outcome::True => {
                        sink(i, Truth::True);
                        continue;
                    }
                    Outcome::False => {
                        sink(i, Truth::False);
                        continue;
                    }
                    // The code is not sure: the general engine is asked, for this row only.
                    Outcome::Unusual => {}
                }
            }
            // Only when the first check needs it: most rows are checked by code alone.
            if !unpacked {
                self.unpack_into(at.row, scratch);
                unpacked = true;
            }
            let PackedScratch { general, state, later, pays, .. } = scratch;
            let state = state.view();
            let one = std::slice::from_ref(pred);
            let (system, constants) = (self.system, at.constants());
            let mut told = |_: usize, truth| sink(i, truth);
            if later.is_empty() {
                system.holds_each(one, constants, state, general, &mut told);
                continue;
            }
            let pays = pays.entry(*pred).or_default();
            // Leaving elements out has a price of its own: both ways are timed, and the faster one
            // is kept. Truths are the same.
            let (other, clock) =
                (self.early || pays.is_other(), pays.is_timed().then(Instant::now));
            let later: &[u32] = if other { later } else { &[] };
            system.holds_each_up_to(one, constants, state, general, later, &mut told);
            if let Some(clock) = clock {
                pays.took(other, clock.elapsed());
            }
        }
    }
}
