//! Sequences. The operands are taken for sequences: otherwise the operators have no meaning.

use super::space::inhabited;
use crate::analysis::Analysis;
use crate::domain::{Atom, Ints, Relation, Set, Value};
use crate::env::Env;
use beeline_model::{Expr, UnaryOp};

/// A sequence of so many such elements.
fn sequence(card: Ints, range: Set, injective: bool) -> Value {
    let within = Set::within(Value::pair(Value::Int(Ints::from(Some(1))), range.elem.clone()));
    if within.is_empty() {
        return Value::set(Set::empty());
    }
    let domain = Set { finite: true, ..Set::within(Value::Int(Ints::from(Some(1)))) };
    let relation = Relation { functional: true, injective, sequence: true, domain, range };
    let relation = Some(Box::new(relation));
    let Some(card) = card.meet(&Ints::NATURAL) else { return Value::Never };
    Value::set(Set { card, finite: true, relation, ..within })
}

impl Analysis<'_> {
    /// `[a, b]`
    pub(super) fn listed_sequence(&self, parts: &[Expr], env: &Env) -> Value {
        let values: Vec<Value> = parts.iter().map(|p| self.eval(p, env)).collect();
        if values.iter().any(Value::is_never) {
            return Value::Never;
        }
        let elem = values.iter().fold(Value::Never, |a, b| a.join(b));
        let mut range = Set { finite: true, ..Set::within(elem) };
        range.must = values.iter().filter_map(Value::single).collect();
        let card = Ints::one(values.len() as i128);
        let listed = sequence(card, range, values.len() == 1);
        let Value::Set(mut set) = listed else { return listed };
        let pairs = (1..).zip(&values);
        set.must.extend(pairs.filter_map(|(i, v)| Some(Atom::pair(Atom::Int(i), v.single()?))));
        Value::set(*set)
    }
}

pub(super) fn unary(op: UnaryOp, set: &Set) -> Value {
    let Some(full) = inhabited(set.clone()) else {
        return match op {
            UnaryOp::Reverse => Value::set(Set::empty()),
            _ => Value::Never,
        };
    };
    let shorter =
        || sequence(full.card.subtract(&Ints::one(1)), set.range().subset(), set.is_injective());
    match op {
        UnaryOp::First | UnaryOp::Last => full.range().elem,
        UnaryOp::Front | UnaryOp::Tail => shorter(),
        UnaryOp::Reverse => sequence(set.card, set.range(), set.is_injective()),
        _ => Value::Any,
    }
}

/// `s <- e`, `e -> s`
pub(super) fn extended(set: &Set, value: &Value) -> Value {
    let one = Set {
        card: Ints::one(1),
        must: value.single().into_iter().collect(),
        finite: true,
        ..Set::within(value.clone())
    };
    let range = super::relation::union(&set.range(), &one);
    let card = set.card.add(&Ints::one(1));
    sequence(card, range, set.is_empty())
}

/// `s ^ t`
pub(super) fn concat(a: &Set, b: &Set) -> Value {
    let range = super::relation::union(&a.range(), &b.range());
    let injective = a.is_empty() && b.is_injective() || b.is_empty() && a.is_injective();
    sequence(a.card.add(&b.card), range, injective)
}

/// `s /|\ n`, `s \|/ n`
pub(super) fn cut(set: &Set) -> Value {
    let card = Ints::between(Some(0), set.card.high()).unwrap_or(Ints::NATURAL);
    sequence(card, set.range().subset(), set.is_injective())
}
