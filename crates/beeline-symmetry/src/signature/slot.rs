//! One variable: where its bits are, and how its values use elements.
//!
//! Nothing here depends on where signatures lie: that is [`Laid`](super::laid::Laid)'s.

use crate::profile::Profiler;
use beeline_fault::{Flaw, planted};
use beeline_pack::{Codec, Field, FunctionBits};
use beeline_value::Val;
use rustc_hash::FxHashMap;

/// Variables of so few bits, or several together, have a list of contributions.
const LISTED: u32 = 11;

/// Functions to more values are not taken apart bit by bit.
const MAX_CODES: u64 = 64;

/// How one variable uses elements.
pub(super) struct Slot {
    pub variable: usize,
    /// Its number among constants and variables.
    pub slot: usize,
    pub class: usize,
    /// Bits of its numbers in a signature.
    pub width: u32,
    pub bits: Bits,
    /// Uses (as sets of tuples), their numbers from 1 on, and the sums of their paths.
    pub numbers: FxHashMap<u32, u64>,
    pub sums: Vec<u128>,
}

/// Where the bits of a variable are.
pub(super) enum Bits {
    Few {
        word: usize,
        shift: u32,
        mask: u64,
    },
    Word {
        word: usize,
        shift: u32,
    },
    /// A bit for each element of the class.
    Members(Vec<Field>),
    /// A code for each element of the class.
    Codes(FunctionBits),
    Many(Vec<Field>),
}

/// The short way, where all signatures fit one word: what some variables that lie side by side, or one
/// that is a word of the store, contribute, by their bits.
pub(super) struct Window {
    pub word: usize,
    pub shift: u32,
    pub mask: u64,
    pub list: Vec<u64>,
    /// Its variables, as places in the list of slots.
    pub slots: Vec<usize>,
}

/// Variables of few bits that lie side by side are looked up together. None if one has many.
pub(super) fn windows(slots: &[Slot]) -> Vec<Window> {
    let mut found: Vec<Window> = Vec::new();
    let mut few: Vec<(usize, u32, u64, usize)> = Vec::new();
    for (number, slot) in slots.iter().enumerate() {
        match slot.bits {
            Bits::Few { word, shift, mask } => few.push((word, shift, mask, number)),
            Bits::Word { word, shift } => {
                let (mask, list) = (u64::from(u32::MAX), Vec::new());
                found.push(Window { word, shift, mask, list, slots: vec![number] });
            }
            Bits::Members(_) | Bits::Codes(_) | Bits::Many(_) => return Vec::new(),
        }
    }
    few.sort_unstable_by_key(|f| (f.0, f.1));
    for (word, shift, mask, number) in few {
        let end = shift + (64 - mask.leading_zeros());
        match found.last_mut() {
            Some(last)
                if last.word == word && shift >= last.shift && end - last.shift <= LISTED =>
            {
                last.mask |= mask << (shift - last.shift);
                last.slots.push(number);
            }
            _ => found.push(Window { word, shift, mask, list: Vec::new(), slots: vec![number] }),
        }
    }
    found
}

impl Bits {
    /// Of a variable whose values use elements of one given set, `set`; `all` of its elements may be
    /// permuted, or not.
    ///
    /// A bit or a code for each element is taken apart only if the layout says that it is there for
    /// the elements of just this set, all of which are numbered in order: what the layout has for
    /// another set, or for integers, says nothing about signatures. Everything else is decoded, and
    /// looked at as a value.
    pub fn of(codec: &Codec, variable: usize, set: u32, all: bool) -> Bits {
        match codec.fields(variable) {
            [f] if codec.is_word(variable) => Bits::Word { word: f.word, shift: f.shift },
            [f] if f.width <= LISTED => {
                Bits::Few { word: f.word, shift: f.shift, mask: (1 << f.width) - 1 }
            }
            fields if all && codec.members_of(variable) == Some(set) => {
                Bits::Members(fields.to_vec())
            }
            fields => match codec.function(variable) {
                Some(function)
                    if all
                        && (function.set == set || planted(Flaw::SignaturesWrong))
                        && function.codes <= MAX_CODES =>
                {
                    Bits::Codes(function)
                }
                _ => Bits::Many(fields.to_vec()),
            },
        }
    }
}

/// Calls back with the place of each bit.
#[inline]
pub(super) fn each_member(fields: &[Field], words: &[u64], mut found: impl FnMut(usize)) {
    for (part, field) in fields.iter().enumerate() {
        let mut bits = field.get(words);
        while bits != 0 {
            found(64 * part + bits.trailing_zeros() as usize);
            bits &= bits - 1;
        }
    }
}

impl Slot {
    /// The bits of the variable.
    pub fn key(&self, words: &[u64]) -> Box<[u64]> {
        match &self.bits {
            Bits::Few { word, shift, mask } => [words[*word] >> shift & mask].into(),
            Bits::Word { word, shift } => [u64::from((words[*word] >> shift) as u32)].into(),
            // One key for all values: they are not remembered one by one.
            Bits::Codes(_) => [0].into(),
            Bits::Members(fields) | Bits::Many(fields) => {
                fields.iter().map(|f| f.get(words)).collect()
            }
        }
    }

    /// Learns all uses where they are known beforehand: being a member, or having a value. False:
    /// they are not.
    pub fn learn_all(&mut self, element: Val, codec: &Codec, profiler: &mut Profiler<'_>) -> bool {
        let store = profiler.store;
        let mut path = |value| profiler.profile(self.slot, value).uses.first().map_or(0, |u| u.sum);
        match &self.bits {
            Bits::Members(_) => self.sums.push(path(store.set(vec![element]))),
            Bits::Codes(function) => {
                // The number of a use is the code, plus one where 0 means a value.
                for code in u64::from(!function.total)..function.codes {
                    let one = codec.function_of_one(store, self.variable, (element, code));
                    self.sums.push(one.map_or(0, &mut path));
                }
            }
            _ => return false,
        }
        true
    }

    /// The elements in a value, and the number of the use of each.
    pub fn uses(&mut self, value: Val, profiler: &mut Profiler<'_>) -> Option<Vec<(u32, u64)>> {
        if value == Val::EMPTY {
            return Some(Vec::new());
        }
        let profile = profiler.profile(self.slot, value);
        if !profile.links.is_empty() || profile.deep || profile.bare {
            return None;
        }
        let mut uses = Vec::new();
        for used in profile.uses {
            let next = self.sums.len() as u64 + 1;
            let number = *self.numbers.entry(used.how.raw()).or_insert(next);
            if number == next {
                self.sums.push(used.sum);
            }
            uses.push((used.number, number));
        }
        Some(uses)
    }
}
