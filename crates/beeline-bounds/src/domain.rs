//! Abstract values: what may be known of a value without running the model.
//!
//! A [`Value`] stands for a set of concrete values. [`Value::Any`] says nothing and [`Value::Never`] that
//! there is no value. Every operation here over-approximates: a concrete value that one of the operands
//! stands for, and that the operation gives, is among what the result stands for.

mod atom;
mod elements;
mod ints;
mod set;

pub use atom::Atom;
pub use elements::{Elements, size_of};
pub use ints::Ints;
pub use set::{Relation, Set};

use beeline_model::{Model, Type, TypeId};

/// What is known of a value.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    /// There is none.
    Never,
    /// Nothing is known.
    Any,
    /// An integer.
    Int(Ints),
    /// A boolean: may it be false, may it be true?
    Bool(bool, bool),
    /// An element of a given set.
    Element(Elements),
    /// A set, relation, function or sequence.
    Set(Box<Set>),
    /// A pair.
    Pair(Box<(Value, Value)>),
    /// A record, fields in the order of its type.
    Record(Vec<Value>),
}

/// Values are followed one by one up to so many.
pub const ATOMS: usize = 64;

impl Value {
    /// All values of a type.
    pub fn top(model: &Model, ty: TypeId) -> Value {
        match model.types.get(ty) {
            Type::Bool => Value::Bool(true, true),
            Type::Integer => Value::Int(Ints::ALL),
            Type::Given(set) => Value::Element(Elements::all(model, *set)),
            Type::Power(of) => Value::set(Set::of_type(model, *of)),
            Type::Pair(a, b) => Value::pair(Value::top(model, *a), Value::top(model, *b)),
            Type::Record(fields) => {
                Value::Record(fields.iter().map(|(_, ty)| Value::top(model, *ty)).collect())
            }
            Type::Real | Type::String | Type::Free(..) => Value::Any,
        }
    }

    /// A set that was made consistent, or none.
    pub fn set(set: Set) -> Value {
        set.consistent().map_or(Value::Never, |set| Value::Set(Box::new(set)))
    }

    /// A pair; there is none without both halves.
    pub fn pair(a: Value, b: Value) -> Value {
        if a.is_never() || b.is_never() { Value::Never } else { Value::Pair(Box::new((a, b))) }
    }

    /// A record; there is none without all fields.
    pub fn record(fields: Vec<Value>) -> Value {
        if fields.iter().any(Value::is_never) { Value::Never } else { Value::Record(fields) }
    }

    /// A boolean; there is none that is neither.
    pub fn bool(may_be_false: bool, may_be_true: bool) -> Value {
        if may_be_false || may_be_true {
            Value::Bool(may_be_false, may_be_true)
        } else {
            Value::Never
        }
    }

    /// Integers, if there are any.
    pub fn ints(ints: Option<Ints>) -> Value {
        ints.map_or(Value::Never, Value::Int)
    }

    /// One value.
    pub fn one(atom: &Atom) -> Value {
        match atom {
            Atom::Bool(b) => Value::Bool(!b, *b),
            Atom::Int(n) => Value::Int(Ints::one(*n)),
            Atom::Element(set, position) => {
                Value::Element(Elements { set: *set, named: 1 << position, rest: 0 })
            }
            Atom::Pair(pair) => Value::pair(Value::one(&pair.0), Value::one(&pair.1)),
        }
    }

    /// Is there none?
    pub fn is_never(&self) -> bool {
        *self == Value::Never
    }

    /// As integers; what is no integer may be any.
    pub fn as_ints(&self) -> Ints {
        match self {
            Value::Int(ints) => *ints,
            _ => Ints::ALL,
        }
    }

    /// As a set; of what is no set nothing is known.
    pub fn as_set(&self) -> Set {
        match self {
            Value::Set(set) => (**set).clone(),
            _ => Set::unknown(),
        }
    }

