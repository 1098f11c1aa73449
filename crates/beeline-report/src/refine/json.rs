//! The report for programs. Field names and their order are a contract; new fields come last.

use super::{RefineReport, RefineStep};
use crate::JsonReport;
use crate::cut::{JsonCut, reason_word};
use beeline_compile::CutReason;
use beeline_refine::{Found, Side};
use beeline_verdict::{Bindings, Verdict};
use serde::Serialize;
use std::time::Duration;

/// A whole refinement check.
#[derive(Debug, Serialize)]
#[allow(missing_docs)]
pub struct JsonRefine {
    pub schema: u32,
    pub model: String,
    /// Of all steps together.
    pub verdict: &'static str,
    pub complete: bool,
    /// Each level with the next, most abstract first.
    pub steps: Vec<JsonRefineStep>,
    /// What was left out before anything could be compared.
    pub cuts: Vec<JsonCut>,
    /// Why there is nothing to tell; empty if there is.
    pub message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub load: Option<JsonReport>,
}

/// One level compared with the next.
#[derive(Debug, Serialize)]
#[allow(missing_docs)]
pub struct JsonRefineStep {
    pub refinement: String,
    pub abstraction: String,
    pub mode: &'static str,
    pub verdict: &'static str,
    pub complete: bool,
    pub cuts: Vec<JsonCut>,
    pub sets: Vec<JsonSize>,
    pub maxint: i64,
    pub minint: i64,
    pub findings: Vec<JsonRefineFinding>,
    pub states: u64,
    pub transitions: u64,
    pub depth: u32,
    pub seconds: f64,
    pub peak_memory_bytes: Option<u64>,
    pub resumed: Option<u64>,
    pub message: String,
}

/// The size of a set, in both machines.
#[derive(Debug, Serialize)]
#[allow(missing_docs)]
pub struct JsonSize {
    pub name: String,
    pub size: u64,
}

/// A finding.
#[derive(Debug, Serialize)]
#[allow(missing_docs)]
pub struct JsonRefineFinding {
    pub kind: &'static str,
    pub name: String,
    pub message: String,
    #[serde(rename = "where")]
    pub place: Option<String>,
    pub constants: Bindings,
    pub trace: Vec<JsonSide>,
    /// The step that nothing matches.
    pub failing: Option<JsonSide>,
    /// Abstract states that could follow, and why none does; of many only some.
    pub candidates: Vec<JsonCandidate>,
    pub candidates_in_all: usize,
    /// Did the judge replay both machines and see it, too?
    pub confirmed: bool,
    pub shortest: bool,
}

/// A step of a trace, from both sides.
#[derive(Debug, Serialize)]
#[allow(missing_docs)]
pub struct JsonSide {
    pub operation: String,
    pub parameters: Bindings,
    pub results: Bindings,
    pub state: Bindings,
    pub abstract_states: Vec<Bindings>,
    pub abstract_states_in_all: usize,
}

/// An abstract state that does not match.
#[derive(Debug, Serialize)]
#[allow(missing_docs)]
pub struct JsonCandidate {
    pub state: Bindings,
    pub why: String,
    #[serde(rename = "where")]
    pub place: Option<String>,
}

impl JsonRefine {
    /// There was nothing to compare.
    pub fn not_checked(
        file: &str,
        verdict: &'static str,
        message: String,
        load: Option<JsonReport>,
    ) -> JsonRefine {
        JsonRefine {
            schema: 1,
            model: file.to_owned(),
            verdict,
            complete: false,
            steps: Vec::new(),
            cuts: Vec::new(),
            message,
            load,
        }
    }

    /// It had to be ended from outside before it could tell anything.
    pub fn broken_off(file: &str, reason: CutReason, words: &str, elapsed: Duration) -> JsonRefine {
        let (reason, message) = (reason_word(reason), words.to_owned());
        let cuts = vec![JsonCut { reason, place: None, message, count: 1 }];
        let message = format!("ended after {:.2} s", elapsed.as_secs_f64());
        JsonRefine { cuts, ..JsonRefine::not_checked(file, "no_error_found", message, None) }
    }
}

impl RefineReport<'_> {
    /// The report for programs.
    pub fn json(&self) -> JsonRefine {
        let steps: Vec<JsonRefineStep> = self.steps.iter().map(|s| self.json_step(s)).collect();
        JsonRefine {
            verdict: self.verdict.word(),
            complete: !steps.is_empty() && steps.iter().all(|s| s.complete),
            steps,
            ..JsonRefine::not_checked(self.file, "", String::new(), None)
        }
    }

    fn json_step(&self, step: &RefineStep<'_>) -> JsonRefineStep {
        let (outcome, settings) = (step.outcome, step.system.settings());
        let facts = &outcome.exploration;
        // The finding that the verdict is about comes first.
        let first = match &outcome.verdict {
            Verdict::Violated(c) => c.finding(),
            _ => 0,
        };
        let mut order: Vec<usize> = (0..outcome.findings.len()).collect();
        order.sort_by_key(|i| *i != first);
        JsonRefineStep {
            refinement: step.levels.concrete_name().to_owned(),
            abstraction: step.levels.abstract_name().to_owned(),
            mode: step.options.mode.name(),
            verdict: outcome.verdict.word(),
            complete: outcome.cuts.is_empty() && facts.is_complete() && !facts.no_setup,
            cuts: outcome
                .cuts
                .iter()
                .map(|c| JsonCut {
                    reason: reason_word(c.reason),
                    place: self.place(c.span),
                    message: c.words.clone(),
                    count: c.count,
                })
                .collect(),
            sets: step.sets().map(|(n, size)| JsonSize { name: n.clone(), size: *size }).collect(),
            maxint: settings.max_int,
            minint: settings.min_int,
            findings: order
                .iter()
                .map(|i| self.json_finding(&outcome.findings[*i], facts.minimal))
                .collect(),
            states: facts.counts.states(),
            transitions: facts.counts.transitions,
            depth: facts.depth,
            seconds: facts.elapsed.as_secs_f64(),
            peak_memory_bytes: facts.peak_memory_bytes,
            resumed: facts.resumed,
            message: outcome.verdict.why().unwrap_or_default(),
        }
    }

    fn json_finding(&self, found: &Found, shortest: bool) -> JsonRefineFinding {
        JsonRefineFinding {
            kind: found.told.kind,
            name: found.told.name.clone(),
            message: found.told.message.clone(),
            place: self.place(found.told.span),
            constants: found.constants.clone(),
            trace: found.trace.iter().map(side).collect(),
            failing: found.failing.as_ref().map(side),
            candidates: found
                .candidates
                .iter()
                .map(|c| JsonCandidate {
                    state: Bindings(c.state.clone()),
                    why: c.why.clone(),
                    place: self.place(c.span),
                })
                .collect(),
            candidates_in_all: found.total,
            confirmed: found.refused.is_none(),
            shortest,
        }
    }
}

fn side(side: &Side) -> JsonSide {
    JsonSide {
        operation: side.operation.clone(),
        parameters: side.parameters.clone(),
        results: side.results.clone(),
        state: side.concrete.clone(),
        abstract_states: side.candidates.clone(),
        abstract_states_in_all: side.total,
    }
}
