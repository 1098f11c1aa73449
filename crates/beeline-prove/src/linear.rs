//! Differences: `a <= b + c` for integers `a`, `b` and a number `c`.

use crate::key::Key;
use beeline_model::{BinaryOp, Expr, ExprKind};
/// Something and a number: `x + 3`; without something, a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sum {
    pub part: Option<Key>,
    pub number: i64,
}

impl Sum {
    pub fn of(e: &Expr) -> Sum {
        if let Some(number) = literal(e) {
            return Sum::number(number);
        }
        if let ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Subtract), a, b) = &e.kind {
            let (left, right) = (Sum::of(a), Sum::of(b));
            let sign = if *op == BinaryOp::Add { 1 } else { -1 };
            let number = left.number.checked_add(sign * right.number);
            match (left.part, right.part, number) {
                (part, None, Some(number)) => return Sum { part, number },
                (None, part, Some(number)) if sign == 1 => return Sum { part, number },
                _ => {}
            }
        }
        Sum { part: Some(Key::expr(e)), number: 0 }
    }

    pub fn number(number: i64) -> Sum {
        Sum { part: None, number }
    }
}

/// `low <= high + number`
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Difference {
    low: Option<Key>,
    high: Option<Key>,
    number: i64,
}

impl Difference {
    /// `a + slack <= b`
    pub fn new(a: Sum, b: Sum, slack: i64) -> Option<Difference> {
        let number = b.number.checked_sub(a.number)?.checked_sub(slack)?;
        Some(Difference { low: a.part, high: b.part, number })
    }

    /// Does it follow from one of these, or from two in a row?
    pub fn follows(&self, from: &[Difference]) -> bool {
        let trivial = self.low == self.high && self.number >= 0;
        let chained = |d: &Difference| {
            let direct = d.high == self.high && d.number <= self.number;
            direct
                || from.iter().any(|e| {
                    let sum = d.number.checked_add(e.number);
                    e.low == d.high && e.high == self.high && sum.is_some_and(|n| n <= self.number)
                })
        };
        trivial || from.iter().filter(|d| d.low == self.low).any(chained)
    }
}

/// A number that is written as one, and small enough to be added without care.
fn literal(e: &Expr) -> Option<i64> {
    match &e.kind {
        ExprKind::Integer(n) => i64::try_from(n).ok().filter(|n| n.unsigned_abs() < 1 << 40),
        _ => None,
    }
}
