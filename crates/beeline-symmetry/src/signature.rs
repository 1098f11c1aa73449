//! Labels of elements straight from the bits of a row.
//!
//! Where values are sets of elements, or of tuples with one element each (Leuschel & Massart 2007,
//! Prop. 2), a state is a table: which element is used how by which variable. Each way in which a
//! variable uses an element has a small number; the numbers of one element stand side by side in
//! its *signature*, some bits of a word. What a variable contributes to all signatures is remembered by its
//! bits, and so is what a few signatures contribute to a marker: a marker is a handful of look-ups and
//! sums. It is the same number that [`StateProfile`](crate::state_profile::StateProfile) computes. Signatures in order are an
//! exact key of a class: numbers stand for uses, not for hashes of them.
//!
//! This module does not know what a marker is for, and gives up where values are of another kind.

mod laid;
mod order;
mod slot;

use crate::elements::{Elements, SymmetricSet};
use crate::hash::scramble;
use crate::profile::Profiler;
use crate::state_profile::Base;
use beeline_compile::System;
use beeline_fault::{Flaw, planted};
use beeline_model::{Model, Type, TypeId};
use beeline_pack::Codec;
use beeline_transition::SetupIndex;
use laid::{Laid, OTHER, UNKNOWN};
use rustc_hash::FxHashMap;
use slot::{Bits, Slot, each_member};

/// Values of one variable, and wide signatures, that are remembered.
const REMEMBERED: usize = 1 << 16;
/// Nodes with larger numbers are found through a map.
const DIRECT: usize = 1 << 19;
/// Set-ups beyond this number are not worth a base each.
const MAX_BASES: usize = 1 << 12;

/// The elements of one symmetric set.
#[derive(Clone, Copy)]
struct Class {
    first: usize,
    len: usize,
}

/// Signatures of one state after the other.
pub(crate) struct Signatures {
    slots: Vec<Slot>,
    classes: Vec<Class>,
    laid: Laid,
    sorted: Vec<u64>,
    key: Vec<u64>,
}

impl Signatures {
    /// For a model whose types are flat. Nothing if there is something else in it.
    pub fn new(
        model: &Model,
        system: &System,
        elements: &Elements,
        codec: &Codec,
        bases: &[&Base],
    ) -> Option<Signatures> {
        if bases.len() > MAX_BASES || !bases.iter().all(|b| b.is_flat()) {
            return None;
        }
        let mut slots = Vec::new();
        for (variable, v) in system.variables().iter().enumerate() {
            if !elements.in_type(v.ty) {
                continue;
            }
            let (class, single) = place(model, elements, v.ty)?;
            let set = &elements.sets[class];
            let bits = Bits::of(codec, variable, set.set.0, set.fixed == 0);
            let width = match &bits {
                Bits::Codes(f) => u64::BITS - f.codes.leading_zeros(),
                _ if single => 1,
                _ => 2,
            };
            let (slot, numbers) = (system.constants().len() + variable, FxHashMap::default());
            slots.push(Slot { variable, slot, class, width, bits, numbers, sums: Vec::new() });
        }
        let class = |s: &SymmetricSet| Class { first: s.first, len: s.len };
        let classes: Vec<Class> = elements.sets.iter().map(class).collect();
        let laid = Laid::new(&slots, &classes, bases)?;
        Some(Signatures { slots, classes, laid, sorted: Vec::new(), key: Vec::new() })
    }

    /// What the elements of a row add to its marker, the short way. Nothing if something is in it
    /// that was not met before, or if there is no such way.
    #[inline]
    pub fn quick<const N: usize>(&self, setup: SetupIndex, words: &[u64; N]) -> Option<u128> {
        let signatures = self.quick_signatures(setup, words)?;
        let (mut sum, mut known) = (0u128, true);
        for group in &self.laid.groups {
            let bits = signatures >> group.shift & group.mask;
            let one = *self.laid.sums.get(group.first + bits as usize)?;
            known &= one != 0;
            sum = sum.wrapping_add(one);
        }
        known.then_some(sum)
    }

