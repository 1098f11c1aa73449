//! Opening Event-B: a package, a Rodin file with its neighbours, a Rodin folder, an archive, or text.
//!
//! Which of them it is, is told by what is there and not by a name. A file of Rodin or a text brings
//! in the files beside it that its machines and contexts name, under the rules of the loader.

mod choose;
mod gathered;
mod whole;

use self::gathered::Gathered;
use crate::files::{FsLoader, decode, read_at_most, read_bytes, read_text};
use crate::open_options::OpenOptions;
use crate::stack::on_large_stack;
use beeline_elaborate::{EventbOptions, Loaded};
use beeline_eventb::{Project, archive, package, rodin, text};
use beeline_source::{Diagnostics, LoadError, Loader, MemoryLoader};
use std::fs::{self, File};
use std::path::Path;
use std::sync::Arc;

/// The files of a Rodin project that are read.
const SUFFIXES: [&str; 4] = [".buc", ".bum", ".bpo", ".bps"];

/// No project may have more files.
const MAX_FILES: usize = 10_000;

/// What is no Event-B: its text as it was read, so that nobody reads it again, or why there is none.
type Other = Result<(Arc<str>, bool), LoadError>;

/// Opens what holds Event-B.
pub(crate) fn open(
    path: &Path,
    loader: &FsLoader,
    options: &OpenOptions,
    formulas: &[&str],
) -> Result<Loaded, Other> {
    let mut gathered = Gathered::default();
    let mut choice = options.eventb.clone();
    let max_bytes = options.max_file_bytes;
    if path.is_dir() {
        let files = folder(path, max_bytes).ok_or_else(|| read_text(path, max_bytes))?;
        gathered.rodin_files(files, &mut choice);
    } else {
        let bytes = read_bytes(path, max_bytes).map_err(Err)?;
        if archive::is_archive(&bytes) {
            gathered.archive(loader.main_name(), &bytes, &mut choice);
        } else {
            let text = decode(bytes);
            gathered.single(loader, loader.main_name(), &text.0).ok_or(Ok(text))?;
        }
    }
    Ok(gathered.load(&choice, formulas))
}

/// Opens bytes that hold Event-B, without any file beside them; `None` if they hold something else.
pub fn open_bytes(name: &str, bytes: &[u8]) -> Option<Loaded> {
    on_large_stack(|| {
        let mut gathered = Gathered::default();
        let mut choice = EventbOptions::default();
        if archive::is_archive(bytes) {
            gathered.archive(name, bytes, &mut choice);
        } else {
            gathered.single(&MemoryLoader::new(), name, &decode(bytes.to_vec()).0)?;
        }
        Some(gathered.load(&choice, &[]))
    })
}

/// Opens what holds Event-B through any loader.
pub(crate) fn open_through(
    loader: &dyn Loader,
    path: &str,
    choice: &EventbOptions,
    formulas: &[&str],
) -> Result<Loaded, Other> {
    let text = loader.load(path).map_err(Err)?;
    let mut gathered = Gathered::default();
    gathered.single(loader, path, &text.0).ok_or(Ok(text))?;
    Ok(gathered.load(choice, formulas))
}

/// Does a text hold Event-B in one of its forms?
pub(crate) fn is_eventb(content: &str) -> bool {
    package::is_package(content) || rodin::is_rodin(content) || text::is_text(content)
}

/// What is wrong with the syntax of a file of Event-B, whatever its form.
pub(crate) fn problems(name: &str, content: &str, base: u32) -> Diagnostics {
    if package::is_package(content) {
        return package::read(content, base).1;
    }
    let (mut project, mut out) = (Project::default(), Diagnostics::new());
    if rodin::is_rodin(content) {
        rodin::read_component(name, content, base, &mut project, &mut out);
    } else {
        text::read(content, base, &mut project, &mut out);
    }
    out
}

/// A text of Event-B laid out anew; `None` if it is no text but a form that tools write.
pub(crate) fn format(content: &str) -> Option<String> {
    let is_text = !package::is_package(content) && !rodin::is_rodin(content);
    (is_text && text::is_text(content)).then(|| text::format(content))
}

/// The Rodin files that lie directly in a folder; `None` if there are none.
fn folder(path: &Path, max_bytes: u64) -> Option<Vec<(String, Arc<str>)>> {
    let mut files = Vec::new();
    let mut left = archive::MAX_BYTES;
    for entry in fs::read_dir(path).ok()?.take(MAX_FILES) {
        let path = entry.ok()?.path();
        let name = path.to_string_lossy().into_owned();
        // A link could lead anywhere.
        let plain = path.symlink_metadata().is_ok_and(|m| m.is_file());
        if !plain || !SUFFIXES.iter().any(|s| name.ends_with(s)) {
            continue;
        }
        let bytes = read_at_most(File::open(&path).ok()?, max_bytes.min(left)).ok()?;
        left = left.saturating_sub(bytes.len() as u64);
        files.push((name, decode(bytes).0));
    }
    files.sort();
    (!files.is_empty()).then_some(files)
}
