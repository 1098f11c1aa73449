//! Problems for the propagating solver: which names, which conjuncts, and what each becomes.
//!
//! At compile time a conjunct becomes a template: parts without unknown names are compiled as
//! usual, the rest keeps its form. At run time `ground` turns templates into constraints over
//! finite domains. What has no such form is tested as soon as its names have values.

use crate::answer::Stop;
use crate::context::Cx;
use crate::frame::{E, Frame, P};
use crate::ground;
use crate::names::Names;
use crate::normal;
use crate::plan::{Atom, Name, as_name};
use crate::query::{Pattern, Query, Sink};
use beeline_model::{
    BinaryOp, Binder, CompareOp, Expr, ExprKind, ExprQuantifier, LocalId, Pred, PredKind, Role,
    TypeId, UnaryOp,
};
use beeline_source::Span;
use std::collections::BTreeSet;

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

/// A term template.
pub(crate) enum T {
    Known(E),
    Name(usize),
    Negate(Box<T>),
    Binary(BinaryOp, Box<T>, Box<T>),
    Unary(UnaryOp, Box<T>),
    Apply(Box<T>, Box<T>),
    Extension(Vec<T>),
    Truth(Box<F>),
    If(Box<F>, Box<T>, Box<T>),
    Sum(Range, Box<T>),
    /// A field of a record, by position.
    Field(Box<T>, usize),
    /// Further names with their values, in order; a condition for the whole to have a meaning.
    Let(Vec<T>, Option<Box<F>>, Box<T>),
    /// Tuples of these slots in the range, where the rest holds.
    Filter(Range, Vec<usize>, Box<F>),
}

/// What bound names run over.
pub(crate) struct Range {
    /// First the candidates of a set that is not known.
    pub over: Option<(Pattern, Box<T>)>,
    pub query: Query,
}

/// A truth template.
pub(crate) enum F {
    Known(P),
    Compare(CompareOp, Box<T>, Box<T>, Span),
    And(Vec<F>),
    Or(Vec<F>),
    Not(Box<F>),
    Iff(Box<F>, Box<F>),
    All(Range, Box<F>, Box<F>),
    Some(Range, Box<F>),
    /// A partition into parts.
    Partition(Box<T>, Vec<T>),
    /// Further names with their values, in order.
    Let(Vec<T>, Box<F>),
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

/// Quantifiers that surely have more candidates are not unrolled.
const UNROLL: f64 = 1e9;

pub(crate) struct Templates<'c, 'm> {
    cx: &'c mut Cx<'m>,
    /// Unknown names in their order, then those that a LET binds around here.
    open: Vec<Name>,
    set: BTreeSet<Name>,
}

impl Cx<'_> {
    /// A problem for all open names, with a plan to fall back on.
    ///
    /// Conjuncts about names that are found later are left alone.
    pub fn problem(
        &mut self,
        atoms: &[Atom],
        open: &BTreeSet<Name>,
        late: &BTreeSet<Name>,
        fallback: Query,
    ) -> Problem {
        let names: Vec<Name> = open.iter().copied().collect();
        let mut constraints = Vec::new();
        let ends = self.ends_of_intervals(atoms, open);
        let mut unknowns: Vec<Unknown> =
            names.iter().map(|n| self.unknown(*n, ends.contains(n))).collect();
        for atom in atoms {
            if let Some((name, set)) = self.sized_sequence(atoms, atom, open)
                && let Some(i) = names.iter().position(|n| *n == name)
            {
                unknowns[i].sets.push((None, Source::Element(self.expr(&set))));
            }
        }
        for atom in atoms.iter().filter(|a| !a.done && a.needs.is_disjoint(late)) {
            let test = self.pred(&atom.pred);
            let mine = (0..names.len()).filter(|i| atom.needs.contains(&names[*i])).collect();
            if let PredKind::Compare(op, a, b) = &atom.pred.kind
                && let Some(name) = as_name(a)
                && let Some(i) = names.iter().position(|n| *n == name)
                && self.unknown_in_expr(b, open).is_empty()
            {
                let place = constraints.len();
                match op {
                    CompareOp::Member => {
                        let set = self.expr(b);
                        unknowns[i].sets.push((Some(place), Source::Element(set)));
                    }
                    CompareOp::Subset => {
                        let set = self.expr(b);
                        unknowns[i].sets.push((Some(place), Source::Subset(set)));
                    }
                    _ => {}
                }
            }
            self.implied_sets(&atom.pred, &names, open, &mut unknowns);
            let template = Templates::new(self, open).truth(&atom.pred);
            constraints.push(Constraint { template, test, names: mine, fixed: false });
        }
        let mut problem =
            Problem { unknowns, atoms: constraints, number: None, reads: Vec::new(), fallback };
        self.keep_fixed(
            atoms.iter().filter(|a| !a.done && a.needs.is_disjoint(late)),
            open,
            &mut problem,
        );
        problem
    }

