//! From an exploration of the product to a verdict: findings in names and values of both machines, each
//! with the judge's word on it.

use crate::begin::Prepared;
use crate::confirm::{Claimed, Confirmation, Doubt, claimed};
use crate::judges::Judges;
use crate::story::Candidate;
use beeline_compile::{Arguments, Fault, FaultKind, StateRef};
use beeline_explore::{Exploration, Finding, FindingKind, Path, PathStep};
use beeline_judge::{Judge, Replayed, ShowValue, State, Step};
use beeline_source::Span;
use beeline_value::Val;
use beeline_verdict::{
    Bindings, Confirmed, INITIALISATION, ModelError, Unconfirmed, Undetermined, Verdict,
    judge_settings, judge_trace, kind_word,
};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// So many abstract states of a set are shown.
const SHOWN: usize = 10;

/// What was found, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// The word in machine output.
    pub kind: &'static str,
    /// The operation; empty for none.
    pub name: String,
    /// In words.
    pub message: String,
    /// The formula it is about.
    pub span: Span,
}

/// One step of a trace, seen from both sides.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Side {
    /// The operation, or INITIALISATION.
    pub operation: String,
    /// Its parameters.
    pub parameters: Bindings,
    /// Its results.
    pub results: Bindings,
    /// The state of the refinement after it.
    pub concrete: Bindings,
    /// Abstract states that match; of many only some.
    pub candidates: Vec<Bindings>,
    /// How many there are.
    pub total: usize,
}

/// A finding as it is told.
#[derive(Clone, Debug)]
pub struct Found {
    /// In words.
    pub told: Told,
    /// The values of the constants.
    pub constants: Bindings,
    /// The way there.
    pub trace: Vec<Side>,
    /// The step that nothing matches.
    pub failing: Option<Side>,
    /// The abstract states that could have matched; of many only some.
    pub candidates: Vec<Candidate>,
    /// How many there are.
    pub total: usize,
    /// Why the judge does not confirm it.
    pub refused: Option<String>,
    judged: Option<Replayed>,
}

impl Found {
    /// The judge's word on it.
    pub fn replayed(&self) -> Option<&Replayed> {
        self.judged.as_ref()
    }
}

/// A verdict and what is told beside it.
#[derive(Debug)]
pub struct Outcome {
    /// What is known.
    pub verdict: Verdict,
    /// What was found.
    pub findings: Vec<Found>,
    /// What was left out.
    pub cuts: Vec<beeline_explore::CutNote>,
    /// Facts.
    pub exploration: Exploration,
}

/// Decides what an exploration of the product means. When `stop` becomes true the judge ends soon.
pub fn decide(prepared: &Prepared, exploration: Exploration, stop: &Arc<AtomicBool>) -> Outcome {
    let levels = &prepared.levels;
    let judge = |model| {
        let mut judge = Judge::new(model, judge_settings(model, &prepared.system));
        judge.stop_when(stop.clone());
        judge
    };
    let judges = Judges {
        levels,
        options: prepared.options,
        concrete: judge(&levels.concrete),
        abstraction: judge(&levels.abstraction),
    };
    let mut cuts = exploration.cuts.clone();
    prepared.note_unchecked(&mut cuts);
    if !exploration.no_setup && !exploration.setup_faults.is_empty() {
        let words = "the properties are not well-defined for some values of the constants";
        let (span, count) =
            (exploration.setup_faults[0].span, exploration.setup_faults.len() as u64);
        cuts.note(beeline_compile::CutReason::SkippedError, span, words, count);
    }
    let findings: Vec<Found> =
        exploration.findings.iter().map(|f| tell(prepared, &judges, f)).collect();
    let sure = findings.iter().position(|f| f.judged.is_some());
    let verdict = if exploration.lost_path {
        Verdict::Undetermined(Undetermined::LostTrace)
    } else if let Some((index, replayed)) =
        sure.and_then(|i| Some((i, findings[i].judged.as_ref()?)))
    {
        Verdict::Violated(Confirmed::by(replayed, index))
    } else if let Some(first) = findings.first() {
        let why = Unconfirmed::Otherwise(first.refused.clone().unwrap_or_default());
        Verdict::Undetermined(Undetermined::Unconfirmed { found: first.told.message.clone(), why })
    } else if exploration.no_setup && exploration.cuts.is_empty() {
        Verdict::ModelError(match exploration.setup_faults.first() {
            Some(fault) => ModelError::Undefined(Box::new(fault.clone())),
            None => ModelError::NoConstants,
        })
    } else {
        Verdict::of_nothing_found(&exploration, &cuts)
    };
    Outcome { verdict, findings, cuts: cuts.list(), exploration }
}

