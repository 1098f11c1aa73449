//! Opening a model.

use crate::{FsLoader, MAX_FILE_BYTES};
use beeline_model::{EventbOptions, Loaded};
use beeline_source::{Code, Diagnostic, Diagnostics, LoadError, Loader, SourceMap, Span};
use std::path::{Path, PathBuf};

/// How a model is opened.
#[derive(Debug, Clone)]
pub struct OpenOptions {
    /// Folders beside the model's own that may be read and are searched for machines.
    pub roots: Vec<PathBuf>,
    /// No file may be larger.
    pub max_file_bytes: u64,
    /// What to open of an Event-B project, and how.
    pub eventb: EventbOptions,
}

impl Default for OpenOptions {
    fn default() -> OpenOptions {
        OpenOptions {
            roots: Vec::new(),
            max_file_bytes: MAX_FILE_BYTES,
            eventb: EventbOptions::default(),
        }
    }
}

/// Loads the model whose main file is `path`, and all it refers to.
pub fn open(path: &Path, options: &OpenOptions) -> Loaded {
    open_formulas(path, options, &[])
}

/// The same, with formulas that are read in the scope of the main machine.
pub fn open_formulas(path: &Path, options: &OpenOptions, formulas: &[&str]) -> Loaded {
    match FsLoader::new(path, &options.roots) {
        Ok(loader) => {
            let loader = loader.with_max_bytes(options.max_file_bytes);
            let main = loader.main_name();
            on_large_stack(|| {
                crate::eventb::open(path, &loader, options, formulas)
                    .unwrap_or_else(|| beeline_model::load_with(&loader, main, formulas))
            })
        }
        Err(error) => {
            let mut diagnostics = Diagnostics::new();
            let message = format!("a folder given as root cannot be used: {error}");
            diagnostics.push(Diagnostic::new(Code::FILE_UNREADABLE, Span::NONE, message));
            Loaded { sources: SourceMap::new(), diagnostics, model: None, formulas: Vec::new() }
        }
    }
}

/// Loads the model whose main file is `path` through a loader.
pub fn open_with(loader: &dyn Loader, path: &str) -> Loaded {
    on_large_stack(|| {
        crate::eventb::open_through(loader, path)
            .unwrap_or_else(|| beeline_model::load(loader, path))
    })
}

/// Less stack than this, and a fresh one is taken.
const RED_ZONE_BYTES: usize = 1 << 20;
/// The size of a fresh stack.
const STACK_BYTES: usize = 16 << 20;

/// Runs a part of the front end with enough stack, however small that of the caller's thread is.
pub fn on_large_stack<T>(work: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(RED_ZONE_BYTES, STACK_BYTES, work)
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
