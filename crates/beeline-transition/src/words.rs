//! What words mean: a row, a state, constants or arguments.
//!
//! All four are lists of 32-bit words, and a list of one kind taken for another compiles, runs and gives wrong
//! answers. So each kind has a type: borrowed ([`RowRef`], [`StateRef`], …) where words lie in somebody
//! else's memory, owned ([`Row`], [`State`], …) where they are kept. They are nothing but the list at run time.
//!
//! Wrapping (`RowRef(words)`) says what words are, and happens where they come from: the table, a layout, an
//! evaluation. There is no conversion from one kind to another but through the words, where it can be seen.

use std::ops::Index;

/// One kind of words: what is common to all of them.
macro_rules! kind {
    ($(#[$about:meta])* $Ref:ident, $Owned:ident, $what:literal) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(transparent)]
        pub struct $Ref<'a>(pub &'a [u32]);

        #[doc = concat!($what, " that is kept: see [`", stringify!($Ref), "`].")]
        #[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(transparent)]
        pub struct $Owned(pub Vec<u32>);

        impl<'a> $Ref<'a> {
            /// The words alone: from here on nobody knows what they mean.
            #[inline]
            pub fn words(self) -> &'a [u32] {
                self.0
            }

            /// How many words.
            #[inline]
            pub fn len(self) -> usize {
                self.0.len()
            }

            /// No words at all?
            #[inline]
            pub fn is_empty(self) -> bool {
                self.0.is_empty()
            }

            /// Word by word.
            #[inline]
            pub fn iter(self) -> std::iter::Copied<std::slice::Iter<'a, u32>> {
                self.0.iter().copied()
            }

            /// A copy to keep.
            pub fn owned(self) -> $Owned {
                $Owned(self.0.to_vec())
            }
        }

        impl Index<usize> for $Ref<'_> {
            type Output = u32;

            #[inline]
            fn index(&self, place: usize) -> &u32 {
                &self.0[place]
            }
        }

        impl $Owned {
            /// The same, to look at.
            #[inline]
            pub fn view(&self) -> $Ref<'_> {
                $Ref(&self.0)
            }
        }
    };
}

kind!(
    /// A packed state: the halves of a row, as a system lays states out. Two states are equal exactly when their rows
    /// are.
    RowRef, Row, "A row"
);
kind!(
    /// A state as people see it: one word a variable.
    StateRef, State, "A state"
);
kind!(
    /// A valuation of the constants: one word each.
    ConstantsRef, Constants, "A valuation of the constants"
);
kind!(
    /// Arguments of an operation: one word a parameter.
    ArgumentsRef, Arguments, "A list of arguments"
);

/// A row that is changed where it lies.
#[derive(Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct RowMut<'a>(pub &'a mut [u32]);

impl RowMut<'_> {
    /// The same, to look at.
    #[inline]
    pub fn view(&self) -> RowRef<'_> {
        RowRef(self.0)
    }

    /// Puts another row in its place.
    #[inline]
    pub fn replace(&mut self, row: RowRef<'_>) {
        self.0.copy_from_slice(row.0);
    }

    /// The same, for somebody else to change.
    #[inline]
    pub fn again(&mut self) -> RowMut<'_> {
        RowMut(self.0)
    }
}

/// The position of an operation among those of a system ([`Signature::operations`](crate::Signature::operations)).
///
/// Not its place in the model: a system has only those operations that its level offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(transparent)]
pub struct OperationIndex(pub usize);

/// The number of a set-up, in the order in which they are found ([`Setups`](crate::Setups)).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(transparent)]
pub struct SetupIndex(pub usize);
