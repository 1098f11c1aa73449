//! Conjunctions split into atoms that a planner can use.

use crate::arrow::arrow;
use beeline_model::{BasicSet, BinaryOp, CompareOp, Expr, ExprKind, Pred, PredKind, UnaryOp};
use num_bigint::BigInt;

/// Splits a predicate into conjuncts, pushing negation inwards where that helps.
pub fn split(p: &Pred, out: &mut Vec<Pred>) {
    match &p.kind {
        PredKind::Bool(true) => {}
        PredKind::And(parts) => parts.iter().for_each(|p| split(p, out)),
        PredKind::Not(inner) => match negated(inner) {
            Some(p) => split(&p, out),
            None => out.push(p.clone()),
        },
        // A disjunction can bind names; a conditional can only be tested.
        PredKind::If(c, a, b) => {
            let not = Pred { kind: PredKind::Not(c.clone()), span: c.span };
            let both =
                |c: Pred, p: &Pred| Pred { kind: PredKind::And(vec![c, p.clone()]), span: p.span };
            let branches = vec![both((**c).clone(), a), both(not, b)];
            out.push(Pred { kind: PredKind::Or(branches), span: p.span });
        }
        PredKind::Compare(CompareOp::Member, a, b) => member(p, a, b, out),
        PredKind::Compare(CompareOp::Equal, a, b) => {
            // `{a} = {b}` is `a = b`, however deep.
            let (mut a, mut b) = (&**a, &**b);
            while let (ExprKind::SetExtension(x), ExprKind::SetExtension(y)) = (&a.kind, &b.kind)
                && let ([x], [y]) = (&x[..], &y[..])
            {
                (a, b) = (x, y);
            }
            out.push(compare(CompareOp::Equal, a, b, p));
        }
        PredKind::Compare(CompareOp::Subset, a, b) => match &a.kind {
            // Each element by itself may be given by the set.
            ExprKind::SetExtension(parts) => {
                for part in parts {
                    let kind =
                        PredKind::Compare(CompareOp::Member, Box::new(part.clone()), b.clone());
                    split(&Pred { kind, span: p.span }, out);
                }
            }
            _ => out.push(p.clone()),
        },
        _ => out.push(p.clone()),
    }
}

/// Turns `P => A` and `not(P) => B` into `P & A or not(P) & B`, which can bind names.
pub(crate) fn pair_implications(parts: &mut Vec<Pred>) {
    let key = |p: &Pred| {
        let mut out = Vec::new();
        split(p, &mut out);
        out.iter().map(text_without_spans).collect::<Vec<_>>()
    };
    // What is implied by what, each once: there may be thousands.
    let mut keys: Vec<Option<Vec<String>>> = parts
        .iter()
        .map(|p| match &p.kind {
            PredKind::Implies(d, _) => Some(key(d)),
            _ => None,
        })
        .collect();
    let mut i = 0;
    while i < parts.len() {
        if let PredKind::Implies(c, a) = &parts[i].kind {
            let not = Pred { kind: PredKind::Not(c.clone()), span: c.span };
            let wanted = Some(key(&not));
            let partner = keys.iter().skip(i + 1).position(|key| *key == wanted);
            if let Some(j) = partner.map(|j| j + i + 1)
                && let PredKind::Implies(d, b) = &parts[j].kind
            {
                let both = |c: &Pred, p: &Pred| Pred {
                    kind: PredKind::And(vec![c.clone(), p.clone()]),
                    span: p.span,
                };
                let kind = PredKind::Or(vec![both(c, a), both(d, b)]);
                parts[i] = Pred { kind, span: parts[i].span };
                parts.remove(j);
                keys.remove(j);
            }
        }
        i += 1;
    }
}

