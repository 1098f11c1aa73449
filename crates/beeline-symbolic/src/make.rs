//! Before a search: what can be made of operations and checks without evaluating them.

use crate::diagram::Halt;
use crate::exact::{self, MOST_STEPS, audit};
use crate::learned::{Operation, Predicate};
use crate::space::Space;
use beeline_explore::Made;
use beeline_transition::TransitionSystem;

/// Steps of diagrams that code may take in all: a few seconds. What comes after them is learned.
const ALL_STEPS: u64 = 10 * MOST_STEPS;

/// How relations and predicates come about. What is reachable is the same for all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Relations {
    /// From word-level code where there is some, and learned where that is not enough.
    #[default]
    Exact,
    /// Learned.
    Learned,
    /// From code, and held against what is learned.
    Audit,
}

/// What was made.
#[derive(Default)]
pub struct Making {
    /// Of each operation.
    pub operations: Vec<Made>,
    /// Of each check.
    pub checks: Vec<Made>,
    /// Code and evaluation of these differ.
    pub wrong: Vec<String>,
}

impl<S: TransitionSystem> Space<'_, S> {
    /// Makes what can be made; `plain` are operations and checks of which nothing is known, for an audit.
    pub fn make(
        &mut self,
        relations: Relations,
        plain: impl FnOnce() -> Option<(Vec<Operation>, Vec<Predicate>)>,
    ) -> Result<Making, Halt> {
        let mut making = Making::default();
        if relations != Relations::Learned {
            self.by_code(&mut making)?;
        }
        if relations == Relations::Audit
            && let Some((operations, predicates)) = plain()
        {
            self.engine.forgiving = true;
            let told = self.hold_against(operations, predicates, &mut making);
            self.engine.forgiving = false;
            told?;
        }
        Ok(making)
    }

    fn by_code(&mut self, making: &mut Making) -> Result<(), Halt> {
        let (system, setup) = (self.engine.system, self.engine.setup.number);
        let until = self.diagrams.steps() + ALL_STEPS;
        for place in 0..self.operations.len() {
            let most = MOST_STEPS.min(until.saturating_sub(self.diagrams.steps()));
            let at = (&self.layout, &mut self.diagrams);
            let made = match system.code_of(self.operations[place].index, setup) {
                Some(steps) => exact::operation(&mut self.operations[place], (steps, most), at)?,
                None => Made::Learned,
            };
            making.operations.push(made);
            self.tidy(&[], false);
        }
        for place in 0..self.predicates.len() {
            let most = MOST_STEPS.min(until.saturating_sub(self.diagrams.steps()));
            let at = (&self.layout, &mut self.diagrams);
            let made = match system.code_of_check(self.predicates[place].pred, setup) {
                Some(code) => exact::predicate(&mut self.predicates[place], (code, most), at)?,
                None => Made::Learned,
            };
            making.checks.push(made);
            self.tidy(&[], false);
        }
        // What is told of nodes is about the search.
        self.tidy(&[], true);
        self.diagrams.forget_peak();
        Ok(())
    }

    fn hold_against(
        &mut self,
        operations: Vec<Operation>,
        predicates: Vec<Predicate>,
        making: &mut Making,
    ) -> Result<(), Halt> {
        let Space { engine, diagrams, layout, operations: own, predicates: checks, .. } = self;
        let signature = engine.system.signature();
        for (made, plain) in own.iter().zip(operations) {
            if !audit::operation(made, plain, engine, (&*layout, &mut *diagrams))? {
                making.wrong.push(format!("operation {}", signature.operation(made.index).name));
            }
        }
        for (number, (made, plain)) in checks.iter().zip(predicates).enumerate() {
            if !audit::predicate(made, plain, engine, (&*layout, &mut *diagrams))? {
                making.wrong.push(format!("check {}", number + 1));
            }
        }
        Ok(())
    }
}
