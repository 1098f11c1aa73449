//! Expressions to closures.

use super::context::Cx;
use crate::answer::{CutReason, FaultKind, Stop};
use crate::eval::arith;
use crate::eval::fold::fold;
use crate::eval::frame::{Code, E, Frame, Shape, Solutions};
use crate::eval::operators::{apply, binary, outside_domain, unary};
use crate::eval::query::Query;
use crate::eval::sets::{self, capture, capture_normal, settle, tag, tuple};
use beeline_model::{
    BasicFunction, BasicSet, BinaryOp, Binder, CompareOp, Expr, ExprKind, ExprQuantifier, LocalId,
    Model, PredKind, Type, TypeId, UnaryOp,
};
use beeline_plan::{Estimate, INFINITE, Names};
use beeline_source::Span;
use beeline_value::{ATOM_INDEX_LIMIT, Val};
use std::sync::OnceLock;

/// Comprehensions with more candidates than this stay symbolic until somebody lists them.
const LAZY: f64 = 300_000.0;
/// Steps for finding out whether a set that looks infinite is small.
const ATTEMPT: u64 = 5_000_000;

pub(crate) fn constant(value: Val) -> E {
    Box::new(move |_| Ok(value))
}

/// Evaluates once and remembers.
fn once(e: E) -> E {
    let cell: OnceLock<Val> = OnceLock::new();
    Box::new(move |f| match cell.get() {
        Some(value) => Ok(*value),
        None => {
            let value = e(f)?;
            Ok(*cell.get_or_init(|| value))
        }
    })
}

