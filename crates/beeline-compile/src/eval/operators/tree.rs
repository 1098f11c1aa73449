//! Trees as functions from branches (sequences of naturals) to labels.

use super::{apply, items};
use crate::answer::{CutReason, FaultKind, Stop};
use crate::eval::frame::Frame;
use crate::eval::sets::list;
use beeline_model::{BinaryOp, TernaryOp, UnaryOp};
use beeline_source::Span;
use beeline_value::Val;

fn unsupported(span: Span) -> Stop {
    Stop::cut(CutReason::Unsupported, span, "this operator on trees is not supported")
}

/// The subtrees below the root, in order, as (branch tail, label) lists.
fn sons<'s>(f: &mut Frame<'s>, tree: Val, span: Span) -> Result<Vec<Val>, Stop> {
    let tree = list(f, tree, span)?;
    let store = f.store;
    let (branches, labels) = store.as_columns(tree).unwrap_or((&[], &[]));
    let mut parts: Vec<Vec<(Val, Val)>> = Vec::new();
    for (branch, label) in branches.iter().zip(labels) {
        let path = items(f, *branch, span)?;
        if let Some((first, rest)) = path.split_first() {
            let n = first.as_small_int().and_then(|n| usize::try_from(n).ok()).unwrap_or(0);
            // A son with a number above that of all branches has no brother before it, so it is none.
            if n == 0 || n > branches.len() {
                return Err(Stop::fault(FaultKind::Sequence, span, "not a tree"));
            }
            if parts.len() < n {
                parts.resize(n, Vec::new());
            }
            parts[n - 1].push((store.sequence(rest.to_vec()), *label));
        }
    }
    Ok(parts.into_iter().map(|p| store.relation(p)).collect())
}

fn top<'s>(f: &mut Frame<'s>, tree: Val, span: Span) -> Result<Val, Stop> {
    apply(f, tree, Val::EMPTY, span)
}

fn build(f: &Frame<'_>, label: Val, sons: &[Val]) -> Val {
    let store = f.store;
    let mut rows = vec![(Val::EMPTY, label)];
    for (i, son) in sons.iter().enumerate() {
        let (l, r) = store.as_columns(*son).unwrap_or((&[], &[]));
        for k in 0..l.len() {
            let path = store.items(l[k]).unwrap_or(&[]);
            let branch = store.sequence([&[store.int(i as i64 + 1)], path].concat());
            rows.push((branch, r[k]));
        }
    }
    store.relation(rows)
}

fn walk<'s>(
    f: &mut Frame<'s>,
    tree: Val,
    order: UnaryOp,
    out: &mut Vec<Val>,
    span: Span,
) -> Result<(), Stop> {
    f.tick(span)?;
    let label = top(f, tree, span)?;
    let below = sons(f, tree, span)?;
    if order == UnaryOp::TreePrefix {
        out.push(label);
    }
    for (i, son) in below.iter().enumerate() {
        if order == UnaryOp::TreeInfix && i == 1 {
            out.push(label);
        }
        // A tree may be a list a million deep.
        stacker::maybe_grow(128 << 10, 4 << 20, || walk(f, *son, order, out, span))?;
    }
    if order == UnaryOp::TreePostfix || (order == UnaryOp::TreeInfix && below.len() < 2) {
        out.push(label);
    }
    Ok(())
}

/// Operators with one operand.
pub(crate) fn unary<'s>(f: &mut Frame<'s>, op: UnaryOp, a: Val, span: Span) -> Result<Val, Stop> {
    use UnaryOp as U;
    let store = f.store;
    Ok(match op {
        U::TreeTop => top(f, a, span)?,
        U::TreeSons => {
            let parts = sons(f, a, span)?;
            store.sequence(parts)
        }
        U::TreePrefix | U::TreePostfix | U::TreeInfix => {
            let mut out = Vec::new();
            walk(f, a, op, &mut out, span)?;
            store.sequence(out)
        }
        U::TreeSize => {
            let tree = list(f, a, span)?;
            store.int(store.card(tree).unwrap_or(0) as i64)
        }
        U::TreeMirror => {
            let label = top(f, a, span)?;
            let mut mirrored = Vec::new();
            for son in sons(f, a, span)? {
                f.tick(span)?;
                mirrored.push(stacker::maybe_grow(128 << 10, 4 << 20, || unary(f, op, son, span))?);
            }
            mirrored.reverse();
            build(f, label, &mirrored)
        }
        U::TreeLeft | U::TreeRight => {
            let index = usize::from(op == U::TreeRight);
            match sons(f, a, span)?.get(index) {
                Some(son) => *son,
                None => return Err(Stop::fault(FaultKind::Sequence, span, "a tree without sons")),
            }
        }
        U::TreeLeaf => store.relation(vec![(Val::EMPTY, a)]),
        _ => return Err(unsupported(span)),
    })
}

/// Operators with two operands.
pub(crate) fn binary<'s>(
    f: &mut Frame<'s>,
    op: BinaryOp,
    a: Val,
    b: Val,
    span: Span,
) -> Result<Val, Stop> {
    use BinaryOp as B;
    let store = f.store;
    Ok(match op {
        B::TreeConst => {
            let sons = items(f, b, span)?;
            build(f, a, sons)
        }
        B::TreeRank => match items(f, b, span)?.last() {
            Some(last) => *last,
            None => return Err(Stop::fault(FaultKind::Sequence, span, "rank of the root")),
        },
        B::TreeFather => match items(f, b, span)?.split_last() {
            Some((_, front)) => store.sequence(front.to_vec()),
            None => return Err(Stop::fault(FaultKind::Sequence, span, "father of the root")),
        },
        B::TreeArity => {
            let sub = subtree(f, a, b, span)?;
            store.int(sons(f, sub, span)?.len() as i64)
        }
        B::TreeSubtree => subtree(f, a, b, span)?,
        _ => return Err(unsupported(span)),
    })
}

fn subtree<'s>(f: &mut Frame<'s>, tree: Val, branch: Val, span: Span) -> Result<Val, Stop> {
    let mut sub = list(f, tree, span)?;
    for step in items(f, branch, span)? {
        let below = sons(f, sub, span)?;
        let n = step.as_small_int().and_then(|n| usize::try_from(n - 1).ok());
        match n.and_then(|n| below.get(n)) {
            Some(son) => sub = *son,
            None => return Err(Stop::fault(FaultKind::OutsideDomain, span, "no such branch")),
        }
    }
    Ok(sub)
}

/// Operators with three operands.
pub(crate) fn ternary<'s>(
    f: &mut Frame<'s>,
    op: TernaryOp,
    [a, b, c]: [Val; 3],
    span: Span,
) -> Result<Val, Stop> {
    match op {
        TernaryOp::TreeBin => {
            let (left, right) = (list(f, a, span)?, list(f, c, span)?);
            Ok(build(f, b, &[left, right]))
        }
        TernaryOp::TreeSon => {
            let path = items(f, b, span)?;
            Ok(f.store.sequence([path, &[c]].concat()))
        }
    }
}
