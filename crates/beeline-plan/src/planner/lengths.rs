//! Integers that only the length of something bounds: the end of an interval that is equal to a known
//! set, or the source of a known function.

use super::*;
use beeline_model::{Binder, TypeTable};

impl Planner<'_> {
    /// What the length of something known says about the end of an interval.
    pub(super) fn lengths(
        &self,
        atom: &Atom,
        unbound: &BTreeSet<Name>,
        offer: &mut dyn FnMut(Candidate),
    ) {
        let PredKind::Compare(op, a, b) = &atom.pred.kind else { return };
        if let Some((end, set)) = self.interval_end(*op, a, b, unbound)
            && let Some(binds) = self.pattern_binds(&end, unbound)
        {
            offer(Candidate {
                cost: 2.0,
                unbounded: false,
                binds,
                settles: Vec::new(),
                how: Generator::Member { pattern: end, set },
            });
        }
    }

    /// `f : lo..n --> B` and `s = lo..n` tell what `n` is if the rest is known: there are as many
    /// elements, unless there is none. The name, and the set that it is in.
    fn interval_end(
        &self,
        op: CompareOp,
        a: &Expr,
        b: &Expr,
        unbound: &BTreeSet<Name>,
    ) -> Option<(Expr, Expr)> {
        let known = |e: &Expr| self.unknown_in_expr(e, unbound).is_empty();
        let keys = match (op, &b.kind) {
            (CompareOp::Equal, _) => b,
            (CompareOp::Member, ExprKind::Binary(arrow, keys, _)) if is_total(*arrow) => keys,
            _ => return None,
        };
        let ExprKind::Binary(BinaryOp::Interval, low, end) = &keys.kind else { return None };
        // Only a plain name at the end: its value can be read off, others would have to be solved for.
        let name = as_name(end).filter(|n| unbound.contains(n))?;
        if !known(a) || !known(low) || name.ty(self.model) != TypeTable::INTEGER {
            return None;
        }
        let like = |kind, like: &Expr| Expr { kind, ty: like.ty, span: like.span };
        let count = like(ExprKind::Unary(UnaryOp::Card, Box::new(a.clone())), end);
        let before = shifted(low, -1);
        let last = ExprKind::Binary(BinaryOp::Add, Box::new(before), Box::new(count));
        let one = like(ExprKind::SetExtension(vec![like(last, end)]), keys);
        let all = like(ExprKind::Basic(BasicSet::Integer), keys);
        // Of the empty set every end below the beginning is right, so then it tells nothing.
        let empty = like(ExprKind::EmptySet, a);
        let none = PredKind::Compare(CompareOp::Equal, Box::new(a.clone()), Box::new(empty));
        let none = Pred { kind: none, span: a.span };
        let set = ExprKind::If(Box::new(none), Box::new(all), Box::new(one));
        Some(((**end).clone(), like(set, keys)))
    }

    /// Is a bound integer in infinite sets, and nothing else said of it but that others lie in sets
    /// made from it? So it is with sequences of any length: `{n, f . n : NATURAL & f : 1..n --> B | f}`.
    pub(super) fn has_free_integer(&self, binder: &Binder) -> bool {
        let mut parts = Vec::new();
        normal::split(&binder.predicate, &mut parts);
        let free = |local: &LocalId| {
            let name = Name::Local(*local);
            let only = BTreeSet::from([name]);
            let mut stated = 0;
            let harmless = |p: &Pred| match &p.kind {
                PredKind::Compare(CompareOp::Member, x, set) if as_name(x) == Some(name) => {
                    stated += 1;
                    self.is_infinite_set(set)
                }
                // That others lie in sets made from it does not bound it.
                PredKind::Compare(CompareOp::Member, x, _) => {
                    self.unknown_in_expr(x, &only).is_empty()
                }
                _ => self.needs_of(p, &only).is_empty(),
            };
            name.ty(self.model) == TypeTable::INTEGER && parts.iter().all(harmless) && stated > 0
        };
        binder.locals.iter().any(free)
    }
}

/// Has each function of these spaces a value for every element of its source?
fn is_total(arrow: BinaryOp) -> bool {
    matches!(
        arrow,
        BinaryOp::TotalFunctions
            | BinaryOp::TotalInjections
            | BinaryOp::TotalSurjections
            | BinaryOp::TotalBijections
    )
}
