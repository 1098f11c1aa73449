//! The table as its users see it: waves of candidates become numbered states.

use crate::batch::Batch;
use crate::compact::{self, Waiting};
use crate::disk::Disk;
use crate::fold::View;
use crate::index::{Found, Index, MAX_BITS, Slot};
use crate::nodes::Nodes;
use crate::open::{ALL_OPEN, Open};
use crate::parents::Parents;
use crate::rows::Rows;
use std::collections::HashMap;
use std::hint::black_box;
use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard};

/// Parts of the index, each resolved by one thread at a time.
pub const SHARDS: usize = 64;
/// Candidates whose places in memory are asked for together, so that they arrive together.
const GROUP: usize = 32;
/// More states than this have no numbers.
const MAX_STATES: usize = (1 << MAX_BITS) - (1 << 26);

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
    /// What is kept of waiting states: vectors, if keys do not have them, and what is open.
    pub waiting: usize,
}

impl Bytes {
    /// All of them.
    pub fn total(&self) -> usize {
        self.keys + self.index + self.parents + self.pairs + self.waiting
    }
}

/// A candidate that is the first of its state in this wave, so far.
#[derive(Clone, Copy, Debug)]
struct Pending {
    batch: u32,
    at: u32,
    slot: Slot,
    /// What all candidates of this wave leave open.
    open: u64,
}

#[derive(Debug)]
struct Shard {
    index: Index,
    /// New states of the wave; their numbers in the index go on after the settled ones.
    pending: Vec<Pending>,
}

/// States by number: the first ones on disk, if there is one, the others in memory.
#[derive(Debug)]
struct Settled {
    rows: Rows,
    parents: Parents,
    /// The number of the first state in memory.
    base: u32,
    disk: Option<Disk>,
    /// Vectors that keys do not have, of states that wait for expansion.
    waiting: Option<Waiting>,
    /// What is open about states that wait, if anybody asks.
    open: Option<Open>,
}

impl Settled {
    /// Keeps the vector of a new state, if its key does not have it, and what is open about it.
    #[inline]
    fn keep(&mut self, batch: &Batch, at: usize, width: usize, left: u64) {
        if let Some(open) = &mut self.open {
            open.push(left);
        }
        if let Some(waiting) = &mut self.waiting {
            waiting.push(&batch.words[at * width..(at + 1) * width]);
        }
    }

    /// A candidate of a known state, given by its number, may leave less open than those before.
    #[inline]
    fn narrow(&self, batch: &Batch, at: usize, number: u32) {
        if let (Some(open), Some(left)) = (&self.open, batch.open.get(at)) {
            open.narrow(number, *left);
        }
    }

    #[inline]
    fn key(&self, id: u32) -> u64 {
        match (&self.disk, id.checked_sub(self.base)) {
            (Some(disk), None) => disk.key(id),
            (_, Some(here)) => self.rows.get(here),
            (None, None) => 0,
        }
    }

    #[inline]
    fn parent(&self, id: u32) -> u32 {
        match (&self.disk, id.checked_sub(self.base)) {
            (Some(disk), None) => disk.parent(id),
            (_, Some(here)) => self.parents.get(here),
            (None, None) => 0,
        }
    }
}

/// An exact set of state vectors, safe to share between threads.
#[derive(Debug)]
pub struct Table {
    width: usize,
    is_compact: bool,
    keeps_open: bool,
    nodes: Nodes,
    shards: Box<[Mutex<Shard>]>,
    settled: RwLock<Settled>,
    /// States in memory: settled ones, or, with a disk, ones that may be known there.
    here: AtomicUsize,
    /// States on disk.
    below: AtomicUsize,
    /// States without a parent come first.
    roots: AtomicU32,
}

/// Hash of a key. The topmost bits choose the shard, the next ones the line, the lowest the tag.
#[inline]
pub(crate) fn hash(key: u64) -> u64 {
    let mut h = key ^ (key >> 32);
    h = h.wrapping_mul(0x9FB2_1C65_1E98_DF25);
    h ^= h >> 28;
    h = h.wrapping_mul(0xBF58_476D_1CE4_E5B9);
    h ^ (h >> 32)
}

