//! The report of a refinement check: for people, and as JSON by contract.

mod json;
mod text;

pub use json::JsonRefine;

use beeline_compile::System;
use beeline_refine::{Levels, Options, Outcome};
use beeline_source::{SourceMap, Span};
use beeline_verdict::VerdictKind;

/// Everything that a report of a refinement check is made of.
pub struct RefineReport<'a> {
    /// The refinement as the user named it.
    pub file: &'a str,
    /// Its files.
    pub sources: &'a SourceMap,
    /// The verdict of all steps together.
    pub verdict: VerdictKind,
    /// Each level with the next, most abstract first.
    pub steps: Vec<RefineStep<'a>>,
}

/// One level compared with the next.
pub struct RefineStep<'a> {
    /// The levels.
    pub levels: &'a Levels,
    /// What was compared.
    pub options: Options,
    /// Both, compiled.
    pub system: &'a System,
    /// What came of it.
    pub outcome: &'a Outcome,
}

impl RefineReport<'_> {
    /// `File.mch:3:5`, if it is about a place.
    fn place(&self, span: Span) -> Option<String> {
        let (file, at) = self.sources.place(span)?;
        Some(format!("{}:{}:{}", file.name, at.line, at.column))
    }
}

impl RefineStep<'_> {
    /// The sizes of sets that are not enumerated, the same in both machines.
    fn sets(&self) -> impl Iterator<Item = &(String, u64)> {
        let sets = self.levels.concrete.sets.iter().zip(self.system.set_sizes());
        sets.filter(|(set, _)| set.elements.is_none()).map(|(_, size)| size)
    }
}
