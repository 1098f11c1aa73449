//! Spaces of sets, relations, functions and sequences: membership and size without listing.

use super::closure::domain;
use super::integers::{Spans, spans};
use super::same::{distinct, with_equal_keys};
use super::tags::*;
use super::{each, elements, equal, is_whole, list, member, related, size, subset};
use crate::answer::Stop;
use crate::eval::arith;
use crate::eval::frame::Frame;
use beeline_model::{BasicFunction, BinaryOp};
use beeline_plan::{Arrow, arrow};
use beeline_source::Span;
use beeline_value::{Node, Val};
use num_bigint::BigInt;

/// Membership in `POW(S)`, `seq(S)` and their like.
pub(crate) fn member1<'s>(
    f: &mut Frame<'s>,
    op: usize,
    value: Val,
    set: Val,
    span: Span,
) -> Result<bool, Stop> {
    match op {
        POW | POW1 => Ok((op == POW || !is_empty(f, value, span)?) && subset(f, value, set, span)?),
        FIN | FIN1 => {
            if op == FIN1 && is_empty(f, value, span)? {
                return Ok(false);
            }
            Ok(is_finite(f, value, span)? && subset(f, value, set, span)?)
        }
        _ => {
            if let Some(answer) = identity_among_sequences(f, op, value, set, span)? {
                return Ok(answer);
            }
            // A sequence is listed to be read; spaces of them are not.
            let value = list(f, value, span)?;
            let Some(items) = f.store.items(value) else {
                return Ok(false);
            };
            if matches!(op, SEQ1 | ISEQ1) && items.is_empty() {
                return Ok(false);
            }
            if matches!(op, ISEQ | ISEQ1 | PERM) && !is_injective(f, value, span)? {
                return Ok(false);
            }
            for item in items {
                f.tick(span)?;
                if !member(f, *item, set, span)? {
                    return Ok(false);
                }
            }
            // An injective sequence into S of S's length is onto.
            Ok(op != PERM || elements(f, set, span)?.len() == items.len())
        }
    }
}

/// Is `id(S)` a sequence of elements of a set? Told without listing it.
fn identity_among_sequences<'s>(
    f: &mut Frame<'s>,
    op: usize,
    value: Val,
    set: Val,
    span: Span,
) -> Result<Option<bool>, Stop> {
    let Some((tag, args)) = f.store.as_symbolic(value) else { return Ok(None) };
    if split(tag).0 != IDENTITY {
        return Ok(None);
    }
    let Some(places) = spans(f, args[0])? else { return Ok(None) };
    let numbered = match (places.is_interval(), places.least()) {
        (true, Some(1)) => places.is_finite(),
        _ => places.is_empty() && !matches!(op, SEQ1 | ISEQ1),
    };
    Ok(Some(match op {
        PERM => numbered && equal(f, args[0], set, span)?,
        _ => numbered && subset(f, args[0], set, span)?,
    }))
}

/// Is it the empty set?
pub(crate) fn is_empty<'s>(f: &mut Frame<'s>, set: Val, span: Span) -> Result<bool, Stop> {
    if let Some(n) = f.store.card(set) {
        return Ok(n == 0);
    }
    // Where nobody has looked, a size is the most there can be.
    match size(f, set) {
        Some(0.0) => return Ok(true),
        Some(n) if n.is_infinite() => return Ok(false),
        _ => {}
    }
    if let Some((LOOSE, values)) = f.store.as_symbolic(set) {
        return Ok(values.is_empty());
    }
    f.certain(|f| {
        let outcome = each(f, set, span, &mut |_, _| Err(Stop::Enough));
        match outcome {
            Err(Stop::Enough) => Ok((false, true)),
            Ok(()) => Ok((true, false)),
            Err(stop) => Err(stop),
        }
    })
}

/// Is it finite?
pub(crate) fn is_finite<'s>(f: &mut Frame<'s>, set: Val, span: Span) -> Result<bool, Stop> {
    match size(f, set) {
        Some(n) => Ok(n.is_finite()),
        None if matches!(f.store.as_symbolic(set), Some((LOOSE, _))) => Ok(true),
        None => list(f, set, span).map(|_| true),
    }
}

/// Does each left side of a listed relation have one right side only?
pub(crate) fn is_function<'s>(f: &mut Frame<'s>, value: Val, span: Span) -> Result<bool, Stop> {
    if let Some(answer) = f.store.is_function(value) {
        return Ok(answer);
    }
    let Some((keys, _)) = f.store.as_columns(value) else { return Ok(false) };
    // The pairs differ: two with one left side are none of a function.
    let mut keys = with_equal_keys(f, keys, span)?;
    keys.sort_unstable_by_key(|key| key.raw());
    Ok(keys.windows(2).all(|w| w[0] != w[1]))
}

