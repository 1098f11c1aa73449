//! What was answered shortly before: a table in which a new entry takes the place of an old one.

/// Entries; a power of two.
const ENTRIES: usize = 1 << 14;
/// No key begins with this word.
const EMPTY: u64 = u64::MAX;

/// Answers of some words by keys of some words, the same number each time. Whatever it forgets is
/// computed again.
#[derive(Default)]
pub(crate) struct Recent {
    keys: Vec<u64>,
    answers: Vec<u32>,
}

#[inline]
fn place(key: &[u64]) -> usize {
    let mut hash = 0x9E37_79B9_7F4A_7C15u64;
    for word in key {
        hash = (hash ^ word).wrapping_mul(0xD1B5_4A32_D192_ED03);
        hash ^= hash >> 32;
    }
    (hash >> 7) as usize % ENTRIES
}

impl Recent {
    /// The answer for a key, if it is still there.
    #[inline]
    pub fn get(&self, key: &[u64]) -> Option<&[u32]> {
        let at = place(key);
        let known = self.keys.get(at * key.len()..(at + 1) * key.len())?;
        // A loop is shorter than a call.
        if !known.iter().zip(key).all(|(a, b)| a == b) {
            return None;
        }
        let size = self.answers.len() / ENTRIES;
        self.answers.get(at * size..(at + 1) * size)
    }

    /// Remembers an answer.
    pub fn put(&mut self, key: &[u64], answer: &[u32]) {
        if self.keys.is_empty() {
            self.keys.resize(ENTRIES * key.len(), EMPTY);
            self.answers.resize(ENTRIES * answer.len(), 0);
        }
        let at = place(key);
        if let Some(place) = self.keys.get_mut(at * key.len()..(at + 1) * key.len()) {
            place.copy_from_slice(key);
        }
        if let Some(place) = self.answers.get_mut(at * answer.len()..(at + 1) * answer.len()) {
            place.copy_from_slice(answer);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_found_is_what_was_put() {
        let mut recent = Recent::default();
        assert_eq!(recent.get(&[1, 2]), None);
        for i in 0..100_000u32 {
            recent.put(&[u64::from(i), u64::from(i / 3)], &[i, !i]);
        }
        let get = |i: u32| recent.get(&[u64::from(i), u64::from(i / 3)]);
        let found: Vec<u32> = (0..100_000).filter(|&i| get(i).is_some()).collect();
        assert!(found.len() > ENTRIES / 2 && found.len() <= ENTRIES, "{}", found.len());
        assert!(found.iter().all(|&i| get(i) == Some(&[i, !i])));
        assert_eq!(get(100_000), None);
    }
}
