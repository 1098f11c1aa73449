//! When states were told apart: the rounds of a refinement, kept so that they can be asked about.

/// A state that moved to another block.
#[derive(Clone, Copy, Debug)]
struct Move {
    round: u32,
    block: u32,
    /// The move of the same state before this one.
    before: u32,
}

const NONE: u32 = u32::MAX;

/// The blocks of all states after each round. Before the first one all states are in block 0.
#[derive(Debug)]
pub(crate) struct History {
    moves: Vec<Move>,
    last: Vec<u32>,
}

impl History {
    pub fn new(states: usize) -> History {
        History { moves: Vec::new(), last: vec![NONE; states] }
    }

    /// Notes a move; rounds never decrease.
    pub fn note(&mut self, state: u32, round: u32, block: u32) {
        let last = &mut self.last[state as usize];
        let next = self.moves.len() as u32;
        self.moves.push(Move { round, block, before: *last });
        *last = next;
    }

    /// The block of a state after a round.
    pub fn block(&self, state: u32, round: u32) -> u32 {
        let mut at = self.last[state as usize];
        while let Some(step) = self.moves.get(at as usize) {
            if step.round <= round {
                return step.block;
            }
            at = step.before;
        }
        0
    }

    /// The first round after which two states are in different blocks.
    pub fn parted(&self, one: u32, other: u32) -> Option<u32> {
        // Blocks only ever become finer: the answer is a round in which one of the two moved.
        let rounds = |state: u32| {
            let mut at = self.last[state as usize];
            std::iter::from_fn(move || {
                let step = self.moves.get(at as usize)?;
                at = step.before;
                Some(step.round)
            })
        };
        let apart = |round: &u32| self.block(one, *round) != self.block(other, *round);
        rounds(one).chain(rounds(other)).filter(apart).min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_those_of_the_round_that_is_asked_for() {
        let mut history = History::new(3);
        history.note(1, 1, 7);
        history.note(1, 3, 9);
        history.note(2, 1, 7);
        assert_eq!([0, 1, 2, 3, 4].map(|round| history.block(1, round)), [0, 7, 7, 9, 9]);
        assert_eq!(history.parted(0, 1), Some(1));
        assert_eq!(history.parted(1, 2), Some(3));
        assert_eq!(history.parted(2, 2), None);
    }
}
