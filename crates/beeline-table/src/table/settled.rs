//! States by number: what is known of each.

use crate::batch::Heap;
use crate::compact::Waiting;
use crate::disk::Disk;
use crate::open::Open;
use crate::parents::Parents;
use crate::rows::Rows;

/// States by number: the first ones on disk, if there is one, the others in memory.
#[derive(Debug)]
pub(super) struct Settled {
    pub rows: Rows,
    pub parents: Parents,
    /// The number of the first state in memory.
    pub base: u32,
    pub disk: Option<Disk>,
    /// Vectors that keys do not have, of states that wait for expansion.
    pub waiting: Option<Waiting>,
    /// What is open about states that wait, if anybody asks.
    pub open: Option<Open>,
}

impl Settled {
    /// Keeps the vector of a new state, if its key does not have it, and what is open about it.
    #[inline]
    pub fn keep(&mut self, heap: &Heap, at: usize, width: usize, left: u64) {
        if let Some(open) = &mut self.open {
            open.push(left);
        }
        if let Some(waiting) = &mut self.waiting {
            waiting.push(&heap.words[at * width..(at + 1) * width]);
        }
    }

    /// A candidate of a known state, given by its number, may leave less open than those before.
    #[inline]
    pub fn narrow(&self, heap: &Heap, at: usize, number: u32) {
        if let (Some(open), Some(left)) = (&self.open, heap.open.get(at)) {
            open.narrow(number, *left);
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
