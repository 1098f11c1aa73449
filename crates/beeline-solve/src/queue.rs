//! Which constraints are looked at next: cheap ones first, else in the order they were woken.

use std::collections::VecDeque;

/// How dear it is to look at a constraint.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Price {
    /// A handful of bounds.
    Low,
    /// All parts of a formula.
    Middle,
    /// A graph or a large table.
    High,
}

/// The constraints that wait.
#[derive(Clone, Default)]
pub(crate) struct Queue {
    waiting: [VecDeque<u32>; 3],
    /// For each constraint: does it wait?
    queued: Vec<bool>,
    prices: Vec<Price>,
}

impl Queue {
    /// A new constraint, which waits.
    pub(crate) fn add(&mut self, price: Price) {
        self.queued.push(false);
        self.prices.push(price);
        self.push(self.queued.len() as u32 - 1);
    }

    #[inline]
    pub(crate) fn push(&mut self, id: u32) {
        let queued = &mut self.queued[id as usize];
        if !*queued {
            *queued = true;
            self.waiting[self.prices[id as usize] as usize].push_back(id);
        }
    }

    pub(crate) fn pop(&mut self) -> Option<u32> {
        let id = self.waiting.iter_mut().find_map(VecDeque::pop_front)?;
        self.queued[id as usize] = false;
        Some(id)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.waiting.iter().all(VecDeque::is_empty)
    }

    /// Forgets all that wait.
    pub(crate) fn clear(&mut self) {
        while self.pop().is_some() {}
    }

    /// All that wait, in order.
    pub(crate) fn waiting(&self) -> Vec<u32> {
        self.waiting.iter().flatten().copied().collect()
    }
}
