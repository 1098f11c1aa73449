//! Operators on sets and relations.

use crate::domain::{ATOMS, Atom, Ints, Relation, Set, Value};
use beeline_model::BinaryOp;
use std::collections::BTreeSet;

fn at_most(n: Option<i128>) -> Ints {
    Ints::between(Some(0), n).unwrap_or(Ints::NATURAL)
}

fn disjoint(a: &Set, b: &Set) -> bool {
    a.elem.meet(&b.elem).is_never()
}

/// `a \/ b`
pub(super) fn union(a: &Set, b: &Set) -> Set {
    if a.is_empty() {
        return b.clone();
    }
    if b.is_empty() {
        return a.clone();
    }
    let low = a.card.low().max(b.card.low());
    let (low, high) = match disjoint(a, b) {
        true => (sum(a.card.low(), b.card.low()), sum(a.card.high(), b.card.high())),
        false => (low, sum(a.card.high(), b.card.high())),
    };
    let relation = a.relation.as_ref().zip(b.relation.as_ref()).map(|(r, s)| {
        Box::new(Relation {
            functional: a.is_functional() && b.is_functional() && disjoint(&r.domain, &s.domain),
            injective: a.is_injective() && b.is_injective() && disjoint(&r.range, &s.range),
            sequence: false,
            domain: union(&r.domain, &s.domain),
            range: union(&r.range, &s.range),
        })
    });
    Set {
        card: Ints::between(low.or(Some(0)), high).unwrap_or(Ints::NATURAL),
        elem: a.elem.join(&b.elem),
        must: a.must.union(&b.must).cloned().collect(),
        whole: a.whole || b.whole,
        finite: a.finite && b.finite,
        relation,
    }
}

fn sum(a: Option<i128>, b: Option<i128>) -> Option<i128> {
    a?.checked_add(b?)
}

/// `a /\ b`
pub(super) fn intersection(a: &Set, b: &Set) -> Set {
    if a.whole {
        return b.clone();
    }
    if b.whole {
        return a.clone();
    }
    // What is a subset of both: kinds of relations hold for subsets.
    let mut met = a.subset().meet(&b.subset());
    met.must = a.must.intersection(&b.must).cloned().collect();
    met
}

/// `a - b`
pub(super) fn difference(a: &Set, b: &Set) -> Set {
    let mut left = a.subset();
    left.must = a.must.iter().filter(|x| !b.elem.contains(x)).cloned().collect();
    left.elem = b.must.iter().fold(a.elem.clone(), |elem, x| elem.without(x));
    let least = a.card.low().zip(b.card.high()).map_or(0, |(a, b)| (a - b).max(0));
    let gone = a.must.intersection(&b.must).count() as i128;
    let most = a.card.high().map(|n| (n - gone).max(0));
    left.card = Ints::between(Some(least), most).unwrap_or(left.card);
    left
}

/// `A * B`
pub(super) fn product(a: &Set, b: &Set) -> Value {
    if a.is_empty() || b.is_empty() {
        return Value::set(Set::empty());
    }
    let times = |a: Option<i128>, b: Option<i128>| a?.checked_mul(b?);
    let low = times(a.card.low(), b.card.low()).unwrap_or(0);
    let part = |set: &Set, other: &Set| match other.is_inhabited() {
        true => set.clone(),
        false => set.join(&Set::empty()),
    };
    let few = a.must.len().saturating_mul(b.must.len()) <= ATOMS;
    let must = a
        .must
        .iter()
        .filter(|_| few)
        .flat_map(|x| b.must.iter().map(move |y| Atom::pair(x.clone(), y.clone())));
    let card = Ints::between(Some(low), times(a.card.high(), b.card.high()));
    let relation = Relation {
        functional: b.card.high() == Some(1),
        injective: a.card.high() == Some(1),
        sequence: false,
        domain: part(a, b),
        range: part(b, a),
    };
    Value::set(Set {
        card: card.unwrap_or(Ints::NATURAL),
        elem: Value::pair(a.elem.clone(), b.elem.clone()),
        must: must.collect(),
        whole: a.whole && b.whole,
        finite: a.finite && b.finite,
        relation: Some(Box::new(relation)),
    })
}

/// `id(S)`
pub(super) fn identity(set: &Set) -> Value {
    if set.is_empty() {
        return Value::set(Set::empty());
    }
    let must = set.must.iter().map(|x| Atom::pair(x.clone(), x.clone())).collect();
    let relation = Relation {
        functional: true,
        injective: true,
        sequence: false,
        domain: set.clone(),
        range: set.clone(),
    };
    Value::set(Set {
        card: set.card,
        elem: Value::pair(set.elem.clone(), set.elem.clone()),
        must,
        whole: false,
        finite: set.finite,
        relation: Some(Box::new(relation)),
    })
}

