//! What an evaluation remembers, within bounds.

use beeline_value::Val;
use rustc_hash::FxHashMap;
use std::any::Any;

const BITS: u32 = 14;

/// The words that a problem reads, and what is made of them.
type Base = (Box<[Val]>, Box<dyn Any + Send>);

/// Results of operators on interned values: a direct-mapped table, and a bounded map for queries.
#[derive(Default)]
pub(crate) struct Memo {
    table: Vec<(u32, u32, u32, u32)>,
    queries: FxHashMap<Box<[u32]>, u32>,
    /// Problems without what depends on the state, by number.
    bases: FxHashMap<u32, Base>,
    key: Vec<u32>,
}

impl Memo {
    pub fn new() -> Memo {
        Memo {
            table: Vec::new(),
            queries: FxHashMap::default(),
            bases: FxHashMap::default(),
            key: Vec::new(),
        }
    }

    /// Keys of operators begin here; smaller ones belong to questions about sets.
    pub const UNARY: u32 = 64;
    pub const BINARY: u32 = 256;

    fn position(op: u32, a: u32, b: u32) -> usize {
        // Multiplied by the golden ratio: neighbouring words, which are common, end far apart.
        let mixed = (u64::from(a) << 32 | u64::from(b))
            .wrapping_add(u64::from(op) << 24)
            .wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed >> (64 - BITS)) as usize
    }

    /// The remembered result of an operator; `op` is never 0.
    #[inline]
    pub fn get(&self, op: u32, a: Val, b: Val) -> Option<Val> {
        let row = self.table.get(Memo::position(op, a.raw(), b.raw()))?;
        (row.0 == op && row.1 == a.raw() && row.2 == b.raw()).then(|| Val::from_raw(row.3))
    }

    /// Remembers a result.
    #[inline]
    pub fn put(&mut self, op: u32, a: Val, b: Val, result: Val) {
        // Made when it is first needed: short runs never need it, and have several of these.
        if self.table.is_empty() {
            self.table = vec![(0, 0, 0, 0); 1 << BITS];
        }
        self.table[Memo::position(op, a.raw(), b.raw())] = (op, a.raw(), b.raw(), result.raw());
    }

    /// What is remembered of a problem whose constants are as they were.
    pub fn base<B: 'static>(&self, number: u32, reads: &[usize], slots: &[Val]) -> Option<&B> {
        let (words, base) = self.bases.get(&number)?;
        let same = reads.len() == words.len()
            && reads.iter().zip(words).all(|(&slot, word)| slots[slot] == *word);
        base.downcast_ref().filter(|_| same)
    }

    /// Remembers it, in place of what it was for other constants.
    pub fn put_base(&mut self, number: u32, reads: &[usize], slots: &[Val], base: impl Any + Send) {
        let words = reads.iter().map(|&slot| slots[slot]).collect();
        self.bases.insert(number, (words, Box::new(base)));
    }

    const QUERIES: usize = 1 << 18;

    /// The remembered result of a query, by the words it reads.
    #[inline]
    pub fn query(&mut self, code: u32, reads: &[usize], slots: &[Val]) -> Option<u32> {
        // The key is built in place: a hit, which is what mostly happens, allocates nothing.
        self.key.clear();
        self.key.push(code);
        self.key.extend(reads.iter().map(|&s| slots[s].raw()));
        self.queries.get(self.key.as_slice()).copied()
    }

    /// Remembers the result of a query.
    pub fn put_query(&mut self, code: u32, reads: &[usize], slots: &[Val], result: u32) {
        // All at once: to find out what is old would cost more than to compute it again.
        if self.queries.len() >= Memo::QUERIES {
            self.queries.clear();
        }
        let key = std::iter::once(code).chain(reads.iter().map(|&s| slots[s].raw())).collect();
        self.queries.insert(key, result);
    }
}
