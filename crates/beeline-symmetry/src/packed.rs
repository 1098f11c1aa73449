//! States as rows: markers, forms and twins, from bits where that is possible.
//!
//! A row is first looked at in [`Lanes`]. What they cannot show is opened, and looked at as a state;
//! rows that were met shortly before are remembered then. All ways give the same answers.

use crate::canonical::{Canonical, Setup};
use crate::elements::Elements;
use crate::hash::scramble;
use crate::lanes::Lanes;
use crate::mode::Mode;
use crate::recent::Recent;
use crate::sight::Base;
use beeline_compile::System;
use beeline_model::Model;
use beeline_pack::{Codec, words_of};

/// What is asked about a row, and what helps to answer.
pub(crate) struct Packed<'a> {
    system: &'a System,
    codec: Codec,
    pub canonical: Canonical<'a>,
    lanes: Option<Lanes>,
    /// Words, and the bits in them, that hold no permutable element.
    plain: Vec<(usize, u64)>,
    words: Vec<u64>,
    state: Vec<u32>,
    key: Vec<u64>,
    /// Forms of classes, by their lanes.
    forms: Recent<Box<[u32]>>,
    /// Answers for rows that were opened.
    markers: Recent<(u128, bool)>,
    opened: Recent<Box<[u32]>>,
}

/// A marker, and what is known beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Marker {
    pub key: u128,
    /// Nothing else has this marker.
    pub suffices: bool,
}

fn bases(setups: &[Setup]) -> Vec<&Base> {
    setups.iter().map(|s| &s.base).collect()
}

impl<'a> Packed<'a> {
    /// For the rows of a codec. Lanes are for models that are `flat`: that keep to Prop. 2.
    pub fn new(
        system: &'a System,
        elements: &'a Elements,
        codec: Codec,
        setups: &[Setup],
        flat: Option<&Model>,
    ) -> Packed<'a> {
        let lanes = flat.and_then(|m| Lanes::new(m, system, elements, &codec, &bases(setups)));
        let mut masks = vec![0u64; codec.width().div_ceil(2)];
        for (variable, v) in system.variables().iter().enumerate() {
            if !elements.in_type(v.ty) {
                for f in codec.fields(variable).iter().filter(|f| f.width > 0) {
                    masks[f.word] |= (u64::MAX >> (64 - f.width)) << f.shift;
                }
            }
        }
        Packed {
            system,
            codec,
            canonical: Canonical::new(system, elements),
            lanes,
            plain: masks.into_iter().enumerate().filter(|(_, m)| *m != 0).collect(),
            words: Vec::new(),
            state: Vec::new(),
            key: Vec::new(),
            forms: Recent::default(),
            markers: Recent::default(),
            opened: Recent::default(),
        }
    }

    /// The state in a row.
    pub fn open(&mut self, row: &[u32]) -> Vec<u32> {
        self.codec.open(self.system.store(), row).to_vec()
    }

    /// Looks at a row in lanes. False: it has to be opened.
    #[inline]
    fn in_lanes(&mut self, number: usize, setups: &[Setup], row: &[u32]) -> bool {
        words_of(row, &mut self.words);
        match &mut self.lanes {
            Some(lanes) => lanes.look(number, &self.words).is_some() || self.learn(number, setups),
            None => false,
        }
    }

    #[cold]
    fn learn(&mut self, number: usize, setups: &[Setup]) -> bool {
        let Some(lanes) = &mut self.lanes else { return false };
        let profiler = &mut self.canonical.sight.profiler;
        if !lanes.learn(&self.words, &self.codec, profiler, &bases(setups)) {
            self.lanes = None;
            return false;
        }
        lanes.look(number, &self.words).is_some()
    }

    /// What stands in variables without permutable elements, and the set-up.
    #[inline]
    fn plain(&self, number: usize) -> u128 {
        let start = (number as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.plain.iter().fold(u128::from(start), |hash, (word, mask)| {
            scramble(hash ^ u128::from(self.words[*word] & mask))
        })
    }

    /// The marker of a row. `deep` hears of values that are deeper than their types promise.
    pub fn marker(
        &mut self,
        mode: Mode,
        number: usize,
        setups: &[Setup],
        row: &[u32],
        deep: &mut dyn FnMut(),
    ) -> Marker {
        let setup = &setups[number];
        if self.in_lanes(number, setups, row) {
            let plain = self.plain(number).wrapping_add(setup.base.rest());
            let sum = self.lanes.as_mut().map_or(0, Lanes::sum);
            return Marker { key: plain.wrapping_add(sum), suffices: true };
        }
        let plain = self.plain(number);
        self.key.clear();
        self.key.push((number as u64) << 8 | mode as u64);
        self.key.extend_from_slice(&self.words);
        if let Some((key, suffices)) = self.markers.get(&self.key) {
            return Marker { key: *key, suffices: *suffices };
        }
        let state = self.codec.open(self.system.store(), row);
        let Canonical { sight, colours, .. } = &mut self.canonical;
        sight.look(&setup.base, state);
        let sum = if mode == Mode::TreeMarkers {
            colours.refine(sight);
            sight.marker(Some(&colours.of))
        } else {
            sight.marker(None)
        };
        if !sight.deep.is_empty() {
            deep();
        }
        let key = plain.wrapping_add(sum);
        let suffices = mode == Mode::Hybrid && self.canonical.labels_suffice();
        self.markers.put(&self.key, (key, suffices));
        Marker { key, suffices }
    }

    /// Replaces a row by its canonical form under the permutations that keep the constants.
    pub fn form(&mut self, number: usize, setups: &[Setup], row: &mut [u32]) {
        let setup = &setups[number];
        // Lanes are exact about variables; what constants say is in them as a hash.
        let in_lanes = !setup.fixes && self.in_lanes(number, setups, row);
        if in_lanes && let Some(lanes) = &mut self.lanes {
            self.key.clear();
            self.key.push(number as u64);
            self.key.extend(self.plain.iter().map(|(word, mask)| self.words[*word] & mask));
            self.key.extend_from_slice(lanes.sorted());
            if let Some(form) = self.forms.get(&self.key) {
                return row.copy_from_slice(form);
            }
            self.open_form(number, setup, row);
            return self.forms.put(&self.key, (&*row).into());
        }
        words_of(row, &mut self.words);
        self.key.clear();
        self.key.push(number as u64);
        self.key.extend_from_slice(&self.words);
        if let Some(form) = self.opened.get(&self.key) {
            return row.copy_from_slice(form);
        }
        self.open_form(number, setup, row);
        self.opened.put(&self.key, (&*row).into());
    }

    /// Opens a row, finds the form of its state, and packs that.
    fn open_form(&mut self, number: usize, setup: &Setup, row: &mut [u32]) {
        let store = self.system.store();
        self.state.clear();
        self.state.extend_from_slice(self.codec.open(store, row));
        self.canonical.form(number, setup, &mut self.state);
        // A permutation of what fits a layout fits it; otherwise a state stands for itself.
        match self.codec.close(store, &self.state) {
            Some(form) => row.copy_from_slice(form),
            None => self.canonical.too_large += 1,
        }
    }

    /// Calls back with each class of two or more interchangeable elements of a row.
    pub fn twin_classes(
        &mut self,
        number: usize,
        setups: &[Setup],
        row: &[u32],
        class: impl FnMut(&[usize]),
    ) {
        if self.in_lanes(number, setups, row) {
            if let Some(lanes) = &self.lanes {
                lanes.twin_classes(class);
            }
            return;
        }
        let state = self.codec.open(self.system.store(), row);
        self.canonical.twin_classes(&setups[number], state, class);
    }
}
