//! One part of the table: an index by hash over rows.

use crate::records::Records;
use hashbrown::HashTable;

/// What came of an insertion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Insert {
    /// The state was not there before.
    New,
    /// It was.
    Known,
    /// There are no more numbers for states: it was not inserted.
    Full,
}

/// One part of the states. A row is the parent's number, then the state.
#[derive(Debug)]
pub(crate) struct Shard {
    index: HashTable<u32>,
    pub rows: Records,
    /// The first row of the current wave.
    settled: usize,
    /// The least key of each row of the current wave.
    keys: Vec<u64>,
    limit: usize,
}

impl Shard {
    pub fn new(width: usize, limit: usize) -> Shard {
        Shard {
            index: HashTable::new(),
            rows: Records::new(width + 1),
            settled: 0,
            keys: Vec::new(),
            limit,
        }
    }

    pub fn insert(&mut self, hash: u64, state: &[u32], key: u64, parent: u32) -> Insert {
        let rows = &self.rows;
        if let Some(&row) = self.index.find(hash, |&row| rows.row(row as usize)[1..] == *state) {
            if let Some(fresh) = (row as usize).checked_sub(self.settled)
                && key < self.keys[fresh]
            {
                self.keys[fresh] = key;
                self.rows.set_first(row as usize, parent);
            }
            return Insert::Known;
        }
        if self.rows.len() >= self.limit {
            return Insert::Full;
        }
        let row = self.rows.len() as u32;
        self.rows.push(parent, state);
        self.keys.push(key);
        let rows = &self.rows;
        self.index
            .insert_unique(hash, row, |&row| crate::table::hash(&rows.row(row as usize)[1..]));
        Insert::New
    }

    pub fn contains(&self, hash: u64, state: &[u32]) -> bool {
        self.index.find(hash, |&row| self.rows.row(row as usize)[1..] == *state).is_some()
    }

    /// Ends the wave: calls back with the key and row of each new state.
    pub fn settle(&mut self, mut new: impl FnMut(u64, u32)) {
        for (i, key) in self.keys.drain(..).enumerate() {
            new(key, (self.settled + i) as u32);
        }
        self.settled = self.rows.len();
    }

    pub fn bytes(&self) -> usize {
        // A slot of the index is a number and a byte of its hash.
        let slots = self.index.capacity() / 7 * 8;
        self.rows.bytes() + slots * 5 + self.keys.capacity() * size_of::<u64>()
    }
}
