//! The reference: all reachable states of a model by the judge alone.
//!
//! No table, no packing, no planner, no reduction: states are the judge's values in an ordered map,
//! and every question is asked of the judge. What it says of a model it says exactly, or it says that
//! it does not know ([`Plain::doubt`]).

mod orbits;

use beeline::judge::{EvalError, Judge, Scene, Settings, State, Step, Troubles};
use beeline::model::{
    ConjunctId, ConstantId, Mentions, Model, OperationId, Pred, VariableId, visit_pred,
};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::{Duration, Instant};

pub use orbits::Orbits;

/// What is wrong with a model, or to be found in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A conjunct is false.
    Violated(ConjunctId),
    /// It is not well-defined.
    Undefined(ConjunctId),
    /// Initialisation fails.
    Initialisation,
    /// There is no initial state.
    NoInitialState,
    /// An operation fails.
    Operation(u32),
    /// No operation is possible.
    Deadlock,
    /// The goal.
    Goal,
    /// The goal has no meaning.
    GoalUndefined,
}

/// When the reference gives up.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// With so many states.
    pub states: usize,
    /// With so many steps.
    pub transitions: u64,
    /// After so long.
    pub time: Duration,
    /// Steps of the judge for one question.
    pub steps: u64,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds { states: 600, transitions: 2_500, time: Duration::from_millis(60), steps: 30_000 }
    }
}

/// What there is to know of a model.
#[derive(Clone, Debug, Default)]
pub struct Plain {
    /// Valuations of the constants; one if there are none.
    pub setups: u64,
    /// Do they count as nodes?
    pub has_setup: bool,
    /// The properties have no meaning for some valuation: what follows is not known.
    pub setup_fault: bool,
    /// Reachable states, each with its constants.
    pub states: u64,
    /// Steps, those of set-up and initialisation among them.
    pub transitions: u64,
    /// What was found, and in how many states.
    pub findings: BTreeMap<Kind, u64>,
    /// An operation or initialisation fails somewhere.
    pub fails: bool,
    /// Why what is said here is not all there is. What was found is there all the same.
    pub doubt: Option<String>,
    /// Numbers up to renaming of nameless elements, where they were found.
    pub orbits: Option<Orbits>,
    /// The set of states is not symmetric though the model is: the judge is wrong.
    pub lopsided: bool,
    /// Some state holds a set that is not listed.
    pub symbolic: bool,
    /// The model says something that nobody checks.
    pub unchecked: bool,
    /// A set is said to be symmetric, and one of its elements is named.
    pub asymmetric: bool,
    /// Some operation has steps without end in every state.
    pub endless: bool,
}

impl Plain {
    /// Is everything known?
    pub fn is_exact(&self) -> bool {
        self.doubt.is_none()
    }

    /// Is something wrong with the model?
    pub fn is_violated(&self) -> bool {
        self.findings.keys().any(|k| *k != Kind::Goal)
    }

    /// Nodes as an exploration counts them: the root, valuations of the constants, states.
    pub fn nodes(&self) -> u64 {
        1 + if self.has_setup { self.setups } else { 0 } + self.states
    }
}

/// Explores a model.
pub fn explore(model: &Model, bounds: Bounds) -> Plain {
    let settings = Settings {
        max_steps: bounds.steps,
        eager_steps: bounds.steps / 10,
        max_elements: 5_000,
        max_depth: 3_000,
        ..Settings::of(model)
    };
    let judge = Judge::new(model, settings);
    let mut explorer = Explorer {
        judge: &judge,
        bounds,
        begin: Instant::now(),
        plain: Plain::default(),
        known: Known::default(),
    };
    explorer.run();
    let mut plain = explorer.plain;
    if !judge.take_notes().is_empty() {
        plain.doubt.get_or_insert_with(|| "decided within bounds only".to_owned());
    }
    if plain.is_exact() && !plain.setup_fault {
        match orbits::orbits(
            model,
            judge.settings(),
            &explorer.known.setups,
            &explorer.known.states,
        ) {
            orbits::Counted::Orbits(orbits) => plain.orbits = Some(orbits),
            orbits::Counted::Lopsided => plain.lopsided = true,
            orbits::Counted::Unknown => {}
        }
    }
    plain
}

/// Set-ups and states.
#[derive(Default)]
struct Known {
    setups: Vec<State>,
    states: BTreeSet<State>,
    /// Other descriptions of known states.
    otherwise: BTreeMap<State, State>,
}

struct Explorer<'j, 'm> {
    judge: &'j Judge<'m>,
    bounds: Bounds,
    begin: Instant,
    plain: Plain,
    known: Known,
}

/// Does a formula read a variable?
struct Reads(bool);

