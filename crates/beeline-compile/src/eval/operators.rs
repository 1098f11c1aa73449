//! Operators on values: listed operands go to the store, symbolic ones stay symbolic or are listed.

use crate::answer::{CutReason, FaultKind, Stop};
use crate::eval::arith;
use crate::eval::frame::{Frame, Memo};
use crate::eval::memory::PART;
use crate::eval::sets::*;
use crate::eval::show::show;
use beeline_model::{BinaryOp, UnaryOp};
use beeline_source::Span;
use beeline_value::{Elems, Lookup, Val};

mod changes;
pub(crate) mod tree;

/// Arithmetic, paid for by the length of the numbers.
fn integers(f: &mut Frame<'_>, op: BinaryOp, a: Val, b: Val, span: Span) -> Result<Val, Stop> {
    let store = f.store;
    let (x, y) = (arith::cost(store, a), arith::cost(store, b));
    let result = match op {
        BinaryOp::Add => arith::add(store, a, b),
        BinaryOp::Subtract => arith::subtract(store, a, b),
        // Paid before the work: long numbers multiply in a time that nobody could interrupt.
        BinaryOp::Multiply => {
            f.pay(x.saturating_mul(y), span)?;
            arith::multiply(store, a, b, span)?
        }
        BinaryOp::Divide => {
            f.pay(x.saturating_mul(y), span)?;
            arith::divide(store, a, b, span)?
        }
        BinaryOp::Modulo => {
            f.pay(x.saturating_mul(y), span)?;
            arith::modulo(store, a, b, span)?
        }
        _ => arith::power(store, a, b, span)?,
    };
    f.pay(arith::cost(store, result), span)?;
    Ok(result)
}

/// Applies a binary operator.
pub(crate) fn binary<'s>(
    f: &mut Frame<'s>,
    op: BinaryOp,
    a: Val,
    b: Val,
    span: Span,
) -> Result<Val, Stop> {
    use BinaryOp as B;
    let store = f.store;
    match op {
        B::Add | B::Subtract | B::Multiply | B::Divide | B::Modulo | B::Exponent => {
            return integers(f, op, a, b, span);
        }
        B::RealAdd | B::RealSubtract | B::RealMultiply | B::RealDivide | B::RealExponent => {
            return arith::real(store, op, a, b, span);
        }
        B::Interval => return interval(f, a, b, span),
        B::Pair => {
            // A pair keeps its parts for good. Small symbolic sets in it would be listed again and again.
            let (a, b) = (settle(f, a, span)?, settle(f, b, span)?);
            return Ok(store.pair(a, b));
        }
        B::Relations
        | B::PartialFunctions
        | B::TotalFunctions
        | B::PartialInjections
        | B::TotalInjections
        | B::PartialSurjections
        | B::TotalSurjections
        | B::PartialBijections
        | B::TotalBijections
        | B::TotalRelations
        | B::SurjectiveRelations
        | B::TotalSurjectiveRelations => {
            if let Some(space) = between_nothing(f, op, a, b)? {
                return Ok(space);
            }
            return Ok(store.symbolic(tag(SPACE2, op as usize), vec![a, b]));
        }
        B::Cartesian => return cartesian(f, a, b, span),
        B::Projection1 => return Ok(store.symbolic(tag(PROJECTION, 1), vec![a, b])),
        B::Projection2 => return Ok(store.symbolic(tag(PROJECTION, 2), vec![a, b])),
        _ => {}
    }
    // Operators on interned values are functions of words, and models repeat them in every state.
    let key = Memo::BINARY + op as u32;
    if let Some(known) = f.memo.get(key, a, b) {
        return Ok(known);
    }
    let (result, whole) = f.noting(|f| binary_set(f, op, a, b, span));
    let result = result?;
    // A result with something left out is not remembered: its cut would be heard once only.
    if whole {
        f.memo.put(key, a, b, result);
    }
    Ok(result)
}

/// Relations or functions from or to the empty set, if it is known which there are: one set has one
/// form.
fn between_nothing(f: &mut Frame<'_>, op: BinaryOp, a: Val, b: Val) -> Result<Option<Val>, Stop> {
    use BinaryOp as B;
    let (no_a, no_b) = (a == Val::EMPTY, b == Val::EMPTY);
    if !no_a && !no_b {
        return Ok(None);
    }
    let total = matches!(
        op,
        B::TotalFunctions
            | B::TotalInjections
            | B::TotalSurjections
            | B::TotalBijections
            | B::TotalRelations
            | B::TotalSurjectiveRelations
    );
    let onto = matches!(
        op,
        B::PartialSurjections
            | B::TotalSurjections
            | B::PartialBijections
            | B::TotalBijections
            | B::SurjectiveRelations
            | B::TotalSurjectiveRelations
    );
    // There is only the empty relation.
    if (no_a || !total) && (no_b || !onto) {
        return Ok(Some(f.store.set(vec![Val::EMPTY])));
    }
    let other = if no_a { b } else { a };
    let has_some = match f.store.is_listed(other) {
        true => true,
        false => spans(f, other)?.is_some_and(|spans| !spans.is_empty()),
    };
    Ok(has_some.then_some(Val::EMPTY))
}

