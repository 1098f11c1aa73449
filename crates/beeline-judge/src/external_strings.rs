//! External functions on strings.

use crate::Judge;
use crate::error::{Eval, EvalError};
use crate::parts::integer;
use crate::strings::text;
use crate::value::Value;
use beeline_model::{BinaryOp, TextFunction, UnaryOp};
use num_bigint::BigInt;

/// Digits, with a minus before them and blanks before both, but none after them.
fn whole_number(text: &str) -> Option<BigInt> {
    let from = text.find(|c: char| !c.is_whitespace())?;
    let sign = usize::from(text[from..].starts_with('-'));
    let digits = text[from + sign..].trim_start();
    if digits.is_empty() || !digits.chars().all(|c| c.is_ascii_digit()) {
        return None;
    }
    let size = BigInt::parse_bytes(digits.as_bytes(), 10)?;
    Some(if sign == 1 { -size } else { size })
}

impl Judge<'_> {
    /// The arguments are as many as the function takes; none, if it is too much to compute.
    pub(crate) fn external_on_texts(&self, of: TextFunction, a: &[Value]) -> Eval<Option<Value>> {
        let string = |text: &str| Ok(Some(Value::string(text)));
        let truth = |truth: bool| Ok(Some(Value::Bool(truth)));
        let letters = |text: &str| text.chars().map(|c| Value::string(&c.to_string())).collect();
        match of {
            TextFunction::Length => self.string1(UnaryOp::StringSize, &a[0]).map(Some),
            TextFunction::Reverse => self.string1(UnaryOp::StringReverse, &a[0]).map(Some),
            TextFunction::Concat => self.string1(UnaryOp::StringConcat, &a[0]).map(Some),
            TextFunction::Append => self.string2(BinaryOp::StringConcat, &a[0], &a[1]).map(Some),
            TextFunction::Chars => self.make_sequence(letters(text(&a[0])?)).map(Some),
            TextFunction::Codes => {
                let codes = text(&a[0])?.chars().map(|c| Value::int(u32::from(c))).collect();
                self.make_sequence(codes).map(Some)
            }
            TextFunction::FromCodes => {
                let mut whole = String::new();
                for code in self.items(&a[0])? {
                    let code = u32::try_from(&integer(&code)?.big()).ok().and_then(char::from_u32);
                    whole.push(code.ok_or_else(|| EvalError::ill_defined("no such character"))?);
                }
                string(&whole)
            }
            TextFunction::Split => {
                let (s, by) = (text(&a[0])?, text(&a[1])?);
                let parts = match by.is_empty() {
                    true => vec![Value::string(s)],
                    false => s.split(by).map(Value::string).collect(),
                };
                self.make_sequence(parts).map(Some)
            }
            TextFunction::Join => {
                let parts = self.items(&a[0])?;
                let (parts, by): (Eval<Vec<&str>>, _) =
                    (parts.iter().map(text).collect(), text(&a[1])?);
                let parts = parts?;
                let bytes = parts.iter().fold(0usize, |n, p| n.saturating_add(p.len() + by.len()));
                self.room_for_text(bytes)?;
                string(&parts.join(by))
            }
            TextFunction::Upper => string(&text(&a[0])?.to_uppercase()),
            TextFunction::Lower => string(&text(&a[0])?.to_lowercase()),
            TextFunction::PadLeft => {
                let s = text(&a[0])?;
                let missing = self.small(integer(&a[1])?).unwrap_or(0);
                let missing = missing.saturating_sub(s.chars().count());
                self.room_for_text(missing.saturating_mul(text(&a[2])?.len()))?;
                string(&format!("{}{s}", text(&a[2])?.repeat(missing)))
            }
            TextFunction::Replace if text(&a[1])?.is_empty() => Ok(Some(a[0].clone())),
            TextFunction::Replace => {
                let (s, from, to) = (text(&a[0])?, text(&a[1])?, text(&a[2])?);
                let more = (s.len() / from.len().max(1)).saturating_mul(to.len());
                self.room_for_text(s.len().saturating_add(more))?;
                string(&s.replace(from, to))
            }
            TextFunction::Part => {
                let from = self.small(&(integer(&a[1])?.previous()));
                let (Some(from), Some(length)) = (from, self.small(integer(&a[2])?)) else {
                    return Err(EvalError::ill_defined("positions begin at 1"));
                };
                string(&text(&a[0])?.chars().skip(from).take(length).collect::<String>())
            }
            TextFunction::ToInt => {
                whole_number(text(&a[0])?).map(|n| Some(Value::int(n))).ok_or_else(|| {
                    EvalError::ill_defined(format!("{} is not an integer", self.show(&a[0])))
                })
            }
            TextFunction::FromInt => string(&integer(&a[0])?.to_string()),
            TextFunction::FromIntHex => string(&integer(&a[0])?.big().to_str_radix(16)),
            TextFunction::FromIntDecimal => {
                let Some(digits) = precision(&integer(&a[1])?.big()) else { return Ok(None) };
                string(&decimal(&integer(&a[0])?.big(), digits))
            }
            TextFunction::Format => {
                let mut whole = String::new();
                let mut values = self.items(&a[1])?.into_iter();
                let mut rest = text(&a[0])?;
                while let Some(at) = rest.find("~w") {
                    whole.push_str(&rest[..at]);
                    if let Some(value) = values.next() {
                        match &value {
                            Value::String(text) => whole.push_str(text),
                            other => whole.push_str(&self.show(other).to_string()),
                        }
                    }
                    rest = &rest[at + 2..];
                }
                whole.push_str(rest);
                string(&whole.replace("~n", "\n"))
            }
            TextFunction::DecimalToInt => {
                let Some(digits) = precision(&integer(&a[1])?.big()) else { return Ok(None) };
                match from_decimal(text(&a[0])?.trim(), digits) {
                    Some(number) => Ok(Some(Value::int(number))),
                    None => {
                        Err(EvalError::ill_defined(format!("{} is not a number", self.show(&a[0]))))
                    }
                }
            }
            TextFunction::IsInt => truth(whole_number(text(&a[0])?).is_some()),
            TextFunction::IsNumber => {
                truth(text(&a[0])?.trim().parse::<f64>().is_ok_and(f64::is_finite))
            }
            TextFunction::IsAlphanumeric => {
                let s = text(&a[0])?;
                truth(!s.is_empty() && s.chars().all(char::is_alphanumeric))
            }
            TextFunction::EqualIgnoringCase => {
                truth(text(&a[0])?.to_lowercase() == text(&a[1])?.to_lowercase())
            }
            TextFunction::Contains => truth(text(&a[0])?.contains(text(&a[1])?)),
        }
    }
}

