//! What was answered shortly before: a table in which a new entry takes the place of an old one.

/// Entries; a power of two.
const ENTRIES: usize = 1 << 14;

/// Answers by keys of some words. Whatever it forgets is computed again.
pub(crate) struct Recent<T> {
    entries: Vec<Option<(Box<[u64]>, T)>>,
}

impl<T> Default for Recent<T> {
    fn default() -> Recent<T> {
        Recent { entries: Vec::new() }
    }
}

fn place(key: &[u64]) -> usize {
    let hash = key.iter().fold(0u64, |hash, word| {
        let product = u128::from(hash ^ word ^ 0x9E37_79B9_7F4A_7C15) * 0xD1B5_4A32_D192_ED03;
        (product >> 64) as u64 ^ product as u64
    });
    (hash >> 17) as usize % ENTRIES
}

impl<T> Recent<T> {
    /// The answer for a key, if it is still there.
    #[inline]
    pub fn get(&self, key: &[u64]) -> Option<&T> {
        let entry = self.entries.get(place(key))?.as_ref();
        entry.filter(|(known, _)| **known == *key).map(|(_, answer)| answer)
    }

    /// Remembers an answer.
    pub fn put(&mut self, key: &[u64], answer: T) {
        if self.entries.is_empty() {
            self.entries.resize_with(ENTRIES, || None);
        }
        self.entries[place(key)] = Some((key.into(), answer));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_found_is_what_was_put() {
        let mut recent = Recent::default();
        assert_eq!(recent.get(&[1, 2]), None);
        for i in 0..100_000u64 {
            recent.put(&[i, i / 3], i);
        }
        let found: Vec<u64> = (0..100_000).filter(|&i| recent.get(&[i, i / 3]).is_some()).collect();
        assert!(found.len() > ENTRIES / 2 && found.len() <= ENTRIES, "{}", found.len());
        assert!(found.iter().all(|&i| recent.get(&[i, i / 3]) == Some(&i)));
        assert_eq!(recent.get(&[100_000, 0]), None);
    }
}
