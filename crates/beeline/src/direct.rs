//! Where a directed search is to go: a goal, a broken invariant, an operation, a deadlock.

use crate::error::{CheckError, OptionError};
use beeline_compile::{Target, guard_of};
use beeline_model::{Model, OperationId, Pred, Type};

/// What a search by distance is after, in place of a goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hunt {
    /// A state in which this conjunct of the invariant is false: its label, or its number from 1.
    Invariant(String),
    /// A state in which this operation is possible.
    Operation(String),
    /// A state in which no operation is possible.
    Deadlock,
}

/// What a hunt comes to for one model.
pub(crate) struct Quarry {
    /// A goal, if nothing else would notice the quarry.
    pub goal: Option<Pred>,
    target: Target,
}

impl Hunt {
    /// `invariant:NAME`, `operation:NAME` or `deadlock`.
    pub fn by_name(text: &str) -> Option<Hunt> {
        match text.split_once(':') {
            None => (text == "deadlock").then_some(Hunt::Deadlock),
            Some((_, "")) => None,
            Some(("invariant", name)) => Some(Hunt::Invariant(name.to_owned())),
            Some(("operation", name)) => Some(Hunt::Operation(name.to_owned())),
            Some(_) => None,
        }
    }

    pub(crate) fn quarry(&self, model: &Model) -> Result<Quarry, CheckError> {
        match self {
            Hunt::Invariant(name) => Ok(Quarry {
                goal: None,
                target: Target::one(invariant(model, name)?.clone(), false),
            }),
            Hunt::Operation(name) => {
                let guard = guard_of(model, operation(model, name)?);
                Ok(Quarry { target: Target::one(guard.clone(), true), goal: Some(guard) })
            }
            Hunt::Deadlock => {
                let operations = &model.concrete().operations;
                let parts = operations.iter().map(|id| (guard_of(model, *id), false)).collect();
                Ok(Quarry { goal: None, target: Target { parts } })
            }
        }
    }
}

fn invariant<'m>(model: &'m Model, name: &str) -> Result<&'m Pred, CheckError> {
    let all = &model.concrete().invariants;
    let labelled = all.iter().find(|i| i.conjunct.label.as_deref() == Some(name));
    let numbered = name.parse::<usize>().ok().and_then(|n| all.get(n.checked_sub(1)?));
    match labelled.or(numbered) {
        Some(found) => Ok(&found.conjunct.pred),
        None => {
            Err(OptionError::UnknownInvariant { name: name.to_owned(), count: all.len() }.into())
        }
    }
}

fn operation(model: &Model, name: &str) -> Result<OperationId, CheckError> {
    let mut all = model.concrete().operations.iter();
    all.find(|id| *model.operation(**id).name == *name)
        .copied()
        .ok_or_else(|| OptionError::UnknownOperation(name.to_owned()).into())
}

/// What a search by distance is directed at.
pub(crate) fn target(hunted: Option<&Quarry>, goal: Option<&Pred>) -> Result<Target, CheckError> {
    match (hunted, goal) {
        (Some(quarry), _) => Ok(quarry.target.clone()),
        (None, Some(goal)) => Ok(Target::one(goal.clone(), true)),
        (None, None) => Err(OptionError::NoTarget.into()),
    }
}

/// A model is asked for its own order only if it has one.
pub(crate) fn custom_order_fits(model: &Model) -> Result<(), CheckError> {
    match &model.special.heuristic {
        None => Err(OptionError::NoHeuristic.into()),
        Some(e) if *model.types.get(e.ty) != Type::Integer => {
            Err(OptionError::HeuristicType.into())
        }
        Some(_) => Ok(()),
    }
}