/// Does each right side of a listed relation belong to one left side only?
fn is_injective<'s>(f: &mut Frame<'s>, value: Val, span: Span) -> Result<bool, Stop> {
    if let Some(answer) = f.store.is_injective(value) {
        return Ok(answer);
    }
    let Some((_, values)) = f.store.as_columns(value) else { return Ok(false) };
    Ok(distinct(f, values.iter().copied(), span)?.len() == values.len())
}

/// Is each set of one kind, of subsets of a set, of the other kind too?
pub(crate) fn within_powers(op: usize, other: usize) -> bool {
    match other {
        POW => matches!(op, POW | POW1 | FIN | FIN1),
        POW1 => matches!(op, POW1 | FIN1),
        FIN => matches!(op, FIN | FIN1),
        FIN1 => op == FIN1,
        _ => false,
    }
}

/// Membership in products and arrows.
pub(crate) fn member2<'s>(
    f: &mut Frame<'s>,
    op: usize,
    value: Val,
    left: Val,
    right: Val,
    span: Span,
) -> Result<bool, Stop> {
    if op == CARTESIAN {
        return match f.store.as_pair(value) {
            Some((a, b)) => Ok(member(f, a, left, span)? && member(f, b, right, span)?),
            None => Ok(false),
        };
    }
    let Some(arrow) = arrow(op) else {
        return Ok(false);
    };
    in_arrow(f, arrow, value, left, right, span)
}

/// Is a relation of the kind the arrow demands?
pub(crate) fn in_arrow<'s>(
    f: &mut Frame<'s>,
    arrow: Arrow,
    value: Val,
    left: Val,
    right: Val,
    span: Span,
) -> Result<bool, Stop> {
    let store = f.store;
    if let Some(answer) = symbolic_in_arrow(f, arrow, value, left, right, span)? {
        return Ok(answer);
    }
    let value = list(f, value, span)?;
    if arrow.function && !is_function(f, value, span)? {
        return Ok(false);
    }
    if arrow.injective && !is_injective(f, value, span)? {
        return Ok(false);
    }
    let Some((l, r)) = store.as_columns(value) else {
        return Ok(false);
    };
    f.pay(l.len() as u64, span)?;
    if arrow.total {
        // Interned sets: if the domain is the very set, nothing has to be compared.
        let domain = store.domain(value);
        if domain != Some(left) {
            if size(f, left) == Some(f64::INFINITY) {
                return Ok(false);
            }
            let left = list(f, left, span)?;
            let same = match domain {
                Some(domain) => equal(f, domain, left, span)?,
                // Words do not tell keys apart.
                None => equal(f, store.set(l.to_vec()), left, span)?,
            };
            if !same {
                return Ok(false);
            }
        }
    } else {
        for i in 0..l.len() {
            // Rows are sorted by key, so each key is asked about once.
            if (i == 0 || l[i] != l[i - 1]) && !member(f, l[i], left, span)? {
                return Ok(false);
            }
        }
    }
    for v in r {
        if !member(f, *v, right, span)? {
            return Ok(false);
        }
    }
    if arrow.surjective {
        if size(f, right) == Some(f64::INFINITY) {
            return Ok(false);
        }
        // All values are inside already: as many as there are elements means all of them.
        let all = elements(f, right, span)?.len();
        let range = elements(f, store.set(r.to_vec()), span)?.len();
        return Ok(range == all);
    }
    Ok(true)
}

/// The same of a relation that is not listed, where its form tells.
fn symbolic_in_arrow<'s>(
    f: &mut Frame<'s>,
    arrow: Arrow,
    value: Val,
    left: Val,
    right: Val,
    span: Span,
) -> Result<Option<bool>, Stop> {
    let Some((tag, args)) = f.store.as_symbolic(value) else { return Ok(None) };
    let demands = arrow.function || arrow.total || arrow.injective || arrow.surjective;
    if !demands && is_whole(f, left) && is_whole(f, right) {
        return Ok(Some(true));
    }
    if split(tag).0 == IDENTITY {
        let mut fits = |side: Val, whole: bool| match whole {
            true => equal(f, args[0], side, span),
            false => subset(f, args[0], side, span),
        };
        return Ok(Some(fits(left, arrow.total)? && fits(right, arrow.surjective)?));
    }
    // A function that is changed in a few places within both sets.
    if split(tag) == (RELATION, BinaryOp::Override as usize)
        && arrow.function
        && !arrow.injective
        && !arrow.surjective
        && f.store.is_listed(args[1])
    {
        let partial = Arrow { total: false, ..arrow };
        let inside = in_arrow(f, partial, args[1], left, right, span)?
            && in_arrow(f, arrow, args[0], left, right, span)?;
        return Ok(inside.then_some(true));
    }
    let (CLOSURE, code) = split(tag) else { return Ok(None) };
    if arrow.injective || arrow.surjective || size(f, left).is_some_and(f64::is_finite) {
        return Ok(None);
    }
    let Some(domain) = domain(f, code, args)? else { return Ok(None) };
    let fits = if arrow.total {
        subset(f, domain, left, span)? && subset(f, left, domain, span)?
    } else {
        subset(f, domain, left, span)?
    };
    if !fits || is_whole(f, right) {
        return Ok(Some(fits));
    }
    f.certain(|f| {
        let mut inside = true;
        let outcome = each(f, value, span, &mut |f, pair| {
            if let Some((_, value)) = f.store.as_pair(pair) {
                inside = member(f, value, right, span)?;
            }
            if inside { Ok(()) } else { Err(Stop::Enough) }
        });
        match outcome {
            Ok(()) | Err(Stop::Enough) => Ok((Some(inside), !inside)),
            Err(stop) => Err(stop),
        }
    })
}

