//! Sets of operations, by position.

/// A set of small numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Set(Vec<u64>);

impl Set {
    /// The empty set, with room for numbers below `size`.
    pub fn new(size: usize) -> Set {
        Set(vec![0; size.div_ceil(64)])
    }

    /// Of these numbers, all below `size`.
    pub fn of(size: usize, numbers: impl IntoIterator<Item = usize>) -> Set {
        let mut set = Set::new(size);
        numbers.into_iter().for_each(|n| _ = set.add(n));
        set
    }

    /// Puts a number in. Was it new?
    pub fn add(&mut self, number: usize) -> bool {
        let place = number / 64;
        if place >= self.0.len() {
            self.0.resize(place + 1, 0);
        }
        let bit = 1 << (number % 64);
        let new = self.0[place] & bit == 0;
        self.0[place] |= bit;
        new
    }

    /// Is a number in it?
    pub fn has(&self, number: usize) -> bool {
        self.0.get(number / 64).is_some_and(|word| word >> (number % 64) & 1 == 1)
    }

    /// Its numbers, in order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        let bits = |word: u64| (0..64).filter(move |bit| word >> bit & 1 == 1);
        self.0
            .iter()
            .enumerate()
            .flat_map(move |(place, word)| bits(*word).map(move |b| 64 * place + b))
    }

    /// How many numbers it has.
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Has it none?
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }
}

/// The numbers of one set that are not in another.
pub(crate) fn others<'a>(all: &'a Set, without: &'a Set) -> impl Iterator<Item = usize> + 'a {
    all.iter().filter(|number| !without.has(*number))
}
