//! Which valuations of the constants have code, and which are to get it.
//!
//! Where there are few, all have code from the beginning. Where there are many, most may have a
//! state or two: code is made for those that prove to have more, as long as there is room. It does
//! not know what a program is.

use beeline_fault::{Flaw, planted};
use beeline_transition::SetupIndex;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// What it takes to make the first program, by guess (nanoseconds); later ones are like the last.
const GUESS: u64 = 50_000;
/// A valuation gets code when so many times its price went into it without.
const TIMES: u64 = 2;
/// All code that is made on the way together is no larger than about this (operations, words).
const ROOM: usize = 1 << 20;

/// Programs by valuation.
pub(crate) struct Programs<P> {
    slots: Box<[Slot<P>]>,
    /// What is left of [`ROOM`].
    room: AtomicUsize,
    /// How long it took to make the last one.
    price: AtomicU64,
}

struct Slot<P> {
    program: OnceLock<P>,
    /// Nanoseconds that went into its states without a program.
    spent: AtomicU64,
    /// Somebody makes it.
    begun: AtomicBool,
}

impl<P> Programs<P> {
    /// No programs, now or later.
    pub fn none() -> Programs<P> {
        Programs::later(0)
    }

    /// None yet, for so many valuations.
    pub fn later(count: usize) -> Programs<P> {
        let slot = |_| Slot {
            program: OnceLock::new(),
            spent: AtomicU64::new(0),
            begun: AtomicBool::new(false),
        };
        Programs {
            slots: (0..count).map(slot).collect(),
            room: AtomicUsize::new(ROOM),
            price: AtomicU64::new(GUESS),
        }
    }

    /// The program of a valuation, if there is one.
    #[inline]
    pub fn get(&self, setup: SetupIndex) -> Option<&P> {
        let setup = if planted(Flaw::SharedProgram) { 0 } else { setup.0 };
        self.slots.get(setup)?.program.get()
    }

    /// The program of the first valuation.
    pub fn first(&self) -> Option<&P> {
        self.get(SetupIndex(0))
    }

    /// Gives a valuation its program.
    pub fn put(&self, setup: SetupIndex, program: P) {
        if let Some(slot) = self.slots.get(setup.0) {
            let _ = slot.program.set(program);
        }
    }

    /// So long a state of a valuation took without a program.
    pub fn spend(&self, setup: SetupIndex, time: Duration) {
        if let Some(slot) = self.slots.get(setup.0) {
            slot.spent.fetch_add(time.as_nanos() as u64, Ordering::Relaxed);
        }
    }

    /// The program of a valuation that has none, if it is to have one from now on: when it has paid
    /// for it, or `early`. `make` gives a program and its size.
    pub fn late(
        &self,
        setup: SetupIndex,
        early: bool,
        make: impl FnOnce() -> (P, usize),
    ) -> Option<&P> {
        let slot = self.slots.get(setup.0)?;
        let price = if early { 0 } else { TIMES * self.price.load(Ordering::Relaxed) };
        if slot.spent.load(Ordering::Relaxed) < price
            || self.room.load(Ordering::Relaxed) == 0
            // Exactly one visitor makes it; the others go on without.
            || slot.begun.swap(true, Ordering::Relaxed)
        {
            return None;
        }
        let clock = Instant::now();
        let (program, size) = make();
        // Programs of one model are alike: the last price is a better guess than any average.
        self.price.store(clock.elapsed().as_nanos() as u64, Ordering::Relaxed);
        let less = |room: usize| Some(room.saturating_sub(size.max(1)));
        // Several may be made at once, and be more than fits: the bound is for memory, and a rough
        // one.
        let _ = self.room.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
        Some(slot.program.get_or_init(|| program))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_busy_get_a_program_once_while_there_is_room() {
        let programs = Programs::later(3);
        let late =
            |setup, size: usize| programs.late(SetupIndex(setup), false, || (setup, size)).copied();
        let enough = Duration::from_nanos(TIMES * GUESS);
        assert_eq!(late(1, 1), None);
        programs.spend(SetupIndex(1), enough);
        assert_eq!(late(0, 1), None, "each valuation pays for itself");
        assert_eq!(late(1, ROOM), Some(1));
        let got = |setup| programs.get(SetupIndex(setup));
        assert_eq!((got(1), got(0), programs.first()), (Some(&1), None, None));
        programs.spend(SetupIndex(0), Duration::from_secs(1000));
        assert_eq!(late(0, 1), None, "there is no room left");
        assert_eq!(Programs::<u8>::none().get(SetupIndex(0)), None);
    }
}
