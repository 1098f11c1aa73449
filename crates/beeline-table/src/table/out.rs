//! Moving states out of memory, and holding new ones against those on disk.

use super::{SHARDS, Settled, Table, hash, index};
use crate::disk::Disk;
use crate::key_store::KeyStore;
use crate::parents::Parents;
use beeline_fault::{Flaw, planted};
use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::PoisonError;
use std::sync::atomic::Ordering;

impl Table {
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
                let lost = planted(Flaw::LostOnSpill) && number % 4 == 3;
                if known[number as usize / 64] >> (number % 64) & 1 == 0 && !lost {
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
    pub fn load_wave(&self, wave: Range<u32>) -> io::Result<()> {
        let mut settled = self.settled.write().unwrap_or_else(PoisonError::into_inner);
        settled.disk.as_mut().map_or(Ok(()), |disk| disk.load(wave))
    }

    /// The hashes and numbers of the states of a shard.
    fn hashes(&self, shard: usize, rows: &KeyStore) -> Vec<(u64, u32)> {
        let shard = self.shard(shard);
        shard.numbers().map(|n| (hash(rows.get(n)), n)).collect()
    }

    /// Nothing is in memory, and so many states are on disk.
    fn empty(&self, below: u32, disk: Option<Disk>) {
        let mut settled = self.settled.write().unwrap_or_else(PoisonError::into_inner);
        settled.rows = KeyStore::new(self.width);
        settled.parents = Parents::default();
        // Numbers are no longer those of the index: from now on everything is unproved.
        settled.unproved = None;
        settled.base = below;
        if disk.is_some() {
            settled.disk = disk;
        }
        for number in 0..SHARDS {
            *self.shard(number) = index(number, self.width);
        }
        self.here.store(0, Ordering::Relaxed);
        self.below.store(below as usize, Ordering::Relaxed);
    }
}
