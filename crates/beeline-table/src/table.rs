//! The table as its users see it: waves of candidates become numbered states.
//!
//! What happens in a wave stands below: which candidates are new (`resolve`), their numbers
//! (`settle`), what is known by number (`settled`, `reader`), better keys (`refold`), and states on
//! disk (`out`).

mod alone;
mod out;
mod reader;
mod refold;
mod resolve;
mod settle;
mod settled;

pub use alone::Alone;
use reader::Held;
pub use reader::Reader;

use crate::batch::{Batch, Bucket};
use crate::compact::{self, Waiting};
use crate::disk::Disk;
use crate::fold::{Folding, View, both};
use crate::hash::{NOBODY, SHARDS, hash, shard_of, shards_of};
use crate::index::{self, Found, Index};
use crate::key_store::KeyStore;
use crate::parents::Parents;
use crate::shape::Shape;
use crate::unproved::{ALL_UNPROVED, Unproved};
use settled::Settled;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard};

/// A table has at most so many parts: each is some shards in a row.
pub const MOST_PARTS: usize = SHARDS;

/// Names a state: the how-manieth it was, from zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StateId(pub u32);

/// Where the bytes of a table are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bytes {
    /// Keys, one a state.
    pub keys: usize,
    /// The index by hash.
    pub index: usize,
    /// Parents.
    pub parents: usize,
    /// Shared inner pairs of long vectors.
    pub pairs: usize,
    /// What is kept of waiting states: vectors, if keys do not have them, and what is unproved.
    pub waiting: usize,
}

impl Bytes {
    /// All of them.
    pub fn total(&self) -> usize {
        self.keys + self.index + self.parents + self.pairs + self.waiting
    }
}

/// An exact set of state vectors, safe to share between threads.
#[derive(Debug)]
pub struct Table {
    width: usize,
    is_compact: bool,
    keeps_unproved: bool,
    /// How vectors are folded now.
    folding: RwLock<Arc<Folding>>,
    /// So many states, and it is worth looking whether another way would be better.
    refold_at: AtomicUsize,
    shards: Box<[Mutex<Index>]>,
    settled: RwLock<Settled>,
    /// States in memory: settled ones, or, with a disk, ones that may be known there.
    here: AtomicUsize,
    /// States on disk.
    below: AtomicUsize,
    /// States without a parent come first.
    roots: AtomicU32,
}

/// The index of a shard. The longer vectors are, the longer they take to find, and the less memory
/// there is to spare: growing may take more time, and leave less free.
fn index(which: usize, width: usize) -> Index {
    let growth = match width {
        0..=2 => index::FAST,
        _ => index::TIGHT,
    };
    Index::new(which, SHARDS, growth)
}

impl Table {
    /// A table of vectors of `width` words.
    pub fn new(width: usize) -> Table {
        let shard = |which| Mutex::new(index(which, width));
        Table {
            width,
            is_compact: false,
            keeps_unproved: false,
            folding: RwLock::new(Arc::new(Folding::new(width, Shape::halves(width), 0))),
            refold_at: AtomicUsize::new(refold::ENOUGH),
            shards: (0..SHARDS).map(shard).collect(),
            settled: RwLock::new(Settled {
                rows: KeyStore::new(width),
                parents: Parents::default(),
                base: 0,
                disk: None,
                waiting: None,
                unproved: None,
            }),
            here: AtomicUsize::new(0),
            below: AtomicUsize::new(0),
            roots: AtomicU32::new(0),
        }
    }

    /// A table that tells vectors apart by a hash of 64 bits only: see [`crate::omission`].
    /// Vectors can be read until [`Table::forget`].
    pub fn compact(width: usize) -> Table {
        // Nothing is folded: a folding of no words takes no memory for pairs.
        let folding = Arc::new(Folding::new(0, Shape::halves(width), 0));
        let table = Table { folding: RwLock::new(folding), ..Table::new(width) };
        {
            let mut settled = table.settled.write().unwrap_or_else(PoisonError::into_inner);
            // A key is a hash of 64 bits, two words, however long vectors are.
            settled.rows = KeyStore::new(2);
            settled.waiting = Some(Waiting::default());
        }
        Table { is_compact: true, ..table }
    }

