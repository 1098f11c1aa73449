//! Guards without a meaning in operations that another guard forbids.
//!
//! Guards that follow each other at the head of an operation are one condition for a checker, which may
//! ask them in any order: `SELECT x /= min({}) THEN SELECT 1 = 2 …` is not possible, or it fails. Both
//! are right, so the reference says neither.

use beeline::judge::{EvalError, Judge, Scene, State};
use beeline::model::{Conjunct, OperationId, Subst, SubstKind};

/// The conditions at the head of an operation.
#[derive(Default)]
struct Head<'m> {
    levels: usize,
    /// Are there names for which there may be several values?
    open: bool,
    conjuncts: Vec<&'m Conjunct>,
}

impl<'m> Head<'m> {
    fn collect(&mut self, body: &'m Subst) {
        let (condition, body) = match &body.kind {
            SubstKind::Pre(condition, body) => (condition, &**body),
            SubstKind::Select(branches, None) => match branches.as_slice() {
                [(condition, body)] => (condition, body),
                _ => return,
            },
            SubstKind::Any(_, condition, body) => {
                self.open = true;
                (condition, &**body)
            }
            SubstKind::Let(_, body) => {
                self.open = true;
                return self.collect(body);
            }
            _ => return,
        };
        self.levels += 1;
        self.conjuncts.extend(condition);
        self.collect(body);
    }
}

/// May the operation be called impossible in this state, though one of its guards has no meaning?
pub(super) fn may_be_disabled(
    judge: &Judge<'_>,
    operation: OperationId,
    state: &State,
    fault: &EvalError,
) -> bool {
    let operation = judge.model().operation(operation);
    let mut head = Head { open: !operation.parameters.is_empty(), ..Head::default() };
    head.collect(&operation.body);
    let at = fault.span();
    let within = |c: &&Conjunct| c.span.start <= at.start && at.end <= c.span.end;
    if head.levels < 2 || !head.conjuncts.iter().any(within) {
        return false;
    }
    let is_false = |c: &&Conjunct| {
        judge.refill();
        judge.holds(&c.pred, &Scene::of(state)) == Ok(false)
    };
    head.open || head.conjuncts.iter().any(is_false)
}
