//! The compiled model: what it consists of, and its door. What it can do, and what holds, stand below.

mod build;
mod builder;
mod content;
mod replan;
mod seen;
mod sizes;
mod steps;
mod truth;

pub use builder::Builder;
pub use content::Contents;
pub use replan::{Replanned, Sample};

use crate::answer::Answer;
use crate::compiler::distance::D;
use crate::compiler::subst::S;
use crate::error::CompileError;
use crate::eval::frame::{E, Frame, Memo, P, Runtime};
use crate::eval::query::Query;
use crate::eval::show::show;
use crate::settings::Settings;
use beeline_model::{ConjunctId, ConstantId, Model, OperationId, Preserved, TypeId, VariableId};
use beeline_plan::Plans;
use beeline_transition::{
    Arguments, Constants, ConstantsRef, OperationIndex, Prover, Signature, State, StateRef,
};
pub use beeline_transition::{Check, PredId, Step};
use beeline_value::{Store, Val};
use seen::Seen;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// A compiled model. It is immutable (a [`Builder`] makes it) and shared by all workers; what a worker
/// needs for itself is in its [`Scratch`].
///
/// A state ([`StateRef`]) has one word of the store a variable, in the order of [`System::variables`]. A
/// valuation of the constants ([`ConstantsRef`]) is in the order of [`System::constants`], and is kept apart: all states of one run from one set-up share it.
///
/// Give worker threads a stack of 16 MiB or more: with less, each call moves to a larger one.
///
/// ```text
/// for constants in setups { for s0 in initial(constants) { successors(constants, s) … } }
/// ```
pub struct System {
    /// How everything in it was planned.
    pub(crate) plans: Arc<Plans>,
    pub(crate) runtime: Runtime,
    /// Slots of everything that was compiled into it.
    pub(crate) own_slots: usize,
    /// How many slots a frame has: operations that are planned again may need more.
    pub(crate) frame_size: AtomicUsize,
    pub(crate) variables: Vec<Slot<VariableId>>,
    pub(crate) constants: Vec<Slot<ConstantId>>,
    pub(crate) setup: Query,
    pub(crate) initialisation: S,
    pub(crate) operations: Vec<OperationInfo>,
    pub(crate) bodies: Vec<Body>,
    pub(crate) preds: Vec<P>,
    pub(crate) exprs: Vec<E>,
    /// What it consists of, for those who search.
    pub(crate) signature: Signature,
    /// `GOAL`, whatever is looked for.
    pub(crate) goal: Option<PredId>,
    pub(crate) heuristic: Option<ExprId>,
    pub(crate) target: Option<D>,
    pub(crate) set_sizes: Vec<(String, u64)>,
    pub(crate) uses_int_bounds: bool,
}

/// A compiled operation.
pub(crate) struct Body {
    pub parameters: Vec<usize>,
    pub results: Vec<usize>,
    /// Finds the parameters.
    pub guard: Query,
    pub body: S,
    /// It can be planned in another way.
    pub may_replan: bool,
}

/// What a worker needs for itself: slots, caches.
pub struct Scratch {
    slots: Vec<Val>,
    log: Vec<(u32, Val)>,
    memo: Memo,
    /// The constants that are in the slots.
    loaded: Constants,
    outcomes: Outcomes,
    /// Steps of one evaluation, if there are fewer than usual.
    steps: Option<u64>,
    /// See [`System::holds_each_up_to`].
    later: Vec<u32>,
    left_out: u64,
}

/// Room for the outcomes of an operation, kept from one to the next.
#[derive(Default)]
struct Outcomes {
    arguments: Arguments,
    results: Vec<u32>,
    target: State,
    first: Vec<u32>,
    seen: Seen,
}

impl Scratch {
    /// How many candidates of quantifiers were left out since somebody asked.
    pub fn take_left_out(&mut self) -> u64 {
        std::mem::take(&mut self.left_out)
    }
}

