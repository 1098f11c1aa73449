//! Whether a guard has the same value after a step as before it, and in which direction it can change.

use crate::action::Path;
use crate::asker::Asker;
use crate::carry::carried;
use crate::guard::Guard;
use crate::known::{Known, fold_exprs};
use crate::make;
use beeline_model::{CompareOp, Footprint, Pred, PredKind};
use beeline_prove::Key;

/// Has the guard the same value before the step as after it?
pub(crate) fn keeps(
    asker: &mut Asker<'_, '_, '_>,
    path: &Path,
    guard: &Guard,
    after: &Option<Vec<Pred>>,
) -> bool {
    let written = |p: &Pred| {
        let reads = Footprint::of_pred(p).reads;
        path.after.iter().any(|(v, _)| reads.contains(v))
    };
    let each = guard.conjuncts.iter().all(|p| {
        if !written(p) {
            return true;
        }
        let q = carried(&mut asker.known, path, p);
        same(asker, p, &q)
    });
    if each {
        return true;
    }
    // It may be that it never holds before, and never after; or always.
    match after {
        None => {
            let mut known = asker.known.clone();
            known.assume(&guard.conjuncts);
            known.is_contradictory() && guard.conjuncts.iter().all(|p| asker.known.is_defined(p))
        }
        Some(list) if list.is_empty() => guard
            .conjuncts
            .iter()
            .all(|p| asker.known.is_defined(p) && asker.truth(p) == Some(true)),
        Some(_) => false,
    }
}

/// May a guard that did not hold begin to hold, for the same parameters? May one that held not hold any more?
pub(crate) fn turns(known: &Known<'_>, path: &Path, guard: &Guard) -> (bool, bool) {
    let mut before = known.clone();
    let after: Vec<Pred> = guard.conjuncts.iter().map(|p| carried(&mut before, path, p)).collect();
    let follows = |from: &[Pred], to: &[Pred]| {
        let mut known = known.clone();
        known.assume(from);
        known.is_contradictory()
            || to.iter().all(|p| known.truth(p) == Some(true) && known.is_defined(p))
    };
    (!follows(&after, &guard.conjuncts), !follows(&guard.conjuncts, &after))
}

/// Have two predicates the same value, or no meaning both?
fn same(asker: &mut Asker<'_, '_, '_>, p: &Pred, q: &Pred) -> bool {
    let mut plain = p.clone();
    fold_exprs(&mut plain);
    let (written, carried) = (Key::pred(&plain), Key::pred(q));
    if written == carried || same_by_closure(&mut asker.known, p, q) {
        return true;
    }
    if !asker.has_others() || !asker.known.is_defined(p) || !asker.known.is_defined(q) {
        return false;
    }
    asker.excluded(&[p, &make::not(q.clone())]) && asker.excluded(&[&make::not(p.clone()), q])
}

fn same_by_closure(known: &mut Known<'_>, p: &Pred, q: &Pred) -> bool {
    let both = (known.truth(p), known.truth(q));
    if let (Some(a), Some(b)) = both
        && a == b
        && known.is_defined(p)
        && known.is_defined(q)
    {
        return true;
    }
    let (PredKind::Compare(op, a, b), PredKind::Compare(other, c, d)) = (&p.kind, &q.kind) else {
        return false;
    };
    if op != other {
        return false;
    }
    let mut class = |e| {
        let id = known.terms.term(e);
        known.terms.class(id)
    };
    if class(a) == class(c) && class(b) == class(d) {
        return true;
    }
    if !crate::terms::is_integer(a) || !known.is_defined(p) || !known.is_defined(q) {
        return false;
    }
    let mut difference = |x, y| known.terms.sum(x)?.plus(-1, &known.terms.sum(y)?);
    let (before, after) = (difference(a, b), difference(c, d));
    !matches!(op, CompareOp::Member | CompareOp::NotMember) && before.is_some() && before == after
}
