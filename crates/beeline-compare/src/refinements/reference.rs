//! A refinement held against its abstraction by the judge alone: each machine on a judge of its own, states
//! of the refinement with sets of abstract states, as slow and plain as can be.

use beeline_judge::{EvalError, Judge, Scene, Settings, State, Step, Value};
use beeline_model::tree::{self, Node as Part};
use beeline_model::{
    Conjunct, ExprKind, Footprint, LocalId, Model, Operation, OperationId, Subst, SubstKind,
    VariableId,
};
use std::collections::{BTreeSet, VecDeque};

/// How levels are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// By the gluing invariant; nothing is owed outside preconditions.
    Simulation,
    /// By traces; preconditions are guards.
    Trace,
}

/// What is known of a refinement.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reference {
    /// States of the refinement, each with its set.
    pub states: u64,
    /// What is wrong, and with which operation.
    pub found: BTreeSet<(&'static str, String)>,
}

/// More states than this are not looked at.
const MOST: usize = 3_000;

/// Compares the level after `upper` with it. An error says why nothing is known.
pub fn reference(model: &Model, upper: usize, way: Way) -> Result<Reference, String> {
    let (above, below) =
        (machine(model, upper, Taken::of(way).above()), machine(model, upper + 1, Taken::of(way)));
    let calls = calls(&above);
    let settings = |m: &Model| Settings { max_steps: 200_000, ..Settings::of(m) };
    let comparison = Comparison {
        model,
        upper,
        way,
        above: Judge::new(&above, settings(&above)),
        below: Judge::new(&below, settings(&below)),
        calls: Judge::new(&calls, settings(&calls)),
    };
    comparison.run().map_err(|error| error.to_string())
}

/// What operations take over of the preconditions of those that they refine.
#[derive(Clone, Copy)]
enum Taken {
    Nothing,
    Kept,
    All,
}

impl Taken {
    /// For the refinement.
    fn of(way: Way) -> Taken {
        match way {
            Way::Simulation => Taken::Nothing,
            Way::Trace => Taken::Kept,
        }
    }

    /// For its abstraction.
    fn above(self) -> Taken {
        match self {
            Taken::Nothing => Taken::All,
            other => other,
        }
    }
}

/// One level as a machine of its own, with what it inherits if that counts.
fn machine(model: &Model, level: usize, taken: Taken) -> Model {
    let mut own = model.clone();
    own.levels.truncate(level + 1);
    for (number, operation) in own.operations.iter_mut().enumerate() {
        let rest = parts(model, operation).1;
        let mut conjuncts = parts(model, operation).0;
        match taken {
            Taken::Nothing => {}
            Taken::All => conjuncts.extend(operation.inherited.iter().cloned()),
            Taken::Kept => {
                let mut id = OperationId(number as u32);
                let mut lowest = level_of(model, id);
                // From one operation to the one that it refines: what was gone once does not come back.
                let mut gone: Vec<VariableId> = Vec::new();
                while let Some(above) = model.operation(id).refines.first().copied() {
                    let theirs = model.operation(above);
                    if theirs.parameters.len() != operation.parameters.len() || lowest == 0 {
                        break;
                    }
                    let has = &model.levels[lowest].variables;
                    let upper = &model.levels[lowest - 1].variables;
                    gone.extend(upper.iter().filter(|v| !has.contains(v)));
                    for mut conjunct in parts(model, theirs).0 {
                        if Footprint::of_pred(&conjunct.pred).reads.iter().any(|v| gone.contains(v))
                        {
                            continue;
                        }
                        let names = theirs.parameters.iter().zip(&operation.parameters);
                        let names: Vec<_> = names.map(|(a, b)| (*a, *b)).collect();
                        renamed(Part::Pred(&mut conjunct.pred), &names);
                        conjuncts.push(conjunct);
                    }
                    (id, lowest) = (above, lowest - 1);
                }
            }
        }
        operation.body = match conjuncts.is_empty() {
            true => rest,
            false => Subst { span: rest.span, kind: SubstKind::Pre(conjuncts, Box::new(rest)) },
        };
    }
    own
}

