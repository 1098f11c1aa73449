//! Predicates to closures.
//!
//! Left to right, but a false conjunct wins over one without a meaning, and a true disjunct
//! likewise.

use super::context::Cx;
use crate::answer::Stop;
use crate::eval::frame::{E, Frame, P};
use crate::eval::operators::binary;
use crate::eval::query::{Query, survivable};
use crate::eval::sets::{self, among, equal, member, subset};
use beeline_model::{
    BasicSet, BinaryOp, CompareOp, Expr, ExprKind, LocalId, Pred, PredKind, Type, UnaryOp,
};
use beeline_plan::{Act, Generator, Names, Plan, is_defined};
use beeline_source::Span;
use beeline_value::{Lookup, Val};
use std::cmp::Ordering;
use std::slice;

impl Cx<'_> {
    /// Compiles a predicate.
    pub fn pred(&mut self, p: &Pred) -> P {
        if !self.deeper(p.span) {
            self.nesting -= 1;
            return Box::new(|_| Ok(false));
        }
        let compiled = self.pred_kind(p);
        self.nesting -= 1;
        compiled
    }

    fn preds(&mut self, parts: &[Pred]) -> Vec<P> {
        parts.iter().map(|p| self.pred(p)).collect()
    }

    fn pred_kind(&mut self, p: &Pred) -> P {
        let span = p.span;
        match &p.kind {
            PredKind::Bool(b) => {
                let b = *b;
                Box::new(move |_| Ok(b))
            }
            PredKind::And(parts) => {
                let parts = self.preds(parts);
                Box::new(move |f| decide(f, &parts, false))
            }
            PredKind::Or(parts) => {
                let parts = self.preds(parts);
                Box::new(move |f| decide(f, &parts, true))
            }
            PredKind::Not(p) => {
                let p = self.pred(p);
                Box::new(move |f| Ok(!p(f)?))
            }
            PredKind::Implies(a, b) => {
                let (a, b) = (self.pred(a), self.pred(b));
                Box::new(move |f| match a(f) {
                    Ok(false) => Ok(true),
                    Ok(true) => b(f),
                    // Not an error of the left side: somebody wants no more.
                    Err(Stop::Enough) => Err(Stop::Enough),
                    Err(stop) => match b(f) {
                        // True whatever the left side would be: connectives do not depend on the
                        // order of evaluation.
                        Ok(true) => Ok(true),
                        // What was not evaluated might have decided: a cut weighs more than a
                        // fault.
                        Err(Stop::Cut(cut)) => Err(Stop::Cut(cut)),
                        _ => Err(stop),
                    },
                })
            }
            PredKind::Equivalent(a, b) => {
                let (a, b) = (self.pred(a), self.pred(b));
                // Neither side decides alone: if one has no meaning, the whole has none.
                Box::new(move |f| Ok(a(f)? == b(f)?))
            }
            PredKind::Compare(op, a, b) => self.compare(*op, a, b, span),
            PredKind::Forall(locals, body) => self.forall(locals, body, p),
            PredKind::Exists(locals, body) => self.exists(locals, body, p),
            PredKind::If(c, a, b) => {
                let (c, a, b) = (self.pred(c), self.pred(a), self.pred(b));
                Box::new(move |f| match c(f) {
                    Ok(true) => a(f),
                    Ok(false) => b(f),
                    // `c & a or not(c) & b`: false if both are.
                    Err(stop @ Stop::Fault(_)) => match (a(f), b(f)) {
                        (Ok(false), Ok(false)) => Ok(false),
                        (Err(Stop::Cut(cut)), _) | (_, Err(Stop::Cut(cut))) => Err(Stop::Cut(cut)),
                        _ => Err(stop),
                    },
                    Err(stop) => Err(stop),
                })
            }
            PredKind::Let(values, body) => {
                let values = self.lets(values);
                let body = self.pred(body);
                Box::new(move |f| {
                    for (slot, value) in &values {
                        f.slots[*slot] = value(f)?;
                    }
                    body(f)
                })
            }
            PredKind::Finite(set) => {
                let set = self.expr(set);
                Box::new(move |f| {
                    let set = set(f)?;
                    sets::is_finite(f, set, span)
                })
            }
            PredKind::Partition(whole, parts) => {
                let whole = self.expr(whole);
                let parts: Vec<E> = parts.iter().map(|e| self.expr(e)).collect();
                Box::new(move |f| partition(f, &whole, &parts, span))
            }
            PredKind::External(id, args) => self.external_predicate(*id, args, span),
        }
    }

    fn compare(&mut self, op: CompareOp, a: &Expr, b: &Expr, span: Span) -> P {
        use CompareOp as C;
        match op {
            C::Equal | C::NotEqual => self.equality(op == C::Equal, a, b, span),
            C::Member => self.membership(a, b, span),
            C::NotMember => {
                let inside = self.membership(a, b, span);
                Box::new(move |f| Ok(!inside(f)?))
            }
            C::Subset | C::NotSubset | C::StrictSubset | C::NotStrictSubset => {
                let wanted = matches!(op, C::Subset | C::StrictSubset);
                let strict = matches!(op, C::StrictSubset | C::NotStrictSubset);
                if let (ExprKind::SetExtension(parts), false) = (&a.kind, strict) {
                    // Each element for itself, as conditions on names have it.
                    let parts: Vec<P> =
                        parts.iter().map(|part| self.membership(part, b, span)).collect();
                    return Box::new(move |f| Ok(decide(f, &parts, false)? == wanted));
                }
                let (a, b) = (self.expr(a), self.expr(b));
                Box::new(move |f| {
                    let (a, b) = (a(f)?, b(f)?);
                    let inside = subset(f, a, b, span)? && !(strict && equal(f, a, b, span)?);
                    Ok(inside == wanted)
                })
            }
            C::Less | C::LessEqual | C::Greater | C::GreaterEqual => {
                let wanted: fn(Ordering) -> bool = match op {
                    C::Less => Ordering::is_lt,
                    C::LessEqual => Ordering::is_le,
                    C::Greater => Ordering::is_gt,
                    _ => Ordering::is_ge,
                };
                let (a, b) = (self.expr(a), self.expr(b));
                Box::new(move |f| {
                    let (a, b) = (a(f)?, b(f)?);
                    Ok(wanted(f.store.cmp(a, b)))
                })
            }
            C::RealLess | C::RealLessEqual | C::RealGreater | C::RealGreaterEqual => {
                let (a, b) = (self.expr(a), self.expr(b));
                Box::new(move |f| {
                    let (a, b) = (a(f)?, b(f)?);
                    let x = f.store.as_real(a).unwrap_or(f64::NAN);
                    let y = f.store.as_real(b).unwrap_or(f64::NAN);
                    Ok(match op {
                        C::RealLess => x < y,
                        C::RealLessEqual => x <= y,
                        C::RealGreater => x > y,
                        _ => x >= y,
                    })
                })
            }
        }
    }

    fn equality(&mut self, wanted: bool, a: &Expr, b: &Expr, span: Span) -> P {
        let plain = matches!(
            self.model.types.get(a.ty),
            Type::Bool | Type::Integer | Type::Given(_) | Type::String | Type::Real
        );
        // `S = {}` needs no listing.
        for (set, other) in [(a, b), (b, a)] {
            if matches!(other.kind, ExprKind::EmptySet) {
                let set = self.expr(set);
                return Box::new(move |f| {
                    let set = set(f)?;
                    Ok(sets::is_empty(f, set, span)? == wanted)
                });
            }
        }
        let (a, b) = (self.expr(a), self.expr(b));
        if plain {
            // Values of these types have one word each, and are never symbolic.
            return Box::new(move |f| Ok((a(f)? == b(f)?) == wanted));
        }
        Box::new(move |f| {
            let (a, b) = (a(f)?, b(f)?);
            Ok(equal(f, a, b, span)? == wanted)
        })
    }

    /// `a : b`, without building `b` where its form allows it.
    fn membership(&mut self, a: &Expr, b: &Expr, span: Span) -> P {
        // Part by part, as conditions on names have it.
        let parts: Option<Vec<P>> = match (&b.kind, &a.kind) {
            (
                ExprKind::Binary(BinaryOp::Cartesian, left, right),
                ExprKind::Binary(BinaryOp::Pair, x, y),
            ) => Some(vec![self.membership(x, left, span), self.membership(y, right, span)]),
            (ExprKind::RecordSet(sets), ExprKind::Record(fields)) => {
                let both = fields.iter().zip(sets);
                Some(both.map(|(x, set)| self.membership(x, set, span)).collect())
            }
            (ExprKind::Unary(UnaryOp::Power, set), ExprKind::SetExtension(parts)) => {
                Some(parts.iter().map(|x| self.membership(x, set, span)).collect())
            }
            _ => None,
        };
        if let Some(parts) = parts {
            return Box::new(move |f| decide(f, &parts, false));
        }
        if let Some(test) = self.mapped_to(a, b) {
            return test;
        }
        match &b.kind {
            ExprKind::Basic(set @ (BasicSet::Int | BasicSet::Nat | BasicSet::Nat1)) => {
                let hi = self.store.int(self.settings.max_int);
                let lo = self.store.int(match set {
                    BasicSet::Int => self.settings.min_int,
                    BasicSet::Nat => 0,
                    _ => 1,
                });
                let a = self.expr(a);
                Box::new(move |f| {
                    let a = a(f)?;
                    Ok(f.store.cmp(lo, a).is_le() && f.store.cmp(a, hi).is_le())
                })
            }
            ExprKind::Binary(BinaryOp::Interval, lo, hi) => {
                let (a, lo, hi) = (self.expr(a), self.expr(lo), self.expr(hi));
                Box::new(move |f| {
                    let (a, lo, hi) = (a(f)?, lo(f)?, hi(f)?);
                    Ok(f.store.cmp(lo, a).is_le() && f.store.cmp(a, hi).is_le())
                })
            }
            ExprKind::Binary(op, left, right) if beeline_plan::arrow(*op as usize).is_some() => {
                let Some(arrow) = beeline_plan::arrow(*op as usize) else {
                    return Box::new(|_| Ok(false));
                };
                let (a, left, right) = (self.expr(a), self.expr(left), self.expr(right));
                Box::new(move |f| {
                    let (a, left, right) = (a(f)?, left(f)?, right(f)?);
                    sets::in_arrow(f, arrow, a, left, right, span)
                })
            }
            ExprKind::Binary(BinaryOp::Cartesian, left, right) => {
                let (a, left, right) = (self.expr(a), self.expr(left), self.expr(right));
                Box::new(move |f| {
                    let (a, left, right) = (a(f)?, left(f)?, right(f)?);
                    sets::member2(f, sets::CARTESIAN, a, left, right, span)
                })
            }
            ExprKind::Binary(
                op @ (BinaryOp::Union | BinaryOp::Intersection | BinaryOp::Difference),
                left,
                right,
            ) => {
                // It would be evaluated once for each side.
                if !(simple(a) || constructs(a)) {
                    return self.named_membership(a, b, span);
                }
                let x = self.membership(a, left, span);
                let y = self.membership(a, right, span);
                let y = match op {
                    BinaryOp::Difference => Box::new(move |f: &mut Frame<'_>| Ok(!y(f)?)),
                    _ => y,
                };
                let (parts, winner) = ([x, y], *op == BinaryOp::Union);
                Box::new(move |f| decide(f, &parts, winner))
            }
            ExprKind::Comprehension(binder) => {
                // Listed and remembered; where that has no meaning, the condition itself decides.
                let (a, set) = (self.kept(a), self.expr(b));
                let params: Vec<usize> =
                    binder.locals.iter().map(|l| self.local_slot(*l)).collect();
                let test = self.pred(&binder.predicate);
                Box::new(move |f| {
                    let a = a(f)?;
                    match set(f) {
                        Ok(set) => member(f, a, set, span),
                        Err(Stop::Fault(_)) => {
                            // The same names may be bound around this test, by the comprehension
                            // itself.
                            let outer: Vec<Val> = params.iter().map(|&p| f.slots[p]).collect();
                            sets::bind_tuple(f.store, &mut f.slots, &params, a);
                            let truth = test(f);
                            params.iter().zip(outer).for_each(|(&p, v)| f.slots[p] = v);
                            truth
                        }
                        Err(stop) => Err(stop),
                    }
                })
            }
            ExprKind::Unary(UnaryOp::Domain, relation) => {
                let (a, relation) = (self.kept(a), self.expr(relation));
                Box::new(move |f| {
                    let (a, relation) = (a(f)?, relation(f)?);
                    // A listed relation is sorted: no domain has to be made.
                    match f.store.lookup(relation, a) {
                        Some(found) => Ok(found != Lookup::Missing),
                        None => Ok(!sets::related(f, relation, a, span)?.is_empty()),
                    }
                })
            }
            ExprKind::Unary(
                op @ (UnaryOp::Power
                | UnaryOp::Power1
                | UnaryOp::Finite
                | UnaryOp::Finite1
                | UnaryOp::Seq
                | UnaryOp::Seq1
                | UnaryOp::Iseq
                | UnaryOp::Iseq1
                | UnaryOp::Perm),
                set,
            ) => {
                let op = *op as usize;
                let (a, set) = (self.expr(a), self.expr(set));
                Box::new(move |f| {
                    let (a, set) = (a(f)?, set(f)?);
                    sets::member1(f, op, a, set, span)
                })
            }
            ExprKind::SetExtension(parts) if parts.len() <= 4 => {
                let a = self.kept(a);
                let parts: Vec<E> = parts.iter().map(|e| self.kept(e)).collect();
                Box::new(move |f| {
                    let a = a(f)?;
                    let (mut found, mut opaque) = (false, Vec::new());
                    for part in &parts {
                        let part = part(f)?;
                        found |= part == a;
                        if part != a && (part.is_opaque() || a.is_opaque()) {
                            opaque.push(part);
                        }
                    }
                    Ok(found || !opaque.is_empty() && among(f, a, opaque, span)?)
                })
            }
            _ => {
                let (a, b) = (self.kept(a), self.expr(b));
                Box::new(move |f| {
                    let (a, b) = (a(f)?, b(f)?);
                    member(f, a, b, span)
                })
            }
        }
    }

    /// `a : b` for an `a` that is asked for more than once: it gets a slot of its own.
    fn named_membership(&mut self, a: &Expr, b: &Expr, span: Span) -> P {
        // Beyond all names of the model, so that it is nobody else's.
        let id = LocalId(u32::MAX - self.next_slot as u32);
        let slot = self.local_slot(id);
        let name = Expr { kind: ExprKind::Local(id), ty: a.ty, span: a.span };
        let value = self.kept(a);
        let test = self.membership(&name, b, span);
        Box::new(move |f| {
            let value = value(f)?;
            let outer = std::mem::replace(&mut f.slots[slot], value);
            let truth = test(f);
            f.slots[slot] = outer;
            truth
        })
    }

    /// Remembers the truth of a quantified predicate by the variables and constants it reads.
    fn remembered(&mut self, p: &Pred, test: P) -> P {
        let names = Names::of_pred(self.model, p);
        if !names.locals.is_empty() {
            return test;
        }
        let reads = self.read_slots(&names);
        let number = self.query_number();
        Box::new(move |f| {
            if let Some(known) = f.memo.query(number, &reads, &f.slots) {
                return Ok(known == 1);
            }
            let (truth, whole) = f.noting(|f| test(f));
            let truth = truth?;
            if whole {
                f.memo.put_query(number, &reads, &f.slots, u32::from(truth));
            }
            Ok(truth)
        })
    }

    fn forall(&mut self, locals: &[LocalId], body: &Pred, whole: &Pred) -> P {
        let (locals, conditions, claim) = beeline_plan::normal::universal(locals, body);
        let plan = self.plan(&locals, &conditions);
        let query = self.query(&locals, &conditions);
        let (unbounded, fallible) = (query.unbounded, ends_may_fail(&plan));
        let again = unbounded || fallible;
        let refuted = if again { self.refuted(&locals, &conditions, &claim) } else { None };
        let claim = self.pred(&claim);
        let alone = Names::of_pred(self.model, whole).locals.is_empty();
        let test: P = Box::new(move |f| {
            if unbounded
                && let Some(refuted) = &refuted
                && let Ok(found) = refuted(f)
            {
                return Ok(!found);
            }
            let truth = f.certain(|f| {
                let mut pending = None;
                let outcome = query.run_if(alone, f, &mut |f, stop| {
                    let truth = claim(f);
                    // A condition without a meaning decides nothing unless the claim is true.
                    match (stop, truth) {
                        (None, Ok(false)) => Err(Stop::Enough),
                        (_, Ok(true)) => Ok(()),
                        (stop, truth) => {
                            for stop in stop.into_iter().chain(truth.err()) {
                                if matches!(stop, Stop::Enough) {
                                    return Err(stop);
                                }
                                stop.join(&mut pending);
                            }
                            Ok(())
                        }
                    }
                });
                match (outcome, pending) {
                    (Err(Stop::Enough), _) => Ok((false, true)),
                    (Err(stop), _) | (Ok(()), Some(stop)) => Err(stop),
                    (Ok(()), None) => Ok((true, false)),
                }
            });
            match (truth, &refuted) {
                // The bound that failed left all integers to be tried; the claim may leave none.
                (Err(stop), Some(refuted)) if survivable(&stop) => match refuted(f) {
                    Ok(found) => Ok(!found),
                    Err(_) => Err(stop),
                },
                (truth, _) => truth,
            }
        });
        self.remembered(whole, test)
    }

    /// Where nothing bounds the names of `!x.(P => Q)`, or a bound fails, what is not `Q` may: `#x.(P & not(Q))`, if
    /// that can be looked for. Without an answer nothing is known.
    fn refuted(&mut self, locals: &[LocalId], conditions: &[Pred], claim: &Pred) -> Option<P> {
        let mut all = conditions.to_vec();
        let span = claim.span;
        let not = |p: &Pred| Pred { kind: PredKind::Not(Box::new(p.clone())), span };
        match &claim.kind {
            PredKind::Equivalent(a, b) => {
                let only = |p: &Pred, q: &Pred| PredKind::And(vec![p.clone(), not(q)]);
                let sides = [only(a, b), only(b, a)].map(|kind| Pred { kind, span });
                all.push(Pred { kind: PredKind::Or(sides.to_vec()), span });
            }
            _ => beeline_plan::normal::split(&not(claim), &mut all),
        }
        self.second_look(locals, &all, |_| false)
    }

    /// `a : {x . P | E}` where nothing bounds the names but that `E` is `a`.
    fn mapped_to(&mut self, a: &Expr, b: &Expr) -> Option<P> {
        let ExprKind::MapComprehension(binder, value) = &b.kind else { return None };
        // A name of our own is no name of the model.
        if matches!(a.kind, ExprKind::Local(l) if l.index() >= self.model.locals.len()) {
            return None;
        }
        let equal = PredKind::Compare(CompareOp::Equal, value.clone(), Box::new(a.clone()));
        let mut all = Vec::new();
        beeline_plan::normal::split(&binder.predicate, &mut all);
        all.push(Pred { kind: equal, span: a.span });
        let listed =
            |cx: &mut Self| !cx.plan(&binder.locals, slice::from_ref(&binder.predicate)).unbounded;
        self.second_look(&binder.locals, &all, listed)
    }

    /// Plans a question in another way, unless there was a better one, or this one is unbounded.
    /// Questions inside it are not looked at twice, or there would be no end to it.
    fn second_look(
        &mut self,
        locals: &[LocalId],
        all: &[Pred],
        had_better: impl FnOnce(&mut Self) -> bool,
    ) -> Option<P> {
        if std::mem::replace(&mut self.looking_again, true) {
            return None;
        }
        let query = if had_better(self) { None } else { Some(self.query(locals, all)) };
        self.looking_again = false;
        query.filter(|q| !q.unbounded).map(|q| self.witnessed(q, false))
    }

    fn exists(&mut self, locals: &[LocalId], body: &Pred, whole: &Pred) -> P {
        let query = self.query(locals, slice::from_ref(body));
        let alone = Names::of_pred(self.model, whole).locals.is_empty();
        let test = self.witnessed(query, alone);
        self.remembered(whole, test)
    }

    /// Has a query a solution? One that depends on nothing but the state stands `alone`.
    fn witnessed(&self, query: Query, alone: bool) -> P {
        Box::new(move |f| {
            f.certain(|f| {
                let mut pending = None;
                let outcome = query.run_if(alone, f, &mut |_, stop| match stop {
                    None => Err(Stop::Enough),
                    Some(stop) => {
                        stop.join(&mut pending);
                        Ok(())
                    }
                });
                match (outcome, pending) {
                    (Err(Stop::Enough), _) => Ok((true, true)),
                    (Err(stop), _) | (Ok(()), Some(stop)) => Err(stop),
                    (Ok(()), None) => Ok((false, false)),
                }
            })
        })
    }
}

