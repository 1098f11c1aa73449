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

use crate::elements::Elements;
use crate::hash::scramble;
use crate::profile::Profiler;
use crate::sight::Base;
use beeline_compile::System;
use beeline_model::{Model, Type};
use beeline_pack::{Codec, Field};
use beeline_value::Val;
use rustc_hash::FxHashMap;

/// Bits of a word that lanes may take: the last one is for [`UNKNOWN`] and [`OTHER`].
const ROOM: u32 = 63;
/// What a variable contributes is not known yet.
const UNKNOWN: u64 = u64::MAX;
/// It is of another kind.
const OTHER: u64 = u64::MAX - 1;
/// Variables of so few bits, or several together, have a list of contributions.
const LISTED: u32 = 11;
/// So many bits of lanes are looked up at once: caches are not large.
const TOGETHER: u32 = 12;
/// The place of sums that are not listed.
const BEYOND: usize = usize::MAX >> 1;
/// Values of one variable, and wide lanes, that are remembered.
const REMEMBERED: usize = 1 << 16;
/// Nodes with larger numbers are found through a map.
const DIRECT: usize = 1 << 19;
/// Set-ups beyond this number are not worth a base each.
const MAX_BASES: usize = 1 << 12;

/// The short way, where all lanes fit one word: what some variables that lie side by side, or one
/// that is a word of the store, contribute, by their bits.
struct Window {
    word: usize,
    shift: u32,
    mask: u64,
    list: Vec<u64>,
    /// Its variables, as places in the list of slots.
    slots: Vec<usize>,
}

/// How one variable uses elements.
struct Slot {
    variable: usize,
    /// Its number among constants and variables.
    slot: usize,
    class: usize,
    /// Where its numbers are in a lane.
    shift: u32,
    width: u32,
    bits: Bits,
    /// Contributions to all lanes, `size` words each, by bits or by number of the node.
    listed: Vec<u64>,
    /// The same for other values.
    mapped: FxHashMap<Box<[u64]>, Box<[u64]>>,
    /// Uses (as sets of tuples), their numbers from 1 on, and the sums of their paths.
    numbers: FxHashMap<u32, u64>,
    sums: Vec<u128>,
}