    /// Both halves of a pair.
    pub fn halves(&self) -> (Value, Value) {
        match self {
            Value::Pair(pair) => (**pair).clone(),
            Value::Never => (Value::Never, Value::Never),
            _ => (Value::Any, Value::Any),
        }
    }

    /// A field of a record.
    pub fn field(&self, position: usize) -> Value {
        match self {
            Value::Record(fields) => fields.get(position).cloned().unwrap_or(Value::Any),
            Value::Never => Value::Never,
            _ => Value::Any,
        }
    }

    /// Values of either.
    pub fn join(&self, other: &Value) -> Value {
        match (self, other) {
            (Value::Never, v) | (v, Value::Never) => v.clone(),
            (Value::Int(a), Value::Int(b)) => Value::Int(a.join(b)),
            (Value::Bool(a, b), Value::Bool(c, d)) => Value::Bool(a | c, b | d),
            (Value::Element(a), Value::Element(b)) if a.set == b.set => Value::Element(a.join(b)),
            (Value::Set(a), Value::Set(b)) => Value::set(a.join(b)),
            (Value::Pair(a), Value::Pair(b)) => Value::pair(a.0.join(&b.0), a.1.join(&b.1)),
            (Value::Record(a), Value::Record(b)) if a.len() == b.len() => {
                Value::record(a.iter().zip(b).map(|(a, b)| a.join(b)).collect())
            }
            _ => Value::Any,
        }
    }

    /// Values of both.
    pub fn meet(&self, other: &Value) -> Value {
        match (self, other) {
            (Value::Never, _) | (_, Value::Never) => Value::Never,
            (Value::Any, v) | (v, Value::Any) => v.clone(),
            (Value::Int(a), Value::Int(b)) => Value::ints(a.meet(b)),
            (Value::Bool(a, b), Value::Bool(c, d)) => Value::bool(a & c, b & d),
            (Value::Element(a), Value::Element(b)) if a.set == b.set => {
                a.meet(b).map_or(Value::Never, Value::Element)
            }
            (Value::Set(a), Value::Set(b)) => Value::set(a.meet(b)),
            (Value::Pair(a), Value::Pair(b)) => Value::pair(a.0.meet(&b.0), a.1.meet(&b.1)),
            (Value::Record(a), Value::Record(b)) if a.len() == b.len() => {
                Value::record(a.iter().zip(b).map(|(a, b)| a.meet(b)).collect())
            }
            _ => self.clone(),
        }
    }

    /// An upper bound of both, such that a chain of them comes to an end.
    pub fn widen(&self, next: &Value, thresholds: &[i128]) -> Value {
        match (self, next) {
            (Value::Int(a), Value::Int(b)) => Value::Int(a.widen(b, thresholds)),
            (Value::Set(a), Value::Set(b)) => Value::set(a.widen(b, thresholds)),
            (Value::Pair(a), Value::Pair(b)) => {
                Value::pair(a.0.widen(&b.0, thresholds), a.1.widen(&b.1, thresholds))
            }
            (Value::Record(a), Value::Record(b)) if a.len() == b.len() => {
                Value::record(a.iter().zip(b).map(|(a, b)| a.widen(b, thresholds)).collect())
            }
            _ => self.join(next),
        }
    }

    /// Does it stand for at least what the other stands for?
    pub fn covers(&self, other: &Value) -> bool {
        self.join(other) == *self
    }

    /// The only value it stands for.
    pub fn single(&self) -> Option<Atom> {
        match self {
            Value::Int(ints) => ints.single().map(Atom::Int),
            Value::Bool(false, true) => Some(Atom::Bool(true)),
            Value::Bool(true, false) => Some(Atom::Bool(false)),
            Value::Element(e) => match e.positions()?[..] {
                [one] => Some(Atom::Element(e.set, one)),
                _ => None,
            },
            Value::Pair(pair) => Some(Atom::pair(pair.0.single()?, pair.1.single()?)),
            _ => None,
        }
    }

