//! Abstract interpretation: what is true of every reachable state.
//!
//! One abstract state stands for all states: that of the initialisation, joined with what each operation
//! makes of it, until nothing is new. Bounds that keep growing are widened, and narrowed again at the end.
//! Conjuncts of the invariant are proved on the way by induction: all that are not refuted yet
//! may be assumed before an operation, and each must hold, and be well-defined, after the initialisation and
//! every operation. One that does not is given up, and all begins again without it; what is left in the
//! end is true in every reachable state, whatever became of the others.

use crate::analysis::Analysis;
use crate::domain::Value;
use crate::env::{Env, Name};
use crate::predicate::Points;
use beeline_fault::{Flaw, planted};
use beeline_model::{Conjunct, ConjunctId, Invariant, OperationId, VariableId};
use std::collections::{BTreeMap, BTreeSet};

/// Rounds without widening, rounds in all, and rounds of narrowing.
const EXACT_ROUNDS: usize = 4;
const ROUNDS: usize = 60;
const NARROWING: usize = 2;

/// What is true of every reachable state.
#[derive(Clone, Debug, PartialEq)]
pub struct States {
    /// What is known of each constant.
    pub constants: Vec<(Name, Value)>,
    /// What is known of each variable, in every reachable state.
    pub variables: Vec<(Name, Value)>,
    /// The conjuncts of the invariant that hold in every reachable state, typings among them.
    pub proved: Vec<ConjunctId>,
    /// Operations that lead from no reachable state to another: never enabled, or always failing.
    pub never: Vec<OperationId>,
    /// There is no state at all.
    pub no_states: bool,
    /// The limit was reached, and nothing is known of variables.
    pub given_up: bool,
}

impl States {
    /// Interprets a model.
    pub fn of(analysis: &Analysis<'_>) -> States {
        Interpretation::new(analysis).run()
    }
}

pub(crate) struct Interpretation<'a, 'm> {
    pub(crate) analysis: &'a Analysis<'m>,
    /// What is known of the constants.
    pub(crate) constants: Env,
    /// The abstract state after the initialisation.
    pub(crate) initial: Env,
    /// Conjuncts that are not given up.
    pub(crate) candidates: BTreeMap<ConjunctId, &'m Invariant>,
    writes: BTreeMap<OperationId, BTreeSet<Name>>,
}

impl<'a, 'm> Interpretation<'a, 'm> {
    pub(crate) fn new(analysis: &'a Analysis<'m>) -> Interpretation<'a, 'm> {
        let model = analysis.model;
        let level = model.concrete();
        let mut points = Points::new(analysis, Env::new());
        let properties: Vec<&Conjunct> = model.properties.iter().map(|p| &p.conjunct).collect();
        points.propagate(&properties);
        let constants = points.env.constants();
        let mut initial = constants.clone();
        for (_, step) in &level.initialisation {
            analysis.refill();
            initial = analysis.execute(step, &initial);
        }
        let writes = level.operations.iter().map(|id| {
            let names = analysis.written(&model.operation(*id).body);
            (*id, names)
        });
        Interpretation {
            analysis,
            constants,
            initial: initial.without_locals(),
            candidates: level.numbered_invariants().collect(),
            writes: writes.collect(),
        }
    }

    fn run(mut self) -> States {
        let level = self.analysis.model.concrete();
        self.candidates = self.established();
        loop {
            let state = self.fixed_point();
            let (given_up, state) = match state {
                Some(state) => (false, state),
                None => (true, self.constants.clone()),
            };
            let (refuted, never) = self.refuted(&state);
            if refuted.is_empty() {
                let state = self.assuming(&state);
                return self.states(level, &state, never, given_up);
            }
            self.candidates.retain(|id, _| !refuted.contains(id));
        }
    }

