//! How many elements a set has: bounds for planning, finiteness, exact cardinality.

use crate::Judge;
use crate::error::{Eval, EvalError, UnknownReason};
use crate::value::Value;
use crate::value::symbolic::{Symbolic, Yield};
use beeline_model::{BasicSet, BinaryOp, FreeTypeId, UnaryOp};
use num_bigint::BigInt;
use std::cell::Cell;
use std::ops::ControlFlow;

impl Judge<'_> {
    /// An upper bound of the number of elements; `None` if infinite or unknown.
    pub(crate) fn size_hint(&self, set: &Value) -> Option<u128> {
        let set = match set {
            Value::Set(elements) => return Some(elements.len() as u128),
            Value::Symbolic(set) => &*set.0,
            _ => return None,
        };
        match set {
            Symbolic::Basic(_) => None,
            Symbolic::Interval(low, high) => {
                Some(u128::try_from(high - low + 1).unwrap_or(u128::MAX))
            }
            Symbolic::Power { of, .. } => self.size_hint(of).map(power_of_two),
            Symbolic::Product(a, b) => self.product_hint([a, b]),
            Symbolic::Arrow(op, a, b) => {
                self.arrow_hint(*op, self.size_hint(a)?, self.size_hint(b)?)
            }
            Symbolic::Sequences { of, injective, .. } => match self.size_hint(of)? {
                0 => Some(1),
                n if *injective => Some(arrangements(n)),
                _ => None,
            },
            Symbolic::Permutations(of) => self.size_hint(of).map(factorial),
            Symbolic::Records(fields) => self.product_hint(fields),
            Symbolic::Free(id, arguments) => self.free_hint(*id, arguments),
            Symbolic::Listing(elements) => Some(elements.len() as u128),
            Symbolic::Closure(_) | Symbolic::Function(..) | Symbolic::Constructor(..) => None,
            Symbolic::Unary(UnaryOp::Identity | UnaryOp::Inverse | UnaryOp::Domain, a)
            | Symbolic::Unary(UnaryOp::Range, a) => self.size_hint(a),
            Symbolic::Unary(..) => None,
            Symbolic::Binary(BinaryOp::Intersection, a, b) => {
                match (self.size_hint(a), self.size_hint(b)) {
                    (Some(a), Some(b)) => Some(a.min(b)),
                    (a, b) => a.or(b),
                }
            }
            Symbolic::Binary(BinaryOp::Difference, a, _) => self.size_hint(a),
            Symbolic::Binary(BinaryOp::Union | BinaryOp::Override, a, b) => {
                Some(self.size_hint(a)?.saturating_add(self.size_hint(b)?))
            }
            Symbolic::Binary(BinaryOp::Projection1 | BinaryOp::Projection2, a, b) => {
                self.product_hint([a, b])
            }
            Symbolic::Binary(..) => None,
        }
    }

    fn product_hint<'a>(&self, sets: impl IntoIterator<Item = &'a Value>) -> Option<u128> {
        let sizes: Vec<Option<u128>> = sets.into_iter().map(|s| self.size_hint(s)).collect();
        if sizes.contains(&Some(0)) {
            return Some(0);
        }
        sizes.into_iter().try_fold(1u128, |all, one| Some(all.saturating_mul(one?)))
    }

    fn arrow_hint(&self, op: BinaryOp, a: u128, b: u128) -> Option<u128> {
        use BinaryOp as Op;
        Some(match op {
            Op::TotalFunctions | Op::TotalSurjections => power(b, a),
            Op::TotalInjections | Op::TotalBijections => power(b, a).min(factorial(b.max(a))),
            Op::PartialFunctions
            | Op::PartialInjections
            | Op::PartialSurjections
            | Op::PartialBijections => power(b.saturating_add(1), a),
            _ => power_of_two(a.saturating_mul(b)),
        })
    }

    fn free_hint(&self, id: FreeTypeId, arguments: &[Value]) -> Option<u128> {
        if self.counted.borrow().contains(&id) {
            return None;
        }
        self.counted.borrow_mut().push(id);
        let size = self.constructed_hint(id, arguments);
        self.counted.borrow_mut().pop();
        size
    }

    fn constructed_hint(&self, id: FreeTypeId, arguments: &[Value]) -> Option<u128> {
        let mut size = 0u128;
        for constructor in 0..self.model.free_type(id).constructors.len() {
            size = size.saturating_add(
                match self.constructor_set(id, constructor as u32, arguments).ok()? {
                    Some(set) => self.size_hint(&set)?,
                    None => 1,
                },
            );
        }
        Some(size)
    }

    /// Has it no element?
    pub(crate) fn is_empty(&self, set: &Value) -> Eval<bool> {
        let Value::Symbolic(described) = set else {
            return Ok(matches!(set, Value::Set(elements) if elements.is_empty()));
        };
        match &*described.0 {
            Symbolic::Basic(_)
            | Symbolic::Interval(..)
            | Symbolic::Function(..)
            | Symbolic::Power { nonempty: false, .. }
            | Symbolic::Sequences { nonempty: false, .. } => Ok(false),
            Symbolic::Free(id, _)
                if self.model.free_type(*id).constructors.iter().any(|c| c.1.is_none()) =>
            {
                Ok(false)
            }
            Symbolic::Power { of, .. } | Symbolic::Sequences { of, .. } => self.is_empty(of),
            Symbolic::Product(a, b) => Ok(self.is_empty(a)? || self.is_empty(b)?),
            Symbolic::Binary(BinaryOp::Union, a, b) => Ok(self.is_empty(a)? && self.is_empty(b)?),
            Symbolic::Unary(UnaryOp::Domain | UnaryOp::Range | UnaryOp::Inverse, of)
            | Symbolic::Unary(UnaryOp::Identity, of) => self.is_empty(of),
            _ => {
                // One element within bounds is proof enough; for the contrary all are needed.
                let empty = Cell::new(true);
                let mut seen = |_: Value| {
                    empty.set(false);
                    Ok(ControlFlow::Break(()))
                };
                match self.each(set, &mut seen) {
                    Err(EvalError::Unknown { reason: UnknownReason::Infinite, span }) => {
                        let _ = self.sampling(|| self.each(set, &mut seen))?;
                        if empty.get() {
                            return Err(EvalError::Unknown {
                                reason: UnknownReason::Infinite,
                                span,
                            });
                        }
                    }
                    other => {
                        let _ = other?;
                    }
                }
                Ok(empty.get())
            }
        }
    }

    /// Has it finitely many elements?
    pub(crate) fn finite(&self, set: &Value) -> Eval<bool> {
        if self.size_hint(set).is_some() {
            return Ok(true);
        }
        let Value::Symbolic(described) = set else {
            return Err(EvalError::internal("a set was expected"));
        };
        match &*described.0 {
            Symbolic::Basic(_) => Ok(false),
            Symbolic::Power { of, .. } => self.finite(of),
            Symbolic::Product(a, b) => {
                Ok((self.finite(a)? || self.is_empty(b)?)
                    && (self.finite(b)? || self.is_empty(a)?))
            }
            Symbolic::Sequences { of, injective, .. } => {
                Ok(self.is_empty(of)? || (*injective && self.finite(of)?))
            }
            Symbolic::Binary(BinaryOp::Union, a, b) => Ok(self.finite(a)? && self.finite(b)?),
            Symbolic::Binary(BinaryOp::Difference, a, b)
                if !self.finite(a)? && self.finite(b)? =>
            {
                Ok(false)
            }
            Symbolic::Unary(UnaryOp::Inverse | UnaryOp::Identity, of) => self.finite(of),
            Symbolic::Function(..) => self.finite(&self.domain(set)?),
            Symbolic::Closure(closure) => match self.simple_domain(closure)? {
                _ if let Some((ranges, _)) = self.both_ranges(set, set)? => Ok(ranges.is_finite()),
                Some(domain) if self.finite(&domain)? => Ok(true),
                // The tuples and the pairs are as many as the domain; images may be fewer.
                Some(_) if !matches!(closure.body.yields, Yield::Image(_)) => Ok(false),
                _ => self.list(set).map(|_| true),
            },
            _ => self.list(set).map(|_| true),
        }
    }

    /// `card(S)`
    pub(crate) fn cardinality(&self, set: &Value) -> Eval<BigInt> {
        if let Value::Symbolic(described) = set {
            match &*described.0 {
                Symbolic::Interval(low, high) => return Ok(high - low + 1),
                Symbolic::Listing(elements) => return Ok(elements.len().into()),
                Symbolic::Product(a, b) => return Ok(self.cardinality(a)? * self.cardinality(b)?),
                Symbolic::Power { of, nonempty, .. } if self.finite(of)? => {
                    let size = exponent(self.cardinality(of)?)?;
                    return Ok((BigInt::from(1) << size) - i32::from(*nonempty));
                }
                Symbolic::Arrow(op, a, b) if self.size_hint(set).is_some() => {
                    let (a, b) = (self.cardinality(a)?, self.cardinality(b)?);
                    match op {
                        BinaryOp::TotalFunctions => return Ok(b.pow(exponent(a)?)),
                        BinaryOp::PartialFunctions => return Ok((b + 1i32).pow(exponent(a)?)),
                        BinaryOp::Relations => return Ok(BigInt::from(1) << exponent(a * b)?),
                        _ => {}
                    }
                }
                Symbolic::Permutations(of) if self.size_hint(of).is_some() => {
                    let size = exponent(self.cardinality(of)?)?;
                    return Ok((1..=size).map(BigInt::from).product());
                }
                _ => {}
            }
        }
        if !self.finite(set)? {
            return Err(EvalError::ill_defined("the cardinality of an infinite set"));
        }
        Ok(self.list(set)?.len().into())
    }

    /// The part of a set whose integers lie in `MININT..MAXINT`, with two sample strings.
    pub(crate) fn bounded(&self, set: &Value) -> Value {
        let Value::Symbolic(described) = set else { return set.clone() };
        let (low, high) = (&self.settings.minint, &self.settings.maxint);
        let least = |at_least: i32| low.clone().max(at_least.into());
        match &*described.0 {
            Symbolic::Basic(BasicSet::Integer) => self.interval(low.clone(), high.clone()),
            Symbolic::Basic(BasicSet::Natural) => self.interval(least(0), high.clone()),
            Symbolic::Basic(BasicSet::Natural1) => self.interval(least(1), high.clone()),
            Symbolic::Basic(BasicSet::String) => Value::set(["STR1", "STR2"].map(Value::string)),
            Symbolic::Power { of, nonempty, finite } => {
                self.power(self.bounded(of), *nonempty, *finite)
            }
            Symbolic::Product(a, b) => {
                Value::symbolic(Symbolic::Product(self.bounded(a), self.bounded(b)))
            }
            Symbolic::Arrow(op, a, b) => {
                Value::symbolic(Symbolic::Arrow(*op, self.bounded(a), self.bounded(b)))
            }
            Symbolic::Sequences { of, nonempty, injective: true } => {
                let (of, nonempty) = (self.bounded(of), *nonempty);
                Value::symbolic(Symbolic::Sequences { of, nonempty, injective: true })
            }
            Symbolic::Sequences { of, nonempty, .. } => self.short_sequences(of, *nonempty),
            Symbolic::Records(fields) => {
                Value::symbolic(Symbolic::Records(fields.iter().map(|f| self.bounded(f)).collect()))
            }
            Symbolic::Binary(
                op @ (BinaryOp::Union | BinaryOp::Intersection | BinaryOp::Difference),
                a,
                b,
            ) => self.lazy2(*op, self.bounded(a), b_side(*op, self.bounded(b), b)),
            _ => set.clone(),
        }
    }
}

