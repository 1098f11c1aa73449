//! A judge of each machine, each as it was written, and what they say of two states.
//!
//! It does not know what is to be confirmed.

use crate::levels::Levels;
use crate::{Mode, Options};
use beeline_judge::{Eval, Judge, Scene, State, Step, Value};
use beeline_model::{Conjunct, VariableId};

/// A judge of each machine.
pub(crate) struct Judges<'l> {
    pub levels: &'l Levels,
    pub options: Options,
    pub concrete: Judge<'l>,
    pub abstraction: Judge<'l>,
}

/// What does not fit between two states.
pub(crate) enum Misfit<'l> {
    Kept(VariableId),
    Conjunct(&'l Conjunct),
}

impl<'l> Judges<'l> {
    pub fn same_results(&self, a: &Step, b: &Step) -> Eval<bool> {
        self.same(&a.results, &b.results)
    }

    pub fn same(&self, a: &[Option<Value>], b: &[Option<Value>]) -> Eval<bool> {
        for both in a.iter().zip(b) {
            let same = match both {
                (Some(a), Some(b)) => self.abstraction.equal(a, b)?,
                (a, b) => a.is_none() && b.is_none(),
            };
            if !same {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The first thing that does not fit.
    pub fn misfit(&self, concrete: &State, candidate: &State) -> Eval<Option<Misfit<'l>>> {
        if self.options.mode != Mode::Simulation {
            return Ok(None);
        }
        let mut both = concrete.clone();
        for id in &self.abstraction.model().concrete().variables {
            if !self.levels.kept.contains(id) {
                both.set_variable(*id, candidate.variable(*id).cloned());
                continue;
            }
            let same = match (concrete.variable(*id), candidate.variable(*id)) {
                (Some(a), Some(b)) => self.concrete.equal(a, b)?,
                _ => false,
            };
            if !same {
                return Ok(Some(Misfit::Kept(*id)));
            }
        }
        let scene = Scene::of(&both);
        for conjunct in &self.levels.glue {
            match self.concrete.holds(&conjunct.pred, &scene) {
                Ok(true) => {}
                Ok(false) => return Ok(Some(Misfit::Conjunct(conjunct))),
                Err(error) if error.is_fault() => return Ok(Some(Misfit::Conjunct(conjunct))),
                Err(error) => return Err(error),
            }
        }
        Ok(None)
    }
}
