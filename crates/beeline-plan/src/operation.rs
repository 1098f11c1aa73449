//! How the parameters of operations are found: the query in front of a body.

use crate::name::Name;
use crate::names::Names;
use crate::plan::{Act, Generator, Plan, PlanStep};
use beeline_model::{Conjunct, LocalId, Model, Operation, Pred, PredKind, Subst, SubstKind};
use beeline_source::Span;
use std::sync::Arc;

/// The branches of an `IF` are looked at up to this number.
const MAX_BRANCHES: usize = 16;

/// The guard at the top of an operation, and what remains.
pub fn peel(operation: &Operation) -> (Vec<Conjunct>, &Subst) {
    let (guard, rest) = operation.guard();
    (guard.into_iter().cloned().collect(), rest)
}

/// Conjuncts as one predicate.
pub fn conjunction(parts: &[Conjunct]) -> Pred {
    match parts {
        [one] => one.pred.clone(),
        _ => Pred {
            kind: PredKind::And(parts.iter().map(|c| c.pred.clone()).collect()),
            span: parts.first().map_or(Span::NONE, |c| c.span),
        },
    }
}

/// Plans one query: names, and what they must satisfy.
type Planner<'p> = &'p mut dyn FnMut(&[LocalId], &[Pred]) -> Arc<Plan>;

/// How the parameters of an operation are found; `query` plans one query.
///
/// Where the guard does not bound them, the conditions of an `IF` do: each branch is asked for its
/// own values, so that all of them are seen.
pub(crate) fn parameters(model: &Model, operation: &Operation, query: Planner<'_>) -> Arc<Plan> {
    let (guard, body) = peel(operation);
    let parameters = &operation.parameters;
    let plan = match guard.as_slice() {
        [] => query(parameters, &[]),
        _ => query(parameters, &[conjunction(&guard)]),
    };
    let SubstKind::If(branches, _) = &body.kind else { return plan };
    let about_parameters = |p: &Pred| {
        let names = Names::of_pred(model, p);
        parameters.iter().any(|l| names.locals.contains(l))
    };
    let few = branches.len() <= MAX_BRANCHES;
    // A guard that bounds the parameters is better than any branch: one plan, and no value twice.
    if !plan.unbounded || !few || !branches.iter().all(|(c, _)| about_parameters(c)) {
        return plan;
    }
    let mut plans = Vec::new();
    let mut before: Vec<Pred> = guard.iter().map(|c| c.pred.clone()).collect();
    for (condition, _) in branches {
        let mut here = before.clone();
        here.push(condition.clone());
        plans.push(query(parameters, &here));
        let not = PredKind::Not(Box::new(condition.clone()));
        // A branch is reached only if none before it was: the negations keep alternatives apart.
        before.push(Pred { kind: not, span: condition.span });
    }
    // And the values of no branch at all, which do something too.
    plans.push(query(parameters, &before));
    let mut leeway = plan.leeway;
    plans.iter().for_each(|plan| leeway.join(plan.leeway));
    let names: Vec<Name> = parameters.iter().map(|l| Name::Local(*l)).collect();
    let binds = names.iter().copied().collect();
    let from = Generator::Any { plans, names, of_if: true };
    let act = Act::Bind { from, binds, few: Vec::new() };
    let fanout = plan.fanout;
    let steps = vec![PlanStep { act, fanout }];
    Arc::new(Plan { steps, unbounded: true, fanout, leeway })
}