/// The own precondition of an operation, and what it guards.
fn parts(model: &Model, operation: &Operation) -> (Vec<Conjunct>, Subst) {
    // Only the last level has what it inherits in its bodies.
    let last = model.levels.last();
    let guarded = last
        .is_some_and(|l| l.operations.iter().any(|o| model.operation(*o).span == operation.span));
    let drop = if guarded { operation.inherited.len() } else { 0 };
    match &operation.body.kind {
        SubstKind::Pre(c, rest) => (c[drop.min(c.len())..].to_vec(), (**rest).clone()),
        _ => (Vec::new(), operation.body.clone()),
    }
}

fn level_of(model: &Model, id: OperationId) -> usize {
    model.levels.iter().position(|l| l.operations.contains(&id)).unwrap_or_default()
}

fn renamed(mut node: Part<'_>, names: &[(LocalId, LocalId)]) {
    if let Part::Expr(e) = &mut node
        && let ExprKind::Local(id) = &mut e.kind
        && let Some((_, to)) = names.iter().find(|(from, _)| from == id)
    {
        *id = *to;
    }
    tree::children(node).into_iter().for_each(|n| renamed(n, names));
}

/// The machine whose operations do nothing: its steps are the calls that are allowed.
fn calls(above: &Model) -> Model {
    let mut calls = above.clone();
    for operation in &mut calls.operations {
        if let SubstKind::Pre(_, rest) = &mut operation.body.kind {
            rest.kind = SubstKind::Skip;
        }
        operation.results.clear();
    }
    calls
}

struct Comparison<'m> {
    model: &'m Model,
    upper: usize,
    way: Way,
    above: Judge<'m>,
    below: Judge<'m>,
    calls: Judge<'m>,
}

type Sure<T> = Result<T, EvalError>;
/// A state of the refinement and the set of abstract states that match.
type Node = (State, BTreeSet<State>);

