//! Sums with whole coefficients, and whether inequalities between them can hold together.
//!
//! Fourier and Motzkin's elimination, tightened for whole numbers: what is found to have no solution has
//! none; what is not may have none either.

use std::collections::BTreeMap;

/// More inequalities than this are not looked at.
const MAX_ROWS: usize = 160;
/// Larger numbers neither.
const MAX_NUMBER: i128 = 1 << 80;

/// `sum of number * name + constant`
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sum {
    pub parts: BTreeMap<u32, i128>,
    pub constant: i128,
}

impl Sum {
    pub fn number(constant: i128) -> Sum {
        Sum { parts: BTreeMap::new(), constant }
    }

    pub fn name(name: u32) -> Sum {
        Sum { parts: BTreeMap::from([(name, 1)]), constant: 0 }
    }

    /// `self + factor * other`
    pub fn plus(mut self, factor: i128, other: &Sum) -> Option<Sum> {
        let times = |n: i128| n.checked_mul(factor).filter(|n| n.abs() < MAX_NUMBER);
        for (name, n) in &other.parts {
            let slot = self.parts.entry(*name).or_insert(0);
            *slot = slot.checked_add(times(*n)?)?;
        }
        self.parts.retain(|_, n| *n != 0);
        self.constant = self.constant.checked_add(times(other.constant)?)?;
        (self.constant.abs() < MAX_NUMBER).then_some(self)
    }

    /// Divided by what all numbers have in common; the constant of `sum <= 0` is rounded up.
    fn tightened(mut self) -> Sum {
        let divisor = self.parts.values().fold(0, |a, b| gcd(a, b.abs()));
        if divisor > 1 {
            self.parts.values_mut().for_each(|n| *n /= divisor);
            self.constant = -((-self.constant).div_euclid(divisor));
        }
        self
    }
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Is there surely no solution in whole numbers of `row <= 0` for all rows?
pub(crate) fn impossible(rows: &[Sum]) -> bool {
    let mut rows: Vec<Sum> = rows.iter().cloned().map(Sum::tightened).collect();
    loop {
        if rows.iter().any(|r| r.parts.is_empty() && r.constant > 0) {
            return true;
        }
        rows.retain(|r| !r.parts.is_empty());
        rows.sort_by(|a, b| a.parts.cmp(&b.parts).then(b.constant.cmp(&a.constant)));
        rows.dedup_by(|b, a| a.parts == b.parts);
        if rows.is_empty() || rows.len() > MAX_ROWS {
            return false;
        }
        let Some(name) = cheapest(&rows) else { return false };
        let factor = |r: &Sum| r.parts.get(&name).copied().unwrap_or(0);
        let (with, mut next): (Vec<Sum>, Vec<Sum>) = rows.into_iter().partition(|r| factor(r) != 0);
        for up in with.iter().filter(|r| factor(r) > 0) {
            for down in with.iter().filter(|r| factor(r) < 0) {
                let scaled = Sum::default().plus(-factor(down), up);
                // A row that is left out only makes less known.
                let joined = scaled.and_then(|s| s.plus(factor(up), down));
                next.extend(joined.map(Sum::tightened));
            }
        }
        rows = next;
    }
}

/// The name whose elimination leaves the fewest rows.
fn cheapest(rows: &[Sum]) -> Option<u32> {
    let mut counts: BTreeMap<u32, (usize, usize)> = BTreeMap::new();
    for (name, n) in rows.iter().flat_map(|r| &r.parts) {
        let count = counts.entry(*name).or_default();
        if *n > 0 { count.0 += 1 } else { count.1 += 1 }
    }
    counts.into_iter().min_by_key(|(_, (up, down))| up * down).map(|(name, _)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(parts: &[(u32, i128)], constant: i128) -> Sum {
        Sum { parts: parts.iter().copied().collect(), constant }
    }

    #[test]
    fn chains_and_gaps_between_whole_numbers_are_seen() {
        // x < y, y < z, z <= x + 1
        let chain = [row(&[(0, 1), (1, -1)], 1), row(&[(1, 1), (2, -1)], 1)];
        let mut closed = chain.to_vec();
        closed.push(row(&[(2, 1), (0, -1)], -1));
        assert!(!impossible(&chain) && impossible(&closed));
        // 3 <= 2x <= 3
        assert!(impossible(&[row(&[(0, 2)], -3), row(&[(0, -2)], 3)]));
        assert!(!impossible(&[row(&[(0, 2)], -4), row(&[(0, -2)], 4)]));
    }
}