/// An integer with its last digits behind a point.
fn decimal(number: &BigInt, digits: i64) -> String {
    if digits <= 0 {
        return (number * tenfold(-digits)).to_string();
    }
    let sign = if number.sign() == num_bigint::Sign::Minus { "-" } else { "" };
    let (whole, fraction) = (number.magnitude() / tenfold(digits).magnitude(), digits as usize);
    let part = number.magnitude() % tenfold(digits).magnitude();
    format!("{sign}{whole}.{:0>fraction$}", part.to_string())
}

/// `10 ** n`
fn tenfold(n: i64) -> BigInt {
    (0..n).fold(BigInt::from(1), |power, _| power * 10)
}

/// How many digits, if that is not too many.
fn precision(digits: &BigInt) -> Option<i64> {
    i64::try_from(digits).ok().filter(|d| (-1000..=1000).contains(d))
}

/// A decimal text times a power of ten, rounded half away from zero.
fn from_decimal(text: &str, digits: i64) -> Option<BigInt> {
    let (sign, text) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text),
    };
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let all = format!("{whole}{fraction}");
    if !all.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let all: BigInt = all.parse().ok()?;
    let behind = i64::try_from(fraction.len()).ok()?;
    let number = if digits >= behind {
        all * tenfold(digits - behind)
    } else {
        let unit = tenfold(behind - digits);
        // Half of ten or more is a whole number.
        (all + &unit / 2) / unit
    };
    Some(number * sign)
}