    fn unknown(&mut self, name: Name, is_end: bool) -> Unknown {
        let (span, is_elsewhere) = match name {
            Name::Local(l) => (self.model.local(l).span, false),
            Name::Constant(c) => {
                let constant = self.model.constant(c);
                let component = self.model.components.get(constant.component.index());
                (constant.span, component.is_some_and(|c| c.role != Role::Main))
            }
        };
        let (slot, ty) = (self.name_slot(name), self.name_type(name));
        // The main component's constants before those that it sees or includes.
        let turn = (is_end, is_elsewhere);
        Unknown { name, slot, ty, span, sets: Vec::new(), turn }
    }

    /// Names that say how far an interval goes which others are elements of (`x : 0..n`). There may
    /// be no end to these; the others come first.
    fn ends_of_intervals(&self, atoms: &[Atom], open: &BTreeSet<Name>) -> BTreeSet<Name> {
        let ends = |atom: &Atom| match &atom.pred.kind {
            PredKind::Compare(CompareOp::Member, element, set) => match &set.kind {
                ExprKind::Binary(BinaryOp::Interval, low, high)
                    if !self.unknown_in_expr(element, open).is_empty() =>
                {
                    let mut ends = self.unknown_in_expr(low, open);
                    ends.extend(self.unknown_in_expr(high, open));
                    ends
                }
                _ => BTreeSet::new(),
            },
            _ => BTreeSet::new(),
        };
        atoms.iter().filter(|a| !a.done).flat_map(ends).collect()
    }

    /// Finds the conjuncts that are the same in every state. They must bound all unknowns.
    fn keep_fixed<'a>(
        &mut self,
        atoms: impl Iterator<Item = &'a Atom>,
        open: &BTreeSet<Name>,
        problem: &mut Problem,
    ) {
        // Constants that are being found are not the same for long.
        if open.iter().any(|name| matches!(name, Name::Constant(_))) {
            return;
        }
        let mut reads = BTreeSet::new();
        for (atom, constraint) in atoms.zip(&mut problem.atoms) {
            let names = Names::of_pred(self.model, &atom.pred);
            let mine = |l: &LocalId| open.contains(&Name::Local(*l));
            constraint.fixed = names.variables.is_empty() && names.locals.iter().all(mine);
            if constraint.fixed {
                reads.extend(names.constants.iter().map(|c| self.constant_slot(*c)));
            }
        }
        let atoms = &problem.atoms;
        let bounded = problem.unknowns.iter().all(|unknown| {
            let known = |atom: &Option<usize>| atom.is_some_and(|i| atoms[i].fixed);
            !unknown.sets.is_empty() && unknown.sets.iter().all(|(atom, _)| known(atom))
        });
        if bounded {
            problem.number = Some(self.query_number());
            problem.reads = reads.into_iter().collect();
        } else {
            problem.atoms.iter_mut().for_each(|c| c.fixed = false);
        }
    }
}

impl Cx<'_> {
    /// `a \/ b = S` and `partition(S, a, b)` say that a and b are within S.
    fn implied_sets(
        &mut self,
        p: &Pred,
        names: &[Name],
        open: &BTreeSet<Name>,
        unknowns: &mut [Unknown],
    ) {
        let mut inside: Vec<(&Expr, &Expr)> = Vec::new();
        match &p.kind {
            PredKind::Compare(CompareOp::Equal, a, b) => inside.extend([(&**a, &**b), (b, a)]),
            PredKind::Compare(CompareOp::Subset, a, b) => inside.push((a, b)),
            PredKind::Partition(whole, parts) => {
                inside.extend(parts.iter().map(|part| (part, &**whole)));
            }
            _ => return,
        }
        for (part, whole) in inside {
            if !self.unknown_in_expr(whole, open).is_empty() {
                continue;
            }
            let mut unions = vec![part];
            while let Some(e) = unions.pop() {
                if let ExprKind::Binary(BinaryOp::Union, a, b) = &e.kind {
                    unions.extend([&**a, &**b]);
                } else if let Some(name) = as_name(e)
                    && let Some(i) = names.iter().position(|n| *n == name)
                    && self.is_set_type(e)
                {
                    let set = self.expr(whole);
                    unknowns[i].sets.push((None, Source::Subset(set)));
                }
            }
        }
    }

    /// Candidates that a range has beside those of its unknown set.
    fn plain_fanout(&self, range: &Range) -> f64 {
        range.query.fanout
    }
}

