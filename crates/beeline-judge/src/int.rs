//! Integers of any size; the usual ones take no memory of their own.

use num_bigint::{BigInt, Sign};
use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, Neg, Sub};
use std::sync::Arc;

/// An integer. The form is canonical: what fits into 64 bits is never large.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Int(Form);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Form {
    Small(i64),
    Large(Arc<BigInt>),
}

impl Int {
    /// The same for calculations.
    pub fn big(&self) -> BigInt {
        match &self.0 {
            Form::Small(n) => BigInt::from(*n),
            Form::Large(n) => (**n).clone(),
        }
    }

    /// The number, if it fits.
    pub fn small(&self) -> Option<i64> {
        match self.0 {
            Form::Small(n) => Some(n),
            Form::Large(_) => None,
        }
    }

    /// One more.
    pub fn next(&self) -> Int {
        self + &Int::from(1)
    }

    /// One less.
    pub fn previous(&self) -> Int {
        self - &Int::from(1)
    }

    /// Does it lie between bounds?
    pub fn is_within(&self, low: &BigInt, high: &BigInt) -> bool {
        match (self.small(), i64::try_from(low), i64::try_from(high)) {
            (Some(n), Ok(low), Ok(high)) => low <= n && n <= high,
            _ => {
                let n = self.big();
                *low <= n && n <= *high
            }
        }
    }

    /// Its sign.
    pub fn sign(&self) -> Sign {
        match &self.0 {
            Form::Small(n) => match n.cmp(&0) {
                Ordering::Less => Sign::Minus,
                Ordering::Equal => Sign::NoSign,
                Ordering::Greater => Sign::Plus,
            },
            Form::Large(n) => n.sign(),
        }
    }

    /// Bits of its magnitude.
    pub fn bits(&self) -> u64 {
        match &self.0 {
            Form::Small(n) => u64::from(u64::BITS - n.unsigned_abs().leading_zeros()),
            Form::Large(n) => n.bits(),
        }
    }
}

impl From<BigInt> for Int {
    fn from(number: BigInt) -> Int {
        Int(match i64::try_from(&number) {
            Ok(n) => Form::Small(n),
            Err(_) => Form::Large(Arc::new(number)),
        })
    }
}

impl From<i64> for Int {
    fn from(number: i64) -> Int {
        Int(Form::Small(number))
    }
}

impl From<i32> for Int {
    fn from(number: i32) -> Int {
        Int(Form::Small(number.into()))
    }
}

impl From<u8> for Int {
    fn from(number: u8) -> Int {
        Int(Form::Small(number.into()))
    }
}

impl From<u32> for Int {
    fn from(number: u32) -> Int {
        Int(Form::Small(number.into()))
    }
}

impl From<usize> for Int {
    fn from(number: usize) -> Int {
        i64::try_from(number).map_or_else(|_| BigInt::from(number).into(), Int::from)
    }
}

impl PartialOrd for Int {
    fn partial_cmp(&self, other: &Int) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Int {
    fn cmp(&self, other: &Int) -> Ordering {
        match (&self.0, &other.0) {
            (Form::Small(a), Form::Small(b)) => a.cmp(b),
            (Form::Large(a), Form::Large(b)) => a.cmp(b),
            // A large one is beyond all small ones, on its side.
            (Form::Small(_), Form::Large(b)) => match b.sign() {
                Sign::Minus => Ordering::Greater,
                _ => Ordering::Less,
            },
            (Form::Large(_), Form::Small(_)) => other.cmp(self).reverse(),
        }
    }
}

impl Add for &Int {
    type Output = Int;

    fn add(self, other: &Int) -> Int {
        match self.small().zip(other.small()).and_then(|(a, b)| a.checked_add(b)) {
            Some(sum) => sum.into(),
            None => (self.big() + other.big()).into(),
        }
    }
}

impl Sub for &Int {
    type Output = Int;

    fn sub(self, other: &Int) -> Int {
        match self.small().zip(other.small()).and_then(|(a, b)| a.checked_sub(b)) {
            Some(difference) => difference.into(),
            None => (self.big() - other.big()).into(),
        }
    }
}

impl Neg for &Int {
    type Output = Int;

    fn neg(self) -> Int {
        &Int::from(0) - self
    }
}

impl fmt::Display for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Form::Small(n) => n.fmt(f),
            Form::Large(n) => n.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_can_be_asked_agrees_with_large_integers() {
        let near = [i128::from(i64::MIN), 0, i128::from(i64::MAX)];
        let numbers: Vec<i128> = near.iter().flat_map(|n| n - 2..=n + 2).collect();
        let ints: Vec<(Int, BigInt)> =
            numbers.iter().map(|n| (BigInt::from(*n).into(), BigInt::from(*n))).collect();
        for (a, big_a) in &ints {
            assert_eq!((&a.big(), a.sign(), a.bits()), (big_a, big_a.sign(), big_a.bits()));
            assert_eq!((a.to_string(), (-a).big()), (big_a.to_string(), -big_a));
            for (b, big_b) in &ints {
                assert_eq!((a.cmp(b), a == b), (big_a.cmp(big_b), big_a == big_b));
                assert_eq!(a.is_within(big_b, big_b), big_a == big_b);
                assert_eq!(a.is_within(big_b, &(big_b + 2)), big_b <= big_a && *big_a <= big_b + 2);
                assert_eq!(((a + b).big(), (a - b).big()), (big_a + big_b, big_a - big_b));
                assert_eq!(a + b, Int::from(big_a + big_b), "one form each");
            }
        }
    }
}
