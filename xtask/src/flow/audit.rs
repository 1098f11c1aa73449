//! One model: its states up to a limit, and every fact held against every transition.

use super::questions::{Afterwards, along, contradiction};
use beeline::compile::{Constants, Flow, State, System, Truth};
use beeline::flow::{
    Effect, Effort, Enabling, FlowEdge, FlowNode, Job, Preserves, Ranges, Relation, enabling_with,
    flow_graph, preserved,
};
use beeline::judge::{Judge, Scene, Settings, State as Scenery, Value};
use beeline::model::{ConjunctId, LocalId, Model, Pred};
use beeline::prove::{Source, Syntactic};
use beeline::smt::{Smt, Solver};
use beeline::value::Val;
use beeline::{InScope, Scope, Specification};
use beeline_compare::convert::value;
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

/// Steps of the judge for one question.
const STEPS: u64 = 200_000;
/// Nodes of a flow graph.
const NODES: usize = 100;
/// More contradictions of a model are not told.
const TOLD: usize = 5;

#[derive(clap::Args)]
pub struct Arguments {
    file: PathBuf,
    #[arg(long, default_value_t = 20_000)]
    states: usize,
    #[arg(long)]
    in_scope: bool,
    #[arg(long)]
    z3: bool,
}

/// What came of it.
#[derive(Default, Serialize, Deserialize)]
pub struct Audited {
    states: usize,
    transitions: usize,
    pairs: usize,
    always: usize,
    never: usize,
    predicates: usize,
    unknown: usize,
    keeps: usize,
    by_others: usize,
    preserved: usize,
    held: u64,
    undecided: u64,
    pub contradictions: Vec<String>,
}

impl Audited {
    pub fn add(&mut self, other: Audited) {
        self.states += other.states;
        self.transitions += other.transitions;
        self.pairs += other.pairs;
        self.always += other.always;
        self.never += other.never;
        self.predicates += other.predicates;
        self.unknown += other.unknown;
        self.keeps += other.keeps;
        self.by_others += other.by_others;
        self.preserved += other.preserved;
        self.held += other.held;
        self.undecided += other.undecided;
        self.contradictions.extend(other.contradictions);
    }

    pub fn line(&self) -> String {
        format!(
            "{} states, {} transitions; {} pairs: {} always, {} never, {} if, {} unknown, {} keep, {} with the help of others; {} conjuncts preserved; {} times \
             a fact was held against a transition, {} undecided, {} contradictions",
            self.states,
            self.transitions,
            self.pairs,
            self.always,
            self.never,
            self.predicates,
            self.unknown,
            self.keeps,
            self.by_others,
            self.preserved,
            self.held,
            self.undecided,
            self.contradictions.len(),
        )
    }
}

pub fn one(arguments: &Arguments) -> Result<bool, String> {
    let specification = Specification::open(&arguments.file).map_err(|e| e.to_string())?;
    let found = beeline::on_large_stack(|| audit(&specification, arguments))?;
    println!("{}", serde_json::to_string(&found).map_err(|e| e.to_string())?);
    Ok(found.contradictions.is_empty())
}

fn audit(specification: &Specification, arguments: &Arguments) -> Result<Audited, String> {
    let model = specification.model();
    let system = beeline::compile(model, &Scope::default()).map_err(|_| "not compiled")?;
    let mut space = Space::new(&system);
    space.explore(arguments.states);
    let (mut facts, preserves) = facts(model, arguments)?;
    let after = Afterwards::new(&mut facts.model);
    let settings = beeline::verdict::judge_settings(model, &system);
    let settings = Settings { max_steps: STEPS, ..settings };
    let judge = Judge::new(&facts.model, settings);
    let mut audit = Audit {
        space: &space,
        facts: &facts,
        after: &after,
        judge: &judge,
        preserves: &preserves,
        questions: HashMap::new(),
        paths: HashMap::new(),
        flow: flow_steps(&facts),
        reached: through_invariant(&space),
        found: Audited::default(),
    };
    audit.run();
    Ok(audit.found)
}

/// What is said of the model, by everybody who is asked.
fn facts(model: &Model, arguments: &Arguments) -> Result<(Enabling, Vec<Preserves>), String> {
    let (mut ranges, mut in_scope) = (Ranges::default(), None);
    if arguments.in_scope {
        in_scope = InScope::new(model, &Scope::default());
    }
    let mut smt = if arguments.z3 { Some(Smt::new(Solver::Z3)?) } else { None };
    let mut sources: Vec<&mut dyn Source> = vec![&mut ranges];
    sources.extend(in_scope.as_mut().map(|s| s as &mut dyn Source));
    sources.extend(smt.as_mut().map(|s| s as &mut dyn Source));
    let mut job = Job { effort: Effort::default(), sources, go_on: &mut |_| true };
    let enabling = enabling_with(model, &mut job);
    let mut syntactic = Syntactic::default();
    let (mut ranges, mut again) = (Ranges::default(), None);
    if arguments.in_scope {
        again = InScope::new(model, &Scope::default());
    }
    let mut sources: Vec<&mut dyn Source> = vec![&mut syntactic, &mut ranges];
    sources.extend(again.as_mut().map(|s| s as &mut dyn Source));
    let mut job = Job { effort: Effort::default(), sources, go_on: &mut |_| true };
    let preserves = preserved(model, &mut job);
    Ok((enabling, preserves))
}

