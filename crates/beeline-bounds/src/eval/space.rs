//! Sets of sets, relations, functions and sequences.

use crate::domain::{Ints, Relation, Set, Value};
use beeline_model::{BinaryOp, UnaryOp};

/// At least one element.
pub(super) fn inhabited(set: Set) -> Option<Set> {
    let card = set.card.meet(&Ints::from(Some(1)))?;
    Some(Set { card, ..set })
}

/// All values of this kind; there may be none.
fn all(elem: Value, finite: bool) -> Value {
    Value::set(Set { finite, ..Set::within(elem) })
}

/// `POW(S)`, `POW1(S)`, `FIN(S)`, `FIN1(S)`
pub(super) fn power(op: UnaryOp, set: &Set) -> Value {
    let mut inner = set.subset();
    inner.finite |= matches!(op, UnaryOp::Finite | UnaryOp::Finite1);
    if matches!(op, UnaryOp::Power1 | UnaryOp::Finite1) {
        return inhabited(inner)
            .map_or(Value::set(Set::empty()), |inner| all(Value::set(inner), set.finite));
    }
    let whole = set.whole && (op == UnaryOp::Power || set.finite);
    let least = set.card.low().and_then(|n| u32::try_from(n).ok()).map_or(100, |n| n.min(100));
    let most = set.card.high().and_then(|n| u32::try_from(n).ok()).filter(|n| *n <= 100);
    let card = Ints::between(Some(1i128 << least), most.map(|n| 1i128 << n));
    let space = Set { finite: set.finite, whole, ..Set::within(Value::set(inner)) };
    Value::set(Set { card: card.unwrap_or(space.card), ..space })
}

/// `A <-> B` and its kin.
pub(super) fn relations(op: BinaryOp, a: &Set, b: &Set) -> Value {
    use BinaryOp as B;
    let functional = !matches!(
        op,
        B::Relations | B::TotalRelations | B::SurjectiveRelations | B::TotalSurjectiveRelations
    );
    let injective = matches!(
        op,
        B::PartialInjections | B::TotalInjections | B::PartialBijections | B::TotalBijections
    );
    let total = matches!(
        op,
        B::TotalFunctions
            | B::TotalInjections
            | B::TotalSurjections
            | B::TotalBijections
            | B::TotalRelations
            | B::TotalSurjectiveRelations
    );
    let surjective = matches!(
        op,
        B::PartialSurjections
            | B::TotalSurjections
            | B::PartialBijections
            | B::TotalBijections
            | B::SurjectiveRelations
            | B::TotalSurjectiveRelations
    );
    let domain = if total { a.clone() } else { a.subset() };
    let range = if surjective { b.clone() } else { b.subset() };
    let within = Set::within(Value::pair(a.elem.clone(), b.elem.clone()));
    let relation = Relation { functional, injective, sequence: false, domain, range };
    let relation = match within.is_empty() {
        // Only the empty relation is left, which is total on nothing.
        true => {
            let possible = !(total && a.is_inhabited() || surjective && b.is_inhabited());
            let elem = if possible { Value::set(Set::empty()) } else { Value::Never };
            return all(elem, true);
        }
        false => Set { relation: Some(Box::new(relation)), ..within },
    };
    all(Value::set(relation), a.finite && b.finite)
}

/// `seq(S)` and its kin.
pub(super) fn sequences(op: UnaryOp, set: &Set) -> Value {
    use UnaryOp as U;
    let within = Set::within(Value::pair(Value::Int(Ints::from(Some(1))), set.elem.clone()));
    let injective = matches!(op, U::Iseq | U::Iseq1 | U::Perm);
    let range = if op == U::Perm { set.clone() } else { set.subset() };
    let domain = Set { finite: true, ..Set::within(Value::Int(Ints::from(Some(1)))) };
    let relation = Relation { functional: true, injective, sequence: true, domain, range };
    let mut sequence = match within.is_empty() {
        true => Set::empty(),
        false => Set { finite: true, relation: Some(Box::new(relation)), ..within },
    };
    if matches!(op, U::Seq1 | U::Iseq1) {
        match inhabited(sequence) {
            Some(inner) => sequence = inner,
            None => return Value::set(Set::empty()),
        }
    }
    all(Value::set(sequence), injective && set.finite)
}
