//! Reading models from the file system, and the promises about what is never read.
//!
//! A model is untrusted text: its `SEES`, `INCLUDES` and definition files may name any path. Only
//! regular files below the main model's folder and the declared roots are read; a link is judged
//! by where it leads. The main model itself may lie anywhere.

use beeline_source::{Code, Diagnostic, LoadError, Loader, Span};
use std::fs::{self, File, FileType};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// No file may be larger than this, unless another limit is set.
pub const MAX_FILE_BYTES: u64 = 64 << 20;

/// The file system as a [`Loader`].
#[derive(Debug, Clone)]
pub struct FsLoader {
    main: PathBuf,
    /// The main model as the front end names it.
    main_name: String,
    /// Its folder as text, `""` or ending in `/`; paths that begin with it lie in `folder`.
    folder_name: String,
    folder: PathBuf,
    /// Where files may lie, links resolved.
    allowed: Vec<PathBuf>,
    /// The declared roots as text, each ending in `/`.
    roots: Vec<String>,
    max_bytes: u64,
}

impl FsLoader {
    /// A loader for the model `main` and the folders `roots`.
    ///
    /// A root that does not exist is an error of the caller; a main model that does not exist is
    /// found out when it is loaded.
    pub fn new(main: &Path, roots: &[PathBuf]) -> io::Result<FsLoader> {
        let main_name = text_of(main);
        let folder_name = main_name.rfind('/').map_or("", |i| &main_name[..=i]).to_owned();
        let folder = match main.parent() {
            Some(p) if !p.as_os_str().is_empty() => p.to_owned(),
            _ => PathBuf::from("."),
        };
        // A folder that cannot be resolved allows nothing; loading the main model says why.
        let mut allowed: Vec<PathBuf> = folder.canonicalize().into_iter().collect();
        let mut names = Vec::new();
        for root in roots {
            let resolved = root.canonicalize()?;
            if !resolved.is_dir() {
                return Err(io::Error::new(io::ErrorKind::NotADirectory, "not a folder"));
            }
            allowed.push(resolved);
            let mut name = text_of(root);
            if !name.ends_with('/') {
                name.push('/');
            }
            names.push(name);
        }
        let main = main.to_owned();
        let max_bytes = MAX_FILE_BYTES;
        Ok(FsLoader { main, main_name, folder_name, folder, allowed, roots: names, max_bytes })
    }

    /// The same loader with another limit on the size of a file.
    #[must_use]
    pub fn with_max_bytes(mut self, max_bytes: u64) -> FsLoader {
        self.max_bytes = max_bytes;
        self
    }

    /// The main model as the front end names it.
    pub fn main_name(&self) -> &str {
        &self.main_name
    }

    /// The path in the file system, if that path may be read.
    fn resolve(&self, path: &str) -> Result<PathBuf, LoadError> {
        if path == self.main_name {
            return Ok(self.main.clone());
        }
        // The folder is kept as a path as well: its name may not be Unicode.
        let real = match path.strip_prefix(&self.folder_name) {
            Some(rest) if !rest.starts_with('/') => self.folder.join(rest),
            _ => PathBuf::from(path),
        };
        let resolved = real.canonicalize().map_err(|e| load_error(&e))?;
        if self.allowed.iter().any(|folder| resolved.starts_with(folder)) {
            return Ok(resolved);
        }
        let link = real.symlink_metadata().is_ok_and(|m| m.is_symlink());
        Err(LoadError::Outside(if link {
            "it is a link to a file elsewhere".into()
        } else {
            "only files below the folder of the main file are read".into()
        }))
    }
}

impl Loader for FsLoader {
    fn load(&self, path: &str) -> Result<(Arc<str>, bool), LoadError> {
        read_text(&self.resolve(path)?, self.max_bytes)
    }

    fn exists(&self, path: &str) -> bool {
        self.resolve(path).is_ok_and(|real| real.is_file())
    }

    fn roots(&self) -> &[String] {
        &self.roots
    }
}

/// A loader behind which one file was read already: whoever asks for it gets what was read, or why it
/// could not be.
pub(crate) struct ReadOnce<'l> {
    pub loader: &'l dyn Loader,
    pub path: &'l str,
    pub text: Result<(Arc<str>, bool), LoadError>,
}

impl Loader for ReadOnce<'_> {
    fn join(&self, from: &str, relative: &str) -> String {
        self.loader.join(from, relative)
    }

    fn load(&self, path: &str) -> Result<(Arc<str>, bool), LoadError> {
        if path == self.path { self.text.clone() } else { self.loader.load(path) }
    }

    fn exists(&self, path: &str) -> bool {
        self.loader.exists(path)
    }

    fn roots(&self) -> &[String] {
        self.loader.roots()
    }
}

