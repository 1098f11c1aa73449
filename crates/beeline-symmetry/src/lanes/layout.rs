//! Which bits of which word are whose lane, and what is looked up together.

use super::slot::{Bits, Slot, windows};
use super::{BEYOND, Class, Group, Lanes, Table, UNKNOWN};
use crate::elements::{Elements, SymmetricSet};
use crate::sight::Base;
use beeline_compile::System;
use beeline_model::{Model, Type, TypeId};
use beeline_pack::Codec;
use rustc_hash::FxHashMap;

/// Bits of a word that lanes may take: the last one is for [`UNKNOWN`] and [`OTHER`].
const ROOM: u32 = 63;
/// So many bits of lanes are looked up at once: caches are not large.
const TOGETHER: u32 = 12;
/// Set-ups beyond this number are not worth a base each.
const MAX_BASES: usize = 1 << 12;

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
            let bits = Bits::of(codec, variable, elements.sets[class].fixed == 0);
            let width = match &bits {
                Bits::Codes(f) => u64::BITS - f.codes.leading_zeros(),
                _ if single => 1,
                _ => 2,
            };
            slots.push(Slot {
                variable,
                slot: system.constants().len() + variable,
                class,
                shift: 0,
                width,
                bits,
                listed: Vec::new(),
                mapped: FxHashMap::default(),
                numbers: FxHashMap::default(),
                sums: Vec::new(),
            });
        }
        let class = |s: &SymmetricSet| Class { first: s.first, len: s.len, width: 0 };
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
    pub(super) fn lay_out(&mut self, bases: &[&Base]) -> bool {
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
                Bits::Members(_) | Bits::Codes(_) | Bits::Many(_) => 0,
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
