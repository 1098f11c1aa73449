//! Single values, as far as elements of sets are followed one by one.

use beeline_model::SetId;

/// One concrete value.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Atom {
    /// `TRUE`, `FALSE`
    Bool(bool),
    /// An integer.
    Int(i128),
    /// An element of a given set, by its position; it has a name.
    Element(SetId, u32),
    /// A pair.
    Pair(Box<(Atom, Atom)>),
}

impl Atom {
    /// A pair of two.
    pub fn pair(a: Atom, b: Atom) -> Atom {
        Atom::Pair(Box::new((a, b)))
    }
}
