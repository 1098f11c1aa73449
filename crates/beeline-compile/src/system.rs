//! The compiled model and its door: set-ups, initial states, successors, checks.

use crate::answer::{Answer, Flow, Truth};
use crate::settings::Settings;
use beeline_model::{ConstantId, Expr, Model, OperationId, Pred, TypeId, VariableId};
use beeline_source::Span;
use beeline_value::{Store, Val};
use std::sync::Arc;

/// A compiled model. It is immutable and shared by all workers; what a worker needs for itself is
/// in its [`Scratch`].
///
/// A state is a `&[u32]`: one word of the store a variable, in the order of [`System::variables`].
/// A valuation of the constants is a `&[u32]` in the order of [`System::constants`], and is kept
/// apart: all states of one run from one set-up share it.
///
/// ```text
/// for constants in setups { for s0 in initial(constants) { successors(constants, s) … } }
/// ```
pub struct System {
    store: Arc<Store>,
}

/// What a worker needs for itself: slots, caches, budgets.
pub struct Scratch {}

/// Why a model cannot be compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompileError {
    /// Where.
    pub span: Span,
    /// In words.
    pub words: String,
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

/// An operation that the environment may call.
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
    /// Slots it may look at.
    pub reads: Vec<usize>,
    /// Slots it may change.
    pub writes: Vec<usize>,
}

/// Names one compiled predicate of a [`System`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PredId(pub usize);

/// Names one compiled expression of a [`System`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExprId(pub usize);

/// Something that is checked in each state, or once a set-up.
#[derive(Clone, Debug)]
pub struct Check {
    /// The compiled predicate.
    pub pred: PredId,
    /// Its label, if it has one.
    pub label: Option<String>,
    /// Where it stands.
    pub span: Span,
    /// The slots of the state it reads: it need not be checked again while they keep their words.
    pub reads: Vec<usize>,
    /// Every well-typed value satisfies it.
    pub only_types: bool,
    /// It reads no variable: once a set-up is enough.
    pub constant: bool,
}

/// One transition.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    /// Index into [`System::operations`].
    pub operation: usize,
    /// One word a parameter.
    pub arguments: &'a [u32],
    /// One word a result; [`Val::UNSET`] where it was not assigned.
    pub results: &'a [u32],
    /// The state it leads to.
    pub target: &'a [u32],
}

impl System {
    /// Compiles a model.
    pub fn compile(_model: &Model, _settings: &Settings) -> Result<System, Vec<CompileError>> {
        Ok(System { store: Arc::new(Store::new()) })
    }

    /// A worker's own space.
    pub fn scratch(&self) -> Scratch {
        Scratch {}
    }

    /// All values of this system.
    pub fn store(&self) -> &Arc<Store> {
        &self.store
    }

    /// The slots of a state.
    pub fn variables(&self) -> &[Slot<VariableId>] {
        &[]
    }

    /// The slots of a valuation of the constants.
    pub fn constants(&self) -> &[Slot<ConstantId>] {
        &[]
    }

    /// Does a set-up count as a state of its own (are there constants or properties)?
    pub fn has_setup(&self) -> bool {
        false
    }

    /// What the environment may call.
    pub fn operations(&self) -> &[OperationInfo] {
        &[]
    }

    /// The conjuncts of the invariant.
    pub fn invariants(&self) -> &[Check] {
        &[]
    }

    /// The assertions, static and dynamic.
    pub fn assertions(&self) -> &[Check] {
        &[]
    }

    /// `GOAL`, if the model has one.
    pub fn goal(&self) -> Option<PredId> {
        None
    }

    /// `SCOPE`, if the model has one: states outside are neither checked nor expanded.
    pub fn scope(&self) -> Option<PredId> {
        None
    }

    /// `HEURISTIC_FUNCTION`, if the model has one.
    pub fn heuristic(&self) -> Option<ExprId> {
        None
    }

    /// Sets and the sizes they have in this system: name, size.
    pub fn set_sizes(&self) -> &[(String, u64)] {
        &[]
    }

    /// All valuations of the constants that satisfy the properties, each once.
    ///
    /// A model without constants has exactly one, the empty one, if its properties hold.
    pub fn setups(&self, _scratch: &mut Scratch, _sink: &mut dyn FnMut(&[u32]) -> Flow) -> Answer {
        Answer::default()
    }

    /// All initial states, each once.
    pub fn initial(
        &self,
        _constants: &[u32],
        _scratch: &mut Scratch,
        _sink: &mut dyn FnMut(&[u32]) -> Flow,
    ) -> Answer {
        Answer::default()
    }

    /// All transitions from a state, each once, in the order of the operations.
    pub fn successors(
        &self,
        _constants: &[u32],
        _state: &[u32],
        _scratch: &mut Scratch,
        _sink: &mut dyn FnMut(Step<'_>) -> Flow,
    ) -> Answer {
        Answer::default()
    }

    /// The transitions of one operation only.
    pub fn successors_of(
        &self,
        _operation: usize,
        _constants: &[u32],
        _state: &[u32],
        _scratch: &mut Scratch,
        _sink: &mut dyn FnMut(Step<'_>) -> Flow,
    ) -> Answer {
        Answer::default()
    }

    /// The truth of a compiled predicate in a state.
    pub fn holds(
        &self,
        _pred: PredId,
        _constants: &[u32],
        _state: &[u32],
        _scratch: &mut Scratch,
    ) -> Truth {
        Truth::True
    }

    /// The value of a compiled expression in a state.
    pub fn value(
        &self,
        _expr: ExprId,
        _constants: &[u32],
        _state: &[u32],
        _scratch: &mut Scratch,
    ) -> Result<Val, Truth> {
        Ok(Val::EMPTY)
    }

    /// Compiles one more predicate over the model (a goal from the command line, say).
    ///
    /// Its locals must be known to the model the system was compiled from, or come in `extra`.
    pub fn add_pred(&mut self, _model: &Model, _pred: &Pred) -> Result<PredId, Vec<CompileError>> {
        Ok(PredId(0))
    }

    /// Compiles one more expression.
    pub fn add_expr(&mut self, _model: &Model, _expr: &Expr) -> Result<ExprId, Vec<CompileError>> {
        Ok(ExprId(0))
    }

    /// A value in B notation.
    pub fn show(&self, _value: u32, _ty: TypeId) -> String {
        String::new()
    }
}
