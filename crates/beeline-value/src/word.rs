//! The word of a value: an immediate, or the number of an interned node.

use std::fmt;

/// A value: an immediate integer, boolean or element, or the number of an interned node.
///
/// The raw order of immediates of one type is their canonical order.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Val(u32);

const INT_TAG: u32 = 1 << 31;
const ATOM_TAG: u32 = 1 << 30;
/// Set in the word of a node in which a symbolic set occurs.
const OPAQUE_TAG: u32 = 1 << 29;
const INT_BIAS: i64 = 1 << 30;
const INDEX_BITS: u32 = 20;
const BOOL_SET: u32 = 1023;

/// Given sets have numbers below this.
pub const ATOM_SET_LIMIT: u32 = 1022;
/// Elements of given sets have indices below this.
pub const ATOM_INDEX_LIMIT: u32 = 1 << INDEX_BITS;

impl Val {
    /// No value at all: a local that has not been assigned.
    pub const UNSET: Val = Val(ATOM_TAG | (1022 << INDEX_BITS));
    /// `FALSE`
    pub const FALSE: Val = Val(ATOM_TAG | (BOOL_SET << INDEX_BITS));
    /// `TRUE`
    pub const TRUE: Val = Val(ATOM_TAG | (BOOL_SET << INDEX_BITS) | 1);
    /// `{}`, the first node of every store.
    pub const EMPTY: Val = Val(0);

    /// A boolean.
    pub const fn bool(value: bool) -> Val {
        if value { Val::TRUE } else { Val::FALSE }
    }

    /// An element of a given set.
    ///
    /// Both numbers must be below their limits; the compiler of a model checks that once.
    pub const fn atom(set: u32, index: u32) -> Val {
        debug_assert!(set < ATOM_SET_LIMIT && index < ATOM_INDEX_LIMIT);
        Val(ATOM_TAG | (set << INDEX_BITS) | index)
    }

    /// An integer, if it is small enough to be immediate.
    pub const fn small_int(value: i64) -> Option<Val> {
        if value >= -INT_BIAS && value < INT_BIAS {
            Some(Val(INT_TAG | (value + INT_BIAS) as u32))
        } else {
            None
        }
    }

    /// The integer of an immediate.
    #[inline]
    pub const fn as_small_int(self) -> Option<i64> {
        if self.0 & INT_TAG != 0 { Some((self.0 & !INT_TAG) as i64 - INT_BIAS) } else { None }
    }

    /// Both integers, if both are immediate.
    #[inline]
    pub const fn both_small(self, other: Val) -> Option<(i64, i64)> {
        if self.0 & other.0 & INT_TAG != 0 {
            Some(((self.0 & !INT_TAG) as i64 - INT_BIAS, (other.0 & !INT_TAG) as i64 - INT_BIAS))
        } else {
            None
        }
    }

    /// The set and index of an element.
    pub const fn as_atom(self) -> Option<(u32, u32)> {
        if self.is_atom() && (self.0 >> INDEX_BITS) & 1023 < ATOM_SET_LIMIT {
            Some(((self.0 >> INDEX_BITS) & 1023, self.0 & (ATOM_INDEX_LIMIT - 1)))
        } else {
            None
        }
    }

    /// The boolean behind it.
    #[inline]
    pub const fn as_bool(self) -> Option<bool> {
        match self {
            Val::TRUE => Some(true),
            Val::FALSE => Some(false),
            _ => None,
        }
    }

    /// Is it the word itself, not a node?
    #[inline]
    pub const fn is_immediate(self) -> bool {
        self.0 & (INT_TAG | ATOM_TAG) != 0
    }

    const fn is_atom(self) -> bool {
        self.0 & (INT_TAG | ATOM_TAG) == ATOM_TAG
    }

    /// The number of the node, if it is one.
    #[inline]
    pub const fn node_index(self) -> Option<usize> {
        if self.is_immediate() { None } else { Some((self.0 & !OPAQUE_TAG) as usize) }
    }

    /// Does a symbolic set occur in it? Then another word may stand for an equal value: words tell
    /// that two such values are equal, but not that they differ.
    #[inline]
    pub const fn is_opaque(self) -> bool {
        self.0 & (INT_TAG | ATOM_TAG | OPAQUE_TAG) == OPAQUE_TAG
    }

    /// The node of this number.
    pub(crate) const fn node(index: u32, opaque: bool) -> Val {
        debug_assert!(index < OPAQUE_TAG);
        Val(if opaque { index | OPAQUE_TAG } else { index })
    }

    /// The word, to be kept in a state vector.
    #[inline]
    pub const fn raw(self) -> u32 {
        self.0
    }

    /// A word that came from [`Val::raw`].
    #[inline]
    pub const fn from_raw(raw: u32) -> Val {
        Val(raw)
    }
}

impl fmt::Debug for Val {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Val::UNSET {
            write!(f, "unset")
        } else if let Some(i) = self.as_small_int() {
            write!(f, "{i}")
        } else if let Some(b) = self.as_bool() {
            write!(f, "{b}")
        } else if let Some((s, i)) = self.as_atom() {
            write!(f, "e{s}.{i}")
        } else {
            write!(f, "#{}", self.0)
        }
    }
}
