//! What an interned value is made of.

use crate::Val;
use num_bigint::BigInt;

/// An interned value. Each value has exactly one form: the store's constructors see to that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// An integer too large to be immediate.
    Int(BigInt),
    /// A real number, by its bits.
    Real(u64),
    /// A string.
    Str(Box<str>),
    /// A pair.
    Pair(Val, Val),
    /// A set of anything but pairs, in canonical order. Not a long run of integers. Elements with
    /// symbolic sets in them are known to differ from all others, see [`Node::LOOSE`].
    Set(Box<[Val]>),
    /// All integers between the bounds; always more than [`Node::LISTED_RUN`] of them.
    Range(i64, i64),
    /// A nonempty set of pairs as two columns, in canonical order.
    Rel(Box<[Val]>, Box<[Val]>),
    /// A record: its fields in the order of the type.
    Rec(Box<[Val]>),
    /// A value of a free type: type, constructor, argument.
    Free(u32, u32, Option<Val>),
    /// A set that is not listed: what it means is the evaluator's affair.
    Sym(u32, Box<[Val]>),
}

impl Node {
    /// Runs of consecutive integers up to this length are listed.
    pub const LISTED_RUN: usize = 32;

    /// The tag of a symbolic set that is given by values some of which may be equal, though their
    /// words differ: nobody has looked yet. The store makes these by itself whenever words do not
    /// tell; no operation on listed sets takes them.
    pub const LOOSE: u32 = 0;
}

/// The elements of a listed set, without pairs being built.
#[derive(Clone, Copy, Debug)]
pub enum Elems<'a> {
    /// Listed.
    Slice(&'a [Val]),
    /// A run of integers.
    Range(i64, i64),
    /// Pairs as two columns.
    Rel(&'a [Val], &'a [Val]),
}

impl Elems<'_> {
    /// How many.
    pub fn len(&self) -> usize {
        match self {
            Elems::Slice(s) => s.len(),
            // More than any memory holds is as good as the most that can be said.
            Elems::Range(lo, hi) => {
                usize::try_from(i128::from(*hi) - i128::from(*lo) + 1).unwrap_or(usize::MAX)
            }
            Elems::Rel(l, _) => l.len(),
        }
    }

    /// None at all?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
