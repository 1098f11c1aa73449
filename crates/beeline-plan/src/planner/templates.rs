//! Conjuncts in a form that the solver has constraints for.
//!
//! Parts without unknown names stay as they are, the rest keeps its form. What has no such form is
//! tested as soon as its names have values.

use super::*;
use crate::plan::{Range, TermPlan, TruthPlan};
use crate::template::{Term, Truth};
use beeline_model::{Binder, ExprQuantifier};

/// Quantifiers that surely have more candidates are not unrolled.
const UNROLL: f64 = 1e9;

/// Makes templates of formulas.
struct Templates<'c, 'p> {
    planner: &'c mut Planner<'p>,
    /// Unknown names in their order, then those that a LET binds around here.
    unbound: Vec<Name>,
    set: BTreeSet<Name>,
}

impl Planner<'_> {
    /// The form of a conjunct over unknown names, if there is one.
    pub(super) fn template(&mut self, p: &Pred, unbound: &BTreeSet<Name>) -> Option<TruthPlan> {
        Templates::new(self, unbound).truth(p)
    }

    /// Is there a form for an expression over unknown names?
    pub(super) fn has_form(&mut self, e: &Expr, unbound: &BTreeSet<Name>) -> bool {
        Templates::new(self, unbound).term(e).is_some()
    }
}

impl<'c, 'p> Templates<'c, 'p> {
    fn new(planner: &'c mut Planner<'p>, unbound: &BTreeSet<Name>) -> Templates<'c, 'p> {
        Templates { planner, unbound: unbound.iter().copied().collect(), set: unbound.clone() }
    }

    /// Values of further names, which `body` may then use.
    fn with_names<R>(
        &mut self,
        values: &[(LocalId, Expr)],
        body: impl FnOnce(&mut Self) -> Option<R>,
    ) -> Option<(Vec<TermPlan>, R)> {
        let before = self.unbound.len();
        let mut terms = Vec::new();
        let bind = || {
            for (local, value) in values {
                terms.push(self.term(value)?);
                self.unbound.push(Name::Local(*local));
                self.set.insert(Name::Local(*local));
            }
            body(self)
        };
        let result = bind();
        for name in self.unbound.drain(before..) {
            self.set.remove(&name);
        }
        Some((terms, result?))
    }

    /// Takes `x = E` and `x : {E}` with an unknown E out of the conditions of bound names: x has
    /// just that value.
    fn equations(
        &self,
        mut locals: Vec<LocalId>,
        conditions: Vec<Pred>,
    ) -> (Vec<LocalId>, Vec<Pred>, Vec<(LocalId, Expr)>) {
        let mut todo = Vec::new();
        conditions.into_iter().for_each(|p| split_pairs(p, &mut todo));
        let mut lets: Vec<(LocalId, Expr)> = Vec::new();
        let mut rest = Vec::new();
        loop {
            let before = lets.len();
            for p in std::mem::take(&mut todo) {
                match self.equation(&p, &locals, &lets) {
                    Some((local, value)) => {
                        locals.retain(|l| *l != local);
                        lets.push((local, value));
                    }
                    None => rest.push(p),
                }
            }
            // What reads a name with an unknown value is unknown as well.
            if lets.len() == before {
                break;
            }
            todo = std::mem::take(&mut rest);
        }
        // Each value may read the names before it; in a circle nothing is gained.
        let bound: BTreeSet<LocalId> = lets.iter().map(|l| l.0).collect();
        let mut ordered: Vec<(LocalId, Expr)> = Vec::new();
        while !lets.is_empty() {
            let ready = lets.iter().position(|(_, value)| {
                let names = Names::of_expr(self.planner.model, value).locals;
                names.iter().all(|l| !bound.contains(l) || ordered.iter().any(|o| o.0 == *l))
            });
            match ready {
                Some(i) => ordered.push(lets.remove(i)),
                None => {
                    for (local, value) in lets.drain(..) {
                        locals.push(local);
                        rest.push(equal_to(local, value));
                    }
                }
            }
        }
        (locals, rest, ordered)
    }

    /// `x = E` for a bound name x and an unknown E.
    fn equation(
        &self,
        p: &Pred,
        locals: &[LocalId],
        lets: &[(LocalId, Expr)],
    ) -> Option<(LocalId, Expr)> {
        let PredKind::Compare(CompareOp::Equal, a, b) = &p.kind else { return None };
        [(a, b), (b, a)].into_iter().find_map(|(name, value)| {
            let ExprKind::Local(local) = name.kind else { return None };
            let read = Names::of_expr(self.planner.model, value).locals;
            let unknown = !self.is_known_expr(value) || lets.iter().any(|(l, _)| read.contains(l));
            (locals.contains(&local) && unknown && !read.contains(&local))
                .then(|| (local, (**value).clone()))
        })
    }

