//! External functions on numbers.

use crate::Judge;
use crate::arith::{real, to_double, whole};
use crate::error::{Eval, EvalError};
use crate::value::Value;
use beeline_model::{IntegerFunction, RealFunction};
use num_bigint::{BigInt, Sign};

impl Judge<'_> {
    /// The arguments are as many as the function takes; no value, if one is no integer.
    pub(crate) fn external_on_integers(
        &self,
        of: IntegerFunction,
        name: &str,
        arguments: &[Value],
    ) -> Eval<Option<Value>> {
        let number = |value: &Value| match value {
            Value::Integer(number) => Some(number.big()),
            _ => None,
        };
        let Some(a) = arguments.iter().map(number).collect::<Option<Vec<BigInt>>>() else {
            return Ok(None);
        };
        let hundred = BigInt::from(100);
        Ok(Some(Value::int(match of {
            IntegerFunction::Abs => a[0].magnitude().clone().into(),
            IntegerFunction::Sign => sign(&a[0]),
            IntegerFunction::BitNot => !&a[0],
            IntegerFunction::Sqrt if a[0].sign() == Sign::Minus => return Err(of_number(name, &a)),
            IntegerFunction::Sqrt => a[0].sqrt(),
            IntegerFunction::Msb if a[0].sign() != Sign::Plus => return Err(of_number(name, &a)),
            IntegerFunction::Msb => BigInt::from(a[0].bits()) - 1,
            IntegerFunction::Factorial => match u32::try_from(&a[0]) {
                Ok(n) if n <= 10_000 => {
                    self.charge(n.into())?;
                    (1..=n).map(BigInt::from).product()
                }
                _ => return Err(of_number(name, &a)),
            },
            IntegerFunction::Gcd => gcd(&a[0], &a[1]),
            IntegerFunction::Lcm if a.iter().any(|n| n.sign() == Sign::NoSign) => 0.into(),
            IntegerFunction::Lcm => {
                BigInt::from((&a[0] * &a[1]).magnitude().clone()) / gcd(&a[0], &a[1])
            }
            IntegerFunction::FloorDiv | IntegerFunction::CeilingDiv
                if a[1].sign() == Sign::NoSign =>
            {
                return Err(EvalError::ill_defined(format!("{name} by zero")));
            }
            IntegerFunction::FloorDiv => floored(&a[0], &a[1]),
            IntegerFunction::CeilingDiv => -floored(&-&a[0], &a[1]),
            IntegerFunction::BitAnd => &a[0] & &a[1],
            IntegerFunction::BitOr => &a[0] | &a[1],
            IntegerFunction::BitXor => &a[0] ^ &a[1],
            IntegerFunction::ShiftLeft | IntegerFunction::ShiftRight => {
                match u32::try_from(&a[1]) {
                    Ok(n) if n > 100_000 => return Ok(None),
                    Ok(n) if of == IntegerFunction::ShiftLeft => &a[0] << n,
                    Ok(n) => &a[0] >> n,
                    Err(_) => return Err(EvalError::ill_defined(format!("a shift by {}", a[1]))),
                }
            }
            IntegerFunction::Sin => return scaled(name, f64::sin, &hundred, &a[0]),
            IntegerFunction::Cos => return scaled(name, f64::cos, &hundred, &a[0]),
            IntegerFunction::Tan => return scaled(name, f64::tan, &hundred, &a[0]),
            IntegerFunction::SinScaled => return scaled(name, f64::sin, &a[0], &a[1]),
            IntegerFunction::CosScaled => return scaled(name, f64::cos, &a[0], &a[1]),
            IntegerFunction::TanScaled => return scaled(name, f64::tan, &a[0], &a[1]),
            IntegerFunction::LogScaled => return logarithm(&a[0], &a[1], &a[2]),
        })))
    }

    /// The arguments are as many as the function takes; no value, if one is no real number.
    pub(crate) fn external_on_reals(
        &self,
        of: RealFunction,
        arguments: &[Value],
    ) -> Eval<Option<Value>> {
        let number = |value: &Value| match value {
            Value::Real(number) => Some(number.get()),
            _ => None,
        };
        let Some(a) = arguments.iter().map(number).collect::<Option<Vec<f64>>>() else {
            return Ok(None);
        };
        let truth = |truth: bool| Ok(Some(Value::Bool(truth)));
        real(match of {
            RealFunction::Pi => std::f64::consts::PI,
            RealFunction::Euler => std::f64::consts::E,
            RealFunction::Zero => 0.0,
            RealFunction::One => 1.0,
            RealFunction::Sin => a[0].sin(),
            RealFunction::Cos => a[0].cos(),
            RealFunction::Tan => a[0].tan(),
            RealFunction::Sinh => a[0].sinh(),
            RealFunction::Cosh => a[0].cosh(),
            RealFunction::Tanh => a[0].tanh(),
            RealFunction::Asin => a[0].asin(),
            RealFunction::Acos => a[0].acos(),
            RealFunction::Atan => a[0].atan(),
            RealFunction::Exp => a[0].exp(),
            RealFunction::Ln => a[0].ln(),
            RealFunction::Sqrt => a[0].sqrt(),
            RealFunction::Abs => a[0].abs(),
            RealFunction::Sign if a[0] == 0.0 => 0.0,
            RealFunction::Sign => a[0].signum(),
            RealFunction::Fraction => a[0].fract(),
            RealFunction::Integer => a[0].trunc(),
            RealFunction::Radians => a[0].to_radians(),
            RealFunction::Degrees => a[0].to_degrees(),
            RealFunction::Round => return whole(a[0].round()).map(Some),
            RealFunction::Add => a[0] + a[1],
            RealFunction::Subtract => a[0] - a[1],
            RealFunction::Multiply => a[0] * a[1],
            RealFunction::Divide if a[1] == 0.0 => {
                return Err(EvalError::ill_defined("RDIV by zero"));
            }
            RealFunction::Divide => a[0] / a[1],
            RealFunction::Power => a[0].powf(a[1]),
            RealFunction::Max => a[0].max(a[1]),
            RealFunction::Min => a[0].min(a[1]),
            RealFunction::Log => a[1].ln() / a[0].ln(),
            RealFunction::Less => return truth(a[0] < a[1]),
            RealFunction::LessEqual => return truth(a[0] <= a[1]),
            RealFunction::Greater => return truth(a[0] > a[1]),
            RealFunction::GreaterEqual => return truth(a[0] >= a[1]),
            RealFunction::Equal => return truth(a[0] == a[1]),
            RealFunction::NotEqual => return truth(a[0] != a[1]),
        })
        .map(Some)
    }
}