fn interval(f: &Frame<'_>, a: Val, b: Val, span: Span) -> Result<Val, Stop> {
    let store = f.store;
    match (store.as_i64(a), store.as_i64(b)) {
        (Some(lo), Some(hi)) => {
            if i128::from(hi) - i128::from(lo) >= i128::from(u32::MAX) {
                // Kept as a condition on the integers; nobody lists four billion.
                return Ok(store.range(lo, hi));
            }
            Ok(store.range(lo, hi))
        }
        _ if store.cmp(a, b).is_gt() => Ok(Val::EMPTY),
        _ => Err(too_large(span)),
    }
}

fn binary_set<'s>(
    f: &mut Frame<'s>,
    op: BinaryOp,
    a: Val,
    b: Val,
    span: Span,
) -> Result<Val, Stop> {
    use BinaryOp as B;
    f.charge(a, b, span)?;
    let store = f.store;
    // Products of relations may be huge though both sides are small.
    if op == B::ParallelProduct {
        let n = |s| size(f, s).unwrap_or(f64::INFINITY);
        if arith::times(n(a), n(b)) > 100_000.0 && n(a) > 0.0 && n(b) > 0.0 {
            return Ok(store.symbolic(tag(RELATION, op as usize), vec![a, b]));
        }
    }
    if matches!(op, B::TreeConst | B::TreeRank | B::TreeFather | B::TreeArity | B::TreeSubtree) {
        return tree::binary(f, op, a, b, span);
    }
    if is_sequence_op(op) {
        return sequence_op(f, op, a, b, span);
    }
    // Equal words are equal sets, listed or not.
    if a == b && matches!(op, B::Union | B::Intersection | B::Difference) {
        return Ok(if op == B::Difference { Val::EMPTY } else { a });
    }
    let listed = store.is_listed(a) && store.is_listed(b);
    if let Some(kind) = kind_of(op)
        && (!listed || is_long(f, a) || is_long(f, b))
        && let Some(result) = combine(f, kind, a, b)?
    {
        return Ok(result);
    }
    if let Some(result) = changes::changed(f, op, a, b, span)? {
        return Ok(result);
    }
    if listed
        && (a.is_opaque() || b.is_opaque())
        && let Some(result) = opaque_binary(f, op, a, b, span)?
    {
        return Ok(result);
    }
    if (!listed || a.is_opaque() || b.is_opaque())
        && let Some(result) = symbolic_binary(f, op, a, b, span)?
    {
        return Ok(result);
    }
    let (a, b) = if op == B::Iterate {
        (list(f, a, span)?, b)
    } else {
        (list(f, a, span)?, list(f, b, span)?)
    };
    let result = match op {
        B::Union => store.union(a, b),
        B::Intersection => store.inter(a, b),
        B::Difference => store.diff(a, b),
        B::Compose | B::DirectProduct => joined(f, op, a, b, span)?,
        B::ParallelProduct => store.parallel_product(a, b),
        B::Override => store.override_with(a, b),
        B::DomainRestrict => store.restrict_domain(a, b, true),
        B::DomainSubtract => store.restrict_domain(a, b, false),
        B::RangeRestrict => store.restrict_range(a, b, true),
        B::RangeSubtract => store.restrict_range(a, b, false),
        B::Image => store.image(a, b),
        B::Iterate => return iterate(f, a, b, span),
        _ => return tree::binary(f, op, a, b, span),
    };
    result.ok_or_else(|| too_large(span))
}

/// The symbolic form of an operator on sets.
fn kind_of(op: BinaryOp) -> Option<u32> {
    match op {
        BinaryOp::Union => Some(UNION),
        BinaryOp::Intersection => Some(INTER),
        BinaryOp::Difference => Some(DIFF),
        _ => None,
    }
}

/// Is it an interval that is better not listed?
fn is_long(f: &Frame<'_>, set: Val) -> bool {
    matches!(f.store.elems(set), Some(Elems::Range(lo, hi)) if lo.abs_diff(hi) > 1_000)
}

