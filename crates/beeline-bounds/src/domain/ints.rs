//! Integers: an interval, and a congruence that all values satisfy.
//!
//! An end that does not fit 128 bits is taken for infinite, which only knows less.

/// A set of integers `x` with `low <= x <= high` and `x mod modulus = residue`; never empty.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ints {
    low: Option<i128>,
    high: Option<i128>,
    modulus: i128,
    residue: i128,
}

/// Larger moduli say next to nothing.
const MAX_MODULUS: i128 = 1 << 40;

fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    i128::try_from(a).unwrap_or(1)
}

/// The larger of two lower ends.
fn higher(a: Option<i128>, b: Option<i128>) -> Option<i128> {
    a.max(b)
}

/// The smaller of two upper ends.
fn lower(a: Option<i128>, b: Option<i128>) -> Option<i128> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

impl Ints {
    /// All integers.
    pub const ALL: Ints = Ints { low: None, high: None, modulus: 1, residue: 0 };
    /// 0 and more.
    pub const NATURAL: Ints = Ints { low: Some(0), high: None, modulus: 1, residue: 0 };

    /// Exactly this one.
    pub fn one(n: i128) -> Ints {
        Ints { low: Some(n), high: Some(n), modulus: 1, residue: 0 }
    }

    /// All between two ends; nothing if there are none.
    pub fn between(low: Option<i128>, high: Option<i128>) -> Option<Ints> {
        Ints::with(low, high, 1, 0)
    }

    /// All from here on.
    pub fn from(low: Option<i128>) -> Ints {
        Ints { low, ..Ints::ALL }
    }

    /// All up to here.
    pub fn to(high: Option<i128>) -> Ints {
        Ints { high, ..Ints::ALL }
    }

    /// Those of a congruence.
    pub fn congruent(modulus: i128, residue: i128) -> Ints {
        Ints::with(None, None, modulus, residue).unwrap_or(Ints::ALL)
    }

    fn with(low: Option<i128>, high: Option<i128>, modulus: i128, residue: i128) -> Option<Ints> {
        let modulus = if (1..=MAX_MODULUS).contains(&modulus) { modulus } else { 1 };
        // Divisions of 128 bits are slow, and most integers have no congruence.
        if modulus == 1 {
            return match (low, high) {
                (Some(l), Some(h)) if l > h => None,
                _ => Some(Ints { low, high, modulus: 1, residue: 0 }),
            };
        }
        let residue = residue.rem_euclid(modulus);
        let up = |n: i128| n.checked_add((residue - n.rem_euclid(modulus)).rem_euclid(modulus));
        let down = |n: i128| n.checked_sub((n.rem_euclid(modulus) - residue).rem_euclid(modulus));
        let (low, high) = (low.and_then(up), high.and_then(down));
        match (low, high) {
            (Some(l), Some(h)) if l > h => None,
            (Some(l), Some(h)) if l == h => Some(Ints::one(l)),
            _ => Some(Ints { low, high, modulus, residue }),
        }
    }

    /// The least one.
    pub fn low(&self) -> Option<i128> {
        self.low
    }

    /// The greatest one.
    pub fn high(&self) -> Option<i128> {
        self.high
    }

    /// Modulus and residue; a modulus of 1 says nothing.
    pub fn congruence(&self) -> (i128, i128) {
        (self.modulus, self.residue)
    }

    /// The only one, if there is only one.
    pub fn single(&self) -> Option<i128> {
        self.low.filter(|l| self.high == Some(*l))
    }

    /// Is this integer among them?
    pub fn contains(&self, n: i128) -> bool {
        self.low.is_none_or(|l| l <= n)
            && self.high.is_none_or(|h| n <= h)
            && (self.modulus == 1 || n.rem_euclid(self.modulus) == self.residue)
    }

    /// How many there are, if that is bounded.
    pub fn count(&self) -> Option<i128> {
        let apart = self.high?.checked_sub(self.low?)?;
        let steps = if self.modulus == 1 { apart } else { apart / self.modulus };
        Some(steps.saturating_add(1))
    }