impl Cx<'_> {
    /// Compiles an expression.
    pub fn expr(&mut self, e: &Expr) -> E {
        if !self.deeper(e.span) {
            self.nesting -= 1;
            return constant(Val::EMPTY);
        }
        // What costs nothing to evaluate need not be remembered.
        let worth_it = !matches!(
            e.kind,
            ExprKind::Integer(_)
                | ExprKind::Bool(_)
                | ExprKind::Element(..)
                | ExprKind::GivenSet(_)
                | ExprKind::EmptySet
                | ExprKind::Local(_)
                | ExprKind::Variable(_)
                | ExprKind::Constant(_)
                | ExprKind::OperationCall(..)
        );
        // Only the outermost: what is inside of it is evaluated once with it.
        let closed = worth_it && !self.in_closed && Names::of_expr(self.model, e).is_closed();
        self.in_closed |= closed;
        let compiled = self.expr_kind(e);
        if closed {
            self.in_closed = false;
        }
        self.nesting -= 1;
        if closed { once(compiled) } else { compiled }
    }

    /// Is it a type whose values may be symbolic?
    pub fn is_set_type(&self, e: &Expr) -> bool {
        matches!(self.model.types.get(e.ty), Type::Power(_))
    }

    /// Compiles an expression whose value is kept: small symbolic sets are listed.
    pub fn kept(&mut self, e: &Expr) -> E {
        let value = self.expr(e);
        if !self.is_set_type(e) {
            return value;
        }
        let span = e.span;
        Box::new(move |f| {
            let v = value(f)?;
            settle(f, v, span)
        })
    }

    /// The same for the value of a constant. Whoever writes `s : all` where `all = POW(S)` looks for
    /// subsets of S: a large space stays what it is, so that the solver can see it.
    pub fn kept_for_good(&mut self, e: &Expr) -> E {
        let value = self.expr(e);
        if !self.is_set_type(e) {
            return value;
        }
        let span = e.span;
        Box::new(move |f| {
            let v = value(f)?;
            if sets::is_large_space(f, v) { Ok(v) } else { settle(f, v, span) }
        })
    }

    /// Compiles an element of a set: words tell elements apart, so that it is listed if a short
    /// attempt succeeds.
    fn element(&mut self, e: &Expr) -> E {
        const SHORT: u64 = 10_000;
        let value = self.kept(e);
        if !self.is_set_type(e) {
            return value;
        }
        let span = e.span;
        Box::new(move |f| {
            let set = value(f)?;
            if f.store.as_symbolic(set).is_none() {
                return Ok(set);
            }
            let steps = f.steps;
            // An attempt: if it fails the set stays symbolic, and no user hears of a limit.
            f.steps = steps.min(SHORT);
            let listed = sets::list(f, set, span);
            f.steps = steps - (steps.min(SHORT) - f.steps);
            match listed {
                Err(Stop::Cut(cut)) if cut.reason != CutReason::Interrupted => Ok(set),
                other => other,
            }
        })
    }

    fn expr_kind(&mut self, e: &Expr) -> E {
        let span = e.span;
        let store = self.store.clone();
        if matches!(e.kind, ExprKind::MaxInt | ExprKind::MinInt) {
            // The report names the bounds only where they can make a difference.
            self.uses_int_bounds.set(true);
        }
        match &e.kind {
            ExprKind::Integer(i) => constant(store.big_int(i.clone())),
            ExprKind::Bool(b) => constant(Val::bool(*b)),
            ExprKind::Real(r) => constant(store.real(*r)),
            ExprKind::String(s) => constant(store.string(s)),
            ExprKind::MaxInt => constant(store.int(self.settings.max_int)),
            ExprKind::MinInt => constant(store.int(self.settings.min_int)),
            ExprKind::Variable(v) => read(self.variable_slot(*v), span),
            ExprKind::Constant(c) => read(self.constant_slot(*c), span),
            ExprKind::Local(l) => read(self.local_slot(*l), span),
            ExprKind::Element(set, index) => {
                constant(Val::atom(set.0, (*index).min(ATOM_INDEX_LIMIT - 1)))
            }
            ExprKind::GivenSet(set) => constant(self.sets[set.index()]),
            ExprKind::Basic(set) => constant(self.basic_set(*set)),
            ExprKind::Function(function) => {
                constant(store.symbolic(tag(sets::FUNCTION, *function as usize), Vec::new()))
            }
            ExprKind::EmptySet => constant(Val::EMPTY),
            ExprKind::SetExtension(es) => {
                let parts: Vec<E> = es.iter().map(|e| self.element(e)).collect();
                Box::new(move |f| {
                    let values = all(f, &parts)?;
                    Ok(f.store.set(values))
                })
            }
            ExprKind::SequenceExtension(es) => {
                let parts: Vec<E> = es.iter().map(|e| self.kept(e)).collect();
                Box::new(move |f| {
                    let values = all(f, &parts)?;
                    Ok(f.store.sequence(values))
                })
            }
            ExprKind::Unary(op, a) => self.unary(*op, a, e),
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b, span),
            ExprKind::Ternary(op, parts) => {
                let op = *op;
                let [a, b, c] = &**parts;
                let (a, b, c) = (self.kept(a), self.kept(b), self.kept(c));
                Box::new(move |f| {
                    let values = [a(f)?, b(f)?, c(f)?];
                    crate::eval::operators::tree::ternary(f, op, values, span)
                })
            }
            ExprKind::Apply(function, argument) => self.apply(function, argument, span),
            ExprKind::Comprehension(b) => self.comprehension(b, None, false, span),
            ExprKind::MapComprehension(b, value) => self.comprehension(b, Some(value), false, span),
            ExprKind::Lambda(b, value) => self.comprehension(b, Some(value), true, span),
            ExprKind::Quantified(q, b, value) => self.quantified(*q, b, value, span),
            ExprKind::Record(es) => {
                let parts: Vec<E> = es.iter().map(|e| self.kept(e)).collect();
                Box::new(move |f| {
                    let values = all(f, &parts)?;
                    Ok(f.store.record(values))
                })
            }
            ExprKind::RecordSet(es) => {
                let parts: Vec<E> = es.iter().map(|e| self.expr(e)).collect();
                Box::new(move |f| {
                    let values = all(f, &parts)?;
                    Ok(f.store.symbolic(sets::RECORDS, values))
                })
            }
            ExprKind::Field(record, index) => {
                let (record, index) = (self.expr(record), *index);
                Box::new(move |f| {
                    let value = record(f)?;
                    Ok(f.store.as_record(value).map_or(Val::UNSET, |r| r[index]))
                })
            }
            ExprKind::If(p, a, b) => {
                let (p, a, b) = (self.pred(p), self.expr(a), self.expr(b));
                Box::new(move |f| if p(f)? { a(f) } else { b(f) })
            }
            ExprKind::Let(values, body) => {
                let values = self.lets(values);
                let body = self.expr(body);
                Box::new(move |f| {
                    for (slot, value) in &values {
                        f.slots[*slot] = value(f)?;
                    }
                    body(f)
                })
            }
            ExprKind::BoolOf(p) => {
                let p = self.pred(p);
                Box::new(move |f| Ok(Val::bool(p(f)?)))
            }
            ExprKind::External(id, args) => self.external_function(*id, args, span),
            ExprKind::OperationCall(id, args) => self.operation_value(*id, args, span),
            ExprKind::FreeTypeSet(id, args) if args.is_empty() => {
                self.over_types(e.ty, tag(sets::FREE, id.index()))
            }
            ExprKind::FreeTypeSet(id, args) => {
                let id = id.index();
                let parts: Vec<E> = args.iter().map(|e| self.expr(e)).collect();
                Box::new(move |f| {
                    let values = all(f, &parts)?;
                    Ok(f.store.symbolic(tag(sets::FREE, id), values))
                })
            }
            ExprKind::Constructor(id, number) => {
                let (argument, _) = self.constructor(*id, *number);
                match (argument, sets::constructor(id.0, *number)) {
                    (None, _) => constant(store.free(id.0, *number, None)),
                    (Some(_), Some(which)) => {
                        self.over_types(self.result_of(e.ty), tag(sets::CONSTRUCTOR, which))
                    }
                    (Some(_), None) => {
                        let words = "a constructor of so many without its argument";
                        Box::new(move |_| Err(Stop::cut(CutReason::Unsupported, span, words)))
                    }
                }
            }
        }
    }

    /// A symbolic value over all values of each type that a free type (or a set of it) depends on.
    fn over_types(&self, ty: TypeId, tag: u32) -> E {
        let types = self.free_arguments(self.model.types.element(ty).unwrap_or(ty));
        Box::new(move |f| {
            let sets = types.iter().map(|ty| sets::type_set(f.rt, *ty)).collect();
            Ok(f.store.symbolic(tag, sets))
        })
    }

    /// The types that a free type is over.
    fn free_arguments(&self, ty: TypeId) -> Vec<TypeId> {
        match self.model.types.get(ty) {
            Type::Free(_, types) => types.to_vec(),
            _ => Vec::new(),
        }
    }

    /// The type of the values of a function.
    fn result_of(&self, function: TypeId) -> TypeId {
        let types = &self.model.types;
        types.element(function).and_then(|pair| types.halves(pair)).map_or(function, |(_, to)| to)
    }

    fn constructor(
        &self,
        id: beeline_model::FreeTypeId,
        number: u32,
    ) -> (Option<&Expr>, &beeline_model::FreeType) {
        let ty = self.model.free_type(id);
        (ty.constructors.get(number as usize).and_then(|c| c.1.as_ref()), ty)
    }

    /// LET equations.
    pub fn lets(&mut self, values: &[(LocalId, Expr)]) -> Vec<(usize, E)> {
        values
            .iter()
            .map(|(local, value)| {
                let value = self.expr(value);
                (self.local_slot(*local), value)
            })
            .collect()
    }

    pub fn basic_set(&self, set: BasicSet) -> Val {
        let store = &self.store;
        let (lo, hi) = (self.settings.min_int, self.settings.max_int);
        if matches!(set, BasicSet::Int | BasicSet::Nat | BasicSet::Nat1) {
            self.uses_int_bounds.set(true);
        }
        match set {
            BasicSet::Bool => store.set_sorted(vec![Val::FALSE, Val::TRUE]),
            BasicSet::Integer => store.symbolic(sets::INTEGER, Vec::new()),
            BasicSet::Natural => store.symbolic(sets::NATURAL, Vec::new()),
            BasicSet::Natural1 => store.symbolic(sets::NATURAL1, Vec::new()),
            BasicSet::Int => store.range(lo, hi),
            BasicSet::Nat => store.range(0, hi),
            BasicSet::Nat1 => store.range(1, hi),
            BasicSet::String => store.symbolic(sets::STRING, Vec::new()),
            BasicSet::Real | BasicSet::Float => store.symbolic(sets::REAL, Vec::new()),
        }
    }

    fn unary(&mut self, op: UnaryOp, a: &Expr, whole: &Expr) -> E {
        let span = whole.span;
        if op == UnaryOp::Closure {
            // The identity on the whole type, with the transitive closure.
            let left = self.model.types.element(a.ty).and_then(|p| self.model.types.halves(p));
            let ty = left.map_or(a.ty, |(l, _)| l);
            let a = self.expr(a);
            return Box::new(move |f| {
                let r = a(f)?;
                let all = sets::type_set(f.rt, ty);
                let identity = unary(f, UnaryOp::Identity, all, span)?;
                let closed = unary(f, UnaryOp::Closure1, r, span)?;
                binary(f, BinaryOp::Union, identity, closed, span)
            });
        }
        if matches!(op, UnaryOp::Min | UnaryOp::Max)
            && let ExprKind::Binary(BinaryOp::Image, function, set) = &a.kind
            && let ExprKind::Binary(BinaryOp::Interval, lo, hi) = &set.kind
        {
            return self.extreme_of_image(op == UnaryOp::Max, function, lo, hi, a.span, span);
        }
        if op == UnaryOp::Domain
            && let Some(projected) = self.projection(a)
        {
            return self.comprehension(&projected, None, false, span);
        }
        // A string's size and its like need no listing; sets of sets do.
        let a = self.expr(a);
        Box::new(move |f| {
            let value = a(f)?;
            unary(f, op, value, span)
        })
    }

    /// `min(f[i..j])`: neither set is made where that can be helped.
    fn extreme_of_image(
        &mut self,
        greatest: bool,
        function: &Expr,
        lo: &Expr,
        hi: &Expr,
        image_span: Span,
        span: Span,
    ) -> E {
        let (function, lo, hi) = (self.expr(function), self.expr(lo), self.expr(hi));
        Box::new(move |f| {
            let (function, lo, hi) = (function(f)?, lo(f)?, hi(f)?);
            if let Some((from, to)) = lo.both_small(hi)
                && let Some(Some(best)) = f.store.extreme_of_image(function, from, to, greatest)
            {
                let rows = f.store.card(function).unwrap_or(0) as u64;
                // Cheap for each row, but there may be many of them.
                f.pay(1 + to.abs_diff(from).min(rows) / 16, span)?;
                return Ok(best);
            }
            let keys = binary(f, BinaryOp::Interval, lo, hi, image_span)?;
            let image = binary(f, BinaryOp::Image, function, keys, image_span)?;
            unary(f, if greatest { UnaryOp::Max } else { UnaryOp::Min }, image, span)
        })
    }

    fn binary(&mut self, op: BinaryOp, a: &Expr, b: &Expr, span: Span) -> E {
        let sides = self.model.types.element(a.ty).and_then(|p| self.model.types.halves(p));
        let (a, b) = (self.expr(a), self.expr(b));
        match op {
            BinaryOp::Iterate => {
                let ty = sides.map(|(left, _)| left);
                Box::new(move |f| {
                    let (r, times) = (a(f)?, b(f)?);
                    match ty {
                        // Not at all: the identity on the whole type.
                        Some(ty) if times == f.store.int(0) => {
                            let all = sets::type_set(f.rt, ty);
                            unary(f, UnaryOp::Identity, all, span)
                        }
                        _ => binary(f, op, r, times, span),
                    }
                })
            }
            BinaryOp::Add => Box::new(move |f| {
                let (x, y) = (a(f)?, b(f)?);
                match x.both_small(y) {
                    // Two small integers cannot overflow a word of 64 bits.
                    Some((x, y)) => Ok(f.store.int(x + y)),
                    None => binary(f, op, x, y, span),
                }
            }),
            BinaryOp::Subtract => Box::new(move |f| {
                let (x, y) = (a(f)?, b(f)?);
                match x.both_small(y) {
                    Some((x, y)) => Ok(f.store.int(x - y)),
                    None => binary(f, op, x, y, span),
                }
            }),
            _ => Box::new(move |f| {
                let (x, y) = (a(f)?, b(f)?);
                binary(f, op, x, y, span)
            }),
        }
    }

    fn apply(&mut self, function: &Expr, argument: &Expr, span: Span) -> E {
        match &function.kind {
            ExprKind::Constructor(id, number) => {
                let (id, number) = (id.0, *number);
                let types = self.free_arguments(self.result_of(function.ty));
                let argument = self.kept(argument);
                return Box::new(move |f| {
                    let value = argument(f)?;
                    let built = f.store.free(id, number, Some(value));
                    // A constructor is a function: outside the set it takes it has no value.
                    let sets: Vec<Val> = types.iter().map(|ty| sets::type_set(f.rt, *ty)).collect();
                    match sets::free_member(f, id as usize, built, &sets, span)? {
                        true => Ok(built),
                        false => Err(outside_domain(f, value, span)),
                    }
                });
            }
            ExprKind::Function(BasicFunction::Successor) => {
                let argument = self.expr(argument);
                return Box::new(move |f| {
                    let value = argument(f)?;
                    Ok(arith::add(f.store, value, f.store.int(1)))
                });
            }
            ExprKind::Function(BasicFunction::Predecessor) => {
                let argument = self.expr(argument);
                return Box::new(move |f| {
                    let value = argument(f)?;
                    Ok(arith::subtract(f.store, value, f.store.int(1)))
                });
            }
            _ => {}
        }
        // The function may stay symbolic, one point of it is asked for; arguments are compared by
        // their words.
        let (function, argument) = (self.expr(function), self.kept(argument));
        Box::new(move |f| {
            let (function, argument) = (function(f)?, argument(f)?);
            apply(f, function, argument, span)
        })
    }

    /// Comprehensions and lambdas: listed where that is possible, symbolic otherwise.
    fn comprehension(&mut self, b: &Binder, value: Option<&Expr>, lambda: bool, span: Span) -> E {
        let mut names = Names::of_pred(self.model, &b.predicate);
        if let Some(value) = value {
            names.expr(self.model, value);
        }
        names.bound.extend(&b.locals);
        let names = names.close();
        let params: Vec<usize> = b.locals.iter().map(|l| self.local_slot(*l)).collect();
        let reads = self.read_slots(&names);
        let recursive = !self.recursive.is_disjoint(&names.constants);
        let query = self.query(&b.locals, std::slice::from_ref(&b.predicate));
        let number = self.query_number();
        let lazy = b.symbolic || recursive || query.unbounded || query.fanout > LAZY;
        if lazy || self.may_be_infinite(b, &names) {
            // Propagation may still find that it is small; a constant may turn out infinite.
            let try_first = !b.symbolic && !recursive && (query.is_solved() || !lazy);
            let bounds = if recursive { Vec::new() } else { self.outer_bounds(b) };
            let place =
                self.symbolic_comprehension(b, value, lambda, query, params, &reads, &names, span);
            return Box::new(move |f| {
                let rt = f.rt;
                let mut doubt = None;
                if !recursive {
                    match rt.codes[place].all.is_ruled_out(f) {
                        Ok(true) => return Ok(Val::EMPTY),
                        Ok(false) => {}
                        // Unless listing shows that there is no candidate.
                        Err(stop @ Stop::Fault(_)) => doubt = Some(stop),
                        Err(stop) => return Err(stop),
                    }
                }
                for bound in &bounds {
                    if let Err(stop @ Stop::Fault(_)) = bound(f) {
                        doubt.get_or_insert(stop);
                    }
                }
                if !try_first && doubt.is_none() {
                    let closure =
                        if recursive { capture(f, place) } else { capture_normal(f, place) };
                    return Ok(closure);
                }
                if let Some(known) = f.memo.query(number, &reads, &f.slots) {
                    return Ok(Val::from_raw(known));
                }
                let closure = capture_normal(f, place);
                if f.store
                    .as_symbolic(closure)
                    .is_none_or(|(t, _)| sets::split(t).0 != sets::CLOSURE)
                    && doubt.is_none()
                {
                    // It is known what it is: listed if it is small, as if it were written so.
                    let set = settle(f, closure, span)?;
                    f.memo.put_query(number, &reads, &f.slots, set.raw());
                    return Ok(set);
                }
                let code = &rt.codes[place];
                let steps = f.steps;
                f.steps = steps.min(ATTEMPT);
                let mut partial = false;
                let attempt = f.certain(|f| {
                    let mark = f.cuts.len();
                    let value = match &code.shape {
                        Shape::Tuples => None,
                        Shape::Lambda(value) | Shape::Values(value) => Some(value),
                    };
                    let set = collect(f, &*code.all, &code.params, value, lambda, span);
                    partial = f.cuts.len() > mark;
                    Ok((set?, false))
                });
                f.steps = steps - (steps.min(ATTEMPT) - f.steps) / 2;
                let set = match (attempt, doubt) {
                    (Ok(set), _) => set,
                    (Err(_), Some(doubt)) => return Err(doubt),
                    (Err(Stop::Cut(cut)), None) if cut.reason != CutReason::Interrupted => closure,
                    // A set that cannot be listed is not asked for each of its elements.
                    (Err(Stop::Fault(_)), None) if partial => closure,
                    (Err(stop), None) => return Err(stop),
                };
                f.memo.put_query(number, &reads, &f.slots, set.raw());
                Ok(set)
            });
        }
        let value = value.map(|v| self.kept(v));
        Box::new(move |f| {
            if let Some(known) = f.memo.query(number, &reads, &f.slots) {
                return Ok(Val::from_raw(known));
            }
            let set = f.certain(|f| {
                Ok((collect(f, &query, &params, value.as_ref(), lambda, span)?, false))
            })?;
            f.memo.put_query(number, &reads, &f.slots, set.raw());
            Ok(set)
        })
    }

    /// Might a constant make this set infinite at run time?
    fn may_be_infinite(&self, b: &Binder, names: &Names) -> bool {
        let estimate = Estimate { model: self.model, scope: self.plans.scope() };
        let infinite = |l: &LocalId| estimate.type_size(self.model.local(*l).ty) >= INFINITE;
        !names.constants.is_empty() && b.locals.iter().any(infinite)
    }

    /// What bounds a name of the binder and reads none of them: a set that is not listed still has
    /// no meaning where one of these has none.
    fn outer_bounds(&mut self, b: &Binder) -> Vec<E> {
        let mut pending = vec![&b.predicate];
        let mut bounds = Vec::new();
        while let Some(p) = pending.pop() {
            match &p.kind {
                PredKind::And(parts) => pending.extend(parts),
                PredKind::Compare(
                    CompareOp::Member | CompareOp::Subset | CompareOp::Equal,
                    name,
                    bound,
                ) => {
                    let names = Names::of_expr(self.model, bound);
                    let outer = !b.locals.iter().any(|l| names.locals.contains(l));
                    let bounds_one =
                        matches!(name.kind, ExprKind::Local(l) if b.locals.contains(&l));
                    // A single node always has a meaning.
                    if outer && bounds_one && names.size > 1 {
                        bounds.push(self.expr(bound));
                    }
                }
                _ => {}
            }
        }
        bounds
    }

    #[allow(clippy::too_many_arguments)]
    fn symbolic_comprehension(
        &mut self,
        b: &Binder,
        value: Option<&Expr>,
        lambda: bool,
        all: Query,
        params: Vec<usize>,
        free: &[usize],
        names: &Names,
        span: Span,
    ) -> usize {
        let place = self.codes.len();
        self.codes.push(None);
        let test = self.pred(&b.predicate);
        let shape = match value {
            None => Shape::Tuples,
            Some(value) if lambda => Shape::Lambda(self.kept(value)),
            Some(value) => Shape::Values(self.kept(value)),
        };
        let last = match (value, b.locals.split_last()) {
            (None, Some((last, rest))) if !rest.is_empty() => {
                let last = self.query(&[*last], std::slice::from_ref(&b.predicate));
                Some(Box::new(last) as Box<dyn Solutions>)
            }
            _ => None,
        };
        let sets = plain_domain(self.model, b);
        let domain = sets.map(|sets| sets.iter().map(|e| self.kept(e)).collect());
        let bound = names.bound.iter().map(|l| self.local_slot(*l)).collect();
        let free = free.to_vec();
        let demands = if value.is_none() { self.demands(b) } else { None };
        let whole = match (value, lambda) {
            (None, _) => ExprKind::Comprehension(Box::new(b.clone())),
            (Some(value), true) => ExprKind::Lambda(Box::new(b.clone()), Box::new(value.clone())),
            (Some(value), false) => {
                ExprKind::MapComprehension(Box::new(b.clone()), Box::new(value.clone()))
            }
        };
        let whole = Expr { kind: whole, ty: beeline_model::TypeTable::BOOL, span };
        let text: Box<str> = self.model.show_expr(&whole).into();
        let types: Vec<TypeId> = b.locals.iter().map(|l| self.model.local(*l).ty).collect();
        // The same text about the same names is the same set, wherever it stands.
        let same = |code: &Code| code.text == text && code.free == free && code.types == types;
        let known = self.codes[..place].iter().position(|code| code.as_ref().is_some_and(same));
        self.codes[place] = Some(Code {
            free,
            bound,
            params,
            types,
            test,
            shape,
            domain,
            demands,
            all: Box::new(all),
            last,
            span,
            text,
        });
        known.unwrap_or(place)
    }

    fn quantified(&mut self, q: ExprQuantifier, b: &Binder, value: &Expr, span: Span) -> E {
        let mut names = Names::of_pred(self.model, &b.predicate);
        names.expr(self.model, value);
        names.bound.extend(&b.locals);
        let names = names.close();
        let reads = self.read_slots(&names);
        let number = self.query_number();
        let query = self.query(&b.locals, std::slice::from_ref(&b.predicate));
        let value = self.expr(value);
        Box::new(move |f| {
            if let Some(known) = f.memo.query(number, &reads, &f.slots) {
                return Ok(Val::from_raw(known));
            }
            let result = f.certain(|f| Ok((fold(f, q, &query, &value, span)?, false)))?;
            let nothing = || Stop::fault(FaultKind::EmptySet, span, "INTER over nothing");
            let result = result.ok_or_else(nothing)?;
            f.memo.put_query(number, &reads, &f.slots, result.raw());
            Ok(result)
        })
    }
}

