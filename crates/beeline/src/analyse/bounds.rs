//! Predicate analysis, ready to be shown.

use super::telling::{Known, Telling};
use crate::scope::Scope;
use crate::stack::on_large_stack;
use beeline_bounds::{Analysis, Bounds, narrow_scope};
use beeline_model::Model;
use beeline_source::{Diagnostics, SourceMap};
use serde::Serialize;

/// What predicates say of the names of a model.
#[derive(Clone, Debug, Serialize)]
pub struct BoundsReport {
    /// The machine.
    pub machine: String,
    /// `MININT` of the scope.
    pub min_int: i64,
    /// `MAXINT` of the scope.
    pub max_int: i64,
    /// Of each constant, by `PROPERTIES`.
    pub constants: Vec<Known>,
    /// Of each variable, by the invariant: in each state that satisfies it.
    pub variables: Vec<Known>,
    /// Of the parameters of each operation, by its guard, in a state that satisfies the invariant.
    pub operations: Vec<OperationKnown>,
    /// Nothing satisfies `PROPERTIES`.
    pub no_constants: bool,
    /// Nothing satisfies the invariant.
    pub no_states: bool,
    /// What is odd about the scope.
    #[serde(skip)]
    pub warnings: Diagnostics,
}

/// What is known of the parameters of an operation.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OperationKnown {
    /// The operation.
    pub name: String,
    /// Its parameters, those of an `ANY` at its top among them.
    pub parameters: Vec<Known>,
    /// Its guard and the invariant exclude each other.
    pub never_enabled: bool,
}

/// What `PROPERTIES`, the invariant and guards say of the names in them, for deferred sets of any size.
pub fn bounds(model: &Model, sources: &SourceMap, scope: &Scope) -> BoundsReport {
    let settings = scope.settings(Some(model));
    let (min_int, max_int) = (settings.min_int, settings.max_int);
    let (found, narrow) = on_large_stack(|| {
        let found = Bounds::of(&Analysis::new(model, min_int, max_int));
        (found, narrow_scope(model, min_int, max_int))
    });
    let mut warnings = Diagnostics::new();
    narrow.into_iter().for_each(|d| warnings.push(d));
    let mut telling = Telling::new(model, sources);
    let mut list = |bounds: &[beeline_bounds::Bound]| -> Vec<Known> {
        bounds.iter().map(|b| telling.bound(b)).collect()
    };
    let operations = found.operations.iter().map(|o| OperationKnown {
        name: model.operation(o.operation).name.to_string(),
        parameters: list(&o.parameters),
        never_enabled: o.never,
    });
    let operations = operations.collect();
    BoundsReport {
        machine: model.name.to_string(),
        min_int,
        max_int,
        constants: list(&found.constants),
        variables: list(&found.variables),
        operations,
        no_constants: found.no_constants,
        no_states: found.no_states,
        warnings,
    }
}