    /// `(%x.(P | E))(a)` as a name with the value a, P as a condition, and E.
    fn reduced(&mut self, b: &Binder, body: &Expr, argument: &Expr) -> Option<TermPlan> {
        let mut values = Vec::new();
        let mut rest = argument;
        for local in b.locals.iter().skip(1).rev() {
            let ExprKind::Binary(BinaryOp::Pair, left, right) = &rest.kind else { return None };
            values.push((*local, (**right).clone()));
            rest = left;
        }
        values.push((*b.locals.first()?, rest.clone()));
        let (values, (condition, body)) =
            self.with_names(&values, |t| Some((t.truth(&b.predicate)?, t.term(body)?)))?;
        Some(Term::Let(values, Some(Box::new(condition)), Box::new(body)))
    }

    fn is_known_expr(&self, e: &Expr) -> bool {
        self.planner.unknown_in_expr(e, &self.set).is_empty()
    }

    fn is_known_pred(&self, p: &Pred) -> bool {
        let names = Names::of_pred(self.planner.model, p);
        self.unbound.iter().all(|n| match n {
            Name::Local(l) => !names.locals.contains(l),
            Name::Constant(c) => !names.constants.contains(c),
        })
    }

    fn truths(&mut self, parts: &[Pred]) -> Option<Vec<TruthPlan>> {
        parts.iter().map(|p| self.truth(p)).collect()
    }

    fn truth(&mut self, p: &Pred) -> Option<TruthPlan> {
        // What has no unknown is evaluated once when the question is asked, and never looked into.
        if self.is_known_pred(p) {
            return Some(Truth::Known(p.clone()));
        }
        Some(match &p.kind {
            PredKind::And(parts) => Truth::And(self.truths(parts)?),
            PredKind::Or(parts) => Truth::Or(self.truths(parts)?),
            PredKind::Not(inner) => match normal::negated(inner) {
                Some(p) => self.truth(&p)?,
                None => Truth::Not(Box::new(self.truth(inner)?)),
            },
            PredKind::Implies(a, b) => {
                let not = Pred { kind: PredKind::Not(a.clone()), span: p.span };
                Truth::Or(vec![self.truth(&not)?, self.truth(b)?])
            }
            PredKind::Equivalent(a, b) => {
                Truth::Iff(Box::new(self.truth(a)?), Box::new(self.truth(b)?))
            }
            PredKind::Compare(op, a, b) => {
                let (a, b) = (self.term(a)?, self.term(b)?);
                Truth::Compare(*op, Box::new(a), Box::new(b), p.span)
            }
            PredKind::If(c, a, b) => {
                let not = Pred { kind: PredKind::Not(c.clone()), span: p.span };
                let (yes, no) = (self.truth(c)?, self.truth(&not)?);
                let (a, b) = (self.truth(a)?, self.truth(b)?);
                Truth::Or(vec![Truth::And(vec![yes, a]), Truth::And(vec![no, b])])
            }
            PredKind::Forall(locals, body) => {
                let (locals, conditions, claim) = normal::universal(locals, body);
                let (locals, conditions, lets) = self.equations(locals, conditions);
                let (values, (range, rest, claim)) = self.with_names(&lets, |t| {
                    let (range, rest) = t.range(&locals, conditions)?;
                    Some((range, rest, t.truth(&claim)?))
                })?;
                if values.is_empty() {
                    Truth::All(range, Box::new(Truth::And(rest)), Box::new(claim))
                } else {
                    let claim = Truth::Or(vec![Truth::Not(Box::new(Truth::And(rest))), claim]);
                    let claim = Truth::Let(values, Box::new(claim));
                    Truth::All(range, Box::new(Truth::And(Vec::new())), Box::new(claim))
                }
            }
            PredKind::Exists(locals, body) => {
                let mut parts = Vec::new();
                normal::split(body, &mut parts);
                let (locals, parts, lets) = self.equations(locals.clone(), parts);
                let (values, (range, rest)) =
                    self.with_names(&lets, |t| t.range(&locals, parts))?;
                let rest = Truth::And(rest);
                let rest =
                    if values.is_empty() { rest } else { Truth::Let(values, Box::new(rest)) };
                Truth::Some(range, Box::new(rest))
            }
            PredKind::Partition(whole, parts) => {
                let whole = self.term(whole)?;
                let parts: Option<Vec<TermPlan>> = parts.iter().map(|e| self.term(e)).collect();
                Truth::Partition(Box::new(whole), parts?)
            }
            PredKind::Let(values, body) => {
                let (values, body) = self.with_names(values, |t| t.truth(body))?;
                Truth::Let(values, Box::new(body))
            }
            _ => return None,
        })
    }

