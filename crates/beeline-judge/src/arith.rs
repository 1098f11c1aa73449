//! Numbers.

use crate::Judge;
use crate::error::{Eval, EvalError, UnknownReason};
use crate::sets::integer_bounds;
use crate::value::{Real, Value};
use beeline_model::{BinaryOp, UnaryOp};
use num_bigint::{BigInt, Sign};

/// Integers may not grow beyond this many bits.
const MAX_BITS: u64 = 1 << 20;

impl Judge<'_> {
    pub(crate) fn arithmetic(&self, op: BinaryOp, a: Value, b: Value) -> Eval<Value> {
        use BinaryOp as Op;
        match (&a, &b) {
            (Value::Integer(a), Value::Integer(b)) => {
                self.charge((a.bits() + b.bits()) / 64)?;
                if a.bits().saturating_add(b.bits()) > MAX_BITS {
                    return Err(EvalError::unknown(UnknownReason::TooLarge));
                }
                // Most are small, and taking memory for each is most of the work.
                match op {
                    Op::Add => Ok(Value::Integer(a + b)),
                    Op::Subtract => Ok(Value::Integer(a - b)),
                    _ => integers(op, &a.big(), &b.big()).map(Value::int),
                }
            }
            (Value::Real(a), Value::Real(b)) => reals(op, a.get(), b.get()),
            (Value::Real(a), Value::Integer(b)) if op == Op::RealExponent => {
                let exponent = i32::try_from(&b.big())
                    .map_err(|_| EvalError::unknown(UnknownReason::TooLarge))?;
                real(a.get().powi(exponent))
            }
            _ => Err(EvalError::internal("numbers were expected")),
        }
    }

    pub(crate) fn arithmetic1(&self, op: UnaryOp, a: Value) -> Eval<Value> {
        match (op, &a) {
            (UnaryOp::Negate, Value::Integer(a)) => Ok(Value::Integer(-a)),
            (UnaryOp::RealNegate, Value::Real(a)) => real(-a.get()),
            (UnaryOp::Floor, Value::Real(a)) => whole(a.get().floor()),
            (UnaryOp::Ceiling, Value::Real(a)) => whole(a.get().ceil()),
            (UnaryOp::ToReal, Value::Integer(a)) => real(to_double(&a.big())),
            _ => Err(EvalError::internal("a number was expected")),
        }
    }

    /// `min`, `max`
    pub(crate) fn extremum(&self, op: UnaryOp, set: &Value) -> Eval<Value> {
        let least = matches!(op, UnaryOp::Min | UnaryOp::RealMin);
        if let Some((low, high)) = integer_bounds(set) {
            return match (least, high) {
                (true, _) => Ok(Value::int(low)),
                (false, Some(high)) => Ok(Value::int(high)),
                (false, None) => {
                    Err(EvalError::ill_defined("the maximum of a set without upper bound"))
                }
            };
        }
        if let Value::Symbolic(_) = set
            && let Some((ranges, _)) = self.both_ranges(set, set)?
            && !ranges.is_finite()
        {
            let end = if least { ranges.least() } else { ranges.greatest() };
            return end.map(Value::int).ok_or_else(|| {
                let words = if least { ("minimum", "lower") } else { ("maximum", "upper") };
                EvalError::ill_defined(format!(
                    "the {} of a set without {} bound",
                    words.0, words.1
                ))
            });
        }
        let elements = self.list(set)?;
        let found = if least { elements.first() } else { elements.last() };
        found.cloned().ok_or_else(|| {
            let word = if least { "minimum" } else { "maximum" };
            EvalError::ill_defined(format!("the {word} of the empty set"))
        })
    }
}

fn integers(op: BinaryOp, a: &BigInt, b: &BigInt) -> Eval<BigInt> {
    match op {
        BinaryOp::Multiply => Ok(a * b),
        BinaryOp::Divide if b.sign() == Sign::NoSign => {
            Err(EvalError::ill_defined(format!("{a} is divided by zero")))
        }
        // The quotient of num-bigint truncates toward zero, as B wants it.
        BinaryOp::Divide => Ok(a / b),
        BinaryOp::Modulo if b.sign() != Sign::Plus || a.sign() == Sign::Minus => {
            Err(EvalError::ill_defined(format!("{a} mod {b}")))
        }
        BinaryOp::Modulo => Ok(a % b),
        BinaryOp::Exponent => exponentiate(a, b),
        _ => Err(EvalError::internal("not an operator on integers")),
    }
}

fn exponentiate(base: &BigInt, exponent: &BigInt) -> Eval<BigInt> {
    if exponent.sign() == Sign::Minus {
        return Err(EvalError::ill_defined(format!("{base} ** {exponent}")));
    }
    if base.bits() <= 1 {
        // -1, 0 and 1 have powers for any exponent.
        let odd = exponent.bit(0);
        let zeroth = exponent.sign() == Sign::NoSign;
        return Ok(if zeroth || (!odd && base.sign() == Sign::Minus) {
            1.into()
        } else {
            base.clone()
        });
    }
    match u32::try_from(exponent) {
        // The power is at least `2 ** ((bits - 1) * n)`: far too long ones are not computed.
        Ok(n) if (base.bits() - 1).saturating_mul(n.into()) <= MAX_BITS => {
            let power = base.pow(n);
            if power.bits() > MAX_BITS {
                Err(EvalError::unknown(UnknownReason::TooLarge))
            } else {
                Ok(power)
            }
        }
        _ => Err(EvalError::unknown(UnknownReason::TooLarge)),
    }
}

fn reals(op: BinaryOp, a: f64, b: f64) -> Eval<Value> {
    real(match op {
        BinaryOp::RealAdd => a + b,
        BinaryOp::RealSubtract => a - b,
        BinaryOp::RealMultiply => a * b,
        BinaryOp::RealDivide if b == 0.0 => {
            return Err(EvalError::ill_defined(format!("{a:?} is divided by zero")));
        }
        BinaryOp::RealDivide => a / b,
        BinaryOp::RealExponent => a.powf(b),
        _ => return Err(EvalError::internal("not an operator on reals")),
    })
}

/// A real result, which has to be a number.
pub(crate) fn real(number: f64) -> Eval<Value> {
    Real::new(number)
        .map(Value::Real)
        .ok_or_else(|| EvalError::ill_defined("an operation on reals has no result"))
}

/// An integer from a real without fraction.
pub(crate) fn whole(number: f64) -> Eval<Value> {
    if !number.is_finite() {
        return Err(EvalError::ill_defined("an infinite real has no integer part"));
    }
    // Shortest exact form: doubles beyond 2^53 are integers, and print as such.
    format!("{number:.0}")
        .parse::<BigInt>()
        .map(Value::int)
        .map_err(|_| EvalError::internal("a whole number does not read back"))
}

/// The nearest double.
pub(crate) fn to_double(number: &BigInt) -> f64 {
    number.to_string().parse().unwrap_or(f64::INFINITY)
}
