//! Labels of elements straight from the bits of a row.
//!
//! Where values are sets of elements, or of tuples with one element each (Leuschel & Massart 2007,
//! Prop. 2), a state is a table: which element is used how by which variable. Each way in which a
//! variable uses an element has a small number; the numbers of one element stand side by side in
//! its *lane*, some bits of a word. What a variable contributes to all lanes is remembered by its
//! bits, and so is what a few lanes contribute to a marker: a marker is a handful of look-ups and
//! sums. It is the same number that [`Sight`](crate::sight::Sight) computes. Lanes in order are an
//! exact key of a class: numbers stand for uses, not for hashes of them.
//!
//! This module does not know what a marker is for, and gives up where values are of another kind.

mod layout;
mod order;
mod slot;

use crate::hash::scramble;
use crate::profile::Profiler;
use crate::sight::Base;
use beeline_pack::Codec;
use rustc_hash::FxHashMap;
use slot::{Bits, Slot, Window, each_member};

/// What a variable contributes is not known yet.
const UNKNOWN: u64 = u64::MAX;
/// It is of another kind.
const OTHER: u64 = u64::MAX - 1;
/// The place of sums that are not listed.
const BEYOND: usize = usize::MAX >> 1;
/// Values of one variable, and wide lanes, that are remembered.
const REMEMBERED: usize = 1 << 16;
/// Nodes with larger numbers are found through a map.
const DIRECT: usize = 1 << 19;

/// The lanes of one symmetric set.
#[derive(Clone, Copy)]
struct Class {
    first: usize,
    len: usize,
    width: u32,
}

/// Some lanes that are looked up together.
struct Group {
    word: usize,
    shift: u32,
    mask: u64,
    table: usize,
    /// Where the sums of its table begin.
    first: usize,
}

/// What lanes of one kind contribute to a marker.
struct Table {
    class: usize,
    /// Lanes that are looked up together.
    lanes: u32,
    /// Where its sums begin; beyond all of them if there are too many.
    first: usize,
    /// Sums of wide lanes.
    wide: FxHashMap<u64, u128>,
}

/// Lanes of one state after the other.
pub(crate) struct Lanes {
    slots: Vec<Slot>,
    /// Nothing if there is no short way.
    windows: Vec<Window>,
    classes: Vec<Class>,
    groups: Vec<Group>,
    tables: Vec<Table>,
    /// Sums of all tables; 0 is not known.
    sums: Vec<u128>,
    /// Word and shift of the lane of each element.
    places: Vec<(usize, u32)>,
    /// Words of lanes.
    size: usize,
    /// Width of the number of a base label, in the lowest bits of each lane.
    base_width: u32,
    /// For each set-up its lanes before variables are looked at.
    bases: Vec<Box<[u64]>>,
    /// Labels by their numbers in the lowest bits, by class.
    base_labels: Vec<Vec<u128>>,
    values: Vec<u64>,
    sorted: Vec<u64>,
    key: Vec<u64>,
}

impl Lanes {
    /// What the elements of a row add to its marker, the short way. Nothing if something is in it
    /// that was not met before, or if there is no such way.
    #[inline]
    pub fn quick<const N: usize>(&self, setup: usize, words: &[u64; N]) -> Option<u128> {
        let lanes = self.quick_lanes(setup, words)?;
        let (mut sum, mut known) = (0u128, true);
        for group in &self.groups {
            let bits = lanes >> group.shift & group.mask;
            let one = *self.sums.get(group.first + bits as usize)?;
            known &= one != 0;
            sum = sum.wrapping_add(one);
        }
        known.then_some(sum)
    }

    #[inline]
    fn quick_lanes(&self, setup: usize, words: &[u64]) -> Option<u64> {
        let (mut lanes, mut known) = (*self.bases.get(setup)?.first()?, !self.windows.is_empty());
        for window in &self.windows {
            let bits = words.get(window.word)? >> window.shift & window.mask;
            let more = *window.list.get(bits as usize)?;
            known &= more < OTHER;
            lanes = lanes.wrapping_add(more);
        }
        known.then_some(lanes)
    }

    /// Remembers what was looked at for the short way.
    fn note(&mut self, words: &[u64]) {
        for window in &mut self.windows {
            let bits = (words[window.word] >> window.shift & window.mask) as usize;
            if bits >= window.list.len() {
                if bits >= DIRECT {
                    continue;
                }
                window.list.resize((bits + 1).next_power_of_two(), UNKNOWN);
            }
            let slots = window.slots.iter().map(|s| &self.slots[*s]);
            let listed = slots.map(|s| s.listed.get(s.key(words)[0] as usize).copied());
            window.list[bits] = listed.sum::<Option<u64>>().unwrap_or(UNKNOWN);
        }
    }

