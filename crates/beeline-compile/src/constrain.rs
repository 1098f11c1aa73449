//! Questions of plans in a form that runs: what [`ground`] turns into constraints over finite domains.
//!
//! Parts without unknown names are compiled as usual, the rest keeps the form that the plan gave it.
//! What has no such form is tested as soon as its names have values.

use crate::answer::Stop;
use crate::context::Cx;
use crate::frame::{E, Frame, P};
use crate::ground;
use crate::query::{Pattern, Query, Sink};
use beeline_model::TypeId;
use beeline_plan::{Name, Question, Term, TermPlan, Truth, TruthPlan};
use beeline_source::Span;

/// Names and constraints that are handed to the solver at run time.
pub(crate) struct Problem {
    pub unknowns: Vec<Unknown>,
    pub atoms: Vec<Constraint>,
    /// If some atoms read constants alone: a number to remember what they come to by.
    pub number: Option<u32>,
    /// The slots of these constants.
    pub reads: Vec<usize>,
    /// What is done when the problem cannot be put into finite domains.
    pub fallback: Query,
}

/// A name to be found.
pub(crate) struct Unknown {
    pub name: Name,
    pub slot: usize,
    pub ty: TypeId,
    pub span: Span,
    /// Sets it is an element of: the atom that says just that, and the set.
    pub sets: Vec<(Option<usize>, Source)>,
    /// When it is tried, among numbers that nothing bounds: the least first.
    pub turn: (bool, bool),
}

/// Where the values of a name come from.
pub(crate) enum Source {
    Element(E),
    Subset(E),
}

/// A conjunct.
pub(crate) struct Constraint {
    pub template: Option<F>,
    pub test: P,
    /// The unknowns in it.
    pub names: Vec<usize>,
    /// It reads nothing but unknowns and constants.
    pub fixed: bool,
}

/// A term template: known parts are compiled.
pub(crate) type T = Term<E, P, Range, usize>;
/// A truth template.
pub(crate) type F = Truth<E, P, Range, usize>;

/// What bound names run over.
pub(crate) struct Range {
    /// First the candidates of a set that is not known.
    pub over: Option<(Pattern, Box<T>)>,
    pub query: Query,
}

impl Problem {
    /// Calls `k` with each solution; the names are in their slots.
    pub fn solve<'s>(&self, f: &mut Frame<'s>, k: Sink<'s, '_>) -> Result<(), Stop> {
        match ground::prepare(f, self) {
            Ok(Some(ready)) => ready.search(f, self, k),
            Ok(None) => self.fallback.run(f, k),
            // A part has no meaning: the plan knows what that means beside the others.
            Err(Stop::Fault(_)) => self.fallback.run(f, k),
            Err(stop) => Err(stop),
        }
    }
}

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
