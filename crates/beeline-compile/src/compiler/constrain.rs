//! Questions of plans, compiled: known parts become closures, the rest keeps the form that the plan
//! gave it.

use super::context::Cx;
use crate::solver::{Constraint, F, Problem, Range, Source, T, Unknown};
use beeline_plan::{Question, Term, TermPlan, Truth, TruthPlan};

impl Cx<'_> {
    /// A question of a plan, compiled.
    pub fn problem(&mut self, question: &Question) -> Problem {
        // First what is done without the solver, as everywhere: a code that both need belongs to it.
        let fallback = self.compiled(&question.fallback);
        let atoms = question.constraints.iter().map(|c| self.constraint(c)).collect();
        let unknowns = question.unknowns.iter().map(|u| self.unknown(u)).collect();
        let number = question.reads.as_ref().map(|_| self.query_number());
        let reads = question.reads.iter().flatten().map(|c| self.constant_slot(*c)).collect();
        Problem { unknowns, atoms, number, reads, fallback }
    }

    fn constraint(&mut self, c: &beeline_plan::Constraint) -> Constraint {
        // Always, also beside a template: a solver that cannot express a value leaves it to this.
        let test = self.pred(&c.pred);
        let template = c.template.as_ref().map(|template| self.truth(template));
        Constraint { template, test, names: c.names.clone(), fixed: c.fixed }
    }

    fn unknown(&mut self, u: &beeline_plan::Unknown) -> Unknown {
        let mut sets = Vec::with_capacity(u.sets.len());
        for (place, source) in &u.sets {
            let source = match source {
                beeline_plan::Source::Element(e) => Source::Element(self.expr(e)),
                beeline_plan::Source::Subset(e) => Source::Subset(self.expr(e)),
            };
            sets.push((*place, source));
        }
        let slot = self.name_slot(u.name);
        Unknown { name: u.name, slot, ty: u.ty, span: u.span, sets, turn: u.turn }
    }

    fn truth(&mut self, t: &TruthPlan) -> F {
        match t {
            Truth::Known(p) => F::Known(self.pred(p)),
            Truth::Compare(op, a, b, span) => F::Compare(*op, self.boxed(a), self.boxed(b), *span),
            Truth::And(parts) => F::And(self.truths(parts)),
            Truth::Or(parts) => F::Or(self.truths(parts)),
            Truth::Not(t) => F::Not(Box::new(self.truth(t))),
            Truth::Iff(a, b) => F::Iff(Box::new(self.truth(a)), Box::new(self.truth(b))),
            Truth::All(range, a, b) => {
                let range = self.range(range);
                F::All(range, Box::new(self.truth(a)), Box::new(self.truth(b)))
            }
            Truth::Some(range, t) => F::Some(self.range(range), Box::new(self.truth(t))),
            Truth::Partition(whole, parts) => F::Partition(self.boxed(whole), self.terms(parts)),
            Truth::Let(values, t) => F::Let(self.terms(values), Box::new(self.truth(t))),
        }
    }

    fn term(&mut self, t: &TermPlan) -> T {
        match t {
            Term::Known(e) => T::Known(self.kept(e)),
            Term::Name(i) => T::Name(*i),
            Term::Negate(a) => T::Negate(self.boxed(a)),
            Term::Binary(op, a, b) => T::Binary(*op, self.boxed(a), self.boxed(b)),
            Term::Unary(op, a) => T::Unary(*op, self.boxed(a)),
            Term::Apply(g, a) => T::Apply(self.boxed(g), self.boxed(a)),
            Term::Extension(parts) => T::Extension(self.terms(parts)),
            Term::Truth(t) => T::Truth(Box::new(self.truth(t))),
            Term::If(t, a, b) => T::If(Box::new(self.truth(t)), self.boxed(a), self.boxed(b)),
            Term::Sum(range, value) => T::Sum(self.range(range), self.boxed(value)),
            Term::Field(a, field) => T::Field(self.boxed(a), *field),
            Term::Let(values, condition, body) => {
                let values = self.terms(values);
                let condition = condition.as_ref().map(|t| Box::new(self.truth(t)));
                T::Let(values, condition, self.boxed(body))
            }
            Term::Filter(range, locals, t) => {
                let range = self.range(range);
                let slots = locals.iter().map(|l| self.local_slot(*l)).collect();
                T::Filter(range, slots, Box::new(self.truth(t)))
            }
        }
    }

    fn boxed(&mut self, t: &TermPlan) -> Box<T> {
        Box::new(self.term(t))
    }

    fn terms(&mut self, parts: &[TermPlan]) -> Vec<T> {
        parts.iter().map(|t| self.term(t)).collect()
    }

    fn truths(&mut self, parts: &[TruthPlan]) -> Vec<F> {
        parts.iter().map(|t| self.truth(t)).collect()
    }

    fn range(&mut self, range: &beeline_plan::Range) -> Range {
        let query = self.compiled(&range.plan);
        let over = range.over.as_ref().and_then(|(pattern, binds, set)| {
            let set = self.boxed(set);
            Some((self.pattern(pattern, binds)?, set))
        });
        Range { over, query }
    }
}
