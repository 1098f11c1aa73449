//! The typed model: what a specification means, whichever notation it was written in.
//!
//! [`load`] opens a file through a [`beeline_source::Loader`], follows its references, expands
//! definitions, resolves names, finds all types, and flattens the composition into one [`Model`].
//! It always returns what it found, with diagnostics. This crate refuses to know how a model is
//! run, and what the file system is.
//!
//! The data first: [`Model`], then [`Expr`], [`Pred`] and [`Subst`]. The way from text to it:
//! `project` (files) → `definitions` → `compose` (machines become one model) with `elaborate`
//! (a tree becomes a typed formula) and `infer` (unification).

mod compose;
mod definitions;
pub mod digest;
mod elaborate;
mod eventb;
mod formula;
mod ids;
mod infer;
mod lint;
mod model;
mod print;
mod project;
mod prompt;
mod reads;
mod show;
mod sizes;
mod special;
pub mod stdlib;
mod subst;
mod suggest;
pub mod tree;
mod types;
mod verify;
mod walk;

pub use beeline_syntax::ast::Name;
pub use eventb::{EventbOptions, load_project};
pub use formula::*;
pub use ids::*;
pub use model::*;
pub use prompt::Formula;
pub use reads::{Footprint, Mentions, visit_expr, visit_pred, visit_subst};
pub use subst::*;
pub use types::{Type, TypeTable};
pub use verify::verify;

pub use beeline_eventb::Project as EventbProject;
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
