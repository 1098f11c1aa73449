//! States by number: what is known of each.

use crate::batch::Bucket;
use crate::compact::Waiting;
use crate::disk::Disk;
use crate::key_store::KeyStore;
use crate::parents::Parents;
use crate::unproved::Unproved;

/// States by number: the first ones on disk, if there is one, the others in memory.
#[derive(Debug)]
pub(super) struct Settled {
    pub rows: KeyStore,
    pub parents: Parents,
    /// The number of the first state in memory.
    pub base: u32,
    pub disk: Option<Disk>,
    /// Vectors that keys do not have, of states that wait for expansion.
    pub waiting: Option<Waiting>,
    /// What is unproved about states that wait, if anybody asks.
    pub unproved: Option<Unproved>,
}

impl Settled {
    /// Keeps the vector of a new state, if its key does not have it, and what is unproved about it.
    #[inline]
    pub fn keep(&mut self, bucket: &Bucket, at: usize, width: usize, left: u64) {
        if let Some(unproved) = &mut self.unproved {
            unproved.push(left);
        }
        if let Some(waiting) = &mut self.waiting {
            waiting.push(&bucket.words[at * width..(at + 1) * width]);
        }
    }

    /// A candidate of a known state, given by its number, may leave less unproved than those before.
    #[inline]
    pub fn narrow(&self, bucket: &Bucket, at: usize, number: u32) {
        if let (Some(unproved), Some(left)) = (&self.unproved, bucket.unproved.get(at)) {
            unproved.narrow(number, *left);
        }
    }

    #[inline]
    pub fn key(&self, id: u32) -> u64 {
        match (&self.disk, id.checked_sub(self.base)) {
            (Some(disk), None) => disk.key(id),
            (_, Some(here)) => self.rows.get(here),
            (None, None) => 0,
        }
    }

    #[inline]
    pub fn parent(&self, id: u32) -> u32 {
        match (&self.disk, id.checked_sub(self.base)) {
            (Some(disk), None) => disk.parent(id),
            (_, Some(here)) => self.parents.get(here),
            (None, None) => 0,
        }
    }
}