/// One slot of a state or of a valuation of the constants.
#[derive(Clone, Debug)]
pub struct Slot<Id> {
    /// What it holds.
    pub id: Id,
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: TypeId,
}

/// An operation that the environment may call. What it reads and writes is in the [`Signature`].
#[derive(Clone, Debug)]
pub struct OperationInfo {
    /// Its id in the model.
    pub id: OperationId,
    /// Its name.
    pub name: String,
    /// Names and types of its parameters.
    pub parameters: Vec<(String, TypeId)>,
    /// Names and types of its results.
    pub results: Vec<(String, TypeId)>,
}

/// Names one compiled expression of a [`System`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExprId(pub usize);

impl System {
    /// Compiles a model, and nothing else. A [`Builder`] takes more.
    pub fn compile(model: &Model, settings: &Settings) -> Result<System, Vec<CompileError>> {
        Ok(Builder::new(model, settings)?.build())
    }

    /// A worker's own space.
    pub fn scratch(&self) -> Scratch {
        Scratch {
            slots: vec![Val::UNSET; self.own_slots],
            log: Vec::new(),
            memo: Memo::new(),
            loaded: Constants::default(),
            outcomes: Outcomes::default(),
            steps: None,
            later: Vec::new(),
            left_out: 0,
        }
    }

    /// The same for evaluations that are given up after so many steps at the latest.
    pub fn brief_scratch(&self, steps: u64) -> Scratch {
        Scratch { steps: Some(steps), ..self.scratch() }
    }

    /// All values of this system.
    pub fn store(&self) -> &Arc<Store> {
        &self.runtime.store
    }

    /// The slots of a state.
    pub fn variables(&self) -> &[Slot<VariableId>] {
        &self.variables
    }

    /// The slots of a valuation of the constants.
    pub fn constants(&self) -> &[Slot<ConstantId>] {
        &self.constants
    }

    /// What it consists of, for those who search: operations and what they read and write, checks,
    /// proofs, what is looked for.
    pub fn signature(&self) -> &Signature {
        &self.signature
    }

    /// Does a set-up count as a state of its own (are there constants or properties)?
    pub fn has_setup(&self) -> bool {
        self.signature.has_setup
    }

    /// What the environment may call.
    pub fn operations(&self) -> &[OperationInfo] {
        &self.operations
    }

    /// One of them.
    pub fn operation(&self, index: OperationIndex) -> &OperationInfo {
        &self.operations[index.0]
    }

    /// The position of an operation of the model; nothing if its level does not offer it.
    pub fn index_of(&self, id: OperationId) -> Option<OperationIndex> {
        self.operations.iter().position(|o| o.id == id).map(OperationIndex)
    }

    /// What somebody proved about the model, in the numbers of the system; nothing if that is of no use.
    pub fn prover(
        &self,
        model: &Model,
        name: &'static str,
        preserved: &[Preserved],
        always: &[ConjunctId],
    ) -> Option<Prover> {
        build::prover(model.concrete(), name, preserved, always)
    }

    /// The conjuncts of the invariant.
    pub fn invariants(&self) -> &[Check] {
        &self.signature.invariants
    }

    /// The assertions, static and dynamic.
    pub fn assertions(&self) -> &[Check] {
        &self.signature.assertions
    }

    /// Everything that is checked, in the order of [`beeline_model::Level::checked`].
    pub fn checks(&self) -> impl Iterator<Item = &Check> {
        self.signature.checks()
    }

    /// What is compiled of a conjunct of the model. Ids of another model have no place here.
    pub fn check(&self, id: ConjunctId) -> &Check {
        self.signature.check(id)
    }

    /// `GOAL`, if the model has one, whether it is looked for or not.
    pub fn goal(&self) -> Option<PredId> {
        self.goal
    }

    /// `SCOPE`, if the model has one: states outside are neither checked nor expanded.
    pub fn scope(&self) -> Option<PredId> {
        self.signature.scope
    }

