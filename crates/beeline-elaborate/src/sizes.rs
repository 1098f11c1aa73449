//! What PROPERTIES, CONSTRAINTS and VALUES say about the sizes of deferred sets.
//!
//! Only forms that fix or bound a size by themselves are read here: `card(S) = n` and its kin,
//! `S = {a, b}`, `partition`, and constants that are said to differ. What remains is for a solver.

mod lower;

use beeline_model::{
    BinaryOp, CompareOp, ConstantId, Expr, ExprKind, Model, Pred, PredKind, PropertyOrigin, SetId,
    SetKind, SizeOrigin, Type, UnaryOp,
};
use beeline_source::Span;
use num_bigint::BigInt;
use std::collections::BTreeSet;

/// Reads all properties of a model and narrows the sizes of its sets.
pub(crate) fn narrow(model: &mut Model) {
    let mut facts = Vec::new();
    let distinct = all_differences(model);
    for property in &model.properties {
        let pred = &property.conjunct.pred;
        let from = match property.origin {
            PropertyOrigin::Values => SizeOrigin::Values,
            _ => SizeOrigin::Properties,
        };
        let fact = fact(model, pred).or_else(|| union_fact(model, pred));
        facts.extend(fact.map(|f| (f, from, property.conjunct.span)));
    }
    for (Fact { set, min, max }, origin, span) in facts {
        bound(model, set, min, max, origin, span);
    }
    for (set, least) in lower::bounds(model) {
        if least > model.set(set).size.min {
            let span = model.set(set).span;
            bound(model, set, Some(least), None, SizeOrigin::Properties, span);
        }
    }
    for set in 0..model.sets.len() {
        let set = SetId(set as u32);
        let count = distinct_constants(model, set, &distinct).len() as u64;
        if count > 1 {
            let span = model.set(set).span;
            bound(model, set, Some(count), None, SizeOrigin::Properties, span);
        }
    }
    let pairs: Vec<((SetId, SetId), Span)> = model
        .properties
        .iter()
        .filter_map(|p| Some((bijection(&p.conjunct.pred)?, p.conjunct.span)))
        .collect();
    for ((a, b), span) in pairs {
        for (known, other) in [(a, b), (b, a)] {
            let size = &model.set(known).size;
            if size.max == Some(size.min) && model.set(other).size.origin == SizeOrigin::Default {
                let n = Some(size.min);
                bound(model, other, n, n, SizeOrigin::Properties, span);
            }
        }
    }
}

struct Fact {
    set: SetId,
    min: Option<u64>,
    max: Option<u64>,
}

fn bound(
    model: &mut Model,
    set: SetId,
    min: Option<u64>,
    max: Option<u64>,
    origin: SizeOrigin,
    span: Span,
) {
    let row = &mut model.sets[set.index()];
    let adjustable = matches!(row.size.origin, SizeOrigin::Default | SizeOrigin::Properties);
    if row.kind == SetKind::Enumerated || !adjustable {
        return;
    }
    let size = &mut row.size;
    size.min = size.min.max(min.unwrap_or(size.min));
    size.max = match (size.max, max) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    };
    size.origin = origin;
    size.span = span;
}

/// A conjunct that bounds the size of a set.
fn fact(model: &Model, pred: &Pred) -> Option<Fact> {
    match &pred.kind {
        PredKind::Compare(op, a, b) => {
            if let Some(set) = card_of(a) {
                return card_fact(set, *op, integer(model, b)?);
            }
            if let Some(set) = card_of(b) {
                return card_fact(set, mirrored(*op), integer(model, a)?);
            }
            if *op != CompareOp::Equal {
                return None;
            }
            let (set, value) = match (&a.kind, &b.kind) {
                (ExprKind::GivenSet(s), value) | (value, ExprKind::GivenSet(s)) => (*s, value),
                _ => return None,
            };
            listed(value).map(|n| Fact { set, min: None, max: Some(n) })
        }
        PredKind::Partition(whole, parts) => {
            let ExprKind::GivenSet(set) = whole.kind else { return None };
            let singles =
                parts.iter().all(|p| matches!(&p.kind, ExprKind::SetExtension(e) if e.len() == 1));
            let n = parts.len() as u64;
            singles.then_some(Fact { set, min: Some(n), max: Some(n) })
        }
        _ => None,
    }
}