    /// The conjuncts that hold in every initial state.
    pub(crate) fn established(&self) -> BTreeMap<ConjunctId, &'m Invariant> {
        let all = self.candidates.iter();
        let hold = all.filter(|(_, invariant)| holds(self.analysis, invariant, &self.initial));
        hold.map(|(id, invariant)| (*id, *invariant)).collect()
    }

    /// The candidates that read what an operation writes.
    pub(crate) fn touched(
        &self,
        id: OperationId,
    ) -> impl Iterator<Item = (&ConjunctId, &&'m Invariant)> {
        let writes = self.writes.get(&id);
        let written = move |v: &VariableId| writes.is_none_or(|w| w.contains(&Name::Variable(*v)));
        self.candidates.iter().filter(move |(_, i)| i.reads.iter().any(written))
    }

    /// What is known where the remaining conjuncts hold.
    pub(crate) fn assuming(&self, state: &Env) -> Env {
        let mut env = state.clone();
        for _ in 0..2 {
            for invariant in self.candidates.values() {
                self.analysis.refill();
                self.analysis.assume(&invariant.conjunct.pred, true, &mut env);
            }
        }
        env
    }

    /// What an operation makes of an abstract state.
    pub(crate) fn step(&self, id: OperationId, before: &Env) -> Env {
        self.analysis.refill();
        self.analysis.execute(&self.analysis.model.operation(id).body, before).without_locals()
    }

    /// The initial state, and what all operations make of a state.
    fn next(&self, state: &Env) -> Env {
        let before = self.assuming(state);
        let level = self.analysis.model.concrete();
        let mut next = self.initial.clone();
        for id in &level.operations {
            next = next.join(&self.step(*id, &before));
        }
        next
    }

    /// An abstract state that every operation leads back into; nothing if none is found in time.
    pub(crate) fn fixed_point(&self) -> Option<Env> {
        let mut state = self.initial.clone();
        for round in 0..ROUNDS {
            if planted(Flaw::AbstractStops) && round == 1 {
                return Some(state);
            }
            if self.analysis.is_exhausted() {
                return None;
            }
            let joined = state.join(&self.next(&state));
            if joined == state {
                return Some(self.narrowed(state));
            }
            state = match round < EXACT_ROUNDS {
                true => joined,
                false => state.widen(&joined, &self.analysis.thresholds),
            };
        }
        None
    }

    /// One more step from a state that contains all reachable ones contains them still.
    fn narrowed(&self, mut state: Env) -> Env {
        for _ in 0..NARROWING {
            let next = state.meet(&self.next(&state));
            if next == state {
                break;
            }
            state = next;
        }
        state
    }

    /// The conjuncts that some operation may break, and operations without a step.
    pub(crate) fn refuted(&self, state: &Env) -> (BTreeSet<ConjunctId>, Vec<OperationId>) {
        let level = self.analysis.model.concrete();
        let (mut refuted, mut never) = (BTreeSet::new(), Vec::new());
        let before = self.assuming(state);
        for id in &level.operations {
            let after = self.step(*id, &before);
            if after.is_dead() {
                never.push(*id);
                continue;
            }
            let broken = self.touched(*id).filter(|(_, i)| !holds(self.analysis, i, &after));
            refuted.extend(broken.map(|(conjunct, _)| *conjunct));
        }
        (refuted, never)
    }

    fn states(
        &self,
        level: &beeline_model::Level,
        state: &Env,
        never: Vec<OperationId>,
        given_up: bool,
    ) -> States {
        let of = |name: Name| {
            let value = match state.is_dead() {
                true => Value::Never,
                false => self.analysis.known(name, state),
            };
            (name, value)
        };
        let constants = (0..self.analysis.model.constants.len() as u32)
            .map(|i| of(Name::Constant(beeline_model::ConstantId(i))));
        States {
            constants: constants.collect(),
            variables: level.variables.iter().map(|v| of(Name::Variable(*v))).collect(),
            proved: self.candidates.keys().copied().collect(),
            never: if state.is_dead() { level.operations.clone() } else { never },
            no_states: state.is_dead(),
            given_up,
        }
    }
}

/// Is a conjunct true and well-defined in all states that this stands for?
pub(crate) fn holds(analysis: &Analysis<'_>, invariant: &Invariant, env: &Env) -> bool {
    if invariant.only_types || env.is_dead() {
        return true;
    }
    let pred = &invariant.conjunct.pred;
    analysis.refill();
    if !analysis.is_defined_pred(pred, env) {
        return false;
    }
    analysis.refill();
    analysis.with(pred, false, env).is_dead()
}
