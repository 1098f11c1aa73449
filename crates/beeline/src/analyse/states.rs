//! Abstract interpretation, ready to be shown.

use super::telling::{Known, Telling};
use crate::scope::Scope;
use crate::stack::on_large_stack;
use beeline_bounds::{Analysis, States};
use beeline_model::{Model, OperationId};
use beeline_source::SourceMap;
use serde::Serialize;

/// What is true of every reachable state.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StatesReport {
    /// The machine.
    pub machine: String,
    /// `MININT` of the scope.
    pub min_int: i64,
    /// `MAXINT` of the scope.
    pub max_int: i64,
    /// Of each constant.
    pub constants: Vec<Known>,
    /// Of each variable, in every reachable state.
    pub variables: Vec<Known>,
    /// The conjuncts of the invariant.
    pub conjuncts: Vec<ConjunctKnown>,
    /// Operations that lead from no reachable state to another: never enabled, or always failing.
    pub without_step: Vec<String>,
    /// There is no state: `PROPERTIES` or the initialisation cannot be satisfied.
    pub no_states: bool,
    /// A limit was reached: nothing is known of variables.
    pub given_up: bool,
}

/// What is known of a conjunct of the invariant.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ConjunctKnown {
    /// Its label, or its number.
    pub name: String,
    /// What it says.
    pub text: String,
    /// Where it stands.
    pub place: Option<String>,
    /// Every value of the right type satisfies it.
    pub typing: bool,
    /// It is true and well-defined in every reachable state.
    pub proved: bool,
}

/// Interprets a model in abstract values: what is true of every reachable state, for deferred sets of any
/// size.
pub fn states(model: &Model, sources: &SourceMap, scope: &Scope) -> StatesReport {
    let settings = scope.settings(Some(model));
    let (min_int, max_int) = (settings.min_int, settings.max_int);
    let found = on_large_stack(|| States::of(&Analysis::new(model, min_int, max_int)));
    let mut telling = Telling::new(model, sources);
    let constants = found.constants.iter().map(|(name, v)| telling.known(*name, v)).collect();
    let variables = found.variables.iter().map(|(name, v)| telling.known(*name, v)).collect();
    let conjuncts = model.concrete().numbered_invariants().map(|(id, invariant)| {
        let conjunct = &invariant.conjunct;
        let text = match telling.text(conjunct.span) {
            text if text.is_empty() => model.show_pred(&conjunct.pred),
            text => text,
        };
        ConjunctKnown {
            name: conjunct
                .label
                .as_ref()
                .map_or_else(|| id.number().to_string(), |l| l.to_string()),
            text,
            place: telling.place(conjunct.span),
            typing: invariant.only_types,
            proved: found.proved.contains(&id),
        }
    });
    let conjuncts = conjuncts.collect();
    let name = |id: &OperationId| model.operation(*id).name.to_string();
    StatesReport {
        machine: model.name.to_string(),
        min_int,
        max_int,
        constants,
        variables,
        conjuncts,
        without_step: found.never.iter().map(name).collect(),
        no_states: found.no_states,
        given_up: found.given_up,
    }
}
