//! Opening a model.

use crate::files::ReadOnce;
use crate::specification::Origin;
use crate::{Error, FsLoader, MAX_FILE_BYTES, Specification};
use beeline_elaborate::{EventbOptions, Loaded};
use beeline_source::{
    Code, Diagnostic, Diagnostics, LoadError, Loader, MemoryLoader, SourceMap, Span,
};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How a model is opened, in the manner of [`std::fs::OpenOptions`].
///
/// ```no_run
/// # fn main() -> Result<(), beeline::Error> {
/// let specification = beeline::OpenOptions::new()
///     .root("library")    // machines are looked for here as well
///     .level("Bridge0")   // one machine of an Event-B refinement chain alone
///     .open("Bridge2.eventb")?;
/// # Ok(()) }
/// ```
#[derive(Debug, Clone)]
pub struct OpenOptions {
    /// Folders beside the model's own that may be read and are searched for machines.
    pub roots: Vec<PathBuf>,
    /// No file may be larger.
    pub max_file_bytes: u64,
    /// What to open of an Event-B project, and how.
    pub eventb: EventbOptions,
    /// Formulas that are read in the scope of the main machine.
    pub formulas: Vec<String>,
}

impl OpenOptions {
    /// The model's own folder, its most concrete machine, the whole refinement chain.
    pub fn new() -> OpenOptions {
        OpenOptions::default()
    }

    /// A further folder that may be read and is searched for machines.
    #[must_use]
    pub fn root(mut self, folder: impl Into<PathBuf>) -> OpenOptions {
        self.roots.push(folder.into());
        self
    }

    /// The machine or context of an Event-B project to open: its name, or `PROJECT/NAME`.
    #[must_use]
    pub fn main(mut self, name: impl Into<String>) -> OpenOptions {
        self.eventb.main = Some(name.into());
        self
    }

    /// Run only this machine of an Event-B refinement chain, without its abstractions.
    #[must_use]
    pub fn level(mut self, name: impl Into<String>) -> OpenOptions {
        self.eventb.level = Some(name.into());
        self
    }

    /// Reads this formula together with the model, in the scope of its main machine.
    #[must_use]
    pub fn formula(mut self, text: impl Into<String>) -> OpenOptions {
        self.formulas.push(text.into());
        self
    }

    /// Opens the model whose main file is `path`.
    pub fn open(self, path: impl AsRef<Path>) -> Result<Specification, Error> {
        Specification::from_origin(Origin::Path(path.as_ref().to_owned()), self)
    }

    /// Opens a model that is a text: B, or Event-B in one of its forms of text.
    pub fn open_text(self, text: &str) -> Result<Specification, Error> {
        self.open_through(MemoryLoader::new().with(TEXT, text), TEXT)
    }

    /// Opens the model whose main file is `path` through a loader: an editor's buffers, an archive,
    /// a database.
    pub fn open_through(
        self,
        loader: impl Loader + Send + Sync + 'static,
        path: &str,
    ) -> Result<Specification, Error> {
        Specification::from_origin(Origin::Loader(Arc::new(loader), path.to_owned()), self)
    }

    /// The formulas, as the front end takes them.
    pub(crate) fn formula_texts(&self) -> Vec<&str> {
        self.formulas.iter().map(String::as_str).collect()
    }
}

/// The name of a model that has no file.
const TEXT: &str = "text";

impl Default for OpenOptions {
    fn default() -> OpenOptions {
        OpenOptions {
            roots: Vec::new(),
            max_file_bytes: MAX_FILE_BYTES,
            eventb: EventbOptions::default(),
            formulas: Vec::new(),
        }
    }
}

/// Loads the model whose main file is `path`, and all it refers to. Other than
/// [`OpenOptions::open`] this tells everything that was found in the text, whether or not there is a
/// model in the end: what an editor or a linter needs.
pub fn open(path: &Path, options: &OpenOptions) -> Loaded {
    open_formulas(path, options, &options.formula_texts())
}

/// The same, with these formulas in place of those of the options.
pub fn open_formulas(path: &Path, options: &OpenOptions, formulas: &[&str]) -> Loaded {
    match FsLoader::new(path, &options.roots) {
        Ok(loader) => {
            let loader = loader.with_max_bytes(options.max_file_bytes);
            let main = loader.main_name();
            on_large_stack(|| {
                crate::eventb::open(path, &loader, options, formulas).unwrap_or_else(|text| {
                    let loader = ReadOnce { loader: &loader, path: main, text };
                    beeline_elaborate::load_with(&loader, main, formulas)
                })
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
    load_through(loader, path, &EventbOptions::default(), &[])
}

/// The same, with a choice among the machines of an Event-B project, and formulas.
pub(crate) fn load_through(
    loader: &dyn Loader,
    path: &str,
    choice: &EventbOptions,
    formulas: &[&str],
) -> Loaded {
    on_large_stack(|| {
        crate::eventb::open_through(loader, path, choice, formulas).unwrap_or_else(|text| {
            let loader = ReadOnce { loader, path, text };
            beeline_elaborate::load_with(&loader, path, formulas)
        })
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

#[cfg(test)]
mod tests {
    use super::*;
    use beeline_source::MemoryLoader;
    use std::cell::RefCell;
    use std::sync::Arc;

    /// Files in memory, and which of them were asked for.
    struct Asked(MemoryLoader, RefCell<Vec<String>>);

    impl Loader for Asked {
        fn load(&self, path: &str) -> Result<(Arc<str>, bool), LoadError> {
            self.1.borrow_mut().push(path.to_owned());
            self.0.load(path)
        }

        fn exists(&self, path: &str) -> bool {
            self.0.exists(path)
        }
    }

    #[test]
    fn every_file_is_read_once() {
        let files = MemoryLoader::new()
            .with("d/M.mch", "MACHINE M SEES N END")
            .with("d/N.mch", "MACHINE N END");
        let asked = Asked(files, RefCell::default());
        let loaded = open_with(&asked, "d/M.mch");
        assert!(loaded.model.is_some(), "{:?}", loaded.diagnostics.list());
        assert_eq!(*asked.1.borrow(), ["d/M.mch", "d/N.mch"]);
        let nothing = open_with(&asked, "d/O.mch");
        assert_eq!(nothing.diagnostics.list().len(), 1);
        assert_eq!(asked.1.borrow().len(), 3);
    }
}