/// The sets that the names of a binder range over, if its condition says `x : S` or `x <: S` of each
/// of them, in any order, and nothing else.
fn plain_domain(model: &Model, b: &Binder) -> Option<Vec<Expr>> {
    let mut parts = Vec::new();
    beeline_plan::normal::split(&b.predicate, &mut parts);
    if parts.len() != b.locals.len() {
        return None;
    }
    let set_of = |local: &LocalId| {
        parts.iter().find_map(|part| match &part.kind {
            PredKind::Compare(op @ (CompareOp::Member | CompareOp::Subset), name, set)
                if matches!(name.kind, ExprKind::Local(l) if l == *local)
                    && b.locals.iter().all(|l| !Names::of_expr(model, set).locals.contains(l)) =>
            {
                // Of the type only that it is one of sets is asked.
                Some(match op {
                    CompareOp::Member => (**set).clone(),
                    _ => Expr {
                        kind: ExprKind::Unary(UnaryOp::Power, set.clone()),
                        ty: set.ty,
                        span: set.span,
                    },
                })
            }
            _ => None,
        })
    };
    // As many parts as names: none is left if each name has one.
    b.locals.iter().map(set_of).collect()
}

fn read(slot: usize, span: Span) -> E {
    Box::new(move |f| {
        let value = f.slots[slot];
        if value == Val::UNSET {
            return Err(Stop::fault(FaultKind::Unassigned, span, "read before it has a value"));
        }
        Ok(value)
    })
}

