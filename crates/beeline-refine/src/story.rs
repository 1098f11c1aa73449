//! Why a candidate does not fit: the guard that is false, the result that differs, the conjunct of the
//! gluing invariant that does not hold. Told by the judge.

use crate::judges::{Judges, Misfit};
use beeline_judge::{Eval, Scene, ShowValue, State, Step, Value};
use beeline_model::{Conjunct, Operation, OperationId, SubstKind};
use beeline_source::Span;

/// An abstract state that could have matched, and why it does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Its variables with their values.
    pub state: Vec<(String, String)>,
    /// Why not.
    pub why: String,
    /// The formula that says so.
    pub span: Span,
}

/// The step that is to be matched.
pub(crate) struct Call<'c> {
    pub above: Option<OperationId>,
    pub arguments: &'c [Value],
    /// Results and state after, where it is a step that is not matched.
    pub step: &'c Step,
    pub labelled: bool,
}

impl Judges<'_> {
    /// An abstract state in names and values.
    pub fn shown(&self, state: &State) -> Vec<(String, String)> {
        let model = self.abstraction.model();
        let shown = |id: &beeline_model::VariableId| {
            let variable = model.variable(*id);
            let value = state.variable(*id)?;
            let value = ShowValue::typed(model, value, variable.ty).to_string();
            Some((variable.name.to_string(), value))
        };
        model.concrete().variables.iter().filter_map(shown).collect()
    }

    /// Why a step is not matched from a candidate.
    pub fn story(&self, candidate: &State, call: &Call<'_>) -> Eval<Candidate> {
        let state = self.shown(candidate);
        let told = |why: String, span: Span| Candidate { state: state.clone(), why, span };
        let Some(above) = call.above else {
            let misfit = self.misfit(&call.step.state, candidate)?;
            let (why, span) = self.told(misfit);
            return Ok(told(format!("unchanged, as the operation is new: {why}"), span));
        };
        let operation = self.abstraction.model().operation(above);
        let (steps, _) = match call.labelled {
            true => self.abstraction.outcomes_with(above, call.arguments, candidate)?,
            false => self.abstraction.outcomes_of(above, candidate)?,
        };
        if steps.is_empty() {
            return Ok(match self.closed(operation, call, candidate)? {
                Some(guard) => {
                    let text = self.abstraction.model().show_pred(&guard.pred);
                    told(format!("the abstraction cannot do this: {text} is false"), guard.span)
                }
                None => told("the abstraction cannot do this".to_owned(), operation.span),
            });
        }
        let mut with_results = Vec::new();
        for step in &steps {
            if !call.labelled || self.same_results(step, call.step)? {
                with_results.push(step);
            }
        }
        if with_results.is_empty() {
            let (model, first) = (self.abstraction.model(), &steps[0]);
            let results: Vec<String> = operation
                .results
                .iter()
                .zip(&first.results)
                .filter_map(|(id, value)| {
                    let local = model.local(*id);
                    let value = ShowValue::typed(model, value.as_ref()?, local.ty);
                    Some(format!("{} = {value}", local.name))
                })
                .collect();
            let only = if steps.len() == 1 { "returns" } else { "returns other results, such as" };
            return Ok(told(
                format!("the abstraction {only} {}", results.join(", ")),
                operation.span,
            ));
        }
        let misfit = self.misfit(&call.step.state, &with_results[0].state)?;
        let (why, span) = self.told(misfit);
        let after: Vec<String> =
            self.shown(&with_results[0].state).iter().map(|(n, v)| format!("{n} = {v}")).collect();
        let others = match with_results.len() {
            1 => String::new(),
            n => format!(" (as after {} other choices)", n - 1),
        };
        Ok(told(format!("with {} after it, {why}{others}", after.join(", ")), span))
    }

    /// A misfit in words.
    pub fn told(&self, misfit: Option<Misfit<'_>>) -> (String, Span) {
        match misfit {
            None => ("everything fits".to_owned(), Span::NONE),
            Some(Misfit::Kept(id)) => {
                let variable = self.abstraction.model().variable(id);
                (format!("{} would differ in the two machines", variable.name), variable.span)
            }
            Some(Misfit::Conjunct(conjunct)) => {
                let text = self.concrete.model().show_pred(&conjunct.pred);
                (format!("the gluing invariant is false: {text}"), conjunct.span)
            }
        }
    }

    /// The first condition at the top of an operation that is false.
    fn closed<'o>(
        &self,
        operation: &'o Operation,
        call: &Call<'_>,
        state: &State,
    ) -> Eval<Option<&'o Conjunct>> {
        let mut scene = Scene::of(state);
        if call.labelled {
            for (parameter, argument) in operation.parameters.iter().zip(call.arguments) {
                scene.bind(*parameter, argument.clone());
            }
        }
        for conjunct in conditions(operation) {
            if !self.abstraction.holds(&conjunct.pred, &scene)? {
                return Ok(Some(conjunct));
            }
        }
        Ok(None)
    }
}

/// The conditions at the top of an operation.
fn conditions(operation: &Operation) -> Vec<&Conjunct> {
    let (mut all, mut rest) = (Vec::new(), &operation.body);
    loop {
        match &rest.kind {
            SubstKind::Pre(conjuncts, inner) => {
                all.extend(conjuncts);
                rest = inner;
            }
            SubstKind::Select(branches, None) if let [(conjuncts, inner)] = branches.as_slice() => {
                all.extend(conjuncts);
                rest = inner;
            }
            _ => return all,
        }
    }
}
