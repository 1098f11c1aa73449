//! By how rare its values are: a state comes first in which a variable has a value that it never had
//! before, then those whose rarest value was seen less often than that of others.
//!
//! States with something new lead to places where nobody was; most of the others repeat, in other
//! combinations, what is known (Lipovetzky & Geffner 2012, 'Width and serialization of classical
//! planning problems': novelty 1). Only equality of values counts, so that it does not matter how they
//! are numbered, and how often a value was seen depends on the set of states, not on their order: a
//! check that goes on from a checkpoint counts them again.

use crate::frontier::weigh::{New, Weigh};
use crate::shared::Shared;
use beeline_transition::TransitionSystem;
use rustc_hash::FxHashMap;

/// So many values are told apart, about 20 MB of them. Where there are more, variables with that many
/// values say little, and those after them count as common.
const MOST: usize = 1 << 18;

/// Weighs by the rarest value.
pub(crate) struct Novelty {
    variables: Vec<Variable>,
    /// Values that may still be noted.
    room: usize,
    /// The bits of one variable, while they are looked up.
    value: Vec<u32>,
}

/// What is known of a variable.
struct Variable {
    /// Where its bits are in a row.
    mask: Vec<(usize, u32)>,
    /// How many states had each value.
    seen: FxHashMap<Box<[u32]>, u32>,
}

impl Novelty {
    pub fn new<S: TransitionSystem>(shared: &Shared<'_, S>) -> Novelty {
        let mask = |variable: usize| shared.system.mask(&[variable]);
        Novelty::of((0..shared.system.signature().variables).map(mask), MOST)
    }

    fn of(masks: impl Iterator<Item = Vec<(usize, u32)>>, room: usize) -> Novelty {
        let variable = |mask| Variable { mask, seen: FxHashMap::default() };
        Novelty { variables: masks.map(variable).collect(), room, value: Vec::new() }
    }
}

impl Weigh for Novelty {
    fn weigh(&mut self, new: &New<'_>) -> i32 {
        let mut rarest = u32::MAX;
        for variable in &mut self.variables {
            self.value.clear();
            self.value.extend(variable.mask.iter().map(|(half, bits)| new.at.row[*half] & bits));
            match variable.seen.get_mut(&self.value[..]) {
                Some(times) => {
                    rarest = rarest.min(*times);
                    *times = times.saturating_add(1);
                }
                None if self.room > 0 => {
                    variable.seen.insert(self.value.as_slice().into(), 1);
                    (rarest, self.room) = (0, self.room - 1);
                }
                None => {}
            }
        }
        // Powers of two are told apart: the difference between 1000 and 1001 times is chance.
        (u32::BITS - rarest.leading_zeros()) as i32
    }

    fn remembers(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use beeline_transition::{At, RowRef, Setup, Setups};

    /// Two variables: the lower and the upper 16 bits of a half.
    fn weights(room: usize, rows: &[u32]) -> Vec<i32> {
        let masks = [vec![(0, 0xFFFF)], vec![(0, 0xFFFF_0000)]];
        let mut novelty = Novelty::of(masks.into_iter(), room);
        let setups = Setups::new(0);
        let weigh = |row: &u32| {
            let at = At { setup: Setup::first(&setups), row: RowRef(std::slice::from_ref(row)) };
            novelty.weigh(&New { at, degree: 0, unproved: 0 })
        };
        rows.iter().map(weigh).collect()
    }

    #[test]
    fn a_value_that_was_never_seen_comes_first_and_a_rare_one_next() {
        let rows = [0x1_0001, 0x1_0001, 0x1_0002, 0x2_0001, 0x2_0002, 0x1_0001];
        assert_eq!(weights(100, &rows), [0, 1, 0, 0, 1, 2]);
    }

    #[test]
    fn a_value_that_finds_no_room_is_common() {
        assert_eq!(weights(2, &[0x1_0001, 0x2_0002, 0x1_0002]), [0, 32, 1]);
    }
}