    /// All values that it stands for, if they are few and each can be named.
    pub fn list(&self, most: usize) -> Option<Vec<Atom>> {
        let list = match self {
            Value::Never => Vec::new(),
            Value::Int(ints) => ints.list(most)?.into_iter().map(Atom::Int).collect(),
            Value::Bool(no, yes) => {
                let both = [(*no, false), (*yes, true)];
                both.into_iter().filter(|b| b.0).map(|b| Atom::Bool(b.1)).collect()
            }
            Value::Element(e) => {
                e.positions()?.into_iter().map(|p| Atom::Element(e.set, p)).collect()
            }
            Value::Pair(pair) => {
                let (left, right) = (pair.0.list(most)?, pair.1.list(most)?);
                if left.len().saturating_mul(right.len()) > most {
                    return None;
                }
                let with = |a: &Atom| {
                    let a = a.clone();
                    right.iter().map(move |b| Atom::pair(a.clone(), b.clone()))
                };
                left.iter().flat_map(with).collect()
            }
            _ => return None,
        };
        (list.len() <= most).then_some(list)
    }

    /// How many values it stands for at most.
    pub fn count(&self) -> Option<i128> {
        match self {
            Value::Never => Some(0),
            Value::Any => None,
            Value::Int(ints) => ints.count(),
            Value::Bool(a, b) => Some(i128::from(*a) + i128::from(*b)),
            Value::Element(e) => e.count().map(i128::from),
            Value::Set(set) => {
                if set.card.high() == Some(0) {
                    return Some(1);
                }
                let n = u32::try_from(set.elem.count()?).ok()?;
                if n > 100 { None } else { Some(1 << n) }
            }
            Value::Pair(pair) => pair.0.count()?.checked_mul(pair.1.count()?),
            Value::Record(fields) => {
                fields.iter().try_fold(1i128, |n, f| n.checked_mul(f.count()?))
            }
        }
    }

    /// Are there finitely many values, whatever their number is? Given sets are finite.
    pub fn is_finite(&self) -> bool {
        match self {
            Value::Never | Value::Bool(..) | Value::Element(_) => true,
            Value::Any => false,
            Value::Int(ints) => ints.count().is_some(),
            Value::Set(set) => set.elem.is_finite(),
            Value::Pair(pair) => pair.0.is_finite() && pair.1.is_finite(),
            Value::Record(fields) => fields.iter().all(Value::is_finite),
        }
    }

    /// May it be this value?
    pub fn contains(&self, atom: &Atom) -> bool {
        match (self, atom) {
            (Value::Never, _) => false,
            (Value::Int(ints), Atom::Int(n)) => ints.contains(*n),
            (Value::Bool(no, yes), Atom::Bool(b)) => *if *b { yes } else { no },
            (Value::Element(e), Atom::Element(set, p)) => e.set != *set || e.contains(*p),
            (Value::Pair(pair), Atom::Pair(atoms)) => {
                pair.0.contains(&atoms.0) && pair.1.contains(&atoms.1)
            }
            _ => true,
        }
    }

    /// What is left if it is not this value.
    pub fn without(&self, atom: &Atom) -> Value {
        match (self, atom) {
            (Value::Int(ints), Atom::Int(n)) => Value::ints(ints.without(*n)),
            (Value::Bool(no, yes), Atom::Bool(b)) => Value::bool(*no && *b, *yes && !*b),
            (Value::Element(e), Atom::Element(set, p)) if e.set == *set => {
                e.without(*p).map_or(Value::Never, Value::Element)
            }
            (Value::Pair(pair), Atom::Pair(atoms)) => {
                // Only one half can be told where the other is settled.
                if pair.0.single().as_ref() == Some(&atoms.0) {
                    Value::pair(pair.0.clone(), pair.1.without(&atoms.1))
                } else if pair.1.single().as_ref() == Some(&atoms.1) {
                    Value::pair(pair.0.without(&atoms.0), pair.1.clone())
                } else {
                    self.clone()
                }
            }
            _ => self.clone(),
        }
    }
}
