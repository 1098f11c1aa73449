//! Which conjuncts need not be evaluated, by abstract interpretation.
//!
//! Two kinds of knowledge are kept apart. What is *always* true holds in every reachable state, because it
//! is true of an abstract state that stands for all of them: nothing else has to hold for that. What an
//! operation *preserves*, and what initialisation *establishes*, is true after one step: after a step, only
//! if the whole invariant held before. Both include that the conjunct is well-defined.

use crate::analysis::Analysis;
use crate::domain::Value;
use crate::states::Interpretation;
use beeline_model::{ConjunctId, OperationId, VariableId};

/// What abstract interpretation proves of the invariant, typings aside, and of variables.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Proved {
    /// True in every reachable state.
    pub always: Vec<ConjunctId>,
    /// True in every initial state.
    pub established: Vec<ConjunctId>,
    /// True after the operation if all conjuncts were true before.
    pub preserved: Vec<(OperationId, ConjunctId)>,
    /// What is known of variables in every reachable state, without any conjunct.
    pub variables: Vec<(VariableId, Value)>,
}

impl Proved {
    /// Interprets a model, as far as the [budget](Analysis::with_budget) of the analysis lasts.
    pub fn of(analysis: &Analysis<'_>) -> Proved {
        Interpretation::new(analysis).proved()
    }
}