/// The shard of a hash.
#[inline]
pub(crate) fn shard_of(hash: u64) -> usize {
    (hash >> 58) as usize
}

impl Table {
    /// A table of vectors of `width` words.
    pub fn new(width: usize) -> Table {
        let shard = || Mutex::new(Shard { index: Index::new(), pending: Vec::new() });
        Table {
            width,
            is_compact: false,
            keeps_open: false,
            nodes: Nodes::new(width),
            shards: (0..SHARDS).map(|_| shard()).collect(),
            settled: RwLock::new(Settled {
                rows: Rows::new(width),
                parents: Parents::default(),
                base: 0,
                disk: None,
                waiting: None,
                open: None,
            }),
            here: AtomicUsize::new(0),
            below: AtomicUsize::new(0),
            roots: AtomicU32::new(0),
        }
    }

    /// A table that tells vectors apart by a hash of 64 bits only: see [`crate::omission`].
    /// Vectors can be read until [`Table::forget`].
    pub fn compact(width: usize) -> Table {
        let table = Table { nodes: Nodes::new(0), ..Table::new(width) };
        {
            let mut settled = table.settled.write().unwrap_or_else(PoisonError::into_inner);
            settled.rows = Rows::new(2);
            settled.waiting = Some(Waiting::default());
        }
        Table { is_compact: true, ..table }
    }

    /// From now on it keeps what candidates leave open: see [`Table::offer_open`].
    pub fn keep_open(self) -> Table {
        {
            let mut settled = self.settled.write().unwrap_or_else(PoisonError::into_inner);
            settled.open = Some(Open::default());
        }
        Table { keeps_open: true, ..self }
    }

