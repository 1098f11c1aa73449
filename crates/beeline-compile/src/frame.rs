//! What a running evaluation holds: a flat frame of slots, a step budget, a bounded memo table.

use crate::answer::{Cut, CutReason, Fault, Stop};
use crate::breaking::Breaking;
use crate::closure::Code;
use crate::ground::Base;
use crate::optimum::Aim;
use crate::recursion::Recursion;
use crate::settings::Settings;
use beeline_model::{TypeId, TypeTable};
use beeline_source::Span;
use beeline_value::{Store, Val};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

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

/// A free type at run time.
pub(crate) struct FreeInfo {
    pub name: String,
    /// Names, and for a function the compiled set of its arguments.
    pub constructors: Vec<(String, Option<E>)>,
    /// Slots of the type's set parameters.
    pub parameters: Vec<usize>,
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

    /// The value of a type's set, where it is finite and small.
    pub fn type_set(&self, ty: TypeId) -> Val {
        crate::symbolic::type_set(self.rt, ty)
    }
}

const BITS: u32 = 14;

/// Results of operators on interned values: a direct-mapped table, and a bounded map for queries.
#[derive(Default)]
pub(crate) struct Memo {
    table: Vec<(u32, u32, u32, u32)>,
    queries: FxHashMap<Box<[u32]>, u32>,
    /// Problems without what depends on the state, by number: the words they read, and the rest.
    bases: FxHashMap<u32, (Box<[Val]>, Box<Base>)>,
    key: Vec<u32>,
}

impl Memo {
    pub fn new() -> Memo {
        Memo {
            table: Vec::new(),
            queries: FxHashMap::default(),
            bases: FxHashMap::default(),
            key: Vec::new(),
        }
    }

    fn position(op: u32, a: u32, b: u32) -> usize {
        let mixed = (u64::from(a) << 32 | u64::from(b))
            .wrapping_add(u64::from(op) << 24)
            .wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed >> (64 - BITS)) as usize
    }

    /// The remembered result of an operator; `op` is never 0.
    #[inline]
    pub fn get(&self, op: u32, a: Val, b: Val) -> Option<Val> {
        let row = self.table.get(Memo::position(op, a.raw(), b.raw()))?;
        (row.0 == op && row.1 == a.raw() && row.2 == b.raw()).then(|| Val::from_raw(row.3))
    }

    /// Remembers a result.
    #[inline]
    pub fn put(&mut self, op: u32, a: Val, b: Val, result: Val) {
        // Made when it is first needed: short runs never need it, and have several of these.
        if self.table.is_empty() {
            self.table = vec![(0, 0, 0, 0); 1 << BITS];
        }
        self.table[Memo::position(op, a.raw(), b.raw())] = (op, a.raw(), b.raw(), result.raw());
    }

    /// What is remembered of a problem whose constants are as they were.
    pub fn base(&self, number: u32, reads: &[usize], slots: &[Val]) -> Option<&Base> {
        let (words, base) = self.bases.get(&number)?;
        let same = reads.len() == words.len()
            && reads.iter().zip(words).all(|(&slot, word)| slots[slot] == *word);
        same.then_some(&**base)
    }

    /// Remembers it, in place of what it was for other constants.
    pub fn put_base(&mut self, number: u32, reads: &[usize], slots: &[Val], base: Base) {
        let words = reads.iter().map(|&slot| slots[slot]).collect();
        self.bases.insert(number, (words, Box::new(base)));
    }

    const QUERIES: usize = 1 << 18;

    /// The remembered result of a query, by the words it reads.
    #[inline]
    pub fn query(&mut self, code: u32, reads: &[usize], slots: &[Val]) -> Option<u32> {
        self.key.clear();
        self.key.push(code);
        self.key.extend(reads.iter().map(|&s| slots[s].raw()));
        self.queries.get(self.key.as_slice()).copied()
    }

    /// Remembers the result of a query.
    pub fn put_query(&mut self, code: u32, reads: &[usize], slots: &[Val], result: u32) {
        if self.queries.len() >= Memo::QUERIES {
            self.queries.clear();
        }
        let key = std::iter::once(code).chain(reads.iter().map(|&s| slots[s].raw())).collect();
        self.queries.insert(key, result);
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
