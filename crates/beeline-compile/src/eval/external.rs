//! External functions: pure ones by name, printing ones as no-ops, others refused.

use crate::answer::{CutReason, FaultKind, Stop};
use crate::eval::frame::Frame;
use crate::eval::operators::{binary, items, joined_texts, text, text_room, unary};
use crate::eval::sets::{self, elements};
use crate::eval::show::show;
use beeline_model::TypeId;
use beeline_source::Span;
use beeline_value::Val;
use num_bigint::BigInt;

mod library;
mod optimum;

pub(crate) type Function = for<'s> fn(&mut Frame<'s>, &[Val], &[TypeId], Span) -> Result<Val, Stop>;

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

pub(crate) fn refused(name: &str, span: Span) -> Stop {
    Stop::cut(
        CutReason::Unsupported,
        span,
        format!("the external function {name} is not supported"),
    )
}

/// Predicates that print or observe, and are true.
pub(crate) fn is_print(name: &str) -> bool {
    matches!(
        name,
        "printf"
            | "tprintf"
            | "iprintf"
            | "dprintf"
            | "fprintf"
            | "printf_nonvar"
            | "printf_opt_trace"
            | "printf_two"
            | "vprintf"
            | "fvprintf"
            | "PRINTF"
            | "FPRINTF"
            | "observe"
            | "observe_silent"
            | "observe_indent"
            | "tobserve"
            | "observe_fun"
            | "ENUM"
            | "ENUMERATE"
            | "DO_NOT_ENUMERATE"
            | "SEE"
            | "TRACE"
            | "CHECK_DET"
            | "IS_DETERMINED"
            | "IS_DETERMINED_INTO_FILE"
            | "FORCE"
            | "DEBUG"
            | "PRINT"
            | "SLEEP"
            | "LEQ_SYM"
            | "LEQ_SYM_BREAK"
            | "MAXIMIZE_EXPR"
            | "MINIMIZE_EXPR"
    )
}

pub(crate) fn int(f: &Frame<'_>, v: Val) -> BigInt {
    f.store.as_big(v).unwrap_or_default()
}

pub(crate) fn real(f: &Frame<'_>, v: Val) -> f64 {
    f.store.as_real(v).unwrap_or(f64::NAN)
}

pub(crate) fn wrong(span: Span, words: &str) -> Stop {
    Stop::fault(FaultKind::External, span, words)
}

macro_rules! reals {
    ($name:expr; $($id:literal => $body:expr),* $(,)?) => {
        match $name {
            $($id => return Some(|f, a, _, _| {
                let op: fn(f64) -> f64 = $body;
                Ok(f.store.real(op(real(f, a[0]))))
            }),)*
            _ => {}
        }
    };
}