/// A state that was expanded.
struct Expanded {
    enabled: Vec<bool>,
    /// Operations that fail here, or of which something was left out.
    unclear: Vec<bool>,
    invariant: bool,
    /// Conjuncts that are surely false, or have no meaning.
    wrong: Vec<ConjunctId>,
}

struct Step {
    from: Option<usize>,
    operation: usize,
    arguments: Vec<u32>,
    to: usize,
}

/// States, and steps between them.
struct Space<'s> {
    system: &'s System,
    setups: Vec<Constants>,
    states: Vec<(usize, State)>,
    known: HashMap<(usize, State), usize>,
    expanded: Vec<Expanded>,
    steps: Vec<Step>,
}

/// States that are reached through states in which the invariant holds: the flow graph speaks of no others.
fn through_invariant(space: &Space<'_>) -> Vec<bool> {
    let mut reached = vec![false; space.states.len()];
    // A step back to an earlier state may be the first that counts.
    loop {
        let before = reached.iter().filter(|r| **r).count();
        for step in &space.steps {
            let counts = |from: usize| reached[from] && space.expanded[from].invariant;
            if step.from.is_none_or(counts) {
                reached[step.to] = true;
            }
        }
        if reached.iter().filter(|r| **r).count() == before {
            return reached;
        }
    }
}

impl<'s> Space<'s> {
    fn new(system: &'s System) -> Space<'s> {
        Space {
            system,
            setups: Vec::new(),
            states: Vec::new(),
            known: HashMap::new(),
            expanded: Vec::new(),
            steps: Vec::new(),
        }
    }

    fn explore(&mut self, most: usize) {
        let system = self.system;
        let mut scratch = system.scratch();
        let setups = &mut self.setups;
        system.setups(&mut scratch, &mut |constants| {
            setups.push(constants.owned());
            if setups.len() < 50 { Flow::More } else { Flow::Enough }
        });
        for number in 0..self.setups.len() {
            let mut found = Vec::new();
            let constants = self.setups[number].clone();
            system.initial(constants.view(), &mut scratch, &mut |state| {
                found.push(state.owned());
                if found.len() < most { Flow::More } else { Flow::Enough }
            });
            for state in found {
                let to = self.number((number, state));
                self.steps.push(Step { from: None, operation: 0, arguments: Vec::new(), to });
            }
        }
        while self.expanded.len() < self.states.len().min(most) {
            self.expand(self.expanded.len(), &mut scratch);
        }
    }

    fn number(&mut self, place: (usize, State)) -> usize {
        let next = self.states.len();
        let at = *self.known.entry(place.clone()).or_insert(next);
        if at == next {
            self.states.push(place);
        }
        at
    }

    fn expand(&mut self, from: usize, scratch: &mut beeline::compile::Scratch) {
        let system = self.system;
        let (number, state) = self.states[from].clone();
        let constants = self.setups[number].clone();
        let operations = system.operations().len();
        let mut expanded = Expanded {
            enabled: vec![false; operations],
            unclear: vec![false; operations],
            invariant: true,
            wrong: Vec::new(),
        };
        let mut steps = Vec::new();
        let answer = system.successors(constants.view(), state.view(), scratch, &mut |step| {
            expanded.enabled[step.operation.0] = true;
            let arguments = step.arguments.words().to_vec();
            steps.push((step.operation.0, arguments, step.target.owned()));
            if steps.len() < 100_000 { Flow::More } else { Flow::Enough }
        });
        for fault in &answer.faults {
            match fault.operation {
                Some(operation) => expanded.unclear[operation.0] = true,
                None => expanded.unclear.fill(true),
            }
        }
        if !answer.cuts.is_empty() || answer.stopped {
            expanded.unclear.fill(true);
        }
        for check in system.invariants() {
            let truth = system.holds(check.pred, constants.view(), state.view(), scratch);
            expanded.invariant &= matches!(truth, Truth::True);
            if matches!(truth, Truth::False | Truth::Undefined(_)) {
                expanded.wrong.push(check.id);
            }
        }
        self.expanded.push(expanded);
        for (operation, arguments, target) in steps {
            let to = self.number((number, target));
            self.steps.push(Step { from: Some(from), operation, arguments, to });
        }
    }
}

struct Audit<'a> {
    space: &'a Space<'a>,
    facts: &'a Enabling,
    after: &'a Afterwards,
    judge: &'a Judge<'a>,
    preserves: &'a [Preserves],
    /// By first, second, and whether the second one is enabled.
    questions: HashMap<(usize, usize, bool), Pred>,
    /// By operation: is a step along one of its paths?
    paths: HashMap<usize, Pred>,
    /// The steps of the flow graph, if it is complete: from, operation, to.
    flow: Option<HashSet<(FlowNode, usize, FlowNode)>>,
    /// By state: is it one that the flow graph speaks of?
    reached: Vec<bool>,
    found: Audited,
}

