//! Valuations of the constants, as they come: a list that grows while others read it.
//!
//! There may be millions, so they lie side by side, and come in portions: what was handed out stays
//! where it is. It does not know where they come from.

use crate::{ConstantsRef, SetupIndex};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// More portions than this are not taken: each is several times as large as the one before.
const PORTIONS: usize = 64;

/// Valuations of the constants by number.
pub struct Setups {
    /// Words of one.
    width: usize,
    portions: [OnceLock<Portion>; PORTIONS],
    count: AtomicUsize,
    /// There may be more.
    more: AtomicBool,
}

struct Portion {
    /// The numbers of the first one, and of the one after the last.
    first: usize,
    end: usize,
    words: Box<[u32]>,
}

impl Setups {
    /// None yet, of so many words each.
    pub fn new(width: usize) -> Setups {
        Setups {
            width,
            portions: [const { OnceLock::new() }; PORTIONS],
            count: AtomicUsize::new(0),
            more: AtomicBool::new(false),
        }
    }

    /// A list that is known already.
    pub fn of(list: &[ConstantsRef<'_>]) -> Setups {
        let setups = Setups::new(list.first().map_or(0, |constants| constants.len()));
        setups.add(list.len(), list.iter().flat_map(|constants| constants.iter()).collect());
        setups
    }

    /// Adds so many that lie side by side. False: there is no room for another portion.
    pub fn add(&self, count: usize, words: Vec<u32>) -> bool {
        debug_assert_eq!(words.len(), count * self.width);
        let first = self.len();
        let portion = Portion { first, end: first + count, words: words.into() };
        let Some(place) = self.portions.iter().find(|p| p.get().is_none()) else { return false };
        let added = place.set(portion).is_ok();
        // After the portion is there: who sees the number finds the words.
        self.count.fetch_add(if added { count } else { 0 }, Ordering::Release);
        added
    }

    /// How many there are by now.
    pub fn len(&self) -> usize {
        self.count.load(Ordering::Acquire)
    }

    /// None yet?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The numbers of a portion, if it is there.
    pub fn portion(&self, number: usize) -> Option<std::ops::Range<usize>> {
        self.portions.get(number)?.get().map(|p| p.first..p.end)
    }

    /// Will there be more?
    pub fn has_more(&self) -> bool {
        self.more.load(Ordering::Relaxed)
    }

    /// Says whether there may be more.
    pub fn set_more(&self, more: bool) {
        self.more.store(more, Ordering::Relaxed);
    }

    /// A valuation; of a number that nobody has yet, nothing.
    #[inline]
    pub fn get(&self, SetupIndex(number): SetupIndex) -> ConstantsRef<'_> {
        let here = |p: &&Portion| number < p.end;
        // A few portions, the first of which has nearly all: a scan is faster than a search.
        let portion = self.portions.iter().map_while(OnceLock::get).find(here);
        let words = portion.and_then(|p| {
            let from = (number - p.first) * self.width;
            p.words.get(from..from + self.width)
        });
        ConstantsRef(words.unwrap_or(&[]))
    }

    /// All that there are by now, with their numbers.
    pub fn iter(&self) -> impl Iterator<Item = (SetupIndex, ConstantsRef<'_>)> {
        (0..self.len()).map(SetupIndex).map(|number| (number, self.get(number)))
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        self.portions.iter().map_while(OnceLock::get).map(|p| p.words.len() * 4).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn portions_lie_behind_each_other() {
        let setups = Setups::new(2);
        assert!(setups.is_empty() && setups.portion(0).is_none());
        assert!(setups.add(2, vec![1, 2, 3, 4]) && setups.add(1, vec![5, 6]));
        assert_eq!(
            [0, 1, 2].map(|number| setups.get(SetupIndex(number))),
            [ConstantsRef(&[1, 2]), ConstantsRef(&[3, 4]), ConstantsRef(&[5, 6])]
        );
        assert_eq!(
            (setups.portion(0), setups.portion(1), setups.portion(2)),
            (Some(0..2), Some(2..3), None)
        );
        assert_eq!((setups.len(), setups.bytes(), setups.get(SetupIndex(3)).len()), (3, 24, 0));
        // Without constants there is one, and nothing in it.
        let empty = Setups::of(&[ConstantsRef(&[])]);
        assert_eq!((empty.len(), empty.get(SetupIndex(0)).len(), empty.iter().count()), (1, 0, 1));
    }
}
