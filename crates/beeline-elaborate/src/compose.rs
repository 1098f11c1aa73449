//! From a project of machines to one model.
//!
//! `declare` walks the machine references, makes an [`Instance`] of each machine and gives it a
//! scope; `fill` elaborates the clauses in stages (constants, then invariants, then the rest, each
//! over all instances), so that types flow between machines; `levels` flattens the instances into
//! the refinement levels of a [`beeline_model::Model`], and `parallel` checks who writes what at once.

mod declare;
mod fill;
mod parallel;
mod preconditions;
mod shown;

use crate::project::RefKind;
use crate::typing::Scope;
use beeline_model::{ComponentId, Conjunct, Expr, Name, OperationId, Role, Subst, VariableId};
use beeline_syntax::ast::{self, Machine};

pub(crate) use declare::declare;
pub(crate) use fill::{add_conjuncts, fill};

/// One machine as used in the composition.
pub(crate) struct Instance<'a> {
    pub file: usize,
    pub machine: &'a Machine,
    pub prefix: Option<Name>,
    pub component: ComponentId,
    pub role: Role,
    pub level: u32,
    /// Actual parameters: formal name, argument, and the instance whose scope it is written in.
    pub arguments: Vec<(Name, &'a ast::Expr, usize)>,
    /// Other instances that it refers to, dependencies first.
    pub links: Vec<(RefKind, usize)>,
    pub variables: Vec<VariableId>,
    /// Those of them that every refinement keeps, whether or not it says so.
    pub concrete: Vec<VariableId>,
    /// Operations it declares.
    pub operations: Vec<(OperationId, &'a ast::Operation)>,
    /// Operations its clients can call, by their name without this instance's prefix.
    pub interface: Vec<(Name, OperationId)>,
}

/// What the clauses of one instance say, typed.
#[derive(Default)]
pub(crate) struct Contents {
    pub constraints: Vec<Conjunct>,
    pub properties: Vec<Conjunct>,
    pub values: Vec<Conjunct>,
    pub invariants: Vec<Conjunct>,
    pub assertions: Vec<Conjunct>,
    pub initialisation: Option<Subst>,
    pub variants: Vec<Expr>,
}

/// Everything declared, nothing elaborated.
pub(crate) struct Declared<'a> {
    pub model: beeline_model::Model,
    /// Dependencies before their users; the main machine is last.
    pub order: Vec<usize>,
    pub instances: Vec<Instance<'a>>,
    pub scopes: Vec<Scope>,
    pub signatures: Vec<crate::typing::Signature>,
    pub constructors: Vec<Vec<Option<&'a ast::Expr>>>,
    pub free_parameters: Vec<Vec<Name>>,
    pub main: usize,
}
