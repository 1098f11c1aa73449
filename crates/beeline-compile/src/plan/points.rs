//! Functions that are given point by point, by equations for single entries.

use super::*;
use crate::entries::{Entries, Part, RuleCode};

/// A function with a known domain, some known values, and equations for others.
pub(super) struct ByPoints {
    pub name: Name,
    domain: Expr,
    points: Vec<(Expr, Expr)>,
    pub rules: Vec<Rule>,
}

/// `!locals.(conditions => f(key) = value)`, or the same for a part of `f(key)`.
pub(super) struct Rule {
    pub locals: Vec<LocalId>,
    pub conditions: Vec<Pred>,
    pub key: Expr,
    pub part: Part<Expr>,
    pub value: Expr,
}

impl Cx<'_> {
    /// Functions that are given point by point: `f : A --> B & f(a) = 1 & f(b) = 2 …`, where `b` may
    /// stand for many points and `2` may be said in terms of other entries.
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
                found.push(ByPoints { name, domain, points: Vec::new(), rules: Vec::new() });
            }
        }
        for atom in atoms.iter().filter(|a| !a.done) {
            self.point(atom, open, &mut found);
            for function in &mut found {
                self.rules_of(&atom.pred, open, function);
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
    fn point(&self, atom: &Atom, open: &BTreeSet<Name>, found: &mut [ByPoints]) {
        let PredKind::Compare(CompareOp::Equal, a, b) = &atom.pred.kind else { return };
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
            let slot = self.name_slot(function.name);
            let points =
                function.points.iter().map(|(k, v)| (self.kept(k), self.kept(v))).collect();
            let domain = self.kept(&function.domain);
            let rules = function.rules.into_iter().map(|rule| self.rule(rule)).collect();
            compiled.push(Entries { slot, domain, points, rules });
        }
        let covered = self.plan_rest(unknowns, atoms.clone(), left, depth, true);
        let otherwise = self.plan_rest(unknowns, atoms, open, depth, false);
        query.unbounded |= otherwise.unbounded;
        query.fanout *= otherwise.fanout;
        query.steps.push(Step::Points { functions: compiled, covered, otherwise });
        query
    }

    fn rule(&mut self, rule: Rule) -> RuleCode {
        RuleCode {
            slots: rule.locals.iter().map(|l| self.local_slot(*l)).collect(),
            query: self.plain_query(&rule.locals, rule.conditions),
            key: self.kept(&rule.key),
            part: match rule.part {
                Part::Whole => Part::Whole,
                Part::Length => Part::Length,
                Part::Item(e) => Part::Item(self.kept(&e)),
            },
            span: rule.value.span,
            value: self.kept(&rule.value),
        }
    }
}
