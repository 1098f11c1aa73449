//! Archives: the files of a Rodin project from a `.zip`.
//!
//! An archive comes from anywhere. Nothing it says of itself is believed: what is unpacked is
//! counted while it is unpacked, and nothing is ever written to a disk.

use beeline_source::{Code, Diagnostic, Span};
use std::io::{Cursor, Read};
use zip::ZipArchive;

/// No archive may have more entries.
pub const MAX_ENTRIES: usize = 10_000;
/// All that is unpacked may have so many bytes.
pub const MAX_BYTES: u64 = 128 << 20;
/// No entry may be so many times as large as it is packed...
pub const MAX_RATIO: u64 = 200;
/// ... unless it is small.
const SMALL: u64 = 1 << 20;

/// A file of an archive: its path and what it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The path in the archive.
    pub path: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// Do these bytes begin an archive?
pub fn is_archive(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06")
}

/// Unpacks the files whose names end in one of these suffixes.
pub fn unpack(bytes: &[u8], suffixes: &[&str]) -> Result<Vec<Entry>, Diagnostic> {
    let refuse = |message: String| Err(Diagnostic::new(Code::BAD_ARCHIVE, Span::NONE, message));
    let mut archive = match ZipArchive::new(Cursor::new(bytes)) {
        Ok(archive) => archive,
        Err(error) => return refuse(format!("the archive cannot be read: {error}")),
    };
    if archive.len() > MAX_ENTRIES {
        return refuse(format!("the archive has more than {MAX_ENTRIES} entries"));
    }
    let mut entries: Vec<Entry> = Vec::new();
    let mut total = 0u64;
    for index in 0..archive.len() {
        let file = match archive.by_index(index) {
            Ok(file) => file,
            Err(error) => return refuse(format!("an entry cannot be read: {error}")),
        };
        let path = file.name().to_owned();
        if !file.is_file() || !suffixes.iter().any(|s| path.ends_with(s)) {
            continue;
        }
        let allowed = (file.compressed_size().saturating_mul(MAX_RATIO)).max(SMALL);
        let left = MAX_BYTES - total;
        let mut found = Vec::new();
        if let Err(error) = file.take(left.min(allowed) + 1).read_to_end(&mut found) {
            return refuse(format!("the entry {path} cannot be unpacked: {error}"));
        }
        let length = found.len() as u64;
        if length > left {
            return refuse(format!("unpacked, the archive has more than {} MB", MAX_BYTES >> 20));
        }
        if length > allowed {
            return refuse(format!(
                "the entry {path} is more than {MAX_RATIO} times as large as packed"
            ));
        }
        total += length;
        entries.push(Entry { path, bytes: found });
    }
    entries.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(entries)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use zip::write::SimpleFileOptions;

    fn archive(files: &[(&str, &[u8])]) -> Vec<u8> {
        let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for (path, bytes) in files {
            writer.start_file(*path, SimpleFileOptions::default()).unwrap();
            writer.write_all(bytes).unwrap();
        }
        writer.finish().unwrap().into_inner()
    }

    #[test]
    fn only_what_is_wanted_is_unpacked() {
        let bytes = archive(&[("p/M.bum", b"m"), ("p/C.buc", b"c"), ("p/x.exe", b"x")]);
        assert!(is_archive(&bytes));
        let found = unpack(&bytes, &[".bum", ".buc"]).unwrap();
        let paths: Vec<_> = found.iter().map(|e| e.path.as_str()).collect();
        assert_eq!(paths, ["p/C.buc", "p/M.bum"]);
        assert_eq!(found[1].bytes, b"m");
    }

    #[test]
    fn broken_archives_are_refused() {
        let bytes = archive(&[("M.bum", &[b'a'; 5000])]);
        for cut in [10, bytes.len() / 2, bytes.len() - 1] {
            assert_eq!(unpack(&bytes[..cut], &[".bum"]).unwrap_err().code, Code::BAD_ARCHIVE);
        }
    }

    #[test]
    fn bombs_are_refused() {
        let bytes = archive(&[("M.bum", &vec![0; 4 << 20])]);
        let message = unpack(&bytes, &[".bum"]).unwrap_err().message;
        assert!(message.contains("200 times"), "{message}");
        let many: Vec<(String, &[u8])> = (0..10_001).map(|i| (format!("{i}"), &b""[..])).collect();
        let many: Vec<(&str, &[u8])> = many.iter().map(|(n, b)| (n.as_str(), *b)).collect();
        let message = unpack(&archive(&many), &[".bum"]).unwrap_err().message;
        assert!(message.contains("10000 entries"), "{message}");
    }
}
