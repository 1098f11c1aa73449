//! What a comprehension over one integer demands of it, where that is only bounds and sets.

use super::context::Cx;
use crate::eval::frame::Demand;
use beeline_model::{Binder, CompareOp, Expr, ExprKind, LocalId, Pred, PredKind, TypeTable};
use beeline_plan::{Names, normal};

impl Cx<'_> {
    /// What a comprehension demands of an integer, if only bounds and sets it is in.
    pub fn demands(&mut self, b: &Binder) -> Option<Demand> {
        let [local] = b.locals.as_slice() else { return None };
        if self.model.local(*local).ty != TypeTable::INTEGER {
            return None;
        }
        self.demand(&b.predicate, *local)
    }

    fn demand(&mut self, pred: &Pred, local: LocalId) -> Option<Demand> {
        let all = |cx: &mut Self, parts: &[Pred]| {
            parts.iter().map(|part| cx.demand(part, local)).collect::<Option<Vec<Demand>>>()
        };
        match &pred.kind {
            PredKind::And(parts) => all(self, parts).map(Demand::All),
            PredKind::Or(parts) => all(self, parts).map(Demand::Any),
            PredKind::Not(inner) => Some(Demand::Not(Box::new(self.demand(inner, local)?))),
            PredKind::Compare(op, a, e) => self.compared(*op, a, e, local),
            _ => None,
        }
    }

    fn compared(&mut self, op: CompareOp, a: &Expr, e: &Expr, local: LocalId) -> Option<Demand> {
        use CompareOp as C;
        let mentions =
            |cx: &Self, e: &Expr| Names::of_expr(cx.model, e).close().locals.contains(&local);
        let is_local = |e: &Expr| matches!(e.kind, ExprKind::Local(l) if l == local);
        match op {
            C::Member | C::NotMember | C::Equal | C::NotEqual
                if is_local(a) && !mentions(self, e) =>
            {
                let e = self.expr(e);
                Some(match op {
                    C::Member => Demand::In(e),
                    C::NotMember => Demand::NotIn(e),
                    C::Equal => Demand::Is(e),
                    _ => Demand::IsNot(e),
                })
            }
            C::Less | C::LessEqual | C::Greater | C::GreaterEqual => {
                let solved = normal::solve_for(op, a, e, &|e| mentions(self, e))?;
                let shifted = |by| normal::shifted(&solved.other, by);
                Some(match solved.op {
                    C::Less => Demand::AtMost(self.expr(&shifted(-1))),
                    C::LessEqual => Demand::AtMost(self.expr(&solved.other)),
                    C::Greater => Demand::AtLeast(self.expr(&shifted(1))),
                    _ => Demand::AtLeast(self.expr(&solved.other)),
                })
            }
            _ => None,
        }
    }
}
