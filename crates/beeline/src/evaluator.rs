//! Formulas and their values: alone, or in the first state of a specification.

use crate::defaults;
use crate::error::Error;
use crate::evaluate::{Answer, NoAnswer, evaluate};
use crate::open_options::OpenOptions;
use crate::scope::{Scope, compile};
use crate::specification::Specification;
use crate::watched::WorkLimits;
use beeline_compile::{Builder, Constants, Flow, State, System};
use beeline_model::Formula;

/// Evaluates formulas, within a scope and limits.
///
/// ```
/// use beeline::{Answer, Evaluator, NoAnswer};
/// use std::time::Duration;
///
/// # fn main() -> Result<(), beeline::Error> {
/// let evaluator = Evaluator::new().timeout(Duration::from_secs(60));
/// let Answer::Solutions { rows, .. } = evaluator.eval("x : 1..99 & x * x = 49")? else { panic!() };
/// assert_eq!(rows, [["7"]]);
///
/// let error = evaluator.eval("1 / (2 - 2)").unwrap_err();
/// assert!(matches!(error, beeline::Error::Formula(NoAnswer::Undefined(_))));
/// # Ok(()) }
/// ```
#[derive(Clone, Debug)]
pub struct Evaluator {
    specification: Option<Specification>,
    scope: Scope,
    limits: WorkLimits,
}

impl Evaluator {
    /// For formulas that speak of no model.
    pub fn new() -> Evaluator {
        let (scope, limits) = (Scope::default(), defaults::work_limits());
        Evaluator { specification: None, scope, limits }
    }

    /// For formulas about the first initial state of a specification.
    pub fn of(specification: &Specification) -> Evaluator {
        Evaluator { specification: Some(specification.clone()), ..Evaluator::new() }
    }

    /// Sizes of sets, `MININT` and `MAXINT`.
    #[must_use]
    pub fn scope(mut self, scope: Scope) -> Evaluator {
        self.scope = scope;
        self
    }

    /// Where evaluation ends: time, memory, a token to cancel it.
    #[must_use]
    pub fn limits(mut self, limits: WorkLimits) -> Evaluator {
        self.limits = limits;
        self
    }

    /// Give up after so much time.
    #[must_use]
    pub fn timeout(mut self, limit: std::time::Duration) -> Evaluator {
        self.limits.time = Some(limit);
        self
    }

    /// Reads a formula and evaluates it.
    pub fn eval(&self, formula: &str) -> Result<Answer, Error> {
        let (specification, formula) = match &self.specification {
            Some(specification) => specification.with_formula(formula)?,
            None => Specification::of_formulas(OpenOptions::new())?.with_formula(formula)?,
        };
        self.answer(&specification, &formula)
    }

    /// Evaluates a formula that was read beside a specification already, by
    /// [`OpenOptions::formula`].
    pub fn answer(
        &self,
        specification: &Specification,
        formula: &Formula,
    ) -> Result<Answer, Error> {
        let mut model = specification.model().clone();
        let system =
            compile(&model, &self.scope).map_err(|e| e.in_files(specification.sources()))?;
        let interrupt = system.interrupt().clone();
        system.limit_memory(self.limits.memory_bytes);
        let (answer, reason) = self.limits.watch(&interrupt, || {
            let (constants, state) = match specification.has_model() {
                true => first_state(&system),
                false => (Some(Constants::default()), Some(State::default())),
            };
            let constants = constants?;
            let mut builder = Builder::from(system);
            let (constants, state) = (constants.view(), state.as_ref().map(State::view));
            Some(evaluate(&mut model, &mut builder, formula, constants, state))
        });
        match (answer, reason) {
            (Some(Ok(answer)), _) => Ok(answer),
            (_, Some(reason)) => Err(NoAnswer::Stopped(reason).into()),
            (Some(Err(error)), None) => Err(error.into()),
            (None, None) => Err(NoAnswer::NoConstants.into()),
        }
    }
}

impl Default for Evaluator {
    fn default() -> Evaluator {
        Evaluator::new()
    }
}

impl Specification {
    /// The value of an expression, the truth of a predicate or all its solutions, in the first
    /// initial state. [`Evaluator`] has more to choose from.
    pub fn eval(&self, formula: &str) -> Result<Answer, Error> {
        Evaluator::of(self).eval(formula)
    }
}

/// The value of an expression, the truth of a predicate or all its solutions.
///
/// ```
/// assert_eq!(beeline::eval("card(POW(1..10))")?.to_string(), "1024 : INTEGER");
/// assert_eq!(beeline::eval("!x.(x : 1..9 => x * x <= 81)")?.to_string(), "TRUE");
/// # Ok::<(), beeline::Error>(())
/// ```
pub fn eval(formula: &str) -> Result<Answer, Error> {
    Evaluator::new().eval(formula)
}

/// The first values of the constants and the first state, as far as there are any.
fn first_state(system: &System) -> (Option<Constants>, Option<State>) {
    let mut scratch = system.scratch();
    let (mut constants, mut state) = (None, None);
    system.setups(&mut scratch, &mut |first| {
        constants = Some(first.owned());
        Flow::Enough
    });
    if let Some(constants) = &constants {
        system.initial(constants.view(), &mut scratch, &mut |first| {
            state = Some(first.owned());
            Flow::Enough
        });
    }
    (constants, state)
}
