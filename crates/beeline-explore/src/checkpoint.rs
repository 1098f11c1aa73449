//! Saving an exploration so that another process can go on with it.
//!
//! A folder holds two files. The *log* only grows: values and states in the order in which they
//! were found, with their parents. The *manifest* says how much of the log counts and what the
//! sums were at that moment; it is replaced as a whole, after the log is safely on disk. So
//! whenever the process dies, the last manifest and the part of the log it names belong together.
//! Rows are written by content (`beeline_transition::Translate`): the files mean the same everywhere.
//!
//! How states are explored is not known here.

mod log;
mod manifest;

/// A digest: nobody finds another model, or another file, with the same one.
pub type Digest = [u8; 32];

pub(crate) use log::{Frame, LogReader, LogWriter};
pub(crate) use manifest::Manifest;

use beeline_fault::{Flaw, planted};
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Where and how often to save.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// The folder; it is made if it is not there.
    pub folder: PathBuf,
    /// How often.
    pub every: Duration,
    /// Go on with what is there. Without this the folder must not hold a checkpoint.
    pub resume: bool,
    /// What the result depends on: model, scope, checks. A checkpoint of another identity is
    /// refused.
    pub identity: Digest,
}

/// Why an exploration cannot go on with a checkpoint, or save one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// What the folder holds is not what was written: nothing can be said.
    Damaged(String),
    /// The folder or the options are not those for it.
    Unfit(String),
}

impl Refusal {
    /// In words.
    pub fn words(&self) -> &str {
        match self {
            Refusal::Damaged(words) | Refusal::Unfit(words) => words,
        }
    }
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.words())
    }
}

impl std::error::Error for Refusal {}

/// A checkpoint that can be written to.
pub(crate) struct Saver {
    folder: PathBuf,
    every: Duration,
    last: Instant,
    pub log: LogWriter<File>,
}

/// A checkpoint that was found.
pub(crate) struct Found {
    pub manifest: Manifest,
    pub log: LogReader<std::io::BufReader<File>>,
}

const LOG: &str = "beeline.log";
const MANIFEST: &str = "beeline.manifest";

fn told(path: &Path, error: &std::io::Error) -> String {
    format!("{}: {error}", path.display())
}

fn unfit(path: &Path, error: &std::io::Error) -> Refusal {
    Refusal::Unfit(told(path, error))
}

/// Words about damage.
pub(crate) fn damaged(path: &Path, what: &str) -> Refusal {
    Refusal::Damaged(format!("{}: the checkpoint is damaged: {what}", path.display()))
}

impl Checkpoint {
    /// What is in the folder. `Ok(None)`: nothing yet.
    pub(crate) fn find(&self) -> Result<Option<Found>, Refusal> {
        let path = self.folder.join(MANIFEST);
        let text = match std::fs::read(&path) {
            Ok(bytes) => String::from_utf8(bytes).map_err(|_| damaged(&path, "it is not text"))?,
            Err(e) if e.kind() == ErrorKind::NotFound => return Ok(None),
            Err(e) => return Err(unfit(&path, &e)),
        };
        if !self.resume {
            let folder = self.folder.display();
            let words =
                format!("{folder} contains a checkpoint: continue with --resume, or remove it");
            return Err(Refusal::Unfit(words));
        }
        let manifest = Manifest::read(&text).map_err(|what| damaged(&path, what))?;
        if manifest.identity != self.identity && !planted(Flaw::ForeignCheckpoint) {
            let path = path.display();
            let words =
                format!("{path}: the checkpoint belongs to another model, or to other options");
            return Err(Refusal::Unfit(words));
        }
        let path = self.folder.join(LOG);
        let file = File::open(&path).map_err(|e| match e.kind() {
            ErrorKind::NotFound => damaged(&path, "the file is missing"),
            _ => unfit(&path, &e),
        })?;
        let log = LogReader::new(std::io::BufReader::new(file), manifest.log_bytes);
        Ok(Some(Found { manifest, log }))
    }

    /// How often each of so many variables got a wider layout in the search that goes on here.
    pub(crate) fn widened(&self, variables: usize) -> Vec<u8> {
        let found = self.find().ok().flatten();
        let widened = found.map(|f| f.manifest.widened).unwrap_or_default();
        let small = widened.iter().map(|n| u8::try_from(*n).unwrap_or(u8::MAX));
        small.chain(std::iter::repeat(0)).take(variables).collect()
    }

    /// What is there does not count any more.
    pub(crate) fn clear(&self) -> Result<(), Refusal> {
        let path = self.folder.join(MANIFEST);
        match std::fs::remove_file(&path) {
            Err(e) if e.kind() != ErrorKind::NotFound => Err(unfit(&path, &e)),
            _ => Ok(()),
        }
    }

    /// Begins to write, after what is there already.
    pub(crate) fn saver(&self, after: Option<(u64, Digest)>) -> Result<Saver, Refusal> {
        std::fs::create_dir_all(&self.folder).map_err(|e| unfit(&self.folder, &e))?;
        let path = self.folder.join(LOG);
        let (bytes, hash) = after.unwrap_or((0, LogWriter::<File>::SEED));
        let open = || {
            let mut file =
                OpenOptions::new().create(true).write(true).truncate(false).open(&path)?;
            // What no manifest speaks of was written after the last one, and would be read as new.
            file.set_len(bytes)?;
            std::io::Seek::seek(&mut file, std::io::SeekFrom::End(0))?;
            Ok(file)
        };
        let file = open().map_err(|e| unfit(&path, &e))?;
        Ok(Saver {
            folder: self.folder.clone(),
            every: self.every,
            last: Instant::now(),
            log: LogWriter::new(file, bytes, hash),
        })
    }
}

impl Saver {
    /// Is it time?
    pub fn is_due(&self) -> bool {
        self.last.elapsed() >= self.every
    }

    /// Makes what the log holds count.
    pub fn commit(&mut self, manifest: &mut Manifest) -> Result<(), String> {
        self.last = Instant::now();
        (manifest.log_bytes, manifest.log_hash) = self.log.position();
        let (path, fresh) = (self.folder.join(MANIFEST), self.folder.join("beeline.new"));
        let write = || {
            // In this order: a manifest on disk must not speak of a log that is not.
            self.log.file().sync_data()?;
            let mut file = File::create(&fresh)?;
            file.write_all(manifest.text().as_bytes())?;
            file.sync_data()?;
            std::fs::rename(&fresh, &path)?;
            // The new name must be on disk too; not every system lets a folder be opened.
            File::open(&self.folder).and_then(|folder| folder.sync_all()).or(Ok(()))
        };
        write().map_err(|e| told(&path, &e))
    }
}
