//! Reading a model with all it refers to, and whatever there is to say about its text.

use crate::eventb;
use crate::files::{FsLoader, ReadOnce};
use crate::open_options::OpenOptions;
use crate::stack::on_large_stack;
use beeline_elaborate::{EventbOptions, Loaded};
use beeline_source::{Code, Diagnostic, Diagnostics, Loader, SourceMap, Span};
use std::path::Path;

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
                eventb::open(path, &loader, options, formulas).unwrap_or_else(|text| {
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
        eventb::open_through(loader, path, choice, formulas).unwrap_or_else(|text| {
            let loader = ReadOnce { loader, path, text };
            beeline_elaborate::load_with(&loader, path, formulas)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use beeline_source::{LoadError, MemoryLoader};
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
