//! Constants up to symmetry: of valuations that differ only by a renaming of elements which nobody
//! can tell apart, one is enough.
//!
//! Constants that are elements of such a set take its elements in order of first appearance. Parts
//! that a set is divided into take the elements beyond those in order, part after part, and within
//! a part first those that are named by a set of one element. A bijection
//! from another set gives its elements their order, and so does an injection into one. Each of these rules alone picks a
//! representative by choosing a renaming, and they choose renamings of different elements, so that
//! every valuation has a representative. What remains of the constants is not looked at.

use beeline_model::{
    BinaryOp, CompareOp, ConstantId, Expr, ExprKind, Model, Pred, PredKind, SetId, Type, UnaryOp,
};
use beeline_transition::ConstantsRef;
use beeline_value::{Store, Val};

/// The rules of a model.
#[derive(Clone, Debug, Default)]
pub(crate) struct Breaking {
    pub scalars: Vec<Vec<ConstantId>>,
    pub parts: Vec<Parts>,
    pub bijections: Vec<Bijection>,
    pub injections: Vec<Injection>,
}

/// Sets of which each element of a given set is in just one.
#[derive(Clone, Debug)]
pub(crate) struct Parts {
    pub set: SetId,
    pub constants: Vec<ConstantId>,
    /// Elements before this one may be values of constants.
    pub from: u32,
    /// Constant sets of one element: within a part, their elements come first, in this order.
    pub singles: Vec<ConstantId>,
}

/// A total bijection between given sets.
#[derive(Clone, Debug)]
pub(crate) struct Bijection {
    pub constant: ConstantId,
    pub from: SetId,
    pub to: SetId,
}

/// A total injection from a given set into another: it gives the elements of the first their order.
#[derive(Clone, Debug)]
pub(crate) struct Injection {
    pub constant: ConstantId,
    pub from: SetId,
    pub to: SetId,
}

impl Breaking {
    /// Which rules there are for sets with elements that may be renamed.
    pub fn of(model: &Model, sets: &[SetId]) -> Breaking {
        let mut rules = Breaking::default();
        let properties = || model.properties.iter().map(|p| &p.conjunct.pred);
        let constants = |wanted: &dyn Fn(&Type) -> bool| -> Vec<ConstantId> {
            let ids = (0..model.constants.len()).map(|i| ConstantId(i as u32));
            ids.filter(|c| wanted(model.types.get(model.constant(*c).ty))).collect()
        };
        let mut unordered = Vec::new();
        for &set in sets {
            let scalars = constants(&|ty| *ty == Type::Given(set));
            let from = scalars.len() as u32;
            let parts = properties().find_map(|p| parts_of(p, set, &mut properties()));
            let bare = scalars.is_empty() && parts.is_none();
            if !scalars.is_empty() {
                rules.scalars.push(scalars);
            }
            if let Some(constants) = parts {
                let of_set = |c: &ConstantId| {
                    let element = model.types.element(model.constant(*c).ty);
                    element.is_some_and(|ty| *model.types.get(ty) == Type::Given(set))
                };
                let singles = properties().filter_map(single).filter(of_set);
                let singles = singles.filter(|c| !constants.contains(c)).collect();
                rules.parts.push(Parts { set, constants, from, singles });
            }
            if bare
                && let Some(bijection) =
                    properties().find_map(|p| bijection_onto(p, set, &rules.bijections))
            {
                rules.bijections.push(bijection);
            } else if bare {
                unordered.push(set);
            }
        }
        for set in unordered {
            // Sets that get their order from each other would wait for each other.
            let ordered = |s: SetId, rules: &Breaking| {
                rules.bijections.iter().any(|b| b.to == s || b.from == s)
                    || rules.injections.iter().any(|i| i.from == s)
            };
            if let Some(injection) = properties().find_map(|p| injection_from(model, p, set))
                && !ordered(injection.from, &rules)
                && !ordered(injection.to, &rules)
            {
                rules.injections.push(injection);
            }
        }
        rules
    }

    pub fn is_empty(&self) -> bool {
        self.scalars.is_empty()
            && self.parts.is_empty()
            && self.bijections.is_empty()
            && self.injections.is_empty()
    }

    /// Is a valuation the one that stands for those that differ by a renaming?
    pub fn picks(&self, store: &Store, constants: ConstantsRef<'_>) -> bool {
        let value = |c: &ConstantId| Val::from_raw(constants[c.index()]);
        let index = |c: &ConstantId| value(c).as_atom().map(|(_, i)| i);
        let in_order = |scalars: &Vec<ConstantId>| {
            let mut next = 0;
            scalars.iter().all(|c| match index(c) {
                Some(i) if i <= next => {
                    next = next.max(i + 1);
                    true
                }
                Some(_) => false,
                None => true,
            })
        };
        let sorted = |parts: &Parts| {
            let inside = |c: &ConstantId, i: u32| {
                store.member(Val::atom(parts.set.0, i), value(c)) == Some(true)
            };
            let place = |i: u32| {
                let part = parts.constants.iter().position(|c| inside(c, i))?;
                let single = parts.singles.iter().position(|c| inside(c, i));
                Some((part, single.unwrap_or(usize::MAX)))
            };
            let places = (parts.from..).map_while(place);
            places.is_sorted()
        };
        let identical = |b: &Bijection| {
            match store.as_columns(value(&b.constant)) {
            Some((left, right)) => left.iter().zip(right).all(|(l, r)| {
                matches!((l.as_atom(), r.as_atom()), (Some((_, i)), Some((_, j))) if i == j)
            }),
            None => true,
        }
        };
        let ascending = |i: &Injection| match store.as_columns(value(&i.constant)) {
            Some((_, right)) => right.is_sorted_by_key(|v| v.as_atom().map(|(_, n)| n)),
            None => true,
        };
        self.scalars.iter().all(in_order)
            && self.parts.iter().all(sorted)
            && self.bijections.iter().all(identical)
            && self.injections.iter().all(ascending)
    }
}