/// Operators on listed sets whose elements words do not tell apart, as far as `symbolic_binary` does
/// not look at elements one by one anyway.
fn opaque_binary<'s>(
    f: &mut Frame<'s>,
    op: BinaryOp,
    a: Val,
    b: Val,
    span: Span,
) -> Result<Option<Val>, Stop> {
    use BinaryOp as B;
    let store = f.store;
    let rows = |relation: Val| store.as_columns(relation).unwrap_or((&[], &[]));
    let result = match op {
        B::Union => {
            let both = [a, b].map(|set| store.elems(set).map_or(Vec::new(), |e| store.list(e)));
            store.set(both.concat())
        }
        B::Override => {
            if let Some(result) = store.override_with(a, b) {
                return Ok(Some(result));
            }
            let ((l, r), (over, values)) = (rows(a), rows(b));
            let mut out = Vec::new();
            for (key, value) in l.iter().zip(r) {
                if !among(f, *key, over.iter().copied(), span)? {
                    out.push((*key, *value));
                }
            }
            out.extend(over.iter().copied().zip(values.iter().copied()));
            store.relation(out)
        }
        B::DirectProduct => {
            let (l, r) = rows(a);
            let mut out = Vec::new();
            for (key, value) in l.iter().zip(r) {
                for other in related(f, b, *key, span)? {
                    out.push((*key, store.pair(*value, other)));
                }
            }
            store.relation(out)
        }
        B::ParallelProduct => return Ok(store.parallel_product(a, b)),
        _ => return Ok(None),
    };
    // As it is listed, so is the result, if its elements can be told apart.
    settle(f, result, span).map(Some)
}

/// What stays symbolic, or is answered without listing the symbolic side.
fn symbolic_binary<'s>(
    f: &mut Frame<'s>,
    op: BinaryOp,
    a: Val,
    b: Val,
    span: Span,
) -> Result<Option<Val>, Stop> {
    use BinaryOp as B;
    let store = f.store;
    let (la, lb) = (store.is_listed(a), store.is_listed(b));
    // A listed side that is empty, or that filters the other, decides.
    let filter = |f: &mut Frame<'s>, from: Val, by: Val, inside: bool| {
        let mut out = Vec::new();
        each(f, from, span, &mut |f, value| {
            if member(f, value, by, span)? == inside {
                out.push(value);
            }
            Ok(())
        })?;
        Ok(f.store.set_of_distinct(out))
    };
    Ok(Some(match op {
        B::Intersection if la => filter(f, a, b, true)?,
        B::Intersection if lb => filter(f, b, a, true)?,
        B::Difference if la => filter(f, a, b, false)?,
        B::Union if a == Val::EMPTY => b,
        B::Union if b == Val::EMPTY => a,
        B::Image if lb || !la && size(f, b).is_some_and(|n| n < 100_000.0) => {
            let keys = elements(f, b, span)?;
            let mut out = Vec::new();
            for i in 0..keys.len() {
                out.extend(related(f, a, store.nth(keys, i), span)?);
            }
            store.set(out)
        }
        B::Image if la => {
            let (l, r) = store.as_columns(a).unwrap_or((&[], &[]));
            let mut out = Vec::new();
            for i in 0..l.len() {
                f.tick(span)?;
                if member(f, l[i], b, span)? {
                    out.push(r[i]);
                }
            }
            store.set(out)
        }
        B::Compose if la => {
            let (l, r) = store.as_columns(a).unwrap_or((&[], &[]));
            let mut out = Vec::new();
            for i in 0..l.len() {
                for value in related(f, b, r[i], span)? {
                    out.push((l[i], value));
                }
            }
            store.relation(out)
        }
        B::DomainRestrict if la => {
            let keys = elements(f, a, span)?;
            let mut out = Vec::new();
            for i in 0..keys.len() {
                let key = store.nth(keys, i);
                for value in related(f, b, key, span)? {
                    out.push((key, value));
                }
            }
            store.relation(out)
        }
        B::DomainRestrict | B::DomainSubtract if lb => {
            let inside = op == B::DomainRestrict;
            let (l, r) = store.as_columns(b).unwrap_or((&[], &[]));
            let mut out = Vec::new();
            for i in 0..l.len() {
                if member(f, l[i], a, span)? == inside {
                    out.push((l[i], r[i]));
                }
            }
            store.relation(out)
        }
        B::RangeRestrict | B::RangeSubtract if la => {
            let inside = op == B::RangeRestrict;
            let (l, r) = store.as_columns(a).unwrap_or((&[], &[]));
            let mut out = Vec::new();
            for i in 0..l.len() {
                if member(f, r[i], b, span)? == inside {
                    out.push((l[i], r[i]));
                }
            }
            store.relation(out)
        }
        _ => {
            // Two small symbolic sets are listed; others stay symbolic.
            let small = |s| size(f, s).is_some_and(|n| n < 70_000.0);
            if small(a) && small(b) {
                return Ok(None);
            }
            if let Some(result) = with_nothing(op, a, b) {
                return Ok(Some(result));
            }
            if matches!(op, B::Union | B::Intersection) {
                // One form for both orders.
                let (a, b) = if store.cmp(a, b).is_le() { (a, b) } else { (b, a) };
                let kind = if op == B::Union { UNION } else { INTER };
                return Ok(Some(store.symbolic(kind, vec![a, b])));
            }
            let kind = match op {
                B::Difference => DIFF,
                B::Compose
                | B::ParallelProduct
                | B::DirectProduct
                | B::Override
                | B::DomainRestrict
                | B::DomainSubtract
                | B::RangeRestrict
                | B::RangeSubtract => tag(RELATION, op as usize),
                _ => return Ok(None),
            };
            store.symbolic(kind, vec![a, b])
        }
    }))
}