#[allow(clippy::too_many_lines)] // One line a function: a table.
pub(crate) fn function(name: &str) -> Option<Function> {
    reals! { name;
        "RSIN" => f64::sin, "RCOS" => f64::cos, "RTAN" => f64::tan, "RSQRT" => f64::sqrt,
        "REXP" => f64::exp, "RLOGe" => f64::ln, "RABS" => f64::abs, "RSINH" => f64::sinh,
        "RCOSH" => f64::cosh, "RTANH" => f64::tanh, "RASIN" => f64::asin, "RACOS" => f64::acos,
        "RATAN" => f64::atan, "RADIANS" => f64::to_radians, "DEGREE" => f64::to_degrees,
    }
    Some(match name {
        "CHOOSE" => |f, a, _, span| {
            let elems = elements(f, a[0], span)?;
            if elems.is_empty() {
                return Err(wrong(span, "choice from the empty set"));
            }
            Ok(f.store.nth(elems, 0))
        },
        "MU" | "MU_WD" => |f, a, _, span| {
            let elems = elements(f, a[0], span)?;
            match elems.len() {
                1 => Ok(f.store.nth(elems, 0)),
                n => Err(wrong(span, &format!("the only element of a set of {n}"))),
            }
        },
        "SORT" => |f, a, _, span| {
            let elems = elements(f, a[0], span)?;
            f.pay(elems.len() as u64, span)?;
            let values = f.store.list(elems);
            if values.iter().any(|v| v.is_opaque()) {
                // They have no order that does not depend on how they are written.
                return Err(sets::undecided(span));
            }
            Ok(f.store.sequence(values))
        },
        "SQUASH" => |f, a, _, span| {
            let r = sets::list(f, a[0], span)?;
            let (_, values) = f.store.as_columns(r).unwrap_or((&[], &[]));
            Ok(f.store.sequence(values.to_vec()))
        },
        "CLOSURE1" => |f, a, _, span| unary(f, beeline_model::UnaryOp::Closure1, a[0], span),
        "ABS" => |f, a, _, _| {
            let v = int(f, a[0]);
            Ok(f.store.big_int(if v < BigInt::from(0) { -v } else { v }))
        },
        "SIGN" => |f, a, _, _| {
            let v = f.store.cmp(a[0], f.store.int(0)) as i64;
            Ok(f.store.int(v))
        },
        "GCD" => |f, a, _, _| {
            let (mut x, mut y) = (int(f, a[0]), int(f, a[1]));
            while y != BigInt::from(0) {
                (x, y) = (y.clone(), x % y);
            }
            Ok(f.store.big_int(if x < BigInt::from(0) { -x } else { x }))
        },
        "FDIV" | "CDIV" => return Some(if name == "FDIV" { floor_div } else { ceiling_div }),
        "SQRT" => |f, a, _, span| {
            let v = int(f, a[0]);
            if v < BigInt::from(0) {
                return Err(wrong(span, "square root of a negative number"));
            }
            Ok(f.store.big_int(v.sqrt()))
        },
        "BAND" => |f, a, _, _| Ok(f.store.big_int(int(f, a[0]) & int(f, a[1]))),
        "BOR" => |f, a, _, _| Ok(f.store.big_int(int(f, a[0]) | int(f, a[1]))),
        "BXOR" => |f, a, _, _| Ok(f.store.big_int(int(f, a[0]) ^ int(f, a[1]))),
        "BNOT" => |f, a, _, _| Ok(f.store.big_int(-int(f, a[0]) - 1)),
        "BLSHIFT" | "BRSHIFT" => {
            return Some(if name == "BLSHIFT" { left_shift } else { right_shift });
        }
        "STRING_LENGTH" => |f, a, _, _| Ok(f.store.int(text(f, a[0]).chars().count() as i64)),
        "STRING_APPEND" => {
            |f, a, _, span| binary(f, beeline_model::BinaryOp::StringConcat, a[0], a[1], span)
        }
        "STRING_REV" => {
            |f, a, _, _| Ok(f.store.string(&text(f, a[0]).chars().rev().collect::<String>()))
        }
        "STRING_CONC" => |f, a, _, span| joined_texts(f, a[0], "", span),
        "STRING_SPLIT" => |f, a, _, _| {
            let (whole, by) = (text(f, a[0]), text(f, a[1]));
            // Nothing between two pieces: there is one piece.
            let parts: Vec<Val> = match by {
                "" => vec![a[0]],
                by => whole.split(by).map(|p| f.store.string(p)).collect(),
            };
            Ok(f.store.sequence(parts))
        },
        "STRING_JOIN" => |f, a, _, span| {
            let by = text(f, a[1]);
            joined_texts(f, a[0], by, span)
        },
        "STRING_CHARS" => |f, a, _, span| {
            text_room(f, text(f, a[0]).len(), span)?;
            let chars: Vec<char> = text(f, a[0]).chars().collect();
            let parts = chars.iter().map(|c| f.store.string(&c.to_string())).collect();
            Ok(f.store.sequence(parts))
        },
        "STRING_CODES" => |f, a, _, span| {
            text_room(f, text(f, a[0]).len(), span)?;
            let parts = text(f, a[0]).chars().map(|c| f.store.int(i64::from(c as u32))).collect();
            Ok(f.store.sequence(parts))
        },
        "CODES_TO_STRING" => |f, a, _, span| {
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
        "STRING_TO_UPPER" => |f, a, _, _| Ok(f.store.string(&text(f, a[0]).to_uppercase())),
        "STRING_TO_LOWER" => |f, a, _, _| Ok(f.store.string(&text(f, a[0]).to_lowercase())),
        "STRING_TO_INT" => |f, a, _, span| match integer_in(text(f, a[0])) {
            Some(v) => Ok(f.store.big_int(v)),
            None => Err(wrong(span, "not the text of an integer")),
        },
        "STRING_IS_INT" | "GET_STRING_IS_INT" => {
            |f, a, _, _| Ok(Val::bool(integer_in(text(f, a[0])).is_some()))
        }
        "STRING_CONTAINS_STRING" | "GET_STRING_CONTAINS_STRING" => {
            |f, a, _, _| Ok(Val::bool(text(f, a[0]).contains(text(f, a[1]))))
        }
        "STRING_EQUAL_CASE_INSENSITIVE" | "GET_STRING_EQUAL_CASE_INSENSITIVE" => {
            |f, a, _, _| Ok(Val::bool(text(f, a[0]).to_lowercase() == text(f, a[1]).to_lowercase()))
        }
        "STRING_REPLACE" => |f, a, _, span| match text(f, a[1]) {
            "" => Ok(a[0]),
            from => {
                let (whole, to) = (text(f, a[0]), text(f, a[2]));
                let most = whole.len() / from.len() * to.len().max(from.len());
                text_room(f, most.saturating_add(whole.len()), span)?;
                Ok(f.store.string(&whole.replace(from, to)))
            }
        },
        "SUB_STRING" => |f, a, _, span| {
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
        "INT_TO_STRING" => |f, a, _, _| Ok(f.store.string(&int(f, a[0]).to_string())),
        "TO_STRING" | "STRINGIFY" => |f, a, types, _| {
            let shown = match f.store.as_str(a[0]) {
                Some(s) => s.to_owned(),
                None => show(f.rt, a[0], types.first().copied()),
            };
            Ok(f.store.string(&shown))
        },
        "FORMAT_TO_STRING" => |f, a, _, span| {
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
        "RADD" => |f, a, _, _| Ok(f.store.real(real(f, a[0]) + real(f, a[1]))),
        "RSUB" => |f, a, _, _| Ok(f.store.real(real(f, a[0]) - real(f, a[1]))),
        "RMUL" => |f, a, _, _| Ok(f.store.real(real(f, a[0]) * real(f, a[1]))),
        "RDIV" => |f, a, _, span| {
            if real(f, a[1]) == 0.0 {
                return Err(Stop::fault(FaultKind::Arithmetic, span, "division by zero"));
            }
            Ok(f.store.real(real(f, a[0]) / real(f, a[1])))
        },
        "RPOW" => |f, a, _, _| Ok(f.store.real(real(f, a[0]).powf(real(f, a[1])))),
        "RMAX" => |f, a, _, _| Ok(f.store.real(real(f, a[0]).max(real(f, a[1])))),
        "RMIN" => |f, a, _, _| Ok(f.store.real(real(f, a[0]).min(real(f, a[1])))),
        "RLT" => |f, a, _, _| Ok(Val::bool(real(f, a[0]) < real(f, a[1]))),
        "RLEQ" => |f, a, _, _| Ok(Val::bool(real(f, a[0]) <= real(f, a[1]))),
        "RGT" => |f, a, _, _| Ok(Val::bool(real(f, a[0]) > real(f, a[1]))),
        "RGEQ" => |f, a, _, _| Ok(Val::bool(real(f, a[0]) >= real(f, a[1]))),
        "REQ" => |f, a, _, _| Ok(Val::bool(real(f, a[0]) == real(f, a[1]))),
        "RNEQ" => |f, a, _, _| Ok(Val::bool(real(f, a[0]) != real(f, a[1]))),
        "ROUND" => |f, a, _, _| {
            use num_traits::FromPrimitive;
            let v = BigInt::from_f64(real(f, a[0]).round()).unwrap_or_default();
            Ok(f.store.big_int(v))
        },
        "RPI" => |f, _, _, _| Ok(f.store.real(std::f64::consts::PI)),
        "RZERO" => |f, _, _, _| Ok(f.store.real(0.0)),
        "RONE" => |f, _, _, _| Ok(f.store.real(1.0)),
        "REULER" => |f, _, _, _| Ok(f.store.real(std::f64::consts::E)),
        "SYMBOLIC" | "COPY" | "FORCE" | "ENUM" | "MEMOIZE_STORED_FUNCTION" | "observe_fun" => {
            |_, a, _, _| Ok(a[a.len() - 1])
        }
        "ASSERT_EXPR" => |f, a, _, span| match a[0] {
            Val::TRUE => Ok(a[2]),
            _ => Err(wrong(span, &format!("ASSERT_EXPR: {}", text(f, a[1])))),
        },
        "TO_INT" => |f, a, _, span| match (a[0].as_atom(), a[0].as_bool()) {
            (Some((_, index)), _) => Ok(f.store.int(i64::from(index) + 1)),
            (_, Some(truth)) => Ok(f.store.int(i64::from(truth))),
            _ if f.store.is_int(a[0]) => Ok(a[0]),
            _ => Err(wrong(span, "no number belongs to this value")),
        },
        // They print as well, and their value is what they are given.
        "vprintf" | "fvprintf" | "tvprintf" => |_, a, _, _| Ok(a[a.len() - 1]),
        name if is_print(name) => |_, _, _, _| Ok(Val::TRUE),
        _ => return optimum::function(name).or_else(|| library::function(name)),
    })
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
