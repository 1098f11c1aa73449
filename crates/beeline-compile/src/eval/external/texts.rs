//! Functions of texts, and texts of numbers.

use super::{Function, int, wrong};
use crate::answer::Stop;
use crate::eval::frame::Frame;
use crate::eval::operators::{binary, items, joined_texts, text, text_room};
use crate::eval::show::show;
use beeline_model::{BinaryOp, TextFunction, TypeId};
use beeline_source::Span;
use beeline_value::Val;
use num_bigint::{BigInt, Sign};

/// The integer that a text stands for: blanks, perhaps a minus and blanks, digits to the end.
fn integer_in(text: &str) -> Option<BigInt> {
    let text = text.trim_start();
    let (is_negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest.trim_start()),
        None => (false, text),
    };
    let is_number = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    let number: BigInt = is_number.then(|| digits.parse().ok())??;
    Some(if is_negative { -number } else { number })
}

pub(super) fn function(of: TextFunction) -> Function {
    match of {
        TextFunction::Length => |f, a, _, _| Ok(f.store.int(text(f, a[0]).chars().count() as i64)),
        TextFunction::Append => |f, a, _, span| binary(f, BinaryOp::StringConcat, a[0], a[1], span),
        TextFunction::Reverse => {
            |f, a, _, _| Ok(f.store.string(&text(f, a[0]).chars().rev().collect::<String>()))
        }
        TextFunction::Concat => |f, a, _, span| joined_texts(f, a[0], "", span),
        TextFunction::Split => |f, a, _, _| {
            let (whole, by) = (text(f, a[0]), text(f, a[1]));
            // Nothing between two pieces: there is one piece.
            let parts: Vec<Val> = match by {
                "" => vec![a[0]],
                by => whole.split(by).map(|p| f.store.string(p)).collect(),
            };
            Ok(f.store.sequence(parts))
        },
        TextFunction::Join => |f, a, _, span| {
            let by = text(f, a[1]);
            joined_texts(f, a[0], by, span)
        },
        TextFunction::Chars => |f, a, _, span| {
            text_room(f, text(f, a[0]).len(), span)?;
            let chars: Vec<char> = text(f, a[0]).chars().collect();
            let parts = chars.iter().map(|c| f.store.string(&c.to_string())).collect();
            Ok(f.store.sequence(parts))
        },
        TextFunction::Codes => |f, a, _, span| {
            text_room(f, text(f, a[0]).len(), span)?;
            let parts = text(f, a[0]).chars().map(|c| f.store.int(i64::from(c as u32))).collect();
            Ok(f.store.sequence(parts))
        },
        TextFunction::FromCodes => |f, a, _, span| {
            let codes = items(f, a[0], span)?;
            let chars: Option<String> = codes
                .iter()
                .map(|c| {
                    f.store.as_i64(*c).and_then(|c| u32::try_from(c).ok()).and_then(char::from_u32)
                })
                .collect();
            match chars {
                Some(s) => Ok(f.store.string(&s)),
                None => Err(wrong(span, "not a character code")),
            }
        },
        TextFunction::Upper => |f, a, _, _| Ok(f.store.string(&text(f, a[0]).to_uppercase())),
        TextFunction::Lower => |f, a, _, _| Ok(f.store.string(&text(f, a[0]).to_lowercase())),
        TextFunction::ToInt => |f, a, _, span| match integer_in(text(f, a[0])) {
            Some(v) => Ok(f.store.big_int(v)),
            None => Err(wrong(span, "not the text of an integer")),
        },
        TextFunction::IsInt => |f, a, _, _| Ok(Val::bool(integer_in(text(f, a[0])).is_some())),
        TextFunction::Contains => |f, a, _, _| Ok(Val::bool(text(f, a[0]).contains(text(f, a[1])))),
        TextFunction::EqualIgnoringCase => {
            |f, a, _, _| Ok(Val::bool(text(f, a[0]).to_lowercase() == text(f, a[1]).to_lowercase()))
        }
        TextFunction::Replace => |f, a, _, span| match text(f, a[1]) {
            "" => Ok(a[0]),
            from => {
                let (whole, to) = (text(f, a[0]), text(f, a[2]));
                let most = whole.len() / from.len() * to.len().max(from.len());
                text_room(f, most.saturating_add(whole.len()), span)?;
                Ok(f.store.string(&whole.replace(from, to)))
            }
        },
        TextFunction::Part => |f, a, _, span| {
            let from = f.store.as_i64(a[1]).and_then(|v| usize::try_from(v.checked_sub(1)?).ok());
            let length = f.store.as_i64(a[2]).and_then(|v| usize::try_from(v).ok());
            match (from, length) {
                (Some(from), Some(length)) => {
                    let part: String = text(f, a[0]).chars().skip(from).take(length).collect();
                    Ok(f.store.string(&part))
                }
                _ => Err(wrong(span, "positions begin at 1")),
            }
        },
        TextFunction::FromInt => |f, a, _, _| Ok(f.store.string(&int(f, a[0]).to_string())),
        TextFunction::Format => |f, a, _, span| {
            let parts = items(f, a[1], span)?;
            let mut shown = parts.iter().map(|p| match f.store.as_str(*p) {
                Some(s) => s.to_owned(),
                None => show(f.rt, *p, None),
            });
            let mut out = String::new();
            let mut pieces = text(f, a[0]).split("~w");
            out.push_str(pieces.next().unwrap_or(""));
            for piece in pieces {
                out.push_str(&shown.next().unwrap_or_default());
                out.push_str(piece);
            }
            Ok(f.store.string(&out.replace("~n", "\n")))
        },
        TextFunction::PadLeft => pad_left,
        TextFunction::FromIntHex => |f, a, _, _| Ok(f.store.string(&int(f, a[0]).to_str_radix(16))),
        TextFunction::FromIntDecimal => decimal_text,
        TextFunction::DecimalToInt => decimal_number,
        TextFunction::IsNumber => {
            |f, a, _, _| Ok(Val::bool(text(f, a[0]).trim().parse().is_ok_and(f64::is_finite)))
        }
        TextFunction::IsAlphanumeric => |f, a, _, _| {
            let s = text(f, a[0]);
            Ok(Val::bool(!s.is_empty() && s.chars().all(char::is_alphanumeric)))
        },
    }
}

fn pad_left<'s>(f: &mut Frame<'s>, a: &[Val], _: &[TypeId], span: Span) -> Result<Val, Stop> {
    let (s, pad) = (text(f, a[0]).to_owned(), text(f, a[2]).to_owned());
    let width = f.store.as_i64(a[1]).and_then(|n| usize::try_from(n).ok()).unwrap_or(0);
    let missing = width.saturating_sub(s.chars().count());
    text_room(f, missing.saturating_mul(pad.len()), span)?;
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
