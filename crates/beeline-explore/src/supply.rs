//! Valuations of the constants, portion by portion.
//!
//! There may be millions. The search begins with the first ones and asks for more when it has done
//! something about those it has. To find more, they are enumerated from the beginning, and those that
//! are known are passed over: portions grow so fast that this costs a third of the work at most, and
//! nothing has to be kept between two portions. Where a portion ends depends on counts of steps, never
//! on time: results are the same on every machine.

use crate::cuts::Cuts;
use crate::options::Options;
use crate::watch::Watch;
use beeline_fault::{Flaw, planted};
use beeline_source::Span;
use beeline_transition::{CutReason, Fault, Flow, Setups, TransitionSystem};

/// All portions together are so many times as large as those before.
pub(crate) const GROWTH: u64 = 4;
/// Steps after the first valuation of the first portion; later ones get more.
const PATIENCE: u64 = 200_000_000;

/// What valuations come from, and go to.
pub struct Source<'a, S> {
    /// Where they come from.
    pub system: &'a S,
    /// Limits, and how many are taken at first.
    pub options: &'a Options,
    /// When to stop.
    pub watch: &'a Watch,
    /// Where they go.
    pub setups: &'a Setups,
}

/// How far valuations were taken.
pub struct Supply {
    /// How many were looked at.
    passed: u64,
    patience: u64,
    /// What the last look came to; only the last one saw everything.
    cuts: Cuts,
    /// What went wrong in the properties.
    pub faults: Vec<Fault>,
}

impl Default for Supply {
    fn default() -> Supply {
        Supply::new()
    }
}

impl Supply {
    /// Nothing was taken yet.
    pub fn new() -> Supply {
        Supply { passed: 0, patience: PATIENCE, cuts: Cuts::default(), faults: Vec::new() }
    }

    /// Adds the next portion.
    pub fn more<S: TransitionSystem>(&mut self, source: &Source<'_, S>) {
        let reduces = source.system.reduces();
        // A reduction wants to know all of them before it begins.
        let most = match source.setups.len() as u64 {
            // It compares them with each other: a representative must not come after what it
            // stands for.
            _ if reduces => u64::MAX,
            // Most models have fewer: for them nothing is ever late.
            0 => source.options.first.setups.max(1),
            count => count * (GROWTH - 1),
        };
        let patience = if reduces { u64::MAX } else { self.patience };
        self.take(source, most, patience, false);
    }

    /// Adds a portion of exactly so many, as an earlier search had it, which knew of more or had seen
    /// the last one. Were there so many?
    pub fn again<S: TransitionSystem>(
        &mut self,
        source: &Source<'_, S>,
        count: usize,
        more: bool,
    ) -> bool {
        let before = source.setups.len();
        self.take(source, count as u64, u64::MAX, more);
        source.setups.len() - before == count && source.setups.has_more() == more
    }

    /// Adds so many, or as many as there are. It ends with the last of them, or where it can say
    /// whether there are more.
    fn take<S: TransitionSystem>(
        &mut self,
        source: &Source<'_, S>,
        most: u64,
        patience: u64,
        at_once: bool,
    ) {
        let Source { system, options, watch, setups } = *source;
        // Numbers of valuations are halves of a row.
        let limit = options.limits.states.unwrap_or(u64::MAX).min(u64::from(u32::MAX));
        let known = setups.len() as u64;
        let (mut count, mut words, mut full) = (0u64, Vec::new(), false);
        let (mut scratch, before) = (system.scratch(), self.passed);
        let passed = &mut self.passed;
        let (answer, given_up) = system.setups(before, patience, &mut scratch, &mut |constants| {
            if known + count >= limit {
                watch.halt(CutReason::States);
                return Flow::Enough;
            }
            if count >= most {
                full = true;
                return Flow::Enough;
            }
            *passed += 1;
            if planted(Flaw::LostPortion) && before > 0 && *passed == before + 1 {
                return Flow::More;
            }
            let dropped = planted(Flaw::SetupsDropped) && system.reduces() && known + count > 0;
            if !dropped && system.admit_setup(constants) {
                count += 1;
                words.extend_from_slice(constants.words());
            }
            full = at_once && count >= most;
            if full || watch.stopped() { Flow::Enough } else { Flow::More }
        });
        let added = setups.add(count as usize, words);
        self.patience = self.patience.saturating_mul(GROWTH);
        // Replaced, not added: each look begins from the first valuation, and meets the same faults again.
        self.faults.clone_from(&answer.faults);
        self.cuts = Cuts::default();
        answer.cuts.iter().for_each(|cut| self.cuts.add(cut));
        // More portions than there can be room for: what is left is a cut.
        setups.set_more((full || given_up) && added);
        if !(setups.has_more() || answer.complete() && added) {
            self.note_rest();
        }
    }

    fn note_rest(&mut self) {
        let words = "not all valuations of the constants were found";
        self.cuts.note(CutReason::Constants, Span::NONE, words, 1);
    }

    /// What was left out. `unknown`: there are more, and nobody will look at them.
    pub fn cuts(&mut self, unknown: bool) -> Cuts {
        if unknown {
            self.note_rest();
        }
        self.cuts.clone()
    }
}