/// What an operator makes of the empty set beside a set that is not listed: one set has one form.
fn with_nothing(op: BinaryOp, a: Val, b: Val) -> Option<Val> {
    use BinaryOp as B;
    match (op, a == Val::EMPTY, b == Val::EMPTY) {
        (_, false, false) => None,
        (
            B::ParallelProduct
            | B::DirectProduct
            | B::Intersection
            | B::Compose
            | B::DomainRestrict
            | B::RangeRestrict
            | B::Image,
            ..,
        ) => Some(Val::EMPTY),
        // Taking nothing away, or from nothing.
        (B::Difference | B::RangeSubtract, ..) => Some(a),
        (B::DomainSubtract, ..) => Some(b),
        (B::Union | B::Override, nothing, _) => Some(if nothing { b } else { a }),
        _ => None,
    }
}

fn iterate<'s>(f: &mut Frame<'s>, r: Val, n: Val, span: Span) -> Result<Val, Stop> {
    let store = f.store;
    let Some(times) = store.as_i64(n).filter(|n| *n >= 0) else {
        return Err(Stop::fault(FaultKind::Arithmetic, span, "iterate a negative number of times"));
    };
    // The compiler has seen to zero times, which is the identity on the whole type.
    let mut result = r;
    for _ in 1..times {
        f.charge(result, r, span)?;
        let next = match joined(f, BinaryOp::Compose, result, r, span)? {
            Some(next) => next,
            None => binary(f, BinaryOp::Compose, result, r, span)?,
        };
        // From here on every further power is the same.
        if next == result || next == Val::EMPTY {
            return Ok(next);
        }
        result = next;
    }
    Ok(result)
}

fn is_sequence_op(op: BinaryOp) -> bool {
    use BinaryOp as B;
    matches!(
        op,
        B::Concat
            | B::Prepend
            | B::Append
            | B::Take
            | B::Drop
            | B::StringConcat
            | B::StringTake
            | B::StringDrop
    )
}

fn sequence_fault(f: &Frame<'_>, value: Val, span: Span) -> Stop {
    Stop::fault(FaultKind::Sequence, span, format!("{} is not a sequence", show(f.rt, value, None)))
}

/// The items of a sequence, or a fault.
pub(crate) fn items<'s>(f: &mut Frame<'s>, value: Val, span: Span) -> Result<&'s [Val], Stop> {
    let value = list(f, value, span)?;
    let store = f.store;
    store.items(value).ok_or_else(|| sequence_fault(f, value, span))
}

fn sequence_op<'s>(
    f: &mut Frame<'s>,
    op: BinaryOp,
    a: Val,
    b: Val,
    span: Span,
) -> Result<Val, Stop> {
    use BinaryOp as B;
    let store = f.store;
    Ok(match op {
        B::Concat => {
            let (x, y) = (items(f, a, span)?, items(f, b, span)?);
            // Before it is made: doubling a sequence thirty times is thirty steps and a gigabyte.
            sequence_room(f, x.len().saturating_add(y.len()), span)?;
            store.sequence([x, y].concat())
        }
        B::Prepend => {
            let y = items(f, b, span)?;
            store.sequence([&[a], y].concat())
        }
        B::Append => {
            let x = items(f, a, span)?;
            store.sequence([x, &[b]].concat())
        }
        B::Take | B::Drop => {
            let x = items(f, a, span)?;
            let n = in_range(f, b, x.len(), span)?;
            store.sequence(if op == B::Take { x[..n].to_vec() } else { x[n..].to_vec() })
        }
        B::StringConcat => {
            let parts = [text(f, a), text(f, b)];
            text_room(f, parts[0].len() + parts[1].len(), span)?;
            store.string(&parts.concat())
        }
        _ => {
            let chars: Vec<char> = text(f, a).chars().collect();
            let n = in_range(f, b, chars.len(), span)?;
            let part = if op == B::StringTake { &chars[..n] } else { &chars[n..] };
            store.string(&part.iter().collect::<String>())
        }
    })
}

