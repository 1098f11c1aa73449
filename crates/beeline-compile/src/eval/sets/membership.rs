//! What is in a set, what is within it, and what a relation relates to a key.

use super::recursion::unfold;
use super::same::{Distinct, among, distinct};
use super::tags::*;
use super::{closure, each, elements, equal, integers, is_whole, list, size, spaces};
use crate::answer::Stop;
use crate::eval::frame::Frame;
use beeline_model::BinaryOp;
use beeline_source::Span;
use beeline_value::{Lookup, Node, Val};

/// Is `value` in `set`?
pub(crate) fn member<'s>(
    f: &mut Frame<'s>,
    value: Val,
    set: Val,
    span: Span,
) -> Result<bool, Stop> {
    let store = f.store;
    // The usual case, a search in sorted words, before anything else is looked at.
    if let Some(answer) = store.member(value, set) {
        return Ok(answer);
    }
    if let Some(elems) = store.elems(set) {
        // Words do not tell.
        return among(f, value, (0..elems.len()).map(|i| store.nth(elems, i)), span);
    }
    let Some((tag, args)) = store.as_symbolic(set) else {
        return Ok(false);
    };
    let (kind, extra) = split(tag);
    Ok(match kind {
        INTEGER | STRING | REAL => true,
        NATURAL => at_least(f, value, 0),
        NATURAL1 => at_least(f, value, 1),
        SPANS => integers::within(store, args, value),
        LOOSE => return among(f, value, args.iter().copied(), span),
        SPACE1 => return spaces::member1(f, extra, value, args[0], span),
        SPACE2 => return spaces::member2(f, extra, value, args[0], args[1], span),
        RECORDS => {
            let fields = store.as_record(value).unwrap_or(&[]);
            for (field, set) in fields.iter().zip(args) {
                if !member(f, *field, *set, span)? {
                    return Ok(false);
                }
            }
            true
        }
        CLOSURE => return closure::member(f, extra, args, value),
        // The second operand may decide where the first cannot be told.
        UNION => match member(f, value, args[0], span) {
            Err(Stop::Cut(cut)) if !cut.is_final() => {
                return if member(f, value, args[1], span)? {
                    Ok(true)
                } else {
                    Err(Stop::Cut(cut))
                };
            }
            first => first? || member(f, value, args[1], span)?,
        },
        INTER | DIFF => {
            let wanted = kind == INTER;
            match member(f, value, args[0], span) {
                Err(Stop::Cut(cut)) if !cut.is_final() => {
                    let second = member(f, value, args[1], span)?;
                    return if second == wanted { Err(Stop::Cut(cut)) } else { Ok(false) };
                }
                first => first? && member(f, value, args[1], span)? == wanted,
            }
        }
        INVERSE => match store.as_pair(value) {
            Some((a, b)) => return member(f, store.pair(b, a), args[0], span),
            None => false,
        },
        // A key is in the domain if it has a value: the rest of the relation does not matter.
        DOMAIN => !related(f, args[0], value, span)?.is_empty(),
        RANGE if constructor_of(f, args[0]).is_some() => {
            !related(f, store.symbolic(INVERSE, args.to_vec()), value, span)?.is_empty()
        }
        // The name inside its own definition: one more turn of it, which listing would never end.
        RECURSION => {
            let meaning = unfold(f, extra, args)?;
            return member(f, value, meaning, span);
        }
        FREE => return spaces::free_member(f, extra, value, args, span),
        FUNCTION | IDENTITY | PROJECTION | RELATION | REACHABLE | CONSTRUCTOR => {
            match store.as_pair(value) {
                Some((a, b)) => {
                    let values = related(f, set, a, span)?;
                    return among(f, b, values, span);
                }
                None => false,
            }
        }
        _ => {
            let listed = list(f, set, span)?;
            return if listed == set {
                Err(too_large(span))
            } else {
                member(f, value, listed, span)
            };
        }
    })
}

fn at_least(f: &Frame<'_>, value: Val, bound: i64) -> bool {
    match value.as_small_int() {
        Some(v) => v >= bound,
        None => f.store.cmp(value, f.store.int(bound)).is_ge(),
    }
}

