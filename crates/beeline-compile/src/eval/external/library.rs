//! Library functions beside the common ones of `external`: scaled trigonometry, components of
//! relations, digests, decimal texts. One function each; all are exact or round as their library
//! says. Nothing here looks at anything but its arguments.

use super::{Function, int, real, wrong};
use crate::answer::{CutReason, FaultKind, Stop};
use crate::eval::frame::Frame;
use crate::eval::operators::{binary, text, unary};
use crate::eval::sets::{elements, list};
use crate::eval::show::show;
use beeline_model::{BinaryOp, TypeId, UnaryOp, digest};
use beeline_source::Span;
use beeline_value::Val;
use num_bigint::{BigInt, Sign};
use num_traits::{FromPrimitive, ToPrimitive};

pub(crate) fn function(name: &str) -> Option<Function> {
    Some(match name {
        "SIN" => |f, a, _, span| scaled(f, f64::sin, f.store.int(100), a[0], span),
        "COS" => |f, a, _, span| scaled(f, f64::cos, f.store.int(100), a[0], span),
        "TAN" => |f, a, _, span| scaled(f, f64::tan, f.store.int(100), a[0], span),
        "SINx" => |f, a, _, span| scaled(f, f64::sin, a[0], a[1], span),
        "COSx" => |f, a, _, span| scaled(f, f64::cos, a[0], a[1], span),
        "TANx" => |f, a, _, span| scaled(f, f64::tan, a[0], a[1], span),
        "LOGx" => logarithm,
        "LCM" => least_common_multiple,
        "MSB" => |f, a, _, span| {
            let number = int(f, a[0]);
            if number.sign() != Sign::Plus {
                return Err(wrong(span, "the highest bit of a number that is not positive"));
            }
            Ok(f.store.big_int(BigInt::from(number.bits()) - 1))
        },
        "FACTORIAL" => factorial,
        "RSIGN" => |f, a, _, _| {
            let number = real(f, a[0]);
            Ok(f.store.real(if number == 0.0 { 0.0 } else { number.signum() }))
        },
        "RFRACTION" => |f, a, _, _| Ok(f.store.real(real(f, a[0]).fract())),
        "RINTEGER" => |f, a, _, _| Ok(f.store.real(real(f, a[0]).trunc())),
        "RLOG" => |f, a, _, _| Ok(f.store.real(real(f, a[1]).ln() / real(f, a[0]).ln())),
        "SCCS" => components,
        "HASH" => |f, a, types, span| {
            let bytes = digested(f, a[0], types, span)?;
            Ok(f.store.int(bytes[..4].iter().fold(0, |n, byte| n << 8 | i64::from(*byte))))
        },
        "SHA_HASH" => |f, a, types, span| {
            let bytes = digested(f, a[0], types, span)?;
            Ok(f.store.sequence(bytes.iter().map(|b| f.store.int(i64::from(*b))).collect()))
        },
        "SHA_HASH_HEX" => |f, a, types, span| {
            let bytes = digested(f, a[0], types, span)?;
            Ok(f.store.string(&digest::hexadecimal(&bytes)))
        },
        // Models are given no arguments.
        "ARGC" => |f, _, _, _| Ok(f.store.int(0)),
        "STRING_PADLEFT" => pad_left,
        "INT_TO_HEX_STRING" => |f, a, _, _| Ok(f.store.string(&int(f, a[0]).to_str_radix(16))),
        "INT_TO_DEC_STRING" => decimal_text,
        "DEC_STRING_TO_INT" => decimal_number,
        "STRING_IS_NUMBER" | "STRING_IS_DECIMAL" => {
            |f, a, _, _| Ok(Val::bool(text(f, a[0]).trim().parse().is_ok_and(f64::is_finite)))
        }
        "STRING_IS_ALPHANUMERIC" => |f, a, _, _| {
            let s = text(f, a[0]);
            Ok(Val::bool(!s.is_empty() && s.chars().all(char::is_alphanumeric)))
        },
        _ => return function(name.strip_prefix("GET_")?),
    })
}

/// `m * op(x / m)`, rounded.
fn scaled(f: &Frame<'_>, op: fn(f64) -> f64, m: Val, x: Val, span: Span) -> Result<Val, Stop> {
    let (m, x) = (double(f, m), double(f, x));
    if m == 0.0 {
        return Err(Stop::fault(FaultKind::Arithmetic, span, "division by zero"));
    }
    rounded(f, m * op(x / m), span)
}

fn double(f: &Frame<'_>, number: Val) -> f64 {
    int(f, number).to_f64().unwrap_or(f64::NAN)
}

fn rounded(f: &Frame<'_>, number: f64, span: Span) -> Result<Val, Stop> {
    match BigInt::from_f64(number.round()) {
        Some(number) => Ok(f.store.big_int(number)),
        None => Err(wrong(span, "the result is no number")),
    }
}

fn logarithm<'s>(f: &mut Frame<'s>, a: &[Val], _: &[TypeId], span: Span) -> Result<Val, Stop> {
    let (m, base, x) = (double(f, a[0]), double(f, a[1]), double(f, a[2]));
    if m == 0.0 {
        return Err(Stop::fault(FaultKind::Arithmetic, span, "division by zero"));
    }
    rounded(f, m * ((x / m).ln() / (base / m).ln()), span)
}

