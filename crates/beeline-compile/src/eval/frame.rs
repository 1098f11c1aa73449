//! What a running evaluation holds: a flat frame of slots, a step budget, a bounded memo table.

use crate::answer::{Cut, CutReason, Fault, Stop};
use crate::breaking::Breaking;
use crate::settings::Settings;
use beeline_model::TypeTable;
use beeline_source::Span;
use beeline_value::{Store, Val};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

mod code;
mod memo;

pub(crate) use code::{Aim, Code, Demand, FreeInfo, Recursion, Shape, Sink, Solutions};
pub(crate) use memo::Memo;

/// A compiled expression.
pub(crate) type E = Box<dyn for<'s> Fn(&mut Frame<'s>) -> Result<Val, Stop> + Send + Sync>;
/// A compiled predicate.
pub(crate) type P = Box<dyn for<'s> Fn(&mut Frame<'s>) -> Result<bool, Stop> + Send + Sync>;

/// What all evaluations of one system share.
pub(crate) struct Runtime {
    pub store: Arc<Store>,
    pub types: TypeTable,
    /// The value of each given set.
    pub sets: Vec<Val>,
    /// Names of the elements of each given set.
    pub names: Vec<Vec<String>>,
    pub free_types: Vec<FreeInfo>,
    pub settings: Settings,
    /// The slot of the first constant.
    pub first_constant: usize,
    /// The place in the state of each variable's slot.
    pub positions: Vec<Option<u32>>,
    /// What comprehensions and lambdas that stay symbolic mean.
    pub codes: Vec<Code>,
    /// Definitions of recursive constants.
    pub recursions: Vec<Recursion>,
    /// Which valuations of the constants stand for others.
    pub breaking: Breaking,
    /// The last number of a remembered query.
    pub next_query: AtomicU32,
    /// Somebody wants every evaluation to end soon.
    pub interrupt: Arc<AtomicBool>,
    /// Bytes that the process may hold; who takes much at once asks first.
    pub memory: AtomicU64,
}

/// One evaluation in progress.
pub(crate) struct Frame<'s> {
    pub rt: &'s Runtime,
    pub store: &'s Store,
    /// Variables, constants, locals.
    pub slots: Vec<Val>,
    /// Steps left.
    pub steps: u64,
    /// Enumerations that were partial and went on.
    pub cuts: Vec<Cut>,
    /// Faults of candidates, after which the enumeration went on.
    pub faults: Vec<Fault>,
    /// Assignments that are not yet visible.
    pub log: Vec<(u32, Val)>,
    pub memo: Memo,
    /// Depth of applications of symbolic functions.
    pub depth: u32,
    /// What the next search is to beat.
    pub aim: Option<Aim>,
    /// Elements that are interchangeable in this state with one that comes before them, in order:
    /// what closed quantifiers say of that one they say of these.
    pub later: Vec<u32>,
    /// How many candidates were left out for that.
    pub left_out: u64,
}

impl<'s> Frame<'s> {
    /// Pays for one step.
    #[inline]
    pub fn tick(&mut self, span: Span) -> Result<(), Stop> {
        self.pay(1, span)
    }

    /// Pays for several steps.
    #[inline]
    pub fn pay(&mut self, cost: u64, span: Span) -> Result<(), Stop> {
        // Counted down, so that one comparison tells both that it is paid and that it is not.
        match self.steps.checked_sub(cost) {
            Some(left) => {
                // Asked every 1024 steps: often enough for people, seldom enough to cost nothing.
                let ask = (left ^ self.steps) >> 10 != 0;
                self.steps = left;
                if ask && self.rt.interrupt.load(Ordering::Relaxed) {
                    return Err(Stop::cut(CutReason::Interrupted, span, "stopped from outside"));
                }
                Ok(())
            }
            None => Err(Stop::cut(
                CutReason::EvaluationSteps,
                span,
                format!("more than {} steps in one evaluation", self.rt.settings.steps),
            )),
        }
    }

    /// Notes that an enumeration was partial.
    pub fn note_cut(&mut self, reason: CutReason, span: Span, words: impl Into<String>) {
        if !self.cuts.iter().any(|c| c.reason == reason && c.span == span) {
            self.cuts.push(Cut { reason, span, words: words.into() });
        }
    }

    /// Notes the fault or cut of one candidate, so that others can be tried.
    pub fn note(&mut self, stop: Stop) -> Result<(), Stop> {
        match stop {
            Stop::Fault(fault) => {
                // One of a kind is enough; millions of candidates may fail alike.
                let same = |other: &Fault| {
                    other.kind == fault.kind
                        && other.span == fault.span
                        && other.operation == fault.operation
                };
                if !self.faults.iter().any(same) {
                    self.faults.push(*fault);
                }
                Ok(())
            }
            Stop::Cut(cut) if !cut.is_final() => {
                if !self.cuts.contains(&cut) {
                    self.cuts.push(*cut);
                }
                Ok(())
            }
            stop => Err(stop),
        }
    }

    /// Calls `body`, and turns partial enumerations inside it into a stop unless it says that the
    /// answer is certain anyway.
    pub fn certain<T>(
        &mut self,
        body: impl FnOnce(&mut Frame<'s>) -> Result<(T, bool), Stop>,
    ) -> Result<T, Stop> {
        // What was left out before is no concern of this; and if it is left out again, it is.
        let before = std::mem::take(&mut self.cuts);
        let result = body(self);
        let mut cuts = std::mem::replace(&mut self.cuts, before);
        // A stop says it all.
        let (value, certain) = result?;
        match cuts.is_empty() || certain {
            true => Ok(value),
            false => Err(Stop::Cut(Box::new(cuts.swap_remove(0)))),
        }
    }

    /// Calls `body`, and tells beside its result whether nothing was left out in it: only then may the
    /// result be remembered, for who finds it again does not hear of cuts.
    #[inline]
    pub fn noting<T>(&mut self, body: impl FnOnce(&mut Frame<'s>) -> T) -> (T, bool) {
        let before = std::mem::take(&mut self.cuts);
        let result = body(self);
        let cuts = std::mem::replace(&mut self.cuts, before);
        let whole = cuts.is_empty();
        for cut in cuts {
            if !self.cuts.contains(&cut) {
                self.cuts.push(cut);
            }
        }
        (result, whole)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::System;
    use beeline_source::MemoryLoader;

    #[test]
    fn what_is_left_out_again_counts_again() {
        let loader = MemoryLoader::new().with("M.mch", "MACHINE M END");
        let model = beeline_elaborate::load(&loader, "M.mch").model.expect("a model");
        let system = System::compile(&model, &Settings::of(&model)).expect("a system");
        let note = |f: &mut Frame<'_>| f.note_cut(CutReason::LargeSet, Span::NONE, "something");
        let ((), answer) = system.with_frame(&mut system.scratch(), None, None, |f| {
            let (_, whole) = f.noting(note);
            assert!(!whole && f.cuts.len() == 1);
            // It is known already, but still no certain answer, and nothing to remember.
            let doubtful = f.certain(|f| {
                note(f);
                Ok(((), false))
            });
            assert!(matches!(doubtful, Err(Stop::Cut(_))));
            assert!(!f.noting(note).1);
            let certain = f.certain(|f| {
                note(f);
                Ok((7, true))
            });
            assert!(matches!(certain, Ok(7)) && f.noting(|_| ()).1);
            assert!(matches!(f.certain(|_| Ok((8, false))), Ok(8)));
        });
        assert_eq!(answer.cuts.len(), 1);
    }
}