impl Judge<'_> {
    /// The sequences of length up to `MAXINT`, as functions on `1..n`.
    fn short_sequences(&self, of: &Value, nonempty: bool) -> Value {
        let of = self.bounded(of);
        let empty = if nonempty { Value::empty() } else { Value::set([Value::empty()]) };
        let longest = self.settings.maxint.clone().min(MAX_LENGTH.into());
        let mut all = empty;
        let mut length = BigInt::from(1);
        while length <= longest {
            let indices = self.interval(1.into(), length.clone());
            let functions = Symbolic::Arrow(BinaryOp::TotalFunctions, indices, of.clone());
            all = self.lazy2(BinaryOp::Union, all, Value::symbolic(functions));
            length += 1;
        }
        all
    }
}

/// Samples of sequences are no longer than this, whatever `MAXINT` is.
const MAX_LENGTH: i32 = 20;

/// In a union both sides are bounded; elsewhere bounding the left side is enough and exact.
fn b_side(op: BinaryOp, bounded: Value, whole: &Value) -> Value {
    if op == BinaryOp::Union { bounded } else { whole.clone() }
}

/// Sizes of sets that are worth computing exactly fit here.
fn exponent(size: BigInt) -> Eval<u32> {
    match u32::try_from(size) {
        Ok(size) if size <= 100_000 => Ok(size),
        _ => Err(EvalError::unknown(UnknownReason::TooLarge)),
    }
}

fn power_of_two(size: u128) -> u128 {
    if size < 127 { 1 << size } else { u128::MAX }
}

fn power(base: u128, exponent: u128) -> u128 {
    u32::try_from(exponent)
        .map_or(if base > 1 { u128::MAX } else { base }, |exponent| base.saturating_pow(exponent))
}

fn factorial(size: u128) -> u128 {
    (1..=size.min(40)).fold(1, u128::saturating_mul)
}

/// How many sequences without repetition there are at most.
fn arrangements(size: u128) -> u128 {
    factorial(size).saturating_mul(3)
}