/// Is `a` within `b`?
pub(crate) fn subset<'s>(f: &mut Frame<'s>, a: Val, b: Val, span: Span) -> Result<bool, Stop> {
    if a == b {
        return Ok(true);
    }
    if let Some(answer) = f.store.subset(a, b) {
        return Ok(answer);
    }
    if let Some((tag, args)) = f.store.as_symbolic(b) {
        match split(tag).0 {
            _ if is_whole(f, b) => return Ok(true),
            INTER => return Ok(subset(f, a, args[0], span)? && subset(f, a, args[1], span)?),
            // Products and spaces of whole types.
            SPACE2 if split(tag).1 == BinaryOp::Cartesian as usize && f.store.is_listed(a) => {
                if let Some((l, r)) = f.store.as_columns(a) {
                    for i in 0..l.len() {
                        f.tick(span)?;
                        if !member(f, l[i], args[0], span)? || !member(f, r[i], args[1], span)? {
                            return Ok(false);
                        }
                    }
                    return Ok(true);
                }
            }
            _ => {}
        }
    }
    // Exact for infinite sets too, where going through elements would never end.
    if let (Some(x), Some(y)) = (integers::spans(f, a)?, integers::spans(f, b)?) {
        return Ok(x.is_within(&y));
    }
    match (size(f, a), size(f, b)) {
        // Counting is enough for this much.
        (Some(x), Some(y)) if x.is_infinite() && y.is_finite() => return Ok(false),
        _ => {}
    }
    if let Some(answer) = subset_by_form(f, a, b, span)? {
        return Ok(answer);
    }
    f.certain(|f| {
        let (mut inside, mut pending) = (true, None);
        let mut test = |f: &mut Frame<'s>, value: Val| {
            match member(f, value, b, span) {
                Ok(true) => {}
                Ok(false) => {
                    inside = false;
                    return Err(Stop::Enough);
                }
                // Another element may still be outside.
                Err(Stop::Cut(cut)) if !cut.is_final() => Stop::Cut(cut).join(&mut pending),
                Err(stop) => return Err(stop),
            }
            Ok(())
        };
        let outcome = match f.store.as_symbolic(a) {
            // Repetitions do not matter.
            Some((LOOSE, values)) => values.iter().try_for_each(|value| test(f, *value)),
            _ => each(f, a, span, &mut test),
        };
        match (outcome, pending) {
            (Err(Stop::Enough), _) => Ok((false, true)),
            (Ok(()), None) => Ok((inside, false)),
            (Err(stop), _) | (Ok(()), Some(stop)) => Err(stop),
        }
    })
}

/// Inclusion as far as it follows from how two sets are made.
fn subset_by_form<'s>(f: &mut Frame<'s>, a: Val, b: Val, span: Span) -> Result<Option<bool>, Stop> {
    let Some((tag, args)) = f.store.as_symbolic(a) else { return Ok(None) };
    // What cannot be told is left to others.
    let tried = |answer: Result<bool, Stop>| match answer {
        Err(Stop::Cut(cut)) if !cut.is_final() => Ok(None),
        answer => answer.map(Some),
    };
    let (of, operands) = f.store.as_symbolic(b).unwrap_or((u32::MAX, &[]));
    match (split(tag), split(of)) {
        ((UNION, _), _) => {
            let first = tried(subset(f, args[0], b, span))?;
            if first == Some(false) {
                return Ok(first);
            }
            let second = tried(subset(f, args[1], b, span))?;
            Ok(if second == Some(false) { second } else { first.and(second) })
        }
        ((DIFF, _), _) => Ok(tried(subset(f, args[0], b, span))?.filter(|inside| *inside)),
        ((SPACE1, x), (SPACE1, y)) if spaces::within_powers(x, y) => {
            tried(subset(f, args[0], operands[0], span))
        }
        ((SPACE2, CARTESIAN), (SPACE2, CARTESIAN)) => {
            let first = tried(subset(f, args[0], operands[0], span))?;
            let second = tried(subset(f, args[1], operands[1], span))?;
            Ok(match (first, second) {
                (Some(true), Some(true)) => Some(true),
                (Some(false), _) | (_, Some(false)) => tried(spaces::is_empty(f, a, span))?,
                _ => None,
            })
        }
        _ => Ok(None),
    }
}

