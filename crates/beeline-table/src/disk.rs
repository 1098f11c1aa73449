//! States on disk: exact search beyond memory, by sorting.
//!
//! When memory runs short, all settled states move to files: keys and parents in the order of
//! numbers, and *runs* of sorted hashes, which are as good as keys because the hash is one to one.
//! New states then gather in memory and count only after [`Disk::sift`] has held them against
//! every run, shard by shard, reading each once from start to end.
//!
//! The files have no names: whatever happens to the process, nothing is left behind.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use crate::hash::{NOBODY, SHARDS};

/// Hashes that are read at a time.
const PIECE: usize = 1 << 13;
/// With more runs than this they are merged.
const MAX_RUNS: usize = 8;
/// Parents further apart than this are read one by one.
const WIDEST: u32 = 1 << 20;

/// Sorted hashes, and where each shard begins.
#[derive(Debug)]
struct Run {
    file: File,
    starts: Vec<u64>,
}

/// All that is on disk.
#[derive(Debug)]
pub(crate) struct Disk {
    folder: std::path::PathBuf,
    keys: Appended,
    parents: Appended,
    runs: Vec<Run>,
    /// What the next wave will read: its keys, its parents, and their keys.
    wave: Window<u64>,
    wave_parents: Window<u32>,
    parent_keys: Window<u64>,
    failed: AtomicBool,
}

#[derive(Debug, Default)]
struct Window<T> {
    first: u32,
    items: Vec<T>,
}

impl<T: Copy> Window<T> {
    fn get(&self, id: u32) -> Option<T> {
        self.items.get(id.checked_sub(self.first)? as usize).copied()
    }
}

/// A file that is written at its end and read anywhere.
#[derive(Debug)]
struct Appended {
    file: File,
    buffer: Vec<u8>,
    bytes: u64,
}

impl Appended {
    fn new(folder: &Path) -> io::Result<Appended> {
        Ok(Appended { file: nameless(folder)?, buffer: Vec::new(), bytes: 0 })
    }

    fn push(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.buffer.extend_from_slice(bytes);
        if self.buffer.len() >= 1 << 16 { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.write_all(&self.buffer)?;
        self.bytes += self.buffer.len() as u64;
        self.buffer.clear();
        Ok(())
    }

    fn finish(mut self, starts: Vec<u64>) -> io::Result<Run> {
        self.flush()?;
        Ok(Run { file: self.file, starts })
    }
}

/// A file without a name.
fn nameless(folder: &Path) -> io::Result<File> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    loop {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = folder.join(format!("beeline-{}-{number}", std::process::id()));
        // Never a file that is there already: others may write to the folder, too.
        match OpenOptions::new().read(true).write(true).create_new(true).open(&path) {
            Ok(file) => {
                // Where an open file cannot lose its name it keeps it; that is no harm.
                let _ = std::fs::remove_file(&path);
                return Ok(file);
            }
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
            Err(e) => return Err(e),
        }
    }
}

#[cfg(unix)]
fn read_at(file: &File, at: u64, into: &mut [u8]) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, into, at)
}

#[cfg(not(unix))]
fn read_at(_: &File, _: u64, _: &mut [u8]) -> io::Result<()> {
    Err(io::Error::from(io::ErrorKind::Unsupported))
}

fn words64(file: &File, first: u64, count: usize) -> io::Result<Vec<u64>> {
    let mut bytes = vec![0; 8 * count];
    read_at(file, 8 * first, &mut bytes)?;
    let word = |b: &[u8]| u64::from_le_bytes([b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7]]);
    Ok(bytes.chunks_exact(8).map(word).collect())
}

fn words32(file: &File, first: u64, count: usize) -> io::Result<Vec<u32>> {
    let mut bytes = vec![0; 4 * count];
    read_at(file, 4 * first, &mut bytes)?;
    let word = |b: &[u8]| u32::from_le_bytes([b[0], b[1], b[2], b[3]]);
    Ok(bytes.chunks_exact(4).map(word).collect())
}

impl Disk {
    /// Empty files in a folder.
    pub fn new(folder: &Path) -> io::Result<Disk> {
        if !cfg!(unix) {
            return Err(io::Error::from(io::ErrorKind::Unsupported));
        }
        Ok(Disk {
            folder: folder.to_owned(),
            keys: Appended::new(folder)?,
            parents: Appended::new(folder)?,
            runs: Vec::new(),
            wave: Window::default(),
            wave_parents: Window::default(),
            parent_keys: Window::default(),
            failed: AtomicBool::new(false),
        })
    }

    pub fn bytes(&self) -> u64 {
        let hashes: u64 = self.runs.iter().filter_map(|r| r.starts.last()).sum();
        self.keys.bytes + self.parents.bytes + 8 * hashes
    }

    /// Did a read fail? Then what was read is not to be believed.
    pub fn failed(&self) -> bool {
        self.failed.load(Ordering::Relaxed)
    }

    /// Adds a state behind the others.
    pub fn push(&mut self, key: u64, parent: u32) -> io::Result<()> {
        self.keys.push(&key.to_le_bytes())?;
        self.parents.push(&parent.to_le_bytes())
    }

    /// Makes what was added readable.
    pub fn flush(&mut self) -> io::Result<()> {
        self.keys.flush()?;
        self.parents.flush()
    }

