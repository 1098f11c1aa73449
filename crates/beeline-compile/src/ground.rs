//! Templates to constraints over finite domains, and solutions back to values.

use crate::answer::{CutReason, Stop};
use crate::closure::tuple;
use crate::constrain::{F, Problem, Range, Source, T, Unknown};
use crate::frame::Frame;
use crate::query::{Query, Sink, unbounded_words};
use crate::spaces::{self, Arrow};
use crate::symbolic::{self, CLOSURE, INTEGER, NATURAL, NATURAL1, SPACE1, SPACE2, split};
use beeline_model::{BinaryOp, CompareOp, Type, UnaryOp};
use beeline_solve::{Domain, Form, Space, Term, Var};
use beeline_source::Span;
use beeline_value::{Elems, Val};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A value that is not all known.
#[derive(Clone)]
enum V {
    Known(Val),
    /// An integer.
    Int(Term),
    /// A boolean (no set) or an element of a given set, by index.
    Atom(Option<u32>, Term),
    Pair(Box<V>, Box<V>),
    /// Candidates and when they are in.
    Set(Vec<(Val, Form)>),
    /// Keys, when they are defined, and their values.
    Function(Vec<(Val, Form, V)>),
    /// `{a, b, …}`
    Extension(Vec<V>),
    /// One of these.
    Listed(Var, Arc<[Val]>),
}

/// A set may have this many candidates.
const MAX_CANDIDATES: usize = 20_000;
/// A variable wider than this after propagation is tried within MININT..MAXINT.
const WIDE: u64 = 1_000_000;

/// Not expressible, or a stop.
enum Fail {
    No,
    Stop(Stop),
}

impl From<Stop> for Fail {
    fn from(stop: Stop) -> Fail {
        Fail::Stop(stop)
    }
}

type Got<T> = Result<T, Fail>;

/// Receives the bindings of a range.
type Body<'s, 'k> = &'k mut dyn FnMut(&mut Grounding, &mut Frame<'s>, Form) -> Got<()>;

/// A problem in finite domains.
pub(crate) struct Ready {
    space: Space,
    names: Vec<V>,
    /// Atoms that are not constraints and must be tested.
    tests: Vec<usize>,
}

struct Grounding {
    space: Space,
    names: Vec<V>,
    /// Conditions under which the terms of the present comparison have a meaning.
    sides: Vec<Form>,
}

/// Puts a problem into finite domains; nothing if it does not fit.
pub(crate) fn prepare<'s>(f: &mut Frame<'s>, problem: &Problem) -> Result<Option<Ready>, Stop> {
    let mut g = Grounding { space: Space::new(), names: Vec::new(), sides: Vec::new() };
    let mut used = vec![false; problem.atoms.len()];
    for unknown in &problem.unknowns {
        match g.shape(f, unknown, &mut used) {
            Ok(shape) => g.names.push(shape),
            Err(Fail::No) => return Ok(None),
            Err(Fail::Stop(stop)) => return Err(stop),
        }
    }
    let mut tests = Vec::new();
    for (i, atom) in problem.atoms.iter().enumerate() {
        if used[i] {
            continue;
        }
        let formed = match &atom.template {
            Some(template) => g.truth(f, template),
            None => Err(Fail::No),
        };
        match formed {
            Ok(form) => g.space.post(form),
            // A part without a meaning here: the plain test will say so.
            Err(Fail::No) | Err(Fail::Stop(Stop::Fault(_))) => tests.push(i),
            Err(Fail::Stop(stop)) => return Err(stop),
        }
    }
    Ok(Some(Ready { space: g.space, names: g.names, tests }))
}

impl Ready {
    /// Calls `k` with each solution.
    pub fn search<'s>(
        mut self,
        f: &mut Frame<'s>,
        problem: &Problem,
        k: Sink<'s, '_>,
    ) -> Result<(), Stop> {
        let span = problem.unknowns.first().map_or(Span::NONE, |u| u.span);
        if self.space.propagate().is_err() {
            return Ok(());
        }
        for var in 0..self.space.len() {
            let d = *self.space.domain(var);
            if !d.is_bounded() || d.hi().abs_diff(d.lo()) > WIDE {
                let (lo, hi) = tried(&d, f.rt.settings.min_int, f.rt.settings.max_int);
                f.note_cut(CutReason::LargeSet, span, unbounded_words(lo, hi));
                let (v, lo, hi) = (Term::Var(var), Term::Const(lo), Term::Const(hi));
                self.space.post(Form::le(lo, v.clone()));
                self.space.post(Form::le(v, hi));
                // The others may have bounds now.
                if self.space.propagate().is_err() {
                    return Ok(());
                }
            }
        }
        let order: Vec<Var> = (0..self.space.len()).collect();
        let Ready { mut space, names, tests } = self;
        let mut paid = 0;
        let mut passed: Vec<Option<Vec<Val>>> = vec![None; tests.len()];
        // Both callbacks need the frame, one after the other.
        let frame = std::cell::RefCell::new(f);
        space.solve(
            &order,
            &mut |space| {
                let mut f = frame.borrow_mut();
                f.pay(1 + space.work - paid, span)?;
                paid = space.work;
                for (n, &test) in tests.iter().enumerate() {
                    let atom = &problem.atoms[test];
                    let mut values = Vec::with_capacity(atom.names.len());
                    for &name in &atom.names {
                        match value(&f, space, &names[name]) {
                            Some(v) => values.push(v),
                            None => break,
                        }
                    }
                    if values.len() < atom.names.len() || passed[n].as_ref() == Some(&values) {
                        continue;
                    }
                    for (&name, &v) in atom.names.iter().zip(&values) {
                        f.slots[problem.unknowns[name].slot] = v;
                    }
                    match (atom.test)(&mut f) {
                        Ok(true) => passed[n] = Some(values),
                        Ok(false) => return Ok(false),
                        // Told again when the solution is complete.
                        Err(Stop::Fault(_)) => {}
                        Err(stop) => return Err(stop),
                    }
                }
                Ok(true)
            },
            &mut |space| {
                let mut f = frame.borrow_mut();
                for (unknown, shape) in problem.unknowns.iter().zip(&names) {
                    match value(&f, space, shape) {
                        Some(v) => f.slots[unknown.slot] = v,
                        None => return Ok(()),
                    }
                }
                let mut pending = None;
                for &test in &tests {
                    match (problem.atoms[test].test)(&mut f) {
                        Ok(true) => {}
                        Ok(false) => return Ok(()),
                        Err(stop @ Stop::Fault(_)) => {
                            stop.join(&mut pending);
                        }
                        Err(stop) => return Err(stop),
                    }
                }
                k(&mut f, pending)
            },
        )
    }
}

