//! Abstract interpretation, ready to be shown.

use super::telling::{Known, Telling};
use crate::scope::Scope;
use crate::stack::on_large_stack;
use beeline_bounds::{Analysis, ByFlow, Node, States};
use beeline_model::{Conjunct, ConjunctId, Model, OperationId};
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
    /// The states apart in which different operations are enabled, if that was asked for and no limit
    /// was reached.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<Vec<NodeKnown>>,
}

/// What is known of the states in which certain operations are enabled.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NodeKnown {
    /// Operations whose guards hold.
    pub enabled: Vec<String>,
    /// Operations of which it was left open.
    pub open: Vec<String>,
    /// Of each variable.
    pub variables: Vec<Known>,
    /// The conjuncts of the invariant that hold in these states: labels, or numbers.
    pub holds: Vec<String>,
}

/// Steps for abstract states by node: some seconds.
const NODE_STEPS: u64 = 3_000_000;

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
/// size. `by_flow`: also with the states apart in which different operations are enabled.
pub fn states(model: &Model, sources: &SourceMap, scope: &Scope, by_flow: bool) -> StatesReport {
    let settings = scope.settings(Some(model));
    let (min_int, max_int) = (settings.min_int, settings.max_int);
    let apart = by_flow.then(|| {
        let analysis = Analysis::new(model, min_int, max_int).with_budget(NODE_STEPS);
        on_large_stack(|| ByFlow::of(&analysis))
    });
    let apart = apart.filter(|apart| !apart.given_up);
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
            name: name_of(conjunct, id),
            text,
            place: telling.place(conjunct.span),
            typing: invariant.only_types,
            proved: found.proved.contains(&id)
                || apart.iter().any(|apart| apart.proved.contains(&id)),
        }
    });
    let conjuncts = conjuncts.collect();
    let nodes = apart.as_ref().map(|apart| {
        apart.nodes.iter().map(|node| node_known(model, node, &mut telling)).collect()
    });
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
        nodes,
    }
}

fn node_known(model: &Model, node: &Node, telling: &mut Telling<'_>) -> NodeKnown {
    let names = |ids: &[OperationId]| -> Vec<String> {
        ids.iter().map(|id| model.operation(*id).name.to_string()).collect()
    };
    let level = model.concrete();
    let held = node.holds.iter().filter_map(|id| Some(name_of(level.conjunct(*id)?, *id)));
    NodeKnown {
        enabled: names(&node.enabled),
        open: names(&node.open),
        holds: held.collect(),
        variables: node.variables.iter().map(|(name, v)| telling.known(*name, v)).collect(),
    }
}

/// The label of a conjunct, or its number.
fn name_of(conjunct: &Conjunct, id: ConjunctId) -> String {
    conjunct.label.as_ref().map_or_else(|| id.number().to_string(), |label| label.to_string())
}