    /// Holds new states against all runs, and adds those that are new to the runs. `shard` gives
    /// the hashes and numbers of one shard; `known` hears of numbers that are known already.
    pub fn sift(
        &mut self,
        mut shard: impl FnMut(usize) -> Vec<(u64, u32)>,
        mut known: impl FnMut(u32),
    ) -> io::Result<()> {
        let mut run = Appended::new(&self.folder)?;
        let (mut starts, mut count) = (vec![0], 0u64);
        for number in 0..SHARDS {
            let mut fresh = shard(number);
            // As runs are: each is then read once, from its start to its end.
            fresh.sort_unstable();
            for run in &self.runs {
                remove_known(run, number, &mut fresh, &mut known)?;
            }
            for (hash, _) in &fresh {
                run.push(&hash.to_le_bytes())?;
            }
            count += fresh.len() as u64;
            starts.push(count);
        }
        self.runs.push(run.finish(starts)?);
        if self.runs.len() > MAX_RUNS { self.merge() } else { Ok(()) }
    }

    /// One run in place of all.
    fn merge(&mut self) -> io::Result<()> {
        let mut merged = Appended::new(&self.folder)?;
        let (mut starts, mut count) = (vec![0], 0u64);
        for shard in 0..SHARDS {
            let mut cursors: Vec<Cursor<'_>> =
                self.runs.iter().map(|run| Cursor::new(run, shard)).collect();
            while let Some(hash) = least(&mut cursors)? {
                merged.push(&hash.to_le_bytes())?;
                count += 1;
            }
            starts.push(count);
        }
        self.runs = vec![merged.finish(starts)?];
        Ok(())
    }

    /// Reads what a wave of these states will need.
    pub fn load(&mut self, wave: Range<u32>) -> io::Result<()> {
        let (first, count) = (u64::from(wave.start), wave.len());
        self.wave = Window { first: wave.start, items: words64(&self.keys.file, first, count)? };
        let items = words32(&self.parents.file, first, count)?;
        let parents = items.iter().filter(|p| **p != NOBODY);
        let (low, high) = parents.fold((u32::MAX, 0), |(l, h), p| (l.min(*p), h.max(*p)));
        self.wave_parents = Window { first: wave.start, items };
        self.parent_keys = Window::default();
        if low <= high && high - low < WIDEST && high < wave.end {
            let items = words64(&self.keys.file, u64::from(low), (high - low + 1) as usize)?;
            self.parent_keys = Window { first: low, items };
        }
        Ok(())
    }

    pub fn key(&self, id: u32) -> u64 {
        let near = self.wave.get(id).or_else(|| self.parent_keys.get(id));
        near.unwrap_or_else(|| self.one(words64(&self.keys.file, u64::from(id), 1)))
    }

    pub fn parent(&self, id: u32) -> u32 {
        let near = self.wave_parents.get(id);
        near.unwrap_or_else(|| self.one(words32(&self.parents.file, u64::from(id), 1)))
    }

    fn one<T: Copy + Default>(&self, read: io::Result<Vec<T>>) -> T {
        match read.as_deref() {
            Ok([item]) => *item,
            _ => {
                self.failed.store(true, Ordering::Relaxed);
                T::default()
            }
        }
    }
}

/// Reads one shard of a run from start to end, a piece at a time.
struct Cursor<'a> {
    file: &'a File,
    from: u64,
    to: u64,
    /// What was read, the next one last.
    piece: Vec<u64>,
}

impl<'a> Cursor<'a> {
    fn new(run: &'a Run, shard: usize) -> Cursor<'a> {
        let (from, to) = (run.starts[shard], run.starts[shard + 1]);
        Cursor { file: &run.file, from, to, piece: Vec::new() }
    }

    fn peek(&mut self) -> io::Result<Option<u64>> {
        if self.piece.is_empty() && self.from < self.to {
            let count = PIECE.min((self.to - self.from) as usize);
            self.piece = words64(self.file, self.from, count)?;
            self.piece.reverse();
            self.from += count as u64;
        }
        Ok(self.piece.last().copied())
    }
}

/// The least hash that is next in any of several runs. Each is in one of them only.
fn least(cursors: &mut [Cursor<'_>]) -> io::Result<Option<u64>> {
    let mut found: Option<(u64, usize)> = None;
    for (at, cursor) in cursors.iter_mut().enumerate() {
        if let Some(hash) = cursor.peek()?
            && found.is_none_or(|(least, _)| hash < least)
        {
            found = Some((hash, at));
        }
    }
    let Some((hash, at)) = found else { return Ok(None) };
    cursors[at].piece.pop();
    Ok(Some(hash))
}

/// Removes hashes that one shard of a run has. Both are sorted.
fn remove_known(
    run: &Run,
    shard: usize,
    fresh: &mut Vec<(u64, u32)>,
    known: &mut impl FnMut(u32),
) -> io::Result<()> {
    let (mut from, to) = (run.starts[shard], run.starts[shard + 1]);
    let mut kept = Vec::with_capacity(fresh.len());
    let mut waiting = fresh.iter().copied().peekable();
    while from < to && waiting.peek().is_some() {
        let count = PIECE.min((to - from) as usize);
        let piece = words64(&run.file, from, count)?;
        from += count as u64;
        let mut there = piece.iter().peekable();
        while let (Some(&&old), Some(&(hash, number))) = (there.peek(), waiting.peek()) {
            if old < hash {
                there.next();
                continue;
            }
            if old == hash {
                known(number);
            } else {
                kept.push((hash, number));
            }
            waiting.next();
        }
    }
    kept.extend(waiting);
    *fresh = kept;
    Ok(())
}