impl Mentions for Reads {
    fn reads(&mut self, _: VariableId) {
        self.0 = true;
    }
}

fn is_static(pred: &Pred) -> bool {
    let mut reads = Reads(false);
    visit_pred(pred, &mut reads);
    !reads.0
}

impl Explorer<'_, '_> {
    fn run(&mut self) {
        let judge = self.judge;
        self.plain.has_setup = judge.has_setup();
        let setups = match judge.setups() {
            Ok(setups) => setups,
            Err(error) if error.is_fault() => {
                self.plain.setup_fault = true;
                self.plain.doubt = Some("properties without a meaning".to_owned());
                return;
            }
            Err(error) => return self.doubt(&error.to_string()),
        };
        // Whether these are the constants is not known: nothing that follows from them is, either.
        if self.noted() {
            return;
        }
        self.plain.setups = setups.len() as u64;
        if self.plain.has_setup {
            self.plain.transitions = setups.len() as u64;
        }
        let mut queue = VecDeque::new();
        for setup in &setups {
            if self.exhausted(queue.len()) {
                return;
            }
            self.assertions(setup, true);
            self.initial(setup, &mut queue);
        }
        self.known.setups = setups;
        while let Some(state) = queue.pop_front() {
            if self.exhausted(self.known.states.len()) {
                return;
            }
            self.check(&state);
            self.expand(&state, &mut queue);
        }
        self.plain.states = self.known.states.len() as u64;
    }

    fn doubt(&mut self, why: &str) {
        self.plain.doubt.get_or_insert_with(|| why.to_owned());
    }

    fn exhausted(&mut self, states: usize) -> bool {
        let full = states > self.bounds.states;
        let wide = self.plain.transitions > self.bounds.transitions;
        let late = self.begin.elapsed() > self.bounds.time;
        match (full, wide, late) {
            (true, _, _) => self.doubt("too many states"),
            (_, true, _) => self.doubt("too many steps"),
            (_, _, true) => self.doubt("too long"),
            _ => return false,
        }
        true
    }

    /// A new question; what was decided within bounds before it makes no difference to it.
    fn ask(&mut self) {
        self.noted();
        self.judge.refill();
    }

    /// Was something decided within bounds only?
    fn noted(&mut self) -> bool {
        let noted = !self.judge.take_notes().is_empty();
        if noted {
            self.doubt("decided within bounds only");
        }
        noted
    }

    fn found(&mut self, kind: Kind) {
        // Outside the bounds it may be otherwise.
        if self.noted() {
            return;
        }
        *self.plain.findings.entry(kind).or_default() += 1;
    }

    /// A new state waits; one that is known under another description does not. Returned is the state
    /// that it is, as it was first described.
    fn meet(&mut self, state: State, queue: &mut VecDeque<State>) -> State {
        if self.known.states.contains(&state) {
            return state;
        }
        self.plain.symbolic |= !is_listed(self.judge.model(), &state);
        // A listed state may be known under a description.
        if self.plain.symbolic {
            if let Some(same) = self.known.otherwise.get(&state) {
                return same.clone();
            }
            match self.known_otherwise(&state) {
                Ok(Some(same)) => {
                    self.known.otherwise.insert(state, same.clone());
                    return same;
                }
                Ok(None) => {}
                Err(error) => {
                    self.doubt(&error.to_string());
                    return state;
                }
            }
        }
        self.known.states.insert(state.clone());
        queue.push_back(state.clone());
        state
    }

    fn known_otherwise(&self, state: &State) -> Result<Option<State>, EvalError> {
        let model = self.judge.model();
        for known in &self.known.states {
            self.judge.refill();
            let mut same = true;
            for id in 0..model.constants.len() {
                let id = ConstantId(id as u32);
                same = same && known.constant(id) == state.constant(id);
            }
            for id in 0..model.variables.len() {
                let id = VariableId(id as u32);
                same = same
                    && match (known.variable(id), state.variable(id)) {
                        (Some(a), Some(b)) => self.judge.equal(a, b)?,
                        (None, None) => true,
                        _ => false,
                    };
            }
            if same {
                return Ok(Some(known.clone()));
            }
        }
        Ok(None)
    }

    /// Steps of one operation that differ in more than the way their states are described.
    fn apart(&mut self, steps: Vec<Step>, queue: &mut VecDeque<State>) -> u64 {
        let mut apart: Vec<Step> = Vec::new();
        for step in steps {
            let state = self.meet(step.state, queue);
            let step = Step { state, ..step };
            if !self.plain.symbolic && all_listed(&step) {
                apart.push(step);
                continue;
            }
            match self.among(&step, &apart) {
                Ok(false) => apart.push(step),
                Ok(true) => {}
                Err(error) => self.doubt(&error.to_string()),
            }
        }
        apart.len() as u64
    }