    /// `HEURISTIC_FUNCTION`, if the model has one.
    pub fn heuristic(&self) -> Option<ExprId> {
        self.heuristic
    }

    /// Does the model speak of `MAXINT`, `MININT`, `NAT`, `NAT1` or `INT`?
    pub fn uses_int_bounds(&self) -> bool {
        self.uses_int_bounds
    }

    /// The scope it was compiled for.
    pub fn settings(&self) -> &Settings {
        &self.runtime.settings
    }

    /// Sets and the sizes they have in this system: name, size.
    pub fn set_sizes(&self) -> &[(String, u64)] {
        &self.set_sizes
    }

    /// Runs `body` in a frame with these constants and this state.
    pub(crate) fn with_frame<T>(
        &self,
        scratch: &mut Scratch,
        constants: Option<ConstantsRef<'_>>,
        state: Option<StateRef<'_>>,
        body: impl FnOnce(&mut Frame<'_>) -> T,
    ) -> (T, Answer) {
        let mut slots = std::mem::take(&mut scratch.slots);
        let size = self.frame_size.load(Ordering::Relaxed);
        if slots.len() < size {
            slots.resize(size, Val::UNSET);
        }
        match constants {
            // Comparing nothing with nothing is slow on some processors.
            Some(ConstantsRef([])) if scratch.loaded.0.is_empty() => {}
            Some(constants) if constants == scratch.loaded.view() => {}
            Some(constants) => {
                for (slot, word) in self.constants.iter().zip(constants.iter()) {
                    slots[self.constant_slot(slot.id)] = Val::from_raw(word);
                }
                scratch.loaded = constants.owned();
            }
            None => {
                for slot in &self.constants {
                    slots[self.constant_slot(slot.id)] = Val::UNSET;
                }
                scratch.loaded.0.clear();
                // An empty valuation is the one that is always loaded.
                scratch.loaded.0.extend(self.constants.iter().map(|_| Val::UNSET.raw()));
            }
        }
        for (i, slot) in self.variables.iter().enumerate() {
            slots[slot.id.index()] = state.map_or(Val::UNSET, |s| Val::from_raw(s[i]));
        }
        let mut frame = Frame {
            rt: &self.runtime,
            store: &self.runtime.store,
            slots,
            steps: scratch.steps.unwrap_or(self.runtime.settings.steps),
            cuts: Vec::new(),
            faults: Vec::new(),
            log: std::mem::take(&mut scratch.log),
            memo: std::mem::take(&mut scratch.memo),
            depth: 0,
            aim: None,
            later: Vec::new(),
            left_out: 0,
        };
        let result = stacker::maybe_grow(4 << 20, 64 << 20, || body(&mut frame));
        frame.log.clear();
        scratch.slots = frame.slots;
        scratch.log = frame.log;
        scratch.memo = frame.memo;
        (result, Answer { faults: frame.faults, cuts: frame.cuts, stopped: false })
    }

    fn constant_slot(&self, id: ConstantId) -> usize {
        self.runtime.first_constant + id.index()
    }

    /// Set this to true, and every evaluation ends soon with the cut
    /// [`crate::CutReason::Interrupted`].
    pub fn interrupt(&self) -> &Arc<AtomicBool> {
        &self.runtime.interrupt
    }

    /// From now on one evaluation that would take the process beyond so many bytes at once ends with
    /// the cut [`crate::CutReason::Memory`]. What grows in small steps others must watch.
    pub fn limit_memory(&self, bytes: Option<u64>) {
        self.runtime.memory.store(bytes.unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    /// How everything in it was planned: the very plans that run.
    pub fn plans(&self) -> &Arc<Plans> {
        &self.plans
    }

    /// A value in B notation.
    pub fn show(&self, value: u32, ty: TypeId) -> String {
        show(&self.runtime, Val::from_raw(value), Some(ty))
    }
}
