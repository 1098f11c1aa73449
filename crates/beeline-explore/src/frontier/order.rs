//! What search orders do: a frontier for each and, for some, a file here that weighs states. Their
//! names and words are in `crate::order`.

mod degree;
mod hash;
mod measured;
mod novelty;
mod unproved;

use super::weigh::Weigh;
use super::{Frontier, best, breadth, depth, mixed, portfolio, random};
use crate::order::Order;
use crate::shared::Shared;
use beeline_transition::{Measure, TransitionSystem};

impl Order {
    pub(crate) fn frontier(self, seed: u64, target: bool, wave: usize) -> Box<dyn Frontier> {
        match self {
            Order::BreadthFirst => Box::new(breadth::Breadth::new(wave)),
            Order::DepthFirst => Box::new(depth::Depth::new(seed)),
            Order::Mixed(percent) => Box::new(mixed::Mixed::new(percent, seed)),
            Order::Random => Box::new(random::Random::new(seed)),
            Order::Probe => Box::new(portfolio::Portfolio::new(seed, false)),
            Order::Auto | Order::Portfolio => Box::new(portfolio::Portfolio::new(seed, target)),
            // Where many are as near as each other, the oldest leads to the shorter trace.
            Order::Distance | Order::Custom => Box::new(best::Best::new(seed, true)),
            _ => Box::new(best::Best::new(seed, false)),
        }
    }

    /// What says how promising a state is, if the order asks.
    pub(crate) fn weigher<'a, S: TransitionSystem>(
        self,
        shared: &'a Shared<'a, S>,
    ) -> Option<Box<dyn Weigh + 'a>> {
        let by =
            |measure| -> Box<dyn Weigh + 'a> { Box::new(measured::Measured::new(shared, measure)) };
        Some(match self {
            Order::Hash => Box::new(hash::Hash::new(shared)),
            Order::OutDegree => Box::new(degree::OutDegree),
            Order::OutDegreeHash => Box::new(degree::OutDegreeHash::new(shared)),
            Order::TermSize => by(Measure::Size),
            Order::Custom => by(Measure::Own),
            Order::Proof => Box::new(unproved::Unproved::new(shared.tests)),
            Order::Novelty => Box::new(novelty::Novelty::new(shared)),
            Order::Distance => by(Measure::Distance),
            Order::Auto | Order::Portfolio if shared.system.signature().has_target => {
                by(Measure::Distance)
            }
            Order::Auto
            | Order::Portfolio
            | Order::Probe
            | Order::BreadthFirst
            | Order::DepthFirst
            | Order::Mixed(_)
            | Order::Random => {
                return None;
            }
        })
    }
}