/// All values that a relation relates to `key`.
pub(crate) fn related<'s>(
    f: &mut Frame<'s>,
    relation: Val,
    key: Val,
    span: Span,
) -> Result<Vec<Val>, Stop> {
    let store = f.store;
    // A binary search by word: this is how nearly all functions are applied.
    if let Some(found) = store.lookup(relation, key) {
        let (l, r) = store.as_columns(relation).unwrap_or((&[], &[]));
        return Ok(match found {
            Lookup::One(value) => vec![value],
            Lookup::Many => r[store.rows(l, key)].to_vec(),
            Lookup::Missing => Vec::new(),
        });
    }
    if let Some((l, r)) = store.as_columns(relation) {
        // Words do not tell keys apart.
        return values_at(f, l.iter().copied().zip(r.iter().copied()), key, span);
    }
    let Some((tag, args)) = store.as_symbolic(relation) else {
        return Ok(Vec::new());
    };
    let (kind, extra) = split(tag);
    match kind {
        LOOSE => {
            let pairs = args.iter().filter_map(|pair| store.as_pair(*pair));
            return values_at(f, pairs, key, span);
        }
        CLOSURE => {
            if let Some(values) = closure::related(f, extra, args, key)? {
                return Ok(values);
            }
        }
        RECURSION => {
            let meaning = unfold(f, extra, args)?;
            return related(f, meaning, key, span);
        }
        REACHABLE => {
            // Only what is reachable from the key, not the whole closure.
            let mut seen = Distinct::default();
            let mut found = Vec::new();
            for value in related(f, args[0], key, span)? {
                if seen.add(f, value, span)? {
                    found.push(value);
                }
            }
            let mut next = 0;
            while next < found.len() {
                f.tick(span)?;
                for value in related(f, args[0], found[next], span)? {
                    if seen.add(f, value, span)? {
                        found.push(value);
                    }
                }
                // An infinite relation may be followed for ever.
                if found.len() > f.rt.settings.elements {
                    return Err(too_large(span));
                }
                next += 1;
            }
            return Ok(found);
        }
        FUNCTION => return Ok(spaces::function(f, extra, key)),
        CONSTRUCTOR => {
            let (ty, number) = ((extra >> 8) as u32, (extra & 255) as u32);
            let built = store.free(ty, number, Some(key));
            let inside = spaces::free_member(f, ty as usize, built, args, span)?;
            return Ok(if inside { vec![built] } else { Vec::new() });
        }
        INVERSE if let Some((ty, number)) = constructor_of(f, args[0]) => {
            return Ok(match store.node(key) {
                Some(Node::Free(t, n, Some(argument))) if (*t, *n) == (ty, number) => {
                    vec![*argument]
                }
                _ => Vec::new(),
            });
        }
        IDENTITY => {
            return Ok(if member(f, key, args[0], span)? { vec![key] } else { Vec::new() });
        }
        PROJECTION => {
            let Some((a, b)) = store.as_pair(key) else {
                return Ok(Vec::new());
            };
            let inside = member(f, a, args[0], span)? && member(f, b, args[1], span)?;
            return Ok(match (inside, extra) {
                (false, _) => Vec::new(),
                (true, 1) => vec![a],
                (true, _) => vec![b],
            });
        }
        SPACE2 if extra == BinaryOp::Cartesian as usize => {
            if !member(f, key, args[0], span)? {
                return Ok(Vec::new());
            }
            let values = elements(f, args[1], span)?;
            f.pay(values.len() as u64, span)?;
            return Ok(store.list(values));
        }
        UNION => {
            let mut values = related(f, args[0], key, span)?;
            values.extend(related(f, args[1], key, span)?);
            return distinct(f, values, span);
        }
        // The first operand gives the values, the second is asked about each: it may be infinite.
        INTER | DIFF => {
            let mut out = Vec::new();
            for value in related(f, args[0], key, span)? {
                let pair = store.pair(key, value);
                if member(f, pair, args[1], span)? == (kind == INTER) {
                    out.push(value);
                }
            }
            return Ok(out);
        }
        RELATION => return spaces::relation_related(f, extra, args[0], args[1], key, span),
        _ => {}
    }
    let listed = list(f, relation, span)?;
    if listed == relation {
        return Ok(Vec::new());
    }
    related(f, listed, key, span)
}

/// The values at the keys that equal a key, each once.
fn values_at<'s>(
    f: &mut Frame<'s>,
    pairs: impl Iterator<Item = (Val, Val)>,
    key: Val,
    span: Span,
) -> Result<Vec<Val>, Stop> {
    let mut values = Vec::new();
    for (k, v) in pairs {
        f.tick(span)?;
        if equal(f, k, key, span)? {
            values.push(v);
        }
    }
    distinct(f, values, span)
}

/// The free type and number of a constructor that is a function.
fn constructor_of(f: &Frame<'_>, function: Val) -> Option<(u32, u32)> {
    match f.store.as_symbolic(function).map(|(tag, _)| split(tag)) {
        Some((CONSTRUCTOR, extra)) => Some(((extra >> 8) as u32, (extra & 255) as u32)),
        _ => None,
    }
}
