//! What can be said about opening a model.
//!
//! It does not know how a model is read; the methods that read it stand beside [`crate::Specification`],
//! which they give.

use crate::files::MAX_FILE_BYTES;
use beeline_elaborate::EventbOptions;
use std::path::PathBuf;

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

    /// The formulas, as the front end takes them.
    pub(crate) fn formula_texts(&self) -> Vec<&str> {
        self.formulas.iter().map(String::as_str).collect()
    }
}

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
