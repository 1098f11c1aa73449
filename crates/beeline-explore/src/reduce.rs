//! States that count as one: the door for reductions such as symmetry.
//!
//! A reduction looks at each state before it is looked up. It may replace the state by a
//! representative, or say under which key it is to be known. What makes two states equal is not
//! known here.

/// What a reduction says about a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// Look it up as it stands now: it may have been replaced by its representative.
    Insert,
    /// One like it is known: nothing is to be done.
    Known,
    /// None like it was known before this wave; [`Reduction::admit`] decides at its end.
    Candidate {
        /// Handed to [`Reduction::admit`].
        key: u128,
        /// Of several candidates of one wave with the same word only the first is kept.
        same: u128,
    },
}

/// Which states count as one. Shared by all workers.
pub trait Reduction: Sync {
    /// Is this valuation of the constants to be explored? Asked once each, in order.
    fn admit_setup(&self, constants: &[u32]) -> bool;
    /// These are the valuations that are explored.
    fn begin(&self, setups: &[Vec<u32>]);
    /// A worker's own space. Asked after [`Reduction::begin`].
    fn reducer(&self) -> Box<dyn Reducer + '_>;
    /// Ends the wait of a candidate: is it the first of its kind? Asked between waves, in an
    /// order that does not depend on the number of threads.
    fn admit(&self, key: u128, setup: usize, state: &[u32]) -> bool;
}

/// The part of a reduction that belongs to one worker.
pub trait Reducer {
    /// Looks at a state of a valuation of the constants, given by its number.
    fn look(&mut self, setup: usize, state: &mut [u32]) -> Look;
}
