//! States as rows: markers, forms and twins, from bits where that is possible.
//!
//! A row is first looked at in [`Signatures`]. What they cannot show is unpacked, and looked at as a state;
//! rows that were met shortly before are remembered then. All ways give the same answers.

use crate::canonical::{Canonical, Setup};
use crate::elements::Elements;
use crate::hash::scramble;
use crate::mode::Mode;
use crate::permute::Permutation;
use crate::recent::Recent;
use crate::signature::Signatures;
use crate::state_profile::Base;
use beeline_compile::System;
use beeline_fault::{Flaw, planted};
use beeline_model::Model;
use beeline_pack::{Codec, words_of};
use beeline_transition::{RowMut, RowRef, SetupIndex, State};

/// What is asked about a row, and what helps to answer.
pub(crate) struct Packed<'a> {
    system: &'a System,
    codec: Codec,
    pub canonical: Canonical<'a>,
    signatures: Option<Signatures>,
    /// Words, and the bits in them, that hold no permutable element.
    plain: Vec<(usize, u64)>,
    words: Vec<u64>,
    state: State,
    key: Vec<u64>,
    labels: Vec<u128>,
    order: Vec<usize>,
    by: Permutation,
    /// Answers for rows that were unpacked.
    markers: Recent,
    unpacked: Recent,
}

/// Tells set-ups apart.
const SETUP: u64 = 0x9E37_79B9_7F4A_7C15;

/// A marker, and what is known beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Marker {
    pub key: u128,
    /// The state keeps to Prop. 2, as its values say: an exact test is cheap.
    pub flat: bool,
}

/// The words of a short row.
#[inline]
fn short<const N: usize>(row: RowRef<'_>) -> [u64; N] {
    let half = |at: usize| row.words().get(at).map_or(0, |half| u64::from(*half));
    std::array::from_fn(|i| half(2 * i) | half(2 * i + 1) << 32)
}

fn bases(setups: &[Setup]) -> Vec<&Base> {
    setups.iter().map(|s| &s.base).collect()
}

