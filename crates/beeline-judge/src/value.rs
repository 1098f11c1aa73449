//! Values, in one canonical form each: equal values are `==` (with one exception).
//!
//! The exception are sets that cannot be listed ([`Value::Symbolic`]); `==` compares their
//! descriptions only, and [`crate::Judge::equal`] is the equality of B. They never occur inside a
//! [`Value::Set`]: a set with such elements is itself symbolic. So the order and equality that
//! [`Set`] relies on are exact.

use crate::int::Int;
use beeline_model::{FreeTypeId, LocalId, SetId};
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::Arc;

pub(crate) mod set;
pub(crate) mod symbolic;

pub use set::Set;
use symbolic::Symbolic;

/// The values of bound names.
pub type Locals = Arc<BTreeMap<LocalId, Value>>;

/// A value of B.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// `TRUE`, `FALSE`. `Bool(false)` is the least of all values, which lookups rely on.
    Bool(bool),
    /// An integer.
    Integer(Int),
    /// A real number.
    Real(Real),
    /// A string.
    String(Arc<str>),
    /// An element of a given set, by its position.
    Element(SetId, u32),
    /// `a |-> b`
    Pair(Arc<(Value, Value)>),
    /// A record, fields in the order of its type.
    Record(Arc<[Value]>),
    /// A value of a free type: the constructor's position, and its argument.
    Free(FreeTypeId, u32, Option<Arc<Value>>),
    /// A listed set.
    Set(Arc<Set>),
    /// A set that is described, not listed.
    Symbolic(Symbol),
}

