//! What one run found, ready to be shown.

use beeline_source::{Diagnostic, Diagnostics, Severity, SourceMap};

/// The diagnostics of one run: a group a load, each with the files its spans point into.
#[derive(Debug, Default)]
pub struct Report<'a> {
    pub(crate) groups: Vec<Group<'a>>,
    errors: usize,
    warnings: usize,
    dropped: usize,
}

/// The diagnostics of one load.
#[derive(Debug)]
pub(crate) struct Group<'a> {
    pub(crate) sources: &'a SourceMap,
    pub(crate) list: Vec<&'a Diagnostic>,
}

impl<'a> Report<'a> {
    /// Nothing found yet.
    pub fn new() -> Report<'a> {
        Report::default()
    }

    /// Adds what one load found.
    pub fn add(&mut self, sources: &'a SourceMap, diagnostics: &'a Diagnostics) {
        self.add_only(sources, diagnostics, |_| true);
    }

    /// Adds what one load found and `keep` keeps. Errors are always kept.
    pub fn add_only(
        &mut self,
        sources: &'a SourceMap,
        diagnostics: &'a Diagnostics,
        keep: impl Fn(&Diagnostic) -> bool,
    ) {
        let list: Vec<_> = diagnostics.list().iter().filter(|d| d.is_error() || keep(d)).collect();
        self.errors += diagnostics.error_count();
        self.warnings += list.iter().filter(|d| d.severity == Severity::Warning).count();
        self.dropped += diagnostics.dropped();
        self.groups.push(Group { sources, list });
    }

    /// How many errors there are, those that were not kept among them.
    pub fn errors(&self) -> usize {
        self.errors
    }

    /// How many warnings there are.
    pub fn warnings(&self) -> usize {
        self.warnings
    }

    /// How many diagnostics were counted but not kept.
    pub fn dropped(&self) -> usize {
        self.dropped
    }

    /// Is there nothing to show?
    pub fn is_empty(&self) -> bool {
        self.dropped == 0 && self.groups.iter().all(|g| g.list.is_empty())
    }
}
