//! The judge's word on what is not a step too many: a call that is forbidden, refused or impossible, an operation that
//! fails.

use crate::confirm::{Confirmation, Sure, TOLD, doubt};
use crate::judges::Judges;
use crate::levels::top;
use crate::story::Candidate;
use beeline_judge::{Scene, State, Value};

impl Judges<'_> {
    pub fn forbidden(
        &self,
        at: &State,
        set: &[State],
        (operation, arguments): (usize, &[Value]),
        out: &mut Confirmation,
    ) -> Sure<()> {
        let (own, above) = self.levels.operations[operation];
        let Some(above) = above else { return doubt("the operation refines none") };
        let operation = self.concrete.model().operation(own);
        let mut scene = Scene::of(at);
        for (parameter, argument) in operation.parameters.iter().zip(arguments) {
            scene.bind(*parameter, argument.clone());
        }
        let (conjuncts, _) = top(&operation.body);
        let mut broken = None;
        for conjunct in conjuncts {
            if !self.concrete.holds(&conjunct.pred, &scene)? {
                broken = Some(conjunct);
                break;
            }
        }
        let Some(broken) = broken else { return doubt("the precondition holds") };
        let text = self.concrete.model().show_pred(&broken.pred);
        for candidate in set {
            let (steps, _) = self.abstraction.outcomes_with(above, arguments, candidate)?;
            if steps.is_empty() {
                return doubt("the abstraction has no such step");
            }
            if out.candidates.len() < TOLD {
                let why = format!(
                    "the operation may be called here, but in the refinement {text} is false"
                );
                let state = self.shown(candidate);
                out.candidates.push(Candidate { state, why, span: broken.span });
            }
        }
        out.span = broken.span;
        Ok(())
    }

    pub fn refused(
        &self,
        at: &State,
        set: &[State],
        (operation, arguments): (usize, &[Value]),
        out: &mut Confirmation,
    ) -> Sure<()> {
        let (own, above) = self.levels.operations[operation];
        let (Some(above), Some(first)) = (above, set.first()) else {
            return doubt("nothing is refined");
        };
        let (own_steps, troubles) = self.concrete.outcomes_with(own, arguments, at)?;
        if let Some(error) = troubles.unknown {
            return Err(error.into());
        }
        let (offered, _) = self.abstraction.outcomes_with(above, arguments, first)?;
        'labels: for step in offered {
            for own in &own_steps {
                if self.same_results(own, &step)? {
                    continue 'labels;
                }
            }
            for other in set {
                let (steps, _) = self.abstraction.outcomes_with(above, arguments, other)?;
                let mut has = false;
                for one in &steps {
                    has = has || self.same_results(one, &step)?;
                }
                if !has {
                    continue 'labels;
                }
            }
            for candidate in set.iter().take(TOLD) {
                let why = "the operation is possible here with the same results".to_owned();
                let span = self.abstraction.model().operation(above).span;
                out.candidates.push(Candidate { state: self.shown(candidate), why, span });
            }
            return Ok(());
        }
        doubt("nothing is refused")
    }

    pub fn stuck(&self, at: &State, set: &[State]) -> Sure<()> {
        for (own, _) in &self.levels.operations {
            if self.concrete.is_enabled(*own, at)? {
                return doubt("an operation is possible");
            }
        }
        for candidate in set {
            let mut live = false;
            for above in self.levels.operations.iter().filter_map(|(_, above)| *above) {
                live = live || self.abstraction.is_enabled(above, candidate)?;
            }
            if !live {
                return doubt("the abstraction can be stuck as well");
            }
        }
        Ok(())
    }

    pub fn fails(
        &self,
        at: &State,
        set: &[State],
        (operation, arguments): (usize, &[Value]),
    ) -> Sure<()> {
        let (own, above) = self.levels.operations[operation];
        let known = arguments.len() == self.concrete.model().operation(own).parameters.len();
        let (_, troubles) = match known {
            true => self.concrete.outcomes_with(own, arguments, at)?,
            false => self.concrete.outcomes_of(own, at)?,
        };
        if troubles.fault.is_some() {
            return Ok(());
        }
        let Some(above) = above else { return doubt("the operation does not fail") };
        for candidate in set {
            // What it was called with when it failed is not known.
            let (_, troubles) = self.abstraction.outcomes_of(above, candidate)?;
            if troubles.fault.is_some() {
                return Ok(());
            }
        }
        doubt("neither operation fails")
    }
}
