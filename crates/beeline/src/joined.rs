//! One verdict of two searches: a refinement by itself, and beside its abstraction.
//!
//! It holds only if both do. It does not know how either was run.

use crate::error::Error;
use crate::refine::{Refined, Step};
use beeline_compile::CutReason;
use beeline_explore::Checks;
use beeline_model::Model;
use beeline_refine::Side;
use beeline_source::Span;
use beeline_verdict::{
    Bindings, Confirmed, Described, Found, INITIALISATION, Outcome, SETUP, Trace, TraceScope,
    TraceStep, Verdict,
};

/// Is there a verdict that what comes of the refinement can change?
pub(crate) fn is_open(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Holds(_) | Verdict::NoErrorFound(_))
}

/// Adds what came of the refinement to what came of the machine by itself.
pub(crate) fn join(
    outcome: &mut Outcome,
    (model, checks): (&Model, &Checks),
    refined: Result<Refined, Error>,
) -> Option<Refined> {
    let level = model.concrete();
    let mut cut = |span: Span, words: String| {
        let reason = CutReason::NotChecked;
        outcome.cuts.push(beeline_explore::CutNote { reason, span, words, count: 1 });
    };
    for assertion in level.gluing.assertions.iter().filter(|_| checks.assertions) {
        let words = "not checked: an assertion about abstract variables".to_owned();
        cut(assertion.conjunct.span, words);
    }
    let refined = match refined {
        Ok(refined) => refined,
        Err(error) => {
            let component = model.component(level.component);
            let words = format!("not checked: whether {} refines: {error}", component.name);
            cut(component.span, words);
            outcome.verdict = Verdict::NoErrorFound(outcome.cuts.clone());
            return None;
        }
    };
    for step in refined.steps() {
        let (below, above) = (step.levels().concrete_name(), step.levels().abstract_name());
        outcome.cuts.extend(step.outcome.cuts.iter().cloned().map(|mut cut| {
            cut.words = format!("{below} beside {above}: {}", cut.words);
            cut
        }));
    }
    if let Some(verdict) = wrong(outcome, &refined) {
        outcome.verdict = verdict;
    } else if let Some(verdict) = refined.worst().filter(|v| !is_open(v)) {
        outcome.verdict = verdict.clone();
    } else if !outcome.cuts.is_empty() || !refined.holds() {
        outcome.verdict = Verdict::NoErrorFound(outcome.cuts.clone());
    }
    Some(refined)
}

/// The verdict if a level does not refine the one above, with what is told of it.
fn wrong(outcome: &mut Outcome, refined: &Refined) -> Option<Verdict> {
    let step = refined.wrong_step()?;
    let Verdict::Violated(confirmed) = &step.outcome.verdict else { return None };
    let found = step.outcome.findings.get(confirmed.finding())?;
    let judged = found.replayed()?.clone();
    let (below, above) = (step.levels().concrete_name(), step.levels().abstract_name());
    let told = Described {
        kind: found.told.kind,
        name: found.told.name.clone(),
        message: format!("{below} does not refine {above}: {}", found.told.message),
        span: found.told.span,
    };
    let verdict = Verdict::Violated(Confirmed::by(&judged, outcome.findings.len()));
    let trace = trace(step, &found.constants, &found.trace);
    outcome.findings.push(Found::of_other_search(told, trace, judged));
    Some(verdict)
}

/// The way there, of the refinement alone.
fn trace(step: &Step, constants: &Bindings, sides: &[Side]) -> Trace {
    let system = step.system();
    let setup = system.has_setup().then(|| TraceStep {
        operation: SETUP.to_owned(),
        parameters: Bindings::default(),
        results: Bindings::default(),
        state: constants.clone(),
    });
    let steps = sides.iter().map(|side| TraceStep {
        operation: side.operation.clone(),
        parameters: side.parameters.clone(),
        results: side.results.clone(),
        state: side.concrete.clone(),
    });
    debug_assert!(sides.first().is_none_or(|s| s.operation == INITIALISATION));
    let model = step.levels().concrete.name.to_string();
    let scope = Some(TraceScope::of(system));
    Trace { schema: 2, model, scope, steps: setup.into_iter().chain(steps).collect() }
}