impl<'c, 'm> Templates<'c, 'm> {
    pub fn new(cx: &'c mut Cx<'m>, open: &BTreeSet<Name>) -> Templates<'c, 'm> {
        Templates { cx, open: open.iter().copied().collect(), set: open.clone() }
    }

    /// Values of further names, which `body` may then use.
    fn with_names<R>(
        &mut self,
        values: &[(LocalId, Expr)],
        body: impl FnOnce(&mut Self) -> Option<R>,
    ) -> Option<(Vec<T>, R)> {
        let before = self.open.len();
        let mut terms = Vec::new();
        let bind = || {
            for (local, value) in values {
                terms.push(self.term(value)?);
                self.open.push(Name::Local(*local));
                self.set.insert(Name::Local(*local));
            }
            body(self)
        };
        let result = bind();
        for name in self.open.drain(before..) {
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
                let names = Names::of_expr(self.cx.model, value).locals;
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
            let read = Names::of_expr(self.cx.model, value).locals;
            let unknown = !self.is_known_expr(value) || lets.iter().any(|(l, _)| read.contains(l));
            (locals.contains(&local) && unknown && !read.contains(&local))
                .then(|| (local, (**value).clone()))
        })
    }

    /// `(%x.(P | E))(a)` as a name with the value a, P as a condition, and E.
    fn reduced(&mut self, b: &Binder, body: &Expr, argument: &Expr) -> Option<T> {
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
        Some(T::Let(values, Some(Box::new(condition)), Box::new(body)))
    }

    fn is_known_expr(&self, e: &Expr) -> bool {
        self.cx.unknown_in_expr(e, &self.set).is_empty()
    }

    fn is_known_pred(&self, p: &Pred) -> bool {
        let names = Names::of_pred(self.cx.model, p);
        self.open.iter().all(|n| match n {
            Name::Local(l) => !names.locals.contains(l),
            Name::Constant(c) => !names.constants.contains(c),
        })
    }

    fn truths(&mut self, parts: &[Pred]) -> Option<Vec<F>> {
        parts.iter().map(|p| self.truth(p)).collect()
    }

    fn truth(&mut self, p: &Pred) -> Option<F> {
        if self.is_known_pred(p) {
            return Some(F::Known(self.cx.pred(p)));
        }
        Some(match &p.kind {
            PredKind::And(parts) => F::And(self.truths(parts)?),
            PredKind::Or(parts) => F::Or(self.truths(parts)?),
            PredKind::Not(inner) => match normal::negated(inner) {
                Some(p) => self.truth(&p)?,
                None => F::Not(Box::new(self.truth(inner)?)),
            },
            PredKind::Implies(a, b) => {
                let not = Pred { kind: PredKind::Not(a.clone()), span: p.span };
                F::Or(vec![self.truth(&not)?, self.truth(b)?])
            }
            PredKind::Equivalent(a, b) => {
                F::Iff(Box::new(self.truth(a)?), Box::new(self.truth(b)?))
            }
            PredKind::Compare(op, a, b) => {
                let (a, b) = (self.term(a)?, self.term(b)?);
                F::Compare(*op, Box::new(a), Box::new(b), p.span)
            }
            PredKind::If(c, a, b) => {
                let not = Pred { kind: PredKind::Not(c.clone()), span: p.span };
                let (yes, no) = (self.truth(c)?, self.truth(&not)?);
                let (a, b) = (self.truth(a)?, self.truth(b)?);
                F::Or(vec![F::And(vec![yes, a]), F::And(vec![no, b])])
            }
            PredKind::Forall(locals, body) => {
                let (locals, conditions, claim) = normal::universal(locals, body);
                let (locals, conditions, lets) = self.equations(locals, conditions);
                let (values, (range, rest, claim)) = self.with_names(&lets, |t| {
                    let (range, rest) = t.range(&locals, conditions)?;
                    Some((range, rest, t.truth(&claim)?))
                })?;
                if values.is_empty() {
                    F::All(range, Box::new(F::And(rest)), Box::new(claim))
                } else {
                    let claim = F::Or(vec![F::Not(Box::new(F::And(rest))), claim]);
                    let claim = F::Let(values, Box::new(claim));
                    F::All(range, Box::new(F::And(Vec::new())), Box::new(claim))
                }
            }
            PredKind::Exists(locals, body) => {
                let mut parts = Vec::new();
                normal::split(body, &mut parts);
                let (locals, parts, lets) = self.equations(locals.clone(), parts);
                let (values, (range, rest)) =
                    self.with_names(&lets, |t| t.range(&locals, parts))?;
                let rest = F::And(rest);
                let rest = if values.is_empty() { rest } else { F::Let(values, Box::new(rest)) };
                F::Some(range, Box::new(rest))
            }
            PredKind::Partition(whole, parts) => {
                let whole = self.term(whole)?;
                let parts: Option<Vec<T>> = parts.iter().map(|e| self.term(e)).collect();
                F::Partition(Box::new(whole), parts?)
            }
            PredKind::Let(values, body) => {
                let (values, body) = self.with_names(values, |t| t.truth(body))?;
                F::Let(values, Box::new(body))
            }
            _ => return None,
        })
    }

    /// The known part of conditions as a range, the rest as templates.
    fn range(&mut self, locals: &[LocalId], parts: Vec<Pred>) -> Option<(Range, Vec<F>)> {
        let (known, mut rest): (Vec<Pred>, Vec<Pred>) =
            parts.into_iter().partition(|p| self.is_known_pred(p));
        let query = self.cx.plain_query(locals, known.clone());
        if !query.unbounded && query.fanout <= UNROLL {
            return Some((Range { over: None, query }, self.truths(&rest)?));
        }
        // An unknown set whose candidates are known is a range as well.
        let names: BTreeSet<Name> = locals.iter().map(|l| Name::Local(*l)).collect();
        for i in 0..rest.len() {
            if let PredKind::Compare(CompareOp::Member, a, b) = &rest[i].kind
                && self.cx.unknown_in_expr(b, &names).is_empty()
                && self.is_known_expr(a)
                && let Some(binds) = self.cx.pattern_binds(a, &names)
                && let Some(set) = self.term(b)
                && let Some(pattern) = self.cx.pattern(a, &names)
            {
                let left: Vec<LocalId> =
                    locals.iter().copied().filter(|l| !binds.contains(&Name::Local(*l))).collect();
                let query = self.cx.plain_query(&left, known);
                if query.unbounded || query.fanout > UNROLL {
                    return None;
                }
                rest.remove(i);
                let range = Range { over: Some((pattern, Box::new(set))), query };
                return Some((range, self.truths(&rest)?));
            }
        }
        None
    }

    fn terms(&mut self, parts: &[Expr]) -> Option<Vec<T>> {
        parts.iter().map(|e| self.term(e)).collect()
    }

    pub fn term(&mut self, e: &Expr) -> Option<T> {
        if let Some(name) = as_name(e)
            && let Some(i) = self.open.iter().position(|n| *n == name)
        {
            return Some(T::Name(i));
        }
        if self.is_known_expr(e) {
            return Some(T::Known(self.cx.kept(e)));
        }
        Some(match &e.kind {
            ExprKind::Unary(UnaryOp::Negate, a) => T::Negate(Box::new(self.term(a)?)),
            ExprKind::Unary(op, a) => T::Unary(*op, Box::new(self.term(a)?)),
            ExprKind::Binary(op, a, b) => {
                T::Binary(*op, Box::new(self.term(a)?), Box::new(self.term(b)?))
            }
            ExprKind::Field(a, field) => T::Field(Box::new(self.term(a)?), *field),
            ExprKind::Let(values, body) => {
                let (values, body) = self.with_names(values, |t| t.term(body))?;
                T::Let(values, None, Box::new(body))
            }
            ExprKind::Apply(function, argument) => {
                if let ExprKind::Lambda(b, body) = &function.kind
                    && let Some(reduced) = self.reduced(b, body, argument)
                {
                    return Some(reduced);
                }
                T::Apply(Box::new(self.term(function)?), Box::new(self.term(argument)?))
            }
            ExprKind::SetExtension(parts) => T::Extension(self.terms(parts)?),
            ExprKind::BoolOf(p) => T::Truth(Box::new(self.truth(p)?)),
            ExprKind::If(p, a, b) => {
                T::If(Box::new(self.truth(p)?), Box::new(self.term(a)?), Box::new(self.term(b)?))
            }
            ExprKind::Quantified(ExprQuantifier::Sum, b, value) => {
                let mut parts = Vec::new();
                normal::split(&b.predicate, &mut parts);
                let (range, rest) = self.range(&b.locals, parts)?;
                if !rest.is_empty() || range.over.is_some() {
                    return None;
                }
                T::Sum(range, Box::new(self.term(value)?))
            }
            ExprKind::Comprehension(b) => {
                let mut parts = Vec::new();
                normal::split(&b.predicate, &mut parts);
                let (range, rest) = self.range(&b.locals, parts)?;
                if range.over.is_some() && self.cx.plain_fanout(&range) > 1.0 {
                    return None;
                }
                let slots = b.locals.iter().map(|l| self.cx.local_slot(*l)).collect();
                T::Filter(range, slots, Box::new(F::And(rest)))
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
