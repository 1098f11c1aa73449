//! External functions on strings.

use crate::Judge;
use crate::error::{Eval, EvalError};
use crate::parts::integer;
use crate::strings::text;
use crate::value::Value;
use beeline_model::{BinaryOp, UnaryOp};
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
    pub(crate) fn external_string(&self, name: &str, arguments: &[Value]) -> Eval<Option<Value>> {
        let string = |text: &str| Ok(Some(Value::string(text)));
        let letters = |text: &str| text.chars().map(|c| Value::string(&c.to_string())).collect();
        match (name, arguments) {
            ("STRING_LENGTH", [s]) => self.string1(UnaryOp::StringSize, s).map(Some),
            ("STRING_REV", [s]) => self.string1(UnaryOp::StringReverse, s).map(Some),
            ("STRING_CONC", [s]) => self.string1(UnaryOp::StringConcat, s).map(Some),
            ("STRING_APPEND", [a, b]) => self.string2(BinaryOp::StringConcat, a, b).map(Some),
            ("STRING_CHARS", [s]) => self.make_sequence(letters(text(s)?)).map(Some),
            ("STRING_CODES", [s]) => {
                let codes = text(s)?.chars().map(|c| Value::int(u32::from(c))).collect();
                self.make_sequence(codes).map(Some)
            }
            ("CODES_TO_STRING", [codes]) => {
                let mut whole = String::new();
                for code in self.items(codes)? {
                    let code = u32::try_from(&integer(&code)?.big()).ok().and_then(char::from_u32);
                    whole.push(code.ok_or_else(|| EvalError::ill_defined("no such character"))?);
                }
                string(&whole)
            }
            ("STRING_SPLIT", [s, by]) => {
                let (s, by) = (text(s)?, text(by)?);
                let parts = match by.is_empty() {
                    true => vec![Value::string(s)],
                    false => s.split(by).map(Value::string).collect(),
                };
                self.make_sequence(parts).map(Some)
            }
            ("STRING_JOIN", [parts, by]) => {
                let parts = self.items(parts)?;
                let (parts, by): (Eval<Vec<&str>>, _) =
                    (parts.iter().map(text).collect(), text(by)?);
                let parts = parts?;
                let bytes = parts.iter().fold(0usize, |n, p| n.saturating_add(p.len() + by.len()));
                self.room_for_text(bytes)?;
                string(&parts.join(by))
            }
            ("STRING_TO_UPPER", [s]) => string(&text(s)?.to_uppercase()),
            ("STRING_TO_LOWER", [s]) => string(&text(s)?.to_lowercase()),
            ("STRING_PADLEFT", [s, width, pad]) => {
                let s = text(s)?;
                let missing = self.small(integer(width)?).unwrap_or(0);
                let missing = missing.saturating_sub(s.chars().count());
                self.room_for_text(missing.saturating_mul(text(pad)?.len()))?;
                string(&format!("{}{s}", text(pad)?.repeat(missing)))
            }
            ("STRING_REPLACE", [s, from, _]) if text(from)?.is_empty() => Ok(Some(s.clone())),
            ("STRING_REPLACE", [s, from, to]) => {
                let (s, from, to) = (text(s)?, text(from)?, text(to)?);
                let more = (s.len() / from.len().max(1)).saturating_mul(to.len());
                self.room_for_text(s.len().saturating_add(more))?;
                string(&s.replace(from, to))
            }
            ("SUB_STRING", [s, from, length]) => {
                let from = self.small(&(integer(from)?.previous()));
                let (Some(from), Some(length)) = (from, self.small(integer(length)?)) else {
                    return Err(EvalError::ill_defined("positions begin at 1"));
                };
                string(&text(s)?.chars().skip(from).take(length).collect::<String>())
            }
            ("STRING_TO_INT", [s]) => {
                whole_number(text(s)?).map(|n| Some(Value::int(n))).ok_or_else(|| {
                    EvalError::ill_defined(format!(
                        "{} is not an integer",
                        self.show(&arguments[0])
                    ))
                })
            }
            ("INT_TO_STRING", [n]) => string(&integer(n)?.to_string()),
            ("INT_TO_HEX_STRING", [n]) => string(&integer(n)?.big().to_str_radix(16)),
            ("INT_TO_DEC_STRING", [n, digits]) => {
                let Some(digits) = precision(&integer(digits)?.big()) else { return Ok(None) };
                string(&decimal(&integer(n)?.big(), digits))
            }
            ("FORMAT_TO_STRING", [format, arguments]) => {
                let mut whole = String::new();
                let mut values = self.items(arguments)?.into_iter();
                let mut rest = text(format)?;
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
            ("DEC_STRING_TO_INT", [s, digits]) => {
                let Some(digits) = precision(&integer(digits)?.big()) else { return Ok(None) };
                match from_decimal(text(s)?.trim(), digits) {
                    Some(number) => Ok(Some(Value::int(number))),
                    None => {
                        Err(EvalError::ill_defined(format!("{} is not a number", self.show(s))))
                    }
                }
            }
            _ => {
                let plain = name.strip_prefix("GET_").unwrap_or(name);
                Ok(self.external_string_predicate(plain, arguments)?.map(Value::Bool))
            }
        }
    }

    pub(crate) fn external_string_predicate(
        &self,
        name: &str,
        arguments: &[Value],
    ) -> Eval<Option<bool>> {
        Ok(Some(match (name, arguments) {
            ("STRING_IS_INT", [s]) => whole_number(text(s)?).is_some(),
            ("STRING_IS_NUMBER", [s]) | ("STRING_IS_DECIMAL", [s]) => {
                text(s)?.trim().parse::<f64>().is_ok_and(f64::is_finite)
            }
            ("STRING_IS_ALPHANUMERIC", [s]) => {
                let s = text(s)?;
                !s.is_empty() && s.chars().all(char::is_alphanumeric)
            }
            ("STRING_EQUAL_CASE_INSENSITIVE", [a, b]) => {
                text(a)?.to_lowercase() == text(b)?.to_lowercase()
            }
            ("STRING_CONTAINS_STRING", [a, b]) => text(a)?.contains(text(b)?),
            _ => return Ok(None),
        }))
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
