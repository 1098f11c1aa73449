//! Equality and inclusion, also of sets that cannot be listed.

use crate::Judge;
use crate::error::{Eval, EvalError, NoteKind, UnknownReason};
use crate::value::Value;
use crate::value::symbolic::{Closure, Symbolic};
use beeline_model::{BasicSet, BinaryOp};
use beeline_source::Span;
use std::ops::ControlFlow;
use std::sync::Arc;

impl Judge<'_> {
    /// `a = b`
    pub fn equal(&self, a: &Value, b: &Value) -> Eval<bool> {
        match (a, b) {
            (Value::Symbolic(_), _) | (_, Value::Symbolic(_)) => {
                self.deeper(|| self.equal_sets(a, b))
            }
            (Value::Pair(x), Value::Pair(y)) if !(a.is_listed() && b.is_listed()) => {
                Ok(self.equal(&x.0, &y.0)? && self.equal(&x.1, &y.1)?)
            }
            (Value::Record(x), Value::Record(y)) if !(a.is_listed() && b.is_listed()) => {
                for (x, y) in x.iter().zip(y.iter()) {
                    if !self.equal(x, y)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            (Value::Free(_, i, Some(x)), Value::Free(_, j, Some(y))) => {
                Ok(i == j && self.equal(x, y)?)
            }
            _ => {
                self.charge(1)?;
                Ok(a == b)
            }
        }
    }

    fn equal_sets(&self, a: &Value, b: &Value) -> Eval<bool> {
        if self.same(a, b) {
            return Ok(true);
        }
        if let Some((x, y)) = self.both_ranges(a, b)? {
            return Ok(x == y);
        }
        match (self.size_hint(a), self.size_hint(b)) {
            (Some(_), Some(_)) => {
                Ok(self.cardinality(a)? == self.cardinality(b)? && self.subset(a, b)?)
            }
            (Some(_), None) => self.equals_unknown(a, b),
            (None, Some(_)) => self.equals_unknown(b, a),
            (None, None) => match (self.included(a, b)?, self.included(b, a)?) {
                (Some(true), Some(true)) => Ok(true),
                (Some(false), _) | (_, Some(false)) => Ok(false),
                _ if self.has_stranger(a, b) || self.has_stranger(b, a) => Ok(false),
                _ => Err(EvalError::unknown(UnknownReason::Undecided)),
            },
        }
    }

    /// Is there surely an element of `a` that is not in `b`? No is no answer.
    fn has_stranger(&self, a: &Value, b: &Value) -> bool {
        let notes = self.notes.borrow().clone();
        let answer = self.sampling(|| self.all_in(a, b));
        // That only a part of `a` was looked at does not matter: one element is enough.
        *self.notes.borrow_mut() = notes;
        matches!(answer, Ok(false))
    }

    /// Is a finite set equal to one of unknown size? One element too many decides.
    fn equals_unknown(&self, finite: &Value, unknown: &Value) -> Eval<bool> {
        match self.finite(unknown) {
            Ok(true) => Ok(*self.list(finite)? == *self.list(unknown)?),
            Ok(false) => Ok(false),
            Err(error @ EvalError::Unknown { reason: UnknownReason::Infinite, .. }) => {
                match self.sampling(|| self.all_in(unknown, finite)) {
                    Ok(false) => Ok(false),
                    _ => Err(error),
                }
            }
            Err(error) => Err(error),
        }
    }

    /// Are they described by the same text with the same captured values? If so, they are equal.
    fn same(&self, a: &Value, b: &Value) -> bool {
        let (Value::Symbolic(x), Value::Symbolic(y)) = (a, b) else { return a == b };
        if Arc::ptr_eq(&x.0, &y.0) {
            return true;
        }
        match (&*x.0, &*y.0) {
            (Symbolic::Basic(x), Symbolic::Basic(y)) => x == y,
            (Symbolic::Interval(a, b), Symbolic::Interval(x, y)) => a == x && b == y,
            (
                Symbolic::Power { of, nonempty, finite },
                Symbolic::Power { of: y, nonempty: n, finite: f },
            ) => nonempty == n && finite == f && self.same(of, y),
            (Symbolic::Product(a, b), Symbolic::Product(x, y)) => {
                self.same(a, x) && self.same(b, y)
            }
            (Symbolic::Arrow(p, a, b), Symbolic::Arrow(q, x, y))
            | (Symbolic::Binary(p, a, b), Symbolic::Binary(q, x, y)) => {
                p == q && self.same(a, x) && self.same(b, y)
            }
            (
                Symbolic::Sequences { of, nonempty, injective },
                Symbolic::Sequences { of: y, nonempty: n, injective: i },
            ) => nonempty == n && injective == i && self.same(of, y),
            (Symbolic::Permutations(a), Symbolic::Permutations(b)) => self.same(a, b),
            (Symbolic::Records(a), Symbolic::Records(b))
            | (Symbolic::Listing(a), Symbolic::Listing(b)) => self.all_same(a, b),
            (Symbolic::Free(i, a), Symbolic::Free(j, b)) => i == j && self.all_same(a, b),
            (Symbolic::Closure(a), Symbolic::Closure(b)) => self.same_closure(a, b),
            (Symbolic::Function(f, _), Symbolic::Function(g, _)) => f == g,
            (Symbolic::Constructor(i, f, _), Symbolic::Constructor(j, g, _)) => i == j && f == g,
            (Symbolic::Unary(p, a), Symbolic::Unary(q, b)) => p == q && self.same(a, b),
            _ => false,
        }
    }

    fn all_same(&self, a: &[Value], b: &[Value]) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| self.same(a, b))
    }

    fn same_closure(&self, a: &Closure, b: &Closure) -> bool {
        (Arc::ptr_eq(&a.body, &b.body) || a.body == b.body)
            && a.locals.len() == b.locals.len()
            && a.locals
                .iter()
                .zip(b.locals.iter())
                .all(|((k, x), (l, y))| k == l && self.same(x, y))
            && a.variables.iter().zip(b.variables.iter()).all(|(x, y)| match (x, y) {
                (Some(x), Some(y)) => self.same(x, y),
                (None, None) => true,
                _ => false,
            })
    }

    /// `a <: b`
    pub fn subset(&self, a: &Value, b: &Value) -> Eval<bool> {
        if let (Value::Set(x), Value::Set(y)) = (a, b) {
            self.charge(x.len() as u64)?;
            return Ok(x.is_subset(y));
        }
        self.deeper(|| {
            if let Some((x, y)) = self.both_ranges(a, b)? {
                return Ok(x.is_within(&y));
            }
            if let Some(known) = self.included(a, b)? {
                return Ok(known);
            }
            if self.size_hint(a).is_some() {
                return self.all_in(a, b);
            }
            self.sampled(|| self.all_in(a, b))
        })
    }

    fn all_in(&self, a: &Value, b: &Value) -> Eval<bool> {
        let mut all = true;
        let _ = self.each(a, &mut |x| {
            // Whether one is in `b` must not be a guess. Within bounds, a function of a smaller domain may
            // stand for those of `a`: it is no element, and says nothing.
            all = self.exactly_in(b, &x)? || (self.sampling.get() && !self.exactly_in(a, &x)?);
            Ok(if all { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
        })?;
        Ok(all)
    }

    /// Is it an element? `false` is said only if that is known, also within a question that is
    /// [sampled](Judge::sampling).
    fn exactly_in(&self, set: &Value, x: &Value) -> Eval<bool> {
        let outer = self.sampling.replace(false);
        let notes = std::mem::take(&mut *self.notes.borrow_mut());
        let answer = self.contains(set, x);
        self.sampling.set(outer);
        let guessed = !self.notes.borrow().is_empty();
        self.notes.borrow_mut().extend(notes);
        match answer {
            Ok(false) if guessed => Err(EvalError::unknown(UnknownReason::Undecided)),
            answer => answer,
        }
    }

    /// Goes through infinite sets within bounds only.
    pub(crate) fn sampling<T>(&self, ask: impl FnOnce() -> Eval<T>) -> Eval<T> {
        let before = self.sampling.replace(true);
        let answer = ask();
        self.sampling.set(before);
        answer
    }

    /// Asks a question that goes through an infinite set within bounds only. The answer `false`
    /// is exact, `true` is noted.
    pub(crate) fn sampled(&self, ask: impl FnOnce() -> Eval<bool>) -> Eval<bool> {
        let answer = self.sampling(ask);
        if let Ok(true) = answer {
            self.note(NoteKind::SampledInclusion, Span::NONE);
        }
        answer
    }

    /// Inclusion as far as it follows from the descriptions alone.
    fn included(&self, a: &Value, b: &Value) -> Eval<Option<bool>> {
        if self.same(a, b) || self.is_whole_type(b) {
            return Ok(Some(true));
        }
        let (Value::Symbolic(x), Value::Symbolic(y)) = (a, b) else {
            return self.included_by_size(a, b);
        };
        Ok(match (&*x.0, &*y.0) {
            (Symbolic::Basic(p), Symbolic::Basic(q)) => Some(match (p, q) {
                (BasicSet::Natural1, BasicSet::Natural) => true,
                (_, BasicSet::Integer) => true,
                _ => p == q,
            }),
            (Symbolic::Interval(low, high), Symbolic::Interval(from, to)) => {
                Some(from <= low && high <= to)
            }
            (Symbolic::Interval(low, _), Symbolic::Basic(basic)) => Some(match basic {
                BasicSet::Natural => *low >= 0.into(),
                BasicSet::Natural1 => *low >= 1.into(),
                _ => true,
            }),
            (
                Symbolic::Power { of, nonempty, finite },
                Symbolic::Power { of: whole, nonempty: n, finite: f },
            ) => {
                if !self.subset(of, whole)? || (*n && !*nonempty) {
                    Some(false)
                } else {
                    Some(!*f || *finite || self.finite(of)?)
                }
            }
            (Symbolic::Product(a, b), Symbolic::Product(x, y)) => Some(
                self.is_empty(a)?
                    || self.is_empty(b)?
                    || (self.subset(a, x)? && self.subset(b, y)?),
            ),
            (Symbolic::Binary(BinaryOp::Union, p, q), _) => {
                Some(self.subset(p, b)? && self.subset(q, b)?)
            }
            (Symbolic::Binary(BinaryOp::Difference | BinaryOp::Intersection, p, _), _)
                if self.included(p, b)? == Some(true) =>
            {
                Some(true)
            }
            _ => return self.included_by_size(a, b),
        })
    }

    /// An infinite set is in no finite one.
    fn included_by_size(&self, a: &Value, b: &Value) -> Eval<Option<bool>> {
        if self.size_hint(a).is_some() || self.size_hint(b).is_none() {
            return Ok(None);
        }
        match self.finite(a) {
            Ok(false) => Ok(Some(false)),
            Ok(true) => Ok(None),
            Err(EvalError::Unknown { reason, .. })
                if !matches!(reason, UnknownReason::Steps | UnknownReason::Stopped) =>
            {
                Ok(None)
            }
            Err(other) => Err(other),
        }
    }

    /// Does it surely hold every value of its type?
    fn is_whole_type(&self, set: &Value) -> bool {
        match set {
            Value::Set(elements) => match elements.first() {
                Some(Value::Bool(_)) => elements.len() == 2,
                Some(Value::Element(set, _)) => {
                    self.settings.set_sizes.get(set.index()) == Some(&(elements.len() as u32))
                }
                _ => false,
            },
            Value::Symbolic(described) => match &*described.0 {
                Symbolic::Basic(basic) => {
                    matches!(basic, BasicSet::Integer | BasicSet::String | BasicSet::Real)
                }
                Symbolic::Power { of, nonempty: false, finite } => {
                    self.is_whole_type(of) && (!finite || self.size_hint(of).is_some())
                }
                Symbolic::Product(a, b) | Symbolic::Arrow(BinaryOp::Relations, a, b) => {
                    self.is_whole_type(a) && self.is_whole_type(b)
                }
                Symbolic::Records(fields) => fields.iter().all(|f| self.is_whole_type(f)),
                Symbolic::Free(_, arguments) => arguments.iter().all(|a| self.is_whole_type(a)),
                _ => false,
            },
            _ => false,
        }
    }
}
