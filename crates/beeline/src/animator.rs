//! A walk through a specification: the way here, and the steps from here.

use crate::defaults;
use crate::error::{Error, NoSuchStep};
use crate::evaluate::{Answer, NoAnswer, evaluate};
use crate::scope::{Scope, compile};
use crate::specification::Specification;
use crate::watched::WorkLimits;
use beeline_compile::{
    Answer as Steps, Builder, Constants, CutReason, Flow, State, StateRef, System, Truth,
};
use beeline_explore::{Path, PathStep};
use beeline_model::TypeId;
use beeline_verdict::{Bindings, INITIALISATION, SETUP, Trace, TraceStep};

/// More steps than this are not offered.
const MAX_STEPS: usize = 10_000;

/// Walks through a specification: execute steps, look at states, go back.
///
/// ```
/// use beeline::Specification;
///
/// # fn main() -> Result<(), beeline::Error> {
/// let mut walk = Specification::from_text("
///     MACHINE Bag VARIABLES bag INVARIANT bag <: 1..3 INITIALISATION bag := {}
///     OPERATIONS put(x) = PRE x : (1..3) - bag THEN bag := bag \\/ {x} END;
///                take(x) = PRE x : bag THEN bag := bag - {x} END END")?
///     .animate()?;
/// walk.execute(0)?; // initialisation
/// walk.execute_named("put", &[("x", "2")])?;
/// assert_eq!(walk.state().get("bag"), Some("{2}"));
/// assert_eq!(walk.eval("card(bag)")?.to_string(), "1 : INTEGER");
/// let possible: Vec<String> = walk.steps().map(|step| step.operation).collect();
/// assert_eq!(possible, ["put", "put", "take"]);
/// assert!(walk.back());
/// assert_eq!(walk.state().get("bag"), Some("{}"));
/// # Ok(()) }
/// ```
pub struct Animator {
    specification: Specification,
    /// The compiled model; formulas are compiled into it as they are asked for.
    builder: Builder,
    /// Set as soon as constants have values.
    path: Option<Path>,
    choices: Vec<Choice>,
    left_out: LeftOut,
    limits: WorkLimits,
}

/// A step that is possible.
enum Choice {
    Setup(Constants),
    Initial(State),
    Operation(PathStep),
}

/// What went wrong or was left out while the steps from a state were computed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// Operations that fail, in words.
    pub faults: Vec<String>,
    /// What could not be evaluated, in words.
    pub cuts: Vec<String>,
    /// The limit that broke it off.
    pub stopped: Option<CutReason>,
    /// There are more steps than this; they are not offered.
    pub more_than: Option<usize>,
}

/// Whether a conjunct of the invariant holds in a state.
#[derive(Clone, Debug)]
pub struct Conjunct {
    /// Its label, or its number from 1.
    pub name: String,
    /// Whether it holds.
    pub truth: Truth,
}

impl Specification {
    /// A walk through the specification, step by step.
    pub fn animate(&self) -> Result<Animator, Error> {
        Animator::new(self)
    }
}

impl Animator {
    /// A walk at its beginning. A model without constants is set up at once.
    pub fn new(specification: &Specification) -> Result<Animator, Error> {
        Animator::within(specification, &Scope::default(), defaults::work_limits())
    }

    /// The same in a scope; each single step obeys the limits.
    pub fn within(
        specification: &Specification,
        scope: &Scope,
        limits: WorkLimits,
    ) -> Result<Animator, Error> {
        let system = compile(specification.model(), scope)
            .map_err(|error| error.in_files(specification.sources()))?;
        system.limit_memory(limits.memory_bytes);
        let mut walk = Animator {
            specification: specification.clone(),
            builder: Builder::from(system),
            path: None,
            choices: Vec::new(),
            left_out: LeftOut::default(),
            limits,
        };
        walk.refresh();
        if !walk.system().has_setup()
            && let Some(Choice::Setup(constants)) = walk.choices.pop()
        {
            walk.path = Some(Path { constants, ..Path::default() });
            walk.refresh();
        }
        Ok(walk)
    }

