//! Sets that are not listed: infinite ones, and those too large to list.
//!
//! A symbolic set is a node of the store with a tag and arguments. Here are the questions it
//! answers: membership, size, enumeration, listing, what it relates to a key. Whether it equals
//! another is told in `same`.

use crate::answer::{CutReason, Stop};
use crate::closure;
use crate::enumerate;
use crate::frame::{Frame, Runtime};
use crate::integers;
use crate::recursion::unfold;
pub(crate) use crate::same::equal;
use crate::same::{Distinct, among, distinct};
use crate::spaces;
use beeline_model::{BinaryOp, Type, TypeId, UnaryOp};
use beeline_source::Span;
use beeline_value::{Elems, Lookup, Node, Val};

pub(crate) const INTEGER: u32 = 1;
pub(crate) const NATURAL: u32 = 2;
pub(crate) const NATURAL1: u32 = 3;
pub(crate) const STRING: u32 = 4;
pub(crate) const REAL: u32 = 5;
/// `POW`, `POW1`, `FIN`, `FIN1`, `seq` … by [`space_op`].
pub(crate) const SPACE1: u32 = 10;
/// Arrows and products, by operator.
pub(crate) const SPACE2: u32 = 11;
pub(crate) const RECORDS: u32 = 12;
pub(crate) const CLOSURE: u32 = 13;
pub(crate) const UNION: u32 = 14;
pub(crate) const INTER: u32 = 15;
pub(crate) const DIFF: u32 = 16;
pub(crate) const FUNCTION: u32 = 17;
pub(crate) const IDENTITY: u32 = 18;
pub(crate) const PROJECTION: u32 = 19;
/// Relational operators that stay symbolic, by operator.
pub(crate) const RELATION: u32 = 20;
pub(crate) const INVERSE: u32 = 21;
pub(crate) const DOMAIN: u32 = 22;
pub(crate) const RANGE: u32 = 23;
pub(crate) const FREE: u32 = 24;
/// A constant inside its own definition, by the number of that.
pub(crate) const RECURSION: u32 = 25;

/// The transitive closure of a relation that is not listed.
pub(crate) const REACHABLE: u32 = 26;

/// A constructor of a free type as a function, by [`constructor`].
pub(crate) const CONSTRUCTOR: u32 = 27;

/// Integers in intervals: both ends of each, in ascending order; an end that is not there is unset.
/// What is `INTEGER`, `NATURAL` or `NATURAL1` is never written so, nor what can be listed.
pub(crate) const SPANS: u32 = 28;

/// Values some of which may be equal.
pub(crate) const LOOSE: u32 = Node::LOOSE;

/// The number of a constructor: that of its type, and its own. Nothing if there are too many.
pub(crate) fn constructor(ty: u32, number: u32) -> Option<usize> {
    (ty < 1 << 16 && number < 1 << 8).then_some(((ty as usize) << 8) | number as usize)
}

/// A tag with a number beside it.
pub(crate) const fn tag(kind: u32, extra: usize) -> u32 {
    kind | ((extra as u32) << 8)
}

pub(crate) const fn split(tag: u32) -> (u32, usize) {
    (tag & 255, (tag >> 8) as usize)
}

/// Sets are listed without being asked up to this size.
const AUTOMATIC: f64 = 70_000.0;

pub(crate) fn too_large(span: Span) -> Stop {
    Stop::cut(
        CutReason::LargeSet,
        span,
        "an infinite or very large set would have to be enumerated",
    )
}

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

/// Is `value` in `set`?
pub(crate) fn member<'s>(
    f: &mut Frame<'s>,
    value: Val,
    set: Val,
    span: Span,
) -> Result<bool, Stop> {
    let store = f.store;
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
        DOMAIN => !related(f, args[0], value, span)?.is_empty(),
        RANGE if constructor_of(f, args[0]).is_some() => {
            !related(f, store.symbolic(INVERSE, args.to_vec()), value, span)?.is_empty()
        }
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
        RECORDS => args.iter().try_fold(1.0, |n, a| Some(product(n, size(f, *a)?))),
        // Successors and predecessors; projections are as many as their types have values.
        FUNCTION => (extra <= 1).then_some(f64::INFINITY),
        IDENTITY | INVERSE => size(f, args[0]),
        PROJECTION => Some(product(size(f, args[0])?, size(f, args[1])?)),
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

/// A product where nothing times infinity is nothing.
pub(crate) fn product(a: f64, b: f64) -> f64 {
    if a == 0.0 || b == 0.0 { 0.0 } else { a * b }
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
        let outcome = enumerate::each(f, set, span, &mut |f, value| {
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
        (SPACE2, op) => op != spaces::CARTESIAN,
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
        SPACE1 if extra == spaces::POW => is_whole(f, args[0]),
        SPACE2 if extra == spaces::CARTESIAN || extra == BinaryOp::Relations as usize => {
            is_whole(f, args[0]) && is_whole(f, args[1])
        }
        RECORDS => args.iter().all(|a| is_whole(f, *a)),
        _ => false,
    }
}

fn is_bool(f: &Frame<'_>, set: Val) -> bool {
    f.store.member(Val::TRUE, set) == Some(true) && f.store.member(Val::FALSE, set) == Some(true)
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
    if let (Some(x), Some(y)) = (integers::spans(f, a)?, integers::spans(f, b)?) {
        return Ok(x.is_within(&y));
    }
    match (size(f, a), size(f, b)) {
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
            _ => enumerate::each(f, a, span, &mut test),
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
        ((SPACE2, spaces::CARTESIAN), (SPACE2, spaces::CARTESIAN)) => {
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

/// The elements of a set that must be listed.
pub(crate) fn elements<'s>(f: &mut Frame<'s>, set: Val, span: Span) -> Result<Elems<'s>, Stop> {
    let listed = list(f, set, span)?;
    f.store.elems(listed).ok_or_else(|| too_large(span))
}
