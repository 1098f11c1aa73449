//! Markers and forms of single states, for tests, benchmarks and pictures.

use crate::canonical::{Canonical, Setup};
use crate::elements::Elements;
use crate::mode::Mode;
use crate::packed::Packed;
use crate::precision::breach;
use beeline_compile::System;
use beeline_model::Model;
use beeline_pack::Codec;

/// Tells which class a state belongs to, under one valuation of the constants.
pub struct Classifier<'a> {
    packed: Packed<'a>,
    setups: [Setup; 1],
}

impl<'a> Classifier<'a> {
    /// For the states of one set-up, as rows of a codec.
    pub fn new(
        model: &Model,
        system: &'a System,
        elements: &'a Elements,
        constants: &[u32],
        codec: Codec,
    ) -> Classifier<'a> {
        let setups = [Canonical::new(system, elements).setup(constants)];
        let flat = breach(model, system, elements).is_none().then_some(model);
        let packed = Packed::new(system, elements, codec, &setups, flat);
        Classifier { packed, setups }
    }

    /// For states as the system has them, each unpacked and looked at as a whole.
    pub fn general(
        system: &'a System,
        elements: &'a Elements,
        constants: &[u32],
    ) -> Classifier<'a> {
        let setups = [Canonical::new(system, elements).setup(constants)];
        let codec = Codec::plain(system);
        let packed = Packed::new(system, elements, codec, &setups, None);
        Classifier { packed, setups }
    }

    /// The marker: equal for symmetric states, and rarely for others.
    pub fn marker(&mut self, row: &[u32]) -> u128 {
        self.packed.marker(Mode::Markers, 0, &self.setups, row).key
    }

    /// The marker with trees in place of paths. Asked of one that is asked for nothing else.
    pub fn tree_marker(&mut self, row: &[u32]) -> u128 {
        self.packed.marker(Mode::TreeMarkers, 0, &self.setups, row).key
    }

    /// What hybrid compares: the marker, and the state replaced by its form.
    pub fn hybrid(&mut self, row: &mut [u32]) -> u128 {
        let marker = self.packed.marker(Mode::Hybrid, 0, &self.setups, row);
        self.packed.form(0, &self.setups, row);
        marker.key
    }

    /// Does the state keep to Prop. 2 of Leuschel & Massart 2007, as its values say?
    pub fn is_flat(&mut self, row: &[u32]) -> bool {
        self.packed.marker(Mode::Markers, 0, &self.setups, row).flat
    }

    /// Calls back with each class of elements (by number) that may be swapped without changing the
    /// state.
    pub fn twins(&mut self, row: &[u32], class: impl FnMut(&[usize])) {
        self.packed.twin_classes(0, &self.setups, row, class);
    }

    /// Replaces a state by its canonical form: equal exactly for symmetric states.
    pub fn canonical(&mut self, row: &mut [u32]) {
        self.packed.form(0, &self.setups, row);
    }

    /// Canonical forms that could not be found since a graph was too large.
    pub fn too_large(&self) -> u64 {
        self.packed.canonical.too_large
    }
}
