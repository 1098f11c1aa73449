//! What memberships, inclusions and equalities say, in simpler words.

use crate::make;
use crate::terms::Terms;
use beeline_model::{
    BasicSet, BinaryOp, CompareOp, Expr, ExprKind, Model, Pred, PredKind, TypeTable, UnaryOp,
};

fn truth(b: bool) -> Pred {
    make::pred(PredKind::Bool(b))
}

fn member(e: &Expr, set: &Expr) -> Pred {
    make::compare(CompareOp::Member, e.clone(), set.clone())
}

fn equal(a: &Expr, b: &Expr) -> Pred {
    make::compare(CompareOp::Equal, a.clone(), b.clone())
}

/// A predicate that is true exactly where `a op b` is, given what is equal; nothing if there are no
/// simpler words for it.
pub(crate) fn meaning(terms: &mut Terms, op: CompareOp, a: &Expr, b: &Expr) -> Option<Pred> {
    let by_form = |a: &Expr, b: &Expr| match op {
        CompareOp::Member => in_set(a, b),
        CompareOp::Subset => within(a, b),
        _ => None,
    };
    if let Some(said) = by_form(a, b) {
        return Some(said);
    }
    let id = terms.term(b);
    let others = terms.equals(id);
    if let Some(said) = others.iter().find_map(|other| by_form(a, other)) {
        return Some(said);
    }
    if op != CompareOp::Subset {
        return None;
    }
    let id = terms.term(a);
    terms.equals(id).iter().find_map(|other| by_form(other, b))
}

