//! How many states an order takes at a time.
//!
//! Taking several at once lets threads share the work and saves what each wave costs, but what the
//! first of them leads to cannot come before the last. So waves stay a small part of what was
//! expanded so far.

/// A wave is at most this part of the states that were taken before it.
const PART: u64 = 64;
/// Longer waves gain nothing.
const MOST: u64 = 256;

/// How many states were taken so far.
#[derive(Default)]
pub(crate) struct Pace(pub u64);

impl Pace {
    /// How many states the next wave may have; they count as taken.
    pub fn step(&mut self, waiting: usize) -> usize {
        let wanted = (self.0 / PART).clamp(1, MOST);
        let step = wanted.min(waiting as u64);
        self.0 += step;
        step as usize
    }
}
