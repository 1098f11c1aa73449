//! Functions of integers: arithmetic, bits, trigonometry in fractions of a whole number.

use super::{Function, int, wrong};
use crate::answer::{CutReason, FaultKind, Stop};
use crate::eval::frame::Frame;
use beeline_model::{IntegerFunction, TypeId};
use beeline_source::Span;
use beeline_value::Val;
use num_bigint::{BigInt, Sign};
use num_traits::{FromPrimitive, ToPrimitive};

pub(super) fn function(of: IntegerFunction) -> Function {
    match of {
        IntegerFunction::Abs => |f, a, _, _| {
            let v = int(f, a[0]);
            Ok(f.store.big_int(if v < BigInt::from(0) { -v } else { v }))
        },
        IntegerFunction::Sign => |f, a, _, _| {
            let v = f.store.cmp(a[0], f.store.int(0)) as i64;
            Ok(f.store.int(v))
        },
        IntegerFunction::Gcd => |f, a, _, _| {
            let (mut x, mut y) = (int(f, a[0]), int(f, a[1]));
            while y != BigInt::from(0) {
                (x, y) = (y.clone(), x % y);
            }
            Ok(f.store.big_int(if x < BigInt::from(0) { -x } else { x }))
        },
        IntegerFunction::FloorDiv => floor_div,
        IntegerFunction::CeilingDiv => ceiling_div,
        IntegerFunction::Sqrt => |f, a, _, span| {
            let v = int(f, a[0]);
            if v < BigInt::from(0) {
                return Err(wrong(span, "square root of a negative number"));
            }
            Ok(f.store.big_int(v.sqrt()))
        },
        IntegerFunction::BitAnd => |f, a, _, _| Ok(f.store.big_int(int(f, a[0]) & int(f, a[1]))),
        IntegerFunction::BitOr => |f, a, _, _| Ok(f.store.big_int(int(f, a[0]) | int(f, a[1]))),
        IntegerFunction::BitXor => |f, a, _, _| Ok(f.store.big_int(int(f, a[0]) ^ int(f, a[1]))),
        IntegerFunction::BitNot => |f, a, _, _| Ok(f.store.big_int(-int(f, a[0]) - 1)),
        IntegerFunction::ShiftLeft => left_shift,
        IntegerFunction::ShiftRight => right_shift,
        IntegerFunction::Sin => |f, a, _, span| scaled(f, f64::sin, f.store.int(100), a[0], span),
        IntegerFunction::Cos => |f, a, _, span| scaled(f, f64::cos, f.store.int(100), a[0], span),
        IntegerFunction::Tan => |f, a, _, span| scaled(f, f64::tan, f.store.int(100), a[0], span),
        IntegerFunction::SinScaled => |f, a, _, span| scaled(f, f64::sin, a[0], a[1], span),
        IntegerFunction::CosScaled => |f, a, _, span| scaled(f, f64::cos, a[0], a[1], span),
        IntegerFunction::TanScaled => |f, a, _, span| scaled(f, f64::tan, a[0], a[1], span),
        IntegerFunction::LogScaled => logarithm,
        IntegerFunction::Lcm => least_common_multiple,
        IntegerFunction::Msb => |f, a, _, span| {
            let number = int(f, a[0]);
            if number.sign() != Sign::Plus {
                return Err(wrong(span, "the highest bit of a number that is not positive"));
            }
            Ok(f.store.big_int(BigInt::from(number.bits()) - 1))
        },
        IntegerFunction::Factorial => factorial,
    }
}

fn floor_div<'s>(f: &mut Frame<'s>, a: &[Val], _: &[TypeId], span: Span) -> Result<Val, Stop> {
    let (x, y) = (int(f, a[0]), int(f, a[1]));
    if y == BigInt::from(0) {
        return Err(Stop::fault(FaultKind::Arithmetic, span, "division by zero"));
    }
    let (q, r) = (&x / &y, &x % &y);
    let below = r != BigInt::from(0) && ((r < BigInt::from(0)) != (y < BigInt::from(0)));
    Ok(f.store.big_int(if below { q - 1 } else { q }))
}

fn ceiling_div<'s>(f: &mut Frame<'s>, a: &[Val], t: &[TypeId], span: Span) -> Result<Val, Stop> {
    let negative = f.store.big_int(-int(f, a[0]));
    let q = floor_div(f, &[negative, a[1]], t, span)?;
    Ok(f.store.big_int(-int(f, q)))
}

fn shift_width(f: &Frame<'_>, v: Val, span: Span) -> Result<u32, Stop> {
    f.store
        .as_i64(v)
        .and_then(|v| u32::try_from(v).ok())
        .filter(|v| *v < 100_000)
        .ok_or_else(|| wrong(span, "a shift by this number is not possible"))
}

fn left_shift<'s>(f: &mut Frame<'s>, a: &[Val], _: &[TypeId], span: Span) -> Result<Val, Stop> {
    let by = shift_width(f, a[1], span)?;
    Ok(f.store.big_int(int(f, a[0]) << by))
}

fn right_shift<'s>(f: &mut Frame<'s>, a: &[Val], _: &[TypeId], span: Span) -> Result<Val, Stop> {
    let by = shift_width(f, a[1], span)?;
    Ok(f.store.big_int(int(f, a[0]) >> by))
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
