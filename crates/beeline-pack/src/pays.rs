//! Does a second way to evaluate something pay? Measured, not guessed.

use std::time::Duration;

/// Evaluations of each way that are timed.
const TRIAL: u32 = 16;

/// Two ways to the same answer: both are tried, then the faster one is taken.
#[derive(Clone, Copy, Default)]
pub(crate) struct Pays {
    /// Times and time of the usual way, and of the other one.
    spent: [(u32, Duration); 2],
}

impl Pays {
    /// Is the other way to be taken now?
    pub fn is_other(&self) -> bool {
        let [(usual, a), (other, b)] = self.spent;
        if self.is_timed() { other < usual } else { b < a }
    }

    /// Is the next evaluation to be timed?
    pub fn is_timed(&self) -> bool {
        self.spent.iter().any(|(times, _)| *times < TRIAL)
    }

    /// Hears what an evaluation took.
    pub fn took(&mut self, other: bool, time: Duration) {
        let (times, spent) = &mut self.spent[usize::from(other)];
        *times += 1;
        *spent += time;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_are_tried_and_the_faster_one_stays() {
        for faster in [false, true] {
            let mut pays = Pays::default();
            let mut tried = [0; 2];
            while pays.is_timed() {
                let other = pays.is_other();
                tried[usize::from(other)] += 1;
                let time = if other == faster { 3 } else { 5 };
                pays.took(other, Duration::from_micros(time));
            }
            assert_eq!(tried, [TRIAL; 2]);
            assert_eq!(pays.is_other(), faster);
        }
    }
}