/// The parts that a set is divided into, where they are constants.
fn parts_of(
    p: &Pred,
    set: SetId,
    properties: &mut dyn Iterator<Item = &Pred>,
) -> Option<Vec<ConstantId>> {
    match &p.kind {
        PredKind::Partition(whole, parts) if is_set(whole, set) => {
            let constants: Option<Vec<ConstantId>> = parts.iter().map(constant).collect();
            constants
        }
        PredKind::Compare(CompareOp::Equal, a, b) => {
            let union = if is_set(a, set) {
                b
            } else if is_set(b, set) {
                a
            } else {
                return None;
            };
            let mut constants = Vec::new();
            union_of(union, &mut constants)?;
            let disjoint: Vec<(ConstantId, ConstantId)> = properties.filter_map(disjoint).collect();
            let apart = |a: ConstantId, b: ConstantId| {
                disjoint.contains(&(a, b)) || disjoint.contains(&(b, a))
            };
            let all = constants
                .iter()
                .enumerate()
                .all(|(i, a)| constants[i + 1..].iter().all(|b| apart(*a, *b)));
            (all && constants.len() > 1).then_some(constants)
        }
        _ => None,
    }
}

fn union_of(e: &Expr, out: &mut Vec<ConstantId>) -> Option<()> {
    match &e.kind {
        ExprKind::Binary(BinaryOp::Union, a, b) => {
            union_of(a, out)?;
            union_of(b, out)
        }
        _ => {
            out.push(constant(e)?);
            Some(())
        }
    }
}

/// `a /\ b = {}`
fn disjoint(p: &Pred) -> Option<(ConstantId, ConstantId)> {
    let PredKind::Compare(CompareOp::Equal, a, b) = &p.kind else { return None };
    let (meet, empty) = if matches!(b.kind, ExprKind::EmptySet) { (a, b) } else { (b, a) };
    match (&meet.kind, &empty.kind) {
        (ExprKind::Binary(BinaryOp::Intersection, a, b), ExprKind::EmptySet) => {
            Some((constant(a)?, constant(b)?))
        }
        _ => None,
    }
}

/// `f : A >->> S` with another given set A whose elements do not get their order from S.
fn bijection_onto(p: &Pred, set: SetId, known: &[Bijection]) -> Option<Bijection> {
    let PredKind::Compare(CompareOp::Member, f, arrow) = &p.kind else { return None };
    let ExprKind::Binary(BinaryOp::TotalBijections, a, b) = &arrow.kind else { return None };
    let (constant, ExprKind::GivenSet(from)) = (constant(f)?, &a.kind) else { return None };
    if !is_set(b, set) || *from == set {
        return None;
    }
    let mut source = *from;
    while let Some(next) = known.iter().find(|k| k.to == source) {
        source = next.from;
        if source == set {
            return None;
        }
    }
    Some(Bijection { constant, from: *from, to: set })
}

/// `f : S >-> t` or `f : S >->> t` from all of a given set to elements of another.
fn injection_from(model: &Model, p: &Pred, set: SetId) -> Option<Injection> {
    let PredKind::Compare(CompareOp::Member, f, arrow) = &p.kind else { return None };
    let ExprKind::Binary(BinaryOp::TotalInjections, a, b) = &arrow.kind else { return None };
    let constant = constant(f)?;
    let Type::Given(to) = *model.types.get(model.types.element(b.ty)?) else { return None };
    (is_set(a, set) && to != set).then_some(Injection { constant, from: set, to })
}

/// `card(s) = 1`
fn single(p: &Pred) -> Option<ConstantId> {
    let PredKind::Compare(CompareOp::Equal, a, b) = &p.kind else { return None };
    [(a, b), (b, a)].into_iter().find_map(|(size, number)| match (&size.kind, &number.kind) {
        (ExprKind::Unary(UnaryOp::Card, of), ExprKind::Integer(n)) if *n == 1.into() => {
            constant(of)
        }
        _ => None,
    })
}

fn is_set(e: &Expr, set: SetId) -> bool {
    matches!(e.kind, ExprKind::GivenSet(s) if s == set)
}

fn constant(e: &Expr) -> Option<ConstantId> {
    match e.kind {
        ExprKind::Constant(c) => Some(c),
        _ => None,
    }
}