    /// Looks at the words of a row. `None`: there is something in it that lanes cannot show.
    pub fn look(&mut self, setup: usize, words: &[u64]) -> Option<()> {
        if let Some(lanes) = self.quick_lanes(setup, words) {
            self.values.clear();
            self.values.push(lanes);
            return Some(());
        }
        let base = self.bases.get(setup)?;
        self.values.clear();
        self.values.extend_from_slice(base);
        for slot in &self.slots {
            let found: &[u64] = match &slot.bits {
                Bits::Few { word, shift, mask } => {
                    let at = (words[*word] >> shift & mask) as usize * self.size;
                    &slot.listed[at..at + self.size]
                }
                Bits::Word { word, shift } => {
                    let raw = (words[*word] >> shift) as u32;
                    let at = raw as usize * self.size;
                    match slot.listed.get(at..at + self.size) {
                        Some(found) => found,
                        None => slot.mapped.get([u64::from(raw)].as_slice())?,
                    }
                }
                Bits::Members(fields) => {
                    if slot.sums.is_empty() {
                        return None;
                    }
                    let places = &self.places[self.classes[slot.class].first..];
                    each_member(fields, words, |i| {
                        let (word, shift) = places[i];
                        self.values[word] += 1 << (shift + slot.shift);
                    });
                    continue;
                }
                Bits::Codes(function) => {
                    if slot.sums.is_empty() {
                        return None;
                    }
                    let places = &self.places[self.classes[slot.class].first..];
                    function.each(words, |i, code| {
                        let (word, shift) = places[i];
                        let number = code + u64::from(function.total);
                        self.values[word] += number << (shift + slot.shift);
                    });
                    continue;
                }
                Bits::Many(fields) => {
                    self.key.clear();
                    self.key.extend(fields.iter().map(|f| f.get(words)));
                    slot.mapped.get(self.key.as_slice())?
                }
            };
            if found[0] >= OTHER {
                return None;
            }
            for (value, more) in self.values.iter_mut().zip(found) {
                *value += more;
            }
        }
        self.note(words);
        Some(())
    }

    /// Learns what the variables of a row contribute. False: lanes cannot show it, now or ever.
    pub fn learn(
        &mut self,
        words: &[u64],
        codec: &Codec,
        profiler: &mut Profiler<'_>,
        bases: &[&Base],
    ) -> bool {
        let mut number = 0;
        while number < self.slots.len() {
            let slot = &mut self.slots[number];
            number += 1;
            let key = slot.key(words);
            if slot.is_known(&key, self.size) {
                continue;
            }
            let first = profiler.elements.atom(self.classes[slot.class].first);
            if slot.learn_all(first, codec, profiler) {
                continue;
            }
            let value = codec.value(profiler.store, slot.variable, words);
            let mut found = vec![0u64; self.size];
            match slot.uses(value, profiler) {
                None => found[0] = OTHER,
                Some(uses) => {
                    if slot.numbers.len() as u64 >= 1 << slot.width {
                        // One lane more or less does not matter: everything moves.
                        slot.width += 1;
                        if !self.lay_out(bases) {
                            return false;
                        }
                        number = 0;
                        continue;
                    }
                    for (element, number) in uses {
                        let (word, shift) = self.places[element as usize];
                        found[word] |= number << (shift + slot.shift);
                    }
                }
            }
            slot.keep(key, found, self.size);
        }
        true
    }

    /// What the elements of the state last looked at add to its marker.
    #[inline]
    pub fn sum(&mut self) -> u128 {
        let mut sum = 0u128;
        for number in 0..self.groups.len() {
            let group = &self.groups[number];
            let bits = self.values[group.word] >> group.shift & group.mask;
            let known = self.sums.get(group.first + bits as usize).copied().unwrap_or(0);
            sum = sum.wrapping_add(match known {
                0 => self.fill(number, bits),
                known => known,
            });
        }
        sum
    }

    /// The label of an element with this lane.
    fn label(&self, lane: u64, class: usize) -> u128 {
        let base = (lane & ((1 << self.base_width) - 1)) as usize;
        let base = self.base_labels[class].get(base).copied().unwrap_or(0);
        self.slots.iter().filter(|slot| slot.class == class).fold(base, |label, slot| {
            let number = (lane >> slot.shift & ((1 << slot.width) - 1)) as usize;
            let known = number.checked_sub(1).and_then(|at| slot.sums.get(at));
            label.wrapping_add(known.copied().unwrap_or(0))
        })
    }

    /// Computes what some lanes add to a marker.
    #[cold]
    fn fill(&mut self, group: usize, bits: u64) -> u128 {
        let table = &self.tables[self.groups[group].table];
        if let Some(known) = table.wide.get(&bits) {
            return *known;
        }
        let (class, lanes) = (table.class, table.lanes);
        let width = self.classes[class].width;
        let each = (0..lanes).map(|lane| bits >> (lane * width.max(1)) & ((1 << width) - 1));
        let sum = each.fold(0u128, |sum, lane| sum.wrapping_add(scramble(self.label(lane, class))));
        let table = &mut self.tables[self.groups[group].table];
        match self.sums.get_mut(table.first + bits as usize) {
            Some(place) => *place = sum,
            None => {
                if table.wide.len() >= REMEMBERED {
                    table.wide.clear();
                }
                table.wide.insert(bits, sum);
            }
        }
        sum
    }

    /// Calls back with each class of two or more elements that are used alike.
    pub fn twin_classes(&self, mut found: impl FnMut(&[usize])) {
        for class in &self.classes {
            let mask = (1u64 << class.width) - 1;
            let lane = |n: usize| self.values[self.places[n].0] >> self.places[n].1 & mask;
            let mut all: Vec<usize> = (class.first..class.first + class.len).collect();
            all.sort_by_key(|n| lane(*n));
            let same = all.chunk_by(|a, b| lane(*a) == lane(*b));
            same.filter(|c| c.len() > 1).for_each(&mut found);
        }
    }
}
