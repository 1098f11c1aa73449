//! The candidates that one worker found in a wave.

use crate::open::ALL_OPEN;
use crate::table::{SHARDS, hash, shard_of};
use std::sync::atomic::{AtomicU32, Ordering};

/// Candidates of one worker, in the order in which it found them.
///
/// A candidate has a rank: the place in the wave of the state it comes from. Ranks are pushed in
/// groups, each begun with [`Batch::begin`]; all candidates of one rank are in one batch.
#[derive(Debug)]
pub struct Batch {
    pub(crate) keys: Vec<u64>,
    pub(crate) ranks: Vec<u32>,
    /// The vectors themselves, if keys do not have them.
    pub(crate) words: Vec<u32>,
    /// What each candidate leaves open, if anybody asks.
    pub(crate) open: Vec<u64>,
    /// For a new state its place among the new ones of its shard, plus one.
    marks: Vec<AtomicU32>,
    /// Rank and position at which each group begins.
    pub(crate) groups: Vec<(u32, u32)>,
    /// Positions by shard, if several threads will resolve.
    pub(crate) by_shard: Vec<Vec<u32>>,
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

/// The keys that were offered last, each at one place: what fits the nearer caches.
///
/// All keys that were ever offered end up in the table, so that one that is met again need not be
/// offered again.
#[derive(Debug, Default)]
struct Recent {
    /// Keys, and what the candidates of each so far leave open.
    places: Vec<(u64, u64)>,
}

const RECENT_BITS: u32 = 13;

impl Recent {
    #[cold]
    fn begin(&mut self) {
        self.places.resize(1 << RECENT_BITS, (0, ALL_OPEN));
        // Nowhere is a key that belongs there.
        self.places[Recent::place(0)].0 = 1;
        debug_assert_ne!(Recent::place(0), Recent::place(1));
    }

    #[inline]
    fn place(key: u64) -> usize {
        (key.wrapping_add(key >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - RECENT_BITS))
            as usize
    }

    /// Puts a key at its place. Was it there, and did those that were there leave no more open than
    /// this one?
    #[inline]
    fn narrow(&mut self, key: u64, open: u64) -> bool {
        if self.places.is_empty() {
            self.begin();
        }
        let Some(place) = self.places.get_mut(Recent::place(key)) else { return false };
        if place.0 != key {
            *place = (key, open);
            return false;
        }
        let news = place.1 & !open != 0;
        place.1 &= open;
        !news
    }
}

impl Batch {
    /// An empty batch. Several threads can resolve it only if it was made for that.
    pub fn new(parallel: bool) -> Batch {
        Batch {
            keys: Vec::new(),
            ranks: Vec::new(),
            words: Vec::new(),
            open: Vec::new(),
            marks: Vec::new(),
            groups: Vec::new(),
            by_shard: vec![Vec::new(); if parallel { SHARDS } else { 0 }],
            recent: Recent::default(),
            folding: 0,
            refused: false,
            crowded: CROWDED,
        }
    }

    /// How many candidates there are.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// None?
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Forgets all candidates, and gives back room that only a giant wave needs.
    pub fn clear(&mut self) {
        if self.keys.capacity() > 2 * CROWDED {
            let recent = std::mem::take(&mut self.recent);
            *self =
                Batch { recent, folding: self.folding, ..Batch::new(!self.by_shard.is_empty()) };
        }
        self.ranks.clear();
        self.words.clear();
        self.open.clear();
        self.marks.clear();
        self.groups.clear();
        self.refused = false;
        if !self.is_empty() {
            self.by_shard.iter_mut().for_each(Vec::clear);
        }
        self.keys.clear();
    }

    /// The next candidates have this rank or a higher one, and no other batch has one between.
    pub fn begin(&mut self, rank: u32) {
        self.groups.push((rank, self.keys.len() as u32));
    }

    /// The keys that come now are of this way of folding: those of another one mean something else.
    #[inline]
    pub(crate) fn follow(&mut self, folding: u32) {
        if self.folding != folding {
            (self.recent, self.folding) = (Recent::default(), folding);
        }
    }

    /// Was this key offered a short while ago, and did nobody leave more open? Then it is known, or
    /// its first candidate comes before any other of this batch.
    #[inline]
    pub(crate) fn is_recent(&mut self, key: u64, open: u64) -> bool {
        self.recent.narrow(key, open)
    }

    /// Adds a candidate.
    #[inline]
    pub(crate) fn push(&mut self, key: u64, rank: u32) {
        if !self.by_shard.is_empty() {
            self.by_shard[shard_of(hash(key))].push(self.keys.len() as u32);
        }
        self.keys.push(key);
        self.ranks.push(rank);
    }

    /// A candidate could not be taken.
    pub(crate) fn refuse(&mut self) {
        self.refused = true;
    }

    /// Is there no room left, now or for one before?
    #[inline]
    pub fn is_full(&self) -> bool {
        self.refused || self.keys.len() >= u32::MAX as usize
    }

    /// Is it time for [`crate::Reader::thin`]?
    #[inline]
    pub fn is_crowded(&self) -> bool {
        self.keys.len() >= self.crowded
    }

    /// Keeps the candidates that `keep` accepts; it is asked in order, for a key and what is open.
    pub(crate) fn thin(&mut self, mut keep: impl FnMut(u64, u64) -> bool) {
        let (keys, ranks) = (std::mem::take(&mut self.keys), std::mem::take(&mut self.ranks));
        let groups = std::mem::take(&mut self.groups);
        let words = std::mem::take(&mut self.words);
        let open = std::mem::take(&mut self.open);
        let width = words.len() / keys.len().max(1);
        for list in &mut self.by_shard {
            list.clear();
        }
        let mut group = groups.iter().peekable();
        for (at, (key, rank)) in keys.into_iter().zip(ranks).enumerate() {
            while let Some((first, _)) = group.next_if(|(_, start)| *start as usize <= at) {
                self.begin(*first);
            }
            let left = open.get(at).copied();
            if keep(key, left.unwrap_or(ALL_OPEN)) {
                self.push(key, rank);
                self.open.extend(left);
                self.words.extend_from_slice(&words[at * width..(at + 1) * width]);
            }
        }
        group.for_each(|(first, _)| self.begin(*first));
        self.crowded = CROWDED.max(2 * self.keys.len());
    }

    /// Makes room for the marks: none is new yet.
    pub fn seal(&mut self) {
        self.marks.clear();
        self.marks.resize_with(self.keys.len(), || AtomicU32::new(0));
    }

    #[inline]
    pub(crate) fn mark(&self, at: u32, mark: u32) {
        self.marks[at as usize].store(mark, Ordering::Relaxed);
    }

    #[inline]
    pub(crate) fn marked(&self, at: u32) -> u32 {
        self.marks[at as usize].load(Ordering::Relaxed)
    }
}
