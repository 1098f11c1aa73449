//! Building sets: listed where that is cheap, described otherwise.

use crate::error::{Eval, EvalError, UnknownReason};
use crate::value::Value;
use crate::value::set::Gathered;
use crate::value::symbolic::Symbolic;
use crate::{Judge, Settings};
use beeline_model::{BasicSet, BinaryOp, SetId, Type, TypeId, UnaryOp};
use num_bigint::BigInt;

/// Described sets up to this size are listed when an operator wants their elements.
const SMALL: u128 = 20_000;

impl Judge<'_> {
    /// The set of some values, which may repeat and may be symbolic.
    pub(crate) fn make_set(&self, values: impl IntoIterator<Item = Value>) -> Eval<Value> {
        let mut gathered = Gathered::default();
        for value in values {
            self.gather(&mut gathered, value)?;
        }
        let (mut odd, listed) = self.gathered(gathered)?;
        if odd.is_empty() {
            return Ok(Value::set(listed));
        }
        odd.splice(0..0, listed);
        Ok(Value::symbolic(Symbolic::Listing(odd)))
    }

    /// Adds a value to those that become a set.
    pub(crate) fn gather(&self, gathered: &mut Gathered, value: Value) -> Eval<()> {
        let value = self.settle(value)?;
        let most = self.settings.max_elements;
        let fits = if value.is_listed() {
            gathered.add(value, most)
        } else {
            if !self.is_among(&gathered.odd, &value)? {
                gathered.odd.push(value);
            }
            gathered.odd.len() <= most
        };
        if fits { Ok(()) } else { Err(EvalError::unknown(UnknownReason::TooLarge)) }
    }

    /// What was gathered: values that cannot be listed, and the others in order, each once.
    pub(crate) fn gathered(&self, gathered: Gathered) -> Eval<(Vec<Value>, Vec<Value>)> {
        let (mut odd, listed) = gathered.finish();
        // What could not be listed may still be equal to something that is.
        for i in (0..odd.len()).rev() {
            if self.is_among(&listed, &odd[i])? {
                odd.remove(i);
            }
        }
        if listed.len() + odd.len() > self.settings.max_elements {
            return Err(EvalError::unknown(UnknownReason::TooLarge));
        }
        Ok((odd, listed))
    }

    /// Is a value equal to one of these?
    pub(crate) fn is_among(&self, values: &[Value], value: &Value) -> Eval<bool> {
        for other in values {
            if self.equal(other, value)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Lists every set inside a value that is finite and not too large; leaves the others.
    pub fn settle(&self, value: Value) -> Eval<Value> {
        match &value {
            Value::Symbolic(set) => {
                let small = self
                    .size_hint(&value)
                    .is_some_and(|size| size <= self.settings.max_elements as u128);
                if !small || matches!(&*set.0, Symbolic::Listing(_)) {
                    return Ok(value);
                }
                Ok(self.attempt(|| self.list(&value))?.map_or(value, Value::Set))
            }
            Value::Pair(both) if !value.is_listed() => {
                Ok(Value::pair(self.settle(both.0.clone())?, self.settle(both.1.clone())?))
            }
            Value::Record(fields) if !value.is_listed() => {
                let fields: Eval<Vec<Value>> =
                    fields.iter().map(|f| self.settle(f.clone())).collect();
                Ok(Value::Record(fields?.into()))
            }
            Value::Free(ty, constructor, Some(argument)) if !value.is_listed() => {
                let argument = self.settle(Value::clone(argument))?;
                Ok(Value::Free(*ty, *constructor, Some(argument.into())))
            }
            _ => Ok(value),
        }
    }

    /// Would listing it be cheap?
    pub(crate) fn is_small(&self, set: &Value) -> bool {
        matches!(set, Value::Set(_)) || self.size_hint(set).is_some_and(|size| size <= SMALL)
    }

    pub(crate) fn interval(&self, low: BigInt, high: BigInt) -> Value {
        if low > high { Value::empty() } else { Value::symbolic(Symbolic::Interval(low, high)) }
    }

    pub(crate) fn basic_set(&self, set: BasicSet) -> Value {
        let Settings { maxint, minint, .. } = &self.settings;
        match set {
            BasicSet::Bool => Value::set([Value::Bool(false), Value::Bool(true)]),
            BasicSet::Int => self.interval(minint.clone(), maxint.clone()),
            BasicSet::Nat => self.interval(0.into(), maxint.clone()),
            BasicSet::Nat1 => self.interval(1.into(), maxint.clone()),
            BasicSet::Float => Value::symbolic(Symbolic::Basic(BasicSet::Real)),
            other => Value::symbolic(Symbolic::Basic(other)),
        }
    }

    pub(crate) fn given_set(&self, set: SetId) -> Value {
        let size = self.settings.set_sizes.get(set.index()).copied().unwrap_or(0);
        Value::set((0..size).map(|i| Value::Element(set, i)))
    }

    /// All values of a type.
    pub(crate) fn type_set(&self, ty: TypeId) -> Value {
        match self.model.types.get(ty) {
            Type::Bool => self.basic_set(BasicSet::Bool),
            Type::Integer => self.basic_set(BasicSet::Integer),
            Type::Real => self.basic_set(BasicSet::Real),
            Type::String => self.basic_set(BasicSet::String),
            Type::Given(set) => self.given_set(*set),
            Type::Free(id, arguments) => {
                let arguments = arguments.iter().map(|a| self.type_set(*a)).collect();
                Value::symbolic(Symbolic::Free(*id, arguments))
            }
            Type::Power(of) => self.power(self.type_set(*of), false, false),
            Type::Pair(a, b) => {
                Value::symbolic(Symbolic::Product(self.type_set(*a), self.type_set(*b)))
            }
            Type::Record(fields) => {
                let fields = fields.iter().map(|(_, ty)| self.type_set(*ty)).collect();
                Value::symbolic(Symbolic::Records(fields))
            }
        }
    }

    pub(crate) fn power(&self, of: Value, nonempty: bool, finite: bool) -> Value {
        Value::symbolic(Symbolic::Power { of, nonempty, finite })
    }

    pub(crate) fn union(&self, a: Value, b: Value) -> Eval<Value> {
        if self.is_small(&a) && self.is_small(&b) {
            if let (Value::Set(x), Value::Set(y)) = (&a, &b) {
                self.charge((x.len() + y.len()) as u64)?;
                return Ok(Value::Set(x.union(y).into()));
            }
            let mut elements = self.elements(&a)?;
            elements.extend(self.elements(&b)?);
            return self.make_set(elements);
        }
        Ok(self.lazy2(BinaryOp::Union, a, b))
    }

    pub(crate) fn intersection(&self, a: Value, b: Value) -> Eval<Value> {
        if let (Some((low, high)), Some((from, to))) = (integer_bounds(&a), integer_bounds(&b))
            && let (Some(high), Some(to)) = (&high, &to)
        {
            return Ok(self.interval(low.max(from), high.min(to).clone()));
        }
        if self.is_small(&a) {
            return self.filter(&a, |x| self.contains(&b, x));
        }
        if self.is_small(&b) {
            return self.filter(&b, |x| self.contains(&a, x));
        }
        Ok(Value::symbolic(Symbolic::Binary(BinaryOp::Intersection, a, b)))
    }

    pub(crate) fn difference(&self, a: Value, b: Value) -> Eval<Value> {
        if self.is_small(&a) {
            return self.filter(&a, |x| Ok(!self.contains(&b, x)?));
        }
        Ok(self.lazy2(BinaryOp::Difference, a, b))
    }

    /// The elements of a finite set that satisfy something.
    pub(crate) fn filter(&self, set: &Value, keep: impl Fn(&Value) -> Eval<bool>) -> Eval<Value> {
        let mut kept = Vec::new();
        for element in self.elements(set)? {
            if keep(&element)? {
                kept.push(element);
            }
        }
        self.make_set(kept)
    }

    pub(crate) fn product(&self, a: Value, b: Value) -> Eval<Value> {
        if self.is_empty(&a)? || self.is_empty(&b)? {
            return Ok(Value::empty());
        }
        Ok(Value::symbolic(Symbolic::Product(a, b)))
    }

    /// `union(SS)`
    pub(crate) fn general_union(&self, sets: &Value) -> Eval<Value> {
        let mut union = Value::empty();
        for set in self.elements(sets)? {
            union = self.union(union, set)?;
        }
        Ok(union)
    }

    /// `inter(SS)`
    pub(crate) fn general_intersection(&self, sets: &Value) -> Eval<Value> {
        self.elements(sets)?
            .into_iter()
            .map(Ok)
            .reduce(|a, b| self.intersection(a?, b?))
            .unwrap_or_else(|| Err(EvalError::ill_defined("the intersection of no sets")))
    }

    /// A set operator that has to stay a description.
    pub(crate) fn lazy(&self, op: UnaryOp, set: Value) -> Value {
        Value::symbolic(Symbolic::Unary(op, set))
    }

    /// As [`Judge::lazy`]; beside the empty set nothing is left to describe.
    pub(crate) fn lazy2(&self, op: BinaryOp, a: Value, b: Value) -> Value {
        use BinaryOp as Op;
        let no = |set: &Value| matches!(set, Value::Set(elements) if elements.is_empty());
        if no(&a) || no(&b) {
            match op {
                Op::Intersection | Op::Compose | Op::ParallelProduct | Op::DirectProduct => {
                    return Value::empty();
                }
                Op::Image | Op::DomainRestrict | Op::RangeRestrict => return Value::empty(),
                Op::Difference | Op::RangeSubtract => return a,
                Op::DomainSubtract => return b,
                Op::Union | Op::Override if no(&a) => return b,
                Op::Union | Op::Override => return a,
                _ => {}
            }
        }
        Value::symbolic(Symbolic::Binary(op, a, b))
    }
}

/// The bounds of an integer set that is an interval; no upper bound for `NATURAL`.
pub(crate) fn integer_bounds(set: &Value) -> Option<(BigInt, Option<BigInt>)> {
    let Value::Symbolic(set) = set else { return None };
    match &*set.0 {
        Symbolic::Interval(low, high) => Some((low.clone(), Some(high.clone()))),
        Symbolic::Basic(BasicSet::Natural) => Some((0.into(), None)),
        Symbolic::Basic(BasicSet::Natural1) => Some((1.into(), None)),
        _ => None,
    }
}
