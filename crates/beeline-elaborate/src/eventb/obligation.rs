//! Is what was proved what the model asks for?
//!
//! An obligation of a file is compared with the model as it is now, formula by formula. It says: for
//! all values of its names, if the hypotheses hold, so does the goal. Take the values that the names have
//! in a step of the event: variables before it, `x'` after it, parameters. If every hypothesis is known to
//! hold of them, and the goal is the invariant after the step, then the proof speaks for the step.
//!
//! Known to hold are axioms and theorems of contexts, invariants and theorems of all machines (before
//! the step, not for initialisation), guards, what the actions say of `x'`, and witnesses. Names that
//! are determined are replaced by what they are, on both sides. A name of which nothing is known stays:
//! the obligation speaks of all its values.

use super::chain::Chain;
use super::event::{targets, value_of};
use super::event_named;
use super::term::{Meaning, Term};
use beeline_eventb::{Action, Event, Obligations, PredicateSet, Project, Sequent};
use beeline_fault::{Flaw, planted};
use beeline_model::{Model, Name, Type, TypeId};
use beeline_syntax::ast::{Constant, Expr, SubstKind};
use rustc_hash::{FxHashMap, FxHashSet};

/// What holds in every state of a chain, and the obligations to compare.
pub(super) struct Obliged<'a> {
    project: &'a Project,
    chain: &'a Chain<'a>,
    axioms: FxHashSet<Term>,
    /// Axioms and invariants.
    invariants: FxHashSet<Term>,
    /// The type of each name of the model.
    types: FxHashMap<Name, Term>,
}

/// What is known of a step of an event.
pub(super) struct Step {
    level: usize,
    event: Name,
    /// Names that are determined.
    meaning: Meaning,
    /// What holds besides axioms and invariants.
    known: FxHashSet<Term>,
    init: bool,
}