    #[inline]
    fn quick_signatures(&self, setup: SetupIndex, words: &[u64]) -> Option<u64> {
        let laid = &self.laid;
        let (mut signatures, mut known) =
            (*laid.bases.get(setup.0)?.first()?, !laid.windows.is_empty());
        for window in &laid.windows {
            let bits = words.get(window.word)? >> window.shift & window.mask;
            let more = *window.list.get(bits as usize)?;
            known &= more < OTHER;
            signatures = signatures.wrapping_add(more);
        }
        known.then_some(signatures)
    }

    /// Remembers what was looked at for the short way.
    fn note(&mut self, words: &[u64]) {
        let Laid { windows, shown, .. } = &mut self.laid;
        for window in windows {
            let bits = (words[window.word] >> window.shift & window.mask) as usize;
            if bits >= window.list.len() {
                if bits >= DIRECT {
                    continue;
                }
                window.list.resize((bits + 1).next_power_of_two(), UNKNOWN);
            }
            let listed = window.slots.iter().map(|s| {
                let at = *self.slots[*s].key(words).first()? as usize;
                shown[*s].listed.get(at).copied()
            });
            window.list[bits] = listed.sum::<Option<u64>>().unwrap_or(UNKNOWN);
        }
    }

    /// Looks at the words of a row. `None`: there is something in it that signatures cannot show.
    pub fn look(&mut self, setup: SetupIndex, words: &[u64]) -> Option<()> {
        if let Some(signatures) = self.quick_signatures(setup, words) {
            self.laid.values.clear();
            self.laid.values.push(signatures);
            return Some(());
        }
        let Laid { bases, values, shown, places, size, .. } = &mut self.laid;
        values.clear();
        values.extend_from_slice(bases.get(setup.0)?);
        for (slot, shown) in self.slots.iter().zip(&*shown) {
            let found: &[u64] = match &slot.bits {
                Bits::Few { word, shift, mask } => {
                    let at = (words[*word] >> shift & mask) as usize * *size;
                    &shown.listed[at..at + *size]
                }
                Bits::Word { word, shift } => {
                    let raw = (words[*word] >> shift) as u32;
                    let at = raw as usize * *size;
                    match shown.listed.get(at..at + *size) {
                        Some(found) => found,
                        None => shown.mapped.get([u64::from(raw)].as_slice())?,
                    }
                }
                Bits::Members(fields) => {
                    if slot.sums.is_empty() {
                        return None;
                    }
                    let places = &places[self.classes[slot.class].first..];
                    each_member(fields, words, |i| {
                        let (word, shift) = places[i];
                        values[word] += 1 << (shift + shown.shift);
                    });
                    continue;
                }
                Bits::Codes(function) => {
                    if slot.sums.is_empty() {
                        return None;
                    }
                    let places = &places[self.classes[slot.class].first..];
                    function.each(words, |i, code| {
                        let (word, shift) = places[i];
                        let number = code + u64::from(function.total);
                        values[word] += number << (shift + shown.shift);
                    });
                    continue;
                }
                Bits::Many(fields) => {
                    self.key.clear();
                    self.key.extend(fields.iter().map(|f| f.get(words)));
                    shown.mapped.get(self.key.as_slice())?
                }
            };
            if found[0] >= OTHER {
                return None;
            }
            for (value, more) in values.iter_mut().zip(found) {
                *value += more;
            }
        }
        self.note(words);
        Some(())
    }

