//! Functions that are given point by point.

use super::*;

impl Cx<'_> {
    /// Functions that are given point by point: `f : A --> B & f(a) = 1 & f(b) = 2 …`
    pub(super) fn by_points(&self, atoms: &[Atom], open: &BTreeSet<Name>) -> Option<Vec<ByPoints>> {
        let mut found: Vec<ByPoints> = Vec::new();
        for atom in atoms.iter().filter(|a| !a.done) {
            let PredKind::Compare(CompareOp::Member, a, b) = &atom.pred.kind else { continue };
            if let Some(name) = as_name(a).filter(|n| open.contains(n))
                && let ExprKind::Binary(op, domain, _) = &b.kind
                && crate::spaces::arrow(*op as usize).is_some_and(|arrow| arrow.total)
                && self.unknown_in_expr(domain, open).is_empty()
                && found.iter().all(|f| f.name != name)
            {
                let domain = (**domain).clone();
                found.push(ByPoints { name, domain, points: Vec::new() });
            }
        }
        for atom in atoms.iter().filter(|a| !a.done) {
            let PredKind::Compare(CompareOp::Equal, a, b) = &atom.pred.kind else { continue };
            for (place, value) in [(a, b), (b, a)] {
                if let ExprKind::Apply(function, key) = &place.kind
                    && let Some(name) = as_name(function)
                    && let Some(row) = found.iter_mut().find(|f| f.name == name)
                    && self.unknown_in_expr(key, open).is_empty()
                    && self.unknown_in_expr(value, open).is_empty()
                {
                    row.points.push(((**key).clone(), (**value).clone()));
                }
            }
        }
        found.retain(|f| !f.points.is_empty());
        (!found.is_empty()).then_some(found)
    }

    /// Two plans: one for when the points cover the domains, one for when they do not.
    pub(super) fn plan_points(
        &mut self,
        functions: Vec<ByPoints>,
        unknowns: &[Name],
        atoms: Vec<Atom>,
        open: BTreeSet<Name>,
        mut query: Query,
        depth: usize,
    ) -> Query {
        let mut left = open.clone();
        let mut compiled = Vec::new();
        for function in functions {
            left.remove(&function.name);
            let points =
                function.points.iter().map(|(k, v)| (self.kept(k), self.kept(v))).collect();
            let domain = self.kept(&function.domain);
            compiled.push((self.name_slot(function.name), domain, points));
        }
        let covered = self.plan_rest(unknowns, atoms.clone(), left, depth, true);
        let otherwise = self.plan_rest(unknowns, atoms, open, depth, false);
        query.unbounded |= otherwise.unbounded;
        query.fanout *= otherwise.fanout;
        query.steps.push(Step::Points { functions: compiled, covered, otherwise });
        query
    }
}
