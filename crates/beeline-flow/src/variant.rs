//! Why a loop of one operation ends: an integer that is never negative while the operation is enabled, and that
//! every step makes smaller.

use crate::bases::Bases;
use crate::carry::carried_expr;
use crate::effort::Effort;
use crate::enabling::Enabling;
use crate::known::Known;
use crate::make;
use crate::replace::is_large;
use crate::terms::is_integer;
use beeline_model::{BinaryOp, CompareOp, Expr, ExprKind, OperationId, PredKind};

impl Enabling {
    /// A variant of a loop that does nothing but steps of this operation, if there is a simple one.
    pub fn variant(&self, operation: OperationId, effort: Effort) -> Option<Expr> {
        let operations = &self.model.concrete().operations;
        let at = operations.iter().position(|id| *id == operation)?;
        let (guard, action) = (self.guards[at].as_ref()?, self.actions[at + 1].as_ref()?);
        if !guard.parameters.is_empty() {
            return None;
        }
        let known = Bases::new(&self.model, effort).with_invariant(action);
        let candidates = guard.conjuncts.iter().flat_map(|p| match &p.kind {
            PredKind::Compare(op, a, b) if is_integer(a) => candidates(*op, a, b),
            _ => Vec::new(),
        });
        candidates.into_iter().find(|e| {
            let paths = action.paths.iter().zip(&known);
            paths.into_iter().all(|(path, known)| {
                let mut known: Known<'_> = known.with(effort.steps);
                let after = carried_expr(&mut known, path, e);
                let smaller = make::compare(CompareOp::Less, after.clone(), e.clone());
                let bounded = make::compare(CompareOp::GreaterEqual, e.clone(), make::integer(0));
                known.is_contradictory()
                    || (!is_large(&after)
                        && known.truth(&smaller) == Some(true)
                        && known.truth(&bounded) == Some(true))
            })
        })
    }
}

/// What a comparison says that there is room for.
fn candidates(op: CompareOp, a: &Expr, b: &Expr) -> Vec<Expr> {
    use CompareOp as C;
    let minus = |a: &Expr, b: &Expr| match &b.kind {
        ExprKind::Integer(n) if *n == 0.into() => a.clone(),
        _ => {
            let kind =
                ExprKind::Binary(BinaryOp::Subtract, Box::new(a.clone()), Box::new(b.clone()));
            make::expr(kind, a.ty)
        }
    };
    match op {
        C::Less | C::LessEqual => vec![minus(b, a)],
        C::Greater | C::GreaterEqual => vec![minus(a, b)],
        C::NotEqual => vec![minus(a, b), minus(b, a)],
        _ => Vec::new(),
    }
}
