//! The verdict of an exploration.

use crate::confirm::{Tracer, confirm, judge_settings};
use crate::conflict::conflict;
use crate::describe::{Described, describe};
use crate::parts::{Part, parts};
use crate::sanity::{Observation, observe};
use crate::trace::Trace;
use crate::unconfirmed::Unconfirmed;
use crate::verdict::{Confirmed, ModelError, Undetermined, Verdict};
use beeline_compile::{CutReason, System};
use beeline_explore::{Checks, CutNote, Cuts, Exploration, Finding, FindingKind, Path};
use beeline_judge::{Judge, Replayed, Scene, Settings};
use beeline_model::{Model, Pred};
use beeline_source::Span;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A verdict and everything that is told beside it.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// What is known.
    pub verdict: Verdict,
    /// What was found, the one that the verdict is about first.
    pub findings: Vec<Found>,
    /// What was left out.
    pub cuts: Vec<CutNote>,
    /// Conjuncts of the properties that cannot all hold, where that is the verdict.
    pub conflict: Vec<Span>,
    /// What is odd about a model that was explored to its end. It changes no verdict.
    pub observations: Vec<Observation>,
    /// Facts.
    pub exploration: Exploration,
}

/// A finding as it is told.
#[derive(Clone, Debug)]
pub struct Found {
    /// In words.
    pub told: Described,
    /// The way there.
    pub trace: Trace,
    /// The formula that is false, in B notation.
    pub formula: Option<String>,
    /// Values of its parts.
    pub parts: Vec<Part>,
    /// The judge's word on it.
    pub(crate) judged: Result<Replayed, Unconfirmed>,
}

impl Found {
    /// What another search of the same specification found, and the judge has seen.
    pub fn of_other_search(told: Described, trace: Trace, judged: Replayed) -> Found {
        Found { told, trace, formula: None, parts: Vec::new(), judged: Ok(judged) }
    }

    /// Why the judge does not confirm it; nothing if it does.
    pub fn refused(&self) -> Option<&Unconfirmed> {
        self.judged.as_ref().err()
    }
}

/// Makes a verdict. `checks` is what the user asked for, `goal` the formula that the exploration
/// looked for. When `stop` becomes true the judge ends soon, and what it has not confirmed stays
/// unconfirmed.
pub fn decide(
    model: &Model,
    system: &System,
    exploration: Exploration,
    checks: &Checks,
    goal: Option<&Pred>,
    stop: &Arc<AtomicBool>,
) -> Outcome {
    decide_within(model, system, exploration, (checks, goal), None, stop)
}

/// The same, by a judge that takes only so many steps for a question.
pub fn decide_within(
    model: &Model,
    system: &System,
    exploration: Exploration,
    (checks, goal): (&Checks, Option<&Pred>),
    steps: Option<u64>,
    stop: &Arc<AtomicBool>,
) -> Outcome {
    let mut settings = judge_settings(model, system);
    if let Some(steps) = steps {
        // What need not be listed gets a small part of it.
        (settings.max_steps, settings.eager_steps) = (steps, steps / 20);
    }
    let mut judge = Judge::new(model, settings);
    judge.stop_when(stop.clone());
    let mut cuts = exploration.cuts.clone();
    if !exploration.no_setup && !exploration.setup_faults.is_empty() {
        let words = "the properties are not well-defined for some values of the constants";
        let count = exploration.setup_faults.len() as u64;
        cuts.note(CutReason::SkippedError, exploration.setup_faults[0].span, words, count);
    }
    let unsatisfiable = exploration.no_setup && cuts.is_empty();
    crate::unchecked::note(model, checks, &mut cuts);
    let mut tracer = Tracer::new(system);
    let findings: Vec<Found> =
        exploration.findings.iter().map(|f| tell(&judge, &mut tracer, system, f, goal)).collect();
    let verdict = if exploration.lost_path {
        Verdict::Undetermined(Undetermined::LostTrace)
    } else if unfounded(&findings) && has_open_constants(&cuts) {
        Verdict::of_nothing_found(&exploration, &cuts)
    } else if let Some(first) = first(&exploration.findings, &findings) {
        of_finding(first, &exploration.findings[first], &findings[first])
    } else if unsatisfiable {
        Verdict::ModelError(no_setup(&exploration))
    } else if let Some(why) = against_proofs(model, system, &exploration, stop) {
        Verdict::Undetermined(why)
    } else {
        Verdict::of_nothing_found(&exploration, &cuts)
    };
    let conflict = match &verdict {
        Verdict::ModelError(ModelError::NoConstants) => {
            conflict(model, system.settings(), steps, stop)
        }
        _ => Vec::new(),
    };
    let observations = observe(model, system, &exploration);
    Outcome { verdict, findings, cuts: cuts.list(), conflict, observations, exploration }
}

