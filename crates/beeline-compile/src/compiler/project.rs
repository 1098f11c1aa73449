//! Domains of comprehensions, by leaving their last name out.
//!
//! `dom({x, y | P & y = E})` is `{x | P}`, and so it is if y may be any number: this is how the
//! domain of an infinite relation is told. Finite ones are listed instead.

use super::context::Cx;
use beeline_model::{
    BasicSet, Binder, CompareOp, Expr, ExprKind, LocalId, Pred, PredKind, TypeTable, UnaryOp,
};
use beeline_plan::{Names, is_defined, normal};

impl Cx<'_> {
    /// The domain of an expression that is a comprehension, or the domain of one.
    pub fn projection(&self, e: &Expr) -> Option<Binder> {
        match &e.kind {
            ExprKind::Comprehension(binder) => self.projected(binder),
            ExprKind::Unary(UnaryOp::Domain, inner) => self.projected(&self.projection(inner)?),
            _ => None,
        }
    }

    /// The comprehension without its last name, if that has a value whatever the others are.
    fn projected(&self, b: &Binder) -> Option<Binder> {
        let (last, locals) = b.locals.split_last()?;
        if locals.is_empty() || self.model.local(*last).ty != TypeTable::INTEGER {
            return None;
        }
        let mut parts = Vec::new();
        normal::split(&b.predicate, &mut parts);
        let (about, rest): (Vec<Pred>, Vec<Pred>) =
            parts.into_iter().partition(|p| Names::of_pred(self.model, p).locals.contains(last));
        let about: Vec<&Pred> =
            about.iter().filter(|p| !is_in(p, *last, BasicSet::Integer)).collect();
        let always = match about.as_slice() {
            [] => true,
            [one] => {
                self.is_value_of(one, *last)
                    || is_in(one, *last, BasicSet::Natural)
                    || is_in(one, *last, BasicSet::Natural1)
            }
            _ => false,
        };
        always.then(|| Binder {
            locals: locals.to_vec(),
            predicate: Pred { kind: PredKind::And(rest), span: b.predicate.span },
            symbolic: b.symbolic,
        })
    }

    /// `x = E` with an E that is always well-defined.
    fn is_value_of(&self, p: &Pred, local: LocalId) -> bool {
        let PredKind::Compare(CompareOp::Equal, a, b) = &p.kind else { return false };
        [(a, b), (b, a)].into_iter().any(|(name, value)| {
            is_local(name, local)
                && is_defined(value)
                && !Names::of_expr(self.model, value).locals.contains(&local)
        })
    }
}

fn is_local(e: &Expr, local: LocalId) -> bool {
    matches!(e.kind, ExprKind::Local(l) if l == local)
}

fn is_in(p: &Pred, local: LocalId, set: BasicSet) -> bool {
    matches!(&p.kind, PredKind::Compare(CompareOp::Member, a, b)
        if is_local(a, local) && matches!(b.kind, ExprKind::Basic(s) if s == set))
}