    /// Nobody will ask what is open about states below a number.
    pub fn forget_open(&self, below: u32) {
        if self.keeps_open {
            let mut settled = self.settled.write().unwrap_or_else(PoisonError::into_inner);
            settled.open.iter_mut().for_each(|open| open.forget(below));
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

    /// How many states have no parent; they come first.
    pub fn roots(&self) -> u32 {
        self.roots.load(Ordering::Relaxed)
    }

    /// How many inner pairs long vectors share.
    pub fn pairs(&self) -> usize {
        self.nodes.len()
    }

    /// Bytes in use.
    pub fn bytes(&self) -> Bytes {
        let settled = self.settled();
        Bytes {
            keys: settled.rows.bytes(),
            index: (0..SHARDS).map(|i| self.shard(i).index.bytes()).sum(),
            parents: settled.parents.bytes(),
            pairs: self.nodes.bytes(),
            waiting: settled.waiting.as_ref().map_or(0, Waiting::bytes)
                + settled.open.as_ref().map_or(0, Open::bytes),
        }
    }

    /// A view for vectors of this table; it shows the vector of zeros.
    pub fn view(&self) -> View {
        View::new(self.width)
    }

    fn shard(&self, index: usize) -> MutexGuard<'_, Shard> {
        // A shard is whole again before any of its calls could panic.
        self.shards[index].lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn settled(&self) -> RwLockReadGuard<'_, Settled> {
        self.settled.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// A look at the settled states, for a while in which nothing is settled.
    pub fn reader(&self) -> Reader<'_> {
        Reader { table: self, settled: self.settled() }
    }

    /// Opens a view on a state.
    pub fn open(&self, id: StateId, view: &mut View) {
        self.reader().open(id, view);
    }

    /// The parent of a state; initial states have none.
    pub fn parent(&self, id: StateId) -> Option<StateId> {
        self.reader().parent(id)
    }

    /// The hash by which a vector is found; nothing if there is no room left for its parts.
    #[inline]
    pub fn hash_of(&self, view: &mut View, state: &[u32]) -> Option<u64> {
        let key =
            if self.is_compact { compact::key(state) } else { view.fold(&self.nodes, state)? };
        Some(hash(key))
    }

    /// Adds a candidate to a batch. `false`: there is no room left for it.
    #[inline]
    #[must_use]
    pub fn offer(&self, batch: &mut Batch, view: &mut View, state: &[u32], rank: u32) -> bool {
        self.offer_open(batch, view, state, rank, ALL_OPEN)
    }

    /// The same, for a candidate that leaves only these bits open: see [`Reader::open_bits`].
    #[inline]
    #[must_use]
    pub fn offer_open(
        &self,
        batch: &mut Batch,
        view: &mut View,
        state: &[u32],
        rank: u32,
        open: u64,
    ) -> bool {
        debug_assert_eq!(state.len(), self.width);
        let key = match self.is_compact {
            true => Some(compact::key(state)),
            false => view.fold(&self.nodes, state),
        };
        let Some(key) = key else { return false };
        let recent = match self.keeps_open {
            true => batch.is_recent_and_open(key, open),
            false => batch.is_recent(key),
        };
        if recent {
            return true;
        }
        if self.is_compact {
            batch.words.extend_from_slice(state);
        }
        batch.push(key, rank);
        if self.keeps_open {
            batch.open.push(open);
        }
        batch.keys.len() < u32::MAX as usize
    }

    /// Is this state there? (For tests and small questions.)
    pub fn contains(&self, view: &mut View, state: &[u32]) -> bool {
        let Some(key) = view.fold(&self.nodes, state) else { return false };
        let hash = hash(key);
        let settled = self.settled();
        let found = self.shard(shard_of(hash)).index.find(hash, |n| settled.rows.get(n) == key);
        matches!(found, Found::Number(..))
    }

    /// Finds out which candidates of one shard are new. Batches must be sealed.
    pub fn resolve_shard(&self, number: usize, batches: &[&Batch]) {
        let settled = self.settled();
        let known = self.here();
        let mut shard = self.shard(number);
        for (which, batch) in batches.iter().enumerate() {
            for group in batch.by_shard[number].chunks(GROUP) {
                let shard = &mut *shard;
                let keys = group.iter().map(|at| batch.keys[*at as usize]);
                let met = |i: usize, number| settled.narrow(batch, group[i] as usize, number);
                let mut open = unknown(keys, known, &settled.rows, |_| &shard.index, met);
                while open != 0 {
                    let at = group[open.trailing_zeros() as usize];
                    open &= open - 1;
                    self.resolve(shard, batches, which as u32, at, &settled);
                }
            }
        }
    }

    /// Finds out which candidates are new, on this thread alone. Batches must be sealed.
    pub fn resolve_all(&self, batches: &[&Batch]) {
        let settled = self.settled();
        let known = self.here();
        let mut shards: Vec<_> = (0..SHARDS).map(|i| self.shard(i)).collect();
        for (which, batch) in batches.iter().enumerate() {
            for (group, keys) in batch.keys.chunks(GROUP).enumerate() {
                let index = |h| &shards[shard_of(h)].index;
                let met = |i: usize, number| settled.narrow(batch, group * GROUP + i, number);
                let mut open = unknown(keys.iter().copied(), known, &settled.rows, index, met);
                while open != 0 {
                    let i = open.trailing_zeros() as usize;
                    open &= open - 1;
                    let shard = &mut shards[shard_of(hash(keys[i]))];
                    let at = (group * GROUP + i) as u32;
                    self.resolve(shard, batches, which as u32, at, &settled);
                }
            }
        }
    }

    /// Resolves and settles a few candidates of one batch at once. Ranks must not fall.
    pub fn settle_few(&self, batch: &Batch, wave: &[StateId]) -> Option<Range<u32>> {
        let mut settled = self.settled.write().unwrap_or_else(PoisonError::into_inner);
        let first = self.here() as u32;
        if (settled.base + first) as usize + batch.len() > MAX_STATES {
            return None;
        }
        let mut next = first;
        for (at, (key, rank)) in batch.keys.iter().zip(&batch.ranks).enumerate() {
            let hash = hash(*key);
            let mut shard = self.shard(shard_of(hash));
            if shard.index.is_full(next as usize + 1) {
                self.grow(&mut shard, &[], &settled.rows);
            }
            let left = batch.open.get(at).copied().unwrap_or(ALL_OPEN);
            match shard.index.find(hash, |number| settled.rows.get(number) == *key) {
                Found::Free(slot) => {
                    shard.index.fill(slot, hash, next);
                    settled.rows.push(*key);
                    settled.keep(batch, at, self.width, left);
                    settled.parents.push(wave[*rank as usize].0);
                    next += 1;
                    self.here.store(next as usize, Ordering::Relaxed);
                }
                Found::Number(number, _) => settled.narrow(batch, at, number),
            }
        }
        Some(settled.base + first..settled.base + next)
    }

    /// Makes room for one more new state in a shard.
    #[cold]
    fn grow(&self, shard: &mut Shard, batches: &[&Batch], rows: &Rows) {
        let known = self.here() as u32;
        let bound = known as usize + shard.pending.len() + 1;
        let Shard { index, pending } = shard;
        let firsts: &[Pending] = pending;
        let mut places = Vec::with_capacity(firsts.len());
        let hashes = |numbers: &[u32], out: &mut Vec<u64>| {
            // First all keys, which memory is slow to give, so that they arrive together.
            out.extend(numbers.iter().map(|&number| match number.checked_sub(known) {
                None => rows.get(number),
                Some(new) => {
                    let first = firsts[new as usize];
                    batches[first.batch as usize].keys[first.at as usize]
                }
            }));
            out.iter_mut().for_each(|key| *key = hash(*key));
        };
        index.grow(bound, hashes, |number, slot| {
            if let Some(new) = number.checked_sub(known) {
                places.push((new, slot));
            }
        });
        for (new, slot) in places {
            pending[new as usize].slot = slot;
        }
    }

    #[inline]
    fn resolve(
        &self,
        shard: &mut Shard,
        batches: &[&Batch],
        which: u32,
        at: u32,
        settled: &Settled,
    ) {
        let rows = &settled.rows;
        let known = self.here() as u32;
        let batch = batches[which as usize];
        let key = batch.keys[at as usize];
        let left = batch.open.get(at as usize).copied().unwrap_or(ALL_OPEN);
        let hash = hash(key);
        if shard.index.is_full(known as usize + shard.pending.len() + 1) {
            self.grow(shard, batches, rows);
        }
        let pending = &shard.pending;
        let found = shard.index.find(hash, |number| match number.checked_sub(known) {
            None => rows.get(number) == key,
            Some(new) => {
                let first = pending[new as usize];
                batches[first.batch as usize].keys[first.at as usize] == key
            }
        });
        match found {
            Found::Free(slot) => {
                shard.index.fill(slot, hash, known + shard.pending.len() as u32);
                shard.pending.push(Pending { batch: which, at, slot, open: left });
                batch.mark(at, shard.pending.len() as u32);
            }
            Found::Number(number, _) => {
                let Some(new) = number.checked_sub(known) else {
                    return settled.narrow(batch, at as usize, number);
                };
                let first = &mut shard.pending[new as usize];
                first.open &= left;
                let other = batches[first.batch as usize];
                // Within a batch, and so within a rank, the first one came first.
                if batch.ranks[at as usize] < other.ranks[first.at as usize] {
                    other.mark(first.at, 0);
                    batch.mark(at, new + 1);
                    *first = Pending { batch: which, at, ..*first };
                }
            }
        }
    }

    /// Ends a wave: numbers the new states in the order of their ranks. `wave` has the parent of
    /// each rank; without one they are roots. `None`: there are no numbers left.
    pub fn settle(&self, batches: &[&Batch], wave: Option<&[StateId]>) -> Option<Range<u32>> {
        let mut groups: Vec<(u32, u32, u32, u32)> = Vec::new();
        for (which, batch) in batches.iter().enumerate() {
            let ends = batch.groups.iter().skip(1).map(|g| g.1).chain([batch.len() as u32]);
            let spans = batch.groups.iter().zip(ends);
            groups.extend(spans.map(|(&(rank, from), to)| (rank, which as u32, from, to)));
        }
        // Within a batch groups of one rank keep their order: the second part is the same.
        groups.sort_unstable();
        let mut shards: Vec<_> = (0..SHARDS).map(|i| self.shard(i)).collect();
        let mut settled = self.settled.write().unwrap_or_else(PoisonError::into_inner);
        let first = self.here() as u32;
        let new: usize = shards.iter().map(|s| s.pending.len()).sum();
        if (settled.base + first) as usize + new > MAX_STATES {
            return None;
        }
        let mut next = first;
        for (_, which, from, to) in groups {
            let batch = batches[which as usize];
            for at in from..to {
                let mark = batch.marked(at);
                if mark == 0 {
                    continue;
                }
                let key = batch.keys[at as usize];
                let hash = hash(key);
                let shard = &mut *shards[shard_of(hash)];
                let Pending { slot, open, .. } = shard.pending[mark as usize - 1];
                shard.index.set(slot, hash, next);
                settled.rows.push(key);
                settled.keep(batch, at as usize, self.width, open);
                settled.parents.push(match wave {
                    Some(wave) => wave[batch.ranks[at as usize] as usize].0,
                    None => 0,
                });
                next += 1;
            }
        }
        for shard in &mut shards {
            shard.pending.clear();
        }
        if wave.is_none() {
            self.roots.store(next, Ordering::Relaxed);
        }
        self.here.store(next as usize, Ordering::Relaxed);
        Some(settled.base + first..settled.base + next)
    }

    /// Moves all settled states to files in a folder. From now on new ones wait for
    /// [`Table::sift`].
    pub fn move_out(&self, folder: &Path) -> io::Result<()> {
        let mut disk = Disk::new(folder)?;
        let count = {
            let settled = self.settled();
            let count = self.here() as u32;
            for id in 0..count {
                disk.push(settled.rows.get(id), settled.parents.get(id))?;
            }
            disk.sift(|shard| self.hashes(shard, &settled.rows), |_| {})?;
            count
        };
        disk.flush()?;
        self.empty(count, Some(disk));
        Ok(())
    }

    /// The hashes and numbers of the states of a shard.
    fn hashes(&self, shard: usize, rows: &Rows) -> Vec<(u64, u32)> {
        let shard = self.shard(shard);
        shard.index.numbers().map(|n| (hash(rows.get(n)), n)).collect()
    }

    /// Nothing is in memory, and so many states are on disk.
    fn empty(&self, below: u32, disk: Option<Disk>) {
        let mut settled = self.settled.write().unwrap_or_else(PoisonError::into_inner);
        settled.rows = Rows::new(self.width);
        settled.parents = Parents::default();
        // Numbers are no longer those of the index: from now on everything is open.
        settled.open = None;
        settled.base = below;
        if disk.is_some() {
            settled.disk = disk;
        }
        for number in 0..SHARDS {
            self.shard(number).index = Index::new();
        }
        self.here.store(0, Ordering::Relaxed);
        self.below.store(below as usize, Ordering::Relaxed);
    }

    /// Holds the waiting states against those on disk: the ones that are new follow them there,
    /// in the order in which they were found. Gives their numbers.
    pub fn sift(&self) -> io::Result<Range<u32>> {
        let (first, next) = {
            let mut settled = self.settled.write().unwrap_or_else(PoisonError::into_inner);
            let Settled { rows, parents, base, disk, .. } = &mut *settled;
            let Some(disk) = disk else { return Ok(0..0) };
            let count = self.here() as u32;
            let mut known = vec![0u64; count as usize / 64 + 1];
            disk.sift(
                |shard| self.hashes(shard, rows),
                |number| known[number as usize / 64] |= 1 << (number % 64),
            )?;
            let mut next = *base;
            for number in 0..count {
                if known[number as usize / 64] >> (number % 64) & 1 == 0 {
                    disk.push(rows.get(number), parents.get(number))?;
                    next += 1;
                }
            }
            disk.flush()?;
            (*base, next)
        };
        self.empty(next, None);
        Ok(first..next)
    }

    /// Brings near what a wave of these states on disk will read.
    pub fn load(&self, wave: Range<u32>) -> io::Result<()> {
        let mut settled = self.settled.write().unwrap_or_else(PoisonError::into_inner);
        settled.disk.as_mut().map_or(Ok(()), |disk| disk.load(wave))
    }
}

/// The settled states, to be read by one thread while others read too.
///
/// While it is there, [`Table::settle`] waits.
#[derive(Debug)]
pub struct Reader<'a> {
    table: &'a Table,
    settled: RwLockReadGuard<'a, Settled>,
}