    /// The known part of conditions as a range, the rest as templates.
    fn range(&mut self, locals: &[LocalId], parts: Vec<Pred>) -> Option<(Range, Vec<TruthPlan>)> {
        let (known, mut rest): (Vec<Pred>, Vec<Pred>) =
            parts.into_iter().partition(|p| self.is_known_pred(p));
        let plan = self.planner.plain_query(locals, known.clone());
        if !plan.unbounded && plan.fanout <= UNROLL {
            return Some((Range { over: None, plan }, self.truths(&rest)?));
        }
        // An unknown set whose candidates are known is a range as well.
        let names: BTreeSet<Name> = locals.iter().map(|l| Name::Local(*l)).collect();
        for i in 0..rest.len() {
            if let PredKind::Compare(CompareOp::Member, a, b) = &rest[i].kind
                && self.planner.unknown_in_expr(b, &names).is_empty()
                && self.is_known_expr(a)
                && let Some(binds) = self.planner.pattern_binds(a, &names)
                && let Some(set) = self.term(b)
            {
                let left: Vec<LocalId> =
                    locals.iter().copied().filter(|l| !binds.contains(&Name::Local(*l))).collect();
                let plan = self.planner.plain_query(&left, known);
                if plan.unbounded || plan.fanout > UNROLL {
                    return None;
                }
                let over = Some(((**a).clone(), binds, Box::new(set)));
                rest.remove(i);
                let range = Range { over, plan };
                return Some((range, self.truths(&rest)?));
            }
        }
        None
    }

    fn terms(&mut self, parts: &[Expr]) -> Option<Vec<TermPlan>> {
        parts.iter().map(|e| self.term(e)).collect()
    }

    fn term(&mut self, e: &Expr) -> Option<TermPlan> {
        if let Some(name) = as_name(e)
            && let Some(i) = self.unbound.iter().position(|n| *n == name)
        {
            return Some(Term::Name(i));
        }
        if self.is_known_expr(e) {
            return Some(Term::Known(e.clone()));
        }
        Some(match &e.kind {
            ExprKind::Unary(UnaryOp::Negate, a) => Term::Negate(Box::new(self.term(a)?)),
            ExprKind::Unary(op, a) => Term::Unary(*op, Box::new(self.term(a)?)),
            ExprKind::Binary(op, a, b) => {
                Term::Binary(*op, Box::new(self.term(a)?), Box::new(self.term(b)?))
            }
            ExprKind::Field(a, field) => Term::Field(Box::new(self.term(a)?), *field),
            ExprKind::Let(values, body) => {
                let (values, body) = self.with_names(values, |t| t.term(body))?;
                Term::Let(values, None, Box::new(body))
            }
            ExprKind::Apply(function, argument) => {
                // The body with its argument in place: no table of a function that may have no end.
                if let ExprKind::Lambda(b, body) = &function.kind
                    && let Some(reduced) = self.reduced(b, body, argument)
                {
                    return Some(reduced);
                }
                Term::Apply(Box::new(self.term(function)?), Box::new(self.term(argument)?))
            }
            ExprKind::SetExtension(parts) => Term::Extension(self.terms(parts)?),
            ExprKind::BoolOf(p) => Term::Truth(Box::new(self.truth(p)?)),
            ExprKind::If(p, a, b) => {
                Term::If(Box::new(self.truth(p)?), Box::new(self.term(a)?), Box::new(self.term(b)?))
            }
            ExprKind::Quantified(ExprQuantifier::Sum, b, value) => {
                let mut parts = Vec::new();
                normal::split(&b.predicate, &mut parts);
                let (range, rest) = self.range(&b.locals, parts)?;
                // A sum whose terms are there or not would need a condition for each: the solver has none.
                if !rest.is_empty() || range.over.is_some() {
                    return None;
                }
                Term::Sum(range, Box::new(self.term(value)?))
            }
            ExprKind::Comprehension(b) => {
                let mut parts = Vec::new();
                normal::split(&b.predicate, &mut parts);
                let (range, rest) = self.range(&b.locals, parts)?;
                // Then one candidate could be found in several ways, and would be counted for each.
                if range.over.is_some() && range.plan.fanout > 1.0 {
                    return None;
                }
                Term::Filter(range, b.locals.clone(), Box::new(Truth::And(rest)))
            }
            _ => return None,
        })
    }
}

/// `a |-> b = c |-> d` as two equations.
fn split_pairs(p: Pred, out: &mut Vec<Pred>) {
    if let PredKind::Compare(CompareOp::Equal, a, b) = &p.kind
        && let ExprKind::Binary(BinaryOp::Pair, a1, a2) = &a.kind
        && let ExprKind::Binary(BinaryOp::Pair, b1, b2) = &b.kind
    {
        for (x, y) in [(a1, b1), (a2, b2)] {
            let kind = PredKind::Compare(CompareOp::Equal, x.clone(), y.clone());
            split_pairs(Pred { kind, span: p.span }, out);
        }
        return;
    }
    out.push(p);
}

fn equal_to(local: LocalId, value: Expr) -> Pred {
    let name = Expr { kind: ExprKind::Local(local), ty: value.ty, span: value.span };
    let span = value.span;
    Pred { kind: PredKind::Compare(CompareOp::Equal, Box::new(name), Box::new(value)), span }
}
