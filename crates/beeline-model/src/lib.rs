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
mod elaborate;
mod formula;
mod ids;
mod infer;
mod lint;
mod model;
mod project;
mod reads;
mod show;
mod sizes;
mod special;
pub mod stdlib;
mod subst;
mod suggest;
mod types;
mod walk;

pub use beeline_syntax::ast::Name;
pub use formula::*;
pub use ids::*;
pub use model::*;
pub use reads::{Footprint, Mentions, visit_expr, visit_pred, visit_subst};
pub use subst::*;
pub use types::{Type, TypeTable};

use beeline_source::{Diagnostics, Loader, SourceMap};

/// What [`load`] found.
#[derive(Debug)]
pub struct Loaded {
    /// Every file that was opened, standard libraries among them.
    pub sources: SourceMap,
    /// Errors, warnings and advice, in the order of the text.
    pub diagnostics: Diagnostics,
    /// The model, if there was no error.
    pub model: Option<Model>,
}

/// Loads the specification whose main file is `path`.
pub fn load(loader: &dyn Loader, path: &str) -> Loaded {
    let mut project = project::Project::open(loader, path);
    let mut out = std::mem::take(&mut project.problems);
    let sources = std::mem::take(&mut project.sources);
    let model = if out.has_errors() { None } else { build(&project, &mut out) };
    out.sort();
    let model = if out.has_errors() { None } else { model };
    Loaded { sources, diagnostics: out, model }
}

fn build(project: &project::Project, out: &mut Diagnostics) -> Option<Model> {
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
    let filled = compose::fill(declared, &definitions, std::mem::take(out));
    *out = filled.out;
    let mut model = filled.model;
    if out.has_errors() {
        return None;
    }
    sizes::narrow(&mut model);
    if let Some(main) = project.files.first() {
        lint::file(&main.unit, out);
        lint::definitions(&model, main, &definitions[0], &filled.used_definitions, out);
    }
    lint::model(&model, out);
    Some(model)
}