/// The value of a shape whose variables are fixed.
/// What a wide domain is tried within: `MININT..MAXINT`, or its bound if that is beyond.
fn tried(d: &Domain, min: i64, max: i64) -> (i64, i64) {
    if d.has_low() && d.lo() > max {
        (d.lo(), d.lo())
    } else if d.has_high() && d.hi() < min {
        (d.hi(), d.hi())
    } else {
        (min, max)
    }
}

fn value(f: &Frame<'_>, space: &Space, shape: &V) -> Option<Val> {
    let store = f.store;
    let fixed = |t: &Term| {
        let (lo, hi) = space.bounds(t);
        (lo == hi).then_some(lo)
    };
    Some(match shape {
        V::Known(v) => *v,
        V::Int(t) => store.int(fixed(t)?),
        V::Atom(None, t) => Val::bool(fixed(t)? != 0),
        V::Atom(Some(set), t) => Val::atom(*set, u32::try_from(fixed(t)?).ok()?),
        V::Pair(a, b) => store.pair(value(f, space, a)?, value(f, space, b)?),
        V::Set(parts) => {
            let mut inside = Vec::new();
            for (elem, form) in parts {
                if space.truth(form)? {
                    inside.push(*elem);
                }
            }
            store.set(inside)
        }
        V::Function(parts) => {
            let mut rows = Vec::new();
            for (key, defined, result) in parts {
                if space.truth(defined)? {
                    rows.push((*key, value(f, space, result)?));
                }
            }
            store.relation(rows)
        }
        V::Extension(parts) => {
            let values: Option<Vec<Val>> = parts.iter().map(|p| value(f, space, p)).collect();
            store.set(values?)
        }
        V::Listed(var, values) => values[usize::try_from(space.value(*var)?).ok()?],
    })
}

/// The number that stands for a scalar.
/// Larger numbers are not handed to the solver: sums of them might not fit a word.
const FAR: u64 = 1 << 50;

fn code(f: &Frame<'_>, v: Val) -> Option<i64> {
    match (v.as_bool(), v.as_atom()) {
        (Some(b), _) => Some(i64::from(b)),
        (_, Some((_, index))) => Some(i64::from(index)),
        _ => f.store.as_i64(v).filter(|i| i.unsigned_abs() < FAR),
    }
}

fn flag(space: &mut Space) -> Form {
    match Domain::between(0, 1) {
        Some(d) => Form::eq(Term::Var(space.var(d)), Term::Const(1)),
        None => Form::Const(false),
    }
}

impl Grounding {
    fn int(&mut self, lo: i64, hi: i64) -> Got<Term> {
        match Domain::between(lo, hi) {
            Some(d) => Ok(Term::Var(self.space.var(d))),
            None => {
                // No value at all: the space has no solution.
                self.space.post(Form::Const(false));
                Ok(Term::Const(0))
            }
        }
    }