impl Reader<'_> {
    /// Opens a view on a state.
    #[inline]
    pub fn open(&self, id: StateId, view: &mut View) {
        match &self.settled.waiting {
            Some(waiting) => view.show(waiting.words(id.0, self.table.width)),
            None => view.open(&self.table.nodes, self.settled.key(id.0)),
        }
    }

    /// The parent of a state; initial states have none.
    #[inline]
    pub fn parent(&self, id: StateId) -> Option<StateId> {
        let root = id.0 < self.table.roots.load(Ordering::Relaxed);
        (!root).then(|| StateId(self.settled.parent(id.0)))
    }

    /// What all candidates of a state so far leave open.
    #[inline]
    pub fn open_bits(&self, id: StateId) -> u64 {
        self.settled.open.as_ref().map_or(ALL_OPEN, |open| open.get(id.0))
    }

    /// Removes candidates from a batch that are known already, and repetitions, unless they leave
    /// less open than those before.
    pub fn thin(&self, batch: &mut Batch) {
        let mut seen: HashMap<u64, u64> = HashMap::new();
        batch.thin(|key, left| {
            if let Some(open) = seen.get_mut(&key) {
                let news = *open & !left != 0;
                *open &= left;
                return news;
            }
            let hash = hash(key);
            let shard = self.table.shard(shard_of(hash));
            let found = shard.index.find(hash, |n| self.settled.rows.get(n) == key);
            let open = self.settled.open.as_ref();
            let keep = match found {
                Found::Free(_) => true,
                Found::Number(n, _) => open.is_some_and(|open| open.is_news(n, left)),
            };
            if keep {
                seen.insert(key, left);
            }
            keep
        });
    }
}

