//! Which conjuncts need not be evaluated, by abstract interpretation.
//!
//! Two kinds of knowledge are kept apart. What is *always* true holds in every reachable state, because it
//! is true of an abstract state that stands for all of them: nothing else has to hold for that. What an
//! operation *preserves*, and what initialisation *establishes*, is true after one step: after a step, only
//! if the whole invariant held before. Both include that the conjunct is well-defined.

use crate::analysis::Analysis;
use crate::domain::Value;
use crate::env::Name;
use crate::states::{Interpretation, holds};
use beeline_model::{ConjunctId, Invariant, OperationId, VariableId};
use std::collections::BTreeMap;

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

impl<'m> Interpretation<'_, 'm> {
    /// What can be said without a fixed point, and then with one, as far as steps last.
    fn proved(mut self) -> Proved {
        let mut proved = Proved::default();
        if self.analysis.is_exhausted() {
            return proved;
        }
        let established = self.established();
        // What holds before a step where the whole invariant does, whatever was reached so far.
        let before = self.assuming(&self.constants);
        let level = self.analysis.model.concrete();
        for id in &level.operations {
            let after = self.step(*id, &before);
            let touched = self.touched(*id).filter(|(_, i)| !i.only_types);
            let kept = touched.filter(|(_, invariant)| holds(self.analysis, invariant, &after));
            let kept: Vec<_> = kept.map(|(conjunct, _)| (*id, *conjunct)).collect();
            if self.analysis.is_exhausted() {
                return proved;
            }
            proved.preserved.extend(kept);
        }
        let spoken = |of: &BTreeMap<ConjunctId, &'m Invariant>| -> Vec<ConjunctId> {
            of.iter().filter(|(_, i)| !i.only_types).map(|(id, _)| *id).collect()
        };
        proved.established = spoken(&established);
        self.candidates = established;
        loop {
            let Some(state) = self.fixed_point() else { return proved };
            let (refuted, _) = self.refuted(&state);
            if self.analysis.is_exhausted() {
                return proved;
            }
            if refuted.is_empty() {
                proved.always = spoken(&self.candidates);
                let state = self.assuming(&state);
                let known = level.variables.iter().filter_map(|v| {
                    let value = state.get(Name::Variable(*v))?;
                    Some((*v, (**value).clone()))
                });
                proved.variables = known.collect();
                return proved;
            }
            self.candidates.retain(|id, _| !refuted.contains(id));
        }
    }
}
