//! What a user should know about a model that was explored to its end, though nothing is wrong: often
//! the sign of a guard or a scope that allows less than was meant.
//!
//! Each check is a small file, and a line in [`CHECKS`]. They look at facts only, say nothing about
//! what was not visited, and never change a verdict: a model of which something is said here holds
//! all the same.

mod never_changed;
mod never_enabled;

use beeline_compile::System;
use beeline_explore::{Exploration, Finding, FindingKind};
use beeline_model::Model;
use beeline_source::Span;

/// A check of a whole exploration.
struct Check {
    /// The word in machine output.
    kind: &'static str,
    /// What people read before the names.
    words: &'static str,
    find: fn(&Facts<'_>) -> Vec<(String, Span)>,
}

const CHECKS: &[Check] = &[
    Check { kind: "never_enabled", words: "never enabled", find: never_enabled::find },
    Check { kind: "never_changed", words: "never changed", find: never_changed::find },
];

/// What a check looks at.
struct Facts<'a> {
    model: &'a Model,
    system: &'a System,
    /// Complete, and no step in it failed.
    exploration: &'a Exploration,
}

/// What one check says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observation {
    /// The word in machine output.
    pub kind: &'static str,
    /// What people read before the names.
    pub words: &'static str,
    /// What it says that of, and where each is declared.
    pub about: Vec<(String, Span)>,
}

/// What all of them say.
pub(crate) fn observe(
    model: &Model,
    system: &System,
    exploration: &Exploration,
) -> Vec<Observation> {
    // A step that fails is not taken: who knows what lies behind it.
    let fails = |found: &Finding| {
        matches!(found.kind, FindingKind::Operation(_) | FindingKind::Initialisation(_))
    };
    // Not every symbolic method finds out which states are reachable.
    let counted = exploration.symbolic.as_ref().is_none_or(|symbolic| symbolic.states.is_some());
    if !counted || !exploration.is_complete() || exploration.findings.iter().any(fails) {
        return Vec::new();
    }
    let facts = Facts { model, system, exploration };
    let observed = CHECKS.iter().map(|check| Observation {
        kind: check.kind,
        words: check.words,
        about: (check.find)(&facts),
    });
    observed.filter(|o| !o.about.is_empty()).collect()
}
