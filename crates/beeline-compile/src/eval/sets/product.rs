//! Products of sets, which may be huge though both sides are small.

use super::tags::{CARTESIAN, SPACE2, tag, too_large};
use super::{list, size};
use crate::answer::Stop;
use crate::eval::arith::times;
use crate::eval::frame::{Frame, Memo};
use beeline_model::BinaryOp;
use beeline_source::Span;
use beeline_value::Val;

/// A product with more pairs is not listed for its own sake.
const MANY: f64 = 100_000.0;
/// A side that is not listed, and larger, stays as it is.
const SMALL: f64 = 70_000.0;

/// `a * b`
pub(super) fn product(f: &mut Frame<'_>, a: Val, b: Val, span: Span) -> Result<Val, Stop> {
    const KEY: u32 = Memo::BINARY + BinaryOp::Cartesian as u32;
    if let Some(known) = f.memo.get(KEY, a, b) {
        return Ok(known);
    }
    let (result, whole) = f.noting(|f| made(f, a, b, span));
    let result = result?;
    if whole {
        f.memo.put(KEY, a, b, result);
    }
    Ok(result)
}

fn made(f: &mut Frame<'_>, a: Val, b: Val, span: Span) -> Result<Val, Stop> {
    f.charge(a, b, span)?;
    let store = f.store;
    // Made only if it is needed: every interned node stays for the whole run.
    let symbolic = || store.symbolic(tag(SPACE2, CARTESIAN), vec![a, b]);
    let n = |s| size(f, s).unwrap_or(f64::INFINITY);
    if times(n(a), n(b)) > MANY && n(a) > 0.0 && n(b) > 0.0 {
        return Ok(symbolic());
    }
    let listed = store.is_listed(a) && store.is_listed(b);
    let opaque = a.is_opaque() || b.is_opaque();
    if listed
        && opaque
        && let Some(result) = store.product(a, b)
    {
        return Ok(result);
    }
    // Two small symbolic sets are listed; others stay symbolic.
    let small = |s| size(f, s).is_some_and(|n| n < SMALL);
    if (!listed || opaque) && !(small(a) && small(b)) {
        let nothing = a == Val::EMPTY || b == Val::EMPTY;
        return Ok(if nothing { Val::EMPTY } else { symbolic() });
    }
    let (a, b) = (list(f, a, span)?, list(f, b, span)?);
    store.product(a, b).ok_or_else(|| too_large(span))
}