impl Value {
    /// Kinds in order; values of one type are of one kind, but for listed and described sets.
    fn rank(&self) -> u8 {
        match self {
            Value::Bool(_) => 0,
            Value::Integer(_) => 1,
            Value::Real(_) => 2,
            Value::String(_) => 3,
            Value::Element(..) => 4,
            Value::Pair(_) => 5,
            Value::Record(_) => 6,
            Value::Free(..) => 7,
            Value::Set(_) => 8,
            Value::Symbolic(_) => 9,
        }
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Value) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Value {
    fn cmp(&self, other: &Value) -> Ordering {
        // What is shared is equal; the states of a trace share most of their values.
        fn shared<T: Ord + ?Sized>(a: &Arc<T>, b: &Arc<T>) -> Ordering {
            if Arc::ptr_eq(a, b) { Ordering::Equal } else { a.cmp(b) }
        }
        match (self, other) {
            (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
            (Value::Integer(a), Value::Integer(b)) => a.cmp(b),
            (Value::Real(a), Value::Real(b)) => a.cmp(b),
            (Value::String(a), Value::String(b)) => shared(a, b),
            (Value::Element(s, i), Value::Element(t, j)) => (s, i).cmp(&(t, j)),
            (Value::Pair(a), Value::Pair(b)) => shared(a, b),
            (Value::Record(a), Value::Record(b)) => shared(a, b),
            (Value::Free(s, i, a), Value::Free(t, j, b)) => (s, i, a).cmp(&(t, j, b)),
            (Value::Set(a), Value::Set(b)) => shared(a, b),
            (Value::Symbolic(a), Value::Symbolic(b)) => a.cmp(b),
            _ => self.rank().cmp(&other.rank()),
        }
    }
}

/// A shared description of a set; compared as text, so that equal sets may differ.
#[derive(Clone, Debug)]
pub struct Symbol(pub(crate) Arc<Symbolic>);

impl Symbol {
    /// The description as text: equal texts describe equal sets.
    fn text(&self) -> String {
        format!("{:?}", self.0)
    }
}

impl PartialEq for Symbol {
    fn eq(&self, other: &Symbol) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Symbol {}

impl PartialOrd for Symbol {
    fn partial_cmp(&self, other: &Symbol) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Symbol {
    fn cmp(&self, other: &Symbol) -> Ordering {
        if Arc::ptr_eq(&self.0, &other.0) {
            return Ordering::Equal;
        }
        self.text().cmp(&other.text())
    }
}

/// A double with a total order and one zero; never a NaN.
#[derive(Clone, Copy, Debug)]
pub struct Real(f64);

impl Real {
    /// A number, if it is one.
    pub fn new(number: f64) -> Option<Real> {
        // Adding zero turns -0.0 into 0.0.
        (!number.is_nan()).then_some(Real(number + 0.0))
    }

    /// The number.
    pub fn get(self) -> f64 {
        self.0
    }
}

impl PartialEq for Real {
    fn eq(&self, other: &Real) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Real {}

impl PartialOrd for Real {
    fn partial_cmp(&self, other: &Real) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Real {
    fn cmp(&self, other: &Real) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl Value {
    /// An integer.
    pub fn int(number: impl Into<Int>) -> Value {
        Value::Integer(number.into())
    }

    /// A string.
    pub fn string(text: &str) -> Value {
        Value::String(text.into())
    }

    /// `left |-> right`
    pub fn pair(left: Value, right: Value) -> Value {
        Value::Pair(Arc::new((left, right)))
    }

    /// `{}`
    pub fn empty() -> Value {
        Value::Set(Arc::default())
    }

    /// A listed set. The elements must not be symbolic; [`crate::Judge`] takes care of those.
    pub fn set(elements: impl IntoIterator<Item = Value>) -> Value {
        Value::Set(Arc::new(elements.into_iter().collect()))
    }

    /// `[a, b, …]`
    pub fn sequence(elements: impl IntoIterator<Item = Value>) -> Value {
        let numbered = elements.into_iter().enumerate();
        Value::set(numbered.map(|(i, v)| Value::pair(Value::int(i + 1), v)))
    }

    /// The left-nested tuple of some values; of none, nothing.
    pub fn tuple(parts: impl IntoIterator<Item = Value>) -> Option<Value> {
        parts.into_iter().reduce(Value::pair)
    }

    /// Takes a left-nested tuple of `count` parts apart.
    pub fn untuple(&self, count: usize) -> Option<Vec<Value>> {
        let mut parts = Vec::with_capacity(count);
        let mut rest = self;
        for _ in 1..count {
            let Value::Pair(both) = rest else { return None };
            parts.push(both.1.clone());
            rest = &both.0;
        }
        parts.push(rest.clone());
        parts.reverse();
        Some(parts)
    }

    /// Is it free of sets that are not listed? Looks no deeper than tuples and records.
    pub fn is_listed(&self) -> bool {
        match self {
            Value::Symbolic(_) => false,
            Value::Pair(both) => both.0.is_listed() && both.1.is_listed(),
            Value::Record(fields) => fields.iter().all(Value::is_listed),
            Value::Free(_, _, Some(argument)) => argument.is_listed(),
            _ => true,
        }
    }

    pub(crate) fn symbolic(set: Symbolic) -> Value {
        Value::Symbolic(Symbol(Arc::new(set)))
    }
}

/// The second halves of the pairs of a listed relation whose first half is `left`.
pub(crate) fn lookup<'a>(relation: &'a Set, left: &'a Value) -> impl Iterator<Item = &'a Value> {
    let from = relation.from_first(left);
    from.iter().map_while(move |pair| match pair {
        Value::Pair(both) if both.0 == *left => Some(&both.1),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tuples_nest_to_the_left() {
        let tuple = Value::tuple([1, 2, 3].map(Value::int)).unwrap();
        let inner = Value::pair(Value::int(1), Value::int(2));
        assert_eq!(tuple, Value::pair(inner.clone(), Value::int(3)));
        assert_eq!(tuple.untuple(3).unwrap(), [1, 2, 3].map(Value::int));
        assert_eq!(tuple.untuple(2).unwrap(), [inner, Value::int(3)]);
        assert_eq!(Value::int(1).untuple(2), None);
    }

    #[test]
    fn there_is_one_zero_and_no_nan() {
        assert_eq!(Real::new(-0.0), Real::new(0.0));
        assert_eq!(Real::new(f64::NAN), None);
        assert!(Real::new(-1.0) < Real::new(0.0));
    }

    #[test]
    fn lookup_finds_all_partners() {
        let pairs =
            [(1, 5), (1, 6), (2, 7)].map(|(a, b)| Value::pair(Value::int(a), Value::int(b)));
        let relation: Set = pairs.into_iter().collect();
        let one = Value::int(1);
        let found: Vec<_> = lookup(&relation, &one).cloned().collect();
        assert_eq!(found, [5, 6].map(Value::int));
        assert_eq!(lookup(&relation, &Value::int(3)).count(), 0);
    }
}