/// Which of at most [`GROUP`] keys are not at once found among the settled ones, a bit each. `met`
/// hears of the others: place and number.
///
/// First all lines are asked for, then all rows that may be the ones: what memory is slow to give
/// arrives together.
#[inline]
fn unknown<'i>(
    keys: impl Iterator<Item = u64>,
    known: usize,
    rows: &Rows,
    index: impl Fn(u64) -> &'i Index,
    met: impl Fn(usize, u32),
) -> u32 {
    let mut group = [(0u64, 0u64); GROUP];
    let (mut count, mut sum) = (0, 0);
    for (place, key) in group.iter_mut().zip(keys) {
        let hash = hash(key);
        *place = (key, hash);
        sum ^= index(hash).touch(hash);
        count += 1;
    }
    black_box(sum);
    let mut guesses = [u32::MAX; GROUP];
    for ((_, hash), guess) in group[..count].iter().zip(&mut guesses) {
        *guess = index(*hash).guess(*hash).unwrap_or(u32::MAX);
    }
    let mut open = 0;
    for (i, ((key, _), guess)) in group[..count].iter().zip(guesses).enumerate() {
        let found = (guess as usize) < known && rows.get(guess) == *key;
        open |= u32::from(!found) << i;
        if found {
            met(i, guess);
        }
    }
    open
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Offers states with their ranks in batches, and settles.
    fn wave(
        table: &Table,
        parts: &[&[(u32, &[u32])]],
        parents: Option<&[StateId]>,
        parallel: bool,
    ) -> Range<u32> {
        let mut view = table.view();
        let mut batches = Vec::new();
        for part in parts {
            let mut batch = Batch::new(parallel);
            let mut last = None;
            for (rank, state) in *part {
                if last != Some(*rank) {
                    batch.begin(*rank);
                    last = Some(*rank);
                }
                assert!(table.offer(&mut batch, &mut view, state, *rank));
            }
            batch.seal();
            batches.push(batch);
        }
        let all: Vec<&Batch> = batches.iter().collect();
        if let ([one], Some(parents), false) = (&all[..], parents, parallel) {
            return table.settle_few(one, parents).unwrap();
        }
        if parallel {
            (0..SHARDS).rev().for_each(|shard| table.resolve_shard(shard, &all));
        } else {
            table.resolve_all(&all);
        }
        table.settle(&all, parents).unwrap()
    }

    fn words(table: &Table, id: u32) -> Vec<u32> {
        let mut view = table.view();
        table.open(StateId(id), &mut view);
        view.words().to_vec()
    }

    #[test]
    fn the_least_rank_names_order_and_parent() {
        for (parallel, width) in [(false, 1), (true, 1), (true, 2), (false, 3), (true, 7)] {
            let table = Table::new(width);
            let state = |n: u32| vec![n; width];
            let (one, two) = (state(1), state(2));
            assert_eq!(wave(&table, &[&[(0, &one), (1, &two)]], None, parallel), 0..2);
            // A single thread would have come to 9 from the first state, and to 8 from the second.
            let (eight, nine) = (state(8), state(9));
            let parents = [StateId(0), StateId(1)];
            let late: &[(u32, &[u32])] = &[(1, &nine), (1, &eight), (1, &one)];
            let early: &[(u32, &[u32])] = &[(0, &nine), (0, &nine), (0, &two)];
            assert_eq!(wave(&table, &[late, early], Some(&parents), parallel), 2..4);
            assert_eq!(
                (words(&table, 2), table.parent(StateId(2))),
                (nine.clone(), Some(StateId(0)))
            );
            assert_eq!((words(&table, 3), table.parent(StateId(3))), (eight, Some(StateId(1))));
            assert_eq!(table.parent(StateId(1)), None);
            // After the wave the parent stays.
            assert_eq!(wave(&table, &[&[(1, &nine)]], Some(&parents), parallel), 4..4);
            assert_eq!(table.parent(StateId(2)), Some(StateId(0)));
        }
    }

    #[test]
    fn states_are_told_apart_exactly_and_kept_small() {
        for width in [1, 2, 3, 16] {
            let table = Table::new(width);
            let state = |i: u32| {
                let mut state: Vec<u32> = (0..width as u32).collect();
                let last = width - 1;
                state[0] = i % 700;
                state[last] = if width == 1 { i } else { i / 700 };
                state
            };
            let mut from = 0;
            for start in (0..200_000u32).step_by(5_000) {
                let states: Vec<Vec<u32>> = (start..start + 5_000).map(state).collect();
                let ids: Vec<StateId> = (0..5_000).map(|i| StateId(start / 2 + i / 2)).collect();
                // Each is offered twice, and the one before it once more.
                let offers: Vec<(u32, &[u32])> = states
                    .iter()
                    .enumerate()
                    .flat_map(|(i, s)| [(i as u32, &s[..]), (i as u32, &states[i / 2][..])])
                    .collect();
                let range = wave(&table, &[&offers], Some(&ids), start % 2 == 1);
                assert_eq!(range, from..from + 5_000);
                from = range.end;
            }
            for i in (0..200_000).step_by(777) {
                assert_eq!(words(&table, i), state(i));
                assert_eq!(table.parent(StateId(i)), Some(StateId(i / 2)));
            }
            let mut view = table.view();
            assert!(table.contains(&mut view, &state(7)));
            assert!(!table.contains(&mut view, &state(200_000)));
            let bytes = table.bytes();
            assert!(bytes.total() <= 16 * 200_000, "{width}: {bytes:?}");
        }
    }

    #[test]
    fn states_on_disk_are_known_and_keep_their_order() {
        for width in [1, 2, 5] {
            let (near, far) = (Table::new(width), Table::new(width));
            // A walk that meets most states several times.
            let state = |i: u32| vec![(i * i) % 977 + i / 40; width];
            let folder = std::env::temp_dir();
            for start in (0..6_000u32).step_by(300) {
                let states: Vec<Vec<u32>> = (start..start + 300).map(state).collect();
                let offers: Vec<(u32, &[u32])> =
                    states.iter().enumerate().map(|(i, s)| (i as u32, &s[..])).collect();
                let parents: Vec<StateId> =
                    (0..300).map(|i| StateId((start / 20 + i / 30) % 40)).collect();
                let parents = (start > 0).then_some(&parents[..]);
                let range = wave(&near, &[&offers], parents, true);
                let waiting = wave(&far, &[&offers], parents, true);
                if start == 600 {
                    far.move_out(&folder).unwrap();
                } else if start > 600 && start % 900 == 0 {
                    let first = far.len() as u32;
                    assert_eq!(far.sift().unwrap(), first..range.end);
                } else if start < 600 {
                    assert_eq!(waiting, range);
                }
            }
            far.sift().unwrap();
            assert_eq!((far.len(), far.waiting()), (near.len(), 0));
            far.load(50..90).unwrap();
            for id in 0..near.len() as u32 {
                assert_eq!(words(&far, id), words(&near, id));
                assert_eq!(far.parent(StateId(id)), near.parent(StateId(id)));
            }
            assert!(!far.failed() && far.disk_bytes() == 20 * near.len() as u64);
        }
    }

    #[test]
    fn a_model_without_variables_has_one_state() {
        let table = Table::new(0);
        assert_eq!(wave(&table, &[&[(0, &[]), (0, &[])]], None, false), 0..1);
        assert_eq!(wave(&table, &[&[(0, &[])]], Some(&[StateId(0)]), false), 1..1);
    }

    #[test]
    fn a_table_of_hashes_forgets_vectors() {
        let table = Table::compact(3);
        let (a, b, c) = ([1, 2, 3], [1, 2, 4], [9, 9, 9]);
        assert_eq!(wave(&table, &[&[(0, &a), (0, &a), (1, &b)]], None, true), 0..2);
        assert_eq!((words(&table, 0), words(&table, 1)), (a.to_vec(), b.to_vec()));
        table.forget(1);
        let parents = [StateId(0), StateId(1)];
        assert_eq!(wave(&table, &[&[(0, &a), (1, &c)]], Some(&parents), false), 2..3);
        assert_eq!((words(&table, 1), words(&table, 2)), (b.to_vec(), c.to_vec()));
        assert_eq!(words(&table, 0), [0, 0, 0]);
        assert!(table.is_likely(StateId(0), &a) && !table.is_likely(StateId(0), &b));
        assert_eq!(table.parent(StateId(2)), Some(StateId(1)));
    }

    #[test]
    fn a_crowded_batch_keeps_what_is_new() {
        let table = Table::new(1);
        wave(&table, &[&[(0, &[4]), (0, &[5])]], None, false);
        let (mut batch, mut view) = (Batch::new(false), table.view());
        for (rank, word) in [(0, 4), (1, 6), (1, 7), (2, 6), (3, 8), (3, 5)] {
            batch.begin(rank);
            assert!(table.offer(&mut batch, &mut view, &[word], rank));
        }
        table.reader().thin(&mut batch);
        assert_eq!((&batch.keys[..], &batch.ranks[..]), (&[6, 7, 8][..], &[1, 1, 3][..]));
        batch.seal();
        table.resolve_all(&[&batch]);
        let parents: Vec<StateId> = (0..4).map(StateId).collect();
        assert_eq!(table.settle(&[&batch], Some(&parents)), Some(2..5));
        assert_eq!(table.parent(StateId(4)), Some(StateId(3)));
    }
}
