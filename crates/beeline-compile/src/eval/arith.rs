//! Integer and real arithmetic on values, with its faults and limits.

use crate::answer::{CutReason, FaultKind, Stop};
use beeline_model::BinaryOp;
use beeline_source::Span;
use beeline_value::{Store, Val};
use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive, Zero};

/// Integers may have this many bits.
const MAX_BITS: u64 = 1 << 20;

fn too_large(span: Span) -> Stop {
    Stop::cut(CutReason::LargeSet, span, format!("an integer of more than {MAX_BITS} bits"))
}

fn fault(span: Span, words: String) -> Stop {
    Stop::fault(FaultKind::Arithmetic, span, words)
}

/// Both operands as large integers; values of another type never come here.
fn bigs(store: &Store, a: Val, b: Val) -> (BigInt, BigInt) {
    (store.as_big(a).unwrap_or_default(), store.as_big(b).unwrap_or_default())
}

/// What it costs to look at a number once: its length in words of the machine.
pub(crate) fn limbs(number: &BigInt) -> u64 {
    number.bits() / 64
}

/// The cost of working on a value that may be a large integer.
#[inline]
pub(crate) fn cost(store: &Store, value: Val) -> u64 {
    match value.is_immediate() {
        true => 0,
        false => match store.node(value) {
            Some(beeline_value::Node::Int(number)) => limbs(number),
            _ => 0,
        },
    }
}

/// The number, unless it is too long.
fn short(number: BigInt, span: Span) -> Result<BigInt, Stop> {
    if number.bits() > MAX_BITS { Err(too_large(span)) } else { Ok(number) }
}

/// `a * b`, unless it is too long.
pub(crate) fn product(a: BigInt, b: &BigInt, span: Span) -> Result<BigInt, Stop> {
    // A product has as many bits as both factors together, or one less.
    if a.bits() + b.bits() > MAX_BITS + 1 {
        return Err(too_large(span));
    }
    short(a * b, span)
}

#[inline]
fn wide(store: &Store, value: i128) -> Val {
    match i64::try_from(value) {
        Ok(v) => store.int(v),
        Err(_) => store.big_int(BigInt::from(value)),
    }
}

/// `a + b`
#[inline]
pub(crate) fn add(store: &Store, a: Val, b: Val) -> Val {
    match a.both_small(b) {
        Some((x, y)) => store.int(x + y),
        None => {
            let (x, y) = bigs(store, a, b);
            store.big_int(x + y)
        }
    }
}

/// `a - b`
#[inline]
pub(crate) fn subtract(store: &Store, a: Val, b: Val) -> Val {
    match a.both_small(b) {
        Some((x, y)) => store.int(x - y),
        None => {
            let (x, y) = bigs(store, a, b);
            store.big_int(x - y)
        }
    }
}

/// `a * b`
pub(crate) fn multiply(store: &Store, a: Val, b: Val, span: Span) -> Result<Val, Stop> {
    if let Some((x, y)) = a.both_small(b) {
        return Ok(wide(store, i128::from(x) * i128::from(y)));
    }
    let (x, y) = bigs(store, a, b);
    Ok(store.big_int(product(x, &y, span)?))
}

/// `a / b`, toward zero.
pub(crate) fn divide(store: &Store, a: Val, b: Val, span: Span) -> Result<Val, Stop> {
    if b == store.int(0) {
        return Err(fault(span, "division by zero".into()));
    }
    if let Some((x, y)) = a.both_small(b) {
        return Ok(store.int(x / y));
    }
    let (x, y) = bigs(store, a, b);
    Ok(store.big_int(x / y))
}

/// `a mod b`
pub(crate) fn modulo(store: &Store, a: Val, b: Val, span: Span) -> Result<Val, Stop> {
    if let Some((x, y)) = a.both_small(b) {
        if y <= 0 || x < 0 {
            return Err(fault(span, format!("{x} mod {y}: needs a number >= 0 and one > 0")));
        }
        return Ok(store.int(x % y));
    }
    let (x, y) = bigs(store, a, b);
    if !y.is_positive() || x.is_negative() {
        return Err(fault(span, "mod needs a number >= 0 and one > 0".into()));
    }
    Ok(store.big_int(x % y))
}

/// `a ** b`
pub(crate) fn power(store: &Store, a: Val, b: Val, span: Span) -> Result<Val, Stop> {
    let (x, y) = bigs(store, a, b);
    if y.is_negative() {
        return Err(fault(span, "a negative exponent".into()));
    }
    if y.is_zero() {
        return Ok(store.int(1));
    }
    if x.is_zero() || x == BigInt::from(1) {
        return Ok(a);
    }
    if x == BigInt::from(-1) {
        let odd = y.bit(0);
        return Ok(store.int(if odd { -1 } else { 1 }));
    }
    match y.to_u32() {
        // Each factor but the first adds at least all but one of its bits, and at most all.
        Some(n) if u64::from(n).saturating_mul(x.bits() - 1) <= MAX_BITS => {
            Ok(store.big_int(short(x.pow(n), span)?))
        }
        _ => Err(too_large(span)),
    }
}

/// `-a`
pub(crate) fn negate(store: &Store, a: Val) -> Val {
    match a.as_small_int() {
        Some(x) => store.int(-x),
        None => store.big_int(-store.as_big(a).unwrap_or_default()),
    }
}

/// Real arithmetic.
pub(crate) fn real(store: &Store, op: BinaryOp, a: Val, b: Val, span: Span) -> Result<Val, Stop> {
    let x = store.as_real(a).unwrap_or(f64::NAN);
    let y = store.as_real(b).unwrap_or(f64::NAN);
    Ok(store.real(match op {
        BinaryOp::RealAdd => x + y,
        BinaryOp::RealSubtract => x - y,
        BinaryOp::RealMultiply => x * y,
        BinaryOp::RealDivide => {
            if y == 0.0 {
                return Err(fault(span, "division by zero".into()));
            }
            x / y
        }
        // The exponent of a real power is an integer or a real.
        _ => {
            let y = store.as_i64(b).map_or(y, |i| i as f64);
            x.powf(y)
        }
    }))
}

/// A product where nothing times infinity is nothing.
pub(crate) fn times(a: f64, b: f64) -> f64 {
    if a == 0.0 || b == 0.0 { 0.0 } else { a * b }
}