/// How many elements a union of listed sets has at the most.
fn listed(e: &ExprKind) -> Option<u64> {
    match e {
        ExprKind::SetExtension(parts) => Some(parts.len() as u64),
        ExprKind::Binary(BinaryOp::Union, a, b) => listed(&a.kind)?.checked_add(listed(&b.kind)?),
        _ => None,
    }
}

fn card_of(e: &Expr) -> Option<SetId> {
    match &e.kind {
        ExprKind::Unary(UnaryOp::Card, of) => match of.kind {
            ExprKind::GivenSet(set) => Some(set),
            _ => None,
        },
        _ => None,
    }
}

fn card_fact(set: SetId, op: CompareOp, n: u64) -> Option<Fact> {
    let (min, max) = match op {
        CompareOp::Equal => (Some(n), Some(n)),
        CompareOp::GreaterEqual => (Some(n), None),
        CompareOp::Greater => (Some(n.checked_add(1)?), None),
        CompareOp::LessEqual => (None, Some(n)),
        CompareOp::Less => (None, Some(n.checked_sub(1)?)),
        _ => return None,
    };
    Some(Fact { set, min, max })
}

fn mirrored(op: CompareOp) -> CompareOp {
    match op {
        CompareOp::Less => CompareOp::Greater,
        CompareOp::LessEqual => CompareOp::GreaterEqual,
        CompareOp::Greater => CompareOp::Less,
        CompareOp::GreaterEqual => CompareOp::LessEqual,
        other => other,
    }
}

/// The value of an integer expression, where literals and equations for constants tell it.
fn integer(model: &Model, e: &Expr) -> Option<u64> {
    // Equations may lead round in circles: so many steps, and no more.
    let mut fuel = 100;
    u64::try_from(value(model, e, &mut fuel)?).ok()
}

fn value(model: &Model, e: &Expr, fuel: &mut u32) -> Option<BigInt> {
    *fuel = fuel.checked_sub(1)?;
    let preference = |name: &str, default: i64| {
        model.preference(name).and_then(|p| p.value.parse::<i64>().ok()).unwrap_or(default).into()
    };
    match &e.kind {
        ExprKind::Integer(n) => Some(n.clone()),
        ExprKind::Unary(UnaryOp::Card, set) => match &set.kind {
            ExprKind::Binary(BinaryOp::Interval, a, b) => {
                let (a, b) = (value(model, a, fuel)?, value(model, b, fuel)?);
                Some((b - a + 1u32).max(BigInt::ZERO))
            }
            // A size that is only a default must not bound another.
            ExprKind::GivenSet(set) => {
                let size = &model.set(*set).size;
                (size.max == Some(size.min)).then(|| size.min.into())
            }
            _ => None,
        },
        ExprKind::MaxInt => Some(preference("MAXINT", 3)),
        ExprKind::MinInt => Some(preference("MININT", -1)),
        ExprKind::Binary(op, a, b) => {
            let (a, b) = (value(model, a, fuel)?, value(model, b, fuel)?);
            match op {
                BinaryOp::Add => Some(a + b),
                BinaryOp::Subtract => Some(a - b),
                BinaryOp::Multiply => Some(a * b),
                _ => None,
            }
        }
        ExprKind::Constant(constant) => model.properties.iter().find_map(|p| {
            let PredKind::Compare(CompareOp::Equal, a, b) = &p.conjunct.pred.kind else {
                return None;
            };
            match (&a.kind, &b.kind) {
                (ExprKind::Constant(c), _) if c == constant => value(model, b, fuel),
                (_, ExprKind::Constant(c)) if c == constant => value(model, a, fuel),
                _ => None,
            }
        }),
        _ => None,
    }
}

