//! Vectors one by one: sets from lists, and lists from sets.

use super::{Diagrams, Halt, Set};
use std::ops::ControlFlow;

/// Bits in the order of some levels, the first one highest, so that lists of them are sorted as diagrams are.
pub type Bits = Box<[u64]>;

/// Is a bit set?
pub fn has_bit(bits: &[u64], place: usize) -> bool {
    bits[place / 64] >> (63 - place % 64) & 1 == 1
}

/// Sets a bit.
pub fn set_bit(bits: &mut [u64], place: usize) {
    bits[place / 64] |= 1 << (63 - place % 64);
}

impl Diagrams {
    /// The set of these vectors, whose bits are those at these levels (sorted).
    pub fn listed(&mut self, levels: &[u32], mut rows: Vec<Bits>) -> Result<Set, Halt> {
        rows.sort_unstable();
        rows.dedup();
        self.sorted(levels, 0, &rows)
    }

    fn sorted(&mut self, levels: &[u32], place: usize, rows: &[Bits]) -> Result<Set, Halt> {
        if rows.is_empty() {
            return Ok(Set::EMPTY);
        }
        let Some(level) = levels.get(place) else { return Ok(Set::ALL) };
        let split = rows.partition_point(|row| !has_bit(row, place));
        let without = self.sorted(levels, place + 1, &rows[..split])?;
        let with = self.sorted(levels, place + 1, &rows[split..])?;
        self.node(*level, without, with)
    }

    /// Calls back with each vector of a set that depends on these levels (sorted) alone, in order.
    pub fn each(
        &self,
        set: Set,
        levels: &[u32],
        found: &mut dyn FnMut(&[u64]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut bits = vec![0; levels.len().div_ceil(64)];
        self.each_below(set, levels, 0, &mut bits, found)
    }

    fn each_below(
        &self,
        set: Set,
        levels: &[u32],
        place: usize,
        bits: &mut [u64],
        found: &mut dyn FnMut(&[u64]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if set.is_empty() {
            return ControlFlow::Continue(());
        }
        let Some(level) = levels.get(place) else { return found(bits) };
        let (without, with) = self.parts(set, *level);
        self.each_below(without, levels, place + 1, bits, found)?;
        set_bit(bits, place);
        let flow = self.each_below(with, levels, place + 1, bits, found);
        bits[place / 64] &= !(1 << (63 - place % 64));
        flow
    }

    /// One vector of a set, the first in order; nothing of the empty one.
    pub fn first(&self, set: Set, levels: &[u32]) -> Option<Bits> {
        let mut one = None;
        let _ = self.each(set, levels, &mut |bits| {
            one = Some(bits.into());
            ControlFlow::Break(())
        });
        one
    }

    /// Is a vector in a set that depends on these levels alone?
    pub fn has(&self, set: Set, levels: &[u32], bits: &[u64]) -> bool {
        let mut at = set;
        for (place, level) in levels.iter().enumerate() {
            let (without, with) = self.parts(at, *level);
            at = if has_bit(bits, place) { with } else { without };
        }
        !at.is_empty()
    }
}