    fn shape<'s>(&mut self, f: &mut Frame<'s>, unknown: &Unknown, used: &mut [bool]) -> Got<V> {
        // Sources in order of how much they say: elements of listed sets first.
        let mut best: Option<(Option<usize>, Val, f64)> = None;
        for (atom, source) in &unknown.sets {
            let set = match source {
                Source::Element(set) => set(f)?,
                Source::Subset(set) => {
                    let set = set(f)?;
                    f.store.symbolic(symbolic::tag(SPACE1, spaces::POW), vec![set])
                }
            };
            let size = symbolic::size(f, set).unwrap_or(1e200);
            if best.as_ref().is_none_or(|(_, _, s)| size < *s) {
                best = Some((*atom, set, size));
            }
        }
        if let Some((atom, set, _)) = best {
            if let Some(atom) = atom {
                used[atom] = true;
            }
            return self.member_of(f, set, unknown.span);
        }
        let all = f.type_set(unknown.ty);
        if matches!(f.rt.types.get(unknown.ty), Type::Power(_))
            && symbolic::size(f, all).is_none_or(|n| n.is_infinite())
        {
            return Err(Fail::No);
        }
        self.member_of(f, all, unknown.span)
    }

    /// A fresh value out of a set.
    fn member_of<'s>(&mut self, f: &mut Frame<'s>, set: Val, span: Span) -> Got<V> {
        let store = f.store;
        if let Some(elems) = store.elems(set) {
            return self.listed(f, elems);
        }
        let Some((tag, args)) = store.as_symbolic(set) else {
            return Err(Fail::No);
        };
        match split(tag) {
            (INTEGER, _) => Ok(V::Int(self.int(i64::MIN, i64::MAX)?)),
            (NATURAL, _) => Ok(V::Int(self.int(0, i64::MAX)?)),
            (NATURAL1, _) => Ok(V::Int(self.int(1, i64::MAX)?)),
            (SPACE1, op @ (spaces::POW | spaces::FIN | spaces::POW1 | spaces::FIN1)) => {
                let elems = self.candidates(f, args[0], span)?;
                let parts: Vec<(Val, Form)> =
                    elems.into_iter().map(|e| (e, flag(&mut self.space))).collect();
                if matches!(op, spaces::POW1 | spaces::FIN1) {
                    let some = parts.iter().map(|p| p.1.clone()).collect();
                    self.space.post(Form::or(some));
                }
                Ok(V::Set(parts))
            }
            (SPACE1, spaces::PERM) => {
                let n = self.candidates(f, args[0], span)?.len();
                let keys = store.range(1, n as i64);
                let arrow =
                    Arrow { function: true, total: true, injective: true, surjective: true };
                self.function(f, arrow, keys, args[0], span)
            }
            (SPACE2, op) if op == spaces::CARTESIAN => {
                let a = self.member_of(f, args[0], span)?;
                let b = self.member_of(f, args[1], span)?;
                Ok(V::Pair(Box::new(a), Box::new(b)))
            }
            (SPACE2, op) => match spaces::arrow(op) {
                Some(arrow) if arrow.function => self.function(f, arrow, args[0], args[1], span),
                Some(arrow) => self.relation(f, arrow, args[0], args[1], span),
                None => Err(Fail::No),
            },
            (CLOSURE, _) => {
                let listed = symbolic::list(f, set, span).map_err(|_| Fail::No)?;
                match store.elems(listed) {
                    Some(elems) => self.listed(f, elems),
                    None => Err(Fail::No),
                }
            }
            _ => Err(Fail::No),
        }
    }

    fn candidates<'s>(&mut self, f: &mut Frame<'s>, set: Val, span: Span) -> Got<Vec<Val>> {
        if symbolic::size(f, set).is_some_and(|n| n > MAX_CANDIDATES as f64) {
            return Err(Fail::No);
        }
        let elems = match symbolic::elements(f, set, span) {
            Ok(elems) => elems,
            Err(Stop::Cut(cut)) if cut.reason != CutReason::EvaluationSteps => {
                return Err(Fail::No);
            }
            Err(stop) => return Err(stop.into()),
        };
        if elems.len() > MAX_CANDIDATES {
            return Err(Fail::No);
        }
        Ok(f.store.list(elems))
    }

    fn listed<'s>(&mut self, f: &mut Frame<'s>, elems: Elems<'s>) -> Got<V> {
        if let Elems::Range(lo, hi) = elems {
            if lo.unsigned_abs().max(hi.unsigned_abs()) >= FAR {
                return Err(Fail::No);
            }
            return Ok(V::Int(self.int(lo, hi)?));
        }
        if elems.is_empty() {
            self.space.post(Form::Const(false));
            return Ok(V::Known(Val::EMPTY));
        }
        if elems.len() > MAX_CANDIDATES {
            return Err(Fail::No);
        }
        let values = f.store.list(elems);
        let codes: Option<Vec<i64>> = values.iter().map(|v| code(f, *v)).collect();
        let Some(codes) = codes else {
            let last = values.len() as i64 - 1;
            let Some(domain) = Domain::between(0, last) else {
                return Err(Fail::No);
            };
            let var = self.space.var(domain);
            return Ok(V::Listed(var, values.into()));
        };
        let (lo, hi) = (codes[0], codes[codes.len() - 1]);
        let term = self.int(lo, hi)?;
        if i128::from(hi) - i128::from(lo) + 1 != codes.len() as i128 {
            self.space.post(Form::In(term.clone(), codes.into()));
        }
        Ok(scalar_like(values[0], term))
    }

    fn function<'s>(
        &mut self,
        f: &mut Frame<'s>,
        arrow: Arrow,
        left: Val,
        right: Val,
        span: Span,
    ) -> Got<V> {
        let keys = self.candidates(f, left, span)?;
        if keys.len() > 4_000 {
            return Err(Fail::No);
        }
        if !arrow.total && spaces::is_empty(f, right, span)? {
            // Values of nothing have no domain; the function without any pair is the only one.
            return Ok(V::Function(Vec::new()));
        }
        let mut parts = Vec::with_capacity(keys.len());
        for key in keys {
            let defined = if arrow.total { Form::Const(true) } else { flag(&mut self.space) };
            let first = self.space.len();
            let result = self.member_of(f, right, span)?;
            if !arrow.total {
                // An undefined place has the least of everything, so that it counts once.
                for var in first..self.space.len() {
                    let least = self.space.domain(var).lo();
                    let is_least = Form::eq(Term::Var(var), Term::Const(least));
                    self.space.post(Form::or(vec![defined.clone(), is_least]));
                }
            }
            parts.push((key, defined, result));
        }
        if arrow.injective {
            self.injective(f, &parts, arrow.total)?;
        }
        if arrow.surjective {
            for wanted in self.candidates(f, right, span)? {
                let mut ways = Vec::new();
                for (_, defined, result) in &parts {
                    let same = self.equal(f, result, &V::Known(wanted))?;
                    ways.push(Form::and(vec![defined.clone(), same]));
                }
                self.space.post(Form::or(ways));
            }
        }
        Ok(V::Function(parts))
    }

    fn injective<'s>(
        &mut self,
        f: &mut Frame<'s>,
        parts: &[(Val, Form, V)],
        total: bool,
    ) -> Got<()> {
        let terms: Option<Vec<Term>> = parts.iter().map(|p| scalar(f, &p.2)).collect();
        if let (Some(terms), true) = (terms, total) {
            self.space.post(Form::AllDifferent(terms));
            return Ok(());
        }
        for i in 0..parts.len() {
            for j in i + 1..parts.len() {
                let same = self.equal(f, &parts[i].2, &parts[j].2)?;
                self.space.post(Form::or(vec![
                    Form::not(parts[i].1.clone()),
                    Form::not(parts[j].1.clone()),
                    Form::not(same),
                ]));
            }
        }
        Ok(())
    }

    fn relation<'s>(
        &mut self,
        f: &mut Frame<'s>,
        arrow: Arrow,
        left: Val,
        right: Val,
        span: Span,
    ) -> Got<V> {
        let (keys, values) = (self.candidates(f, left, span)?, self.candidates(f, right, span)?);
        if keys.len() * values.len() > MAX_CANDIDATES {
            return Err(Fail::No);
        }
        let flags: Vec<Form> =
            (0..keys.len() * values.len()).map(|_| flag(&mut self.space)).collect();
        let at = |i: usize, j: usize| flags[i * values.len() + j].clone();
        if arrow.total {
            for i in 0..keys.len() {
                let row = (0..values.len()).map(|j| at(i, j)).collect();
                self.space.post(Form::or(row));
            }
        }
        if arrow.surjective {
            for j in 0..values.len() {
                let column = (0..keys.len()).map(|i| at(i, j)).collect();
                self.space.post(Form::or(column));
            }
        }
        let mut parts = Vec::new();
        for (i, key) in keys.iter().enumerate() {
            for (j, v) in values.iter().enumerate() {
                parts.push((f.store.pair(*key, *v), at(i, j)));
            }
        }
        Ok(V::Set(parts))
    }

    // ---- truths

    fn truth<'s>(&mut self, f: &mut Frame<'s>, form: &F) -> Got<Form> {
        f.tick(Span::NONE)?;
        Ok(match form {
            F::Known(p) => Form::Const(p(f)?),
            F::And(parts) => {
                let mut out = Vec::with_capacity(parts.len());
                for part in parts {
                    let part = self.truth(f, part)?;
                    if matches!(part, Form::Const(false)) {
                        return Ok(part);
                    }
                    out.push(part);
                }
                Form::and(out)
            }
            F::Or(parts) => {
                let mut out = Vec::with_capacity(parts.len());
                for part in parts {
                    let part = self.truth(f, part)?;
                    if matches!(part, Form::Const(true)) {
                        return Ok(part);
                    }
                    out.push(part);
                }
                Form::or(out)
            }
            F::Not(inner) => Form::not(self.truth(f, inner)?),
            F::Iff(a, b) => Form::iff(self.truth(f, a)?, self.truth(f, b)?),
            F::All(range, condition, claim) => {
                let mut out = Vec::new();
                self.unroll(f, range, &mut |g, f, inside| {
                    let condition = Form::and(vec![inside, g.truth(f, condition)?]);
                    if !matches!(condition, Form::Const(false)) {
                        let claim = g.truth(f, claim)?;
                        out.push(Form::or(vec![Form::not(condition), claim]));
                    }
                    Ok(())
                })?;
                Form::and(out)
            }
            F::Some(range, body) => {
                let mut out = Vec::new();
                self.unroll(f, range, &mut |g, f, inside| {
                    out.push(Form::and(vec![inside, g.truth(f, body)?]));
                    Ok(())
                })?;
                Form::or(out)
            }
            F::Compare(op, a, b, span) => {
                let outer = std::mem::take(&mut self.sides);
                let result = self.compare(f, *op, a, b, *span);
                let sides = std::mem::replace(&mut self.sides, outer);
                let mut parts = sides;
                parts.push(result?);
                Form::and(parts)
            }
            F::Partition(whole, parts) => self.partition(f, whole, parts)?,
        })
    }

    /// Calls `body` with each binding of a range in the slots, and when it is in the range.
    fn unroll<'s>(&mut self, f: &mut Frame<'s>, range: &Range, body: Body<'s, '_>) -> Got<()> {
        let Some((pattern, set)) = &range.over else {
            return self.unroll_query(f, &range.query, Form::Const(true), body);
        };
        let set = self.term(f, set)?;
        for (elem, inside) in self.as_set(f, &set)? {
            if !matches!(inside, Form::Const(false)) && pattern.matches(f, elem)? {
                self.unroll_query(f, &range.query, inside, body)?;
            }
        }
        Ok(())
    }

    fn unroll_query<'s>(
        &mut self,
        f: &mut Frame<'s>,
        query: &Query,
        inside: Form,
        body: Body<'s, '_>,
    ) -> Got<()> {
        let mut failed = None;
        let outcome = query.run(f, &mut |f, stop| {
            if let Some(stop) = stop {
                return Err(stop);
            }
            match body(self, f, inside.clone()) {
                Ok(()) => Ok(()),
                Err(fail) => {
                    failed = Some(fail);
                    Err(Stop::Enough)
                }
            }
        });
        match (failed, outcome) {
            (Some(fail), _) => Err(fail),
            (None, Err(stop)) => Err(stop.into()),
            (None, Ok(())) => Ok(()),
        }
    }

    fn partition<'s>(&mut self, f: &mut Frame<'s>, whole: &T, parts: &[T]) -> Got<Form> {
        let whole = self.term(f, whole)?;
        let whole = self.as_set(f, &whole)?;
        let mut counts: FxHashMap<Val, Vec<Form>> = FxHashMap::default();
        let mut order = Vec::new();
        for part in parts {
            let part = self.term(f, part)?;
            for (elem, form) in self.as_set(f, &part)? {
                counts
                    .entry(elem)
                    .or_insert_with(|| {
                        order.push(elem);
                        Vec::new()
                    })
                    .push(form);
            }
        }
        let mut out = Vec::new();
        for (elem, form) in whole {
            let ways = counts.remove(&elem).unwrap_or_default();
            let wanted =
                Term::If(Box::new(form), Box::new(Term::Const(1)), Box::new(Term::Const(0)));
            out.push(Form::eq(Term::Count(ways), wanted));
        }
        for elem in order {
            for form in counts.remove(&elem).unwrap_or_default() {
                out.push(Form::not(form));
            }
        }
        Ok(Form::and(out))
    }

    fn compare<'s>(
        &mut self,
        f: &mut Frame<'s>,
        op: CompareOp,
        a: &T,
        b: &T,
        span: Span,
    ) -> Got<Form> {
        use CompareOp as C;
        if let (C::Member | C::NotMember, T::Binary(BinaryOp::Interval, lo, hi)) = (op, b) {
            let a = self.term(f, a)?;
            let (lo, hi) = (self.term(f, lo)?, self.term(f, hi)?);
            let (a, lo, hi) = (need(f, &a)?, need(f, &lo)?, need(f, &hi)?);
            let inside = Form::and(vec![Form::le(lo, a.clone()), Form::le(a, hi)]);
            return Ok(if op == C::Member { inside } else { Form::not(inside) });
        }
        if matches!(op, C::Equal | C::NotEqual)
            && let Some(form) = self.distinct_count(f, a, b)?
        {
            return Ok(if op == C::Equal { form } else { Form::not(form) });
        }
        let (a, b) = (self.term(f, a)?, self.term(f, b)?);
        Ok(match op {
            C::Equal => self.equal(f, &a, &b)?,
            C::NotEqual => Form::not(self.equal(f, &a, &b)?),
            C::Member => self.member(f, &a, &b, span)?,
            C::NotMember => Form::not(self.member(f, &a, &b, span)?),
            C::Subset => self.subset(f, &a, &b)?,
            C::NotSubset => Form::not(self.subset(f, &a, &b)?),
            C::StrictSubset => {
                let (inside, same) = (self.subset(f, &a, &b)?, self.equal(f, &a, &b)?);
                Form::and(vec![inside, Form::not(same)])
            }
            C::LessEqual => Form::le(need(f, &a)?, need(f, &b)?),
            C::GreaterEqual => Form::le(need(f, &b)?, need(f, &a)?),
            C::Less => Form::not(Form::le(need(f, &b)?, need(f, &a)?)),
            C::Greater => Form::not(Form::le(need(f, &a)?, need(f, &b)?)),
            _ => return Err(Fail::No),
        })
    }

    /// `card({a, b, c}) = 3`: all different.
    fn distinct_count<'s>(&mut self, f: &mut Frame<'s>, a: &T, b: &T) -> Got<Option<Form>> {
        for (card, number) in [(a, b), (b, a)] {
            if let (T::Unary(UnaryOp::Card, set), T::Known(n)) = (card, number)
                && let T::Extension(parts) = &**set
            {
                let n = n(f)?;
                if f.store.as_i64(n) != Some(parts.len() as i64) {
                    return Ok(None);
                }
                let mut terms = Vec::new();
                for part in parts {
                    let part = self.term(f, part)?;
                    terms.push(need(f, &part)?);
                }
                return Ok(Some(Form::AllDifferent(terms)));
            }
        }
        Ok(None)
    }

    fn equal<'s>(&mut self, f: &mut Frame<'s>, a: &V, b: &V) -> Got<Form> {
        match (a, b) {
            (V::Known(x), V::Known(y)) => {
                return Ok(Form::Const(symbolic::equal(f, *x, *y, Span::NONE)?));
            }
            (V::Pair(a1, a2), V::Pair(b1, b2)) => {
                let (l, r) = (self.equal(f, a1, b1)?, self.equal(f, a2, b2)?);
                return Ok(Form::and(vec![l, r]));
            }
            (V::Pair(a1, a2), V::Known(v)) | (V::Known(v), V::Pair(a1, a2)) => {
                let Some((x, y)) = f.store.as_pair(*v) else {
                    return Err(Fail::No);
                };
                let (l, r) = (self.equal(f, a1, &V::Known(x))?, self.equal(f, a2, &V::Known(y))?);
                return Ok(Form::and(vec![l, r]));
            }
            (V::Listed(var, values), V::Known(v)) | (V::Known(v), V::Listed(var, values)) => {
                return Ok(match values.iter().position(|x| x == v) {
                    Some(i) => Form::eq(Term::Var(*var), Term::Const(i as i64)),
                    None => Form::Const(false),
                });
            }
            (V::Listed(x, xs), V::Listed(y, ys)) => {
                let same = (0..xs.len())
                    .filter_map(|i| {
                        let j = ys.iter().position(|v| *v == xs[i])?;
                        Some(Form::and(vec![
                            Form::eq(Term::Var(*x), Term::Const(i as i64)),
                            Form::eq(Term::Var(*y), Term::Const(j as i64)),
                        ]))
                    })
                    .collect();
                return Ok(Form::or(same));
            }
            _ => {}
        }
        if let (Some(x), Some(y)) = (scalar(f, a), scalar(f, b)) {
            return Ok(Form::eq(x, y));
        }
        let (x, y) = (self.as_set(f, a)?, self.as_set(f, b)?);
        let mut other: FxHashMap<Val, Form> = y.iter().cloned().collect();
        let mut out = Vec::new();
        for (elem, form) in x {
            let there = other.remove(&elem).unwrap_or(Form::Const(false));
            out.push(Form::iff(form, there));
        }
        for (elem, form) in y {
            if other.contains_key(&elem) {
                out.push(Form::not(form));
            }
        }
        Ok(Form::and(out))
    }

    fn subset<'s>(&mut self, f: &mut Frame<'s>, a: &V, b: &V) -> Got<Form> {
        let x = self.as_set(f, a)?;
        // A known larger set may be symbolic.
        if let V::Known(set) = b {
            let mut out = Vec::new();
            for (elem, form) in x {
                if !symbolic::member(f, elem, *set, Span::NONE)? {
                    out.push(Form::not(form));
                }
            }
            return Ok(Form::and(out));
        }
        let y: FxHashMap<Val, Form> = self.as_set(f, b)?.into_iter().collect();
        let mut out = Vec::new();
        for (elem, form) in x {
            let there = y.get(&elem).cloned().unwrap_or(Form::Const(false));
            out.push(Form::or(vec![Form::not(form), there]));
        }
        Ok(Form::and(out))
    }

    fn member<'s>(&mut self, f: &mut Frame<'s>, a: &V, b: &V, span: Span) -> Got<Form> {
        if let (V::Known(x), V::Known(s)) = (a, b) {
            return Ok(Form::Const(symbolic::member(f, *x, *s, span)?));
        }
        if let V::Known(set) = b {
            if let Some(t) = scalar(f, a) {
                return self.scalar_in(f, t, *set, span);
            }
            if let V::Listed(var, values) = a {
                let mut inside = Vec::new();
                for (i, v) in values.iter().enumerate() {
                    if symbolic::member(f, *v, *set, span)? {
                        inside.push(i as i64);
                    }
                }
                return Ok(Form::In(Term::Var(*var), inside.into()));
            }
            if let Some((tag, args)) = f.store.as_symbolic(*set) {
                match split(tag) {
                    (SPACE1, spaces::POW) => {
                        let of = V::Known(args[0]);
                        return self.subset(f, a, &of);
                    }
                    (SPACE2, op) if op == spaces::CARTESIAN => {
                        if let V::Pair(x, y) = a {
                            let l = self.member(f, x, &V::Known(args[0]), span)?;
                            let r = self.member(f, y, &V::Known(args[1]), span)?;
                            return Ok(Form::and(vec![l, r]));
                        }
                    }
                    _ => {}
                }
            }
        }
        if let (V::Pair(x, y), V::Known(set)) = (a, b)
            && let V::Known(key) = **x
            && f.store.is_listed(*set)
        {
            let values = symbolic::related(f, *set, key, span)?;
            let values = f.store.set(values);
            return self.member(f, y, &V::Known(values), span);
        }
        let candidates = self.as_set(f, b)?;
        if let V::Known(x) = a {
            let found = candidates.into_iter().find(|(e, _)| e == x);
            return Ok(found.map_or(Form::Const(false), |(_, form)| form));
        }
        if candidates.len() > 3_000 {
            return Err(Fail::No);
        }
        let mut ways = Vec::new();
        for (elem, form) in candidates {
            let same = self.equal(f, a, &V::Known(elem))?;
            ways.push(Form::and(vec![same, form]));
        }
        Ok(Form::or(ways))
    }

    fn scalar_in<'s>(&mut self, f: &mut Frame<'s>, t: Term, set: Val, span: Span) -> Got<Form> {
        let store = f.store;
        match store.elems(set) {
            Some(Elems::Range(lo, hi)) => Ok(Form::and(vec![
                Form::le(Term::Const(lo), t.clone()),
                Form::le(t, Term::Const(hi)),
            ])),
            Some(elems) => {
                let codes: Option<Vec<i64>> =
                    store.list(elems).into_iter().map(|v| code(f, v)).collect();
                let mut codes = codes.ok_or(Fail::No)?;
                codes.sort_unstable();
                Ok(Form::In(t, codes.into()))
            }
            None => match store.as_symbolic(set).map(|(tag, _)| split(tag).0) {
                Some(INTEGER) => Ok(Form::Const(true)),
                Some(NATURAL) => Ok(Form::le(Term::Const(0), t)),
                Some(NATURAL1) => Ok(Form::le(Term::Const(1), t)),
                _ => {
                    let listed = symbolic::list(f, set, span).map_err(|_| Fail::No)?;
                    if listed == set { Err(Fail::No) } else { self.scalar_in(f, t, listed, span) }
                }
            },
        }
    }

    // ---- terms

    fn term<'s>(&mut self, f: &mut Frame<'s>, t: &T) -> Got<V> {
        use BinaryOp as B;
        f.tick(Span::NONE)?;
        Ok(match t {
            T::Known(e) => V::Known(e(f)?),
            T::Name(i) => match self.names.get(*i) {
                Some(v) => v.clone(),
                None => return Err(Fail::No),
            },
            T::Negate(a) => {
                let a = self.term(f, a)?;
                V::Int(Term::sum(vec![(-1, need(f, &a)?)]))
            }
            T::Binary(op, a, b) => {
                let (a, b) = (self.term(f, a)?, self.term(f, b)?);
                match op {
                    B::Add | B::Subtract | B::Multiply | B::Divide | B::Modulo => {
                        let (x, y) = (need(f, &a)?, need(f, &b)?);
                        V::Int(self.arithmetic(*op, x, y))
                    }
                    B::Pair => V::Pair(Box::new(a), Box::new(b)),
                    B::Union | B::Intersection | B::Difference => self.set_op(f, *op, &a, &b)?,
                    B::Image => self.image(f, &a, &b)?,
                    B::DomainRestrict | B::DomainSubtract => {
                        self.restrict(f, &b, &a, true, *op == B::DomainRestrict)?
                    }
                    B::RangeRestrict | B::RangeSubtract => {
                        self.restrict(f, &a, &b, false, *op == B::RangeRestrict)?
                    }
                    B::Compose => self.compose(f, &a, &b)?,
                    _ => return Err(Fail::No),
                }
            }
            T::Unary(op, a) => {
                let a = self.term(f, a)?;
                self.unary(f, *op, &a)?
            }
            T::Apply(function, argument) => {
                let (function, argument) = (self.term(f, function)?, self.term(f, argument)?);
                self.apply(f, &function, &argument)?
            }
            T::Extension(parts) => {
                let mut out = Vec::with_capacity(parts.len());
                for part in parts {
                    out.push(self.term(f, part)?);
                }
                V::Extension(out)
            }
            T::Truth(p) => {
                let form = self.truth(f, p)?;
                V::Atom(None, indicator(form))
            }
            T::If(p, a, b) => {
                let form = self.truth(f, p)?;
                match form {
                    Form::Const(true) => return self.term(f, a),
                    Form::Const(false) => return self.term(f, b),
                    _ => {}
                }
                // The branch that is not taken need not have a meaning.
                let sides = self.sides.len();
                let (a, b) = (self.term(f, a)?, self.term(f, b)?);
                if self.sides.len() > sides {
                    return Err(Fail::No);
                }
                let (x, y) = (need(f, &a)?, need(f, &b)?);
                let whole = Term::If(Box::new(form), Box::new(x), Box::new(y));
                match (&a, &b) {
                    (V::Int(_), _) | (_, V::Int(_)) => V::Int(whole),
                    (V::Atom(s, _), _) | (_, V::Atom(s, _)) => V::Atom(*s, whole),
                    (V::Known(v), _) => scalar_like(*v, whole),
                    _ => return Err(Fail::No),
                }
            }
            T::Sum(range, body) => {
                let mut parts = Vec::new();
                self.unroll(f, range, &mut |g, f, _| {
                    let v = g.term(f, body)?;
                    parts.push((1, need(f, &v)?));
                    Ok(())
                })?;
                V::Int(Term::sum(parts))
            }
            T::Filter(range, slots, rest) => {
                let mut parts = Vec::new();
                self.unroll(f, range, &mut |g, f, inside| {
                    let elem = tuple(f.store, &f.slots, slots);
                    let form = Form::and(vec![inside, g.truth(f, rest)?]);
                    parts.push((elem, form));
                    if parts.len() > MAX_CANDIDATES { Err(Fail::No) } else { Ok(()) }
                })?;
                V::Set(parts)
            }
        })
    }

    fn arithmetic(&mut self, op: BinaryOp, x: Term, y: Term) -> Term {
        match op {
            BinaryOp::Add => Term::add(x, y),
            BinaryOp::Subtract => Term::sub(x, y),
            BinaryOp::Multiply => Term::product(x, y),
            BinaryOp::Divide => {
                self.sides.push(Form::not(Form::eq(y.clone(), Term::Const(0))));
                Term::Div(Box::new(x), Box::new(y))
            }
            _ => {
                self.sides.push(Form::le(Term::Const(1), y.clone()));
                self.sides.push(Form::le(Term::Const(0), x.clone()));
                Term::Mod(Box::new(x), Box::new(y))
            }
        }
    }

    /// A set as candidates and conditions.
    fn as_set<'s>(&mut self, f: &mut Frame<'s>, v: &V) -> Got<Vec<(Val, Form)>> {
        match v {
            V::Set(parts) => Ok(parts.clone()),
            V::Known(set) => {
                let elems = self.candidates(f, *set, Span::NONE)?;
                Ok(elems.into_iter().map(|e| (e, Form::Const(true))).collect())
            }
            V::Function(parts) => {
                let mut out = Vec::new();
                for (key, defined, result) in parts {
                    for (value, form) in self.possible(f, result)? {
                        let pair = f.store.pair(*key, value);
                        out.push((pair, Form::and(vec![defined.clone(), form])));
                    }
                    if out.len() > MAX_CANDIDATES {
                        return Err(Fail::No);
                    }
                }
                Ok(out)
            }
            V::Extension(parts) => {
                let mut order = Vec::new();
                let mut ways: FxHashMap<Val, Vec<Form>> = FxHashMap::default();
                for part in parts {
                    for (value, form) in self.possible(f, part)? {
                        ways.entry(value)
                            .or_insert_with(|| {
                                order.push(value);
                                Vec::new()
                            })
                            .push(form);
                    }
                }
                Ok(order
                    .into_iter()
                    .map(|v| (v, Form::or(ways.remove(&v).unwrap_or_default())))
                    .collect())
            }
            _ => Err(Fail::No),
        }
    }

    /// The values something may have, and when it has them.
    fn possible<'s>(&mut self, f: &mut Frame<'s>, v: &V) -> Got<Vec<(Val, Form)>> {
        match v {
            V::Known(x) => Ok(vec![(*x, Form::Const(true))]),
            V::Int(t) | V::Atom(_, t) => {
                let (lo, hi) = self.space.bounds(t);
                if hi.checked_sub(lo).is_none_or(|span| span > 2_000) {
                    return Err(Fail::No);
                }
                let mut out = Vec::new();
                for i in lo..=hi {
                    let value = match v {
                        V::Atom(None, _) => Val::bool(i != 0),
                        V::Atom(Some(set), _) => {
                            Val::atom(*set, u32::try_from(i).map_err(|_| Fail::No)?)
                        }
                        _ => f.store.int(i),
                    };
                    out.push((value, Form::eq(t.clone(), Term::Const(i))));
                }
                Ok(out)
            }
            V::Listed(var, values) => Ok(values
                .iter()
                .enumerate()
                .map(|(i, v)| (*v, Form::eq(Term::Var(*var), Term::Const(i as i64))))
                .collect()),
            V::Pair(a, b) => {
                let (left, right) = (self.possible(f, a)?, self.possible(f, b)?);
                if left.len() * right.len() > MAX_CANDIDATES {
                    return Err(Fail::No);
                }
                let mut out = Vec::new();
                for (x, p) in &left {
                    for (y, q) in &right {
                        let both = Form::and(vec![p.clone(), q.clone()]);
                        out.push((f.store.pair(*x, *y), both));
                    }
                }
                Ok(out)
            }
            _ => Err(Fail::No),
        }
    }

    fn set_op<'s>(&mut self, f: &mut Frame<'s>, op: BinaryOp, a: &V, b: &V) -> Got<V> {
        let x = self.as_set(f, a)?;
        let mut y: FxHashMap<Val, Form> = FxHashMap::default();
        let right = self.as_set(f, b)?;
        y.extend(right.iter().cloned());
        let mut out = Vec::new();
        for (elem, form) in x {
            let other = y.remove(&elem);
            out.push(match (op, other) {
                (BinaryOp::Union, Some(o)) => (elem, Form::or(vec![form, o])),
                (BinaryOp::Union, None) | (BinaryOp::Difference, None) => (elem, form),
                (BinaryOp::Intersection, Some(o)) => (elem, Form::and(vec![form, o])),
                (BinaryOp::Difference, Some(o)) => (elem, Form::and(vec![form, Form::not(o)])),
                _ => continue,
            });
        }
        if op == BinaryOp::Union {
            out.extend(right.into_iter().filter(|(e, _)| y.contains_key(e)));
        }
        Ok(V::Set(out))
    }

    /// Groups pairs by one side.
    fn grouped<'s>(&mut self, f: &mut Frame<'s>, pairs: Vec<(Val, Form)>, left: bool) -> Got<V> {
        let mut order = Vec::new();
        let mut ways: FxHashMap<Val, Vec<Form>> = FxHashMap::default();
        for (pair, form) in pairs {
            let Some((a, b)) = f.store.as_pair(pair) else {
                return Err(Fail::No);
            };
            let side = if left { a } else { b };
            ways.entry(side)
                .or_insert_with(|| {
                    order.push(side);
                    Vec::new()
                })
                .push(form);
        }
        Ok(V::Set(
            order.into_iter().map(|v| (v, Form::or(ways.remove(&v).unwrap_or_default()))).collect(),
        ))
    }

    fn image<'s>(&mut self, f: &mut Frame<'s>, relation: &V, set: &V) -> Got<V> {
        let pairs = self.restricted(f, relation, set, true, true)?;
        self.grouped(f, pairs, false)
    }

    fn restrict<'s>(
        &mut self,
        f: &mut Frame<'s>,
        relation: &V,
        set: &V,
        left: bool,
        inside: bool,
    ) -> Got<V> {
        Ok(V::Set(self.restricted(f, relation, set, left, inside)?))
    }

    fn restricted<'s>(
        &mut self,
        f: &mut Frame<'s>,
        relation: &V,
        set: &V,
        left: bool,
        inside: bool,
    ) -> Got<Vec<(Val, Form)>> {
        let keys: FxHashMap<Val, Form> = self.as_set(f, set)?.into_iter().collect();
        let mut out = Vec::new();
        for (pair, form) in self.as_set(f, relation)? {
            let Some((a, b)) = f.store.as_pair(pair) else {
                return Err(Fail::No);
            };
            let there = keys.get(if left { &a } else { &b }).cloned();
            let there = there.unwrap_or(Form::Const(false));
            let kept = if inside { there } else { Form::not(there) };
            match Form::and(vec![form, kept]) {
                Form::Const(false) => {}
                form => out.push((pair, form)),
            }
        }
        Ok(out)
    }

    fn compose<'s>(&mut self, f: &mut Frame<'s>, a: &V, b: &V) -> Got<V> {
        let (x, y) = (self.as_set(f, a)?, self.as_set(f, b)?);
        let mut by_key: FxHashMap<Val, Vec<(Val, Form)>> = FxHashMap::default();
        for (pair, form) in y {
            if let Some((l, r)) = f.store.as_pair(pair) {
                by_key.entry(l).or_default().push((r, form));
            }
        }
        let mut order = Vec::new();
        let mut ways: FxHashMap<Val, Vec<Form>> = FxHashMap::default();
        for (pair, form) in x {
            let Some((l, m)) = f.store.as_pair(pair) else {
                return Err(Fail::No);
            };
            for (r, other) in by_key.get(&m).into_iter().flatten() {
                let whole = f.store.pair(l, *r);
                ways.entry(whole)
                    .or_insert_with(|| {
                        order.push(whole);
                        Vec::new()
                    })
                    .push(Form::and(vec![form.clone(), other.clone()]));
            }
            if order.len() > MAX_CANDIDATES {
                return Err(Fail::No);
            }
        }
        Ok(V::Set(
            order.into_iter().map(|v| (v, Form::or(ways.remove(&v).unwrap_or_default()))).collect(),
        ))
    }

    fn unary<'s>(&mut self, f: &mut Frame<'s>, op: UnaryOp, a: &V) -> Got<V> {
        use UnaryOp as U;
        Ok(match (op, a) {
            (U::PairFirst, V::Pair(x, _)) => (**x).clone(),
            (U::PairSecond, V::Pair(_, y)) => (**y).clone(),
            (U::Card, V::Function(parts)) => {
                V::Int(Term::Count(parts.iter().map(|p| p.1.clone()).collect()))
            }
            (U::Card, _) => {
                let parts = self.as_set(f, a)?;
                V::Int(Term::Count(parts.into_iter().map(|p| p.1).collect()))
            }
            (U::Domain, V::Function(parts)) => {
                V::Set(parts.iter().map(|p| (p.0, p.1.clone())).collect())
            }
            (U::Range, V::Function(parts))
                if parts.iter().all(|p| matches!(p.1, Form::Const(true))) =>
            {
                V::Extension(parts.iter().map(|p| p.2.clone()).collect())
            }
            (U::Domain | U::Range, _) => {
                let pairs = self.as_set(f, a)?;
                self.grouped(f, pairs, op == U::Domain)?
            }
            (U::Inverse, _) => {
                let mut out = Vec::new();
                for (pair, form) in self.as_set(f, a)? {
                    let Some((l, r)) = f.store.as_pair(pair) else {
                        return Err(Fail::No);
                    };
                    out.push((f.store.pair(r, l), form));
                }
                V::Set(out)
            }
            _ => return Err(Fail::No),
        })
    }

    fn apply<'s>(&mut self, f: &mut Frame<'s>, function: &V, argument: &V) -> Got<V> {
        match (function, argument) {
            (V::Known(g), V::Known(x)) => {
                Ok(V::Known(crate::operators::apply(f, *g, *x, Span::NONE)?))
            }
            (V::Function(parts), V::Known(key)) => {
                let Some((_, defined, result)) = parts.iter().find(|p| p.0 == *key) else {
                    self.sides.push(Form::Const(false));
                    return Err(Fail::No);
                };
                if !matches!(defined, Form::Const(true)) {
                    self.sides.push(defined.clone());
                }
                Ok(result.clone())
            }
            (V::Set(parts), V::Known(key)) => self.single_value(f, parts, *key),
            (V::Function(parts), _) => {
                let rows: Vec<(Val, Form, V)> = parts.clone();
                self.element(f, rows, argument)
            }
            (V::Known(g), _) => {
                if !f.store.is_listed(*g) || f.store.card(*g).is_none_or(|n| n > 5_000) {
                    return Err(Fail::No);
                }
                let Some((l, r)) = f.store.as_columns(*g) else {
                    return Err(Fail::No);
                };
                if f.store.is_function(*g) != Some(true) {
                    return Err(Fail::No);
                }
                let rows =
                    l.iter().zip(r).map(|(k, v)| (*k, Form::Const(true), V::Known(*v))).collect();
                self.element(f, rows, argument)
            }
            _ => Err(Fail::No),
        }
    }

    /// The value of a relation at a key: the one candidate that is in.
    fn single_value<'s>(&mut self, f: &mut Frame<'s>, parts: &[(Val, Form)], key: Val) -> Got<V> {
        let (mut forms, mut sum, mut like) = (Vec::new(), Vec::new(), None);
        for (pair, form) in parts {
            let Some((left, right)) = f.store.as_pair(*pair) else {
                return Err(Fail::No);
            };
            if left == key {
                forms.push(form.clone());
                sum.push((code(f, right).ok_or(Fail::No)?, indicator(form.clone())));
                like = Some(right);
            }
        }
        let like = like.ok_or(Fail::No)?;
        self.sides.push(Form::eq(Term::Count(forms), Term::Const(1)));
        Ok(scalar_like(like, Term::sum(sum)))
    }

    /// The entry of a table at an unknown key.
    fn element<'s>(
        &mut self,
        f: &mut Frame<'s>,
        rows: Vec<(Val, Form, V)>,
        argument: &V,
    ) -> Got<V> {
        let index = match argument {
            V::Pair(..) => return self.element_at_pair(f, rows, argument),
            V::Listed(var, values) => {
                // By position in the list of what the argument may be.
                let values = values.clone();
                let table: FxHashMap<Val, (Form, V)> =
                    rows.into_iter().map(|(k, d, v)| (k, (d, v))).collect();
                let rows = values
                    .iter()
                    .enumerate()
                    .filter_map(|(i, v)| {
                        let (d, r) = table.get(v)?.clone();
                        Some((i as i64, d, r))
                    })
                    .collect();
                return self.table(f, Term::Var(*var), rows);
            }
            other => need(f, other)?,
        };
        let mut coded = Vec::with_capacity(rows.len());
        for (key, defined, result) in rows {
            coded.push((code(f, key).ok_or(Fail::No)?, defined, result));
        }
        self.table(f, index, coded)
    }

    /// `f(i |-> j)`: one choice of row among those that may match.
    fn element_at_pair<'s>(
        &mut self,
        f: &mut Frame<'s>,
        rows: Vec<(Val, Form, V)>,
        argument: &V,
    ) -> Got<V> {
        let mut coded = Vec::new();
        let mut matches = Vec::new();
        for (key, defined, result) in rows {
            let same = self.equal(f, argument, &V::Known(key))?;
            if matches!(self.space.truth(&same), Some(false)) {
                continue;
            }
            coded.push((coded.len() as i64, defined, result));
            matches.push(same);
        }
        if coded.len() > 3_000 {
            return Err(Fail::No);
        }
        let Some(domain) = Domain::between(0, coded.len() as i64 - 1) else {
            self.sides.push(Form::Const(false));
            return Err(Fail::No);
        };
        let row = Term::Var(self.space.var(domain));
        let mut ways = Vec::new();
        for (i, same) in matches.into_iter().enumerate() {
            let here = Form::eq(row.clone(), Term::Const(i as i64));
            ways.push(same.clone());
            self.space.post(Form::or(vec![Form::not(same), here]));
        }
        // If no row matches there is no meaning; the row itself is then the first.
        let none = Form::not(Form::or(ways.clone()));
        self.space.post(Form::or(vec![Form::not(none), Form::eq(row.clone(), Term::Const(0))]));
        self.sides.push(Form::or(ways));
        self.table(f, row, coded)
    }

    fn table<'s>(&mut self, f: &mut Frame<'s>, index: Term, rows: Vec<(i64, Form, V)>) -> Got<V> {
        let mut keys: Vec<i64> = rows.iter().map(|r| r.0).collect();
        keys.sort_unstable();
        self.sides.push(Form::In(index.clone(), keys.into()));
        let mut entries = Vec::with_capacity(rows.len());
        let mut like = None;
        for (key, defined, result) in rows {
            if !matches!(defined, Form::Const(true)) {
                let here = Form::eq(index.clone(), Term::Const(key));
                self.sides.push(Form::or(vec![Form::not(here), defined]));
            }
            entries.push((key, need(f, &result)?));
            if like.is_none() || matches!(like, Some(V::Known(_))) {
                like = Some(result);
            }
        }
        let whole = Term::Element(Box::new(index), entries);
        match like {
            Some(V::Int(_)) => Ok(V::Int(whole)),
            Some(V::Atom(set, _)) => Ok(V::Atom(set, whole)),
            Some(V::Known(v)) => Ok(scalar_like(v, whole)),
            _ => Err(Fail::No),
        }
    }
}

fn indicator(form: Form) -> Term {
    match form {
        Form::Const(b) => Term::Const(i64::from(b)),
        form => Term::If(Box::new(form), Box::new(Term::Const(1)), Box::new(Term::Const(0))),
    }
}

/// A term of the same kind of scalar as a value.
fn scalar_like(v: Val, term: Term) -> V {
    match (v.as_bool(), v.as_atom()) {
        (Some(_), _) => V::Atom(None, term),
        (_, Some((set, _))) => V::Atom(Some(set), term),
        _ => V::Int(term),
    }
}

/// The number of a scalar.
fn scalar(f: &Frame<'_>, v: &V) -> Option<Term> {
    match v {
        V::Known(v) => Some(Term::Const(code(f, *v)?)),
        V::Int(t) | V::Atom(_, t) => Some(t.clone()),
        _ => None,
    }
}

fn need(f: &Frame<'_>, v: &V) -> Got<Term> {
    scalar(f, v).ok_or(Fail::No)
}
