//! The report of a check: as JSON by contract, as text for people, as JUnit for build servers.

mod json;
mod junit;
mod partial_order;
mod stats;
mod text;

pub use json::{JsonCheck, SetScope};
pub use junit::{junit, junit_error};
pub use stats::JsonStats;
pub use text::{finding_text, trace_text};

use crate::RefineReport;
use json::JsonProver;

use beeline_compile::{OperationIndex, Prover, System};
use beeline_explore::{Checks, Contradiction, Proof};
use beeline_model::Model;
use beeline_source::SourceMap;
use beeline_symmetry::{Reduced, StateOf};
use beeline_verdict::{Bindings, Outcome};
use std::collections::BTreeSet;

/// Why there was no exploration to report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoCheck {
    /// The model cannot be loaded or run.
    ModelError,
    /// There is no answer, and it is not the model's fault.
    Undetermined,
    /// A limit was reached before anything could be told.
    BrokenOff,
}

impl NoCheck {
    /// The verdict, in one word.
    pub fn word(self) -> &'static str {
        match self {
            NoCheck::ModelError => "model_error",
            NoCheck::Undetermined => "undetermined",
            NoCheck::BrokenOff => "no_error_found",
        }
    }
}

/// Everything that a report of a check is made of.
pub struct CheckReport<'a> {
    /// The model as the user named it.
    pub file: &'a str,
    /// The model.
    pub model: &'a Model,
    /// Its files.
    pub sources: &'a SourceMap,
    /// The compiled model.
    pub system: &'a System,
    /// The verdict.
    pub outcome: &'a Outcome,
    /// What was checked.
    pub checks: Checks,
    /// Was the goal of the model left out?
    pub goal_left_out: bool,
    /// What symmetry reduction did, if it was asked for.
    pub symmetry: Option<&'a Reduced>,
    /// What partial order reduction did, if it was asked for.
    pub partial_order: Option<&'a beeline_por::Told>,
    /// What came of comparing a refinement with its abstraction.
    pub refined: Option<RefineReport<'a>>,
}

impl CheckReport<'_> {
    /// The checks that the user left out.
    pub(crate) fn left_out(&self) -> Vec<&'static str> {
        let mut all = Vec::new();
        if !self.checks.invariants {
            all.push("invariants");
        }
        if !self.checks.deadlock {
            all.push("deadlock");
        }
        if !self.checks.assertions {
            all.push("assertions");
        }
        let special = &self.model.special;
        let temporal = special.ltl.iter().chain(&special.ctl).next().is_some();
        if temporal && !self.checks.temporal {
            all.push("temporal formulas");
        }
        if (!self.checks.refinement && self.model.levels.len() > 1) || self.alone() {
            all.push("refinement");
        }
        if self.goal_left_out {
            all.push("goal");
        }
        all
    }

    /// Was one machine of an Event-B chain asked for, without what it owes its abstraction?
    fn alone(&self) -> bool {
        self.model.levels.len() == 1 && !self.model.concrete().gluing.invariants.is_empty()
    }

    /// How many proofs were believed of which nobody knows what was proved.
    pub(crate) fn believed(&self) -> usize {
        let trusted = self.outcome.exploration.proof == Proof::Trust;
        if trusted { self.model.claims.len() } else { 0 }
    }

    /// The names of those who were said to preserve it.
    pub(crate) fn said_by(&self, found: &Contradiction) -> String {
        let names: Vec<&str> = found.operations.iter().map(|o| self.operation_name(*o)).collect();
        names.join(" or ")
    }

    /// Who said so, in brackets; nothing if what was read was only unchanged.
    pub(crate) fn sources(&self, found: &Contradiction) -> String {
        let says = |p: &&Prover| found.operations.iter().any(|o| p.says(*o, found.conjunct));
        let names: BTreeSet<&str> = self.all_provers().filter(says).map(|p| p.name).collect();
        let names: Vec<&str> = names.into_iter().collect();
        if names.is_empty() { String::new() } else { format!(" ({})", names.join(", ")) }
    }

    /// Who proved how much of what is checked in each state.
    pub(crate) fn provers(&self) -> Vec<JsonProver> {
        let told = self.all_provers().map(|p| JsonProver {
            source: p.name,
            always: p.always.len(),
            preserved: p.preserved.len(),
        });
        told.collect()
    }

    /// Those who proved something before the search, and those who did while it was under way.
    fn all_provers(&self) -> impl Iterator<Item = &Prover> {
        self.system.signature().provers.iter().chain(&self.outcome.exploration.provers)
    }

    /// The name of an operation; without one, of initialisation.
    pub(crate) fn operation_name(&self, operation: Option<OperationIndex>) -> &str {
        let known = operation.map(|o| self.system.operation(o));
        known.map_or("INITIALISATION", |o| o.name.as_str())
    }

    /// A state in names and values, constants first.
    pub(crate) fn bindings(&self, at: &StateOf) -> Bindings {
        let system = self.system;
        let constants = system.constants().iter().zip(&at.constants.0);
        let variables = system.variables().iter().zip(&at.state.0);
        let constants = constants.map(|(s, w)| (s.name.clone(), system.show(*w, s.ty)));
        let variables = variables.map(|(s, w)| (s.name.clone(), system.show(*w, s.ty)));
        Bindings(constants.chain(variables).collect())
    }

    /// `File.mch:3:5`, or nothing.
    pub(crate) fn place(&self, span: beeline_source::Span) -> String {
        match self.sources.place(span) {
            Some((file, at)) => format!("{}:{}:{}", file.name, at.line, at.column),
            None => String::new(),
        }
    }
}
