//! The candidates that one worker found in a wave.

use crate::hash::{hash, part_of};
use crate::unproved::ALL_UNPROVED;

/// One candidate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    pub key: u64,
    /// The place in the wave of the state it comes from.
    pub rank: u32,
    /// Its place among the candidates of its worker.
    pub place: u32,
}

/// Candidates of one worker for one part of the table, in the order in which it found them.
#[derive(Debug, Default)]
pub(crate) struct Bucket {
    pub candidates: Vec<Candidate>,
    /// What each candidate leaves unproved, if anybody asks.
    pub unproved: Vec<u64>,
    /// The vectors themselves, if keys do not have them.
    pub words: Vec<u32>,
}

impl Bucket {
    pub fn clear(&mut self) {
        // One crowded wave must not keep its memory for the rest of the search.
        if self.candidates.capacity() > 2 * CROWDED {
            *self = Bucket::default();
        }
        self.candidates.clear();
        self.unproved.clear();
        self.words.clear();
    }

    /// What a candidate leaves unproved.
    #[inline]
    pub fn unproved(&self, at: usize) -> u64 {
        self.unproved.get(at).copied().unwrap_or(ALL_UNPROVED)
    }

    /// Keeps the candidates that `keep` accepts; it is asked in order, for a key and what is unproved.
    fn thin(&mut self, mut keep: impl FnMut(u64, u64) -> bool) {
        let old = std::mem::take(self);
        let width = old.words.len() / old.candidates.len().max(1);
        for (at, candidate) in old.candidates.iter().enumerate() {
            let left = old.unproved.get(at).copied();
            if keep(candidate.key, left.unwrap_or(ALL_UNPROVED)) {
                self.candidates.push(*candidate);
                self.unproved.extend(left);
                self.words.extend_from_slice(&old.words[at * width..(at + 1) * width]);
            }
        }
    }
}

/// Candidates of one worker, by the part of the table that each belongs to.
///
/// A candidate has a rank: the place in the wave of the state it comes from. All candidates of one
/// rank are in one batch, but for those that come late.
#[derive(Debug)]
pub struct Batch {
    pub(crate) buckets: Vec<Bucket>,
    /// The place of the first candidate, and of the next one.
    first: u32,
    next: u32,
    recent: Recent,
    /// Which way of folding its keys are of.
    folding: u32,
    /// A candidate had no room.
    refused: bool,
    /// From so many candidates on it is worth looking for repetitions.
    crowded: usize,
}

/// The first size at which a batch is looked through for repetitions.
const CROWDED: usize = 1 << 18;
/// Places of candidates that come late.
const LATE: u32 = 1 << 31;

/// The keys that were offered last, each at one place: what fits the nearer caches.
///
/// All keys that were ever offered end up in the table, so that one that is met again need not be
/// offered again.
#[derive(Debug, Default)]
struct Recent {
    /// Keys, and what the candidates of each so far leave unproved.
    places: Vec<(u64, u64)>,
}

const RECENT_BITS: u32 = 13;

impl Recent {
    #[cold]
    fn begin(&mut self) {
        self.places.resize(1 << RECENT_BITS, (0, ALL_UNPROVED));
        // Nowhere is a key that belongs there.
        self.places[Recent::place(hash(0))].0 = 1;
        debug_assert_ne!(Recent::place(hash(0)), Recent::place(hash(1)));
    }

    /// Other bits than those that choose the part.
    #[inline]
    fn place(hash: u64) -> usize {
        (hash >> 20) as usize & ((1 << RECENT_BITS) - 1)
    }

    /// Puts a key at its place. Was it there, and did those that were there leave no more unproved than
    /// this one?
    #[inline]
    fn narrow(&mut self, key: u64, hash: u64, unproved: u64) -> bool {
        if self.places.is_empty() {
            self.begin();
        }
        let Some(place) = self.places.get_mut(Recent::place(hash)) else { return false };
        if place.0 != key {
            *place = (key, unproved);
            return false;
        }
        // A way that proves more must reach the table, though the state itself is known.
        let news = place.1 & !unproved != 0;
        place.1 &= unproved;
        !news
    }
}

impl Batch {
    /// An empty batch for a table in so many parts.
    pub fn new(parts: usize) -> Batch {
        Batch {
            buckets: (0..parts.max(1)).map(|_| Bucket::default()).collect(),
            first: 0,
            next: 0,
            recent: Recent::default(),
            folding: 0,
            refused: false,
            crowded: CROWDED,
        }
    }

    /// The same, for candidates that come after all others of their rank.
    pub fn late(parts: usize) -> Batch {
        Batch { first: LATE, next: LATE, ..Batch::new(parts) }
    }

    /// How many candidates were added.
    pub fn len(&self) -> usize {
        (self.next - self.first) as usize
    }

    /// None?
    pub fn is_empty(&self) -> bool {
        self.next == self.first
    }

    /// Forgets all candidates, and gives back room that only a giant wave needs.
    pub fn clear(&mut self) {
        self.buckets.iter_mut().for_each(Bucket::clear);
        (self.next, self.refused) = (self.first, false);
    }

    /// The keys that come now are of this way of folding: those of another one mean something else.
    #[inline]
    pub(crate) fn follow(&mut self, folding: u32) {
        if self.folding != folding {
            (self.recent, self.folding) = (Recent::default(), folding);
        }
    }

    /// Adds a candidate, unless it was offered a short while ago and nobody left more unproved: then it
    /// is known, or its first candidate comes before any other of this batch. Gives the bucket that it
    /// was added to.
    #[inline]
    pub(crate) fn add(&mut self, key: u64, rank: u32, unproved: u64) -> Option<&mut Bucket> {
        let hash = hash(key);
        if self.recent.narrow(key, hash, unproved) {
            return None;
        }
        let part = part_of(hash, self.buckets.len());
        let bucket = self.buckets.get_mut(part)?;
        bucket.candidates.push(Candidate { key, rank, place: self.next });
        self.next += 1;
        Some(bucket)
    }

    /// A candidate could not be taken.
    pub(crate) fn refuse(&mut self) {
        self.refused = true;
    }

    /// Is there no room left, now or for one before?
    #[inline]
    pub fn is_full(&self) -> bool {
        self.refused || self.len() >= (LATE - 1) as usize
    }

    /// Is it time for [`crate::Reader::thin`]?
    #[inline]
    pub fn is_crowded(&self) -> bool {
        self.len() >= self.crowded
    }

    /// Keeps the candidates that `keep` accepts; it is asked for a key and what is unproved.
    pub(crate) fn thin(&mut self, mut keep: impl FnMut(u64, u64) -> bool) {
        self.buckets.iter_mut().for_each(|bucket| bucket.thin(&mut keep));
        // Places go on where they were.
        self.crowded =
            self.len() + CROWDED.max(self.buckets.iter().map(|h| h.candidates.len()).sum());
    }
}