/// A number of which the function has no value.
fn of_number(name: &str, arguments: &[BigInt]) -> EvalError {
    EvalError::ill_defined(format!("{name} of {}", arguments[0]))
}

fn sign(a: &BigInt) -> BigInt {
    match a.sign() {
        Sign::Minus => (-1).into(),
        Sign::NoSign => 0.into(),
        Sign::Plus => 1.into(),
    }
}

fn gcd(a: &BigInt, b: &BigInt) -> BigInt {
    let (mut a, mut b) = (a.magnitude().clone(), b.magnitude().clone());
    while b.bits() > 0 {
        (a, b) = (b.clone(), a % &b);
    }
    a.into()
}

fn floored(a: &BigInt, b: &BigInt) -> BigInt {
    let quotient = a / b;
    let exact = &quotient * b == *a;
    if !exact && (a.sign() == Sign::Minus) != (b.sign() == Sign::Minus) {
        quotient - 1
    } else {
        quotient
    }
}

/// `SINx(m, x)` and its like: `m * sin(x / m)`, rounded. SIN itself takes and gives hundredths.
fn scaled(name: &str, function: fn(f64) -> f64, m: &BigInt, x: &BigInt) -> Eval<Option<Value>> {
    if m.sign() == Sign::NoSign {
        return Err(EvalError::ill_defined(format!("{name} with the multiplier 0")));
    }
    let m = to_double(m);
    whole((m * function(to_double(x) / m)).round()).map(Some)
}

/// `LOGx(m, b, x)`: `m` times the logarithm of `x / m` to base `b / m`, rounded.
fn logarithm(m: &BigInt, base: &BigInt, x: &BigInt) -> Eval<Option<Value>> {
    if m.sign() == Sign::NoSign {
        return Err(EvalError::ill_defined("LOGx with the multiplier 0"));
    }
    let (m, base, x) = (to_double(m), to_double(base), to_double(x));
    whole((m * ((x / m).ln() / (base / m).ln())).round()).map(Some)
}