/// Size of `POW(S)` and its like, from the size of S.
pub(crate) fn size1(op: usize, n: f64) -> Option<f64> {
    // An overflow must not make a finite space look infinite.
    let finite = |size: f64| if n.is_finite() { size.min(f64::MAX) } else { size };
    Some(match op {
        SEQ | SEQ1 => return seq_size(op, n),
        _ => finite(size_of(op, n)),
    })
}

fn seq_size(op: usize, n: f64) -> Option<f64> {
    Some(match (op, n == 0.0) {
        (_, false) => f64::INFINITY,
        (SEQ, true) => 1.0,
        _ => 0.0,
    })
}

fn size_of(op: usize, n: f64) -> f64 {
    match op {
        POW | FIN => n.exp2(),
        POW1 | FIN1 => n.exp2() - 1.0,
        // Sequences are finite.
        PERM if n.is_infinite() => 0.0,
        PERM => (1..=n.min(200.0) as u32).map(f64::from).product(),
        _ => {
            // Sum of the numbers of arrangements.
            let (mut total, mut arrangements) = (1.0, 1.0);
            for k in 0..n.min(200.0) as u32 {
                arrangements *= n - f64::from(k);
                total += arrangements;
            }
            if op == ISEQ1 { total - 1.0 } else { total }
        }
    }
}

/// Size of products and arrows (an upper bound for surjective ones).
pub(crate) fn size2(op: usize, a: f64, b: f64) -> Option<f64> {
    if op == CARTESIAN {
        return Some(arith::times(a, b));
    }
    let arrow = arrow(op)?;
    if arrow.function && arrow.surjective && b.is_infinite() {
        // Nothing finite is mapped onto it; of infinite ones it depends.
        return a.is_finite().then_some(0.0);
    }
    // There may be some or none: infinite sets come in several sizes.
    if arrow.injective && arrow.total && a.is_infinite() && b.is_infinite() {
        return None;
    }
    let finite = |size: f64| {
        if a.is_finite() && b.is_finite() { size.min(f64::MAX) } else { size }
    };
    Some(finite(if !arrow.function {
        arith::times(a, b).exp2()
    } else if arrow.injective && arrow.total {
        if a > b { 0.0 } else { (0..a.min(200.0) as u32).map(|k| b - f64::from(k)).product() }
    } else if arrow.total {
        if a == 0.0 { 1.0 } else { b.powf(a) }
    } else if a == 0.0 || b == 0.0 {
        1.0
    } else {
        (b + 1.0).powf(a)
    }))
}

/// What a predefined function gives.
pub(crate) fn function(f: &Frame<'_>, function: usize, key: Val) -> Vec<Val> {
    let store = f.store;
    const SUCCESSOR: usize = BasicFunction::Successor as usize;
    const PREDECESSOR: usize = BasicFunction::Predecessor as usize;
    const FIRST: usize = BasicFunction::First as usize;
    const SECOND: usize = BasicFunction::Second as usize;
    match (function, store.as_pair(key)) {
        (SUCCESSOR, _) => vec![arith::add(store, key, store.int(1))],
        (PREDECESSOR, _) => vec![arith::subtract(store, key, store.int(1))],
        (FIRST, Some((a, _))) => vec![a],
        (SECOND, Some((_, b))) => vec![b],
        _ => vec![key],
    }
}

