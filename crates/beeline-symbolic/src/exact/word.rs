//! Words of 64 bits each of which is a set: the states in which it is set.
//!
//! The operations are those of word-level code, bit by bit: adders, comparisons from the highest bit on, shifts by a
//! computed amount as a choice a bit of the amount. It does not know states or code.

use crate::diagram::{Diagrams, Halt, Set};
use std::rc::Rc;

/// Bits of a word.
const BITS: usize = 64;

/// A word: its lowest bits one by one, and what all above them are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    low: Rc<[Set]>,
    above: Set,
}

impl Word {
    /// The word with these bits, the lowest first; those above the list are like `above`.
    pub fn new(mut low: Vec<Set>, mut above: Set) -> Word {
        if low.len() >= BITS {
            low.truncate(BITS);
            above = low[BITS - 1];
        }
        while low.last() == Some(&above) {
            low.pop();
        }
        Word { low: low.into(), above }
    }

    /// The same word in all states.
    pub fn constant(word: u64) -> Word {
        let bit = |i| if word >> i & 1 == 1 { Set::ALL } else { Set::EMPTY };
        Word::new((0..BITS).map(bit).collect(), Set::EMPTY)
    }

    /// A bit.
    pub fn bit(&self, place: usize) -> Set {
        self.low.get(place).copied().unwrap_or(self.above)
    }

    /// How many bits there are before all are alike.
    pub fn len(&self) -> usize {
        self.low.len()
    }

    /// All bits, the highest last.
    fn bits(&self) -> impl ExactSizeIterator<Item = Set> + DoubleEndedIterator + '_ {
        (0..BITS).map(|place| self.bit(place))
    }

    /// Moved up.
    pub fn shifted_up(&self, by: usize) -> Word {
        let low = (0..by).map(|_| Set::EMPTY).chain(self.low.iter().copied());
        Word::new(low.collect(), self.above)
    }

    /// Moved down; zeros come in from above.
    pub fn shifted_down(&self, by: usize) -> Word {
        match (by, self.above) {
            (0, _) => self.clone(),
            (_, Set::EMPTY) => Word::new(self.low.iter().copied().skip(by).collect(), Set::EMPTY),
            _ => Word::new(self.bits().skip(by).collect::<Vec<_>>(), Set::EMPTY),
        }
    }
}

/// An operation on two sets.
type Two = fn(&mut Diagrams, Set, Set) -> Result<Set, Halt>;

impl Diagrams {
    fn bitwise(&mut self, a: &Word, b: &Word, two: Two) -> Result<Word, Halt> {
        let count = a.len().max(b.len());
        let low = (0..count).map(|i| two(self, a.bit(i), b.bit(i))).collect::<Result<_, _>>()?;
        Ok(Word::new(low, two(self, a.above, b.above)?))
    }

    /// `a & b`
    pub fn word_and(&mut self, a: &Word, b: &Word) -> Result<Word, Halt> {
        self.bitwise(a, b, Diagrams::intersection)
    }

    /// `a | b`
    pub fn word_or(&mut self, a: &Word, b: &Word) -> Result<Word, Halt> {
        self.bitwise(a, b, Diagrams::union)
    }

    /// `a ^ b`
    pub fn word_xor(&mut self, a: &Word, b: &Word) -> Result<Word, Halt> {
        self.bitwise(a, b, Diagrams::symmetric)
    }

    /// `a & !b`
    pub fn word_and_not(&mut self, a: &Word, b: &Word) -> Result<Word, Halt> {
        self.bitwise(a, b, Diagrams::difference)
    }

    /// `a` in the states of a set, `b` in all others.
    pub fn word_chosen(&mut self, by: Set, a: &Word, b: &Word) -> Result<Word, Halt> {
        if a == b || by == Set::ALL {
            return Ok(a.clone());
        }
        if by.is_empty() {
            return Ok(b.clone());
        }
        let count = a.len().max(b.len());
        let low =
            (0..count).map(|i| self.chosen(by, a.bit(i), b.bit(i))).collect::<Result<_, _>>()?;
        Ok(Word::new(low, self.chosen(by, a.above, b.above)?))
    }

    /// `a + b`, or `a - b`, and where that is beyond a signed word.
    pub fn word_sum(&mut self, a: &Word, b: &Word, minus: bool) -> Result<(Word, Set), Halt> {
        let flipped = match minus {
            true => self.word_xor(b, &Word::constant(u64::MAX))?,
            false => b.clone(),
        };
        let b = &flipped;
        let mut carry = if minus { Set::ALL } else { Set::EMPTY };
        // One bit more than the longer one, and then the sign.
        let count = (a.len().max(b.len()) + 2).min(BITS);
        let mut bits = Vec::with_capacity(count);
        for place in 0..count {
            let (x, y) = (a.bit(place), b.bit(place));
            let half = self.symmetric(x, y)?;
            bits.push(self.symmetric(half, carry)?);
            let both = self.intersection(x, y)?;
            let through = self.intersection(half, carry)?;
            carry = self.union(both, through)?;
        }
        let above = bits.last().copied().unwrap_or(Set::EMPTY);
        let mut beyond = Set::EMPTY;
        if count == BITS {
            let differ = self.symmetric(a.above, b.above)?;
            let turned = self.symmetric(above, a.above)?;
            beyond = self.difference(turned, differ)?;
        }
        Ok((Word::new(bits, above), beyond))
    }