fn least_common_multiple<'s>(
    f: &mut Frame<'s>,
    a: &[Val],
    _: &[TypeId],
    span: Span,
) -> Result<Val, Stop> {
    let (x, y) = (int(f, a[0]), int(f, a[1]));
    if x.sign() == Sign::NoSign || y.sign() == Sign::NoSign {
        return Ok(f.store.int(0));
    }
    let (mut p, mut q) = (x.clone(), y.clone());
    while q.sign() != Sign::NoSign {
        f.tick(span)?;
        (p, q) = (q.clone(), p % q);
    }
    Ok(f.store.big_int(BigInt::from((x / p * y).magnitude().clone())))
}

fn factorial<'s>(f: &mut Frame<'s>, a: &[Val], _: &[TypeId], span: Span) -> Result<Val, Stop> {
    let n = match int(f, a[0]).to_u32() {
        Some(n) if n <= 10_000 => n,
        Some(_) => return Err(Stop::cut(CutReason::LargeSet, span, "a factorial beyond 10000")),
        None => return Err(wrong(span, "the factorial of a negative number")),
    };
    f.pay(u64::from(n) * u64::from(n) / 64, span)?;
    Ok(f.store.big_int((1..=n).map(BigInt::from).product()))
}

/// `(closure1(r) /\ closure1(r)~)[{x}]` for each x in its domain.
fn components<'s>(f: &mut Frame<'s>, a: &[Val], _: &[TypeId], span: Span) -> Result<Val, Stop> {
    let reached = unary(f, UnaryOp::Closure1, a[0], span)?;
    let back = unary(f, UnaryOp::Inverse, reached, span)?;
    let both = binary(f, BinaryOp::Intersection, reached, back, span)?;
    let nodes = unary(f, UnaryOp::Domain, both, span)?;
    let nodes = elements(f, nodes, span)?;
    let mut parts = Vec::new();
    for i in 0..nodes.len() {
        f.tick(span)?;
        let one = f.store.set(vec![f.store.nth(nodes, i)]);
        parts.push(binary(f, BinaryOp::Image, both, one, span)?);
    }
    Ok(f.store.set(parts))
}

/// The digest of the text of a value.
fn digested<'s>(
    f: &mut Frame<'s>,
    value: Val,
    types: &[TypeId],
    span: Span,
) -> Result<[u8; 20], Stop> {
    let is_set = types.first().is_some_and(|ty| f.rt.types.element(*ty).is_some());
    let value = if is_set { list(f, value, span)? } else { value };
    let text = show(f.rt, value, types.first().copied());
    f.pay(text.len() as u64, span)?;
    Ok(digest::sha1(text.as_bytes()))
}

fn pad_left<'s>(f: &mut Frame<'s>, a: &[Val], _: &[TypeId], span: Span) -> Result<Val, Stop> {
    let (s, pad) = (text(f, a[0]).to_owned(), text(f, a[2]).to_owned());
    let width = f.store.as_i64(a[1]).and_then(|n| usize::try_from(n).ok()).unwrap_or(0);
    let missing = width.saturating_sub(s.chars().count());
    crate::eval::operators::text_room(f, missing.saturating_mul(pad.len()), span)?;
    Ok(f.store.string(&format!("{}{s}", pad.repeat(missing))))
}

/// So many digits behind the point; below zero, so many zeros before it.
fn digits(f: &Frame<'_>, number: Val, span: Span) -> Result<i32, Stop> {
    let digits = f.store.as_i64(number).and_then(|n| i32::try_from(n).ok());
    let few = digits.filter(|d| d.unsigned_abs() <= 1_000);
    few.ok_or_else(|| wrong(span, "so many digits are not possible"))
}

fn decimal_text<'s>(f: &mut Frame<'s>, a: &[Val], _: &[TypeId], span: Span) -> Result<Val, Stop> {
    let (number, digits) = (int(f, a[0]), digits(f, a[1], span)?);
    let Ok(digits @ 1..) = usize::try_from(digits) else {
        let whole = number * BigInt::from(10).pow(digits.unsigned_abs());
        return Ok(f.store.string(&whole.to_string()));
    };
    let plain = format!("{:0>width$}", number.magnitude().to_string(), width = digits + 1);
    let (whole, fraction) = plain.split_at(plain.len() - digits);
    let sign = if number.sign() == Sign::Minus { "-" } else { "" };
    Ok(f.store.string(&format!("{sign}{whole}.{fraction}")))
}

/// The number that a decimal text is, times a power of ten, rounded half away from zero.
fn decimal_number<'s>(f: &mut Frame<'s>, a: &[Val], _: &[TypeId], span: Span) -> Result<Val, Stop> {
    let no_number = || wrong(span, "not the text of a decimal number");
    let (s, digits) = (text(f, a[0]).trim().to_owned(), digits(f, a[1], span)?);
    let (negative, s) = match s.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, s.as_str()),
    };
    let (whole, fraction) = s.split_once('.').unwrap_or((s, ""));
    f.pay(s.len() as u64, span)?;
    let all: BigInt = match format!("{whole}{fraction}") {
        all if all.bytes().all(|b| b.is_ascii_digit()) => all.parse().map_err(|_| no_number())?,
        _ => return Err(no_number()),
    };
    let places = i64::from(digits) - i64::try_from(fraction.len()).unwrap_or(i64::MAX);
    let scale = BigInt::from(10).pow(u32::try_from(places.unsigned_abs()).unwrap_or(u32::MAX));
    let number = if places >= 0 { all * scale } else { (all + &scale / 2) / scale };
    Ok(f.store.big_int(if negative { -number } else { number }))
}