/// Reads one regular file as text, whoever asks for it: no rule about folders applies.
///
/// The answer is the text without a byte order mark, and whether bytes had to be replaced.
pub fn read_text(path: &Path, max_bytes: u64) -> Result<(Arc<str>, bool), LoadError> {
    read_bytes(path, max_bytes).map(decode)
}

/// Reads one regular file as it is.
pub(crate) fn read_bytes(path: &Path, max_bytes: u64) -> Result<Vec<u8>, LoadError> {
    // Asked before opening: opening a pipe would wait for its other end.
    let kind = fs::metadata(path).map_err(|e| load_error(&e))?.file_type();
    if !kind.is_file() {
        return Err(LoadError::NotAFile(kind_word(kind).into()));
    }
    let file = File::open(path).map_err(|e| load_error(&e))?;
    read_at_most(file, max_bytes)
}

/// Reads everything, or fails at the limit; what the file system says of the size is not believed.
pub fn read_at_most(source: impl Read, max_bytes: u64) -> Result<Vec<u8>, LoadError> {
    let mut bytes = Vec::new();
    source.take(max_bytes + 1).read_to_end(&mut bytes).map_err(|e| load_error(&e))?;
    if bytes.len() as u64 > max_bytes {
        return Err(LoadError::TooLarge(max_bytes));
    }
    Ok(bytes)
}

/// Bytes as text: a byte order mark is dropped, invalid UTF-8 replaced and reported.
pub fn decode(mut bytes: Vec<u8>) -> (Arc<str>, bool) {
    if bytes.starts_with(b"\xef\xbb\xbf") {
        bytes.drain(..3);
    }
    match String::from_utf8(bytes) {
        Ok(text) => (text.into(), false),
        Err(e) => (String::from_utf8_lossy(e.as_bytes()).into(), true),
    }
}

fn load_error(error: &io::Error) -> LoadError {
    match error.kind() {
        // A folder of the path may be a file: there is no such file either.
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => LoadError::NotFound,
        // A name with a zero byte names no file.
        io::ErrorKind::InvalidInput | io::ErrorKind::InvalidFilename => LoadError::NotFound,
        _ => LoadError::Io(error.to_string()),
    }
}

fn kind_word(kind: FileType) -> &'static str {
    if kind.is_dir() {
        return "a folder";
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if kind.is_fifo() {
            return "a pipe";
        }
        if kind.is_socket() {
            return "a socket";
        }
        if kind.is_char_device() || kind.is_block_device() {
            return "a device";
        }
    }
    "not a regular file"
}

/// A path as the front end names it: Unicode, with `/` between its parts.
fn text_of(path: &Path) -> String {
    let text = path.to_string_lossy();
    if cfg!(windows) { text.replace('\\', "/") } else { text.into_owned() }
}

/// What to tell the user about a file that could not be had.
pub fn load_diagnostic(path: &str, error: &LoadError) -> Diagnostic {
    let new = |code, message| Diagnostic::new(code, Span::NONE, message);
    match error {
        LoadError::NotFound => new(Code::FILE_NOT_FOUND, format!("{path} was not found"))
            .help("check the spelling and the folder you are in"),
        LoadError::Outside(why) => {
            new(Code::FILE_OUTSIDE, format!("{path} may not be read: {why}"))
                .help("declare its folder with --root")
        }
        LoadError::TooLarge(limit) => {
            new(Code::FILE_TOO_LARGE, format!("{path} has more than {limit} bytes"))
                .help("is it really a specification?")
        }
        LoadError::NotAFile(what) => {
            new(Code::FILE_UNREADABLE, format!("{path} is {what}, not a file"))
                .help("name the file of a machine")
        }
        LoadError::Io(message) => {
            new(Code::FILE_UNREADABLE, format!("{path} cannot be read: {message}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_and_bad_bytes() {
        assert_eq!(decode(b"\xef\xbb\xbfMACHINE".to_vec()), ("MACHINE".into(), false));
        assert_eq!(decode(b"/* \xe9 */".to_vec()), ("/* \u{fffd} */".into(), true));
    }

    #[test]
    fn the_limit_is_exact() {
        assert_eq!(read_at_most(&b"abcd"[..], 4), Ok(b"abcd".to_vec()));
        assert_eq!(read_at_most(&b"abcde"[..], 4), Err(LoadError::TooLarge(4)));
    }
}