/// `e : set`
fn in_set(e: &Expr, set: &Expr) -> Option<Pred> {
    let at_least = |n| make::compare(CompareOp::GreaterEqual, e.clone(), make::integer(n));
    let bound = |op, kind| make::compare(op, e.clone(), make::expr(kind, TypeTable::INTEGER));
    let up_to_max = || bound(CompareOp::LessEqual, ExprKind::MaxInt);
    match &set.kind {
        ExprKind::GivenSet(_) => Some(truth(true)),
        ExprKind::EmptySet => Some(truth(false)),
        ExprKind::Basic(basic) => match basic {
            BasicSet::Bool | BasicSet::Integer | BasicSet::String => Some(truth(true)),
            BasicSet::Natural => Some(at_least(0)),
            BasicSet::Natural1 => Some(at_least(1)),
            BasicSet::Nat => Some(make::and(vec![at_least(0), up_to_max()])),
            BasicSet::Nat1 => Some(make::and(vec![at_least(1), up_to_max()])),
            BasicSet::Int => {
                let low = bound(CompareOp::GreaterEqual, ExprKind::MinInt);
                Some(make::and(vec![low, up_to_max()]))
            }
            BasicSet::Real | BasicSet::Float => None,
        },
        ExprKind::SetExtension(list) => Some(make::or(list.iter().map(|x| equal(e, x)).collect())),
        ExprKind::Unary(UnaryOp::Power, whole) => {
            Some(make::compare(CompareOp::Subset, e.clone(), (**whole).clone()))
        }
        ExprKind::Unary(UnaryOp::Domain, f) => in_domain(e, f, set),
        ExprKind::Binary(op, a, b) => match op {
            BinaryOp::Interval => Some(make::and(vec![
                make::compare(CompareOp::LessEqual, (**a).clone(), e.clone()),
                make::compare(CompareOp::LessEqual, e.clone(), (**b).clone()),
            ])),
            BinaryOp::Union => Some(make::or(vec![member(e, a), member(e, b)])),
            BinaryOp::Intersection => Some(make::and(vec![member(e, a), member(e, b)])),
            BinaryOp::Difference => Some(make::and(vec![member(e, a), make::not(member(e, b))])),
            BinaryOp::Cartesian => match &e.kind {
                ExprKind::Binary(BinaryOp::Pair, x, y) => {
                    Some(make::and(vec![member(x, a), member(y, b)]))
                }
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}

/// `e : dom(f)`; `domain` has the type of the set.
fn in_domain(e: &Expr, f: &Expr, domain: &Expr) -> Option<Pred> {
    let of = |g: &Expr| {
        let kind = ExprKind::Unary(UnaryOp::Domain, Box::new(g.clone()));
        member(e, &make::expr(kind, domain.ty))
    };
    match &f.kind {
        ExprKind::EmptySet => Some(truth(false)),
        ExprKind::SetExtension(pairs) => {
            let first = |p: &Expr| match &p.kind {
                ExprKind::Binary(BinaryOp::Pair, x, _) => Some(equal(e, x)),
                _ => None,
            };
            pairs.iter().map(first).collect::<Option<Vec<_>>>().map(make::or)
        }
        ExprKind::Binary(BinaryOp::Override | BinaryOp::Union, g, h) => {
            Some(make::or(vec![of(g), of(h)]))
        }
        ExprKind::Binary(BinaryOp::DomainRestrict, s, g) => {
            Some(make::and(vec![member(e, s), of(g)]))
        }
        ExprKind::Binary(BinaryOp::DomainSubtract, s, g) => {
            Some(make::and(vec![make::not(member(e, s)), of(g)]))
        }
        _ => None,
    }
}

/// `a <: b`
fn within(a: &Expr, b: &Expr) -> Option<Pred> {
    let subset = |x: &Expr| make::compare(CompareOp::Subset, x.clone(), b.clone());
    match (&a.kind, &b.kind) {
        (ExprKind::EmptySet, _) | (_, ExprKind::GivenSet(_)) => Some(truth(true)),
        (_, ExprKind::Basic(BasicSet::Bool | BasicSet::Integer | BasicSet::String)) => {
            Some(truth(true))
        }
        (ExprKind::SetExtension(list), _) => {
            Some(make::and(list.iter().map(|e| member(e, b)).collect()))
        }
        (ExprKind::Binary(BinaryOp::Union, x, y), _) => Some(make::and(vec![subset(x), subset(y)])),
        _ => None,
    }
}

/// What `a = b` says about the parts.
pub(crate) fn equality(a: &Expr, b: &Expr) -> Option<Pred> {
    match (&a.kind, &b.kind) {
        (ExprKind::Binary(BinaryOp::Pair, w, x), ExprKind::Binary(BinaryOp::Pair, y, z)) => {
            Some(make::and(vec![equal(w, y), equal(x, z)]))
        }
        (ExprKind::Record(x), ExprKind::Record(y)) if x.len() == y.len() => {
            Some(make::and(x.iter().zip(y).map(|(x, y)| equal(x, y)).collect()))
        }
        (ExprKind::BoolOf(p), ExprKind::Bool(b)) | (ExprKind::Bool(b), ExprKind::BoolOf(p)) => {
            Some(if *b { (**p).clone() } else { make::not((**p).clone()) })
        }
        (ExprKind::EmptySet, _) if has_element(b) => Some(truth(false)),
        (_, ExprKind::EmptySet) if has_element(a) => Some(truth(false)),
        (ExprKind::SetExtension(x), ExprKind::SetExtension(y)) if x.len() == 1 && y.len() == 1 => {
            Some(equal(&x[0], &y[0]))
        }
        _ => None,
    }
}

/// Has a set an element, as it is written?
fn has_element(set: &Expr) -> bool {
    match &set.kind {
        ExprKind::SetExtension(list) => !list.is_empty(),
        ExprKind::Binary(BinaryOp::Union, a, b) => has_element(a) || has_element(b),
        ExprKind::Binary(BinaryOp::Override, _, b) => has_element(b),
        _ => false,
    }
}

/// An expression with what was just assigned read back: `(f <+ {a |-> b})(a)` is `b`. The new one has the same
/// value, and a meaning exactly where the old one has.
pub(crate) fn read_back(
    model: &Model,
    e: &Expr,
    same: &mut dyn FnMut(&Expr, &Expr) -> Option<bool>,
) -> Expr {
    let mut new = e.clone();
    new.parts_mut(&mut |part| match part {
        beeline_model::PartMut::Expr(inner) => *inner = read_back(model, inner, same),
        beeline_model::PartMut::Pred(inner) => *inner = read_back_in(model, inner, same),
        _ => {}
    });
    match &new.kind {
        ExprKind::Apply(f, x) => match &f.kind {
            ExprKind::Binary(BinaryOp::Override, g, h) => match one_pair(h) {
                Some((a, b)) => match same(a, x) {
                    Some(true) => b.clone(),
                    Some(false) => {
                        let kind = ExprKind::Apply(g.clone(), x.clone());
                        read_back(model, &make::expr(kind, new.ty), same)
                    }
                    None => new,
                },
                None => new,
            },
            ExprKind::SetExtension(_) => match one_pair(f) {
                Some((a, b)) if same(a, x) == Some(true) => b.clone(),
                _ => new,
            },
            _ => new,
        },
        ExprKind::Field(record, at) => match &record.kind {
            // The other fields are read only, and have a meaning where the record has.
            ExprKind::Record(fields) => fields.get(*at).cloned().unwrap_or_else(|| new.clone()),
            _ => new,
        },
        _ => new,
    }
}

/// The same in a predicate.
pub(crate) fn read_back_in(
    model: &Model,
    p: &Pred,
    same: &mut dyn FnMut(&Expr, &Expr) -> Option<bool>,
) -> Pred {
    let mut new = p.clone();
    new.parts_mut(&mut |part| match part {
        beeline_model::PartMut::Expr(inner) => *inner = read_back(model, inner, same),
        beeline_model::PartMut::Pred(inner) => *inner = read_back_in(model, inner, same),
        _ => {}
    });
    new
}

fn one_pair(e: &Expr) -> Option<(&Expr, &Expr)> {
    match &e.kind {
        ExprKind::SetExtension(list) => match &list[..] {
            [Expr { kind: ExprKind::Binary(BinaryOp::Pair, a, b), .. }] => Some((a, b)),
            _ => None,
        },
        _ => None,
    }
}