    /// From now on it keeps what candidates leave unproved: see [`Table::offer_unproved`].
    pub fn keep_unproved(self) -> Table {
        {
            let mut settled = self.settled.write().unwrap_or_else(PoisonError::into_inner);
            settled.unproved = Some(Unproved::default());
        }
        Table { keeps_unproved: true, ..self }
    }

    /// Nobody will ask again what is unproved about these states; each is named once.
    pub fn forget_unproved(&self, states: impl Iterator<Item = u32>) {
        if self.keeps_unproved {
            let mut settled = self.settled.write().unwrap_or_else(PoisonError::into_inner);
            if let Some(unproved) = &mut settled.unproved {
                unproved.forget(states);
            }
        }
    }

    /// Does it keep hashes only?
    pub fn is_compact(&self) -> bool {
        self.is_compact
    }

    /// Forgets the vectors of all states below a number, if keys do not have them.
    pub fn forget(&self, below: u32) {
        if self.is_compact {
            let mut settled = self.settled.write().unwrap_or_else(PoisonError::into_inner);
            settled.waiting.iter_mut().for_each(|w| w.forget(below, self.width));
        }
    }

    /// In a table of hashes: is this the state of that number?
    pub fn is_likely(&self, id: StateId, state: &[u32]) -> bool {
        self.settled().key(id.0) == compact::key(state)
    }

    /// How many states there are. Those that wait for [`Table::sift`] do not count yet.
    pub fn len(&self) -> usize {
        match self.below.load(Ordering::Relaxed) {
            // With states on disk, what is in memory may be known there: it counts when it was
            // sifted.
            0 => self.here(),
            below => below,
        }
    }

    fn here(&self) -> usize {
        self.here.load(Ordering::Relaxed)
    }

    /// Are there states on disk?
    pub fn is_out(&self) -> bool {
        self.below.load(Ordering::Relaxed) > 0
    }

    /// How many states wait for [`Table::sift`].
    pub fn waiting(&self) -> usize {
        if self.is_out() { self.here() } else { 0 }
    }

    /// Bytes on disk.
    pub fn disk_bytes(&self) -> u64 {
        self.settled().disk.as_ref().map_or(0, Disk::bytes)
    }

    /// Could something on disk not be read? Then the last wave is not to be believed.
    pub fn failed(&self) -> bool {
        self.is_out() && self.settled().disk.as_ref().is_some_and(Disk::failed)
    }

    /// None yet?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many words a state has.
    pub fn width(&self) -> usize {
        self.width
    }

    /// How many states without a parent were settled first; others may follow later.
    pub fn roots(&self) -> u32 {
        self.roots.load(Ordering::Relaxed)
    }

    /// How many inner pairs long vectors share.
    pub fn pairs(&self) -> usize {
        self.folding().nodes.len()
    }

    /// Bytes in use.
    pub fn bytes(&self) -> Bytes {
        let settled = self.settled();
        Bytes {
            keys: settled.rows.bytes(),
            index: (0..SHARDS).map(|i| self.shard(i).bytes()).sum(),
            parents: settled.parents.bytes(),
            pairs: self.folding().nodes.bytes(),
            waiting: settled.waiting.as_ref().map_or(0, Waiting::bytes)
                + settled.unproved.as_ref().map_or(0, Unproved::bytes),
        }
    }

    /// A view for vectors of this table; it shows the vector of zeros.
    pub fn view(&self) -> View {
        View::new(self.width, self.folding())
    }

    fn shard(&self, index: usize) -> MutexGuard<'_, Index> {
        // A shard is whole again before any of its calls could panic.
        self.shards[index].lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn settled(&self) -> RwLockReadGuard<'_, Settled> {
        self.settled.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn folding(&self) -> Arc<Folding> {
        self.folding.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// A look at the settled states, for a while in which nothing is settled.
    pub fn reader(&self) -> Reader<'_> {
        Reader { table: self, settled: Held::Shared(self.settled()), folding: self.folding() }
    }

    /// Loads a state into a view.
    pub fn load(&self, id: StateId, view: &mut View) {
        self.reader().load(id, view);
    }