/// Pairs of constants that the properties say to differ: each by itself, or because they are elements
/// of sets that have none in common.
fn all_differences(model: &Model) -> BTreeSet<(ConstantId, ConstantId)> {
    let (mut distinct, mut disjoint) = (BTreeSet::new(), BTreeSet::new());
    let mut homes: Vec<(ConstantId, ConstantId)> = Vec::new();
    let constant = |e: &Expr| match e.kind {
        ExprKind::Constant(c) => Some(c),
        _ => None,
    };
    let mut add = |a: ConstantId, b: ConstantId| {
        disjoint.insert((a.min(b), a.max(b)));
    };
    for property in &model.properties {
        let pred = &property.conjunct.pred;
        differences(pred, &mut distinct);
        match &pred.kind {
            PredKind::Compare(CompareOp::Member, x, set) => {
                homes.extend(constant(x).zip(constant(set)));
            }
            PredKind::Partition(whole, parts) => {
                if let Some(whole) = constant(whole) {
                    homes.extend(parts.iter().filter_map(single).map(|x| (x, whole)));
                }
                let sets: Vec<ConstantId> = parts.iter().filter_map(constant).collect();
                for (i, a) in sets.iter().enumerate() {
                    sets[i + 1..].iter().for_each(|b| add(*a, *b));
                }
            }
            _ => {
                let sets = apart(pred).and_then(|(a, b)| constant(a).zip(constant(b)));
                sets.into_iter().for_each(|(a, b)| add(a, b));
            }
        }
    }
    for (i, (x, a)) in homes.iter().enumerate() {
        for (y, b) in &homes[i + 1..] {
            if x != y && disjoint.contains(&(*a.min(b), *a.max(b))) {
                distinct.insert((*x.min(y), *x.max(y)));
            }
        }
    }
    distinct
}

/// Pairs of constants that a conjunct says to differ.
fn differences(pred: &Pred, out: &mut BTreeSet<(ConstantId, ConstantId)>) {
    let mut add = |a: ConstantId, b: ConstantId| {
        out.insert((a.min(b), a.max(b)));
    };
    match &pred.kind {
        PredKind::Compare(CompareOp::NotEqual, a, b) => {
            if let (ExprKind::Constant(a), ExprKind::Constant(b)) = (&a.kind, &b.kind) {
                add(*a, *b);
            }
        }
        // card({a, b, c}) = 3
        PredKind::Compare(CompareOp::Equal, a, b) => {
            if let Some((a, b)) = apart(pred)
                && let (Some(a), Some(b)) = (single(a), single(b))
            {
                return add(a, b);
            }
            let (card, n) = match (&a.kind, &b.kind) {
                (ExprKind::Unary(UnaryOp::Card, of), ExprKind::Integer(n))
                | (ExprKind::Integer(n), ExprKind::Unary(UnaryOp::Card, of)) => (of, n),
                _ => return,
            };
            let ExprKind::SetExtension(parts) = &card.kind else { return };
            if *n != BigInt::from(parts.len()) {
                return;
            }
            let constants: Vec<ConstantId> = parts
                .iter()
                .filter_map(|p| match p.kind {
                    ExprKind::Constant(c) => Some(c),
                    _ => None,
                })
                .collect();
            for (i, a) in constants.iter().enumerate() {
                constants[i + 1..].iter().for_each(|b| add(*a, *b));
            }
        }
        PredKind::Partition(_, parts) => {
            let singles: Vec<ConstantId> = parts.iter().filter_map(single).collect();
            for (i, a) in singles.iter().enumerate() {
                singles[i + 1..].iter().for_each(|b| add(*a, *b));
            }
        }
        _ => {}
    }
}

/// `{c}`
fn single(e: &Expr) -> Option<ConstantId> {
    match &e.kind {
        ExprKind::SetExtension(parts) => match parts.as_slice() {
            [Expr { kind: ExprKind::Constant(c), .. }] => Some(*c),
            _ => None,
        },
        _ => None,
    }
}

/// `a /\ b = {}`
fn apart(pred: &Pred) -> Option<(&Expr, &Expr)> {
    let PredKind::Compare(CompareOp::Equal, a, b) = &pred.kind else { return None };
    match (&a.kind, &b.kind) {
        (ExprKind::Binary(BinaryOp::Intersection, x, y), ExprKind::EmptySet)
        | (ExprKind::EmptySet, ExprKind::Binary(BinaryOp::Intersection, x, y)) => Some((x, y)),
        _ => None,
    }
}

