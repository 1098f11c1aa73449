//! What a frontier costs by itself, without states: for `cargo xtask frontier`.

use super::{Dice, Fresh, Wave};
use crate::order::Order;
use crate::watch::resident_bytes;
use std::time::Instant;

/// What a frontier costs.
#[derive(Clone, Copy, Debug)]
pub struct FrontierCost {
    /// Nanoseconds for adding one state, or taking one, with all entries waiting.
    pub nanoseconds: f64,
    /// Bytes of an entry.
    pub bytes: f64,
}

/// Fills the frontier of an order with so many entries, then takes and adds as many as a tenth.
pub fn frontier_cost(order: Order, entries: u32) -> FrontierCost {
    let before = resident_bytes().unwrap_or(0);
    let mut frontier = order.frontier(0, false, 4096);
    let mut dice = Dice::new(1);
    let add = |frontier: &mut dyn super::Frontier, dice: &mut Dice, from: u32, to: u32| {
        let weights: Vec<i32> = (from..to).map(|_| dice.below(4096) as i32).collect();
        let depths = vec![7; weights.len()];
        let ranks = vec![0; weights.len()];
        frontier.add(&Fresh {
            states: from..to,
            depths: &depths,
            weights: &weights,
            ranks: &ranks,
        });
    };
    let mut known = 0;
    while known < entries {
        let next = entries.min(known + 1024);
        add(&mut *frontier, &mut dice, known, next);
        known = next;
    }
    let bytes = resident_bytes().unwrap_or(0).saturating_sub(before);
    let (mut wave, mut moved) = (Wave::default(), 0u32);
    let clock = Instant::now();
    while moved < entries / 10 && frontier.next(&mut wave) {
        let count = wave.states.len() as u32;
        add(&mut *frontier, &mut dice, known, known + count);
        known += count;
        moved += count;
    }
    let operations = f64::from(moved.max(1)) * 2.0;
    FrontierCost {
        nanoseconds: clock.elapsed().as_nanos() as f64 / operations,
        bytes: bytes as f64 / f64::from(entries.max(1)),
    }
}
