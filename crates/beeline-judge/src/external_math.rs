//! External functions on numbers.

use crate::Judge;
use crate::arith::{real, to_double, whole};
use crate::error::{Eval, EvalError};
use crate::value::Value;
use num_bigint::{BigInt, Sign};

impl Judge<'_> {
    /// A name with `?` is a predicate.
    pub(crate) fn external_math(&self, name: &str, arguments: &[Value]) -> Eval<Option<Value>> {
        match arguments {
            [Value::Integer(a)] => self.on_integer(name, &a.big()),
            [Value::Integer(a), Value::Integer(b)] => self.on_integers(name, &a.big(), &b.big()),
            [Value::Integer(a), Value::Integer(b), Value::Integer(c)] => {
                logarithm(name, &a.big(), &b.big(), &c.big())
            }
            [Value::Real(a)] => on_real(name, a.get()),
            [Value::Real(a), Value::Real(b)] => on_reals(name, a.get(), b.get()),
            [] => match name {
                "RPI" => real(std::f64::consts::PI).map(Some),
                "REULER" => real(std::f64::consts::E).map(Some),
                "RZERO" => real(0.0).map(Some),
                "RONE" => real(1.0).map(Some),
                _ => Ok(None),
            },
            _ => Ok(None),
        }
    }

    fn on_integer(&self, name: &str, a: &BigInt) -> Eval<Option<Value>> {
        Ok(Some(Value::int(match name {
            "ABS" => a.magnitude().clone().into(),
            "SIGN" => sign(a),
            "BNOT" => !a,
            "SQRT" if a.sign() == Sign::Minus => {
                return Err(EvalError::ill_defined(format!("SQRT of {a}")));
            }
            "SQRT" => a.sqrt(),
            "MSB" if a.sign() != Sign::Plus => {
                return Err(EvalError::ill_defined(format!("MSB of {a}")));
            }
            "MSB" => BigInt::from(a.bits()) - 1,
            "FACTORIAL" => match u32::try_from(a) {
                Ok(n) if n <= 10_000 => {
                    self.charge(n.into())?;
                    (1..=n).map(BigInt::from).product()
                }
                _ => return Err(EvalError::ill_defined(format!("FACTORIAL of {a}"))),
            },
            "SIN" | "COS" | "TAN" => return scaled(&format!("{name}x"), &100.into(), a),
            _ => return Ok(None),
        })))
    }

    fn on_integers(&self, name: &str, a: &BigInt, b: &BigInt) -> Eval<Option<Value>> {
        let zero = |name: &str| EvalError::ill_defined(format!("{name} by zero"));
        Ok(Some(Value::int(match name {
            "GCD" => gcd(a, b),
            "LCM" if a.sign() == Sign::NoSign || b.sign() == Sign::NoSign => 0.into(),
            "LCM" => BigInt::from((a * b).magnitude().clone()) / gcd(a, b),
            "FDIV" | "CDIV" if b.sign() == Sign::NoSign => return Err(zero(name)),
            "FDIV" => floored(a, b),
            "CDIV" => -floored(&-a, b),
            "BAND" => a & b,
            "BOR" => a | b,
            "BXOR" => a ^ b,
            "BLSHIFT" | "BRSHIFT" => match u32::try_from(b) {
                Ok(n) if n > 100_000 => return Ok(None),
                Ok(n) if name == "BLSHIFT" => a << n,
                Ok(n) => a >> n,
                Err(_) => return Err(EvalError::ill_defined(format!("a shift by {b}"))),
            },
            _ => return scaled(name, a, b),
        })))
    }
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
fn scaled(name: &str, m: &BigInt, x: &BigInt) -> Eval<Option<Value>> {
    let function = match name {
        "SINx" => f64::sin,
        "COSx" => f64::cos,
        "TANx" => f64::tan,
        _ => return Ok(None),
    };
    if m.sign() == Sign::NoSign {
        return Err(EvalError::ill_defined(format!("{name} with the multiplier 0")));
    }
    let m = to_double(m);
    whole((m * function(to_double(x) / m)).round()).map(Some)
}

/// `LOGx(m, b, x)`: `m` times the logarithm of `x / m` to base `b / m`, rounded.
fn logarithm(name: &str, m: &BigInt, base: &BigInt, x: &BigInt) -> Eval<Option<Value>> {
    if name != "LOGx" {
        return Ok(None);
    }
    if m.sign() == Sign::NoSign {
        return Err(EvalError::ill_defined("LOGx with the multiplier 0"));
    }
    let (m, base, x) = (to_double(m), to_double(base), to_double(x));
    whole((m * ((x / m).ln() / (base / m).ln())).round()).map(Some)
}

fn on_real(name: &str, a: f64) -> Eval<Option<Value>> {
    real(match name {
        "RSIN" => a.sin(),
        "RCOS" => a.cos(),
        "RTAN" => a.tan(),
        "RSINH" => a.sinh(),
        "RCOSH" => a.cosh(),
        "RTANH" => a.tanh(),
        "RASIN" => a.asin(),
        "RACOS" => a.acos(),
        "RATAN" => a.atan(),
        "REXP" => a.exp(),
        "RLOGe" => a.ln(),
        "RSQRT" => a.sqrt(),
        "RABS" => a.abs(),
        "RSIGN" if a == 0.0 => 0.0,
        "RSIGN" => a.signum(),
        "RFRACTION" => a.fract(),
        "RINTEGER" => a.trunc(),
        "RADIANS" => a.to_radians(),
        "DEGREE" => a.to_degrees(),
        "ROUND" => return whole(a.round()).map(Some),
        _ => return Ok(None),
    })
    .map(Some)
}

fn on_reals(name: &str, a: f64, b: f64) -> Eval<Option<Value>> {
    let truth = |truth: bool| Ok(Some(Value::Bool(truth)));
    match name {
        "RLEQ?" => return truth(a <= b),
        "RGEQ?" => return truth(a >= b),
        "RLT?" => return truth(a < b),
        "RGT?" => return truth(a > b),
        "REQ?" => return truth(a == b),
        "RNEQ?" => return truth(a != b),
        _ => {}
    }
    real(match name {
        "RADD" => a + b,
        "RSUB" => a - b,
        "RMUL" => a * b,
        "RDIV" if b == 0.0 => return Err(EvalError::ill_defined("RDIV by zero")),
        "RDIV" => a / b,
        "RPOW" => a.powf(b),
        "RMAX" => a.max(b),
        "RMIN" => a.min(b),
        "RLOG" => b.ln() / a.ln(),
        _ => return Ok(None),
    })
    .map(Some)
}
