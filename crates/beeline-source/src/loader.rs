//! How the front end asks for files, without knowing what a file is.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// Why a file could not be had.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LoadError {
    /// There is no such file.
    NotFound,
    /// It lies outside the folders that may be read; the text says which rule it breaks.
    Outside(String),
    /// It is larger than the limit (in bytes).
    TooLarge(u64),
    /// It is a directory, a device, a pipe …; the text says what.
    NotAFile(String),
    /// The system refused, in the system's words.
    Io(String),
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoadError::NotFound => f.write_str("there is no such file"),
            LoadError::Outside(why) => write!(f, "it may not be read: {why}"),
            LoadError::TooLarge(limit) => write!(f, "it has more than {limit} bytes"),
            LoadError::NotAFile(what) => write!(f, "it is {what}, not a file"),
            LoadError::Io(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for LoadError {}

/// Gives texts for paths. Paths use `/` and are compared as strings after [`Loader::join`].
pub trait Loader {
    /// The path that `relative` means when it is written in the file `from`. Purely textual.
    fn join(&self, from: &str, relative: &str) -> String {
        join_paths(from, relative)
    }

    /// Reads a file. A text that is not UTF-8 is read with replacement characters and `true`.
    fn load(&self, path: &str) -> Result<(Arc<str>, bool), LoadError>;

    /// Is there such a file (that may be read)?
    fn exists(&self, path: &str) -> bool;

    /// Folders to search after the model's own, ending in `/` (`--root`).
    fn roots(&self) -> &[String] {
        &[]
    }
}

/// `relative` as seen from the folder of the file `from`, with `.` and `..` folded away.
fn join_paths(from: &str, relative: &str) -> String {
    let folder = match from.rfind('/') {
        Some(slash) if !relative.starts_with('/') => &from[..=slash],
        _ => "",
    };
    let whole = format!("{folder}{relative}");
    let mut parts: Vec<&str> = Vec::new();
    for part in whole.split('/') {
        match part {
            "." => {}
            ".." if parts.last().is_some_and(|p| !p.is_empty() && *p != "..") => {
                parts.pop();
            }
            "" if !parts.is_empty() => {}
            _ => parts.push(part),
        }
    }
    parts.join("/")
}

/// Files in memory: tests, editors, fuzzing.
#[derive(Clone, Debug, Default)]
pub struct MemoryLoader {
    files: BTreeMap<String, Arc<str>>,
}

impl MemoryLoader {
    /// No files yet.
    pub fn new() -> MemoryLoader {
        MemoryLoader::default()
    }

    /// Adds (or replaces) a file.
    #[must_use]
    pub fn with(mut self, path: &str, text: &str) -> MemoryLoader {
        self.files.insert(path.to_owned(), text.into());
        self
    }
}

impl Loader for MemoryLoader {
    fn load(&self, path: &str) -> Result<(Arc<str>, bool), LoadError> {
        self.files.get(path).map(|t| (t.clone(), false)).ok_or(LoadError::NotFound)
    }

    fn exists(&self, path: &str) -> bool {
        self.files.contains_key(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joining_folds_dots() {
        assert_eq!(join_paths("dir/M.mch", "A.mch"), "dir/A.mch");
        assert_eq!(join_paths("dir/M.mch", "../lib/A.def"), "lib/A.def");
        assert_eq!(join_paths("M.mch", "./x/A.def"), "x/A.def");
        assert_eq!(join_paths("M.mch", "../A.def"), "../A.def");
        assert_eq!(join_paths("/a/M.mch", "/b/A.def"), "/b/A.def");
    }
}
