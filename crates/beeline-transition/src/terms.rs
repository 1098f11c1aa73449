//! What the questions to a system are about: set-ups, states, steps.

use crate::{ArgumentsRef, ConstantsRef, OperationIndex, RowRef, SetupIndex, Setups, StateRef};
use beeline_ir::Code;

/// A valuation of the constants by its number.
#[derive(Clone, Copy)]
pub struct Setup<'a> {
    /// Its number.
    pub number: SetupIndex,
    /// All that are known by now.
    pub all: &'a Setups,
}

impl<'a> Setup<'a> {
    /// The first of several.
    pub fn first(all: &'a Setups) -> Setup<'a> {
        Setup { number: SetupIndex(0), all }
    }

    /// The words of it. Looked up when somebody asks: the fast way needs none.
    #[inline]
    pub fn constants(self) -> ConstantsRef<'a> {
        self.all.get(self.number)
    }
}

/// A state: its valuation of the constants and its row.
#[derive(Clone, Copy)]
pub struct At<'a> {
    /// The valuation of the constants.
    pub setup: Setup<'a>,
    /// The state, as the table has it.
    pub row: RowRef<'a>,
}

impl<'a> At<'a> {
    /// The words of the constants.
    #[inline]
    pub fn constants(self) -> ConstantsRef<'a> {
        self.setup.constants()
    }
}

/// Says whether steps of an operation with these arguments are wanted.
pub type Wanted<'a> = dyn FnMut(OperationIndex, ArgumentsRef<'_>) -> bool + 'a;

/// Hears of rows, one after the other.
pub type Hearer<'a> = dyn FnMut(RowRef<'_>) + 'a;

/// A set of operations: by number, as bits of words. Words that are missing are empty.
#[derive(Clone, Copy, Debug, Default)]
pub struct OperationSet<'a>(pub &'a [u64]);

impl OperationSet<'_> {
    /// Is it one of them?
    #[inline]
    pub fn has(self, OperationIndex(number): OperationIndex) -> bool {
        self.0.get(number / 64).is_some_and(|word| word >> (number % 64) & 1 == 1)
    }

    /// Are there none?
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    /// Those from a number on, as bits; up to 64.
    #[inline]
    pub fn from(self, number: usize) -> u64 {
        let word = |at: usize| self.0.get(at).copied().unwrap_or(0);
        let (at, shift) = (number / 64, number % 64);
        match shift {
            0 => word(at),
            _ => word(at) >> shift | word(at + 1) << (64 - shift),
        }
    }
}

/// What the receiver of steps wants besides them.
#[derive(Default)]
pub struct Ask<'a> {
    /// Have no step and no fault, as somebody knows: they need not be tried, and may be.
    pub disabled: OperationSet<'a>,
    /// Have a guard that is true, as somebody knows: it need not be evaluated, and may be.
    pub enabled: OperationSet<'a>,
    /// May turn down arguments of an operation. A system tells of what it knows about them, and may
    /// not ask at all: who turns something down must be able to live with it.
    pub wanted: Option<&'a mut Wanted<'a>>,
    /// Hears of each operation that is finished.
    pub done: Option<&'a mut dyn FnMut(OperationIndex)>,
}

impl Ask<'_> {
    /// Are steps with these arguments wanted?
    #[inline]
    pub fn wants(&mut self, operation: OperationIndex, arguments: ArgumentsRef<'_>) -> bool {
        // Nobody to ask is the usual case, and costs one comparison.
        self.wanted.as_mut().is_none_or(|wanted| wanted(operation, arguments))
    }
}

/// A step as people see it: all words are those of states, not of rows.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    /// Which one.
    pub operation: OperationIndex,
    /// One word a parameter.
    pub arguments: ArgumentsRef<'a>,
    /// One word a result.
    pub results: &'a [u32],
    /// The state it leads to.
    pub target: StateRef<'a>,
}

impl<'a> Step<'a> {
    /// One without parameters and results.
    pub fn plain(operation: OperationIndex, target: StateRef<'a>) -> Step<'a> {
        Step { operation, arguments: ArgumentsRef(&[]), results: &[], target }
    }
}

/// Neighbouring bits of a row that hold one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digit {
    /// The lowest of the bits: bits 0 to 31 are those of the first half, the lowest first.
    pub bit: usize,
    /// How many bits.
    pub width: u32,
    /// How many values it can have, from 0 on. Nothing: it names a value that is kept elsewhere.
    pub values: Option<u64>,
}

/// What an operation does, as word-level code.
#[derive(Clone, Copy, Debug)]
pub struct Steps<'a> {
    /// Emits a record a step; a row comes first in each.
    pub code: &'a Code,
    /// Records may be equal: then they are one step.
    pub repeats: bool,
}

/// How promising a state is, by what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// The size of its values.
    Size,
    /// What the model itself says.
    Own,
    /// The distance to what is looked for; see [`Signature::has_target`](crate::Signature::has_target).
    Distance,
}

/// What a worker can tell at the end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Of each operation: results looked for among remembered ones, and met there.
    pub remembered: Vec<(u64, u64)>,
    /// Candidates of quantifiers that were not tried, since interchangeable ones were.
    pub left_out: u64,
}

/// An operation that was planned again.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// Which one.
    pub operation: OperationIndex,
    /// Values that were tried in a state of the sample, on average, by the plan before.
    pub before: f64,
    /// And by the plan now.
    pub after: f64,
    /// Where values come from now, in order, in words.
    pub order: Vec<String>,
}