    /// All of them, if there are at most so many.
    pub fn list(&self, most: usize) -> Option<Vec<i128>> {
        let (low, high) = (self.low?, self.high?);
        if self.count()? > most as i128 {
            return None;
        }
        Some((0..).map(|i| low + i * self.modulus).take_while(|n| *n <= high).collect())
    }

    /// What values are apart by: 0 for one value alone.
    fn period(&self) -> (i128, i128) {
        match self.single() {
            Some(n) => (0, n),
            None => (self.modulus, self.residue),
        }
    }

    /// Those of both.
    pub fn join(&self, other: &Ints) -> Ints {
        let ((p, r), (q, s)) = (self.period(), other.period());
        let apart = r.checked_sub(s).unwrap_or(1);
        let modulus = gcd(gcd(p, q), apart);
        let low = self.low.zip(other.low).map(|(a, b)| a.min(b));
        let high = self.high.zip(other.high).map(|(a, b)| a.max(b));
        Ints::with(low, high, modulus.max(1), r).unwrap_or(Ints::ALL)
    }

    /// Those in both; nothing if there are none.
    pub fn meet(&self, other: &Ints) -> Option<Ints> {
        let (low, high) = (higher(self.low, other.low), lower(self.high, other.high));
        if let Some(n) = self.single().or(other.single()) {
            return (self.contains(n) && other.contains(n)).then(|| Ints::one(n));
        }
        let (m, n) = (self.modulus, other.modulus);
        if m == 1 && n == 1 {
            return Ints::with(low, high, 1, 0);
        }
        let g = gcd(m, n);
        if (self.residue - other.residue).rem_euclid(g) != 0 {
            return None;
        }
        // One of the two is kept where the common period is not one of them: it only knows less.
        let (modulus, residue) = if m >= n { (m, self.residue) } else { (n, other.residue) };
        Ints::with(low, high, modulus, residue)
    }

    /// An upper bound of a growing chain: an end that moves goes to the next threshold.
    pub fn widen(&self, next: &Ints, thresholds: &[i128]) -> Ints {
        let join = self.join(next);
        let low = match (self.low, join.low) {
            (Some(old), Some(new)) if new < old => {
                thresholds.iter().rev().find(|t| **t <= new).copied()
            }
            (_, new) => new,
        };
        let high = match (self.high, join.high) {
            (Some(old), Some(new)) if new > old => thresholds.iter().find(|t| **t >= new).copied(),
            (_, new) => new,
        };
        // The congruence must not move the ends back in.
        Ints::with(low, high, 1, 0)
            .map_or(Ints::ALL, |wide| Ints { modulus: join.modulus, residue: join.residue, ..wide })
            .rounded()
    }

    fn rounded(self) -> Ints {
        Ints::with(self.low, self.high, self.modulus, self.residue).unwrap_or(Ints::ALL)
    }

    /// Sums.
    pub fn add(&self, other: &Ints) -> Ints {
        let end = |a: Option<i128>, b: Option<i128>| a?.checked_add(b?);
        let ((p, r), (q, s)) = (self.period(), other.period());
        let modulus = gcd(p, q).max(1);
        let residue = r.rem_euclid(modulus) + s.rem_euclid(modulus);
        let (low, high) = (end(self.low, other.low), end(self.high, other.high));
        Ints::with(low, high, modulus, residue).unwrap_or(Ints::ALL)
    }

    /// The negated ones.
    pub fn negate(&self) -> Ints {
        let end = |a: Option<i128>| a?.checked_neg();
        Ints::with(end(self.high), end(self.low), self.modulus, -self.residue).unwrap_or(Ints::ALL)
    }

    /// Differences.
    pub fn subtract(&self, other: &Ints) -> Ints {
        self.add(&other.negate())
    }

