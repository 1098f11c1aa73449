//! A specification that was opened: the typed model with its files, ready to be asked things.

use crate::error::{Error, LoadFailure};
use crate::open::{load_through, open_formulas};
use crate::open_options::OpenOptions;
use crate::stack::on_large_stack;
use beeline_elaborate::Loaded;
use beeline_model::{Formula, Model};
use beeline_source::{Diagnostics, Loader, MemoryLoader, SourceMap};
use beeline_verdict::Trace;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A specification that was opened: sound, typed, and cheap to clone.
///
/// Everything else starts here: [`crate::Checker`] explores it, [`crate::Animator`] walks through it,
/// [`Specification::eval`] evaluates a formula in its first state, [`crate::Replay`] follows a trace.
///
/// ```
/// use beeline::Specification;
///
/// # fn main() -> Result<(), beeline::Error> {
/// let lamp = Specification::from_text("
///     MACHINE Lamp VARIABLES on INVARIANT on : BOOL INITIALISATION on := FALSE
///     OPERATIONS press = BEGIN on := bool(on = FALSE) END END")?;
/// assert_eq!(lamp.name(), "Lamp");
/// assert_eq!(lamp.eval("{on, TRUE}")?.to_string(), "{FALSE,TRUE} : POW(BOOL)");
/// # Ok(()) }
/// ```
#[derive(Clone)]
pub struct Specification(Arc<Inner>);

struct Inner {
    origin: Origin,
    options: OpenOptions,
    sources: SourceMap,
    diagnostics: Diagnostics,
    model: Model,
    formulas: Vec<Formula>,
}

/// Where a specification comes from, to read a formula beside it.
#[derive(Clone)]
pub(crate) enum Origin {
    Path(PathBuf),
    Loader(Arc<dyn Loader + Send + Sync>, String),
    /// No model at all: formulas stand for themselves.
    Nothing,
}

impl Origin {
    fn load(&self, options: &OpenOptions) -> Loaded {
        let formulas = options.formula_texts();
        match self {
            Origin::Path(path) => open_formulas(path, options, &formulas),
            Origin::Loader(loader, path) => {
                load_through(&**loader, path, &options.eventb, &formulas)
            }
            Origin::Nothing => on_large_stack(|| beeline_elaborate::formulas(&formulas)),
        }
    }
}

impl Specification {
    /// Opens the model whose main file is `path`, and all it refers to: a machine, refinement or
    /// implementation, a Rodin file, folder or archive, a package, or Event-B text. What it is, is told
    /// by its content.
    pub fn open(path: impl AsRef<Path>) -> Result<Specification, Error> {
        OpenOptions::new().open(path)
    }

    /// Opens a model that is a text: B, or Event-B in one of its forms of text.
    pub fn from_text(text: &str) -> Result<Specification, Error> {
        OpenOptions::new().open_text(text)
    }

    /// Formulas that speak of no model.
    pub fn of_formulas(options: OpenOptions) -> Result<Specification, Error> {
        Specification::from_origin(Origin::Nothing, options)
    }

    pub(crate) fn from_origin(
        origin: Origin,
        options: OpenOptions,
    ) -> Result<Specification, Error> {
        let Loaded { sources, diagnostics, model, formulas } = origin.load(&options);
        let formulas: Option<Vec<Formula>> = formulas.into_iter().collect();
        match (model, formulas) {
            (Some(model), Some(formulas)) => {
                let inner = Inner { origin, options, sources, diagnostics, model, formulas };
                Ok(Specification(Arc::new(inner)))
            }
            _ => Err(Error::Load(Box::new(LoadFailure { sources, diagnostics }))),
        }
    }

    /// The same specification, read once more with a formula beside it: only so are the names in it
    /// known.
    pub(crate) fn with_formula(&self, text: &str) -> Result<(Specification, Formula), Error> {
        let mut options = self.0.options.clone();
        options.formulas = vec![text.to_owned()];
        let again = Specification::from_origin(self.0.origin.clone(), options)?;
        match again.0.formulas.first().cloned() {
            Some(formula) => Ok((again, formula)),
            None => {
                let (sources, diagnostics) = (again.0.sources.clone(), again.0.diagnostics.clone());
                Err(Error::Load(Box::new(LoadFailure { sources, diagnostics })))
            }
        }
    }

    /// Is there a model, or are there formulas alone?
    pub(crate) fn has_model(&self) -> bool {
        !matches!(self.0.origin, Origin::Nothing)
    }

    /// The name of the main machine.
    pub fn name(&self) -> &str {
        self.0.model.name.as_str()
    }

    /// The typed model: sets, constants, variables, operations, invariants.
    pub fn model(&self) -> &Model {
        &self.0.model
    }

    /// All files that were read; spans point into them.
    pub fn sources(&self) -> &SourceMap {
        &self.0.sources
    }

    /// Warnings and advice; there are no errors, or there would be no specification.
    pub fn diagnostics(&self) -> &Diagnostics {
        &self.0.diagnostics
    }

    /// How it was opened.
    pub fn options(&self) -> &OpenOptions {
        &self.0.options
    }

    /// The formulas that were read beside it: those of [`OpenOptions::formula`], in order.
    pub fn formulas(&self) -> &[Formula] {
        &self.0.formulas
    }

    /// A trace that tells which machine of a project it is of.
    pub(crate) fn mark(&self, mut trace: Trace) -> Trace {
        if let Some(scope) = &mut trace.scope {
            let eventb = &self.0.options.eventb;
            (scope.main, scope.level) = (eventb.main.clone(), eventb.level.clone());
        }
        trace
    }
}

impl OpenOptions {
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
}

/// The name of a model that has no file.
const TEXT: &str = "text";

impl fmt::Debug for Specification {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let files: Vec<&str> = self.0.sources.files().iter().map(|f| &*f.name).collect();
        f.debug_struct("Specification").field("name", &self.name()).field("files", &files).finish()
    }
}
