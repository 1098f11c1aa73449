//! Functions of real numbers, and comparisons of them.

use super::{Function, real};
use crate::answer::{FaultKind, Stop};
use beeline_model::RealFunction;
use beeline_value::Val;
use num_bigint::BigInt;
use num_traits::FromPrimitive;

/// A function of one number.
macro_rules! of_one {
    ($op:expr) => {
        |f, a, _, _| {
            let op: fn(f64) -> f64 = $op;
            Ok(f.store.real(op(real(f, a[0]))))
        }
    };
}

/// A function of two numbers.
macro_rules! of_two {
    ($op:expr) => {
        |f, a, _, _| {
            let op: fn(f64, f64) -> f64 = $op;
            Ok(f.store.real(op(real(f, a[0]), real(f, a[1]))))
        }
    };
}

/// A comparison.
macro_rules! compared {
    ($op:expr) => {
        |f, a, _, _| {
            let op: fn(f64, f64) -> bool = $op;
            Ok(Val::bool(op(real(f, a[0]), real(f, a[1]))))
        }
    };
}

pub(super) fn function(of: RealFunction) -> Function {
    match of {
        RealFunction::Pi => |f, _, _, _| Ok(f.store.real(std::f64::consts::PI)),
        RealFunction::Zero => |f, _, _, _| Ok(f.store.real(0.0)),
        RealFunction::One => |f, _, _, _| Ok(f.store.real(1.0)),
        RealFunction::Euler => |f, _, _, _| Ok(f.store.real(std::f64::consts::E)),
        RealFunction::Sin => of_one!(f64::sin),
        RealFunction::Cos => of_one!(f64::cos),
        RealFunction::Tan => of_one!(f64::tan),
        RealFunction::Sinh => of_one!(f64::sinh),
        RealFunction::Cosh => of_one!(f64::cosh),
        RealFunction::Tanh => of_one!(f64::tanh),
        RealFunction::Asin => of_one!(f64::asin),
        RealFunction::Acos => of_one!(f64::acos),
        RealFunction::Atan => of_one!(f64::atan),
        RealFunction::Exp => of_one!(f64::exp),
        RealFunction::Ln => of_one!(f64::ln),
        RealFunction::Sqrt => of_one!(f64::sqrt),
        RealFunction::Abs => of_one!(f64::abs),
        RealFunction::Fraction => of_one!(f64::fract),
        RealFunction::Integer => of_one!(f64::trunc),
        RealFunction::Radians => of_one!(f64::to_radians),
        RealFunction::Degrees => of_one!(f64::to_degrees),
        RealFunction::Sign => of_one!(|x| if x == 0.0 { 0.0 } else { x.signum() }),
        RealFunction::Round => |f, a, _, _| {
            let v = BigInt::from_f64(real(f, a[0]).round()).unwrap_or_default();
            Ok(f.store.big_int(v))
        },
        RealFunction::Add => of_two!(|x, y| x + y),
        RealFunction::Subtract => of_two!(|x, y| x - y),
        RealFunction::Multiply => of_two!(|x, y| x * y),
        RealFunction::Divide => |f, a, _, span| {
            if real(f, a[1]) == 0.0 {
                return Err(Stop::fault(FaultKind::Arithmetic, span, "division by zero"));
            }
            Ok(f.store.real(real(f, a[0]) / real(f, a[1])))
        },
        RealFunction::Power => of_two!(f64::powf),
        RealFunction::Max => of_two!(f64::max),
        RealFunction::Min => of_two!(f64::min),
        RealFunction::Log => of_two!(|base, x| x.ln() / base.ln()),
        RealFunction::Less => compared!(|x, y| x < y),
        RealFunction::LessEqual => compared!(|x, y| x <= y),
        RealFunction::Greater => compared!(|x, y| x > y),
        RealFunction::GreaterEqual => compared!(|x, y| x >= y),
        RealFunction::Equal => compared!(|x, y| x == y),
        RealFunction::NotEqual => compared!(|x, y| x != y),
    }
}