impl Comparison<'_> {
    fn run(&self) -> Sure<Reference> {
        let mut out = Reference::default();
        let setup = State::blank(self.model);
        let begun = self.above.initial_states(&setup)?;
        let (mut known, mut queue) = (BTreeSet::new(), VecDeque::new());
        for state in self.below.initial_states(&setup)? {
            let set = self.glued(&state, begun.iter().cloned())?;
            match set.is_empty() {
                true => drop(out.found.insert(("simulation", "INITIALISATION".to_owned()))),
                false => self.meet((state, set), &mut known, &mut queue),
            }
        }
        while let Some((state, set)) = queue.pop_front() {
            if known.len() > MOST {
                return Err(too_many());
            }
            for id in &self.model.levels[self.upper + 1].operations {
                for node in self.expand(*id, &state, &set, &mut out)? {
                    self.meet(node, &mut known, &mut queue);
                }
            }
        }
        out.states = known.len() as u64;
        Ok(out)
    }

    fn meet(&self, node: Node, known: &mut BTreeSet<Node>, queue: &mut VecDeque<Node>) {
        if known.insert(node.clone()) {
            queue.push_back(node);
        }
    }

    fn expand(
        &self,
        id: OperationId,
        state: &State,
        set: &BTreeSet<State>,
        out: &mut Reference,
    ) -> Sure<Vec<Node>> {
        let name = self.model.operation(id).name.to_string();
        let refines = &self.model.operation(id).refines;
        let mut next = Vec::new();
        let Some(above) = refines.first().copied() else {
            for step in self.below.steps_of(id, state)? {
                let set = self.glued(&step.state, set.iter().cloned())?;
                self.arrive(step.state, set, &name, out, &mut next);
            }
            return Ok(next);
        };
        for arguments in self.arguments(id, above, state, set)? {
            let (steps, trouble) = self.below.outcomes_with(id, &arguments, state)?;
            trouble.result()?;
            if self.way == Way::Simulation
                && self.is_forbidden((id, above), &arguments, state, set)?
            {
                out.found.insert(("refined_precondition", name.clone()));
            }
            for step in steps {
                let mut after = BTreeSet::new();
                for candidate in set {
                    let (theirs, trouble) =
                        self.above.outcomes_with(above, &arguments, candidate)?;
                    trouble.result()?;
                    after.extend(
                        theirs
                            .into_iter()
                            .filter(|t: &Step| t.results == step.results)
                            .map(|t| t.state),
                    );
                }
                let set = self.glued(&step.state, after.into_iter())?;
                self.arrive(step.state, set, &name, out, &mut next);
            }
        }
        Ok(next)
    }

    fn arrive(
        &self,
        state: State,
        set: BTreeSet<State>,
        name: &str,
        out: &mut Reference,
        next: &mut Vec<Node>,
    ) {
        match set.is_empty() {
            true => drop(out.found.insert(("simulation", name.to_owned()))),
            false => next.push((state, set)),
        }
    }

    /// The arguments with which an operation may be called.
    fn arguments(
        &self,
        id: OperationId,
        above: OperationId,
        state: &State,
        set: &BTreeSet<State>,
    ) -> Sure<BTreeSet<Vec<Value>>> {
        let of = |steps: Vec<Step>| -> BTreeSet<Vec<Value>> {
            steps.into_iter().map(|s| s.arguments).collect()
        };
        let demands = matches!(self.calls.model().operation(above).body.kind, SubstKind::Pre(..));
        if self.way == Way::Trace || !demands {
            let mut own = of(self.below.steps_of(id, state)?);
            if self.way == Way::Simulation {
                for candidate in set {
                    own.extend(of(self.above.steps_of(above, candidate)?));
                }
            }
            return Ok(own);
        }
        let mut allowed: Option<BTreeSet<Vec<Value>>> = None;
        for candidate in set {
            let here = of(self.calls.steps_of(above, candidate)?);
            allowed = Some(match allowed {
                None => here,
                Some(all) => all.intersection(&here).cloned().collect(),
            });
        }
        Ok(allowed.unwrap_or_default())
    }

    /// Is the own precondition false, although every candidate has a step?
    fn is_forbidden(
        &self,
        (id, above): (OperationId, OperationId),
        arguments: &[Value],
        state: &State,
        set: &BTreeSet<State>,
    ) -> Sure<bool> {
        let operation = self.below.model().operation(id);
        let SubstKind::Pre(conjuncts, _) = &operation.body.kind else { return Ok(false) };
        let mut scene = Scene::of(state);
        for (parameter, argument) in operation.parameters.iter().zip(arguments) {
            scene.bind(*parameter, argument.clone());
        }
        if self.below.all_hold(conjuncts, &scene)? {
            return Ok(false);
        }
        for candidate in set {
            let (steps, trouble) = self.above.outcomes_with(above, arguments, candidate)?;
            trouble.result()?;
            if steps.is_empty() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The abstract states that fit.
    fn glued(
        &self,
        state: &State,
        candidates: impl Iterator<Item = State>,
    ) -> Sure<BTreeSet<State>> {
        let mut fitting = BTreeSet::new();
        for candidate in candidates {
            if self.way == Way::Trace || self.fits(state, &candidate)? {
                fitting.insert(candidate);
            }
        }
        Ok(fitting)
    }

    fn fits(&self, state: &State, candidate: &State) -> Sure<bool> {
        let (above, below) = (&self.model.levels[self.upper], &self.model.levels[self.upper + 1]);
        let mut both = state.clone();
        for id in &above.variables {
            let theirs = candidate.variable(*id).cloned();
            match below.variables.contains(id) {
                true if state.variable(*id) != theirs.as_ref() => return Ok(false),
                true => {}
                false => both.set_variable(*id, theirs),
            }
        }
        let invariants = below.invariants.iter().chain(&below.gluing.invariants);
        let conjuncts: Vec<&Conjunct> = invariants.map(|i| &i.conjunct).collect();
        self.below.refill();
        self.below.all_hold(conjuncts, &Scene::of(&both))
    }
}

fn too_many() -> EvalError {
    EvalError::Unsupported { what: "too many states".to_owned(), span: beeline_source::Span::NONE }
}
