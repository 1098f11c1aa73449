//! Signatures in order: an exact key of the class of a state.

use super::Signatures;
use super::laid::Laid;
use super::slot::{Bits, each_member};
use crate::permute::{Permutation, Permuter};
use beeline_pack::Codec;
use beeline_transition::{RowRef, SetupIndex};

/// So many signatures are sorted without branches.
const SHORT: usize = 8;

/// Words of the largest set that has a bit for each element.
const MOST_PARTS: usize = 16;

impl Signatures {
    /// The signatures of a row in order, the short way: where they fit one word and are few.
    #[inline]
    pub fn quick_sorted<const N: usize>(&self, setup: SetupIndex, words: &[u64; N]) -> Option<u64> {
        let (signatures, mut key) = (self.quick_signatures(setup, words)?, 0);
        for (class, width) in self.classes.iter().zip(&self.laid.widths) {
            if class.len > SHORT {
                return None;
            }
            let (mask, width) = ((1u64 << width) - 1, (*width).max(1));
            let first = self.laid.places[class.first].1;
            let (mut sorted, mut rest) = ([u64::MAX; SHORT], signatures >> first);
            for signature in &mut sorted[..class.len] {
                *signature = rest & mask;
                rest >>= width;
            }
            sort(&mut sorted);
            let joined =
                sorted[..class.len].iter().rev().fold(0, |sum, signature| sum << width | signature);
            key |= joined << first;
        }
        Some(key)
    }

    /// The signatures of the state last looked at, in order: equal exactly for symmetric states, as far
    /// as the variables go that signatures show.
    pub fn sorted(&mut self, key: &mut Vec<u64>) {
        let from = key.len();
        key.resize(from + self.laid.size, 0);
        let key = &mut key[from..];
        let Laid { places, values, widths, .. } = &self.laid;
        for (class, width) in self.classes.iter().zip(widths) {
            let mask = (1u64 << width) - 1;
            let places = &places[class.first..class.first + class.len];
            let signatures = places.iter().map(|(word, shift)| values[*word] >> shift & mask);
            if class.len <= SHORT {
                let mut sorted = [u64::MAX; SHORT];
                sorted.iter_mut().zip(signatures).for_each(|(to, signature)| *to = signature);
                sort(&mut sorted);
                put(key, places, &sorted);
                continue;
            }
            self.sorted.clear();
            self.sorted.extend(signatures);
            self.sorted.sort_unstable();
            put(key, places, &self.sorted);
        }
    }
}

impl Signatures {
    /// The form that is remembered for signatures in order.
    #[inline]
    pub fn form(&self, key: &[u64]) -> Option<RowRef<'_>> {
        self.laid.forms.get(key).map(RowRef)
    }

    /// Remembers a form, as long as signatures mean what they mean.
    pub fn remember(&mut self, key: &[u64], form: RowRef<'_>) {
        self.laid.forms.put(key, form.words());
    }

    /// The labels of the elements of the state last looked at, as [`StateProfile`](crate::state_profile::StateProfile) has
    /// them.
    pub fn labels(&self, labels: &mut Vec<u128>) {
        labels.clear();
        for (number, class) in self.classes.iter().enumerate() {
            let mask = (1u64 << self.laid.widths[number]) - 1;
            for (word, shift) in &self.laid.places[class.first..class.first + class.len] {
                let signature = self.laid.values[*word] >> shift & mask;
                labels.push(self.label(signature, number));
            }
        }
    }

    /// Moves the elements in the words of a row. False: something does not fit.
    pub fn permute(
        &self,
        by: &Permutation,
        words: &mut [u64],
        codec: &Codec,
        permuter: &mut Permuter<'_>,
    ) -> bool {
        let store = permuter.store();
        self.slots.iter().all(|slot| match &slot.bits {
            Bits::Members(fields) => {
                let (first, mut parts) = (self.classes[slot.class].first, [0u64; MOST_PARTS]);
                if fields.len() > MOST_PARTS {
                    return false;
                }
                each_member(fields, words, |i| {
                    let to = by.0[first + i] as usize - first;
                    parts[to / 64] |= 1 << (to % 64);
                });
                fields.iter().zip(parts).for_each(|(field, part)| field.set(words, part));
                true
            }
            Bits::Codes(function) => {
                let first = self.classes[slot.class].first;
                let mut codes = vec![0; function.count];
                function.each(words, |i, code| codes[by.0[first + i] as usize - first] = code);
                function.put(&codes, words);
                true
            }
            _ => {
                let value = permuter.value(codec.value(store, slot.variable, words), by);
                codec.put(store, slot.variable, value, words)
            }
        })
    }
}

/// Sorts: a network for eight. Written out, because the loop would not be.
#[inline]
fn sort(words: &mut [u64; SHORT]) {
    let mut order = |(i, j): (usize, usize)| {
        let (a, b) = (words[i], words[j]);
        (words[i], words[j]) = (a.min(b), a.max(b));
    };
    let mut step = |[a, b, c, d]: [(usize, usize); 4]| {
        order(a);
        order(b);
        order(c);
        order(d);
    };
    step([(0, 2), (1, 3), (4, 6), (5, 7)]);
    step([(0, 4), (1, 5), (2, 6), (3, 7)]);
    step([(0, 1), (2, 3), (4, 5), (6, 7)]);
    step([(2, 4), (3, 5), (1, 4), (3, 6)]);
    step([(1, 2), (3, 4), (5, 6), (5, 6)]);
}

/// Puts signatures into their places.
#[inline]
fn put(key: &mut [u64], places: &[(usize, u32)], signatures: &[u64]) {
    let (mut at, mut sum) = (places.first().map_or(0, |p| p.0), 0);
    for ((word, shift), signature) in places.iter().zip(signatures) {
        if *word != at {
            key[at] |= std::mem::take(&mut sum);
            at = *word;
        }
        sum |= signature << shift;
    }
    key[at] |= sum;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_network_sorts() {
        // What sorts all sequences of zeros and ones sorts everything.
        for bits in 0..256u64 {
            let mut words: [u64; SHORT] = std::array::from_fn(|i| bits >> i & 1);
            sort(&mut words);
            assert!(words.is_sorted(), "{bits:b}");
            assert_eq!(words.iter().sum::<u64>(), u64::from(bits.count_ones()));
        }
    }
}
