//! Problems for the propagating solver.

use crate::answer::Stop;
use crate::context::Cx;
use crate::frame::Frame;
use crate::plan::{Atom, Name};
use crate::query::Step;
use std::collections::BTreeSet;

/// Names and constraints that are handed to the solver at run time.
pub(crate) struct Problem {}

impl Problem {
    pub fn solve<'s>(
        &self,
        _f: &mut Frame<'s>,
        _k: &mut dyn FnMut(&mut Frame<'s>) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        Ok(())
    }
}

impl Cx<'_> {
    /// A step that solves for all open names at once, where that is better than enumeration.
    pub fn solve_step(&mut self, _atoms: &[Atom], _open: &BTreeSet<Name>) -> Option<Step> {
        None
    }
}