/// Pays for a sequence of this length, which must not be too long, before it is made.
fn sequence_room(f: &mut Frame<'_>, length: usize, span: Span) -> Result<(), Stop> {
    if length > f.rt.settings.elements {
        return Err(too_large(span));
    }
    f.pay_for(length, PART, span)
}

/// Pays for a text of so many bytes, before it is made.
pub(crate) fn text_room(f: &mut Frame<'_>, bytes: usize, span: Span) -> Result<(), Stop> {
    // It is there twice for a moment, and its characters take four bytes each.
    f.pay_for(bytes, 6, span)
}

/// The texts of a sequence, joined.
pub(crate) fn joined_texts<'s>(
    f: &mut Frame<'s>,
    sequence: Val,
    by: &str,
    span: Span,
) -> Result<Val, Stop> {
    let parts = items(f, sequence, span)?;
    let bytes = parts.iter().fold(0usize, |n, p| n.saturating_add(text(f, *p).len() + by.len()));
    text_room(f, bytes, span)?;
    let parts: Vec<&str> = parts.iter().map(|p| text(f, *p)).collect();
    Ok(f.store.string(&parts.join(by)))
}

/// `(a ; b)` or `a >< b` of listed relations, paid for by what comes out.
fn joined(
    f: &mut Frame<'_>,
    op: BinaryOp,
    a: Val,
    b: Val,
    span: Span,
) -> Result<Option<Val>, Stop> {
    let store = f.store;
    let by_right = op == BinaryOp::Compose;
    let n = |v| store.card(v).unwrap_or(0);
    // Most are small: counting first would only take time.
    if n(a).saturating_mul(n(b)) > 1 << 20 {
        let most = f.rt.settings.elements;
        f.pay(n(a) as u64, span)?;
        match store.joined_len(a, b, by_right, most) {
            Some(length) if length > most => return Err(too_large(span)),
            length => f.pay_for(length.unwrap_or(0), 2 * PART, span)?,
        }
    }
    Ok(if by_right { store.compose(a, b) } else { store.direct_product(a, b) })
}

/// The text of a string value.
pub(crate) fn text<'s>(f: &Frame<'s>, value: Val) -> &'s str {
    f.store.as_str(value).unwrap_or("")
}

fn in_range(f: &Frame<'_>, n: Val, length: usize, span: Span) -> Result<usize, Stop> {
    f.store.as_i64(n).and_then(|n| usize::try_from(n).ok()).filter(|n| *n <= length).ok_or_else(
        || {
            let words = format!("{} is not within 0..{length}", show(f.rt, n, None));
            Stop::fault(FaultKind::Sequence, span, words)
        },
    )
}

/// Applies a unary operator.
pub(crate) fn unary<'s>(f: &mut Frame<'s>, op: UnaryOp, a: Val, span: Span) -> Result<Val, Stop> {
    use UnaryOp as U;
    let store = f.store;
    match op {
        U::Negate => return Ok(arith::negate(store, a)),
        U::RealNegate => return Ok(store.real(-store.as_real(a).unwrap_or(f64::NAN))),
        U::Power
        | U::Power1
        | U::Finite
        | U::Finite1
        | U::Seq
        | U::Seq1
        | U::Iseq
        | U::Iseq1
        | U::Perm => {
            if a == Val::EMPTY {
                let needs_one = matches!(op, U::Power1 | U::Finite1 | U::Seq1 | U::Iseq1);
                return Ok(if needs_one { Val::EMPTY } else { store.set(vec![Val::EMPTY]) });
            }
            // All subsets of a finite set are finite.
            let op = match op {
                U::Finite if size(f, a).is_some_and(f64::is_finite) => U::Power,
                U::Finite1 if size(f, a).is_some_and(f64::is_finite) => U::Power1,
                op => op,
            };
            return Ok(store.symbolic(tag(SPACE1, op as usize), vec![a]));
        }
        U::PairFirst | U::PairSecond => {
            let (l, r) = store.as_pair(a).unwrap_or((a, a));
            return Ok(if op == U::PairFirst { l } else { r });
        }
        U::Floor => return real_to_int(f, a, f64::floor, span),
        U::Ceiling => return real_to_int(f, a, f64::ceil, span),
        U::ToReal => {
            use num_traits::ToPrimitive;
            let number = store.as_big(a).and_then(|n| n.to_f64()).unwrap_or(f64::NAN);
            return Ok(store.real(number));
        }
        // Before the memo: it is in the node already.
        U::Card | U::Size if store.is_listed(a) && op == U::Card => {
            if let Some(Elems::Range(lo, hi)) = store.elems(a) {
                return Ok(store.big_int(num_bigint::BigInt::from(hi) - lo + 1));
            }
            return Ok(store.int(store.card(a).unwrap_or(0) as i64));
        }
        _ => {}
    }
    let key = Memo::UNARY + op as u32;
    if let Some(known) = f.memo.get(key, a, a) {
        return Ok(known);
    }
    f.charge(a, a, span)?;
    let (result, whole) = f.noting(|f| unary_set(f, op, a, span));
    let result = result?;
    if whole {
        f.memo.put(key, a, a, result);
    }
    Ok(result)
}