    /// The specification.
    pub fn specification(&self) -> &Specification {
        &self.specification
    }

    /// How many steps are possible.
    pub fn step_count(&self) -> usize {
        self.choices.len()
    }

    /// The steps that are possible, each with the state it leads to.
    pub fn steps(&self) -> impl Iterator<Item = TraceStep> + '_ {
        self.choices.iter().map(|choice| self.told(choice))
    }

    /// What went wrong or was left out while the steps were computed.
    pub fn left_out(&self) -> &LeftOut {
        &self.left_out
    }

    /// Executes a step, by its number among [`Animator::steps`].
    pub fn execute(&mut self, number: usize) -> Result<(), NoSuchStep> {
        if number >= self.choices.len() {
            return Err(NoSuchStep::Number(number));
        }
        match (self.choices.swap_remove(number), &mut self.path) {
            (Choice::Setup(constants), _) => {
                self.path = Some(Path { constants, ..Path::default() });
            }
            (Choice::Initial(state), Some(path)) => path.initial = Some(state),
            (Choice::Operation(step), Some(path)) => path.steps.push(step),
            // Initial states and operations are offered only after the constants have values.
            (Choice::Initial(_) | Choice::Operation(_), None) => {
                return Err(NoSuchStep::Number(number));
            }
        }
        self.refresh();
        Ok(())
    }

    /// Executes the first step of an operation with these values of parameters, in B notation. Those
    /// that are not named may have any value.
    pub fn execute_named(
        &mut self,
        operation: &str,
        parameters: &[(&str, &str)],
    ) -> Result<(), NoSuchStep> {
        let fits = |step: &TraceStep| {
            step.operation == operation
                && parameters.iter().all(|(n, v)| step.parameters.get(n) == Some(v))
        };
        let number = self.steps().position(|step| fits(&step));
        match number {
            Some(number) => self.execute(number),
            None => Err(NoSuchStep::Operation(operation.to_owned())),
        }
    }

    /// Undoes the last step; `false` at the beginning.
    pub fn back(&mut self) -> bool {
        let Some(path) = &mut self.path else { return false };
        if path.steps.pop().is_none() && path.initial.take().is_none() {
            if !self.system().has_setup() {
                return false;
            }
            self.path = None;
        }
        self.refresh();
        true
    }

    /// The constants here, if they have values yet.
    pub fn constants(&self) -> Bindings {
        self.path.as_ref().map_or_else(Bindings::default, |path| self.valuation(&path.constants))
    }

    /// The variables here, if there is a state yet.
    pub fn state(&self) -> Bindings {
        self.variables(self.path.as_ref().and_then(Path::last).unwrap_or_default())
    }

    fn system(&self) -> &System {
        self.builder.system()
    }

    /// How many operations lie behind; nothing before initialisation.
    pub fn depth(&self) -> Option<usize> {
        self.path.as_ref().filter(|path| path.initial.is_some()).map(|path| path.steps.len())
    }

    /// The conjuncts of the invariant in this state; nothing if there is no state yet.
    pub fn invariant(&self) -> Option<Vec<Conjunct>> {
        let path = self.path.as_ref()?;
        let state = path.last()?;
        let mut scratch = self.system().scratch();
        let conjuncts = self.system().invariants().iter().map(|check| Conjunct {
            name: check.label.clone().unwrap_or_else(|| check.id.number().to_string()),
            truth: self.system().holds(check.pred, path.constants.view(), state, &mut scratch),
        });
        Some(conjuncts.collect())
    }

    /// The way here, ready to be saved; nothing at the beginning.
    pub fn trace(&self) -> Option<Trace> {
        let trace = Trace::new(self.system(), self.specification.name(), self.path.as_ref()?);
        (!trace.steps.is_empty()).then(|| self.specification.mark(trace))
    }

    /// Evaluates a formula here: it may speak of all names of the model.
    pub fn eval(&mut self, formula: &str) -> Result<Answer, Error> {
        let (specification, formula) = self.specification.with_formula(formula)?;
        let Some(path) = &self.path else { return Err(NoAnswer::NoConstants.into()) };
        let mut model = specification.model().clone();
        let interrupt = self.system().interrupt().clone();
        let (builder, limits) = (&mut self.builder, &self.limits);
        let (answer, reason) = limits.watch(&interrupt, || {
            evaluate(&mut model, builder, &formula, path.constants.view(), path.last())
        });
        match (answer, reason) {
            (Ok(answer), _) => Ok(answer),
            (Err(_), Some(reason)) => Err(NoAnswer::Stopped(reason).into()),
            (Err(error), None) => Err(error.into()),
        }
    }

    /// Computes the steps from here.
    fn refresh(&mut self) {
        let ((choices, answer), reason) =
            self.limits.watch(self.system().interrupt(), || self.compute());
        self.choices = choices;
        let known = answer.cuts.iter().filter(|c| c.reason != CutReason::Interrupted);
        self.left_out = LeftOut {
            faults: answer.faults.iter().map(|f| f.words.clone()).collect(),
            cuts: known.map(|c| c.words.clone()).collect(),
            stopped: reason,
            more_than: answer.stopped.then_some(MAX_STEPS),
        };
    }

    fn compute(&self) -> (Vec<Choice>, Steps) {
        let mut choices = Vec::new();
        let mut scratch = self.system().scratch();
        let flow = |n: usize| if n < MAX_STEPS { Flow::More } else { Flow::Enough };
        let answer = match &self.path {
            None => self.system().setups(&mut scratch, &mut |constants| {
                choices.push(Choice::Setup(constants.owned()));
                flow(choices.len())
            }),
            Some(path) => match path.last() {
                None => self.system().initial(path.constants.view(), &mut scratch, &mut |state| {
                    choices.push(Choice::Initial(state.owned()));
                    flow(choices.len())
                }),
                Some(state) => {
                    let constants = path.constants.view();
                    self.system().successors(constants, state, &mut scratch, &mut |step| {
                        choices.push(Choice::Operation(PathStep::of(step)));
                        flow(choices.len())
                    })
                }
            },
        };
        (choices, answer)
    }

    /// A step in names and values.
    fn told(&self, choice: &Choice) -> TraceStep {
        let begin = |operation: &str, state: Bindings| TraceStep {
            operation: operation.to_owned(),
            parameters: Bindings::default(),
            results: Bindings::default(),
            state,
        };
        match choice {
            Choice::Setup(constants) => begin(SETUP, self.valuation(constants)),
            Choice::Initial(state) => begin(INITIALISATION, self.variables(state.view())),
            Choice::Operation(step) => {
                let info = self.system().operation(step.operation);
                let named = |names: &[(String, TypeId)], words: &[u32]| {
                    let all = names.iter().zip(words);
                    let all = all.map(|((n, ty), w)| (n.clone(), self.system().show(*w, *ty)));
                    Bindings(all.collect())
                };
                TraceStep {
                    operation: info.name.clone(),
                    parameters: named(&info.parameters, &step.arguments.0),
                    results: named(&info.results, &step.results),
                    state: self.variables(step.target.view()),
                }
            }
        }
    }

    fn valuation(&self, constants: &Constants) -> Bindings {
        let slots = self.system().constants().iter().zip(&constants.0);
        Bindings(slots.map(|(s, w)| (s.name.clone(), self.system().show(*w, s.ty))).collect())
    }

    fn variables(&self, state: StateRef<'_>) -> Bindings {
        let slots = self.system().variables().iter().zip(state.iter());
        Bindings(slots.map(|(s, w)| (s.name.clone(), self.system().show(w, s.ty))).collect())
    }
}