/// A finding in names and values.
fn tell(prepared: &Prepared, judges: &Judges<'_>, finding: &Finding) -> Found {
    let teller = Teller { prepared };
    let path = &finding.path;
    let mut found = Found {
        told: teller.told(finding),
        constants: teller.constants(path),
        trace: teller.trace(path),
        failing: None,
        candidates: Vec::new(),
        total: 0,
        refused: None,
        judged: None,
    };
    match confirmed(prepared, judges, finding) {
        Ok(confirmation) => {
            let Confirmation { replayed, failing, candidates, total, span, sets } = confirmation;
            found.failing = failing.map(|step| teller.failing(judges, &step));
            (found.candidates, found.total) = (candidates, total);
            if !matches!(span, Span::NONE) && found.told.kind == "refined_precondition" {
                found.told.span = span;
            }
            // The judge's sets are those that are shown: it is the judge who vouches for them.
            for (side, set) in found.trace.iter_mut().zip(&sets) {
                side.total = set.len();
                side.candidates =
                    set.iter().take(SHOWN).map(|s| Bindings(judges.shown(s))).collect();
            }
            found.judged = Some(replayed);
        }
        Err(Doubt(words)) => found.refused = Some(words),
    }
    found
}

fn fault_of(kind: &FindingKind) -> Option<&Fault> {
    match kind {
        FindingKind::Operation(f) | FindingKind::Initialisation(f) => Some(f),
        _ => None,
    }
}

fn confirmed(
    prepared: &Prepared,
    judges: &Judges<'_>,
    finding: &Finding,
) -> Result<Confirmation, Doubt> {
    let mut path = finding.path.clone();
    let fault = fault_of(&finding.kind);
    // The arguments are told to the judge as those of one more step, which is taken off again.
    let call = fault.and_then(|f| f.operation.map(|o| (o, f.arguments.clone())));
    if let (Some((operation, arguments)), Some(last)) = (&call, finding.path.last()) {
        path.steps.push(PathStep {
            operation: *operation,
            arguments: arguments.clone(),
            results: Vec::new(),
            target: last.owned(),
        });
    }
    let mut trace = judge_trace(&judges.concrete, &prepared.system, &path)
        .map_err(|why| Doubt(why.to_string()))?;
    let operations: Vec<usize> = finding.path.steps.iter().map(|s| s.operation.0).collect();
    let call = match (call, finding.path.last()) {
        (Some((operation, _)), Some(_)) => {
            trace.steps.pop().map(|step| (operation.0, step.arguments))
        }
        _ => None,
    };
    let blank = |state: &mut State| {
        let own = &judges.concrete.model().concrete().variables;
        let model = &judges.concrete.model().variables;
        for id in (0..model.len()).map(|i| beeline_model::VariableId(i as u32)) {
            if !own.contains(&id) {
                state.set_variable(id, None);
            }
        }
    };
    trace.initial.iter_mut().for_each(blank);
    for (step, index) in trace.steps.iter_mut().zip(&operations) {
        blank(&mut step.state);
        step.operation = prepared.levels.operations[*index].0;
    }
    let claimed = match (&finding.kind, fault.map(|f| f.kind)) {
        (FindingKind::NoInitialState, _) => Claimed::NoInitialState,
        (_, Some(FaultKind::Promise(promise))) => claimed(promise, call),
        _ => Claimed::Fails(call),
    };
    judges.confirm(&trace, &operations, &claimed)
}

/// Words of the engine as people see them.
struct Teller<'p> {
    prepared: &'p Prepared,
}

