//! Finite domains: values that have an index, and how sets of them become bits.

use beeline_fault::{Flaw, planted};
use beeline_value::{Store, Val};

/// A finite domain of values, in canonical order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Dom {
    /// `FALSE`, `TRUE`
    Bool,
    /// Elements of a given set: its number and size.
    Given(u32, u32),
    /// All integers between the bounds; never empty.
    Range(i64, i64),
    /// Pairs; the left half varies slowest.
    Pair(Box<Dom>, Box<Dom>),
}

/// Domains are never larger than this: an index fits half a word.
const MAX_SIZE: u64 = 1 << 31;

impl Dom {
    /// A range, unless it is empty or too large.
    pub fn range(lo: i64, hi: i64) -> Option<Dom> {
        let size = i128::from(hi) - i128::from(lo) + 1;
        (size > 0 && size <= i128::from(MAX_SIZE)).then_some(Dom::Range(lo, hi))
    }

    /// Pairs, unless there are too many.
    pub fn pair(left: Dom, right: Dom) -> Option<Dom> {
        (left.size().checked_mul(right.size())? <= MAX_SIZE)
            .then(|| Dom::Pair(Box::new(left), Box::new(right)))
    }

    /// How many values.
    pub fn size(&self) -> u64 {
        match self {
            Dom::Bool => 2,
            Dom::Given(_, size) => u64::from(*size),
            Dom::Range(lo, hi) => (hi - lo + 1) as u64,
            Dom::Pair(a, b) => a.size() * b.size(),
        }
    }

    /// The position of a value.
    pub fn index(&self, store: &Store, value: Val) -> Option<u64> {
        match self {
            Dom::Bool => value.as_bool().map(u64::from),
            Dom::Given(set, size) => match value.as_atom() {
                Some((s, i)) if s == *set && i < *size => Some(u64::from(i)),
                _ => None,
            },
            Dom::Range(lo, hi) => {
                let i = value.as_small_int()?;
                if planted(Flaw::FieldWraps) && i > *hi {
                    return Some((i - lo) as u64 % self.size());
                }
                (*lo <= i && i <= *hi).then(|| (i - lo) as u64)
            }
            Dom::Pair(a, b) => {
                let (left, right) = store.as_pair(value)?;
                Some(a.index(store, left)? * b.size() + b.index(store, right)?)
            }
        }
    }

    /// The value at a position.
    pub fn value(&self, store: &Store, index: u64) -> Val {
        match self {
            Dom::Bool => Val::bool(index == 1),
            Dom::Given(set, _) => Val::atom(*set, index as u32),
            Dom::Range(lo, _) => store.int(lo + index as i64),
            Dom::Pair(a, b) => {
                let (i, j) = (index / b.size(), index % b.size());
                store.pair(a.value(store, i), b.value(store, j))
            }
        }
    }

    /// The least domain of the same kind that holds both.
    pub fn hull(&self, other: &Dom) -> Option<Dom> {
        match (self, other) {
            (Dom::Range(a, b), Dom::Range(c, d)) => Dom::range(*a.min(c), *b.max(d)),
            (Dom::Pair(a, b), Dom::Pair(c, d)) => Dom::pair(a.hull(c)?, b.hull(d)?),
            _ => (self == other).then(|| self.clone()),
        }
    }

    /// The domain of a listed, nonempty set's elements.
    pub fn of_elements(store: &Store, values: impl Iterator<Item = Val>, ty: &Kind) -> Option<Dom> {
        let mut found: Option<Dom> = None;
        for value in values {
            let one = ty.domain_of(store, value)?;
            found = Some(match found {
                None => one,
                Some(dom) => dom.hull(&one)?,
            });
        }
        found
    }

    /// How a set over this domain lies in words; nothing if it would take too many.
    pub fn grid(&self) -> Option<Grid> {
        let (rows, cols) = match self {
            Dom::Pair(a, b) => (a.size(), b.size()),
            other => (1, other.size()),
        };
        let grid = if cols <= 64 {
            let per_word = (64 / cols.max(1)).min(rows.max(1));
            Grid { rows, cols, per_word, words: rows.div_ceil(per_word) as usize }
        } else if rows == 1 {
            Grid { rows, cols, per_word: 1, words: cols.div_ceil(64) as usize }
        } else {
            return None;
        };
        (grid.words <= MAX_WORDS).then_some(grid)
    }
}