impl<'a> Obliged<'a> {
    pub fn new(project: &'a Project, chain: &'a Chain<'a>, model: &Model) -> Obliged<'a> {
        let mut axioms = FxHashSet::default();
        let plain = Meaning::default();
        if project.obligations.is_empty() {
            let (invariants, types) = (axioms.clone(), FxHashMap::default());
            return Obliged { project, chain, axioms, invariants, types };
        }
        for axiom in chain.contexts.iter().flat_map(|c| &c.axioms) {
            axioms.extend(conjuncts(&axiom.formula, &plain));
        }
        let mut invariants = axioms.clone();
        for invariant in chain.machines.iter().flat_map(|m| &m.invariants) {
            invariants.extend(conjuncts(&invariant.formula, &plain));
        }
        Obliged { project, chain, axioms, invariants, types: types(model) }
    }

    /// What is known of a step of an event of this machine; `None` if its names are not clear.
    pub fn step(&self, level: usize, name: &str) -> Option<Step> {
        if self.project.obligations.is_empty() {
            return None;
        }
        let machine = self.chain.machines.get(level)?;
        let event = event_named(&machine.events, name)?;
        let init = event.is_initialisation();
        let mut step = Step { level, event: event.name.name.clone(), init, ..Step::none() };
        let main = level + 1 == self.chain.machines.len();
        self.names_are_clear(event).then_some(())?;
        step.assignments(event, &|_| true)?;
        let own = |name: &Name| machine.variables.iter().any(|v| v.name == *name);
        if !init {
            step.unchanged(event, machine.variables.iter().map(|v| &v.name));
        }
        let above = level.checked_sub(1).map(|above| self.chain.machines[above]);
        let mut refined = Vec::new();
        if let Some(above) = above {
            let names = event.refines.iter().map(|r| r.name.as_str());
            let init = init.then_some(Event::INITIALISATION);
            refined = names.chain(init).map(|n| event_named(&above.events, n)).collect();
        }
        let gone = above.into_iter().flat_map(|m| &m.variables).map(|v| &v.name);
        let gone: Vec<&Name> = gone.filter(|name| !own(name)).collect();
        match refined[..] {
            // A new event leaves the abstraction as it is.
            [] if !init => step.unchanged(event, gone.into_iter()),
            [Some(abstraction)] => {
                self.names_are_clear(abstraction).then_some(())?;
                step.refines(event, abstraction, &gone)?;
            }
            // Which of several it stands for, or whether there is one, is not known here.
            _ => {}
        }
        step.guards(event, main);
        step.choices(event);
        Some(step)
    }

    /// No parameter has the name of something else.
    fn names_are_clear(&self, event: &Event) -> bool {
        let taken = |name: &Name| {
            let variables = self.chain.machines.iter().flat_map(|m| &m.variables);
            variables.map(|v| &v.name).any(|v| v == name)
                || self.chain.contexts.iter().any(|c| {
                    c.sets.iter().any(|s| s.name == *name)
                        || c.constants.iter().any(|c| c.name.name == *name)
                })
        };
        !event.parameters.iter().any(|p| taken(&p.name))
    }

    /// Was it proved of such a step that it leads to a state with this invariant?
    pub fn proves(&self, step: &Step, label: &Name) -> bool {
        self.speaks_for(step, label).unwrap_or(false)
    }

    fn speaks_for(&self, step: &Step, label: &Name) -> Option<bool> {
        let machine = self.chain.machines.get(step.level)?;
        let invariant = machine.invariants.iter().find(|i| i.label == *label)?;
        let of = |o: &&Obligations| o.component == machine.name.name;
        let obligations = self.project.obligations.iter().find(of)?;
        if !self.project.theories.is_empty() {
            // What their operators mean is not compared.
            return None;
        }
        if let Some(meaning) = obligations.sequents.get(format!("{label}/WD").as_str())
            && !self.holds(obligations, meaning, &Step::none())
        {
            return Some(false);
        }
        let name = format!("{}/{label}/INV", step.event);
        let sequent = obligations.sequents.get(name.as_str())?;
        if planted(Flaw::StaleProof) {
            return Some(true);
        }
        let goal = Term::of(sequent.goal.as_ref()?, &step.meaning)?;
        let mut next = Meaning::default();
        for variable in self.chain.machines.iter().flat_map(|m| &m.variables) {
            next.insert(variable.name.clone(), step.next(&variable.name));
        }
        let same = goal == Term::of(&invariant.formula, &next)?;
        Some(same && self.holds(obligations, sequent, step))
    }

    /// Do all hypotheses of a sequent hold?
    fn holds(&self, obligations: &Obligations, sequent: &Sequent, step: &Step) -> bool {
        let mut seen: Vec<&Name> = Vec::new();
        for own in &sequent.hypotheses {
            let mut next = Some(own);
            while let Some(set) = next {
                if !self.all_known(set, step) {
                    return false;
                }
                next = match &set.parent {
                    None => None,
                    Some(parent) if seen.contains(&parent) => None,
                    Some(parent) => {
                        seen.push(parent);
                        let Some(found) = obligations.sets.get(parent) else { return false };
                        Some(found)
                    }
                };
            }
        }
        true
    }

    fn all_known(&self, set: &PredicateSet, step: &Step) -> bool {
        let typed = set.identifiers.iter().all(|(name, ty)| self.has_type(name, ty.as_ref()));
        let always = if step.init { &self.axioms } else { &self.invariants };
        let known = |predicate: &Option<Expr>| {
            let term = predicate.as_ref().and_then(|p| Term::of(p, &step.meaning));
            let holds = |part: &Term| always.contains(part) || step.known.contains(part);
            term.is_some_and(|term| term.conjuncts().iter().all(holds))
        };
        typed && set.predicates.iter().all(known)
    }

    fn has_type(&self, name: &Name, ty: Option<&Expr>) -> bool {
        let Some(ty) = ty.and_then(|ty| Term::of(ty, &Meaning::default())) else { return false };
        let base = name.strip_suffix('\'').unwrap_or(name);
        self.types.get(base).is_none_or(|known| *known == ty)
    }
}

impl Step {
    /// No step: a question about a state.
    fn none() -> Step {
        Step {
            level: 0,
            event: Name::default(),
            meaning: Meaning::default(),
            known: FxHashSet::default(),
            init: false,
        }
    }

    fn next(&self, name: &Name) -> Term {
        let next = primed(name);
        self.meaning.get(&next).cloned().unwrap_or(Term::Name(next))
    }

    fn term(&self, expr: &Expr) -> Option<Term> {
        Term::of(expr, &self.meaning)
    }

    /// The next values of variables that get one without a choice. `None` if one gets several.
    fn assignments(&mut self, event: &Event, wanted: &dyn Fn(&Name) -> bool) -> Option<()> {
        for action in &event.actions {
            let SubstKind::Assign(_, values) = &action.subst.kind else { continue };
            let names: Vec<&Name> = targets(action).collect();
            if names.len() != values.len() {
                return None;
            }
            // Actions speak of values before the step: none of them has a meaning of its own here.
            let values = values.iter().map(|v| self.term(v)).collect::<Option<Vec<Term>>>()?;
            for (name, value) in names.into_iter().zip(values).filter(|(name, _)| wanted(name)) {
                if self.meaning.insert(primed(name), value).is_some() {
                    return None;
                }
            }
        }
        Some(())
    }