/// Is it put together from parts that membership may look at one by one?
fn constructs(e: &Expr) -> bool {
    matches!(
        e.kind,
        ExprKind::Binary(BinaryOp::Pair, ..) | ExprKind::Record(_) | ExprKind::SetExtension(_)
    )
}

/// Is it cheap enough to be evaluated twice?
fn simple(e: &Expr) -> bool {
    matches!(
        e.kind,
        ExprKind::Local(_)
            | ExprKind::Variable(_)
            | ExprKind::Constant(_)
            | ExprKind::Element(..)
            | ExprKind::Integer(_)
            | ExprKind::Bool(_)
    )
}

/// Conjunction (`winner` false) or disjunction (`winner` true): the winner decides, even over a
/// part without a meaning.
fn decide<'s>(f: &mut Frame<'s>, parts: &[P], winner: bool) -> Result<bool, Stop> {
    let mut pending = None;
    for part in parts {
        match part(f) {
            Ok(truth) if truth == winner => return Ok(winner),
            Ok(_) => {}
            Err(Stop::Enough) => return Err(Stop::Enough),
            Err(stop) => {
                stop.join(&mut pending);
            }
        }
    }
    match pending {
        Some(stop) => Err(stop),
        None => Ok(!winner),
    }
}

fn partition<'s>(f: &mut Frame<'s>, whole: &E, parts: &[E], span: Span) -> Result<bool, Stop> {
    let whole = whole(f)?;
    let mut union = Val::EMPTY;
    let mut total = 0_usize;
    for part in parts {
        let value = part(f)?;
        let part = sets::list(f, value, span)?;
        total = total.saturating_add(sets::elements(f, part, span)?.len());
        union = binary(f, BinaryOp::Union, union, part, span)?;
    }
    Ok(sets::elements(f, union, span)?.len() == total && equal(f, whole, union, span)?)
}

/// May an end of an interval that a name is taken from be ill-defined?
fn ends_may_fail(plan: &Plan) -> bool {
    plan.steps.iter().any(|step| match &step.act {
        Act::Bind {
            from: Generator::Between { lows, highs, .. } | Generator::Within { lows, highs, .. },
            ..
        } => lows.iter().chain(highs).any(|end| !is_defined(end)),
        _ => false,
    })
}
