//! How large sets are, and their listed form.

use super::same::distinct;
use super::tags::*;
use super::{each, integers, spaces};
use crate::answer::Stop;
use crate::eval::arith::times;
use crate::eval::frame::{Frame, Runtime};
use beeline_model::{BinaryOp, Type, TypeId, UnaryOp};
use beeline_source::Span;
use beeline_value::{Elems, Val};

/// Sets are listed without being asked up to this size.
const AUTOMATIC: f64 = 70_000.0;

/// The set of all values of a type.
pub(crate) fn type_set(rt: &Runtime, ty: TypeId) -> Val {
    let store = &rt.store;
    match rt.types.get(ty) {
        Type::Bool => store.set_sorted(vec![Val::FALSE, Val::TRUE]),
        Type::Integer => store.symbolic(INTEGER, Vec::new()),
        Type::Real => store.symbolic(REAL, Vec::new()),
        Type::String => store.symbolic(STRING, Vec::new()),
        Type::Given(set) => rt.sets[set.index()],
        Type::Free(id, arguments) => {
            let sets = arguments.iter().map(|t| type_set(rt, *t)).collect();
            store.symbolic(tag(FREE, id.index()), sets)
        }
        Type::Power(of) => {
            let inner = type_set(rt, *of);
            store.symbolic(tag(SPACE1, UnaryOp::Power as usize), vec![inner])
        }
        Type::Pair(left, right) => {
            let sides = vec![type_set(rt, *left), type_set(rt, *right)];
            store.symbolic(tag(SPACE2, BinaryOp::Cartesian as usize), sides)
        }
        Type::Record(fields) => {
            let sets = fields.iter().map(|(_, t)| type_set(rt, *t)).collect();
            store.symbolic(RECORDS, sets)
        }
    }
}

/// How many elements: nothing if it is not known without looking.
pub(crate) fn size(f: &Frame<'_>, set: Val) -> Option<f64> {
    let store = f.store;
    if let Some(n) = store.card(set) {
        return Some(n as f64);
    }
    let (tag, args) = store.as_symbolic(set)?;
    let (kind, extra) = split(tag);
    match kind {
        INTEGER | NATURAL | NATURAL1 | STRING | REAL => Some(f64::INFINITY),
        SPANS => Some(integers::Spans::of_ends(store, args).size()),
        SPACE1 => spaces::size1(extra, size(f, args[0])?),
        SPACE2 => spaces::size2(extra, size(f, args[0])?, size(f, args[1])?),
        RECORDS => args.iter().try_fold(1.0, |n, a| Some(times(n, size(f, *a)?))),
        // Successors and predecessors; projections are as many as their types have values.
        FUNCTION => (extra <= 1).then_some(f64::INFINITY),
        // As many pairs as elements, or as pairs.
        IDENTITY | INVERSE => size(f, args[0]),
        PROJECTION => Some(times(size(f, args[0])?, size(f, args[1])?)),
        UNION => Some(size(f, args[0])? + size(f, args[1])?),
        INTER => match (size(f, args[0]), size(f, args[1])) {
            (Some(a), Some(b)) if a.is_finite() || b.is_finite() => Some(a.min(b)),
            (Some(a), None) | (None, Some(a)) if a.is_finite() => Some(a),
            _ => None,
        },
        DIFF => match size(f, args[0]) {
            Some(n) if n.is_finite() => Some(n),
            // Infinite minus finite stays infinite.
            Some(n) if size(f, args[1]).is_some_and(f64::is_finite) => Some(n),
            _ => None,
        },
        // A comprehension that nothing bounds may still be finite: nobody knows.
        _ => None,
    }
}