impl Audit<'_> {
    fn run(&mut self) {
        let facts = self.facts;
        let found = &mut self.found;
        found.states = self.space.expanded.len();
        found.transitions = self.space.steps.len();
        found.pairs = facts.relations.len();
        found.preserved = self.preserves.len();
        for relation in &facts.relations {
            match relation.effect {
                Effect::Always => found.always += 1,
                Effect::Never => found.never += 1,
                Effect::If(_) => found.predicates += 1,
                Effect::Unknown => found.unknown += 1,
            }
            found.keeps += usize::from(relation.independent.is_some());
            let others = !relation.basis.by.is_empty() || !relation.kept_by.by.is_empty();
            found.by_others += usize::from(others);
        }
        for step in &self.space.steps {
            self.step(step);
        }
    }

    fn step(&mut self, step: &Step) {
        let space = self.space;
        let Some(to) = space.expanded.get(step.to) else { return };
        let from = step.from.map(|from| &space.expanded[from]);
        if from.is_some_and(|from| !from.invariant) {
            return;
        }
        // The order of operations is the same everywhere: that of the level.
        let operations = to.enabled.len();
        let first = step.from.map_or(0, |_| step.operation + 1);
        self.path(first, step);
        self.flow(first, step);
        self.preserved(step);
        for second in 0..operations {
            let relation = &self.facts.relations[first * operations + second];
            if to.unclear[second] {
                continue;
            }
            let enabled = to.enabled[second];
            if let Some(from) = from
                && relation.independent.is_some()
                && !from.unclear[second]
            {
                self.hold(relation, from.enabled[second] == enabled, "keeps", step);
            }
            if let Some(from) = from
                && !from.unclear[second]
            {
                if !relation.may_enable {
                    self.hold(relation, from.enabled[second] || !enabled, "enables", step);
                }
                if !relation.may_disable {
                    self.hold(relation, !from.enabled[second] || enabled, "disables", step);
                }
            }
            let offer = &relation.offer;
            if offer.always {
                self.hold(relation, enabled, "always for some", step);
            }
            if let Some(from) = from
                && !from.unclear[second]
            {
                let before = from.enabled[second];
                if !offer.may_enable {
                    self.hold(relation, before || !enabled, "enables for some", step);
                }
                if !offer.may_disable {
                    self.hold(relation, !before || enabled, "disables for some", step);
                }
            }
            match &relation.effect {
                Effect::Always => self.hold(relation, enabled, "always", step),
                Effect::Never => self.hold(relation, !enabled, "never", step),
                Effect::Unknown => {}
                Effect::If(_) => self.predicate(relation, (first, second), enabled, step),
            }
        }
    }

    /// Whatever an operation preserves holds after its steps.
    fn preserved(&mut self, step: &Step) {
        let space = self.space;
        let Some(operation) = step.from.map(|_| space.system.operations()[step.operation].id)
        else {
            return;
        };
        for proof in self.preserves.iter().filter(|p| p.operation == operation) {
            self.found.held += 1;
            if space.expanded[step.to].wrong.contains(&proof.conjunct) {
                self.found.contradictions.push(format!("not preserved: {proof:?}"));
                self.found.contradictions.truncate(TOLD);
            }
        }
    }

    /// Every step is along one of the paths that are known.
    fn path(&mut self, first: usize, step: &Step) {
        let (facts, after) = (self.facts, self.after);
        let Some(action) = &facts.actions[first] else { return };
        let question = self.paths.entry(first).or_insert_with(|| along(facts, after, action));
        let answer = scene(self.space, facts, after, step).map(|scene| {
            self.judge.refill();
            self.judge.holds(question, &scene)
        });
        match answer {
            Some(Ok(true)) => self.found.held += 1,
            Some(Ok(false)) => {
                self.found.contradictions.push(format!("a step of {first} is along no path"));
                self.found.contradictions.truncate(TOLD);
            }
            _ => self.found.undecided += 1,
        }
    }

    /// Every step is along an edge of the flow graph.
    fn flow(&mut self, first: usize, step: &Step) {
        let space = self.space;
        let Some(edges) = &self.flow else { return };
        if step.from.is_some_and(|from| !self.reached[from]) {
            return;
        }
        let from = step.from.map(|from| &space.expanded[from]);
        let to = &space.expanded[step.to];
        if from.into_iter().chain([to]).any(|state| state.unclear.contains(&true)) {
            return;
        }
        let operations = space.system.operations();
        let node = |state: &Expanded| {
            let all = operations.iter().zip(&state.enabled).filter(|(_, e)| **e);
            FlowNode::Enabled(all.map(|(o, _)| o.id).collect())
        };
        let edge = (from.map_or(FlowNode::Start, node), first, node(to));
        self.found.held += 1;
        if !edges.contains(&edge) {
            self.found.contradictions.push(format!("no edge of the flow graph: {edge:?}"));
            self.found.contradictions.truncate(TOLD);
        }
    }

    fn hold(&mut self, relation: &Relation, right: bool, what: &str, step: &Step) {
        self.found.held += 1;
        if !right && self.found.contradictions.len() < TOLD {
            let model = &self.facts.model;
            let name = |id| model.operation(id).name.to_string();
            let first = relation.first.map_or("INITIALISATION".to_owned(), name);
            let system = self.space.system;
            let show = |at: usize| {
                let (_, state) = &self.space.states[at];
                let pairs = system.variables().iter().zip(&state.0);
                let texts = pairs.map(|(v, w)| format!("{}={}", v.name, system.show(*w, v.ty)));
                texts.collect::<Vec<_>>().join(" ")
            };
            let from = step.from.map_or(String::new(), show);
            self.found.contradictions.push(format!(
                "{first}, {}: {what} ({:?}) is wrong from [{from}] to [{}]",
                name(relation.second),
                step.arguments,
                show(step.to)
            ));
        }
    }

    fn predicate(
        &mut self,
        relation: &Relation,
        (first, second): (usize, usize),
        enabled: bool,
        step: &Step,
    ) {
        let Effect::If(cases) = &relation.effect else { return };
        let facts = self.facts;
        let (Some(action), Some(guard)) = (&facts.actions[first], &facts.guards[second]) else {
            return;
        };
        let after = self.after;
        let question = self
            .questions
            .entry((first, second, enabled))
            .or_insert_with(|| contradiction(facts, after, (action, guard), cases, enabled));
        let Some(scene) = scene(self.space, facts, after, step) else {
            self.found.undecided += 1;
            return;
        };
        self.judge.refill();
        match self.judge.holds(question, &scene) {
            Ok(wrong) => self.hold(relation, !wrong, "if", step),
            Err(_) => self.found.undecided += 1,
        }
    }
}