fn real_to_int(f: &Frame<'_>, a: Val, round: fn(f64) -> f64, span: Span) -> Result<Val, Stop> {
    use num_traits::FromPrimitive;
    let value = round(f.store.as_real(a).unwrap_or(f64::NAN));
    match num_bigint::BigInt::from_f64(value) {
        Some(big) => Ok(f.store.big_int(big)),
        None => Err(Stop::fault(FaultKind::Arithmetic, span, "not a number")),
    }
}

/// The domain of a lambda over sets that are too large to list.
fn unlisted_domain(f: &mut Frame<'_>, function: Val) -> Result<Option<Val>, Stop> {
    let Some((tag, env)) = f.store.as_symbolic(function) else { return Ok(None) };
    let (CLOSURE, code) = split(tag) else { return Ok(None) };
    let domain = domain(f, code, env)?;
    Ok(domain.filter(|set| size(f, *set).is_some_and(|n| n > 70_000.0)))
}

fn unary_set<'s>(f: &mut Frame<'s>, op: UnaryOp, a: Val, span: Span) -> Result<Val, Stop> {
    use UnaryOp as U;
    let store = f.store;
    let empty =
        |what: &str| Stop::fault(FaultKind::EmptySet, span, format!("{what} of the empty set"));
    let small = |f: &Frame<'_>, s| size(f, s).is_none_or(|n| n < 70_000.0);
    Ok(match op {
        U::Card => match size(f, a) {
            Some(n) if n.is_infinite() => {
                return Err(Stop::fault(FaultKind::InfiniteSet, span, "card of an infinite set"));
            }
            _ => {
                // `card(POW(1..100))` has an answer, and no listing.
                if let Some(n) = exact_card(f, a) {
                    return Ok(n);
                }
                let n = elements(f, a, span)?.len();
                store.int(n as i64)
            }
        },
        U::Min | U::Max => {
            // Infinite on one side only, it still has an end on the other.
            if !store.is_listed(a)
                && let Some(spans) = spans(f, a)?
                && let Some(end) = if op == U::Min { spans.least() } else { spans.greatest() }
            {
                return Ok(store.int(end));
            }
            let elems = elements(f, a, span)?;
            let name = if op == U::Min { "min" } else { "max" };
            match (elems.len(), op) {
                (0, _) => return Err(empty(name)),
                (_, U::Min) => store.nth(elems, 0),
                (n, _) => store.nth(elems, n - 1),
            }
        }
        U::RealMin | U::RealMax => {
            let elems = elements(f, a, span)?;
            match (elems.len(), op) {
                (0, _) => return Err(empty("min or max")),
                (_, U::RealMin) => store.nth(elems, 0),
                (n, _) => store.nth(elems, n - 1),
            }
        }
        U::GeneralUnion | U::GeneralInter => {
            let elems = elements(f, a, span)?;
            if elems.is_empty() && op == U::GeneralInter {
                return Err(empty("inter"));
            }
            general(f, op == U::GeneralUnion, elems, span)?
        }
        U::Domain | U::Range => {
            let kind = if op == U::Domain { DOMAIN } else { RANGE };
            if !store.is_listed(a) && !small(f, a) {
                if let Some(set) = symbolic_side(f, op == U::Domain, a) {
                    return Ok(set);
                }
                return Ok(store.symbolic(kind, vec![a]));
            }
            if op == U::Domain
                && let Some(domain) = unlisted_domain(f, a)?
            {
                return Ok(domain);
            }
            let r = match list(f, a, span) {
                // Whether something is in it may still be known.
                Err(Stop::Cut(cut)) if cut.reason == CutReason::LargeSet => {
                    return Ok(store.symbolic(kind, vec![a]));
                }
                r => r?,
            };
            let side = match store.as_columns(r) {
                Some((left, _)) if op == U::Domain => {
                    store.domain(r).unwrap_or_else(|| store.set(left.to_vec()))
                }
                _ => store.codomain(r).ok_or_else(|| too_large(span))?,
            };
            settle(f, side, span)?
        }
        U::Identity => {
            let long = is_long(f, a) && size(f, a).is_none_or(|n| n > 1_000_000.0);
            if long || !store.is_listed(a) && size(f, a).is_none_or(|n| n > 70_000.0) {
                return Ok(store.symbolic(IDENTITY, vec![a]));
            }
            let s = list(f, a, span)?;
            store.identity(s).ok_or_else(|| too_large(span))?
        }
        U::Inverse => {
            if !store.is_listed(a) && size(f, a).is_none_or(|n| n > 70_000.0) {
                return Ok(match store.as_symbolic(a).map(|(tag, args)| (split(tag).0, args)) {
                    // Twice the other way round is the relation itself: one set has one form.
                    Some((IDENTITY, _)) => a,
                    Some((INVERSE, args)) => args[0],
                    _ => store.symbolic(INVERSE, vec![a]),
                });
            }
            let r = list(f, a, span)?;
            let inverse = store.inverse(r).ok_or_else(|| too_large(span))?;
            settle(f, inverse, span)?
        }
        U::Closure1 | U::Closure => {
            let r = match list(f, a, span) {
                // What is reachable from one place may still be found.
                Err(Stop::Cut(cut)) if op == U::Closure1 && cut.reason == CutReason::LargeSet => {
                    return Ok(store.symbolic(REACHABLE, vec![a]));
                }
                r => r?,
            };
            let limit = f.rt.settings.elements;
            let mut paid = Ok(());
            // Paid for while it grows: a closure may have the square of its relation.
            let closed = store.closure1_while(r, limit, &mut |pairs| {
                paid = f.pay_for(pairs, PART, span);
                paid.is_ok()
            });
            paid?;
            closed.ok_or_else(|| too_large(span))?
        }
        U::Fnc => {
            let mut r = list(f, a, span)?;
            if r.is_opaque() {
                // Equal keys get one word; then their rows are beside each other.
                let (l, rr) = store.as_columns(r).unwrap_or((&[], &[]));
                let keys = with_equal_keys(f, l, span)?;
                let pairs = keys.into_iter().zip(rr).map(|(k, v)| store.pair(k, *v)).collect();
                r = store.set_of_distinct(pairs);
            }
            let (l, rr) = store.as_columns(r).unwrap_or((&[], &[]));
            let mut out = Vec::new();
            let mut i = 0;
            while i < l.len() {
                let rows = store.rows(l, l[i]);
                i = rows.end;
                out.push((l[rows.start], store.set(rr[rows].to_vec())));
            }
            // A key is there once.
            store.set_of_distinct(out.into_iter().map(|(k, v)| store.pair(k, v)).collect())
        }
        U::Rel => {
            let r = list(f, a, span)?;
            let (l, rr) = store.as_columns(r).unwrap_or((&[], &[]));
            let mut out = Vec::new();
            for i in 0..l.len() {
                let values = elements(f, rr[i], span)?;
                f.pay(values.len() as u64, span)?;
                out.extend((0..values.len()).map(|k| (l[i], store.nth(values, k))));
            }
            store.relation(out)
        }
        U::Size => store.int(items(f, a, span)?.len() as i64),
        U::First | U::Last | U::Front | U::Tail => {
            let x = items(f, a, span)?;
            let Some((first, rest)) = x.split_first() else {
                let words = format!("{op:?} of an empty sequence").to_lowercase();
                return Err(Stop::fault(FaultKind::Sequence, span, words));
            };
            match op {
                U::First => *first,
                U::Last => x[x.len() - 1],
                U::Front => store.sequence(x[..x.len() - 1].to_vec()),
                _ => store.sequence(rest.to_vec()),
            }
        }
        U::Reverse => {
            let x = items(f, a, span)?;
            store.sequence(x.iter().rev().copied().collect())
        }
        U::Concat => {
            let parts = items(f, a, span)?;
            let mut length = 0usize;
            for part in parts {
                f.tick(span)?;
                length = length.saturating_add(items(f, *part, span)?.len());
                if length > f.rt.settings.elements {
                    return Err(too_large(span));
                }
            }
            sequence_room(f, length, span)?;
            let mut out = Vec::with_capacity(length);
            for part in parts {
                out.extend_from_slice(items(f, *part, span)?);
            }
            store.sequence(out)
        }
        U::StringSize => store.int(text(f, a).chars().count() as i64),
        U::StringReverse => store.string(&text(f, a).chars().rev().collect::<String>()),
        U::StringConcat => joined_texts(f, a, "", span)?,
        U::StringFirst | U::StringLast | U::StringFront | U::StringTail => {
            let chars: Vec<char> = text(f, a).chars().collect();
            let part = match (op, chars.len()) {
                (_, 0) => {
                    return Err(Stop::fault(FaultKind::Sequence, span, "an empty string"));
                }
                (U::StringFirst, _) => &chars[..1],
                (U::StringLast, n) => &chars[n - 1..],
                (U::StringFront, n) => &chars[..n - 1],
                _ => &chars[1..],
            };
            store.string(&part.iter().collect::<String>())
        }
        _ => return tree::unary(f, op, a, span),
    })
}

