//! A specification that was opened: the typed model with its files, ready to be asked things.

use crate::open::load_through;
use crate::{
    Animator, Answer, Error, Evaluator, LoadFailure, OpenOptions, Replay, Scope, on_large_stack,
};
use beeline_elaborate::Loaded;
use beeline_model::{Formula, Model};
use beeline_source::{Diagnostics, Loader, SourceMap};
use beeline_verdict::{Trace, TraceScope};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A specification that was opened: sound, typed, and cheap to clone.
///
/// Everything else starts here: [`crate::Checker`] explores it, [`Animator`] walks through it,
/// [`Specification::eval`] evaluates a formula in its first state, [`Replay`] follows a trace.
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
            Origin::Path(path) => crate::open_formulas(path, options, &formulas),
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

    /// The value of an expression, the truth of a predicate or all its solutions, in the first
    /// initial state. [`Evaluator`] has more to choose from.
    pub fn eval(&self, formula: &str) -> Result<Answer, Error> {
        Evaluator::of(self).eval(formula)
    }

    /// A walk through the specification, step by step.
    pub fn animate(&self) -> Result<Animator, Error> {
        Animator::new(self)
    }

    /// A saved trace beside this specification, in the scope in which it was saved.
    pub fn replay(&self, trace: Trace) -> Result<Replay, Error> {
        Replay::new(self, trace, &Scope::default())
    }

    /// A trace that tells which machine of a project it is of.
    pub(crate) fn mark(&self, mut trace: Trace) -> Trace {
        if let Some(scope) = &mut trace.scope {
            let eventb = &self.0.options.eventb;
            (scope.main, scope.level) = (eventb.main.clone(), eventb.level.clone());
        }
        trace
    }

    /// The scope of a saved trace; what the user says of the scope comes before.
    pub(crate) fn scope_of(&self, saved: Option<&TraceScope>, asked: &Scope) -> Scope {
        let mut scope = asked.clone();
        let Some(saved) = saved else { return scope };
        scope.max_int = scope.max_int.or(Some(saved.maxint));
        scope.min_int = scope.min_int.or(Some(saved.minint));
        for (name, size) in &saved.sets {
            let mut deferred = self.0.model.sets.iter().filter(|s| s.elements.is_none());
            let is_asked = scope.set_sizes.iter().any(|(n, _)| n == name);
            if deferred.any(|s| s.name == name.as_str()) && !is_asked {
                scope.set_sizes.push((name.clone(), *size));
            }
        }
        scope
    }
}

impl fmt::Debug for Specification {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let files: Vec<&str> = self.0.sources.files().iter().map(|f| &*f.name).collect();
        f.debug_struct("Specification").field("name", &self.name()).field("files", &files).finish()
    }
}