    /// `a * b`, without what does not fit a word.
    pub fn word_product(&mut self, a: &Word, b: &Word) -> Result<Word, Halt> {
        let (a, b) = if a.len() < b.len() { (b, a) } else { (a, b) };
        let mut sum = Word::constant(0);
        // The sign of the shorter one stands for minus that power of two.
        for place in 0..=b.len() {
            let bit = b.bit(place);
            if bit.is_empty() {
                continue;
            }
            let part = self.word_chosen(bit, &a.shifted_up(place), &Word::constant(0))?;
            sum = self.word_sum(&sum, &part, place == b.len())?.0;
        }
        Ok(sum)
    }

    /// Moved by a computed amount, modulo 64.
    pub fn word_shifted(&mut self, a: &Word, by: &Word, up: bool) -> Result<Word, Halt> {
        let moved = |w: &Word, n| if up { w.shifted_up(n) } else { w.shifted_down(n) };
        let mut word = a.clone();
        for place in 0..6 {
            let bit = by.bit(place);
            if !bit.is_empty() {
                word = self.word_chosen(bit, &moved(&word, 1 << place), &word)?;
            }
        }
        Ok(word)
    }

    /// How many bits are set.
    pub fn word_count(&mut self, a: &Word) -> Result<Word, Halt> {
        let mut sum = Word::constant(0);
        for bit in a.bits().filter(|bit| !bit.is_empty()) {
            sum = self.word_sum(&sum, &Word::new(vec![bit], Set::EMPTY), false)?.0;
        }
        Ok(sum)
    }

    /// The position of the lowest bit that is set, 64 if none is.
    pub fn word_lowest(&mut self, a: &Word) -> Result<Word, Halt> {
        let mut position = Word::constant(BITS as u64);
        for (place, bit) in a.bits().enumerate().rev() {
            position = self.word_chosen(bit, &Word::constant(place as u64), &position)?;
        }
        Ok(position)
    }

    /// The position of the highest bit that is set, -1 if none is.
    pub fn word_highest(&mut self, a: &Word) -> Result<Word, Halt> {
        let mut position = Word::constant(u64::MAX);
        for (place, bit) in a.bits().enumerate() {
            position = self.word_chosen(bit, &Word::constant(place as u64), &position)?;
        }
        Ok(position)
    }

    /// Where two words are equal.
    pub fn word_equal(&mut self, a: &Word, b: &Word) -> Result<Set, Halt> {
        let mut differ = self.symmetric(a.above, b.above)?;
        for place in 0..a.len().max(b.len()) {
            let here = self.symmetric(a.bit(place), b.bit(place))?;
            differ = self.union(differ, here)?;
        }
        self.difference(Set::ALL, differ)
    }

    /// Where the first is less than the second, as signed words.
    pub fn word_less(&mut self, a: &Word, b: &Word) -> Result<Set, Halt> {
        let mut less = Set::EMPTY;
        for place in 0..a.len().max(b.len()) {
            let (x, y) = (a.bit(place), b.bit(place));
            let differ = self.symmetric(x, y)?;
            less = self.chosen(differ, y, less)?;
        }
        let differ = self.symmetric(a.above, b.above)?;
        self.chosen(differ, a.above, less)
    }

    /// The values of a word in the states of a set, each with its states; nothing if there are more.
    pub fn word_values(
        &mut self,
        a: &Word,
        states: Set,
        most: usize,
    ) -> Result<Option<Vec<(u64, Set)>>, Halt> {
        let mut values = vec![(0, states)];
        for (place, bit) in a.bits().enumerate() {
            let mut next = Vec::with_capacity(values.len());
            for (value, states) in values {
                let with = self.intersection(states, bit)?;
                let without = self.difference(states, bit)?;
                next.push((value, without));
                next.push((value | 1 << place, with));
            }
            next.retain(|(_, states)| !states.is_empty());
            if next.len() > most {
                return Ok(None);
            }
            values = next;
        }
        Ok(Some(values))
    }

    /// The word that has each of these values in its states, which are apart.
    pub fn word_of_values(&mut self, values: &[(u64, Set)]) -> Result<Word, Halt> {
        let mut bits = vec![Set::EMPTY; BITS];
        for (value, states) in values {
            for (place, bit) in bits.iter_mut().enumerate() {
                if value >> place & 1 == 1 {
                    *bit = self.union(*bit, *states)?;
                }
            }
        }
        Ok(Word::new(bits, Set::EMPTY))
    }
}