/// The listed form of a set, or a cut.
pub(crate) fn list<'s>(f: &mut Frame<'s>, set: Val, span: Span) -> Result<Val, Stop> {
    if f.store.elems(set).is_some() || f.store.as_symbolic(set).is_none() {
        return Ok(set);
    }
    const LIST: u32 = 1;
    if let Some(known) = f.memo.get(LIST, set, set) {
        return Ok(known);
    }
    // Known to be too large: it is not even begun.
    match size(f, set) {
        Some(n) if n > f.rt.settings.elements as f64 => return Err(too_large(span)),
        _ => {}
    }
    let listed = f.certain(|f| {
        let mark = f.cuts.len();
        if let Some((LOOSE, values)) = f.store.as_symbolic(set) {
            let values = distinct(f, values.iter().copied(), span)?;
            return Ok((f.store.set_of_distinct(values), false));
        }
        let mut elems = Vec::new();
        let outcome = each(f, set, span, &mut |f, value| {
            elems.push(value);
            if elems.len() > f.rt.settings.elements {
                return Err(too_large(span));
            }
            Ok(())
        });
        match outcome {
            // Of a set that cannot be listed not each element must have a meaning.
            Err(Stop::Fault(_)) if f.cuts.len() > mark => Err(too_large(span)),
            Err(stop) => Err(stop),
            // Each came once.
            Ok(()) => Ok((f.store.set_of_distinct(elems), false)),
        }
    })?;
    // Comprehensions are listed once in a state, and often the next state asks for the same one.
    f.memo.put(LIST, set, set, listed);
    Ok(listed)
}

/// The listed form, if the set is known to be small; the same set otherwise.
pub(crate) fn settle<'s>(f: &mut Frame<'s>, set: Val, span: Span) -> Result<Val, Stop> {
    if set.is_immediate() || f.store.as_symbolic(set).is_none() {
        return Ok(set);
    }
    match size(f, set) {
        Some(n) if n > AUTOMATIC => Ok(set),
        // A closure of unknown size was kept symbolic on purpose.
        None if f.store.as_symbolic(set).is_some_and(|(t, _)| is_kept(split(t).0)) => Ok(set),
        _ => match list(f, set, span) {
            Err(Stop::Cut(cut)) if !cut.is_final() => Ok(set),
            other => other,
        },
    }
}

/// Sets of sets or functions with more elements need not be listed for their own sake.
const LARGE_SPACE: f64 = 4_096.0;

/// Is it a symbolic set of many sets, relations or functions?
pub(crate) fn is_large_space(f: &Frame<'_>, set: Val) -> bool {
    let Some((tag, _)) = f.store.as_symbolic(set) else { return false };
    let is_space = match split(tag) {
        (SPACE1, _) => true,
        (SPACE2, op) => op != CARTESIAN,
        _ => false,
    };
    is_space && size(f, set).is_some_and(|n| n > LARGE_SPACE)
}

/// Was it made symbolic on purpose?
fn is_kept(kind: u32) -> bool {
    matches!(kind, CLOSURE | RECURSION)
}

/// Is it plainly the set of all values of its type?
pub(crate) fn is_whole(f: &Frame<'_>, set: Val) -> bool {
    let Some((tag, args)) = f.store.as_symbolic(set) else {
        return f.rt.sets.contains(&set) || f.store.card(set) == Some(2) && is_bool(f, set);
    };
    let (kind, extra) = split(tag);
    match kind {
        INTEGER | STRING | REAL => true,
        SPACE1 if extra == POW => is_whole(f, args[0]),
        SPACE2 if extra == CARTESIAN || extra == BinaryOp::Relations as usize => {
            is_whole(f, args[0]) && is_whole(f, args[1])
        }
        RECORDS => args.iter().all(|a| is_whole(f, *a)),
        _ => false,
    }
}

fn is_bool(f: &Frame<'_>, set: Val) -> bool {
    f.store.member(Val::TRUE, set) == Some(true) && f.store.member(Val::FALSE, set) == Some(true)
}

/// The elements of a set that must be listed.
pub(crate) fn elements<'s>(f: &mut Frame<'s>, set: Val, span: Span) -> Result<Elems<'s>, Stop> {
    let listed = list(f, set, span)?;
    f.store.elems(listed).ok_or_else(|| too_large(span))
}
