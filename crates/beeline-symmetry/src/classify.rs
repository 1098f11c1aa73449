//! Markers and forms of single states, for tests, benchmarks and pictures.

use crate::canonical::{Canonical, Setup};
use crate::elements::Elements;
use crate::mode::Mode;
use crate::packed::Packed;
use crate::precision::breach;
use beeline_compile::System;
use beeline_model::Model;
use beeline_pack::Codec;
use beeline_transition::{ConstantsRef, RowMut, RowRef, SetupIndex};

/// There is one set-up.
const ONLY: SetupIndex = SetupIndex(0);

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
        constants: ConstantsRef<'_>,
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
        constants: ConstantsRef<'_>,
    ) -> Classifier<'a> {
        let setups = [Canonical::new(system, elements).setup(constants)];
        let codec = Codec::plain(system);
        let packed = Packed::new(system, elements, codec, &setups, None);
        Classifier { packed, setups }
    }

    /// The marker: equal for symmetric states, and rarely for others.
    pub fn marker(&mut self, row: RowRef<'_>) -> u128 {
        self.packed.marker(Mode::Markers, ONLY, &self.setups, row).key
    }

    /// The marker with trees in place of paths. Asked of one that is asked for nothing else.
    pub fn tree_marker(&mut self, row: RowRef<'_>) -> u128 {
        self.packed.marker(Mode::TreeMarkers, ONLY, &self.setups, row).key
    }

    /// What hybrid compares: the marker, and the state replaced by its form.
    pub fn hybrid(&mut self, row: RowMut<'_>) -> u128 {
        let marker = self.packed.marker(Mode::Hybrid, ONLY, &self.setups, row.view());
        self.packed.form(ONLY, &self.setups, row);
        marker.key
    }

    /// Does the state keep to Prop. 2 of Leuschel & Massart 2007, as its values say?
    pub fn is_flat(&mut self, row: RowRef<'_>) -> bool {
        self.packed.marker(Mode::Markers, ONLY, &self.setups, row).flat
    }

    /// Calls back with each class of elements (by number) that may be swapped without changing the
    /// state.
    pub fn twins(&mut self, row: RowRef<'_>, class: impl FnMut(&[usize])) {
        self.packed.twin_classes(ONLY, &self.setups, row, class);
    }

    /// Replaces a state by its canonical form: equal exactly for symmetric states.
    pub fn canonical(&mut self, row: RowMut<'_>) {
        self.packed.form(ONLY, &self.setups, row);
    }

    /// Canonical forms that could not be found since a graph was too large.
    pub fn too_large(&self) -> u64 {
        self.packed.canonical.too_large
    }
}