/// A text that is equal for formulas that differ in their places only.
fn text_without_spans(p: &Pred) -> String {
    let text = format!("{p:?}");
    let mut parts = text.split("span: ");
    let mut out = parts.next().unwrap_or("").to_owned();
    for part in parts {
        out.push_str(part.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.'));
    }
    out
}

/// `!x.(P => (Q => !y.(R => S)))` as names, conditions and a claim; `(Q => R) or S` is `Q => R or S`.
pub fn universal(
    locals: &[beeline_model::LocalId],
    body: &Pred,
) -> (Vec<beeline_model::LocalId>, Vec<Pred>, Pred) {
    let (mut locals, mut conditions, mut claim) = (locals.to_vec(), Vec::new(), body.clone());
    loop {
        let span = claim.span;
        match claim.kind {
            PredKind::Implies(a, b) => {
                split(&a, &mut conditions);
                claim = *b;
            }
            PredKind::Forall(inner, b) => {
                locals.extend(inner);
                claim = *b;
            }
            PredKind::Or(mut parts)
                if parts.first().is_some_and(|p| matches!(p.kind, PredKind::Implies(..))) =>
            {
                let rest = parts.split_off(1);
                let Some(Pred { kind: PredKind::Implies(a, b), .. }) = parts.pop() else {
                    return (locals, conditions, Pred { kind: PredKind::Or(rest), span });
                };
                split(&a, &mut conditions);
                let all = std::iter::once(*b).chain(rest).collect();
                claim = Pred { kind: PredKind::Or(all), span };
            }
            kind => return (locals, conditions, Pred { kind, span }),
        }
    }
}

fn compare(op: CompareOp, a: &Expr, b: &Expr, like: &Pred) -> Pred {
    Pred { kind: PredKind::Compare(op, Box::new(a.clone()), Box::new(b.clone())), span: like.span }
}

fn member(p: &Pred, a: &Expr, b: &Expr, out: &mut Vec<Pred>) {
    match (&b.kind, &a.kind) {
        (ExprKind::Binary(BinaryOp::Intersection, l, r), _) => {
            split(&compare(CompareOp::Member, a, l, p), out);
            split(&compare(CompareOp::Member, a, r, p), out);
        }
        // The first part generates, and the second can only take away.
        (ExprKind::Binary(BinaryOp::Difference, l, r), _) => {
            split(&compare(CompareOp::Member, a, l, p), out);
            out.push(compare(CompareOp::NotMember, a, r, p));
        }
        (ExprKind::Binary(BinaryOp::Cartesian, l, r), ExprKind::Binary(BinaryOp::Pair, x, y)) => {
            split(&compare(CompareOp::Member, x, l, p), out);
            split(&compare(CompareOp::Member, y, r, p), out);
        }
        (ExprKind::RecordSet(sets), ExprKind::Record(fields)) => {
            for (field, set) in fields.iter().zip(sets) {
                split(&compare(CompareOp::Member, field, set, p), out);
            }
        }
        // An equation gives a value without a loop.
        (ExprKind::SetExtension(parts), _) if parts.len() == 1 => {
            out.push(compare(CompareOp::Equal, a, &parts[0], p));
        }
        (ExprKind::Unary(UnaryOp::Power, set), _) => {
            split(&compare(CompareOp::Subset, a, set, p), out);
        }
        // The items are in the set: this may bound them before the whole is known.
        (ExprKind::Unary(op, set), ExprKind::SequenceExtension(items)) if is_sequences(*op) => {
            for item in items.iter().filter(|item| is_plain_name(item)) {
                split(&compare(CompareOp::Member, item, set, p), out);
            }
            out.push(p.clone());
        }
        (ExprKind::Binary(op, _, set), ExprKind::SequenceExtension(items))
            if arrow(*op as usize).is_some() =>
        {
            for item in items.iter().filter(|item| is_plain_name(item)) {
                split(&compare(CompareOp::Member, item, set, p), out);
            }
            out.push(p.clone());
        }
        _ => out.push(p.clone()),
    }
}

fn is_plain_name(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Local(_) | ExprKind::Constant(_))
}

fn is_sequences(op: UnaryOp) -> bool {
    use UnaryOp as U;
    matches!(op, U::Seq | U::Seq1 | U::Iseq | U::Iseq1 | U::Perm)
}

/// The negation of a predicate as a plain predicate, where there is one.
pub fn negated(p: &Pred) -> Option<Pred> {
    use CompareOp as C;
    let not = |p: &Pred| Pred { kind: PredKind::Not(Box::new(p.clone())), span: p.span };
    let kind = match &p.kind {
        PredKind::Bool(b) => PredKind::Bool(!b),
        PredKind::Not(inner) => return Some((**inner).clone()),
        PredKind::Or(parts) => PredKind::And(parts.iter().map(not).collect()),
        PredKind::And(parts) => PredKind::Or(parts.iter().map(not).collect()),
        PredKind::Implies(a, b) => PredKind::And(vec![(**a).clone(), not(b)]),
        PredKind::Compare(op, a, b) => {
            let op = match op {
                C::Equal => C::NotEqual,
                C::NotEqual => C::Equal,
                C::Member => C::NotMember,
                C::NotMember => C::Member,
                C::Subset => C::NotSubset,
                C::NotSubset => C::Subset,
                C::StrictSubset => C::NotStrictSubset,
                C::NotStrictSubset => C::StrictSubset,
                C::Less => C::GreaterEqual,
                C::LessEqual => C::Greater,
                C::Greater => C::LessEqual,
                C::GreaterEqual => C::Less,
                _ => return None,
            };
            PredKind::Compare(op, a.clone(), b.clone())
        }
        PredKind::Forall(locals, body) => PredKind::Exists(locals.clone(), Box::new(not(body))),
        _ => return None,
    };
    Some(Pred { kind, span: p.span })
}