/// Steps that the judge may take for all that was not evaluated.
const SAMPLE_STEPS: u64 = 200_000;

/// Asks the judge about conjuncts that were left out because they are known to hold: is one of them
/// false?
fn against_proofs(
    model: &Model,
    system: &System,
    exploration: &Exploration,
    stop: &Arc<AtomicBool>,
) -> Option<Undetermined> {
    if exploration.samples.is_empty() || exploration.sampled.is_empty() {
        return None;
    }
    let settings = Settings { max_steps: SAMPLE_STEPS, ..judge_settings(model, system) };
    let mut judge = Judge::new(model, settings);
    judge.stop_when(stop.clone());
    let level = model.concrete();
    let mut tracer = Tracer::new(system);
    for sample in &exploration.samples {
        let (constants, initial) = (sample.constants.clone(), Some(sample.state.clone()));
        let path = Path { constants, initial, ..Path::default() };
        // What the judge cannot look at it does not object to.
        let Ok(trace) = tracer.trace(&judge, &path) else { return None };
        let scene = Scene::of(trace.initial.as_ref().unwrap_or(&trace.setup));
        for conjunct in exploration.sampled.iter().filter_map(|id| level.conjunct(*id)) {
            if let Ok(false) = judge.holds(&conjunct.pred, &scene) {
                let label = conjunct.label.as_ref().map(|label| label.to_string());
                return Some(Undetermined::AgainstProof(label));
            }
        }
    }
    None
}

/// The finding that the verdict is about: a violation before a goal, and of violations one that the
/// judge confirms.
fn first(findings: &[Finding], told: &[Found]) -> Option<usize> {
    let violations = || (0..findings.len()).filter(|i| findings[*i].kind.is_violation());
    let sure = violations().find(|i| told[*i].judged.is_ok());
    sure.or_else(|| violations().next()).or(if findings.is_empty() { None } else { Some(0) })
}

/// Are all findings about constants that are none of the model's?
fn unfounded(told: &[Found]) -> bool {
    !told.is_empty()
        && told.iter().all(|f| f.refused().is_some_and(Unconfirmed::is_of_other_constants))
}

/// Were values of the constants tried of which the engine did not know whether they are values?
fn has_open_constants(cuts: &Cuts) -> bool {
    cuts.list().iter().any(|c| c.reason == CutReason::Constants)
}

fn of_finding(index: usize, finding: &Finding, found: &Found) -> Verdict {
    match (&found.judged, &finding.kind) {
        (Ok(replayed), FindingKind::Goal) => Verdict::GoalFound(Confirmed::by(replayed, index)),
        (Ok(replayed), _) => Verdict::Violated(Confirmed::by(replayed, index)),
        (Err(why), _) => {
            let (found, why) = (found.told.message.clone(), why.clone());
            Verdict::Undetermined(Undetermined::Unconfirmed { found, why })
        }
    }
}

/// A finding in words and values, with the judge's word on it.
pub(crate) fn tell(
    judge: &Judge<'_>,
    tracer: &mut Tracer<'_>,
    system: &System,
    finding: &Finding,
    goal: Option<&Pred>,
) -> Found {
    let path = tracer.trace(judge, &finding.path);
    let judged = path
        .as_ref()
        .map_err(Unconfirmed::clone)
        .and_then(|trace| confirm(judge, system, finding, trace, goal));
    let model = judge.model();
    let pred = match &finding.kind {
        FindingKind::Violated(id) => model.concrete().conjunct(*id).map(|c| &c.pred),
        _ => None,
    };
    let parts = match (pred, path) {
        (Some(pred), Ok(trace)) => {
            let last = trace.steps.last().map(|s| &s.state).or(trace.initial.as_ref());
            // The judge may know values that the trace does not tell.
            let last = judged.as_ref().ok().map(|replayed| &replayed.last).or(last);
            parts(judge, pred, last.unwrap_or(&trace.setup))
        }
        _ => Vec::new(),
    };
    let trace = Trace::new(system, model.name.as_str(), &finding.path);
    let formula = pred.map(|pred| model.show_pred(pred));
    let told = describe(system, finding);
    Found { told, trace, formula, parts, judged }
}

fn no_setup(exploration: &Exploration) -> ModelError {
    match exploration.setup_faults.first() {
        Some(fault) => ModelError::Undefined(Box::new(fault.clone())),
        None => ModelError::NoConstants,
    }
}

impl Outcome {
    /// The place that a model error is about.
    pub fn error_span(&self) -> Span {
        self.exploration.setup_faults.first().map_or(Span::NONE, |f| f.span)
    }
}