/// What a symbolic relational operator relates to a key.
pub(crate) fn relation_related<'s>(
    f: &mut Frame<'s>,
    op: usize,
    a: Val,
    b: Val,
    key: Val,
    span: Span,
) -> Result<Vec<Val>, Stop> {
    const COMPOSE: usize = BinaryOp::Compose as usize;
    const OVERRIDE: usize = BinaryOp::Override as usize;
    const DOMAIN_RESTRICT: usize = BinaryOp::DomainRestrict as usize;
    const DOMAIN_SUBTRACT: usize = BinaryOp::DomainSubtract as usize;
    const DIRECT: usize = BinaryOp::DirectProduct as usize;
    const PARALLEL: usize = BinaryOp::ParallelProduct as usize;
    let store = f.store;
    match op {
        COMPOSE => {
            let mut out = Vec::new();
            for middle in related(f, a, key, span)? {
                out.extend(related(f, b, middle, span)?);
            }
            distinct(f, out, span)
        }
        OVERRIDE => {
            // The second relation hides the first wherever it has a value.
            let over = related(f, b, key, span)?;
            if over.is_empty() { related(f, a, key, span) } else { Ok(over) }
        }
        DOMAIN_RESTRICT | DOMAIN_SUBTRACT => {
            if member(f, key, a, span)? == (op == DOMAIN_RESTRICT) {
                related(f, b, key, span)
            } else {
                Ok(Vec::new())
            }
        }
        DIRECT => {
            let (left, right) = (related(f, a, key, span)?, related(f, b, key, span)?);
            Ok(left.iter().flat_map(|l| right.iter().map(|r| store.pair(*l, *r))).collect())
        }
        PARALLEL => {
            let Some((k1, k2)) = store.as_pair(key) else {
                return Ok(Vec::new());
            };
            let (left, right) = (related(f, a, k1, span)?, related(f, b, k2, span)?);
            Ok(left.iter().flat_map(|l| right.iter().map(|r| store.pair(*l, *r))).collect())
        }
        // Range restriction and subtraction.
        _ => {
            let inside = op == BinaryOp::RangeRestrict as usize;
            let mut out = Vec::new();
            for value in related(f, a, key, span)? {
                if member(f, value, b, span)? == inside {
                    out.push(value);
                }
            }
            Ok(out)
        }
    }
}

/// Membership in the set of a free type.
pub(crate) fn free_member<'s>(
    f: &mut Frame<'s>,
    ty: usize,
    value: Val,
    args: &[Val],
    span: Span,
) -> Result<bool, Stop> {
    let rt = f.rt;
    let Some(Node::Free(_, constructor, argument)) = f.store.node(value) else {
        return Ok(false);
    };
    let info = &rt.free_types[ty];
    let (Some(argument), Some((_, Some(set)))) =
        (argument, info.constructors.get(*constructor as usize))
    else {
        return Ok(true);
    };
    for (&slot, &arg) in info.parameters.iter().zip(args) {
        f.slots[slot] = arg;
    }
    f.tick(span)?;
    stacker::maybe_grow(128 << 10, 4 << 20, || {
        let set = set(f)?;
        member(f, *argument, set, span)
    })
}

/// The exact size of products, powers and arrows, without listing them.
pub(crate) fn exact_size(f: &Frame<'_>, set: Val) -> Option<BigInt> {
    /// Exponents up to here are computed.
    const MAX_EXPONENT: u32 = 100_000;
    let store = f.store;
    if let Some(n) = store.card(set) {
        return Some(BigInt::from(n));
    }
    let (tag, args) = store.as_symbolic(set)?;
    let (kind, op) = split(tag);
    if kind == SPANS {
        return Spans::of_ends(store, args).exact_size();
    }
    let size = |i: usize| exact_size(f, *args.get(i)?);
    let power = |base: BigInt, exponent: BigInt| {
        let n = u32::try_from(exponent).ok().filter(|n| *n <= MAX_EXPONENT)?;
        Some(base.pow(n))
    };
    let falling = |n: &BigInt, k: &BigInt| {
        let k = u32::try_from(k.clone()).ok().filter(|k| *k <= MAX_EXPONENT)?;
        Some((0..k).map(|i| n - i).product::<BigInt>())
    };
    let two = || BigInt::from(2);
    match kind {
        SPACE1 => match op {
            POW | FIN => power(two(), size(0)?),
            POW1 | FIN1 => Some(power(two(), size(0)?)? - 1),
            PERM => falling(&size(0)?, &size(0)?),
            _ => None,
        },
        RELATION if op == BinaryOp::ParallelProduct as usize => Some(size(0)? * size(1)?),
        SPACE2 if op == CARTESIAN => Some(size(0)? * size(1)?),
        SPACE2 => {
            let arrow = arrow(op)?;
            let (a, b) = (size(0)?, size(1)?);
            match (arrow.function, arrow.total, arrow.injective, arrow.surjective) {
                (false, false, _, false) => power(two(), a * b),
                (true, true, false, false) => power(b, a),
                (true, false, false, false) => power(b + 1, a),
                (true, true, true, false) if a <= b => falling(&b, &a),
                (true, true, true, true) if a == b => falling(&b, &a),
                (true, true, true, _) => Some(BigInt::from(0)),
                _ => None,
            }
        }
        _ => None,
    }
}
