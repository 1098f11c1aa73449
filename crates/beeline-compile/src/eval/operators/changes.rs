//! One form for a symbolic set with a few elements more or less, however they came and went.
//!
//! `S \/ {a}`, `S - {b}` and what is made of these by further finite changes become
//! `(S - away) \/ added`, where all of `away` are in S and none of `added` is: two spellings of one
//! change of one set are one word. In the same way `f <+ g` for a listed `g` keeps only what `f` does
//! not say already.

use crate::answer::Stop;
use crate::eval::frame::Frame;
use crate::eval::sets::*;
use beeline_model::BinaryOp;
use beeline_source::Span;
use beeline_value::Val;

/// More elements are not looked at one by one.
const MOST: usize = 10_000;

/// The one form of `a op b`, if it is a finite change of a symbolic set.
pub(crate) fn changed<'s>(
    f: &mut Frame<'s>,
    op: BinaryOp,
    a: Val,
    b: Val,
    span: Span,
) -> Result<Option<Val>, Stop> {
    let plain = |set: Val| !set.is_opaque() && f.store.card(set).is_some_and(|n| n <= MOST);
    let made = |set: Val| f.store.as_symbolic(set).is_some_and(|(tag, _)| split(tag).0 != LOOSE);
    // What is small enough to be listed is not kept in this form.
    let small = |set: Val| size(f, set).is_some_and(|n| n < 70_000.0);
    // Only few elements at a time: a chain of changes to one large set stays a set and a difference.
    let form = match op {
        BinaryOp::Union if made(a) && plain(b) && !small(a) => change(f, a, b, true, span),
        BinaryOp::Union if plain(a) && made(b) && !small(b) => change(f, b, a, true, span),
        BinaryOp::Difference if made(a) && plain(b) && !small(a) => change(f, a, b, false, span),
        BinaryOp::Override if made(a) && plain(b) => overridden(f, a, b, span),
        _ => return Ok(None),
    };
    match form {
        // What is not known of an element now may be known of others later.
        Err(Stop::Cut(cut)) if !cut.is_final() => Ok(None),
        Err(Stop::Fault(_)) => Ok(None),
        form => form,
    }
}

/// A set as another one without some elements, and with others.
fn parts(f: &Frame<'_>, set: Val) -> (Val, Val, Val) {
    let store = f.store;
    let listed = |set: Val| !set.is_opaque() && store.is_listed(set);
    let operands = |set: Val, wanted: u32| match store.as_symbolic(set) {
        Some((tag, args)) if tag == wanted => Some((args[0], args[1])),
        _ => None,
    };
    let (rest, added) = match operands(set, UNION) {
        Some((rest, added)) if listed(added) && !listed(rest) => (rest, added),
        Some((added, rest)) if listed(added) && !listed(rest) => (rest, added),
        _ => (set, Val::EMPTY),
    };
    match operands(rest, DIFF) {
        Some((base, away)) if listed(away) => (base, away, added),
        _ => (rest, Val::EMPTY, added),
    }
}

fn change<'s>(
    f: &mut Frame<'s>,
    set: Val,
    by: Val,
    adds: bool,
    span: Span,
) -> Result<Option<Val>, Stop> {
    let store = f.store;
    let (base, away, added) = parts(f, set);
    let Some(elems) = store.elems(by) else { return Ok(None) };
    let mut others = Vec::new();
    for i in 0..elems.len() {
        f.tick(span)?;
        let elem = store.nth(elems, i);
        // What was moved before is known to be in the base or not.
        let moved =
            store.member(elem, away) == Some(true) || store.member(elem, added) == Some(true);
        if !moved && member(f, elem, base, span)? != adds {
            others.push(elem);
        }
    }
    let others = store.set(others);
    let (away, added) = match adds {
        true => (store.diff(away, by), store.union(added, others)),
        false => (store.union(away, others), store.diff(added, by)),
    };
    let (Some(away), Some(added)) = (away, added) else { return Ok(None) };
    let rest = match away {
        Val::EMPTY => base,
        away => store.symbolic(DIFF, vec![base, away]),
    };
    Ok(Some(match added {
        Val::EMPTY => rest,
        added => {
            let ordered =
                if store.cmp(added, rest).is_le() { [added, rest] } else { [rest, added] };
            store.symbolic(UNION, ordered.to_vec())
        }
    }))
}

/// `f <+ g`, where `f` may itself be of this form.
fn overridden<'s>(
    f: &mut Frame<'s>,
    function: Val,
    by: Val,
    span: Span,
) -> Result<Option<Val>, Stop> {
    let store = f.store;
    let form = tag(RELATION, BinaryOp::Override as usize);
    let (base, before) = match store.as_symbolic(function) {
        Some((t, args)) if t == form && !args[1].is_opaque() && store.is_listed(args[1]) => {
            (args[0], args[1])
        }
        _ => (function, Val::EMPTY),
    };
    if size(f, base).is_some_and(|n| n < 70_000.0) {
        return Ok(None);
    }
    let Some(all) = store.override_with(before, by) else { return Ok(None) };
    let Some((keys, values)) = store.as_columns(all) else { return Ok(None) };
    let mut kept = Vec::new();
    let mut i = 0;
    while i < keys.len() {
        f.tick(span)?;
        let rows = store.rows(keys, keys[i]);
        i = rows.end;
        let said = related(f, base, keys[rows.start], span)?;
        if said != values[rows.clone()] {
            kept.extend(rows.map(|row| (keys[row], values[row])));
        }
    }
    Ok(Some(match store.relation(kept) {
        Val::EMPTY => base,
        kept => store.symbolic(form, vec![base, kept]),
    }))
}