    /// Variables that an event does not assign to stay as they are.
    fn unchanged<'n>(&mut self, event: &Event, names: impl Iterator<Item = &'n Name>) {
        for name in names {
            if !event.actions.iter().flat_map(targets).any(|target| target == name) {
                self.meaning.insert(primed(name), Term::Name(name.clone()));
            }
        }
    }

    /// What the abstraction says, and witnesses say of it. `gone`: variables that only it has.
    fn refines(&mut self, event: &Event, abstraction: &Event, gone: &[&Name]) -> Option<()> {
        let own = |name: &Name| event.parameters.iter().any(|p| p.name == *name);
        let mut pending: Vec<&Expr> = Vec::new();
        for parameter in abstraction.parameters.iter().filter(|p| !own(&p.name)) {
            let witness = event.witnesses.iter().find(|w| w.name.name == parameter.name);
            pending.extend(self.witness(&parameter.name, witness.map(|w| &w.formula)));
        }
        self.assignments(abstraction, &|name| gone.contains(&name))?;
        if !self.init {
            self.unchanged(abstraction, gone.iter().copied());
        }
        for name in abstraction.actions.iter().filter(|a| is_choice(a)).flat_map(targets) {
            if gone.contains(&name) {
                let next = primed(name);
                let witness = event.witnesses.iter().find(|w| w.name.name == next);
                pending.extend(self.witness(&next, witness.map(|w| &w.formula)));
            }
        }
        for formula in pending {
            self.known.extend(conjuncts(formula, &self.meaning));
        }
        self.guards(abstraction, false);
        self.choices(abstraction);
        Some(())
    }

    /// Takes a value from a witness; gives back one that leaves a choice.
    fn witness<'e>(&mut self, name: &Name, formula: Option<&'e Expr>) -> Option<&'e Expr> {
        let formula = formula?;
        match value_of(formula, name).and_then(|value| self.term(value)) {
            Some(value) => {
                self.meaning.entry(name.clone()).or_insert(value);
                None
            }
            None => Some(formula),
        }
    }

    /// Theorems among guards are checked in the main machine only.
    fn guards(&mut self, event: &Event, theorems: bool) {
        for guard in event.guards.iter().filter(|g| theorems || !g.theorem) {
            self.known.extend(conjuncts(&guard.formula, &self.meaning));
        }
    }

    fn choices(&mut self, event: &Event) {
        for action in &event.actions {
            match &action.subst.kind {
                SubstKind::BecomesElement(_, set) => {
                    let names: Vec<&Name> = targets(action).collect();
                    if let ([name], Some(set)) = (&names[..], self.term(set)) {
                        self.known.insert(Term::member(self.next(name), set));
                    }
                }
                SubstKind::BecomesSuch(_, condition) => {
                    self.known.extend(conjuncts(condition, &self.meaning));
                }
                _ => {}
            }
        }
    }
}

fn is_choice(action: &Action) -> bool {
    matches!(action.subst.kind, SubstKind::BecomesElement(..) | SubstKind::BecomesSuch(..))
}

fn primed(name: &Name) -> Name {
    Name::from(format!("{name}'"))
}

fn conjuncts(expr: &Expr, meaning: &Meaning) -> Vec<Term> {
    Term::of(expr, meaning).map(Term::conjuncts).unwrap_or_default()
}

/// The type of each set, constant and variable.
fn types(model: &Model) -> FxHashMap<Name, Term> {
    let mut types = FxHashMap::default();
    for set in &model.sets {
        let own = Term::Name(set.name.clone());
        types.insert(set.name.clone(), Term::power(own.clone()));
        let elements = set.elements.iter().flatten().chain(&set.fixed);
        types.extend(elements.map(|(name, _)| (name.clone(), own.clone())));
    }
    let constants = model.constants.iter().map(|c| (&c.name, c.ty));
    for (name, ty) in constants.chain(model.variables.iter().map(|v| (&v.name, v.ty))) {
        types.insert(name.clone(), type_term(model, ty));
    }
    types
}

fn type_term(model: &Model, ty: TypeId) -> Term {
    match model.types.get(ty) {
        Type::Bool => Term::constant(Constant::Bool),
        Type::Integer => Term::constant(Constant::Integer),
        Type::Given(set) => Term::Name(model.set(*set).name.clone()),
        Type::Power(of) => Term::power(type_term(model, *of)),
        Type::Pair(a, b) => Term::product(type_term(model, *a), type_term(model, *b)),
        // Rodin has no such types: nothing that it says is equal to this.
        _ => Term::Node("another type".to_owned(), Vec::new()),
    }
}
