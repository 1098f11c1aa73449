//! The values a variable may still have: bounds, and holes while fewer than 65 values remain.

/// A nonempty set of integers. While it spans at most 64 values, `mask` has a bit for each, counted
/// from `lo`; wider domains have no holes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Domain {
    lo: i64,
    hi: i64,
    mask: u64,
}

/// No bound at all (and its negative).
pub(crate) const NONE: i64 = i64::MAX;
/// A lower bound is never said to be higher than this, nor an upper one lower than its negative:
/// weaker bounds are sound, and sums of them do not overflow.
pub(crate) const FAR: i64 = 1 << 60;

impl Domain {
    /// All integers between the bounds; nothing if there is none.
    pub fn between(lo: i64, hi: i64) -> Option<Domain> {
        let (lo, hi) = (lo.max(-NONE), hi);
        if lo > hi {
            return None;
        }
        Some(Domain { lo, hi, mask: ones(lo, hi) })
    }

    /// The least value.
    #[inline]
    pub fn lo(&self) -> i64 {
        self.lo
    }

    /// The greatest value.
    #[inline]
    pub fn hi(&self) -> i64 {
        self.hi
    }

    /// Is one value left?
    #[inline]
    pub fn is_fixed(&self) -> bool {
        self.lo == self.hi
    }

    fn small(&self) -> bool {
        self.hi.checked_sub(self.lo).is_some_and(|span| span < 64)
    }

    /// How many values are left.
    pub fn size(&self) -> u64 {
        if self.small() {
            u64::from(self.mask.count_ones())
        } else {
            self.hi.abs_diff(self.lo).saturating_add(1)
        }
    }

    /// Is this value left?
    #[inline]
    pub fn contains(&self, value: i64) -> bool {
        self.lo <= value
            && value <= self.hi
            && (!self.small() || self.mask >> (value - self.lo) & 1 == 1)
    }

    fn with_mask(lo: i64, mask: u64) -> Option<Domain> {
        if mask == 0 {
            return None;
        }
        let skip = mask.trailing_zeros();
        let mask = mask >> skip;
        let lo = lo + i64::from(skip);
        Some(Domain { lo, hi: lo + 63 - i64::from(mask.leading_zeros()), mask })
    }

    /// Is there a least value?
    pub fn has_low(&self) -> bool {
        self.lo > -NONE
    }

    /// Is there a greatest value?
    pub fn has_high(&self) -> bool {
        self.hi < NONE
    }

    /// Is there a least and a greatest value?
    pub fn is_bounded(&self) -> bool {
        self.lo > -NONE && self.hi < NONE
    }

    /// Only the values between the bounds.
    pub fn clamp(&self, lo: i64, hi: i64) -> Option<Domain> {
        if lo <= self.lo && self.hi <= hi {
            return Some(*self);
        }
        let (new_lo, new_hi) = (lo.max(self.lo), hi.min(self.hi));
        if new_lo > new_hi {
            return None;
        }
        if !self.small() {
            return Domain::between(new_lo, new_hi);
        }
        let mask = (self.mask >> (new_lo - self.lo)) & ones(new_lo, new_hi);
        Domain::with_mask(new_lo, mask)
    }

    /// Without one value.
    pub fn without(&self, value: i64) -> Option<Domain> {
        if !self.contains(value) {
            return Some(*self);
        }
        if self.small() {
            return Domain::with_mask(self.lo, self.mask & !(1 << (value - self.lo)));
        }
        if value == self.lo && value > -NONE {
            Domain::between(self.lo + 1, self.hi)
        } else if value == self.hi && value < NONE {
            Domain::between(self.lo, self.hi - 1)
        } else {
            // Wide domains have no holes; the constraint stays and removes it later.
            Some(*self)
        }
    }

    /// Only values that `keep` accepts, as far as holes can be kept.
    pub fn filter(&self, mut keep: impl FnMut(i64) -> bool) -> Option<Domain> {
        if self.small() {
            let mut mask = self.mask;
            let mut rest = self.mask;
            while rest != 0 {
                let bit = rest.trailing_zeros();
                rest &= rest - 1;
                if !keep(self.lo + i64::from(bit)) {
                    mask &= !(1 << bit);
                }
            }
            return Domain::with_mask(self.lo, mask);
        }
        let mut lo = self.lo;
        while lo > -NONE && lo < self.hi && lo - self.lo < 4096 && !keep(lo) {
            lo += 1;
        }
        self.clamp(lo, self.hi)
    }

    /// The values that both have.
    pub fn meet(&self, other: &Domain) -> Option<Domain> {
        let own = self.clamp(other.lo, other.hi)?;
        if own.small() && other.small() { own.filter(|v| other.contains(v)) } else { Some(own) }
    }
}

fn ones(lo: i64, hi: i64) -> u64 {
    if hi.checked_sub(lo).is_none_or(|span| span >= 63) {
        u64::MAX
    } else {
        (1 << (hi - lo + 1)) - 1
    }
}
