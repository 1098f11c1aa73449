//! How promising a state is: the smaller its weight, the earlier it is taken. One small file each.

mod custom;
mod degree;
mod hash;
mod size;

pub(crate) use custom::Custom;
pub(crate) use degree::{OutDegree, OutDegreeHash};
pub(crate) use hash::Hash;
pub(crate) use size::TermSize;

use super::{Fresh, Wave};
use crate::worker::Shared;
use beeline_pack::Memory;
use beeline_table::{StateId, View};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Weighs states. A weight depends on what the state is and how it was found, never on time or
/// the number of threads.
pub(crate) trait Weigh {
    /// How promising a new state is: small first.
    fn weigh(&mut self, new: &New<'_>) -> i32;
}

/// A new state, and how it was found.
#[derive(Clone, Copy)]
pub(crate) struct New<'a> {
    /// The number of its valuation of the constants.
    pub setup: usize,
    /// The state as the table has it.
    pub row: &'a [u32],
    /// How many steps the state had that it was found from; none for an initial state.
    pub degree: u32,
}

/// Opens packed states for those who look at values.
pub(crate) struct Opener<'a> {
    pub shared: &'a Shared<'a>,
    memory: Memory,
}

impl<'a> Opener<'a> {
    pub fn new(shared: &'a Shared<'a>) -> Opener<'a> {
        Opener { shared, memory: shared.engine.memory() }
    }

    /// The state as the system has it.
    pub fn state(&mut self, new: &New<'_>) -> Vec<u32> {
        self.shared.engine.unpack(new.row, &mut self.memory)
    }
}

/// Depths and weights of the new states of a wave.
pub(crate) struct Scales<'a> {
    shared: &'a Shared<'a>,
    weigher: Option<Box<dyn Weigh + 'a>>,
    view: View,
    depths: Vec<u32>,
    weights: Vec<i32>,
    ranks: FxHashMap<StateId, u32>,
    degrees: Vec<u32>,
}

impl<'a> Scales<'a> {
    pub fn new(shared: &'a Shared<'a>) -> Scales<'a> {
        Scales {
            shared,
            weigher: shared.options.order.weigher(shared),
            view: shared.table.view(),
            depths: Vec::new(),
            weights: Vec::new(),
            ranks: FxHashMap::default(),
            degrees: Vec::new(),
        }
    }

    /// The states that were weighed last.
    pub fn fresh(&self, states: Range<u32>) -> Fresh<'_> {
        Fresh { states, depths: &self.depths, weights: &self.weights }
    }

    /// Weighs the states that were found from a wave, or from nothing. `degrees` says how many
    /// steps the state of a rank has, where the order asks.
    pub fn take(&mut self, fresh: &Range<u32>, wave: Option<&Wave>, degrees: &[(u32, u32)]) {
        self.degrees.clear();
        self.degrees.resize(wave.map_or(0, |w| w.states.len()), 0);
        for (rank, degree) in degrees {
            self.degrees[*rank as usize] = *degree;
        }
        self.depths.clear();
        self.weights.clear();
        self.ranks.clear();
        let depth = match wave {
            None => Some(0),
            Some(wave) => wave.depth().map(|depth| depth + 1),
        };
        if let Some(depth) = depth {
            self.depths.resize(fresh.len(), depth);
        }
        let known = self.shared.table.reader();
        // Only where states of one wave differ is it asked which of them led here.
        if let Some(wave) = wave.filter(|_| depth.is_none() || !degrees.is_empty()) {
            let ranks = wave.states.iter().enumerate().map(|(rank, id)| (*id, rank as u32));
            self.ranks.extend(ranks);
        }
        let Some(weigher) = &mut self.weigher else {
            if let (None, Some(wave)) = (depth, wave) {
                self.depths.extend(fresh.clone().map(|id| {
                    let rank = known.parent(StateId(id)).and_then(|p| self.ranks.get(&p));
                    rank.map_or(0, |rank| wave.depths[*rank as usize] + 1)
                }));
            }
            return;
        };
        for id in fresh.clone().map(StateId) {
            let rank = match self.ranks.is_empty() {
                true => None,
                false => known.parent(id).and_then(|parent| self.ranks.get(&parent)),
            };
            let rank = rank.map(|rank| *rank as usize);
            if let (None, Some(wave)) = (depth, wave) {
                self.depths.push(rank.map_or(0, |rank| wave.depths[rank] + 1));
            }
            let degree = rank.and_then(|rank| self.degrees.get(rank)).copied().unwrap_or(0);
            known.open(id, &mut self.view);
            let (setup, row) = self.shared.parts(self.view.words());
            self.weights.push(weigher.weigh(&New { setup, row, degree }));
        }
    }
}
