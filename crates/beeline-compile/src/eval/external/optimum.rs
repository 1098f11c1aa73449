//! External functions that look for a best element or a smallest part: `MAXIMIZE`, `MINIMIZE`,
//! `UNSAT_CORE`, `MAX_SAT`.
//!
//! A set that is only described is searched, not listed: the solver is told what must be beaten.
//! What an element is worth is its first component.

use super::wrong;
use crate::answer::{FaultKind, Stop};
use crate::eval::frame::Frame;
use crate::eval::operators::apply;
use crate::eval::sets::{self, CLOSURE, elements, split};
use beeline_model::TypeId;
use beeline_source::Span;
use beeline_value::{Store, Val};

/// The leftmost part of a tuple.
fn worth(store: &Store, value: Val) -> Val {
    let mut worth = value;
    while let Some((left, _)) = store.as_pair(worth) {
        worth = left;
    }
    worth
}

/// The element with the greatest or least worth; of several, the first that is found.
pub(super) fn best(f: &mut Frame<'_>, set: Val, most: bool, span: Span) -> Result<Val, Stop> {
    let mut found: Option<Val> = None;
    let mut keep = |store: &Store, value: Val| {
        let better = found.is_none_or(|old| {
            let order = store.cmp(worth(store, value), worth(store, old));
            if most { order.is_gt() } else { order.is_lt() }
        });
        // The first of equals stays: which one is found then depends on the set alone.
        if better {
            found = Some(value);
        }
    };
    match f.store.as_symbolic(set).map(|(tag, env)| (split(tag), env)) {
        Some(((CLOSURE, code), env)) => sets::improve(f, code, env, most, &mut keep)?,
        _ => sets::each(f, set, span, &mut |f, value| {
            keep(f.store, value);
            Ok(())
        })?,
    }
    found.ok_or_else(|| Stop::fault(FaultKind::EmptySet, span, "the best element of an empty set"))
}

/// Does a condition on sets hold of these elements?
fn holds(f: &mut Frame<'_>, condition: Val, parts: &[Val], span: Span) -> Result<bool, Stop> {
    f.pay(1 + parts.len() as u64, span)?;
    let set = f.store.set(parts.to_vec());
    Ok(apply(f, condition, set, span)? == Val::TRUE)
}

/// A part of a set of which a condition is false, and true of every smaller part.
pub(super) fn unsat_core<'s>(
    f: &mut Frame<'s>,
    a: &[Val],
    _: &[TypeId],
    span: Span,
) -> Result<Val, Stop> {
    let elems = elements(f, a[1], span)?;
    let mut core = f.store.list(elems);
    if holds(f, a[0], &core, span)? {
        return Err(wrong(span, "the condition holds of the whole set"));
    }
    let mut i = 0;
    while i < core.len() {
        let element = core.remove(i);
        if holds(f, a[0], &core, span)? {
            core.insert(i, element);
            i += 1;
        }
    }
    Ok(f.store.set(core))
}

/// A part of a set of which a condition is true, and false of every larger part.
pub(super) fn max_sat<'s>(
    f: &mut Frame<'s>,
    a: &[Val],
    _: &[TypeId],
    span: Span,
) -> Result<Val, Stop> {
    let elems = elements(f, a[1], span)?;
    let mut chosen = Vec::new();
    if !holds(f, a[0], &chosen, span)? {
        return Err(wrong(span, "the condition does not hold of the empty set"));
    }
    for i in 0..elems.len() {
        chosen.push(f.store.nth(elems, i));
        if !holds(f, a[0], &chosen, span)? {
            chosen.pop();
        }
    }
    Ok(f.store.set(chosen))
}
