//! Which conjuncts of the invariant an operation preserves, as the closure and others prove it.
//!
//! What is said is what `beeline-prove` says: a step from a state that satisfies the whole invariant leads to
//! states in which the conjunct holds, and has a meaning.

use crate::action::{self, is_pure};
use crate::asker::Asker;
use crate::bases::Bases;
use crate::carry::carried;
use crate::effort::{Job, Progress};
use crate::replace::{is_large, is_large_pred};
use beeline_model::{ConjunctId, Model, OperationId};
use beeline_prove::{Question, Reach};

/// A conjunct that a step of an operation leaves true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preserves {
    /// The operation.
    pub operation: OperationId,
    /// The conjunct.
    pub conjunct: ConjunctId,
    /// Who proved it; nobody else was needed if this is empty.
    pub by: Vec<&'static str>,
    /// It is proved in one scope only.
    pub scope: bool,
}

/// All pairs of an operation and a conjunct that it may change, and that is preserved all the same.
pub fn preserved(model: &Model, job: &mut Job<'_>) -> Vec<Preserves> {
    let mut model = model.clone();
    let operations = model.concrete().operations.clone();
    let actions: Vec<_> = operations.iter().map(|id| action::operation(&mut model, *id)).collect();
    let model = &model;
    let bases = Bases::new(model, job.effort);
    let conjuncts: Vec<_> = model.concrete().numbered_invariants().collect();
    let of = operations.len() * conjuncts.len();
    let (mut found, mut pairs, mut context) = (Vec::new(), 0, 0);
    for (id, action) in operations.iter().zip(&actions) {
        let operation = model.operation(*id);
        let ways = action.as_ref().map(|action| bases.ways(action, context));
        context += ways.as_ref().map_or(0, Vec::len);
        for (conjunct, invariant) in &conjuncts {
            pairs += 1;
            if !(job.go_on)(Progress { pairs, of }) {
                return found;
            }
            let written = invariant.reads.iter().any(|v| operation.writes.contains(v));
            if invariant.only_types || !written {
                continue;
            }
            let mut proof =
                Preserves { operation: *id, conjunct: *conjunct, by: Vec::new(), scope: false };
            let question = Question { model, id: *id, operation, conjunct: *conjunct, invariant };
            let mut sources = job.sources.iter_mut();
            if let Some(source) = sources.find_map(|s| s.preserves(&question).then_some(s)) {
                proof.by.push(source.name());
                proof.scope = source.reach() == Reach::Scope;
                found.push(proof);
                continue;
            }
            let (Some(action), Some(ways)) = (action, &ways) else { continue };
            let p = &invariant.conjunct.pred;
            let steps = job.effort.steps / ways.len().max(1) as u64;
            let all = action.paths.iter().zip(ways).all(|(path, way)| {
                let too_large = is_large_pred(p) || path.after.iter().any(|(_, e)| is_large(e));
                if too_large || !is_pure(p) {
                    return false;
                }
                let mut asker = Asker::alone(way.after.with(steps));
                if asker.known.is_contradictory() {
                    return true;
                }
                let after = carried(&mut asker.known, path, p);
                if is_large_pred(&after) || !asker.known.is_defined(&after) {
                    return false;
                }
                asker.others = Some((&mut job.sources, &way.context));
                let holds = asker.truth(&after) == Some(true);
                proof.scope |= asker.scope;
                for name in asker.by {
                    if !proof.by.contains(&name) {
                        proof.by.push(name);
                    }
                }
                holds
            });
            if all {
                found.push(proof);
            }
        }
    }
    found
}
