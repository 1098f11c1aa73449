//! Operations that are not possible in any state.

use super::Facts;
use beeline_source::Span;

pub(super) fn find(facts: &Facts<'_>) -> Vec<(String, Span)> {
    let operations = facts.system.operations().iter().zip(&facts.exploration.covered);
    let never = operations.filter(|(_, steps)| **steps == 0).map(|(operation, _)| operation);
    never.map(|o| (o.name.clone(), facts.model.operation(o.id).span)).collect()
}
