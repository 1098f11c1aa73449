//! Partial order reduction of one search: what must not be missed, and the whole state space beside it where
//! an audit is asked for.

use super::{CheckOptions, System};
use crate::error::OptionError;
use crate::stack::on_large_stack;
use beeline_compile::{Builder, PredId};
use beeline_explore::{Exploration, Finding, FindingKind, Options, Order};
use beeline_model::{Model, Pred};
use beeline_por::{Audit, Found, PartialOrder, Tallied, Told, Usage, Wanted, find};
use beeline_transition::TransitionSystem;

/// What is known of the operations of a model, ready for a search.
pub(super) struct Known {
    found: Found,
    /// The conditions, as the system has them.
    conditions: Vec<Option<PredId>>,
    tally: Tallied,
}

/// Finds out what can wait, if that is asked for.
pub(super) fn known(
    model: &Model,
    options: &CheckOptions,
    builder: &mut Builder,
    goal: Option<&Pred>,
) -> Result<Option<Known>, OptionError> {
    if options.partial_order == Usage::Off {
        return Ok(None);
    }
    // Where the search goes no further depends on variables that any operation may change.
    if model.special.scope.is_some() {
        return Err(OptionError::PartialOrderScope);
    }
    let checks = &options.explore.checks;
    let settings = options.scope.settings(Some(model));
    let wanted = Wanted {
        deadlock: checks.deadlock,
        invariants: checks.invariants,
        assertions: checks.assertions,
        goal,
        // Where the search ends with the first finding, any other one will do.
        first: checks.invariants && !options.explore.all,
        bounds: (settings.min_int, settings.max_int),
    };
    let found = on_large_stack(|| find(model, &wanted));
    // What cannot be compiled is not known in any state.
    let conditions = found.conditions.iter().map(|p| builder.pred(model, p).ok()).collect();
    Ok(Some(Known { found, conditions, tally: Tallied::default() }))
}

impl Known {
    /// A system without the steps that can wait.
    pub fn around<S: TransitionSystem>(&self, inner: S) -> PartialOrder<'_, S> {
        PartialOrder::new(inner, &self.found.relations, &self.conditions, &self.tally)
    }

    /// What it did.
    pub fn told(&self) -> Told {
        Told::of(&self.tally)
    }
}

/// How the whole state space is explored beside a reduced one.
pub(super) fn whole(options: &Options) -> Options {
    Options { all: true, order: Order::BreadthFirst, checkpoint: None, ..options.clone() }
}

/// Holds the reduced search against the whole state space. Where it has lost something, the whole one is
/// the answer.
pub(super) fn audit(
    system: &System,
    reduced: &mut Exploration,
    whole: Exploration,
    all: bool,
) -> Audit {
    let is_in = |found: &&Finding| reduced.findings.iter().any(|f| f.kind.is_like(&found.kind));
    let missing: Vec<String> = match all || reduced.findings.is_empty() {
        true => {
            whole.findings.iter().filter(|f| !is_in(f)).map(|f| words(system, &f.kind)).collect()
        }
        false => Vec::new(),
    };
    // Limits end one search sooner than the other: that is no loss.
    let lost = if reduced.cuts.is_empty() { missing } else { Vec::new() };
    let audit = Audit {
        nodes: whole.counts.nodes,
        transitions: whole.counts.transitions,
        complete: whole.is_complete(),
        lost,
    };
    if !audit.lost.is_empty() {
        *reduced = whole;
    }
    audit
}

fn words(system: &System, kind: &FindingKind) -> String {
    let conjunct = |id| match &system.check(id).label {
        Some(label) => label.clone(),
        None => id.number().to_string(),
    };
    match kind {
        FindingKind::Violated(id) => format!("conjunct {} is violated", conjunct(*id)),
        FindingKind::Undefined(id, _) => format!("conjunct {} has no meaning", conjunct(*id)),
        FindingKind::Operation(fault) => match fault.operation {
            Some(operation) => format!("{} fails", system.operation(operation).name),
            None => "an operation fails".to_owned(),
        },
        FindingKind::Initialisation(_) => "the initialisation fails".to_owned(),
        FindingKind::Deadlock => "a deadlock".to_owned(),
        FindingKind::NoInitialState => "there is no initial state".to_owned(),
        FindingKind::Goal => "the goal is reached".to_owned(),
        FindingKind::GoalUndefined(_) => "the goal has no meaning".to_owned(),
    }
}
