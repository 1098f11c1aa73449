//! Search orders: which known state is expanded next. One small file each.
//!
//! A [`Frontier`] holds the states that wait. Orders that prefer some states to others are a
//! [`best::Best`] frontier and a file in `order/` that says how much a state weighs: small first.

mod best;
mod breadth;
mod cohorts;
mod cost;
mod depth;
mod mixed;
mod order;
mod pace;
mod portfolio;
mod random;
pub(crate) mod weigh;

pub(crate) use breadth::Breadth;
pub(crate) use cohorts::Cohorts;
pub use cost::{FrontierCost, frontier_cost};

use beeline_table::StateId;
use std::ops::Range;

/// The states that wait for expansion.
///
/// What a wave holds may depend on what was added, and on nothing else: not on time, and not on
/// the number of threads.
pub(crate) trait Frontier {
    /// The states that are added first have this depth, and not that of an initial state.
    fn begin_at(&mut self, _depth: u32) {}
    /// Adds new states, in the order in which they were found.
    fn add(&mut self, fresh: &Fresh<'_>);
    /// Fills the next wave. `false`: nothing waits.
    fn next(&mut self, wave: &mut Wave) -> bool;
    /// How many states wait.
    fn len(&self) -> usize;
    /// The least number of a state that waits, if the order knows.
    fn first(&self) -> Option<u32> {
        None
    }
    /// Was every state taken so far one of the nearest that waited?
    fn is_nearest_first(&self) -> bool {
        false
    }
    /// Are the weights of the states that come next asked for?
    fn wants_weights(&self) -> bool {
        true
    }
    /// Has it tried so much that what is left is to visit everything, as cheaply as can be?
    fn is_tired(&self) -> bool {
        false
    }
    /// A breadth-first order for one that is tired: the nearest states first.
    fn rested(&self, _wave: usize) -> Option<Breadth> {
        None
    }
    /// A breadth-first order that goes on from here, if there can be one: the oldest states first,
    /// for states on disk.
    fn to_breadth(&self, _wave: usize) -> Option<Breadth> {
        None
    }
    /// Are all states of the nearest depth taken, so that all of the next depth must be known?
    fn level_done(&self) -> bool {
        false
    }
    /// Where nothing else waits: may a wave of a few states, and what they lead to, be taken level
    /// by level?
    fn may_crawl(&self) -> bool {
        false
    }
    /// The wave that it gave, and all levels between, were taken; this one, which is all of its
    /// level, is being taken now.
    fn crawled(&mut self, _wave: &Wave) {}
    /// Hears how many steps the states of the last wave had.
    fn tune(&mut self, _states: usize, _steps: u64) {}
    /// All it knows, as numbers.
    fn save(&self) -> Vec<u64>;
    /// Takes over what another one of its kind saved. `false`: that makes no sense.
    fn load(&mut self, saved: &[u64]) -> bool;
}

/// New states.
pub(crate) struct Fresh<'a> {
    /// Their numbers.
    pub states: Range<u32>,
    /// How many operations away from initialisation each was found.
    pub depths: &'a [u32],
    /// How promising each is, small first. Empty where the order does not ask.
    pub weights: &'a [i32],
    /// The place in the last wave of the state that led to each. Empty if all came from the first.
    pub ranks: &'a [u32],
}

impl Fresh<'_> {
    /// Number, depth and weight of each.
    fn each(&self) -> impl DoubleEndedIterator<Item = (Waiting, i32)> + '_ {
        self.states.clone().enumerate().map(|(i, id)| {
            let depth = self.depths.get(i).copied().unwrap_or(0);
            (Waiting { id, depth }, self.weights.get(i).copied().unwrap_or(0))
        })
    }
}

/// States that are expanded together.
#[derive(Default)]
pub(crate) struct Wave {
    pub states: Vec<StateId>,
    /// The depth of each.
    pub depths: Vec<u32>,
}

impl Wave {
    fn clear(&mut self) {
        self.states.clear();
        self.depths.clear();
    }

    fn push(&mut self, one: Waiting) {
        self.states.push(StateId(one.id));
        self.depths.push(one.depth);
    }

    /// Puts its states, if it has any, in the place of another wave. Had it any?
    pub fn hand_over(&mut self, other: &mut Wave) -> bool {
        if self.states.is_empty() {
            return false;
        }
        std::mem::swap(self, other);
        self.clear();
        true
    }

    /// The depth of all its states, if it is one.
    pub fn depth(&self) -> Option<u32> {
        let first = *self.depths.first()?;
        self.depths.iter().all(|d| *d == first).then_some(first)
    }
}

/// A state that waits, and its depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Waiting {
    id: u32,
    depth: u32,
}

impl Waiting {
    fn packed(self) -> u64 {
        u64::from(self.id) << 32 | u64::from(self.depth)
    }

    fn unpacked(number: u64) -> Waiting {
        Waiting { id: (number >> 32) as u32, depth: number as u32 }
    }
}

/// A small random number generator (xorshift64*); the same numbers on every machine.
pub(crate) struct Dice(pub u64);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let high = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 32;
        ((high * bound as u64) >> 32) as usize
    }

    /// Puts things in any order.
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for last in (1..things.len()).rev() {
            things.swap(last, self.below(last + 1));
        }
    }
}
