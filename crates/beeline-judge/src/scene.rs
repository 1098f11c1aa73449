//! States, and the scene of an evaluation: a state and the values of bound names.

use crate::error::{Eval, EvalError};
use crate::value::{Locals, Value};
use beeline_model::{ConstantId, LocalId, Model, Place, VariableId};
use beeline_source::Span;
use std::sync::Arc;

/// The values of constants and variables; cheap to clone.
///
/// A variable without value belongs to another refinement level, or is not initialised yet.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct State {
    pub(crate) constants: Arc<Vec<Option<Value>>>,
    pub(crate) variables: Arc<Vec<Option<Value>>>,
}

impl State {
    /// A state in which nothing has a value.
    pub fn blank(model: &Model) -> State {
        State {
            constants: Arc::new(vec![None; model.constants.len()]),
            variables: Arc::new(vec![None; model.variables.len()]),
        }
    }

    /// The value of a constant.
    pub fn constant(&self, id: ConstantId) -> Option<&Value> {
        self.constants.get(id.index())?.as_ref()
    }

    /// The value of a variable.
    pub fn variable(&self, id: VariableId) -> Option<&Value> {
        self.variables.get(id.index())?.as_ref()
    }

    /// Gives a constant a value.
    pub fn set_constant(&mut self, id: ConstantId, value: Option<Value>) {
        if let Some(slot) = Arc::make_mut(&mut self.constants).get_mut(id.index()) {
            *slot = value;
        }
    }

    /// Gives a variable a value.
    pub fn set_variable(&mut self, id: VariableId, value: Option<Value>) {
        if let Some(slot) = Arc::make_mut(&mut self.variables).get_mut(id.index()) {
            *slot = value;
        }
    }
}

/// Where a formula is evaluated: a state and the values of bound names; cheap to clone.
#[derive(Clone, Debug)]
pub struct Scene {
    /// Constants and variables.
    pub state: State,
    /// Bound names.
    pub locals: Locals,
}

impl Scene {
    /// A scene without bound names.
    pub fn of(state: &State) -> Scene {
        Scene { state: state.clone(), locals: Locals::default() }
    }

    /// Gives a bound name a value.
    pub fn bind(&mut self, local: LocalId, value: Value) {
        Arc::make_mut(&mut self.locals).insert(local, value);
    }

    /// The value of a place, if it has one.
    pub fn place(&self, place: Place) -> Option<&Value> {
        match place {
            Place::Variable(id) => self.state.variable(id),
            Place::Local(id) => self.locals.get(&id),
        }
    }

    /// Gives a place a value.
    pub fn set_place(&mut self, place: Place, value: Value) {
        match place {
            Place::Variable(id) => self.state.set_variable(id, Some(value)),
            Place::Local(id) => self.bind(id, value),
        }
    }
}

pub(crate) fn unset(what: impl Into<String>) -> EvalError {
    EvalError::Unset { what: what.into(), span: Span::NONE }
}

pub(crate) fn require(value: Option<&Value>, name: impl Fn() -> String) -> Eval<Value> {
    value.cloned().ok_or_else(|| unset(name()))
}
