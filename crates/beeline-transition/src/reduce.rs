//! States that count as one: the door for reductions such as symmetry.
//!
//! A system that reduces looks at each row before it is looked up. It may replace the row by a
//! representative, or say under which key it is to be known. What makes two states equal is not
//! known here.

use crate::{ArgumentsRef, RowMut, RowRef, SetupIndex};
use rustc_hash::FxHashMap;

/// What a reduction says about a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// Look it up as it stands now: it may have been replaced by its representative.
    Insert,
    /// One like it is known: nothing is to be done.
    Known,
    /// None like it was known before this wave; [`crate::TransitionSystem::admit`] decides at its end. Of equal
    /// rows only the first is kept.
    Candidate {
        /// Handed to [`crate::TransitionSystem::admit`].
        key: u128,
    },
}

/// The part of a reduction that belongs to one worker. It stands beside the scratch space, because it
/// is asked about a row while the steps to it are still being computed.
pub trait Reducer {
    /// Finds elements of a state that are interchangeable: swapping two of them changes nothing.
    fn twins(&mut self, _setup: SetupIndex, _row: RowRef<'_>, _twins: &mut Twins) {}
    /// Looks at a row before it is looked up, and may change it; its valuation of the constants is
    /// given by number.
    fn look(&mut self, setup: SetupIndex, row: RowMut<'_>) -> Look;
}

/// Interchangeable elements of a state, in classes.
///
/// Of arguments that differ in twins only, one choice is enough: any other leads to a state that
/// is a permutation of one it leads to.
#[derive(Debug, Default)]
pub struct Twins {
    /// Class, and place in it, of each word.
    places: FxHashMap<u32, (u32, u32)>,
    /// How many elements of each class some arguments have used so far.
    used: Vec<u32>,
}

impl Twins {
    /// Forgets all.
    pub fn clear(&mut self) {
        self.places.clear();
        self.used.clear();
    }

    /// Adds a class.
    pub fn add(&mut self, words: impl Iterator<Item = u32>) {
        let class = self.used.len() as u32;
        self.places.extend(words.enumerate().map(|(i, word)| (word, (class, i as u32))));
        self.used.push(0);
    }

    /// All but the first of each class, in order.
    pub fn later(&self, words: &mut Vec<u32>) {
        words.clear();
        let behind = self.places.iter().filter(|(_, (_, place))| *place > 0);
        words.extend(behind.map(|(word, _)| *word));
        // A map has no order, and whoever looks a word up wants one.
        words.sort_unstable();
    }

    /// Are these the arguments that stand for all that differ in twins only? Each class is used
    /// from its first element on.
    pub fn stand(&mut self, arguments: ArgumentsRef<'_>) -> bool {
        // In most states nothing is interchangeable, and no table is looked at.
        if self.used.is_empty() {
            return true;
        }
        self.used.fill(0);
        for word in arguments.iter() {
            let Some((class, place)) = self.places.get(&word) else { continue };
            let used = &mut self.used[*class as usize];
            if place > used {
                return false;
            }
            *used = (*used).max(place + 1);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_choice_stands_for_all_that_differ_in_twins() {
        let mut twins = Twins::default();
        assert!(twins.stand(ArgumentsRef(&[5, 9])));
        twins.add([3, 4, 5].into_iter());
        twins.add([7, 8].into_iter());
        let standing: Vec<[u32; 2]> = [3, 4, 5, 7, 8, 9]
            .iter()
            .flat_map(|a| [3, 4, 5, 7, 8, 9].map(|b| [*a, b]))
            .filter(|pair| twins.stand(ArgumentsRef(pair)))
            .collect();
        let expected = [
            [3, 3],
            [3, 4],
            [3, 7],
            [3, 9],
            [7, 3],
            [7, 7],
            [7, 8],
            [7, 9],
            [9, 3],
            [9, 7],
            [9, 9],
        ];
        assert_eq!(standing, expected);
        let mut later = vec![1];
        twins.later(&mut later);
        assert_eq!(later, [4, 5, 8]);
        twins.clear();
        assert!(twins.stand(ArgumentsRef(&[5, 4])));
    }
}
