//! The log: frames of values, states and parents, with a running hash.

use super::Digest;
use std::io::{Read, Write};

/// Some states in a row.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Frame {
    /// Values that the words of these states need and that no frame before had.
    pub values: Vec<u8>,
    /// The words of all states.
    pub words: Vec<u32>,
    /// The parent of each state.
    pub parents: Vec<u32>,
    /// States in which not all checks succeeded.
    pub suspects: Vec<u32>,
}

const MAGIC: u32 = 0x4265_656C;
/// Longer frames are not written, so they are not believed either.
const LONGEST: usize = 1 << 30;

/// The digest of all frames so far and the next one.
fn chained(before: &Digest, bytes: &[u8]) -> Digest {
    let mut hasher = blake3::Hasher::new();
    hasher.update(before).update(bytes);
    *hasher.finalize().as_bytes()
}

pub(crate) struct LogWriter<W> {
    file: W,
    bytes: u64,
    hash: Digest,
}

impl<W: Write> LogWriter<W> {
    pub const SEED: Digest = [0; 32];

    pub fn new(file: W, bytes: u64, hash: Digest) -> LogWriter<W> {
        LogWriter { file, bytes, hash }
    }

    pub fn file(&self) -> &W {
        &self.file
    }

    /// Bytes so far, and their hash.
    pub fn position(&self) -> (u64, Digest) {
        (self.bytes, self.hash)
    }

    pub fn write(&mut self, frame: &Frame) -> std::io::Result<()> {
        let lists = [&frame.words, &frame.parents, &frame.suspects];
        let words: usize = lists.iter().map(|l| l.len()).sum();
        let mut out = Vec::with_capacity(20 + frame.values.len() + 4 * words);
        out.extend_from_slice(&MAGIC.to_le_bytes());
        out.extend_from_slice(&(frame.values.len() as u32).to_le_bytes());
        for list in lists {
            out.extend_from_slice(&(list.len() as u32).to_le_bytes());
        }
        // In one piece, because the hash is of the whole frame.
        out.extend_from_slice(&frame.values);
        for word in lists.into_iter().flatten() {
            out.extend_from_slice(&word.to_le_bytes());
        }
        self.file.write_all(&out)?;
        self.bytes += out.len() as u64;
        self.hash = chained(&self.hash, &out);
        Ok(())
    }
}

pub(crate) struct LogReader<R> {
    file: R,
    left: u64,
    hash: Digest,
}

impl<R: Read> LogReader<R> {
    pub fn new(file: R, bytes: u64) -> LogReader<R> {
        LogReader { file, left: bytes, hash: LogWriter::<Vec<u8>>::SEED }
    }

    /// The hash of all that was read.
    pub fn hash(&self) -> Digest {
        self.hash
    }

    /// The next frame; `Ok(None)` at the end; an error for anything that was not written so.
    pub fn next(&mut self) -> Result<Option<Frame>, ()> {
        if self.left == 0 {
            return Ok(None);
        }
        let mut all = vec![0; 20];
        self.fill(&mut all)?;
        let word = |at: usize, all: &[u8]| {
            u32::from_le_bytes([all[at], all[at + 1], all[at + 2], all[at + 3]])
        };
        let sizes = [4, 8, 12, 16].map(|at| word(at, &all) as usize);
        let rest = sizes[0] + 4 * (sizes[1] + sizes[2] + sizes[3]);
        // Sizes come from a file: nothing is allocated before they are known to make sense.
        if word(0, &all) != MAGIC || rest > LONGEST || rest as u64 > self.left {
            return Err(());
        }
        all.resize(20 + rest, 0);
        self.fill(&mut all[20..])?;
        self.hash = chained(&self.hash, &all);
        let words = |from: usize, count: usize| {
            let bytes = all[from..from + 4 * count].chunks_exact(4);
            bytes.map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect()
        };
        let (a, b, c) = (20 + sizes[0], 4 * sizes[1], 4 * sizes[2]);
        Ok(Some(Frame {
            values: all[20..a].to_vec(),
            words: words(a, sizes[1]),
            parents: words(a + b, sizes[2]),
            suspects: words(a + b + c, sizes[3]),
        }))
    }

    fn fill(&mut self, into: &mut [u8]) -> Result<(), ()> {
        self.left = self.left.checked_sub(into.len() as u64).ok_or(())?;
        self.file.read_exact(into).map_err(|_| ())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_come_back_and_damage_is_noticed() {
        let frame = |n: u32| Frame {
            values: vec![n as u8; 5],
            words: (0..n).collect(),
            parents: vec![7, n],
            suspects: (n..2 * n).collect(),
        };
        let mut writer = LogWriter::new(Vec::new(), 0, LogWriter::<Vec<u8>>::SEED);
        for n in [3, 0, 9] {
            writer.write(&frame(n)).unwrap();
        }
        let (bytes, hash) = writer.position();
        let file = writer.file().clone();
        let read = |file: &[u8]| {
            let mut reader = LogReader::new(file, bytes);
            let mut frames = Vec::new();
            while let Some(frame) = reader.next()? {
                frames.push(frame);
            }
            if reader.hash() == hash { Ok(frames) } else { Err(()) }
        };
        assert_eq!(read(&file), Ok(vec![frame(3), frame(0), frame(9)]));
        for at in 0..file.len() {
            let mut bad = file.clone();
            for bit in 0..8 {
                bad[at] ^= 1 << bit;
                assert_eq!(read(&bad), Err(()), "bit {bit} of byte {at}");
                bad[at] ^= 1 << bit;
            }
            assert_eq!(read(&file[..at]), Err(()));
        }
    }
}
