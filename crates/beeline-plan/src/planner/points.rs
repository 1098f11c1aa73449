//! Functions that are given point by point, by equations for single entries.

use super::*;
use crate::plan::{ByPoints, Part, Points, Rule};

/// A function before its rules have plans.
pub(super) struct Given {
    pub name: Name,
    domain: Expr,
    points: Vec<(Expr, Expr)>,
    pub rules: Vec<Equation>,
}

/// `!locals.(conditions => f(key) = value)`, or the same for a part of `f(key)`.
pub(super) struct Equation {
    pub locals: Vec<LocalId>,
    pub conditions: Vec<Pred>,
    pub key: Expr,
    pub part: Part<Expr>,
    pub value: Expr,
}

impl Planner<'_> {
    /// Functions that are given point by point: `f : A --> B & f(a) = 1 & f(b) = 2 …`, where `b` may
    /// stand for many points and `2` may be said in terms of other entries.
    pub(super) fn by_points(&self, atoms: &[Atom], unbound: &BTreeSet<Name>) -> Option<Vec<Given>> {
        let mut found: Vec<Given> = Vec::new();
        for atom in atoms.iter().filter(|a| !a.done) {
            let PredKind::Compare(CompareOp::Member, a, b) = &atom.pred.kind else { continue };
            if let Some(name) = as_name(a).filter(|n| unbound.contains(n))
                && let ExprKind::Binary(op, domain, _) = &b.kind
                && arrow(*op as usize).is_some_and(|arrow| arrow.total)
                && self.unknown_in_expr(domain, unbound).is_empty()
                && found.iter().all(|f| f.name != name)
            {
                let domain = (**domain).clone();
                found.push(Given { name, domain, points: Vec::new(), rules: Vec::new() });
            }
        }
        for atom in atoms.iter().filter(|a| !a.done) {
            self.point(atom, unbound, &mut found);
            for function in &mut found {
                self.rules_of(&atom.pred, unbound, function);
            }
        }
        found.retain(|f| !f.points.is_empty() || !f.rules.is_empty());
        // One that rests on itself may fail, which shall not be the loss of the others.
        if found.iter().any(|f| f.rules.is_empty()) {
            found.retain(|f| f.rules.is_empty());
        } else {
            found.truncate(1);
        }
        (!found.is_empty()).then_some(found)
    }

    /// `f(a) = 1`
    fn point(&self, atom: &Atom, unbound: &BTreeSet<Name>, found: &mut [Given]) {
        let PredKind::Compare(CompareOp::Equal, a, b) = &atom.pred.kind else { return };
        for (place, value) in [(a, b), (b, a)] {
            if let ExprKind::Apply(function, key) = &place.kind
                && let Some(name) = as_name(function)
                && let Some(row) = found.iter_mut().find(|f| f.name == name)
                && self.unknown_in_expr(key, unbound).is_empty()
                && self.unknown_in_expr(value, unbound).is_empty()
            {
                row.points.push(((**key).clone(), (**value).clone()));
            }
        }
    }

    /// Two plans: one for when the points cover the domains, one for when they do not.
    pub(super) fn plan_points(
        &mut self,
        functions: Vec<Given>,
        unknowns: &[Name],
        atoms: Vec<Atom>,
        unbound: BTreeSet<Name>,
        mut plan: Plan,
        depth: usize,
    ) -> Plan {
        let mut left = unbound.clone();
        functions.iter().for_each(|function| {
            left.remove(&function.name);
        });
        let functions = functions.into_iter().map(|given| self.with_plans(given)).collect();
        let covered = self.plan_rest(unknowns, atoms.clone(), left, depth, true);
        // Whether they cover it is known only when it runs: the other way must be ready too.
        let otherwise = self.plan_rest(unknowns, atoms, unbound, depth, false);
        plan.unbounded |= otherwise.unbounded;
        plan.fanout *= otherwise.fanout;
        let act = Act::Points(Box::new(Points { functions, covered, otherwise }));
        plan.steps.push(PlanStep { act, fanout: plan.fanout });
        plan
    }

    fn with_plans(&mut self, given: Given) -> ByPoints {
        let rules = given.rules.into_iter().map(|rule| Rule {
            plan: self.plain_query(&rule.locals, rule.conditions),
            locals: rule.locals,
            key: rule.key,
            part: rule.part,
            value: rule.value,
        });
        let rules = rules.collect();
        ByPoints { name: given.name, domain: given.domain, points: given.points, rules }
    }
}
