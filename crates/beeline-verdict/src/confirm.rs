//! Asking the judge: is this path a real execution, and is what was found really there?

use crate::convert::Converter;
use crate::unconfirmed::Unconfirmed;
use beeline_compile::{Constants, ConstantsRef, StateRef, System};
use beeline_explore::{Finding, FindingKind, Path};
use beeline_fault::{Flaw, planted};
use beeline_judge::{Claim, Judge, Replayed, Settings, State, Trace, TraceStep, Value};
use beeline_model::{Model, Pred};

/// The judge's scope: the same sizes and bounds as those of the compiled system.
pub fn judge_settings(model: &Model, system: &System) -> Settings {
    let scope = system.settings();
    let mut settings = Settings::of(model);
    settings.maxint = scope.max_int.into();
    settings.minint = scope.min_int.into();
    settings.set_sizes = system
        .set_sizes()
        .iter()
        .map(|(_, size)| u32::try_from(*size).unwrap_or(u32::MAX))
        .collect();
    // Whoever asks a judge with these settings looks at the clock: limits are the user's.
    settings.max_steps = u64::MAX;
    settings.max_depth = 1_000_000;
    settings
}

/// A path as the judge knows it.
pub fn judge_trace(judge: &Judge<'_>, system: &System, path: &Path) -> Result<Trace, Unconfirmed> {
    Tracer::new(system).trace(judge, path)
}

/// Turns paths into traces of the judge; what they have in common is done once.
pub struct Tracer<'s> {
    system: &'s System,
    values: Converter<'s>,
    /// The last constants.
    setup: Option<(Constants, State)>,
}

impl<'s> Tracer<'s> {
    /// For the words of one system.
    pub fn new(system: &'s System) -> Tracer<'s> {
        Tracer { system, values: Converter::new(system), setup: None }
    }

    /// The same path as the judge knows it. All paths must be asked of one judge.
    pub fn trace(&mut self, judge: &Judge<'_>, path: &Path) -> Result<Trace, Unconfirmed> {
        self.values.begin();
        let setup = self.setup(judge, path.constants.view())?;
        let initial = path.initial.as_ref().map(|state| self.state(&setup, state.view()));
        let mut steps = Vec::with_capacity(path.steps.len());
        for step in &path.steps {
            let operation = self.system.operation(step.operation).id;
            let arguments = self.all(&step.arguments.0).ok_or(Unconfirmed::ParameterNotListed)?;
            let results = self.all(&step.results);
            let state = self.state(&setup, step.target.view());
            steps.push(TraceStep { operation, arguments, results, state });
        }
        Ok(Trace { setup, initial, steps })
    }

    fn setup(
        &mut self,
        judge: &Judge<'_>,
        constants: ConstantsRef<'_>,
    ) -> Result<State, Unconfirmed> {
        if let Some((_, setup)) = self.setup.as_ref().filter(|known| known.0.view() == constants) {
            return Ok(setup.clone());
        }
        let mut setup = State::blank(judge.model());
        for (slot, word) in self.system.constants().iter().zip(constants.iter()) {
            setup.set_constant(slot.id, self.values.value(word));
        }
        let setup = match judge.complete_setup(&setup) {
            Ok(Some(setup)) => setup,
            Ok(None) => return Err(Unconfirmed::NoConstants),
            Err(error) => return Err(Unconfirmed::ConstantsUnknown(error)),
        };
        self.setup = Some((constants.owned(), setup.clone()));
        Ok(setup)
    }

    /// What is not listed the judge has to find by itself.
    fn state(&mut self, setup: &State, state: StateRef<'_>) -> State {
        let mut known = setup.clone();
        for (number, (slot, word)) in self.system.variables().iter().zip(state.iter()).enumerate() {
            known.set_variable(slot.id, self.values.variable(number, word));
        }
        known
    }

    fn all(&mut self, words: &[u32]) -> Option<Vec<Value>> {
        words.iter().map(|w| self.values.value(*w)).collect()
    }
}

/// Asks the judge about a finding.
pub(crate) fn confirm(
    judge: &Judge<'_>,
    system: &System,
    finding: &Finding,
    trace: &Trace,
    goal: Option<&Pred>,
) -> Result<Replayed, Unconfirmed> {
    let claim = match planted(Flaw::JudgeNotAsked) {
        true => Claim::Reached,
        false => claim(judge.model(), system, &finding.kind, goal)?,
    };
    judge.replay(trace, &claim).map_err(Unconfirmed::Refused)
}

fn claim<'c>(
    model: &'c Model,
    system: &System,
    kind: &FindingKind,
    goal: Option<&'c Pred>,
) -> Result<Claim<'c>, Unconfirmed> {
    let goal = || goal.ok_or(Unconfirmed::NoGoal);
    Ok(match kind {
        FindingKind::Violated(id) => Claim::Violated(*id),
        FindingKind::Undefined(id, _) => {
            let conjunct = model.concrete().conjunct(*id);
            Claim::IllDefined(&conjunct.ok_or(Unconfirmed::NoConjunct)?.pred)
        }
        FindingKind::Operation(fault) => {
            let operation = fault.operation.map(|o| system.operation(o));
            let id = operation.ok_or(Unconfirmed::NoOperation)?.id;
            let mut values = Converter::new(system);
            values.begin();
            let arguments: Option<Vec<Value>> =
                fault.arguments.0.iter().map(|word| values.value(*word)).collect();
            let parameters = model.operation(id).parameters.len();
            Claim::OperationFails(id, arguments.filter(|a| a.len() == parameters))
        }
        FindingKind::Initialisation(_) => Claim::InitialisationFails,
        FindingKind::Deadlock => Claim::Deadlock,
        FindingKind::NoInitialState => Claim::NoInitialState,
        FindingKind::Goal => Claim::Goal(goal()?),
        FindingKind::GoalUndefined(_) => Claim::IllDefined(goal()?),
    })
}
