//! How many states an order takes at a time.
//!
//! Taking several at once lets threads share the work and saves what each wave costs, but what the
//! first of them leads to cannot come before the last. So waves stay a small part of what was
//! expanded so far.

/// How many states were taken so far, and how many may be taken at once.
pub(crate) struct Pace {
    pub taken: u64,
    /// A wave is at most this part of the states that were taken before it.
    part: u64,
    /// Longer waves gain nothing.
    most: u64,
}

impl Pace {
    /// For orders that do not mind.
    pub fn broad() -> Pace {
        Pace { taken: 0, part: 64, most: 256 }
    }

    /// For orders that live from following one path.
    pub fn narrow() -> Pace {
        Pace { taken: 0, part: 256, most: 16 }
    }

    /// For orders that visit most states from the oldest on.
    pub fn long() -> Pace {
        Pace { taken: 0, part: 64, most: 4096 }
    }

    /// How many states the next wave may have; they count as taken.
    pub fn step(&mut self, waiting: usize) -> usize {
        let wanted = (self.taken / self.part).clamp(1, self.most);
        let step = wanted.min(waiting as u64);
        self.taken += step;
        step as usize
    }
}
