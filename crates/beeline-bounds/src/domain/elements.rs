//! Elements of given sets: those with names one by one, the others together.

use beeline_model::{GivenSet, Model, SetId, SizeOrigin};

/// So many elements are told apart.
const NAMED: usize = 62;

/// Elements of one given set; never empty.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Elements {
    /// The set.
    pub set: SetId,
    /// Which of those with names, by position.
    pub named: u64,
    /// How many of the others there are at most; 0: none of them, `u64::MAX`: no bound is known.
    pub rest: u64,
}

/// What the text says of the size of a given set, whatever is chosen for a run.
pub fn size_of(set: &GivenSet) -> (u64, Option<u64>) {
    if let Some(elements) = &set.elements {
        return (elements.len() as u64, Some(elements.len() as u64));
    }
    let least = (set.fixed.len() as u64).max(1);
    match set.size.origin {
        SizeOrigin::Enumeration | SizeOrigin::Properties | SizeOrigin::Values => {
            (set.size.min.max(least), set.size.max)
        }
        // A scope can be overridden when the model is run.
        SizeOrigin::Scope | SizeOrigin::Default => (least, None),
    }
}

/// How many elements have names that are followed.
fn names(set: &GivenSet) -> usize {
    set.elements.as_ref().unwrap_or(&set.fixed).len().min(NAMED)
}

impl Elements {
    /// All elements of a set.
    pub fn all(model: &Model, id: SetId) -> Elements {
        let set = model.set(id);
        let known = names(set);
        let rest = size_of(set).1.map_or(u64::MAX, |max| max.saturating_sub(known as u64));
        Elements { set: id, named: (1 << known) - 1, rest }
    }

    /// The element at a position.
    pub fn one(model: &Model, id: SetId, position: u32) -> Elements {
        match (position as usize) < names(model.set(id)) {
            true => Elements { set: id, named: 1 << position, rest: 0 },
            false => Elements { named: 0, ..Elements::all(model, id) },
        }
    }

    /// Those of both.
    pub fn join(&self, other: &Elements) -> Elements {
        Elements { named: self.named | other.named, rest: self.rest.max(other.rest), ..*self }
    }

    /// Those in both; nothing if there are none.
    pub fn meet(&self, other: &Elements) -> Option<Elements> {
        let met =
            Elements { named: self.named & other.named, rest: self.rest.min(other.rest), ..*self };
        (met.named != 0 || met.rest != 0).then_some(met)
    }

    /// How many there are at most.
    pub fn count(&self) -> Option<u64> {
        match self.rest {
            u64::MAX => None,
            rest => rest.checked_add(u64::from(self.named.count_ones())),
        }
    }

    /// Those with names, if there are no others.
    pub fn positions(&self) -> Option<Vec<u32>> {
        (self.rest == 0).then(|| self.names().collect())
    }

    /// The positions of those with names.
    pub fn names(&self) -> impl Iterator<Item = u32> {
        let named = self.named;
        (0..u64::BITS).filter(move |i| named & (1 << i) != 0)
    }

    /// Is the element at this position among them, if it is followed?
    pub fn contains(&self, position: u32) -> bool {
        position < u64::BITS && self.named & (1 << position) != 0
    }

    /// Without the element at this position; nothing if none is left.
    pub fn without(&self, position: u32) -> Option<Elements> {
        let bit = 1u64.checked_shl(position).unwrap_or(0);
        let left = Elements { named: self.named & !bit, ..*self };
        (left.named != 0 || left.rest != 0).then_some(left)
    }
}
