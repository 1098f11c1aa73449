//! How far two values are apart: the distance of section 3.5 of Bendisposto, Borgermans and
//! Leuschel (2010), made to see functions as functions and permutations as movements.

use super::FAR;
use beeline_value::{Elems, Store, Val};
use rustc_hash::FxHashSet;

/// Zero for equal values. Integers by their difference, pairs and records by their parts,
/// functions by their values, sets by what only one of them has; anything else is one step away.
pub(super) fn delta(store: &Store, a: Val, b: Val) -> i64 {
    if a == b {
        return 0;
    }
    if let Some((a, b)) = a.both_small(b) {
        return (a - b).abs().min(FAR);
    }
    if let (Some((a1, a2)), Some((b1, b2))) = (store.as_pair(a), store.as_pair(b)) {
        return delta(store, a1, b1) + delta(store, a2, b2);
    }
    if let (Some(a), Some(b)) = (store.as_record(a), store.as_record(b)) {
        return a.iter().zip(b).map(|(a, b)| delta(store, *a, *b)).sum();
    }
    match (store.elems(a), store.elems(b)) {
        (Some(Elems::Rel(left, right)), Some(Elems::Rel(left2, right2)))
            if is_function(left) && is_function(left2) =>
        {
            functions(store, (left, right), (left2, right2))
        }
        (Some(a), Some(b)) => only_one_has(a, b),
        _ => 1,
    }
}

/// Columns are sorted, so equal arguments stand side by side.
fn is_function(left: &[Val]) -> bool {
    left.windows(2).all(|w| w[0] != w[1])
}

/// Arguments and values of a function.
pub(super) type Function<'a> = (&'a [Val], &'a [Val]);

pub(super) fn functions(
    store: &Store,
    (left, right): Function<'_>,
    (left2, right2): Function<'_>,
) -> i64 {
    if left == left2
        && is_place(store, left)
        && let Some(moves) = moves(store, (left, right), (left2, right2))
    {
        return moves;
    }
    if left != left2 && left.len().max(left2.len()) > FEW {
        return only_one_has(Elems::Rel(left, right), Elems::Rel(left2, right2));
    }
    let (mut both, mut sum) = (0, 0);
    // Columns are mostly the same: then no search is needed.
    for (i, (argument, value)) in left.iter().zip(right).enumerate() {
        let place = match left2.get(i) == Some(argument) {
            true => Some(i),
            false => left2.iter().position(|other| other == argument),
        };
        if let Some(place) = place {
            both += 1;
            sum += delta(store, *value, right2[place]);
        }
    }
    // What only one of them maps.
    sum + (left.len() + left2.len() - 2 * both) as i64
}

/// Are these values between which a distance means a movement?
fn is_place(store: &Store, places: &[Val]) -> bool {
    let number = |v: Val| v.as_small_int().is_some();
    places.first().is_some_and(|v| {
        number(*v) || store.as_pair(*v).is_some_and(|(a, b)| number(a) && number(b))
    })
}

/// If each value stands at one place in both: how far all of them have to move.
fn moves(store: &Store, from: Function<'_>, to: Function<'_>) -> Option<i64> {
    if to.1.len() > FEW || !all_different(to.1) || !all_different(from.1) {
        return None;
    }
    let mut sum = 0;
    for (place, value) in from.0.iter().zip(from.1) {
        let target = to.1.iter().position(|other| other == value)?;
        sum += delta(store, *place, to.0[target]);
    }
    Some(sum)
}

/// Longer functions are not looked through for each of their values.
const FEW: usize = 64;

fn all_different(values: &[Val]) -> bool {
    values.iter().enumerate().all(|(i, v)| !values[..i].contains(v))
}

/// How many elements are in one of two sets only.
fn only_one_has(a: Elems<'_>, b: Elems<'_>) -> i64 {
    missing(a, b) + missing(b, a)
}

/// How many elements of the first set are not in the second.
pub(super) fn outside(store: &Store, a: Val, b: Val) -> i64 {
    match (store.elems(a), store.elems(b)) {
        (Some(a), Some(b)) => missing(a, b),
        _ => 1,
    }
}

/// A run of numbers longer than this is not walked.
const WALKED: i64 = 4096;

fn missing(a: Elems<'_>, b: Elems<'_>) -> i64 {
    match (a, b) {
        (Elems::Rel(l, r), Elems::Rel(l2, r2)) => {
            let known: FxHashSet<(Val, Val)> = l2.iter().copied().zip(r2.iter().copied()).collect();
            l.iter().zip(r).filter(|(l, r)| !known.contains(&(**l, **r))).count() as i64
        }
        (a, b) => {
            let (Some(a), Some(b)) = (listed(a), listed(b)) else { return 1 };
            let known: FxHashSet<Val> = b.into_iter().collect();
            a.iter().filter(|v| !known.contains(v)).count() as i64
        }
    }
}

fn listed(elems: Elems<'_>) -> Option<Vec<Val>> {
    match elems {
        Elems::Slice(all) => Some(all.to_vec()),
        Elems::Range(low, high) if high.checked_sub(low)? <= WALKED => {
            (low..=high).map(Val::small_int).collect()
        }
        // A relation against something that is none: only the empty set can be that.
        Elems::Rel(left, _) => Some(left.to_vec()),
        Elems::Range(..) => None,
    }
}