/// `r~`
pub(super) fn inverse(set: &Set) -> Value {
    let swap = |atom: &Atom| match atom {
        Atom::Pair(pair) => Atom::pair(pair.1.clone(), pair.0.clone()),
        other => other.clone(),
    };
    let (a, b) = set.elem.halves();
    let relation = set.relation.as_ref().map(|r| {
        Box::new(Relation {
            functional: r.injective,
            injective: r.functional,
            sequence: false,
            domain: r.range.clone(),
            range: r.domain.clone(),
        })
    });
    let must = set.must.iter().map(swap).collect();
    Value::set(Set { elem: Value::pair(b, a), must, relation, ..set.clone() })
}

/// `closure1(r)`
pub(super) fn closure(set: &Set) -> Value {
    if set.is_empty() {
        return Value::set(Set::empty());
    }
    let (domain, range) = (set.domain(), set.range());
    let elem = Value::pair(domain.elem.clone(), range.elem.clone());
    let relation = Relation { functional: false, injective: false, sequence: false, domain, range };
    let card = Ints::from(set.card.low());
    let finite = set.finite;
    let (must, relation) = (set.must.clone(), Some(Box::new(relation)));
    Value::set(Set { card, elem, must, whole: set.whole, finite, relation })
}

pub(super) fn binary(op: BinaryOp, a: &Set, b: &Set) -> Value {
    use BinaryOp as B;
    match op {
        B::Override => overridden(a, b),
        B::DomainRestrict => restricted(b, a, true, true),
        B::DomainSubtract => restricted(b, a, true, false),
        B::RangeRestrict => restricted(a, b, false, true),
        B::RangeSubtract => restricted(a, b, false, false),
        B::Image => image(a, b),
        B::Compose => composed(a, b),
        _ => Value::Any,
    }
}

/// `f <+ g`
pub(super) fn overridden(f: &Set, g: &Set) -> Value {
    if f.is_empty() {
        return Value::set(g.clone());
    }
    if g.is_empty() {
        return Value::set(f.clone());
    }
    let (df, dg) = (f.domain(), g.domain());
    let kept = df.surely_contains(&dg.elem);
    let domain = if kept { df.clone() } else { union(&df, &dg) };
    let range = union(&f.range().subset(), &g.range());
    let survives = |atom: &&Atom| match atom {
        Atom::Pair(pair) => !dg.elem.contains(&pair.0),
        _ => false,
    };
    let must: BTreeSet<Atom> = f.must.iter().filter(survives).chain(&g.must).cloned().collect();
    let relation = Relation {
        functional: f.is_functional() && g.is_functional(),
        injective: false,
        sequence: kept && f.is_sequence() && g.is_functional(),
        domain,
        range,
    };
    Value::set(Set {
        card: Ints::between(g.card.low().or(Some(0)), sum(f.card.high(), g.card.high()))
            .unwrap_or(Ints::NATURAL),
        elem: f.elem.join(&g.elem),
        must,
        whole: false,
        finite: f.finite && g.finite,
        relation: Some(Box::new(relation)),
    })
}

/// Pairs of a relation of which one half is in a set, or is not.
fn restricted(r: &Set, by: &Set, left: bool, inside: bool) -> Value {
    let mut part = r.subset();
    let (a, b) = r.elem.halves();
    let own = if left { &a } else { &b };
    let own = match inside {
        true => own.meet(&by.elem),
        false => by.must.iter().fold(own.clone(), |v, x| v.without(x)),
    };
    part.elem = if left { Value::pair(own, b) } else { Value::pair(a, own) };
    let stays = |atom: &&Atom| match atom {
        Atom::Pair(pair) => {
            let own = if left { &pair.0 } else { &pair.1 };
            if inside { by.must.contains(own) || by.whole } else { !by.elem.contains(own) }
        }
        _ => false,
    };
    part.must = r.must.iter().filter(stays).cloned().collect();
    if inside && by.whole {
        return Value::set(r.clone());
    }
    Value::set(part)
}

/// `r[S]`
fn image(r: &Set, set: &Set) -> Value {
    let Value::Set(part) = restricted(r, set, true, true) else { return Value::set(Set::empty()) };
    let mut image = part.range().subset();
    image.must = part.must.iter().filter_map(second).collect();
    if r.is_functional() {
        let most = at_most(set.card.high());
        image.card = image.card.meet(&most).unwrap_or(image.card);
        image.finite |= set.finite;
    }
    Value::set(image)
}

fn second(atom: &Atom) -> Option<Atom> {
    match atom {
        Atom::Pair(pair) => Some(pair.1.clone()),
        _ => None,
    }
}

/// `(r ; s)`
fn composed(r: &Set, s: &Set) -> Value {
    if r.is_empty() || s.is_empty() {
        return Value::set(Set::empty());
    }
    let covered = s.domain().surely_contains(&r.range().elem);
    let domain = if covered { r.domain() } else { r.domain().subset() };
    let range = s.range().subset();
    let within = Set::within(Value::pair(domain.elem.clone(), range.elem.clone()));
    let relation = Relation {
        functional: r.is_functional() && s.is_functional(),
        injective: r.is_injective() && s.is_injective(),
        sequence: covered && r.is_sequence() && s.is_functional(),
        domain,
        range,
    };
    let finite = r.finite && s.finite;
    Value::set(Set { finite, relation: Some(Box::new(relation)), ..within })
}
