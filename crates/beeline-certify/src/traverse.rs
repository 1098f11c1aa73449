//! Going through a model with a certificate in hand: one run of the method of model checking, each step of it looked
//! at by the judge.

use crate::certificate::{Certificate, Claimed, Kept, Known, Shown};
use crate::permute::{Movable, Permutation};
use beeline_judge::{Claim, EvalError, Judge, Refusal, Scene, Settings, State};
use beeline_model::{Conjunct, Model};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// What was gone through.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Accepted {
    pub setups: usize,
    pub states: usize,
    pub transitions: usize,
    /// States and valuations that were not kept, each permuted into one that was.
    pub permuted: usize,
}

/// Why a certificate is not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// It proves nothing.
    Wrong(String),
    /// Something could not be found out.
    Unknown(String),
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refused::Wrong(why) | Refused::Unknown(why) => f.write_str(why),
        }
    }
}

pub(crate) fn wrong<T>(why: impl Into<String>) -> Result<T, Refused> {
    Err(Refused::Wrong(why.into()))
}

/// Does a certificate prove its verdict of a model? When `stop` becomes true it is not known.
pub fn certify(
    model: &Model,
    certificate: &Certificate,
    stop: &Arc<AtomicBool>,
) -> Result<Accepted, Refused> {
    let Some(settings) = certificate.scope.settings(model) else {
        return wrong("the model has other sets than the certificate");
    };
    match &certificate.claimed {
        Claimed::Violated(known, shown) => violated(model, settings, stop, (known, *shown)),
        Claimed::Holds(kept) => {
            let mut guide =
                Reader { kept, movable: Movable::of(model, &settings.set_sizes), at: 0 };
            if let Some(bad) = kept.permutations.iter().position(|p| !guide.movable.allows(p)) {
                return wrong(format!("permutation {bad} is none that the model cannot see"));
            }
            if kept.initial_leads.len() != kept.setups.len()
                || kept.leads.len() != kept.states.len()
            {
                return wrong("there is not a list of permutations for each state");
            }
            let mut traversal = Traversal::new(model, settings, stop, kept)?;
            traversal.check = Some(certificate);
            traversal.run(&mut guide)?;
            Ok(traversal.accepted)
        }
    }
}

fn violated(
    model: &Model,
    settings: Settings,
    stop: &Arc<AtomicBool>,
    (known, shown): (&Known, Shown),
) -> Result<Accepted, Refused> {
    let mut judge = Judge::new(model, settings);
    judge.stop_when(stop.clone());
    let Some(trace) = known.trace(model) else {
        return wrong("the trace is none of this model");
    };
    let claim = match shown.conjunct() {
        Some(id) => Claim::Violated(id),
        None => Claim::Deadlock,
    };
    match judge.replay(&trace, &claim) {
        Ok(_) => Ok(Accepted {
            setups: 1,
            states: trace.steps.len() + 1,
            transitions: trace.steps.len(),
            permuted: 0,
        }),
        Err(Refusal::Evaluation(error)) if !error.is_fault() => {
            Err(Refused::Unknown(error.to_string()))
        }
        Err(why) => wrong(why.to_string()),
    }
}

/// Which of the lists of permutations comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum List {
    Setups,
    Initial(usize),
    State(usize),
}

/// Says how what was not kept becomes something that was.
pub(crate) trait Guide {
    /// A list begins.
    fn begin(&mut self, list: List);
    /// The next permutation, and what it makes of a state.
    fn lead(
        &mut self,
        list: List,
        model: &Model,
        state: &State,
        known: &dyn Fn(&State) -> bool,
    ) -> Result<State, Refused>;
    /// A list ends.
    fn end(&mut self, list: List) -> Result<(), Refused>;
}

/// Reads what the certificate says.
struct Reader<'c> {
    kept: &'c Kept,
    movable: Movable,
    at: usize,
}

impl Reader<'_> {
    fn list(&self, list: List) -> &[u32] {
        match list {
            List::Setups => &self.kept.setup_leads,
            List::Initial(n) => self.kept.initial_leads.get(n).map_or(&[], Vec::as_slice),
            List::State(n) => self.kept.leads.get(n).map_or(&[], Vec::as_slice),
        }
    }
}

