//! Search orders: which known state is expanded next. One small file each.

mod breadth;
mod depth;
mod mixed;
mod random;

use beeline_table::StateId;
use std::ops::Range;

/// The states that wait for expansion.
///
/// States are taken in waves, all of one depth. What a wave holds may depend on what was added,
/// and on nothing else: not on time, and not on the number of threads.
pub(crate) trait Frontier {
    /// Adds new states that were found at this depth, in order.
    fn add(&mut self, fresh: Range<u32>, depth: u32);
    /// Fills the next wave, and says how deep its states lie.
    fn next(&mut self, wave: &mut Vec<StateId>) -> Option<u32>;
    /// How many states wait.
    fn len(&self) -> usize;
    /// Are all states of the nearest depth taken, so that all of the next depth must be known?
    fn level_done(&self) -> bool {
        false
    }
    /// Hears how many steps the states of the last wave had.
    fn tune(&mut self, _states: usize, _steps: u64) {}
    /// All it knows, as numbers.
    fn save(&self) -> Vec<u64>;
    /// Takes over what another one of its kind saved. `false`: that makes no sense.
    fn load(&mut self, saved: &[u64]) -> bool;
}

/// A state and its depth in one number.
fn packed(&(id, depth): &(StateId, u32)) -> u64 {
    u64::from(id.0) << 32 | u64::from(depth)
}

fn unpacked(number: &u64) -> (StateId, u32) {
    (StateId((number >> 32) as u32), *number as u32)
}

/// A search order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Nearest first: traces are as short as can be.
    BreadthFirst,
    /// Newest first.
    DepthFirst,
    /// So many percent newest first, the others oldest first.
    Mixed(u8),
    /// Any.
    Random,
}

impl Order {
    /// The order of this name on the command line.
    pub fn by_name(name: &str) -> Option<Order> {
        match name {
            "bf" => Some(Order::BreadthFirst),
            "df" => Some(Order::DepthFirst),
            "mixed" => Some(Order::Mixed(50)),
            "random" => Some(Order::Random),
            _ => {
                let percent: u8 = name.strip_prefix("mixed:")?.parse().ok()?;
                (percent <= 100).then_some(Order::Mixed(percent))
            }
        }
    }

    pub(crate) fn frontier(self, seed: u64, wave: usize) -> Box<dyn Frontier> {
        match self {
            Order::BreadthFirst => Box::new(breadth::Breadth::new(wave)),
            Order::DepthFirst => Box::new(depth::Depth::default()),
            Order::Mixed(percent) => Box::new(mixed::Mixed::new(percent, seed)),
            Order::Random => Box::new(random::Random::new(seed)),
        }
    }
}

/// A small random number generator (xorshift64*); the same numbers on every machine.
pub(crate) struct Dice(pub u64);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let high = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 32;
        ((high * bound as u64) >> 32) as usize
    }
}