/// Where the bits of a variable are.
enum Bits {
    Few { word: usize, shift: u32, mask: u64 },
    Word { word: usize, shift: u32 },
    Many(Vec<Field>),
}

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
    /// For a model whose types are flat. Nothing if there is something else in it.
    pub fn new(
        model: &Model,
        system: &System,
        elements: &Elements,
        codec: &Codec,
        bases: &[&Base],
    ) -> Option<Lanes> {
        if bases.len() > MAX_BASES || !bases.iter().all(|b| b.is_flat()) {
            return None;
        }
        let mut slots = Vec::new();
        for (variable, v) in system.variables().iter().enumerate() {
            if !elements.in_type(v.ty) {
                continue;
            }
            let (class, single) = place(model, elements, v.ty)?;
            slots.push(Slot {
                variable,
                slot: system.constants().len() + variable,
                class,
                shift: 0,
                width: if single { 1 } else { 2 },
                bits: Bits::of(codec, variable),
                listed: Vec::new(),
                mapped: FxHashMap::default(),
                numbers: FxHashMap::default(),
                sums: Vec::new(),
            });
        }
        let class =
            |s: &crate::elements::SymmetricSet| Class { first: s.first, len: s.len, width: 0 };
        let mut lanes = Lanes {
            slots,
            windows: Vec::new(),
            classes: elements.sets.iter().map(class).collect(),
            groups: Vec::new(),
            tables: Vec::new(),
            sums: Vec::new(),
            places: Vec::new(),
            size: 0,
            base_width: 0,
            bases: Vec::new(),
            base_labels: Vec::new(),
            values: Vec::new(),
            sorted: Vec::new(),
            key: Vec::new(),
        };
        lanes.lay_out(bases).then_some(lanes)
    }

    /// Gives every number its place, and forgets all that depends on it. False: no room.
    fn lay_out(&mut self, bases: &[&Base]) -> bool {
        self.number_bases(bases);
        for class in &mut self.classes {
            class.width = self.base_width;
        }
        for slot in &mut self.slots {
            let class = &mut self.classes[slot.class];
            slot.shift = class.width;
            class.width += slot.width;
            slot.mapped.clear();
        }
        if self.classes.iter().any(|c| c.width > ROOM) {
            return false;
        }
        self.places.clear();
        self.groups.clear();
        self.tables.clear();
        self.sums.clear();
        // The next free bit, and how many lanes of the class are before it in its word.
        let (mut word, mut bit) = (0, 0);
        for (number, class) in self.classes.iter().enumerate() {
            let width = class.width.max(1);
            let (together, mut used) = ((TOGETHER / width).max(1), 0);
            for lane in 0..class.len as u32 {
                if bit + width > ROOM {
                    (word, bit, used) = (word + 1, 0, 0);
                }
                self.places.push((word, bit));
                // A group ends with the word, or with the class.
                if used % together == 0 {
                    let left = (class.len as u32 - lane).min((ROOM - bit) / width);
                    let lanes = together.min(left);
                    let known = |t: &Table| t.class == number && t.lanes == lanes;
                    let table = self.tables.iter().position(known).unwrap_or_else(|| {
                        let (bits, wide) = (lanes * width, FxHashMap::default());
                        let first = if bits <= TOGETHER { self.sums.len() } else { BEYOND };
                        if first != BEYOND {
                            self.sums.resize(first + (1 << bits), 0);
                        }
                        self.tables.push(Table { class: number, lanes, first, wide });
                        self.tables.len() - 1
                    });
                    let mask = (1 << (lanes * width)) - 1;
                    let first = self.tables[table].first;
                    self.groups.push(Group { word, shift: bit, mask, table, first });
                }
                (used, bit) = (used + 1, bit + width);
            }
        }
        word += 1;
        self.size = word;
        for slot in &mut self.slots {
            let count = match &slot.bits {
                Bits::Few { mask, .. } => *mask as usize + 1,
                Bits::Word { .. } => 1 << 10,
                Bits::Many(_) => 0,
            };
            slot.listed.clear();
            slot.listed.resize(count * self.size, UNKNOWN);
        }
        self.lay_out_bases(bases);
        self.windows = if self.size == 1 { windows(&self.slots) } else { Vec::new() };
        true
    }

    /// Numbers the labels that constants give to elements.
    fn number_bases(&mut self, bases: &[&Base]) {
        self.base_labels = vec![Vec::new(); self.classes.len()];
        for base in bases {
            for (class, known) in self.classes.iter().zip(&mut self.base_labels) {
                for label in &base.labels[class.first..class.first + class.len] {
                    if !known.contains(label) {
                        known.push(*label);
                    }
                }
            }
        }
        let most = self.base_labels.iter().map(Vec::len).max().unwrap_or(0);
        self.base_width = usize::BITS - most.saturating_sub(1).leading_zeros();
    }

    fn lay_out_bases(&mut self, bases: &[&Base]) {
        self.bases.clear();
        for base in bases {
            let mut words = vec![0u64; self.size];
            for (class, known) in self.classes.iter().zip(&self.base_labels) {
                for number in class.first..class.first + class.len {
                    let label = known.iter().position(|l| *l == base.labels[number]).unwrap_or(0);
                    let (word, shift) = self.places[number];
                    words[word] |= (label as u64) << shift;
                }
            }
            self.bases.push(words.into_boxed_slice());
        }
    }

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

    /// Computes what some lanes add to a marker.
    #[cold]
    fn fill(&mut self, group: usize, bits: u64) -> u128 {
        let table = &mut self.tables[self.groups[group].table];
        if let Some(known) = table.wide.get(&bits) {
            return *known;
        }
        let width = self.classes[table.class].width;
        let mut sum = 0u128;
        for lane in 0..table.lanes {
            let lane = bits >> (lane * width.max(1)) & ((1 << width) - 1);
            let base = lane & ((1 << self.base_width) - 1);
            let labels = &self.base_labels[table.class];
            let mut label = labels.get(base as usize).copied().unwrap_or(0);
            for slot in self.slots.iter().filter(|s| s.class == table.class) {
                let number = lane >> slot.shift & ((1 << slot.width) - 1);
                if let Some(at) = number.checked_sub(1) {
                    label = label.wrapping_add(slot.sums.get(at as usize).copied().unwrap_or(0));
                }
            }
            sum = sum.wrapping_add(scramble(label));
        }
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

    /// The lanes of a row in order, the short way: where they fit one word and are few.
    #[inline]
    pub fn quick_sorted<const N: usize>(&self, setup: usize, words: &[u64; N]) -> Option<u64> {
        let (lanes, mut key) = (self.quick_lanes(setup, words)?, 0);
        for class in &self.classes {
            if class.len > SHORT {
                return None;
            }
            let (mask, width) = ((1u64 << class.width) - 1, class.width.max(1));
            let first = self.places[class.first].1;
            let (mut sorted, mut rest) = ([u64::MAX; SHORT], lanes >> first);
            for lane in &mut sorted[..class.len] {
                *lane = rest & mask;
                rest >>= width;
            }
            sort(&mut sorted);
            let joined = sorted[..class.len].iter().rev().fold(0, |sum, lane| sum << width | lane);
            key |= joined << first;
        }
        Some(key)
    }

    /// The lanes of the state last looked at, in order: equal exactly for symmetric states, as far
    /// as the variables go that lanes show.
    pub fn sorted(&mut self, key: &mut Vec<u64>) {
        let from = key.len();
        key.resize(from + self.size, 0);
        let key = &mut key[from..];
        for class in &self.classes {
            let mask = (1u64 << class.width) - 1;
            let places = &self.places[class.first..class.first + class.len];
            let lanes = places.iter().map(|(word, shift)| self.values[*word] >> shift & mask);
            if class.len <= SHORT {
                let mut sorted = [u64::MAX; SHORT];
                sorted.iter_mut().zip(lanes).for_each(|(to, lane)| *to = lane);
                sort(&mut sorted);
                put(key, places, &sorted);
                continue;
            }
            self.sorted.clear();
            self.sorted.extend(lanes);
            self.sorted.sort_unstable();
            put(key, places, &self.sorted);
        }
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

/// So many lanes are sorted without branches.
const SHORT: usize = 8;

/// Sorts: a network for eight. Written out, because the loop would not be.
#[inline]
fn sort(words: &mut [u64; SHORT]) {
    let mut order = |(i, j): (usize, usize)| {
        let (a, b) = (words[i], words[j]);
        (words[i], words[j]) = (a.min(b), a.max(b));
    };
    let mut step = |[a, b, c, d]: [(usize, usize); 4]| {
        order(a);
        order(b);
        order(c);
        order(d);
    };
    step([(0, 2), (1, 3), (4, 6), (5, 7)]);
    step([(0, 4), (1, 5), (2, 6), (3, 7)]);
    step([(0, 1), (2, 3), (4, 5), (6, 7)]);
    step([(2, 4), (3, 5), (1, 4), (3, 6)]);
    step([(1, 2), (3, 4), (5, 6), (5, 6)]);
}

/// Puts lanes into their places.
#[inline]
fn put(key: &mut [u64], places: &[(usize, u32)], lanes: &[u64]) {
    let (mut at, mut sum) = (places.first().map_or(0, |p| p.0), 0);
    for ((word, shift), lane) in places.iter().zip(lanes) {
        if *word != at {
            key[at] |= std::mem::take(&mut sum);
            at = *word;
        }
        sum |= lane << shift;
    }
    key[at] |= sum;
}

/// Variables of few bits that lie side by side are looked up together. None if one has many.
fn windows(slots: &[Slot]) -> Vec<Window> {
    let mut found: Vec<Window> = Vec::new();
    let mut few: Vec<(usize, u32, u64, usize)> = Vec::new();
    for (number, slot) in slots.iter().enumerate() {
        match slot.bits {
            Bits::Few { word, shift, mask } => few.push((word, shift, mask, number)),
            Bits::Word { word, shift } => {
                let (mask, list) = (u64::from(u32::MAX), Vec::new());
                found.push(Window { word, shift, mask, list, slots: vec![number] });
            }
            Bits::Many(_) => return Vec::new(),
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
    fn of(codec: &Codec, variable: usize) -> Bits {
        match codec.fields(variable) {
            [f] if codec.is_word(variable) => Bits::Word { word: f.word, shift: f.shift },
            [f] if f.width <= LISTED => {
                Bits::Few { word: f.word, shift: f.shift, mask: (1 << f.width) - 1 }
            }
            fields => Bits::Many(fields.to_vec()),
        }
    }
}

impl Slot {
    /// The bits of the variable.
    fn key(&self, words: &[u64]) -> Box<[u64]> {
        match &self.bits {
            Bits::Few { word, shift, mask } => [words[*word] >> shift & mask].into(),
            Bits::Word { word, shift } => [u64::from((words[*word] >> shift) as u32)].into(),
            Bits::Many(fields) => fields.iter().map(|f| f.get(words)).collect(),
        }
    }

    fn is_known(&self, key: &[u64], size: usize) -> bool {
        let listed = match self.bits {
            Bits::Many(_) => None,
            _ => self.listed.get(key[0] as usize * size),
        };
        match listed {
            Some(first) => *first != UNKNOWN,
            None => self.mapped.contains_key(key),
        }
    }

    fn keep(&mut self, key: Box<[u64]>, found: Vec<u64>, size: usize) {
        let at = key[0] as usize;
        if matches!(self.bits, Bits::Word { .. }) && at < DIRECT && self.listed.len() <= at * size {
            self.listed.resize((at + 1).next_power_of_two() * size, UNKNOWN);
        }
        if !matches!(self.bits, Bits::Many(_)) && at * size < self.listed.len() {
            return self.listed[at * size..(at + 1) * size].copy_from_slice(&found);
        }
        if self.mapped.len() >= REMEMBERED {
            self.mapped.clear();
        }
        self.mapped.insert(key, found.into_boxed_slice());
    }

    /// The elements in a value, and the number of the use of each.
    fn uses(&mut self, value: Val, profiler: &mut Profiler<'_>) -> Option<Vec<(u32, u64)>> {
        if value == Val::EMPTY {
            return Some(Vec::new());
        }
        let found = profiler.surroundings(value)?;
        let profile = profiler.profile(self.slot, value);
        if !profile.links.is_empty() || profile.deep || profile.rest != 0 {
            return None;
        }
        let mut uses = Vec::new();
        for (element, how) in found {
            let path = profile.paths.iter().find(|p| p.0 == element)?.1;
            let next = self.sums.len() as u64 + 1;
            let number = *self.numbers.entry(how.raw()).or_insert(next);
            if number == next {
                self.sums.push(path);
            }
            uses.push((element, number));
        }
        Some(uses)
    }
}

/// The symmetric set whose elements a type holds, and whether it holds just elements.
fn place(model: &Model, elements: &Elements, ty: beeline_model::TypeId) -> Option<(usize, bool)> {
    let mut ty = ty;
    let mut single = true;
    if let Type::Power(of) = model.types.get(ty) {
        ty = *of;
    }
    loop {
        let parts: Vec<beeline_model::TypeId> = match model.types.get(ty) {
            Type::Given(set) => {
                return elements.sets.iter().position(|s| s.set == *set).map(|c| (c, single));
            }
            Type::Pair(a, b) => vec![*a, *b],
            Type::Record(fields) => fields.iter().map(|f| f.1).collect(),
            _ => return None,
        };
        single = false;
        let mut holding = parts.into_iter().filter(|t| elements.in_type(*t));
        match (holding.next(), holding.next()) {
            (Some(part), None) => ty = part,
            _ => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_network_sorts() {
        // What sorts all sequences of zeros and ones sorts everything.
        for bits in 0..256u64 {
            let mut words: [u64; SHORT] = std::array::from_fn(|i| bits >> i & 1);
            sort(&mut words);
            assert!(words.is_sorted(), "{bits:b}");
            assert_eq!(words.iter().sum::<u64>(), u64::from(bits.count_ones()));
        }
    }
}
