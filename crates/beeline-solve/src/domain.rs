//! The values a variable may still have: bounds, and holes while they span at most 256 values.

use std::cmp::Ordering;

const WORDS: usize = 4;
/// The widest span that has holes.
const SPAN: u64 = 64 * WORDS as u64;

/// A nonempty set of integers. While it spans at most 256 values, `mask` has a bit for each, counted
/// from `base`; wider domains have no holes.
#[derive(Clone, Copy, Debug)]
pub struct Domain {
    lo: i64,
    hi: i64,
    /// How many values there are, also while there are no holes.
    size: u64,
    base: i64,
    mask: [u64; WORDS],
}

/// No bound at all (and its negative).
pub(crate) const NONE: i64 = i64::MAX;
/// A lower bound is never said to be higher than this, nor an upper one lower than its negative:
/// weaker bounds are sound, and sums of them do not overflow.
pub(crate) const FAR: i64 = 1 << 60;

/// A domain of more values than this is wide: it is not tried value by value unless it must be.
pub const WIDE: u64 = 1_000_000;

impl Domain {
    /// Too wide to be tried?
    #[inline]
    pub fn is_wide(&self) -> bool {
        !self.is_bounded() || self.hi.abs_diff(self.lo) > WIDE
    }

    /// All integers between the bounds; nothing if there is none.
    pub fn between(lo: i64, hi: i64) -> Option<Domain> {
        let lo = lo.max(-NONE);
        if lo > hi {
            return None;
        }
        let span = hi.abs_diff(lo);
        let mut mask = [0; WORDS];
        if span < SPAN {
            (0..=span).step_by(64).for_each(|start| {
                mask[start as usize / 64] = ones((span - start + 1).min(64));
            });
        }
        Some(Domain { lo, hi, size: span.saturating_add(1), base: lo, mask })
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

    #[inline]
    pub(crate) fn has_mask(&self) -> bool {
        self.hi.abs_diff(self.lo) < SPAN
    }

    /// How many values are left.
    #[inline]
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Is this value left?
    #[inline]
    pub fn contains(&self, value: i64) -> bool {
        if value < self.lo || self.hi < value {
            return false;
        }
        if !self.has_mask() {
            return true;
        }
        let bit = (value - self.base) as usize;
        self.mask[bit / 64] >> (bit % 64) & 1 == 1
    }

    /// The values that a changed mask leaves.
    fn with_mask(base: i64, mask: [u64; WORDS]) -> Option<Domain> {
        let first = mask.iter().position(|w| *w != 0)?;
        let last = mask.iter().rposition(|w| *w != 0)?;
        let lo = base + (64 * first as i64 + i64::from(mask[first].trailing_zeros()));
        let hi = base + (64 * last as i64 + 63 - i64::from(mask[last].leading_zeros()));
        let size = mask.iter().map(|w| u64::from(w.count_ones())).sum();
        Some(Domain { lo, hi, size, base, mask })
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

    /// The values, least first. Of a wide domain there may be very many.
    pub(crate) fn iter(&self) -> impl Iterator<Item = i64> + '_ {
        let wide = (!self.has_mask()).then_some(self.lo..=self.hi);
        let words = if wide.is_some() { &[][..] } else { &self.mask[..] };
        let bits = words.iter().enumerate().flat_map(move |(i, w)| {
            Bits(*w).map(move |bit| self.base + (64 * i as i64 + i64::from(bit)))
        });
        wide.into_iter().flatten().chain(bits)
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
        if !self.has_mask() {
            return Domain::between(new_lo, new_hi);
        }
        let mut mask = self.mask;
        keep_bits(&mut mask, (new_lo - self.base) as usize, (new_hi - self.base) as usize);
        Domain::with_mask(self.base, mask)
    }

    /// Only this value.
    pub(crate) fn only(&self, value: i64) -> Option<Domain> {
        if self.contains(value) { Domain::between(value, value) } else { None }
    }

    /// Without one value.
    pub fn without(&self, value: i64) -> Option<Domain> {
        if !self.contains(value) {
            return Some(*self);
        }
        if self.has_mask() {
            let mut mask = self.mask;
            let bit = (value - self.base) as usize;
            mask[bit / 64] &= !(1 << (bit % 64));
            return Domain::with_mask(self.base, mask);
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
        if self.has_mask() {
            let mut mask = self.mask;
            for (i, word) in mask.iter_mut().enumerate() {
                for bit in Bits(*word) {
                    if !keep(self.base + (64 * i as i64 + i64::from(bit))) {
                        *word &= !(1 << bit);
                    }
                }
            }
            return Domain::with_mask(self.base, mask);
        }
        // A few at either end.
        let (mut lo, mut hi) = (self.lo, self.hi);
        while lo > -NONE && lo < hi && lo - self.lo < 4096 && !keep(lo) {
            lo += 1;
        }
        while hi < NONE && lo < hi && self.hi - hi < 4096 && !keep(hi) {
            hi -= 1;
        }
        if lo == hi && !keep(lo) { None } else { self.clamp(lo, hi) }
    }

    /// The values that both have.
    pub fn meet(&self, other: &Domain) -> Option<Domain> {
        let own = self.clamp(other.lo, other.hi)?;
        if own.has_mask() && other.has_mask() {
            own.filter(|v| other.contains(v))
        } else {
            Some(own)
        }
    }

    /// The values that one of both has, and maybe more.
    pub(crate) fn join(&self, other: &Domain) -> Domain {
        let (lo, hi) = (self.lo.min(other.lo), self.hi.max(other.hi));
        let whole = Domain::between(lo, hi).unwrap_or(*self);
        if !whole.has_mask() {
            return whole;
        }
        whole.filter(|v| self.contains(v) || other.contains(v)).unwrap_or(whole)
    }

    /// Is there a value that both have? (Yes, if in doubt.)
    pub(crate) fn meets(&self, other: &Domain) -> bool {
        if self.hi < other.lo || other.hi < self.lo {
            return false;
        }
        let (few, many) = if self.size <= other.size { (self, other) } else { (other, self) };
        !few.has_mask() || few.iter().any(|v| many.contains(v))
    }

    /// The bits of the values from `base` on, in a window of 64; all values must be inside.
    pub(crate) fn window(&self, base: i64) -> u64 {
        if self.base == base {
            return self.mask[0];
        }
        self.iter().fold(0, |bits, v| bits | 1 << (v - base))
    }

    /// The values of a window's bits.
    pub(crate) fn from_window(base: i64, bits: u64) -> Option<Domain> {
        let mut mask = [0; WORDS];
        mask[0] = bits;
        Domain::with_mask(base, mask)
    }
}

impl PartialEq for Domain {
    fn eq(&self, other: &Domain) -> bool {
        (self.lo, self.hi, self.size) == (other.lo, other.hi, other.size)
            && (!self.has_mask() || self.iter().cmp(other.iter()) == Ordering::Equal)
    }
}

impl Eq for Domain {}

/// The lowest bits of a word.
fn ones(count: u64) -> u64 {
    if count >= 64 { u64::MAX } else { (1 << count) - 1 }
}

/// Clears all bits outside.
fn keep_bits(mask: &mut [u64; WORDS], from: usize, to: usize) {
    for (i, word) in mask.iter_mut().enumerate() {
        let start = 64 * i;
        if start + 63 < from || to < start {
            *word = 0;
            continue;
        }
        if start < from {
            *word &= u64::MAX << (from - start);
        }
        if to < start + 63 {
            *word &= ones((to - start + 1) as u64);
        }
    }
}

/// The numbers of the bits that are set.
pub(crate) struct Bits(pub u64);

impl Iterator for Bits {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        if self.0 == 0 {
            return None;
        }
        let bit = self.0.trailing_zeros();
        self.0 &= self.0 - 1;
        Some(bit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(d: &Domain) -> Vec<i64> {
        d.iter().collect()
    }

    #[test]
    fn holes_and_bounds_agree_with_plain_lists() {
        for (lo, hi) in [(0, 0), (-3, 60), (5, 68), (-1, 64), (-100, 155), (7, 200)] {
            let full = Domain::between(lo, hi).expect("nonempty");
            assert_eq!(all(&full), (lo..=hi).collect::<Vec<_>>());
            let odd = full.filter(|v| v % 3 != 0);
            let list: Vec<i64> = (lo..=hi).filter(|v| v % 3 != 0).collect();
            assert_eq!(odd.map_or(Vec::new(), |d| all(&d)), list);
            let Some(odd) = odd else { continue };
            assert_eq!(odd.size(), list.len() as u64);
            for (a, b) in [(lo + 1, hi - 1), (lo + 30, hi), (lo, 63), (64, 70), (hi, hi)] {
                let part: Vec<i64> = list.iter().copied().filter(|v| a <= *v && *v <= b).collect();
                assert_eq!(odd.clamp(a, b).map_or(Vec::new(), |d| all(&d)), part, "{a}..{b}");
            }
            let less = odd.without(odd.hi()).map_or(Vec::new(), |d| all(&d));
            assert_eq!(less, list[..list.len() - 1]);
        }
    }

    #[test]
    fn equal_domains_are_equal_whatever_their_base() {
        let a = Domain::between(0, 100).and_then(|d| d.clamp(50, 60));
        assert_eq!(a, Domain::between(50, 60));
        let wide = Domain::between(0, 1000).expect("nonempty");
        assert_eq!(wide.without(500), Some(wide));
        assert_eq!(wide.without(0), Domain::between(1, 1000));
        assert!(!wide.clamp(0, 255).and_then(|d| d.without(9)).expect("nonempty").contains(9));
    }

    #[test]
    fn unbounded_domains_do_not_overflow() {
        let all = Domain::between(i64::MIN, i64::MAX).expect("nonempty");
        assert!(!all.is_bounded() && all.contains(0) && all.size() > 1 << 62);
        assert_eq!(all.clamp(3, 3).map(|d| d.size()), Some(1));
        assert_eq!(all.filter(|_| false), Some(all));
    }
}
