//! Names that are defined as a lambda, applied: `f = %x.(P | E) & f(a) = b` speaks of `E` at `a`.
//!
//! Only functions over infinite types are unfolded: others are values that can be looked up. The
//! solver sees through the application of a lambda, and what it is applied to may be unknown.

use super::*;
use beeline_model::tree::{Node, children};

impl Planner<'_> {
    /// Puts the lambda in the place of the name wherever it is applied.
    pub(super) fn unfold(&self, unknowns: &[Name], parts: &mut [Pred]) {
        for i in 0..parts.len() {
            let Some((name, lambda)) = self.lambda_of(&parts[i], unknowns) else { continue };
            // Not in its own definition, which must stay to give the name its value.
            for (j, part) in parts.iter_mut().enumerate() {
                if j != i {
                    apply_in(Node::Pred(part), name, &lambda);
                }
            }
        }
    }

    /// `f = %x.(P | E)` over an infinite type, where f does not occur in the lambda.
    fn lambda_of(&self, p: &Pred, unknowns: &[Name]) -> Option<(Name, Expr)> {
        let PredKind::Compare(CompareOp::Equal, a, b) = &p.kind else { return None };
        [(a, b), (b, a)].into_iter().find_map(|(name, value)| {
            let name = as_name(name).filter(|n| unknowns.contains(n))?;
            let ExprKind::Lambda(binder, _) = &value.kind else { return None };
            let infinite = |l: &LocalId| self.type_size(self.model.local(*l).ty) >= INFINITE;
            let fits = binder.locals.iter().any(infinite)
                && self.unknown_in_expr(value, &BTreeSet::from([name])).is_empty();
            fits.then(|| (name, (**value).clone()))
        })
    }
}

fn apply_in(node: Node<'_>, name: Name, lambda: &Expr) {
    if let Node::Expr(Expr { kind: ExprKind::Apply(function, argument), .. }) = node {
        if as_name(function) == Some(name) {
            **function = lambda.clone();
        } else {
            apply_in(Node::Expr(function), name, lambda);
        }
        apply_in(Node::Expr(argument), name, lambda);
        return;
    }
    for child in children(node) {
        apply_in(child, name, lambda);
    }
}
