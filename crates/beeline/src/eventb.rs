//! Opening Event-B: which form a file has is told by what it holds, not by its name.

use crate::{OpenOptions, read_text};
use beeline_eventb::package;
use beeline_model::{Loaded, load_project};
use beeline_source::SourceMap;
use std::path::Path;

/// Opens a file that holds Event-B; `None` if it does not.
pub(crate) fn open(
    path: &Path,
    name: &str,
    options: &OpenOptions,
    formulas: &[&str],
) -> Option<Loaded> {
    let (text, _) = read_text(path, options.max_file_bytes).ok()?;
    if !package::is_package(&text) {
        return None;
    }
    let mut sources = SourceMap::new();
    let id = sources.add(name, text.clone())?;
    let base = sources.file(id).base;
    let (project, problems) = package::read(&text, base);
    Some(load_project(&project, sources, problems, &options.eventb, formulas))
}
