//! The judge: a slow evaluator of typed B models that is meant to be obviously right.
//!
//! It replays counterexamples and audits the results of the fast engine. It walks the typed
//! formulas as they stand, with values of its own ([`Value`]), and shares nothing with the engine
//! but the typed model. It refuses to know compilation, planning, state tables and search.
//!
//! Start reading at [`Judge`] and `eval` (expressions), then `pred` (predicates and their logic
//! of ill-defined parts), `solve` (how bound names get their values), `execute` (substitutions)
//! and `replay`.

mod apply;
mod arith;
mod arrows;
mod assign;
mod calls;
mod closures;
mod compare;
mod count;
mod error;
mod eval;
mod execute;
mod external;
mod external_math;
mod external_strings;
mod flow;
mod int;
mod list;
mod literal;
mod member;
mod mentions;
mod parts;
mod pred;
mod ranges;
mod relations;
mod replay;
mod run;
mod scene;
mod sequences;
mod sets;
mod settings;
mod show;
mod solve;
mod strings;
mod trees;
mod trouble;
mod value;

pub use error::{Eval, EvalError, Note, NoteKind, UnknownReason, ViolationKind};
pub use execute::Effect;
pub use int::Int;
pub use replay::{Claim, Refusal, Replayed, Trace, TraceStep};
pub use run::Step;
pub use scene::{Scene, State};
pub use settings::Settings;
pub use show::ShowValue;
pub use trouble::Troubles;
pub use value::{Locals, Real, Set, Symbol, Value};

use beeline_model::Model;
use beeline_source::Span;
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Evaluates formulas of one model in one scope.
///
/// Every question charges a budget of steps, so that none hangs; [`Judge::refill`] starts a new
/// budget, and the larger questions of this crate (states, steps, replays) do so themselves.
#[derive(Debug)]
pub struct Judge<'m> {
    model: &'m Model,
    settings: Settings,
    steps: Cell<u64>,
    step_limit: Cell<u64>,
    depth: Cell<u32>,
    /// Infinite sets are gone through within bounds only; see `compare`.
    sampling: Cell<bool>,
    notes: RefCell<BTreeSet<Note>>,
    /// Of the choices of the substitution that is being executed.
    troubles: RefCell<Troubles>,
    /// Free types whose values are being counted: one that is among its own has no end.
    counted: RefCell<Vec<beeline_model::FreeTypeId>>,
    /// Questions end when somebody sets this, whatever is left of their steps.
    stop: Arc<AtomicBool>,
    /// The constants of the current evaluation, for closures, which do not capture them.
    constants: RefCell<Arc<Vec<Option<Value>>>>,
}

impl<'m> Judge<'m> {
    /// A judge of a model.
    pub fn new(model: &'m Model, settings: Settings) -> Judge<'m> {
        Judge {
            model,
            step_limit: Cell::new(settings.max_steps),
            settings,
            steps: Cell::new(0),
            depth: Cell::new(0),
            sampling: Cell::new(false),
            notes: RefCell::default(),
            troubles: RefCell::default(),
            counted: RefCell::default(),
            stop: Arc::default(),
            constants: RefCell::new(State::blank(model).constants),
        }
    }

    /// The model.
    pub fn model(&self) -> &'m Model {
        self.model
    }

    /// Scope and limits.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// All questions end when this becomes true, as if their steps were used up.
    pub fn stop_when(&mut self, stop: Arc<AtomicBool>) {
        self.stop = stop;
    }

    /// Starts a new budget of steps.
    pub fn refill(&self) {
        self.steps.set(0);
        self.step_limit.set(self.settings.max_steps);
    }

    /// What was decided within bounds only since this was last asked.
    pub fn take_notes(&self) -> Vec<Note> {
        std::mem::take(&mut *self.notes.borrow_mut()).into_iter().collect()
    }

    fn note(&self, kind: NoteKind, span: Span) {
        self.notes.borrow_mut().insert(Note { kind, span });
    }

    /// Makes the constants of a state those that closures see.
    fn enter(&self, state: &State) {
        let mut constants = self.constants.borrow_mut();
        if !Arc::ptr_eq(&constants, &state.constants) {
            *constants = state.constants.clone();
        }
    }

    /// Charges steps.
    fn charge(&self, steps: u64) -> Eval<()> {
        let used = self.steps.get().saturating_add(steps);
        self.steps.set(used);
        if used > self.step_limit.get() {
            return Err(EvalError::unknown(UnknownReason::Steps));
        }
        if self.stop.load(Ordering::Relaxed) {
            return Err(EvalError::unknown(UnknownReason::Stopped));
        }
        Ok(())
    }

    /// Charges for a list or a text of so many parts, before it is made; of too many nothing is known.
    fn room(&self, parts: usize, most: usize) -> Eval<()> {
        self.charge(parts as u64)?;
        if parts > most { Err(EvalError::unknown(UnknownReason::TooLarge)) } else { Ok(()) }
    }

    /// The same for a text.
    fn room_for_text(&self, bytes: usize) -> Eval<()> {
        self.room(bytes, self.settings.max_elements.saturating_mul(16))
    }

    /// Runs something one level deeper: charged, limited, with a stack that grows.
    fn deeper<T>(&self, run: impl FnOnce() -> Eval<T>) -> Eval<T> {
        self.charge(1)?;
        let depth = self.depth.get();
        if depth >= self.settings.max_depth {
            return Err(EvalError::unknown(UnknownReason::Depth));
        }
        self.depth.set(depth + 1);
        let result = stacker::maybe_grow(128 * 1024, 2 * 1024 * 1024, run);
        self.depth.set(depth);
        result
    }

    /// Runs something on a small part of the budget. `None`: it was too much, or not bounded, or
    /// it needs a constant that has no value yet.
    fn attempt<T>(&self, run: impl FnOnce() -> Eval<T>) -> Eval<Option<T>> {
        let limit = self.step_limit.get();
        let small = self.steps.get().saturating_add(self.settings.eager_steps);
        self.step_limit.set(small.min(limit));
        let notes = self.notes.borrow().clone();
        let result = run();
        self.step_limit.set(limit);
        match result {
            Ok(value) => Ok(Some(value)),
            Err(EvalError::Unknown { .. } | EvalError::Unset { .. }) => {
                *self.notes.borrow_mut() = notes;
                self.charge(0)?;
                Ok(None)
            }
            Err(other) => Err(other),
        }
    }
}
