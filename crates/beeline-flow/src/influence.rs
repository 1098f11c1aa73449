//! What a step does to single conditions, in any state: nothing is assumed of the invariant.
//!
//! This is what reductions ask for. Every answer is "surely", or not known; who asks makes sure that the
//! conditions always have a meaning.

use crate::action::{self, Action, is_pure};
use crate::bases::taken;
use crate::carry::carried;
use crate::guard::{self, Guard};
use crate::known::Known;
use crate::make;
use crate::replace::{is_large, is_large_pred};
use beeline_model::{Model, Pred};

/// The operations of the most concrete level as paths, to be asked about by position.
pub struct Influence {
    /// The model, with names for choices and for parameters of guards.
    pub model: Model,
    /// When each operation can be done; `None` where that is not understood.
    pub guards: Vec<Option<Guard>>,
    actions: Vec<Option<Action>>,
    /// Steps of work for one question.
    steps: u64,
}

impl Influence {
    /// Takes the operations apart. One question may take so many steps of work.
    pub fn new(model: &Model, steps: u64) -> Influence {
        let mut model = model.clone();
        let operations = model.concrete().operations.clone();
        let actions = operations.iter().map(|id| action::operation(&mut model, *id)).collect();
        let guards = operations.iter().map(|id| guard::guard(&mut model, *id)).collect();
        Influence { model, guards, actions, steps }
    }

    /// Is a condition that is false before a step of the operation surely false after it?
    pub fn leaves_false(&self, operation: usize, p: &Pred) -> bool {
        self.stays(operation, p, false, &[])
    }

    /// Is a condition that is true before a step of the operation, where others are true as well, surely
    /// true after it?
    pub fn leaves_true(&self, operation: usize, p: &Pred, others: &[&Pred]) -> bool {
        self.stays(operation, p, true, others)
    }

    fn stays(&self, operation: usize, p: &Pred, value: bool, others: &[&Pred]) -> bool {
        let Some(Some(action)) = self.actions.get(operation) else { return false };
        if !is_pure(p) || is_large_pred(p) {
            return false;
        }
        let steps = self.steps / action.paths.len().max(1) as u64;
        action.paths.iter().all(|path| {
            if path.after.iter().any(|(_, e)| is_large(e)) {
                return false;
            }
            let mut known = taken(&self.model, path, steps);
            known.assume(others.iter().copied().filter(|p| is_pure(p) && !is_large_pred(p)));
            let before = if value { p.clone() } else { make::not(p.clone()) };
            known.assume([&before]);
            if known.is_contradictory() {
                return true;
            }
            let after = carried(&mut known, path, p);
            !is_large_pred(&after) && known.truth(&after) == Some(value)
        })
    }

    /// Are all of these conditions surely never true in one state?
    pub fn exclude(&self, conditions: &[&Pred]) -> bool {
        let mut known = Known::new(&self.model, self.steps);
        known.assume(conditions.iter().copied().filter(|p| is_pure(p) && !is_large_pred(p)));
        known.is_contradictory()
    }
}