    /// Learns what the variables of a row contribute. False: signatures cannot show it, now or ever.
    pub fn learn(
        &mut self,
        words: &[u64],
        codec: &Codec,
        profiler: &mut Profiler<'_>,
        bases: &[&Base],
    ) -> bool {
        let mut next = 0;
        while next < self.slots.len() {
            let (number, slot) = (next, &mut self.slots[next]);
            next += 1;
            let key = slot.key(words);
            if self.laid.is_known(number, slot, &key) {
                continue;
            }
            let first = profiler.elements.atom(self.classes[slot.class].first);
            if slot.learn_all(first, codec, profiler) {
                continue;
            }
            let value = codec.value(profiler.store, slot.variable, words);
            let mut found = vec![0u64; self.laid.size];
            match slot.uses(value, profiler) {
                None => found[0] = OTHER,
                Some(uses) => {
                    if slot.numbers.len() as u64 >= 1 << slot.width {
                        // Everything moves: the layout goes, with all that was remembered under it.
                        slot.width += 1;
                        match Laid::new(&self.slots, &self.classes, bases) {
                            Some(mut laid) => {
                                if planted(Flaw::FormsKept) {
                                    laid.forms = std::mem::take(&mut self.laid.forms);
                                }
                                self.laid = laid;
                            }
                            None => return false,
                        }
                        next = 0;
                        continue;
                    }
                    for (element, use_number) in uses {
                        let (word, shift) = self.laid.places[element as usize];
                        found[word] |= use_number << (shift + self.laid.shown[number].shift);
                    }
                }
            }
            self.laid.keep(number, slot, key, found);
        }
        true
    }

    /// What the elements of the state last looked at add to its marker.
    #[inline]
    pub fn sum(&mut self) -> u128 {
        let mut sum = 0u128;
        for number in 0..self.laid.groups.len() {
            let group = &self.laid.groups[number];
            let bits = self.laid.values[group.word] >> group.shift & group.mask;
            let known = self.laid.sums.get(group.first + bits as usize).copied().unwrap_or(0);
            sum = sum.wrapping_add(match known {
                0 => self.fill(number, bits),
                known => known,
            });
        }
        sum
    }

    /// The label of an element with this signature.
    fn label(&self, signature: u64, class: usize) -> u128 {
        let base = (signature & ((1 << self.laid.base_width) - 1)) as usize;
        let base = self.laid.base_labels[class].get(base).copied().unwrap_or(0);
        let slots = self.slots.iter().zip(&self.laid.shown);
        slots.filter(|(slot, _)| slot.class == class).fold(base, |label, (slot, shown)| {
            let number = (signature >> shown.shift & ((1 << slot.width) - 1)) as usize;
            let known = number.checked_sub(1).and_then(|at| slot.sums.get(at));
            label.wrapping_add(known.copied().unwrap_or(0))
        })
    }

    /// Computes what some signatures add to a marker.
    #[cold]
    fn fill(&mut self, group: usize, bits: u64) -> u128 {
        let table = &self.laid.tables[self.laid.groups[group].table];
        if let Some(known) = table.wide.get(&bits) {
            return *known;
        }
        let (class, signatures) = (table.class, table.signatures);
        let width = self.laid.widths[class];
        let each = (0..signatures)
            .map(|signature| bits >> (signature * width.max(1)) & ((1 << width) - 1));
        let sum = each
            .fold(0u128, |sum, signature| sum.wrapping_add(scramble(self.label(signature, class))));
        let table = &mut self.laid.tables[self.laid.groups[group].table];
        match self.laid.sums.get_mut(table.first + bits as usize) {
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
        for (class, width) in self.classes.iter().zip(&self.laid.widths) {
            let mask = (1u64 << width) - 1;
            let signature =
                |n: usize| self.laid.values[self.laid.places[n].0] >> self.laid.places[n].1 & mask;
            let mut all: Vec<usize> = (class.first..class.first + class.len).collect();
            all.sort_by_key(|n| signature(*n));
            let same = all.chunk_by(|a, b| signature(*a) == signature(*b));
            same.filter(|c| c.len() > 1).for_each(&mut found);
        }
    }
}

/// The symmetric set whose elements a type holds, and whether it holds just elements.
fn place(model: &Model, elements: &Elements, ty: TypeId) -> Option<(usize, bool)> {
    let mut ty = ty;
    let mut single = true;
    if let Type::Power(of) = model.types.get(ty) {
        ty = *of;
    }
    loop {
        let parts: Vec<TypeId> = match model.types.get(ty) {
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