/// Evaluates several expressions.
pub(crate) fn all<'s>(f: &mut Frame<'s>, parts: &[E]) -> Result<Vec<Val>, Stop> {
    let mut values = Vec::with_capacity(parts.len());
    for part in parts {
        values.push(part(f)?);
    }
    Ok(values)
}

fn collect<'s>(
    f: &mut Frame<'s>,
    query: &dyn Solutions,
    params: &[usize],
    value: Option<&E>,
    lambda: bool,
    span: Span,
) -> Result<Val, Stop> {
    let (limit, mark) = (f.rt.settings.elements, f.cuts.len());
    let mut rows: Vec<(Val, Val)> = Vec::new();
    let mut elems: Vec<Val> = Vec::new();
    let pairs = lambda || (value.is_none() && params.len() > 1);
    query.run(f, &mut |f, stop| {
        if let Some(stop) = stop {
            return Err(stop);
        }
        match value {
            Some(value) if lambda => {
                let value = value(f)?;
                rows.push((tuple(f.store, &f.slots, params), value));
            }
            Some(value) => elems.push(value(f)?),
            None if pairs => {
                let (last, rest) = (params[params.len() - 1], &params[..params.len() - 1]);
                rows.push((tuple(f.store, &f.slots, rest), f.slots[last]));
            }
            None => elems.push(f.slots[params[0]]),
        }
        // A partial enumeration is of no use here.
        if rows.len() + elems.len() > limit || f.cuts.len() > mark {
            return Err(sets::too_large(span));
        }
        Ok(())
    })?;
    Ok(if pairs { f.store.relation(rows) } else { f.store.set(elems) })
}
