//! The relations of a model, found without running it.
//!
//! What an operation reads and writes is known at the grain of parts; where that is not enough, guards and
//! conjuncts are looked at one by one. Nothing is assumed of the invariant, so that what is found is true in
//! every state, with one exception that is said in [`Wanted::first`].

mod accord;
mod operations;
mod properties;

use crate::relations::Relations;
use beeline_bounds::{Analysis, Env, States};
use beeline_flow::{Influence, Part};
use beeline_model::{LocalId, Mentions, Model, Pred, visit_pred};
use std::cell::Cell;

/// Steps of work for one question about one condition: questions are small, and the end is there for those that are
/// not. Steps and no clock, so that what is left out is the same each time.
const STEPS: u64 = 100_000;
/// Questions beyond these are not asked, and nothing is known: a large model must not wait for ever.
const QUESTIONS: u32 = 8_000;

/// What must not be missed.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'m> {
    /// States without steps.
    pub deadlock: bool,
    /// Conjuncts of the invariant.
    pub invariants: bool,
    /// Assertions.
    pub assertions: bool,
    /// What is looked for.
    pub goal: Option<&'m Pred>,
    /// One finding is enough, whichever it is: then an operation that preserves a conjunct wherever the whole
    /// invariant holds never violates it first.
    pub first: bool,
    /// `MININT` and `MAXINT`.
    pub bounds: (i64, i64),
}

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// The relations.
    pub relations: Relations,
    /// The conditions they speak of, in terms of the model.
    pub conditions: Vec<Pred>,
}

/// Finds the relations of the operations that the most concrete level offers.
pub fn find(model: &Model, wanted: &Wanted<'_>) -> Found {
    let influence = Influence::new(model, STEPS);
    let analysis = Analysis::new(&influence.model, wanted.bounds.0, wanted.bounds.1);
    let states = States::of(&analysis);
    let mut finder = Finder {
        model,
        env: states.env(),
        influence: &influence,
        analysis: &analysis,
        operations: operations::known(&influence.model),
        conditions: Vec::new(),
        questions: Cell::new(QUESTIONS),
    };
    finder.find_failing();
    let operations = finder.behaviours();
    let properties = finder.properties(wanted, &states.proved);
    let conditions = finder.conditions;
    let relations = Relations {
        operations,
        conditions: conditions.len(),
        properties,
        deadlock: wanted.deadlock,
    };
    Found { relations, conditions }
}

/// What is known while relations are found.
struct Finder<'a> {
    /// As it was given.
    model: &'a Model,
    influence: &'a Influence,
    analysis: &'a Analysis<'a>,
    /// What is true of every reachable state.
    env: Env,
    operations: Vec<operations::Known>,
    conditions: Vec<Pred>,
    questions: Cell<u32>,
}

impl Finder<'_> {
    /// May one more question be asked?
    fn ask(&self) -> bool {
        let left = self.questions.get();
        self.questions.set(left.saturating_sub(1));
        left > 0
    }

    /// Has a predicate a meaning in every reachable state, for all values of what else it names?
    fn is_total(&self, p: &Pred) -> bool {
        self.analysis.surely_defined(p, &self.env)
    }

    /// Can a predicate be evaluated in a state, by the model as it was given?
    fn is_condition(&self, p: &Pred) -> bool {
        struct Names(usize, bool);
        impl Mentions for Names {
            fn local(&mut self, local: LocalId) {
                self.1 |= local.index() >= self.0;
            }
            fn binds(&mut self, local: LocalId) {
                self.1 |= local.index() >= self.0;
            }
        }
        let mut names = Names(self.model.locals.len(), false);
        visit_pred(p, &mut names);
        !names.1
    }

    /// The number of a condition: equal ones have one.
    fn condition(&mut self, p: &Pred) -> usize {
        let same = |q: &Pred| beeline_prove::Key::pred(q) == beeline_prove::Key::pred(p);
        match self.conditions.iter().position(same) {
            Some(place) => place,
            None => {
                self.conditions.push(p.clone());
                self.conditions.len() - 1
            }
        }
    }

    /// Those that may change one of these parts.
    fn writers(&self, parts: &[Part]) -> impl Iterator<Item = usize> {
        let writers = self.operations.iter().enumerate().filter(|(_, o)| overlap(&o.writes, parts));
        writers.map(|(at, _)| at)
    }

    /// Those after which a condition that always has a meaning may have this value, where it had another one
    /// before.
    fn changers(&self, p: &Pred, parts: &[Part], value: bool) -> Vec<usize> {
        let total = self.is_total(p);
        let stays = |operation: usize| {
            total
                && self.ask()
                && match value {
                    true => self.influence.leaves_false(operation, p),
                    false => self.influence.leaves_true(operation, p, &[]),
                }
        };
        self.writers(parts).filter(|operation| !stays(*operation)).collect()
    }
}

/// May a change of one of these be seen in one of those?
fn overlap(these: &[Part], those: &[Part]) -> bool {
    these.iter().any(|a| those.iter().any(|b| a.overlaps(b)))
}