/// The steps of the flow graph of a model; nothing if it was cut.
fn flow_steps(facts: &Enabling) -> Option<HashSet<(FlowNode, usize, FlowNode)>> {
    let graph = flow_graph(facts, NODES, Effort::default());
    let operations = &facts.model.concrete().operations;
    let place = |id| operations.iter().position(|o| *o == id).map_or(0, |at| at + 1);
    let step = |e: &FlowEdge| {
        let operation = e.operation.map_or(0, place);
        (graph.nodes[e.from].clone(), operation, graph.nodes[e.to].clone())
    };
    (!graph.cut).then(|| graph.edges.iter().map(step).collect())
}

/// The state before, the arguments, and the values after; nothing if there is a set that is not listed.
fn scene(space: &Space<'_>, facts: &Enabling, after: &Afterwards, step: &Step) -> Option<Scene> {
    let system = space.system;
    let model = &facts.model;
    let of = |word: u32| value(system.store(), Val::from_raw(word));
    let (number, target) = &space.states[step.to];
    let mut state = Scenery::blank(model);
    for (slot, word) in system.constants().iter().zip(&space.setups[*number].0) {
        state.set_constant(slot.id, Some(of(*word)?));
    }
    if let Some(from) = step.from {
        for (slot, word) in system.variables().iter().zip(&space.states[from].1.0) {
            state.set_variable(slot.id, Some(of(*word)?));
        }
    }
    let mut scene = Scene::of(&state);
    let mut bind = |local: LocalId, value: Value| scene.bind(local, value);
    if step.from.is_some() {
        let id = system.operations()[step.operation].id;
        for (parameter, word) in model.operation(id).parameters.iter().zip(&step.arguments) {
            bind(*parameter, of(*word)?);
        }
    }
    for (variable, local) in after.iter() {
        let at = system.variables().iter().position(|slot| slot.id == variable)?;
        bind(local, of(target.0[at])?);
    }
    Some(scene)
}