impl Guide for Reader<'_> {
    fn begin(&mut self, _: List) {
        self.at = 0;
    }

    fn lead(
        &mut self,
        list: List,
        model: &Model,
        state: &State,
        _: &dyn Fn(&State) -> bool,
    ) -> Result<State, Refused> {
        let number = self.list(list).get(self.at);
        let permutation: Option<&Permutation> =
            number.and_then(|n| self.kept.permutations.get(*n as usize));
        self.at += 1;
        match permutation.and_then(|p| p.state(model, state)) {
            Some(image) => Ok(image),
            None => wrong("a state is reached that was not kept"),
        }
    }

    fn end(&mut self, list: List) -> Result<(), Refused> {
        match self.at == self.list(list).len() {
            true => Ok(()),
            false => wrong("a permutation leads from nowhere"),
        }
    }
}

/// One run through the states that were kept.
pub(crate) struct Traversal<'t> {
    model: &'t Model,
    judge: Judge<'t>,
    setups: Vec<State>,
    states: BTreeMap<State, usize>,
    reached: Vec<bool>,
    todo: Vec<usize>,
    kept: &'t Kept,
    /// What is to be checked on the way, if anything.
    pub check: Option<&'t Certificate>,
    /// Only valuations of the constants are looked at.
    pub setups_only: bool,
    pub accepted: Accepted,
}

fn unsure(error: EvalError, what: &str) -> Refused {
    match error.is_fault() {
        true => Refused::Wrong(format!("{what}: {error}")),
        false => Refused::Unknown(format!("{what}: {error}")),
    }
}