/// Sizes that need no listing.
fn exact_card(f: &Frame<'_>, set: Val) -> Option<Val> {
    exact_size(f, set).map(|n| f.store.big_int(n))
}

/// Domain or range of symbolic relations whose sides are known.
fn symbolic_side(f: &Frame<'_>, domain: bool, relation: Val) -> Option<Val> {
    let (tag, args) = f.store.as_symbolic(relation)?;
    match split(tag) {
        (SPACE2, op) if op == CARTESIAN => {
            let other = size(f, args[usize::from(domain)])?;
            (other > 0.0).then(|| args[usize::from(!domain)])
        }
        (FUNCTION, op) if op <= 1 => Some(f.store.symbolic(INTEGER, Vec::new())),
        (IDENTITY, _) => Some(args[0]),
        _ => None,
    }
}

fn general<'s>(f: &mut Frame<'s>, union: bool, sets: Elems<'s>, span: Span) -> Result<Val, Stop> {
    let store = f.store;
    let any_symbolic = (0..sets.len()).any(|i| store.as_symbolic(store.nth(sets, i)).is_some());
    // One that is not listed makes the whole so; the operator knows which forms stay.
    if union && any_symbolic {
        let mut all = Val::EMPTY;
        for i in 0..sets.len() {
            all = binary(f, BinaryOp::Union, all, store.nth(sets, i), span)?;
        }
        return Ok(all);
    }
    if union {
        let mut all = Vec::new();
        for i in 0..sets.len() {
            let inner = elements(f, store.nth(sets, i), span)?;
            f.pay(inner.len() as u64, span)?;
            if all.len().saturating_add(inner.len()) > f.rt.settings.elements {
                return Err(too_large(span));
            }
            f.reserve((inner.len() as u64).saturating_mul(PART), span)?;
            all.extend(store.list(inner));
        }
        return Ok(store.set(all));
    }
    let mut result = store.nth(sets, 0);
    for i in 1..sets.len() {
        result = binary(f, BinaryOp::Intersection, result, store.nth(sets, i), span)?;
    }
    Ok(result)
}