    /// The parent of a state; initial states have none.
    pub fn parent(&self, id: StateId) -> Option<StateId> {
        self.reader().parent(id)
    }

    /// The hash by which a vector is found, as [`Table::offer`] and look-up compute it; nothing if
    /// there is no room left for its parts. The view folds as the table does.
    #[inline]
    pub fn hash_of(&self, view: &mut View, state: &[u32]) -> Option<u64> {
        debug_assert_eq!(view.folding.number, self.folding().number);
        let key = if self.is_compact { compact::key(state) } else { view.fold(state)? };
        Some(hash(key))
    }

    /// Adds a candidate to a batch. `false`: there is no room left for it.
    #[inline]
    #[must_use]
    pub fn offer(&self, batch: &mut Batch, view: &mut View, state: &[u32], rank: u32) -> bool {
        self.offer_unproved(batch, view, state, rank, ALL_UNPROVED)
    }

    /// The same, for a candidate that leaves only these bits unproved: see [`Reader::unproved_bits`].
    #[inline]
    #[must_use]
    pub fn offer_unproved(
        &self,
        batch: &mut Batch,
        view: &mut View,
        state: &[u32],
        rank: u32,
        unproved: u64,
    ) -> bool {
        debug_assert_eq!(state.len(), self.width);
        debug_assert_eq!(view.folding.number, self.folding().number);
        let key = match self.is_compact {
            true => Some(compact::key(state)),
            false => view.fold(state),
        };
        let Some(key) = key else { return false };
        // Keys of two ways of folding must never be compared: equal vectors would have different
        // ones.
        batch.follow(view.folding.number);
        let bucket =
            self.add(batch, key, rank, if self.keeps_unproved { unproved } else { ALL_UNPROVED });
        if let Some(bucket) = bucket.filter(|_| self.is_compact) {
            bucket.words.extend_from_slice(state);
        }
        !batch.is_full()
    }

    /// The same for candidates one after the other, each the first words of so many; says how many
    /// there were. Afterwards somebody must ask whether the batch [is full](Batch::is_full).
    #[inline]
    pub fn offer_all(
        &self,
        batch: &mut Batch,
        view: &mut View,
        (words, step): (&[u32], usize),
        rank: u32,
        unproved: u64,
    ) -> u64 {
        batch.follow(view.folding.number);
        let unproved = if self.keeps_unproved { unproved } else { ALL_UNPROVED };
        let (mut at, mut count) = (0, 0);
        match self.width {
            // Up to two words are their own key: nothing is folded, and nothing can run out of
            // room.
            1 if !self.is_compact => {
                while let Some(word) = words.get(at) {
                    self.add(batch, u64::from(*word), rank, unproved);
                    (at, count) = (at + step, count + 1);
                }
            }
            2 if !self.is_compact => {
                while let Some([a, b]) = words.get(at..at + 2) {
                    self.add(batch, both(*a, *b), rank, unproved);
                    (at, count) = (at + step, count + 1);
                }
            }
            width => {
                while let Some(state) = words.get(at..at + width).filter(|_| at < words.len()) {
                    if !self.offer_unproved(batch, view, state, rank, unproved) {
                        batch.refuse();
                    }
                    (at, count) = (at + step, count + 1);
                }
            }
        }
        count
    }

    /// Adds a candidate that is known by its key, unless it came a short while ago.
    #[inline]
    fn add<'b>(
        &self,
        batch: &'b mut Batch,
        key: u64,
        rank: u32,
        unproved: u64,
    ) -> Option<&'b mut Bucket> {
        let bucket = batch.add(key, rank, unproved)?;
        if self.keeps_unproved {
            bucket.unproved.push(unproved);
        }
        Some(bucket)
    }

    /// Is this state there? (For tests and small questions.)
    pub fn contains(&self, view: &mut View, state: &[u32]) -> bool {
        view.follow(&self.folding());
        let Some(key) = view.fold(state) else { return false };
        let hash = hash(key);
        let settled = self.settled();
        let found = self.shard(shard_of(hash)).find(hash, |n| settled.rows.get(n) == key);
        matches!(found, Found::Number(..))
    }
}

#[cfg(test)]
mod tests;
