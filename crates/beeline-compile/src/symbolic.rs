//! Sets that are not listed: infinite ones, and those too large to list.
//!
//! A symbolic set is a node of the store with a tag and arguments. Here are the questions it
//! answers: membership, size, enumeration, listing, what it relates to a key.

use crate::answer::{CutReason, Stop};
use crate::closure;
use crate::enumerate;
use crate::frame::{Frame, Runtime};
use crate::integers;
use crate::recursion::unfold;
use crate::spaces;
use beeline_model::{BinaryOp, Type, TypeId, UnaryOp};
use beeline_source::Span;
use beeline_value::{Elems, Lookup, Node, Store, Val};

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
    Stop::cut(CutReason::LargeSet, span, "an infinite or very large set would have to be listed")
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

/// Does a symbolic set occur in a value? Then words alone do not tell whether it equals another.
fn described(store: &Store, value: Val) -> bool {
    // Elements of one set are of one type: where one is a number or an atom, all are.
    let any = |values: &[Val]| {
        let plain = values.iter().find(|v| **v != Val::EMPTY).is_none_or(|v| v.is_immediate());
        !plain && values.iter().any(|v| described(store, *v))
    };
    if value.is_immediate() || value == Val::EMPTY {
        return false;
    }
    match store.node(value) {
        Some(Node::Sym(..)) => true,
        Some(Node::Pair(a, b)) => described(store, *a) || described(store, *b),
        Some(Node::Rec(fields)) => fields.iter().any(|v| described(store, *v)),
        Some(Node::Set(elems)) => any(elems),
        Some(Node::Rel(left, right)) => any(left) || any(right),
        _ => false,
    }
}

/// Must a key be compared with those of a relation by what they are, not by words?
pub(crate) fn is_described_key(store: &Store, key: Val, keys: &[Val]) -> bool {
    // Keys are of one type: if there is no set in one, there is none in the others.
    fn has_sets(store: &Store, value: Val) -> bool {
        match store.node(value) {
            Some(Node::Pair(a, b)) => has_sets(store, *a) || has_sets(store, *b),
            Some(Node::Rec(fields)) => fields.iter().any(|v| has_sets(store, *v)),
            Some(Node::Int(_) | Node::Real(_) | Node::Str(_)) | None => value == Val::EMPTY,
            Some(_) => true,
        }
    }
    has_sets(store, key)
        && (described(store, key) || keys.iter().any(|other| described(store, *other)))
}

