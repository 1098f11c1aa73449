//! Bits of rows as levels of diagrams.
//!
//! A state's bit at position `p` is at level `2 * p`, the same bit after a step at level `2 * p + 1`. Digits of a
//! variable stay in their order, the highest bit of each first. It does not know operations.

use crate::diagram::{Diagrams, Halt, Set, bits::has_bit};
use crate::order::force;
use beeline_transition::{Digit, RowRef, TransitionSystem};
use rustc_hash::FxHashMap;

/// More bits than this are refused: what walks through a diagram recurses once a bit.
pub const MOST_BITS: usize = 6_000;

/// Where each bit of a row is.
pub struct Layout {
    /// The bit of a row at each position.
    bits: Vec<usize>,
    /// The positions of each variable, sorted.
    variables: Vec<Vec<u32>>,
    /// The positions of each digit, the highest bit first, and how many values it has.
    digits: Vec<(Vec<u32>, Option<u64>)>,
    /// Where each bit of a row is among the positions.
    places: FxHashMap<usize, u32>,
    /// Variables of which nobody can say how many values they have.
    open: Vec<usize>,
}

/// Why there is no layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoLayout {
    /// Nobody says how a variable lies in a row.
    Unknown(usize),
    /// There are too many bits.
    TooLarge(usize),
}

impl Layout {
    /// The layout of a system, in which variables of each of these groups stand near each other.
    pub fn of(system: &impl TransitionSystem, groups: &[Vec<usize>]) -> Result<Layout, NoLayout> {
        let count = system.signature().variables;
        let of = |v: usize| system.digits(v).ok_or(NoLayout::Unknown(v));
        let all: Vec<Vec<Digit>> = (0..count).map(of).collect::<Result<_, _>>()?;
        let mut layout = Layout {
            bits: Vec::new(),
            variables: vec![Vec::new(); count],
            digits: Vec::new(),
            places: FxHashMap::default(),
            open: Vec::new(),
        };
        for variable in force(count, groups) {
            for digit in &all[variable] {
                let first = layout.bits.len() as u32;
                let width = digit.width;
                layout.bits.extend((digit.bit..digit.bit + width as usize).rev());
                layout.variables[variable].extend(first..first + width);
                layout.digits.push(((first..first + width).collect(), digit.values));
                if digit.values.is_none() && !layout.open.contains(&variable) {
                    layout.open.push(variable);
                }
            }
        }
        layout.open.sort_unstable();
        let places = layout.bits.iter().enumerate();
        layout.places = places.map(|(position, bit)| (*bit, position as u32)).collect();
        match layout.bits.len() {
            few if few <= MOST_BITS => Ok(layout),
            many => Err(NoLayout::TooLarge(many)),
        }
    }

    /// Bits of a state.
    pub fn len(&self) -> usize {
        self.bits.len()
    }

    /// The levels of a state before a step.
    pub fn levels(&self) -> Vec<u32> {
        (0..self.bits.len() as u32).map(|p| 2 * p).collect()
    }

    /// The positions of some variables, sorted.
    pub fn positions(&self, variables: &[usize]) -> Vec<u32> {
        let mut all: Vec<u32> =
            variables.iter().flat_map(|v| self.variables[*v].iter().copied()).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Variables of which nobody can say how many values they have.
    pub fn open(&self) -> &[usize] {
        &self.open
    }

    /// The bit of a row at a position.
    pub fn bit(&self, position: u32) -> usize {
        self.bits[position as usize]
    }

    /// The position of a bit of a row, if it holds anything.
    pub fn position(&self, bit: usize) -> Option<u32> {
        self.places.get(&bit).copied()
    }

    /// Does one of these positions (sorted) belong to a variable of which nobody can say how many values it has?
    pub fn is_open(&self, positions: &[u32]) -> bool {
        let mut open = self.open.iter().flat_map(|v| &self.variables[*v]);
        open.any(|position| positions.binary_search(position).is_ok())
    }

    /// Is the bit at a position set in a row?
    pub fn get(&self, row: RowRef<'_>, position: u32) -> bool {
        let bit = self.bits[position as usize];
        row.words().get(bit / 32).is_some_and(|half| half >> (bit % 32) & 1 == 1)
    }

    /// Sets or clears the bit at a position.
    pub fn put(&self, row: &mut [u32], position: u32, value: bool) {
        let bit = self.bits[position as usize];
        let mask = 1 << (bit % 32);
        if let Some(half) = row.get_mut(bit / 32) {
            *half = if value { *half | mask } else { *half & !mask };
        }
    }

    /// Puts bits that stand for these positions into a row.
    pub fn put_all(&self, row: &mut [u32], positions: &[u32], bits: &[u64]) {
        for (place, position) in positions.iter().enumerate() {
            self.put(row, *position, has_bit(bits, place));
        }
    }

    /// All patterns of bits that are states, as far as digits have fewer values than patterns.
    pub fn universe(&self, diagrams: &mut Diagrams) -> Result<Set, Halt> {
        let all: Vec<u32> = (0..self.len() as u32).collect();
        self.universe_of(&all, diagrams)
    }

    /// The same for digits among these positions (sorted) alone.
    pub fn universe_of(&self, among: &[u32], diagrams: &mut Diagrams) -> Result<Set, Halt> {
        let mut all = Set::ALL;
        let is_among = |position: &u32| among.binary_search(position).is_ok();
        for (positions, values) in self.digits.iter().rev() {
            if let Some(values) = values.filter(|_| positions.iter().all(is_among)) {
                let levels: Vec<u32> = positions.iter().map(|p| 2 * p).collect();
                let digit = diagrams.below(&levels, values)?;
                all = diagrams.intersection(all, digit)?;
            }
        }
        Ok(all)
    }
}