/// A bound or value of one integer name, solved for it.
#[derive(Clone, Debug)]
pub struct Solved {
    /// The side that is only the name.
    pub name: Expr,
    /// How the name compares with the other side.
    pub op: CompareOp,
    /// The other side.
    pub other: Expr,
}

/// Solves a comparison of integers for the one unknown side that `is_unknown` accepts, through
/// sums and differences.
pub fn solve_for(
    op: CompareOp,
    a: &Expr,
    b: &Expr,
    has_unknown: &dyn Fn(&Expr) -> bool,
) -> Option<Solved> {
    match (has_unknown(a), has_unknown(b)) {
        (true, false) => isolate(op, a, b.clone(), has_unknown),
        (false, true) => isolate(mirrored(op), b, a.clone(), has_unknown),
        _ => None,
    }
}

fn mirrored(op: CompareOp) -> CompareOp {
    use CompareOp as C;
    match op {
        C::Less => C::Greater,
        C::LessEqual => C::GreaterEqual,
        C::Greater => C::Less,
        C::GreaterEqual => C::LessEqual,
        other => other,
    }
}

fn isolate(
    op: CompareOp,
    side: &Expr,
    other: Expr,
    has_unknown: &dyn Fn(&Expr) -> bool,
) -> Option<Solved> {
    let build = |o: BinaryOp, l: Expr, r: Expr| Expr {
        ty: side.ty,
        span: side.span,
        kind: ExprKind::Binary(o, Box::new(l), Box::new(r)),
    };
    match &side.kind {
        ExprKind::Local(_) | ExprKind::Constant(_) => {
            Some(Solved { name: side.clone(), op, other })
        }
        ExprKind::Binary(BinaryOp::Add, l, r) => match (has_unknown(l), has_unknown(r)) {
            (true, false) => {
                isolate(op, l, build(BinaryOp::Subtract, other, (**r).clone()), has_unknown)
            }
            (false, true) => {
                isolate(op, r, build(BinaryOp::Subtract, other, (**l).clone()), has_unknown)
            }
            _ => None,
        },
        ExprKind::Binary(BinaryOp::Subtract, l, r) => match (has_unknown(l), has_unknown(r)) {
            (true, false) => {
                isolate(op, l, build(BinaryOp::Add, other, (**r).clone()), has_unknown)
            }
            (false, true) => {
                // `l - r op other` is `r mirrored(op) l - other`.
                let new = build(BinaryOp::Subtract, (**l).clone(), other);
                isolate(mirrored(op), r, new, has_unknown)
            }
            _ => None,
        },
        ExprKind::Unary(UnaryOp::Negate, inner) => {
            let negative = Expr {
                ty: side.ty,
                span: side.span,
                kind: ExprKind::Unary(UnaryOp::Negate, Box::new(other)),
            };
            isolate(mirrored(op), inner, negative, has_unknown)
        }
        _ => None,
    }
}

/// An integer literal like another expression.
pub fn integer(value: i64, like: &Expr) -> Expr {
    Expr { kind: ExprKind::Integer(BigInt::from(value)), ty: like.ty, span: like.span }
}

/// `e + 1` or `e - 1`.
pub fn shifted(e: &Expr, by: i64) -> Expr {
    let one = integer(by, e);
    Expr {
        kind: ExprKind::Binary(BinaryOp::Add, Box::new(e.clone()), Box::new(one)),
        ty: e.ty,
        span: e.span,
    }
}

/// The least element of a predefined set of integers, if it has no greatest.
pub fn lower_bound(set: BasicSet) -> Option<i64> {
    match set {
        BasicSet::Natural => Some(0),
        BasicSet::Natural1 => Some(1),
        _ => None,
    }
}