/// Is a value equal to an element of a listed set, where words alone do not tell?
fn among<'s>(f: &mut Frame<'s>, value: Val, set: Val, span: Span) -> Result<bool, Stop> {
    let elems = elements(f, set, span)?;
    let mut pending = None;
    for i in 0..elems.len() {
        f.tick(span)?;
        match equal(f, value, f.store.nth(elems, i), span) {
            Ok(true) => return Ok(true),
            Ok(false) => {}
            Err(stop) => {
                stop.join(&mut pending);
            }
        }
    }
    pending.map_or(Ok(false), Err)
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
        return if answer || !(described(store, value) || described(store, set)) {
            Ok(answer)
        } else {
            among(f, value, set, span)
        };
    }
    let Some((tag, args)) = store.as_symbolic(set) else {
        return Ok(false);
    };
    let (kind, extra) = split(tag);
    Ok(match kind {
        INTEGER | STRING | REAL => true,
        NATURAL => at_least(f, value, 0),
        NATURAL1 => at_least(f, value, 1),
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
        UNION => member(f, value, args[0], span)? || member(f, value, args[1], span)?,
        INTER => member(f, value, args[0], span)? && member(f, value, args[1], span)?,
        DIFF => member(f, value, args[0], span)? && !member(f, value, args[1], span)?,
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
                Some((a, b)) => related(f, set, a, span)?.contains(&b),
                None => false,
            }
        }
        _ => {
            let listed = list(f, set, span)?;
            store.member(value, listed).unwrap_or(false)
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
        SPACE1 => spaces::size1(extra, size(f, args[0])?),
        SPACE2 => spaces::size2(extra, size(f, args[0])?, size(f, args[1])?),
        RECORDS => args.iter().try_fold(1.0, |n, a| Some(product(n, size(f, *a)?))),
        FUNCTION => Some(f64::INFINITY),
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
            Ok(()) => Ok((f.store.set(elems), false)),
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

/// Are two values equal? Symbolic sets are listed where they must be.
pub(crate) fn equal<'s>(f: &mut Frame<'s>, a: Val, b: Val, span: Span) -> Result<bool, Stop> {
    if a == b {
        return Ok(true);
    }
    let store = f.store;
    if a.is_immediate() || b.is_immediate() || !(described(store, a) || described(store, b)) {
        return Ok(false);
    }
    if let (Some((a1, a2)), Some((b1, b2))) = (store.as_pair(a), store.as_pair(b)) {
        return Ok(equal(f, a1, b1, span)? && equal(f, a2, b2, span)?);
    }
    if let (Some(x), Some(y)) = (store.as_record(a), store.as_record(b)) {
        for (a, b) in x.iter().zip(y) {
            if !equal(f, *a, *b, span)? {
                return Ok(false);
            }
        }
        return Ok(true);
    }
    if let (Some(x), Some(y)) = (integers::spans(f, a)?, integers::spans(f, b)?) {
        return Ok(x == y);
    }
    // Finite against infinite.
    match (size(f, a), size(f, b)) {
        (Some(x), Some(y)) if x.is_finite() != y.is_finite() => return Ok(false),
        _ => {}
    }
    let x = list(f, a, span)?;
    let y = list(f, b, span)?;
    if x == y || !(described(store, x) || described(store, y)) {
        return Ok(x == y);
    }
    Ok(subset(f, x, y, span)? && subset(f, y, x, span)?)
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
        if answer || !(described(f.store, a) || described(f.store, b)) {
            return Ok(answer);
        }
        let elems = elements(f, a, span)?;
        for i in 0..elems.len() {
            if !among(f, f.store.nth(elems, i), b, span)? {
                return Ok(false);
            }
        }
        return Ok(true);
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
    f.certain(|f| {
        let mut inside = true;
        let outcome = enumerate::each(f, a, span, &mut |f, value| {
            inside = member(f, value, b, span)?;
            if inside { Ok(()) } else { Err(Stop::Enough) }
        });
        match outcome {
            Ok(()) | Err(Stop::Enough) => Ok((inside, !inside)),
            Err(stop) => Err(stop),
        }
    })
}

/// All values that a relation relates to `key`.
pub(crate) fn related<'s>(
    f: &mut Frame<'s>,
    relation: Val,
    key: Val,
    span: Span,
) -> Result<Vec<Val>, Stop> {
    let store = f.store;
    if let Some((l, r)) = store.as_columns(relation) {
        if is_described_key(store, key, l) {
            // Words do not tell described keys apart.
            let mut values = Vec::new();
            for (k, v) in l.iter().zip(r) {
                f.tick(span)?;
                if equal(f, *k, key, span)? {
                    values.push(*v);
                }
            }
            return Ok(values);
        }
        return Ok(match store.lookup(relation, key) {
            Some(Lookup::One(value)) => vec![value],
            Some(Lookup::Many) => r[store.rows(l, key)].to_vec(),
            _ => Vec::new(),
        });
    }
    let Some((tag, args)) = store.as_symbolic(relation) else {
        return Ok(Vec::new());
    };
    let (kind, extra) = split(tag);
    match kind {
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
            let mut found = related(f, args[0], key, span)?;
            let mut seen: rustc_hash::FxHashSet<Val> = found.iter().copied().collect();
            let mut next = 0;
            while next < found.len() {
                f.tick(span)?;
                for value in related(f, args[0], found[next], span)? {
                    if seen.insert(value) {
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
            for value in related(f, args[1], key, span)? {
                if !values.contains(&value) {
                    values.push(value);
                }
            }
            return Ok(values);
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