impl<'t> Traversal<'t> {
    pub fn new(
        model: &'t Model,
        settings: Settings,
        stop: &Arc<AtomicBool>,
        kept: &'t Kept,
    ) -> Result<Traversal<'t>, Refused> {
        let mut judge = Judge::new(model, settings);
        judge.stop_when(stop.clone());
        let mut states = BTreeMap::new();
        for number in 0..kept.states.len() {
            let Some(state) = kept.state(model, number) else {
                return wrong(format!("state {number} is none of this model"));
            };
            if states.insert(state, number).is_some() {
                return wrong(format!("state {number} was kept twice"));
            }
        }
        let setups = (0..kept.setups.len()).map(|n| kept.setup(model, n));
        let Some(setups) = setups.collect::<Option<Vec<State>>>() else {
            return wrong("a valuation of the constants is none of this model");
        };
        let reached = vec![false; kept.states.len()];
        let (todo, accepted) = (Vec::new(), Accepted::default());
        let (check, setups_only) = (None, false);
        Ok(Traversal {
            model,
            judge,
            setups,
            states,
            reached,
            todo,
            kept,
            check,
            setups_only,
            accepted,
        })
    }

    pub fn run(&mut self, guide: &mut dyn Guide) -> Result<(), Refused> {
        self.valuations(guide)?;
        if self.setups_only {
            return Ok(());
        }
        for number in 0..self.setups.len() {
            let (initial, troubles) = self
                .judge
                .initial_outcomes(&self.setups[number])
                .map_err(|e| unsure(e, "initialisation"))?;
            troubles.result().map_err(|e| unsure(e, "initialisation"))?;
            self.sure("initialisation")?;
            if initial.is_empty() && self.check.is_some() {
                return wrong("there is no initial state");
            }
            self.covered(List::Initial(number), initial.into_iter().collect(), guide)?;
        }
        while let Some(number) = self.todo.pop() {
            self.state(number, guide)?;
        }
        match self.reached.iter().position(|r| !r) {
            Some(number) if self.check.is_some() => {
                wrong(format!("state {number} was kept, and nothing leads to it"))
            }
            _ => Ok(()),
        }
    }

    /// Every valuation of the constants was kept, or is a permutation of one that was.
    fn valuations(&mut self, guide: &mut dyn Guide) -> Result<(), Refused> {
        let all = match self.judge.has_setup() {
            true => self.judge.setups().map_err(|e| unsure(e, "the values of the constants"))?,
            false => vec![State::blank(self.model)],
        };
        self.sure("the values of the constants")?;
        let all: BTreeSet<State> = all.into_iter().collect();
        let kept: BTreeSet<&State> = self.setups.iter().collect();
        if kept.len() != self.setups.len() || kept.is_empty() {
            return wrong("valuations of the constants are missing, or there twice");
        }
        if kept.iter().any(|s| !all.contains(*s)) {
            return wrong("a valuation of the constants does not satisfy the properties");
        }
        guide.begin(List::Setups);
        for setup in all.iter().filter(|s| !kept.contains(s)) {
            let known = |s: &State| kept.contains(s);
            let image = guide.lead(List::Setups, self.model, setup, &known)?;
            if !kept.contains(&image) {
                return wrong("a valuation of the constants was not kept");
            }
            self.accepted.permuted += 1;
        }
        guide.end(List::Setups)?;
        self.accepted.setups = self.setups.len();
        Ok(())
    }

    /// What was decided within bounds only is not known.
    fn sure(&self, what: &str) -> Result<(), Refused> {
        match self.judge.take_notes().is_empty() {
            true => Ok(()),
            false => Err(Refused::Unknown(format!("{what}: decided within bounds only"))),
        }
    }

    /// Each of these states was kept, or is a permutation of one that was.
    fn covered(
        &mut self,
        list: List,
        states: BTreeSet<State>,
        guide: &mut dyn Guide,
    ) -> Result<(), Refused> {
        guide.begin(list);
        for state in states {
            let number = match self.states.get(&state) {
                Some(number) => Some(*number),
                None => {
                    let known = |s: &State| self.states.contains_key(s);
                    let image = guide.lead(list, self.model, &state, &known)?;
                    self.accepted.permuted += 1;
                    self.states.get(&image).copied()
                }
            };
            let Some(number) = number else { return wrong("a state is reached that was not kept") };
            if !std::mem::replace(&mut self.reached[number], true) {
                self.todo.push(number);
                self.accepted.states += 1;
            }
        }
        guide.end(list)
    }

    fn state(&mut self, number: usize, guide: &mut dyn Guide) -> Result<(), Refused> {
        let Some(state) = self.kept.state(self.model, number) else {
            return wrong(format!("state {number} is none of this model"));
        };
        self.judge.refill();
        if let Some(certificate) = self.check {
            self.checked(number, &state, certificate)?;
        }
        let mut next = BTreeSet::new();
        for operation in &self.model.concrete().operations {
            let name = &self.model.operation(*operation).name;
            let (steps, troubles) = self
                .judge
                .outcomes_of(*operation, &state)
                .map_err(|e| unsure(e, &format!("{name} in state {number}")))?;
            troubles.result().map_err(|e| unsure(e, &format!("{name} in state {number}")))?;
            self.accepted.transitions += steps.len();
            next.extend(steps.into_iter().map(|s| s.state));
        }
        self.sure(&format!("steps of state {number}"))?;
        if next.is_empty() && self.check.is_some_and(|c| c.asked.deadlock) {
            return wrong(format!("state {number} is a deadlock"));
        }
        self.covered(List::State(number), next, guide)
    }

    /// What was to hold in each state holds in this one.
    fn checked(
        &self,
        number: usize,
        state: &State,
        certificate: &Certificate,
    ) -> Result<(), Refused> {
        let (level, asked) = (self.model.concrete(), certificate.asked);
        let scene = Scene::of(state);
        let invariants = level.invariants.iter().filter(|_| asked.invariants);
        let assertions = level.assertions.iter().filter(|_| asked.assertions);
        let all = invariants.map(|i| &i.conjunct).chain(assertions.map(|a| &a.conjunct));
        for Conjunct { pred, .. } in all {
            let holds = self.judge.holds(pred, &scene);
            if !holds.map_err(|e| unsure(e, &format!("a conjunct in state {number}")))? {
                // A value that makes it true may be beyond what was looked at.
                self.sure(&format!("a conjunct in state {number}"))?;
                let text = self.model.show_pred(pred);
                return wrong(format!("{text} is false in state {number}"));
            }
        }
        if let Some(goal) = self.model.special.goal.as_ref().filter(|_| asked.goal)
            && self.judge.holds(goal, &scene).map_err(|e| unsure(e, "the goal"))?
        {
            return wrong(format!("state {number} is the goal"));
        }
        self.sure(&format!("conjuncts in state {number}"))
    }
}