    /// Products.
    pub fn multiply(&self, other: &Ints) -> Ints {
        let zero = Ints::one(0);
        if *self == zero || *other == zero {
            return zero;
        }
        let low =
            |a: &Ints, b: &Ints| a.low.is_some_and(|n| n >= 0) && b.low.is_some_and(|n| n >= 0);
        let ends = |x: &Ints| Some((x.low?, x.high?));
        let (bottom, top) = match (ends(self), ends(other)) {
            (Some((a, b)), Some((c, d))) => {
                let all = [a.checked_mul(c), a.checked_mul(d), b.checked_mul(c), b.checked_mul(d)];
                match all.iter().copied().collect::<Option<Vec<i128>>>() {
                    Some(all) => (all.iter().min().copied(), all.iter().max().copied()),
                    None => (low(self, other).then_some(0), None),
                }
            }
            // Without an end on one side, signs alone say something.
            _ if low(self, other) => {
                (self.low.zip(other.low).and_then(|(a, b)| a.checked_mul(b)), None)
            }
            _ => (None, None),
        };
        let ((p, r), (q, s)) = (self.period(), other.period());
        let parts = [p.checked_mul(q), p.checked_mul(s), q.checked_mul(r), r.checked_mul(s)];
        let (modulus, residue) = match parts {
            [Some(a), Some(b), Some(c), Some(rs)] => (gcd(gcd(a, b), c).max(1), rs),
            _ => (1, 0),
        };
        Ints::with(bottom, top, modulus, residue).unwrap_or(Ints::ALL)
    }

    /// Quotients, truncated toward zero; nothing if the divisor is 0.
    pub fn divide(&self, by: &Ints) -> Option<Ints> {
        let positive = by.meet(&Ints::from(Some(1))).map(|by| self.divide_by_positive(&by));
        let negative =
            by.meet(&Ints::to(Some(-1))).map(|by| self.negate().divide_by_positive(&by.negate()));
        match (positive, negative) {
            (Some(a), Some(b)) => Some(a.join(&b)),
            (a, b) => a.or(b),
        }
    }

    fn divide_by_positive(&self, by: &Ints) -> Ints {
        let least = by.low.unwrap_or(1).max(1);
        // A quotient by something without end comes to 0.
        let quotients = |n: i128| [n / least, by.high.map_or(0, |h| n / h)];
        let low = self.low.map(|n| quotients(n).into_iter().fold(i128::MAX, i128::min));
        let high = self.high.map(|n| quotients(n).into_iter().fold(i128::MIN, i128::max));
        Ints::with(low, high, 1, 0).unwrap_or(Ints::ALL)
    }

    /// Remainders of natural numbers; nothing if there are none.
    pub fn modulo(&self, by: &Ints) -> Option<Ints> {
        let left = self.meet(&Ints::NATURAL)?;
        let by = by.meet(&Ints::from(Some(1)))?;
        if left.high.zip(by.low).is_some_and(|(h, l)| h < l) {
            return Some(left);
        }
        if let Some(m) = by.single() {
            let (p, r) = left.period();
            let modulus = gcd(p, m);
            return Ints::with(Some(0), Some(m - 1), modulus.max(1), r.rem_euclid(modulus.max(1)));
        }
        let high = lower(left.high, by.high.map(|h| h - 1));
        Ints::with(Some(0), high, 1, 0)
    }

    /// Powers; nothing if there are none.
    pub fn exponent(&self, to: &Ints) -> Option<Ints> {
        let to = to.meet(&Ints::NATURAL)?;
        let power = |a: i128, n: i128| a.checked_pow(u32::try_from(n).ok()?);
        let Some(least) = self.low.filter(|l| *l >= 0) else {
            return Some(match (self.single(), to.single()) {
                (Some(a), Some(n)) => power(a, n).map_or(Ints::ALL, Ints::one),
                _ => Ints::ALL,
            });
        };
        let high = self.high.zip(to.high).and_then(|(a, n)| power(a.max(1), n));
        let exact = self.single().zip(to.single()).and_then(|(a, n)| power(a, n));
        if let Some(n) = exact {
            return Some(Ints::one(n));
        }
        let low = if least == 0 { Some(0) } else { power(least, to.low.unwrap_or(0)).or(Some(1)) };
        Ints::with(low, high, 1, 0)
    }

    /// Without this one, where it stands at an end; nothing if none is left.
    pub fn without(&self, n: i128) -> Option<Ints> {
        if !self.contains(n) {
            return Some(*self);
        }
        let low = self.low.map(|l| if l == n { l.saturating_add(1) } else { l });
        let high = self.high.map(|h| if h == n { h.saturating_sub(1) } else { h });
        Ints::with(low, high, self.modulus, self.residue)
    }
}
