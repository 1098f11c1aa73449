//! From text to the typed model, in passes.
//!
//! [`load`] opens a file through a [`beeline_source::Loader`], follows its references, expands
//! definitions, resolves names, finds all types, and flattens the composition into one [`Model`];
//! [`load_project`] does the same for Event-B. Both always return what they found, with
//! diagnostics. This crate refuses to know how a model is run, and what the file system is.
//!
//! The modules below stand in the order in which a specification passes through them.

// Texts: the files of a specification, the libraries built in, and formulas given beside them.
mod project;
mod prompt;
pub mod stdlib;

// Trees: what they say before anything is resolved.
mod definitions;
mod special;
mod walk;

// Formulas: a tree, in a scope, becomes a typed formula. `infer` is unification.
mod infer;
mod show;
mod suggest;
mod typing;

// Models: machines, or a chain of Event-B, become one.
mod compose;
mod eventb;

// Afterwards: what the whole model says of its sets, and what its author might want to know.
mod lint;
mod sizes;

pub use beeline_eventb::Project as EventbProject;
pub use eventb::{EventbOptions, load_project};

use beeline_model::{Formula, Model};
use beeline_source::{Diagnostics, Loader, MemoryLoader, SourceMap};

/// What [`load`] found.
#[derive(Debug)]
pub struct Loaded {
    /// Every file that was opened, standard libraries among them.
    pub sources: SourceMap,
    /// Errors, warnings and advice, in the order of the text.
    pub diagnostics: Diagnostics,
    /// The model, if there was no error.
    pub model: Option<Model>,
    /// The formulas that were given beside it, in order; `None` where one has an error.
    pub formulas: Vec<Option<Formula>>,
}

/// Loads the specification whose main file is `path`.
pub fn load(loader: &dyn Loader, path: &str) -> Loaded {
    load_with(loader, path, &[])
}

/// Loads a specification and reads formulas in the scope of its main machine.
pub fn load_with(loader: &dyn Loader, path: &str, formulas: &[&str]) -> Loaded {
    let mut project = project::Project::open(loader, path);
    let mut out = std::mem::take(&mut project.problems);
    let mut sources = std::mem::take(&mut project.sources);
    let prompts: Vec<prompt::Prompt> =
        formulas.iter().map(|text| prompt::parse(text, &mut sources, &mut out)).collect();
    let built = if out.has_errors() {
        None
    } else {
        if let Some(main) = project.files.first() {
            lint::file(&main.unit, &mut out);
        }
        build(&project, &prompts, &mut out)
    };
    out.sort();
    let (model, formulas) = match built {
        Some((model, formulas)) if !out.has_errors() => (Some(model), formulas),
        _ => (None, formulas.iter().map(|_| None).collect()),
    };
    Loaded { sources, diagnostics: out, model, formulas }
}

/// Reads formulas on their own, outside any model. The model that comes back is empty.
pub fn formulas(texts: &[&str]) -> Loaded {
    let nothing = MemoryLoader::new().with("", "MACHINE Nothing END");
    load_with(&nothing, "", texts)
}

pub(crate) type Built = (Model, Vec<Option<Formula>>);

fn build(
    project: &project::Project,
    prompts: &[prompt::Prompt],
    out: &mut Diagnostics,
) -> Option<Built> {
    let definitions: Vec<_> = (0..project.files.len())
        .map(|file| match project.files[file].machine() {
            Some(_) => definitions::Definitions::of_machine(project, file, out),
            None => definitions::Definitions::default(),
        })
        .collect();
    let declared = compose::declare(project, &definitions, out)?;
    if out.has_errors() {
        return None;
    }
    let filled = compose::fill(declared, &definitions, prompts, std::mem::take(out));
    *out = filled.out;
    let mut model = filled.model;
    if out.has_errors() {
        return None;
    }
    sizes::narrow(&mut model);
    if let Some(main) = project.files.first() {
        lint::definitions(&model, main, &definitions[0], &filled.used_definitions, out);
    }
    lint::model(&model, out);
    Some((model, filled.formulas))
}