/// `S = a \/ b \/ c` where these are disjoint and have known sizes: the sum.
fn union_fact(model: &Model, pred: &Pred) -> Option<Fact> {
    let PredKind::Compare(CompareOp::Equal, a, b) = &pred.kind else { return None };
    let (set, union) = match (&a.kind, &b.kind) {
        (ExprKind::GivenSet(s), _) => (*s, b),
        (_, ExprKind::GivenSet(s)) => (*s, a),
        _ => return None,
    };
    let mut parts = Vec::new();
    let mut todo = vec![&**union];
    while let Some(e) = todo.pop() {
        match &e.kind {
            ExprKind::Binary(BinaryOp::Union, x, y) => todo.extend([&**x, &**y]),
            ExprKind::Constant(c) => parts.push(*c),
            _ => return None,
        }
    }
    let preds = || model.properties.iter().map(|p| &p.conjunct.pred);
    let disjoint: BTreeSet<(ConstantId, ConstantId)> = preds()
        .filter_map(apart)
        .filter_map(|(x, y)| match (&x.kind, &y.kind) {
            (ExprKind::Constant(x), ExprKind::Constant(y)) => Some((*x.min(y), *x.max(y))),
            _ => None,
        })
        .collect();
    let mut size = 0u64;
    for (i, part) in parts.iter().enumerate() {
        if parts[i + 1..].iter().any(|o| !disjoint.contains(&(*part.min(o), *part.max(o)))) {
            return None;
        }
        size = size.checked_add(preds().find_map(|p| card_said(model, p, *part))?)?;
    }
    Some(Fact { set, min: Some(size), max: Some(size) })
}

/// `card(c) = n`
fn card_said(model: &Model, pred: &Pred, constant: ConstantId) -> Option<u64> {
    let PredKind::Compare(CompareOp::Equal, a, b) = &pred.kind else { return None };
    let is_card = |e: &Expr| match &e.kind {
        ExprKind::Unary(UnaryOp::Card, of) => {
            matches!(of.kind, ExprKind::Constant(c) if c == constant)
        }
        _ => false,
    };
    if is_card(a) {
        integer(model, b)
    } else if is_card(b) {
        integer(model, a)
    } else {
        None
    }
}

/// `f : A >->> B` between given sets: both have the size that one of them has.
fn bijection(pred: &Pred) -> Option<(SetId, SetId)> {
    let PredKind::Compare(CompareOp::Member, _, arrow) = &pred.kind else { return None };
    match &arrow.kind {
        ExprKind::Binary(BinaryOp::TotalBijections, a, b) => match (&a.kind, &b.kind) {
            (ExprKind::GivenSet(a), ExprKind::GivenSet(b)) => Some((*a, *b)),
            _ => None,
        },
        _ => None,
    }
}

/// Constants of each deferred set that are pairwise different for certain, and at least one if there
/// is any.
pub(crate) fn representatives(model: &Model) -> Vec<(SetId, Vec<ConstantId>)> {
    let distinct = all_differences(model);
    let deferred = model.sets.iter().enumerate().filter(|(_, s)| s.kind == SetKind::Deferred);
    deferred
        .map(|(i, _)| SetId(i as u32))
        .map(|set| (set, distinct_constants(model, set, &distinct)))
        .collect()
}

/// Constants of a set that are pairwise different for certain (found greedily).
fn distinct_constants(
    model: &Model,
    set: SetId,
    distinct: &BTreeSet<(ConstantId, ConstantId)>,
) -> Vec<ConstantId> {
    let mut chosen: Vec<ConstantId> = Vec::new();
    for index in 0..model.constants.len() {
        let constant = ConstantId(index as u32);
        if *model.types.get(model.constant(constant).ty) != Type::Given(set) {
            continue;
        }
        if chosen.iter().all(|c| distinct.contains(&(*c.min(&constant), *c.max(&constant)))) {
            chosen.push(constant);
        }
    }
    chosen
}
