//! Choices of a substitution that fail, beside others that do not.
//!
//! What an operation does in a state is the set of its outcomes and what is wrong with it; neither may
//! depend on the order in which choices are tried. So one that fails is kept here, and the next is tried.

use crate::Judge;
use crate::error::{Eval, EvalError};
use crate::flow::Flow;
use std::ops::ControlFlow;

/// What went wrong on the way to the outcomes of a substitution: the first of each kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Troubles {
    /// The model is at fault.
    pub fault: Option<EvalError>,
    /// It was not found out what one of the choices does.
    pub unknown: Option<EvalError>,
}

impl Troubles {
    /// An error if there was any trouble. A fault is certain, whatever the other choices do.
    pub fn result(self) -> Eval<()> {
        self.fault.or(self.unknown).map_or(Ok(()), Err)
    }

    fn take(&mut self, error: EvalError) {
        let kind = if error.is_fault() { &mut self.fault } else { &mut self.unknown };
        kind.get_or_insert(error);
    }
}

impl Judge<'_> {
    /// Keeps the trouble of one choice, so that the others are tried. The end of the budget is theirs, too.
    pub(crate) fn survive(&self, flow: Flow) -> Flow {
        match flow {
            Err(error) if !error.is_final() => {
                self.troubles.borrow_mut().take(error);
                Ok(ControlFlow::Continue(()))
            }
            other => other,
        }
    }

    /// Runs something, and hands over the troubles of its choices.
    pub(crate) fn with_troubles<T>(&self, run: impl FnOnce() -> T) -> (T, Troubles) {
        let outer = self.troubles.take();
        let result = run();
        (result, self.troubles.replace(outer))
    }

    /// Runs something; a choice in trouble makes an error of it, unless it ended before all were tried.
    pub(crate) fn with_all_choices(&self, run: impl FnOnce() -> Flow) -> Flow {
        let (flow, troubles) = self.with_troubles(run);
        if flow? == ControlFlow::Break(()) {
            return Ok(ControlFlow::Break(()));
        }
        troubles.result()?;
        Ok(ControlFlow::Continue(()))
    }
}