    fn among(&self, step: &Step, others: &[Step]) -> Result<bool, EvalError> {
        for other in others.iter().filter(|other| other.state == step.state) {
            self.judge.refill();
            let mut same = true;
            for (a, b) in step.arguments.iter().zip(&other.arguments) {
                same = same && self.judge.equal(a, b)?;
            }
            for both in step.results.iter().zip(&other.results) {
                same = same
                    && match both {
                        (Some(a), Some(b)) => self.judge.equal(a, b)?,
                        (a, b) => a.is_none() && b.is_none(),
                    };
            }
            if same {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn initial(&mut self, setup: &State, queue: &mut VecDeque<State>) {
        let level = self.judge.model().concrete();
        match self.judge.initial_outcomes(setup) {
            Ok((states, troubles)) => {
                let failed = self.troubled(troubles, Kind::Initialisation);
                if states.is_empty() && !failed {
                    self.found(Kind::NoInitialState);
                }
                let mut apart = BTreeSet::new();
                for state in states {
                    if level.variables.iter().any(|v| state.variable(*v).is_none()) {
                        self.found(Kind::Initialisation);
                        continue;
                    }
                    apart.insert(self.meet(state, queue));
                }
                self.plain.transitions += apart.len() as u64;
            }
            Err(error) => self.doubt(&error.to_string()),
        }
    }

    /// What is wrong beside the outcomes that there are. Is anything?
    fn troubled(&mut self, troubles: Troubles, kind: Kind) -> bool {
        let Troubles { fault, unknown } = troubles;
        let any = fault.is_some() || unknown.is_some();
        if fault.is_some() {
            self.found(kind);
            self.plain.fails = true;
        }
        if let Some(error) = unknown {
            self.doubt(&error.to_string());
        }
        any
    }

    fn holds(&mut self, pred: &Pred, state: &State, id: ConjunctId) {
        self.ask();
        match self.judge.holds(pred, &Scene::of(state)) {
            Ok(true) => {}
            Ok(false) => self.found(Kind::Violated(id)),
            Err(error) if error.is_fault() => self.found(Kind::Undefined(id)),
            Err(error) => self.doubt(&error.to_string()),
        }
    }

    fn assertions(&mut self, state: &State, about_constants: bool) {
        for (id, assertion) in self.judge.model().concrete().numbered_assertions() {
            let pred = &assertion.conjunct.pred;
            if is_static(pred) == about_constants {
                self.holds(pred, state, id);
            }
        }
    }

    fn check(&mut self, state: &State) {
        let model = self.judge.model();
        for (id, invariant) in model.concrete().numbered_invariants() {
            self.holds(&invariant.conjunct.pred, state, id);
        }
        self.assertions(state, false);
        if let Some(goal) = &model.special.goal {
            self.ask();
            match self.judge.holds(goal, &Scene::of(state)) {
                Ok(true) => self.found(Kind::Goal),
                Ok(false) => {}
                Err(error) if error.is_fault() => self.found(Kind::GoalUndefined),
                Err(error) => self.doubt(&error.to_string()),
            }
        }
    }

    fn expand(&mut self, state: &State, queue: &mut VecDeque<State>) {
        let (mut stuck, mut sure) = (true, true);
        for operation in &self.judge.model().concrete().operations {
            sure &= !self.noted();
            self.ask();
            match self.judge.outcomes_of(*operation, state) {
                Ok((steps, troubles)) => {
                    let failed = self.troubled(troubles, Kind::Operation(number(*operation)));
                    stuck &= steps.is_empty() && !failed;
                    self.plain.transitions += self.apart(steps, queue);
                }
                Err(error) => {
                    stuck = false;
                    self.doubt(&error.to_string());
                }
            }
        }
        // An operation may be possible outside the bounds within which its guard was decided.
        if stuck && sure && !self.noted() {
            self.found(Kind::Deadlock);
        }
    }
}

/// The number of an operation.
pub fn number(operation: OperationId) -> u32 {
    operation.0
}

fn all_listed(step: &Step) -> bool {
    step.arguments.iter().all(|v| v.is_listed())
        && step.results.iter().flatten().all(|v| v.is_listed())
}

fn is_listed(model: &Model, state: &State) -> bool {
    let mut constants = (0..model.constants.len()).map(|i| state.constant(ConstantId(i as u32)));
    let mut variables = (0..model.variables.len()).map(|i| state.variable(VariableId(i as u32)));
    constants.all(|v| v.is_none_or(|v| v.is_listed()))
        && variables.all(|v| v.is_none_or(|v| v.is_listed()))
}
