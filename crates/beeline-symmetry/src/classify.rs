//! Markers and forms of single states, for tests, benchmarks and pictures.

use crate::canonical::{Canonical, Setup};
use crate::elements::Elements;
use beeline_compile::System;

/// Tells which class a state belongs to, under one valuation of the constants.
pub struct Classifier<'a> {
    canonical: Canonical<'a>,
    setup: Setup,
}

impl<'a> Classifier<'a> {
    /// For the states of one set-up.
    pub fn new(system: &'a System, elements: &'a Elements, constants: &[u32]) -> Classifier<'a> {
        let mut canonical = Canonical::new(system, elements);
        let setup = canonical.setup(constants);
        Classifier { canonical, setup }
    }

    /// The marker: equal for symmetric states, and rarely for others.
    pub fn marker(&mut self, state: &[u32]) -> u128 {
        let sight = &mut self.canonical.sight;
        sight.look(&self.setup.base, state);
        sight.marker(None)
    }

    /// The marker with trees in place of paths.
    pub fn tree_marker(&mut self, state: &[u32]) -> u128 {
        let Canonical { sight, colours, .. } = &mut self.canonical;
        sight.look(&self.setup.base, state);
        colours.refine(sight);
        sight.marker(Some(&colours.of))
    }

    /// Replaces a state by its canonical form: equal exactly for symmetric states.
    pub fn canonical(&mut self, state: &mut [u32]) {
        self.canonical.form(0, &self.setup, state);
    }

    /// Canonical forms that could not be found since a graph was too large.
    pub fn too_large(&self) -> u64 {
        self.canonical.too_large
    }
}
