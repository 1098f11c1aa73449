//! What all workers of a search share.

use crate::options::Options;
use crate::skip::Skipping;
use crate::supply::Source;
use crate::tested::Tests;
use crate::watch::Watch;
use beeline_table::{StateId, Table};
use beeline_transition::{At, RowRef, Setup, SetupIndex, Setups, TransitionSystem};
use rustc_hash::FxHashSet;
use std::sync::RwLock;

/// What all workers share.
pub(crate) struct Shared<'a, S> {
    /// What is explored, and what a row of the table means.
    pub system: &'a S,
    pub options: &'a Options,
    pub table: &'a Table,
    pub watch: &'a Watch,
    /// Valuations of the constants; a state ends with the number of its own if there are several.
    pub setups: &'a Setups,
    /// May there be several?
    pub several: bool,
    pub tests: &'a Tests,
    /// Which operations need not be tried, if that is asked for.
    pub skipping: Option<&'a Skipping>,
    /// States in which not every check succeeded: their successors are checked in full.
    pub suspects: RwLock<FxHashSet<StateId>>,
    /// Does the order ask how many steps a state has?
    pub want_degrees: bool,
}

impl<S: TransitionSystem> Shared<'_, S> {
    /// What valuations of the constants come from.
    pub fn source(&self) -> Source<'_, S> {
        let Shared { system, options, watch, setups, .. } = *self;
        Source { system, options, watch, setups }
    }

    /// A valuation of the constants by its number.
    #[inline]
    pub fn setup(&self, number: SetupIndex) -> Setup<'_> {
        Setup { number, all: self.setups }
    }

    /// The state in words of the table: a row, and the number of its constants if there may be several.
    #[inline]
    pub fn at<'r>(&'r self, words: &'r [u32]) -> At<'r> {
        let width = self.system.width();
        let number = SetupIndex(words.get(width).map_or(0, |n| *n as usize));
        At { setup: self.setup(number), row: RowRef(&words[..width]) }
    }

    /// Is there no point in going on?
    #[inline]
    pub fn stopped(&self) -> bool {
        self.watch.stopped() || self.system.overflowed().is_some()
    }
}