impl Teller<'_> {
    fn constants(&self, path: &Path) -> Bindings {
        let system = &self.prepared.system;
        let slots = system.constants().iter().zip(&path.constants.0);
        Bindings(slots.map(|(s, w)| (s.name.clone(), system.show(*w, s.ty))).collect())
    }

    fn concrete(&self, state: StateRef<'_>) -> Bindings {
        let system = &self.prepared.system;
        let slots = system.variables().iter().zip(state.iter());
        let own = slots.take(self.prepared.concrete_variables());
        Bindings(own.map(|(s, w)| (s.name.clone(), system.show(w, s.ty))).collect())
    }

    fn trace(&self, path: &Path) -> Vec<Side> {
        let initial = path.initial.iter().map(|state| Side {
            operation: INITIALISATION.to_owned(),
            concrete: self.concrete(state.view()),
            ..Side::default()
        });
        let system = &self.prepared.system;
        let steps = path.steps.iter().map(|step| {
            let operation = system.operation(step.operation);
            let named = |names: &[(String, beeline_model::TypeId)], words: &[u32]| {
                let set = names.iter().zip(words).filter(|(_, w)| **w != Val::UNSET.raw());
                Bindings(set.map(|((n, ty), w)| (n.clone(), system.show(*w, *ty))).collect())
            };
            Side {
                operation: operation.name.clone(),
                parameters: named(&operation.parameters, &step.arguments.0),
                results: named(&operation.results, &step.results),
                concrete: self.concrete(step.target.view()),
                ..Side::default()
            }
        });
        initial.chain(steps).collect()
    }

    /// The step that the judge found to be matched by nothing.
    fn failing(&self, judges: &Judges<'_>, step: &Step) -> Side {
        let model = judges.concrete.model();
        let variables = model.concrete().variables.iter().filter_map(|id| {
            let variable = model.variable(*id);
            let value = ShowValue::typed(model, step.state.variable(*id)?, variable.ty);
            Some((variable.name.to_string(), value.to_string()))
        });
        let mut side = Side {
            operation: INITIALISATION.to_owned(),
            concrete: Bindings(variables.collect()),
            ..Side::default()
        };
        if let Some(operation) = model.operations.get(step.operation.index()) {
            let named = |(id, value): (&beeline_model::LocalId, Option<&beeline_judge::Value>)| {
                let local = model.local(*id);
                let value = ShowValue::typed(model, value?, local.ty).to_string();
                Some((local.name.to_string(), value))
            };
            let arguments = step.arguments.iter().map(Some);
            let results = step.results.iter().map(Option::as_ref);
            side.operation = operation.name.to_string();
            side.parameters =
                Bindings(operation.parameters.iter().zip(arguments).filter_map(named).collect());
            side.results =
                Bindings(operation.results.iter().zip(results).filter_map(named).collect());
        }
        side
    }

    fn told(&self, finding: &Finding) -> Told {
        let kind = kind_word(&finding.kind);
        let Some(fault) = fault_of(&finding.kind) else {
            let (name, span) = (String::new(), Span::NONE);
            let message = match finding.kind {
                FindingKind::NoInitialState => "initialisation is not possible",
                _ => "something is wrong",
            };
            return Told { kind, name, message: message.to_owned(), span };
        };
        let above = self.prepared.levels.abstract_name();
        let call = self.call(fault);
        let name = fault.operation.map_or_else(
            || INITIALISATION.to_owned(),
            |o| self.prepared.system.operation(o).name.clone(),
        );
        use beeline_model::Promise as P;
        let message = match fault.kind {
            FaultKind::Promise(P::Simulation) => {
                format!("{call} does something that {above} cannot do")
            }
            FaultKind::Promise(P::RefinedPrecondition) => {
                format!("{call} may not be called where {above} allows it")
            }
            FaultKind::Promise(P::Refusal) => {
                format!("{call} is refused, but {above} cannot refuse it")
            }
            FaultKind::Promise(P::Enabledness) => {
                format!("no operation is possible, although {above} can go on")
            }
            _ => format!("{call} fails: {}", fault.words),
        };
        let name =
            if fault.kind == FaultKind::Promise(P::Enabledness) { String::new() } else { name };
        Told { kind, name, message, span: fault.span }
    }

    fn call(&self, fault: &Fault) -> String {
        let Some(operation) = fault.operation else { return INITIALISATION.to_owned() };
        let system = &self.prepared.system;
        let operation = system.operation(operation);
        let Arguments(words) = &fault.arguments;
        let values = operation.parameters.iter().zip(words);
        let values: Vec<String> =
            values.map(|((n, ty), w)| format!("{n}={}", system.show(*w, *ty))).collect();
        match values.is_empty() {
            true => operation.name.clone(),
            false => format!("{}({})", operation.name, values.join(", ")),
        }
    }
}