/// A set takes at most so many words.
const MAX_WORDS: usize = 8;

/// What a scalar type is made of: the skeleton of a domain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Bool,
    Given(u32, u32),
    Integer,
    Pair(Box<Kind>, Box<Kind>),
}

impl Kind {
    /// The domain of this one value.
    fn domain_of(&self, store: &Store, value: Val) -> Option<Dom> {
        match self {
            Kind::Bool => Some(Dom::Bool),
            Kind::Given(set, size) => Some(Dom::Given(*set, *size)),
            Kind::Integer => {
                let i = value.as_small_int()?;
                Dom::range(i, i)
            }
            Kind::Pair(a, b) => {
                let (left, right) = store.as_pair(value)?;
                Dom::pair(a.domain_of(store, left)?, b.domain_of(store, right)?)
            }
        }
    }

    /// The domain of all its values, if they are finitely many.
    pub fn whole(&self) -> Option<Dom> {
        match self {
            Kind::Bool => Some(Dom::Bool),
            Kind::Given(set, size) => Some(Dom::Given(*set, *size)),
            Kind::Integer => None,
            Kind::Pair(a, b) => Dom::pair(a.whole()?, b.whole()?),
        }
    }
}

/// Where the elements of a set are: rows of columns; a row never lies in two words, unless there
/// is only one row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Grid {
    pub rows: u64,
    pub cols: u64,
    pub per_word: u64,
    pub words: usize,
}

impl Grid {
    /// Word and bit of the element with this index.
    pub fn place(&self, index: u64) -> (usize, u32) {
        if self.rows == 1 {
            return ((index / 64) as usize, (index % 64) as u32);
        }
        let (row, col) = (index / self.cols, index % self.cols);
        ((row / self.per_word) as usize, ((row % self.per_word) * self.cols + col) as u32)
    }

    /// Word and shift of a row; only where columns fit a word.
    pub fn row(&self, row: u64) -> (usize, u32) {
        ((row / self.per_word) as usize, ((row % self.per_word) * self.cols) as u32)
    }

    /// The bits that are used in a word.
    pub fn mask(&self, word: usize) -> u64 {
        let used = if self.rows == 1 {
            (self.cols - 64 * word as u64).min(64)
        } else {
            let rows = (self.rows - self.per_word * word as u64).min(self.per_word);
            rows * self.cols
        };
        ones(used)
    }
}

/// A mask of so many low bits.
pub(crate) fn ones(width: u64) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

/// Bits that tell so many things apart.
pub(crate) fn bits_for(size: u64) -> u32 {
    64 - size.saturating_sub(1).leading_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_element_has_a_bit_of_its_own() {
        let pair = |a, b| Dom::pair(a, b).unwrap();
        let five = Dom::Given(0, 5);
        for dom in [
            Dom::Bool,
            Dom::Range(-3, 100),
            pair(five.clone(), Dom::Range(1, 7)),
            pair(pair(Dom::Bool, five.clone()), five),
            pair(Dom::Range(0, 0), Dom::Range(0, 63)),
        ] {
            let grid = dom.grid().unwrap();
            let mut words = vec![0u64; grid.words];
            for i in 0..dom.size() {
                let (word, bit) = grid.place(i);
                assert_eq!(words[word] >> bit & 1, 0, "{dom:?} {i}");
                words[word] |= 1 << bit;
            }
            let masks: Vec<u64> = (0..grid.words).map(|w| grid.mask(w)).collect();
            assert_eq!(words, masks, "{dom:?}");
        }
    }

    #[test]
    fn indices_and_values_are_inverse() {
        let store = Store::new();
        let dom = Dom::pair(Dom::Range(-2, 2), Dom::Given(3, 4)).unwrap();
        let mut last = None;
        for i in 0..dom.size() {
            let value = dom.value(&store, i);
            assert_eq!(dom.index(&store, value), Some(i));
            assert!(last.is_none_or(|l| store.cmp(l, value).is_lt()));
            last = Some(value);
        }
        assert_eq!(dom.index(&store, store.pair(store.int(3), Val::atom(3, 0))), None);
    }

    #[test]
    fn widths() {
        assert_eq!([1, 2, 3, 4, 5, 1000].map(bits_for), [0, 1, 2, 2, 3, 10]);
    }
}