/// `r(x)`
pub(crate) fn apply<'s>(
    f: &mut Frame<'s>,
    function: Val,
    key: Val,
    span: Span,
) -> Result<Val, Stop> {
    let store = f.store;
    let values = match store.lookup(function, key) {
        // By far the most frequent way out, and it costs neither a step nor the memo.
        Some(Lookup::One(value)) => return Ok(value),
        Some(Lookup::Many) => 2,
        Some(Lookup::Missing) => 0,
        None => {
            const APPLY: u32 = 2;
            if let Some(known) = f.memo.get(APPLY, function, key) {
                return Ok(known);
            }
            let (values, whole) = f.noting(|f| related(f, function, key, span));
            let values = values?;
            if let [value] = values[..] {
                if whole {
                    f.memo.put(APPLY, function, key, value);
                }
                return Ok(value);
            }
            values.len()
        }
    };
    // Only now: a text for each application would cost more than all applications.
    Err(if values == 0 {
        outside_domain(f, key, span)
    } else {
        let argument = show(f.rt, key, None);
        let words = format!("a relation with several values for {argument} is applied");
        Stop::fault(FaultKind::NotAFunction, span, words)
    })
}

/// A function has no value there.
pub(crate) fn outside_domain(f: &Frame<'_>, key: Val, span: Span) -> Stop {
    let words = format!("function applied outside its domain: to {}", show(f.rt, key, None));
    Stop::fault(FaultKind::OutsideDomain, span, words)
}
