//! How promising a state is: the smaller its weight, the earlier it is taken. What orders make of
//! that is in `order/`, one small file each.

use super::{Fresh, Wave};
use crate::shared::Shared;
use beeline_table::{StateId, View};
use beeline_transition::{At, TransitionSystem};
use std::ops::Range;

/// Weighs states. A weight depends on what the state is, how it was found, and which states were
/// found before, never on time or the number of threads.
pub(crate) trait Weigh {
    /// How promising a new state is: small first.
    fn weigh(&mut self, new: &New<'_>) -> i32;
    /// Does a weight depend on the states before?
    fn remembers(&self) -> bool {
        false
    }
}

/// A new state, and how it was found.
#[derive(Clone, Copy)]
pub(crate) struct New<'a> {
    /// The state.
    pub at: At<'a>,
    /// How many steps the state had that it was found from; none for an initial state.
    pub degree: u32,
    /// What the steps into it leave unproved.
    pub unproved: u64,
}

/// Depths and weights of the new states of a wave.
pub(crate) struct Scales<'a, S> {
    shared: &'a Shared<'a, S>,
    weigher: Option<Box<dyn Weigh + 'a>>,
    view: View,
    depths: Vec<u32>,
    weights: Vec<i32>,
    ranks: Vec<u32>,
    degrees: Vec<u32>,
    /// All states below this number were weighed.
    weighed: u32,
}

impl<'a, S: TransitionSystem> Scales<'a, S> {
    pub fn new(shared: &'a Shared<'a, S>) -> Scales<'a, S> {
        Scales {
            shared,
            weigher: shared.options.order.weigher(shared),
            view: shared.table.view(),
            depths: Vec::new(),
            weights: Vec::new(),
            ranks: Vec::new(),
            degrees: Vec::new(),
            weighed: 0,
        }
    }

    /// The states that were weighed last.
    pub fn fresh(&self, states: Range<u32>) -> Fresh<'_> {
        Fresh { states, depths: &self.depths, weights: &self.weights, ranks: &self.ranks }
    }

    /// Looks at the states that were found from a wave, or from nothing. `degrees` says how many
    /// steps the state of a rank has, where the order asks; they are weighed if that is `wanted`.
    pub fn take(
        &mut self,
        fresh: &Range<u32>,
        wave: Option<&Wave>,
        degrees: &[(u32, u32)],
        wanted: bool,
    ) {
        self.look(fresh, wave, degrees, wanted, 0);
    }

    /// Looks at states of a depth that were found from one state, of which nothing else is known.
    pub fn take_at(&mut self, fresh: &Range<u32>, depth: u32) {
        self.look(fresh, None, &[], true, depth);
    }

    fn look(
        &mut self,
        fresh: &Range<u32>,
        wave: Option<&Wave>,
        degrees: &[(u32, u32)],
        wanted: bool,
        depth: u32,
    ) {
        self.rank(fresh, wave);
        self.depths.clear();
        match wave {
            None => self.depths.resize(fresh.len(), depth),
            Some(wave) => match wave.depth() {
                Some(depth) => self.depths.resize(fresh.len(), depth + 1),
                None => {
                    let depths = self.ranks.iter().map(|rank| wave.depths[*rank as usize] + 1);
                    self.depths.extend(depths);
                }
            },
        }
        self.degrees.clear();
        self.degrees.resize(wave.map_or(0, |w| w.states.len()), 0);
        for (rank, degree) in degrees {
            self.degrees[*rank as usize] = *degree;
        }
        self.weights.clear();
        let Some(weigher) = self.weigher.as_mut().filter(|_| wanted) else { return };
        let known = self.shared.table.reader();
        // A checkpoint holds states, and not what an order made of them: it is told of them again,
        // in the same order, and then knows what it knew when they were saved.
        let missed = if weigher.remembers() { self.weighed..fresh.start } else { 0..0 };
        for id in missed {
            known.load(StateId(id), &mut self.view);
            let at = self.shared.at(self.view.words());
            weigher.weigh(&New { at, degree: 0, unproved: 0 });
        }
        self.weighed = self.weighed.max(fresh.end);
        for (i, id) in fresh.clone().enumerate() {
            let rank = self.ranks.get(i).map_or(0, |rank| *rank as usize);
            let degree = self.degrees.get(rank).copied().unwrap_or(0);
            known.load(StateId(id), &mut self.view);
            let at = self.shared.at(self.view.words());
            self.weights.push(weigher.weigh(&New {
                at,
                degree,
                unproved: known.unproved_bits(StateId(id)),
            }));
        }
    }

    /// Which state of the wave led to each; nothing where there is only one, or nobody asks.
    fn rank(&mut self, fresh: &Range<u32>, wave: Option<&Wave>) {
        self.ranks.clear();
        let asked = self.shared.options.order.wants_ranks();
        let Some(wave) = wave.filter(|w| w.states.len() > 1 && (asked || w.depth().is_none()))
        else {
            return;
        };
        let known = self.shared.table.reader();
        // New states are numbered in the order of those that led to them, or nearly so.
        let mut rank = 0;
        self.ranks.extend(fresh.clone().map(|id| {
            let parent = known.parent(StateId(id));
            let count = wave.states.len();
            for _ in 0..count {
                if Some(wave.states[rank]) == parent {
                    break;
                }
                rank = (rank + 1) % count;
            }
            rank as u32
        }));
    }
}