impl<'a> Packed<'a> {
    /// For the rows of a codec. Signatures are for models that are `flat`: that keep to Prop. 2.
    pub fn new(
        system: &'a System,
        elements: &'a Elements,
        codec: Codec,
        setups: &[Setup],
        flat: Option<&Model>,
    ) -> Packed<'a> {
        let signatures =
            flat.and_then(|m| Signatures::new(m, system, elements, &codec, &bases(setups)));
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
            signatures,
            plain: masks.into_iter().enumerate().filter(|(_, m)| *m != 0).collect(),
            words: Vec::new(),
            state: State::default(),
            key: Vec::new(),
            labels: Vec::new(),
            order: Vec::new(),
            by: Permutation(Vec::new()),
            markers: Recent::default(),
            unpacked: Recent::default(),
        }
    }

    /// The state in a row.
    pub fn unpack(&mut self, row: RowRef<'_>) -> State {
        self.codec.unpack(self.system.store(), row).owned()
    }

    /// Looks at a row in signatures. False: it has to be unpacked.
    #[inline]
    fn in_signatures(&mut self, number: SetupIndex, setups: &[Setup], row: RowRef<'_>) -> bool {
        words_of(row, &mut self.words);
        match &mut self.signatures {
            Some(signatures) => {
                signatures.look(number, &self.words).is_some() || self.learn(number, setups)
            }
            None => false,
        }
    }

    #[cold]
    fn learn(&mut self, number: SetupIndex, setups: &[Setup]) -> bool {
        let Some(signatures) = &mut self.signatures else { return false };
        let profiler = &mut self.canonical.profile.profiler;
        if !signatures.learn(&self.words, &self.codec, profiler, &bases(setups)) {
            self.signatures = None;
            return false;
        }
        signatures.look(number, &self.words).is_some()
    }

    /// The marker of a short row, if all that is in it was met before.
    #[inline]
    fn quick(&self, number: SetupIndex, setup: &Setup, row: RowRef<'_>) -> Option<u128> {
        let signatures = self.signatures.as_ref()?;
        let sum = match row.len() {
            1 | 2 => self.quick_sum(signatures, number, short::<1>(row)),
            3 | 4 => self.quick_sum(signatures, number, short::<2>(row)),
            5 | 6 => self.quick_sum(signatures, number, short::<3>(row)),
            _ => None,
        }?;
        Some(sum.wrapping_add(setup.base.rest()))
    }

    /// Not inlined: it needs the registers for itself.
    #[inline(never)]
    fn quick_sum<const N: usize>(
        &self,
        signatures: &Signatures,
        number: SetupIndex,
        words: [u64; N],
    ) -> Option<u128> {
        let sum = signatures.quick(number, &words)?;
        let mut plain = u128::from((number.0 as u64).wrapping_mul(SETUP));
        for (word, mask) in &self.plain {
            plain = scramble(plain ^ u128::from(words.get(*word)? & mask));
        }
        Some(plain.wrapping_add(sum))
    }

    /// The form of a short row, if all that is in it was met before.
    fn quick_form<const N: usize>(
        &self,
        number: SetupIndex,
        words: [u64; N],
    ) -> Option<RowRef<'_>> {
        let own = self.signatures.as_ref()?;
        let signatures = own.quick_sorted(number, &words)?;
        let plain = |(word, mask): &(usize, u64)| words.get(*word).map_or(0, |w| w & mask);
        match self.plain.as_slice() {
            [] => own.form(&[number.0 as u64, signatures]),
            [a] => own.form(&[number.0 as u64, plain(a), signatures]),
            [a, b] => own.form(&[number.0 as u64, plain(a), plain(b), signatures]),
            _ => None,
        }
    }

    /// What stands in variables without permutable elements, and the set-up.
    #[inline]
    fn plain(&self, number: SetupIndex) -> u128 {
        let start = (number.0 as u64).wrapping_mul(SETUP);
        self.plain.iter().fold(u128::from(start), |hash, (word, mask)| {
            scramble(hash ^ u128::from(self.words[*word] & mask))
        })
    }

    /// The marker of a row.
    pub fn marker(
        &mut self,
        mode: Mode,
        number: SetupIndex,
        setups: &[Setup],
        row: RowRef<'_>,
    ) -> Marker {
        let setup = &setups[number.0];
        if let Some(key) = self.quick(number, setup, row) {
            return Marker { key, flat: true };
        }
        if self.in_signatures(number, setups, row) {
            let plain = self.plain(number).wrapping_add(setup.base.rest());
            let sum = self.signatures.as_mut().map_or(0, Signatures::sum);
            return Marker { key: plain.wrapping_add(sum), flat: true };
        }
        let plain = self.plain(number);
        self.key.clear();
        self.key.push((number.0 as u64) << 8 | mode as u64);
        self.key.extend_from_slice(&self.words);
        if let Some(&[a, b, c, d, flat]) = self.markers.get(&self.key) {
            let key = [a, b, c, d].iter().fold(0, |key, part| key << 32 | u128::from(*part));
            return Marker { key, flat: flat == 1 };
        }
        let state = self.codec.unpack(self.system.store(), row);
        let Canonical { profile, colours, .. } = &mut self.canonical;
        profile.look(&setup.base, state);
        let sum = if mode == Mode::TreeMarkers {
            colours.refine(profile);
            profile.marker(Some(&colours.of))
        } else {
            profile.marker(None)
        };
        let key = plain.wrapping_add(sum);
        let flat = self.canonical.is_flat();
        let part = |shift: u32| (key >> shift) as u32;
        let answer = [part(96), part(64), part(32), part(0), u32::from(flat)];
        self.markers.put(&self.key, &answer);
        Marker { key, flat }
    }

    /// Replaces a row by its canonical form under the permutations that keep the constants.
    pub fn form(&mut self, number: SetupIndex, setups: &[Setup], mut row: RowMut<'_>) {
        let setup = &setups[number.0];
        // Signatures are exact about variables; what constants say is in them as a hash.
        let known = match row.0.len() {
            _ if setup.fixes => None,
            1 | 2 => self.quick_form(number, short::<1>(row.view())),
            3 | 4 => self.quick_form(number, short::<2>(row.view())),
            5 | 6 => self.quick_form(number, short::<3>(row.view())),
            _ => None,
        };
        if let Some(form) = known {
            return row.replace(form);
        }
        let in_signatures = !setup.fixes && self.in_signatures(number, setups, row.view());
        if in_signatures && let Some(signatures) = &mut self.signatures {
            self.key.clear();
            self.key.push(number.0 as u64);
            self.key.extend(self.plain.iter().map(|(word, mask)| self.words[*word] & mask));
            signatures.sorted(&mut self.key);
            if let Some(form) = signatures.form(&self.key) {
                return row.replace(form);
            }
            if !self.signature_form(row.again()) {
                self.unpacked_form(number, setup, row.again());
            }
            if let Some(signatures) = &mut self.signatures {
                signatures.remember(&self.key, row.view());
            }
            return;
        }
        words_of(row.view(), &mut self.words);
        self.key.clear();
        self.key.push(number.0 as u64);
        self.key.extend_from_slice(&self.words);
        if planted(Flaw::FormOfAnother) {
            self.key.pop();
        }
        if let Some(form) = self.unpacked.get(&self.key) {
            return row.replace(RowRef(form));
        }
        self.unpacked_form(number, setup, row.again());
        self.unpacked.put(&self.key, row.0);
    }

    /// The form of the row that was looked at in signatures. Elements with equal labels are
    /// interchangeable, so that labels alone put them into an order: the one that colours give to
    /// the unpacked state. False: it does not fit, which is left to the other way.
    fn signature_form(&mut self, RowMut(row): RowMut<'_>) -> bool {
        let Some(signatures) = &self.signatures else { return false };
        signatures.labels(&mut self.labels);
        self.order.clear();
        self.order.extend(0..self.labels.len());
        let (labels, elements) = (&self.labels, self.canonical.elements);
        self.order.sort_unstable_by_key(|&n| (elements.class(n), labels[n]));
        self.by.0.resize(self.order.len(), 0);
        for (place, number) in self.order.iter().enumerate() {
            self.by.0[*number] = place as u32;
        }
        let permuter = &mut self.canonical.profile.profiler.permuter;
        if !signatures.permute(&self.by, &mut self.words, &self.codec, permuter) {
            return false;
        }
        for (i, half) in row.iter_mut().enumerate() {
            *half = (self.words[i / 2] >> (32 * (i % 2))) as u32;
        }
        true
    }

    /// Opens a row, finds the form of its state, and packs that.
    fn unpacked_form(&mut self, number: SetupIndex, setup: &Setup, mut row: RowMut<'_>) {
        let store = self.system.store();
        self.state.0.clear();
        self.state.0.extend(self.codec.unpack(store, row.view()).iter());
        self.canonical.form(number, setup, &mut self.state);
        // A permutation of what fits a layout fits it; otherwise a state stands for itself.
        match self.codec.close(store, self.state.view()) {
            Some(form) => row.replace(form),
            None => self.canonical.too_large += 1,
        }
    }

    /// Calls back with each class of two or more interchangeable elements of a row.
    pub fn twin_classes(
        &mut self,
        number: SetupIndex,
        setups: &[Setup],
        row: RowRef<'_>,
        class: impl FnMut(&[usize]),
    ) {
        if self.in_signatures(number, setups, row) {
            if let Some(signatures) = &self.signatures {
                signatures.twin_classes(class);
            }
            return;
        }
        let state = self.codec.unpack(self.system.store(), row);
        self.canonical.twin_classes(&setups[number.0], state, class);
    }
}
