//! The state space of a small model as a graph, with one state of each symmetry class marked.

use crate::error::CheckError;
use crate::scope::{Scope, compile};
use beeline_compile::{Constants, Flow, OperationIndex, State, Step, System};
use beeline_model::Model;
use beeline_symmetry::{Classifier, Elements, Mode};
use beeline_transition::{RowMut, RowRef, SetupIndex};
use std::collections::HashMap;

/// What to draw.
#[derive(Clone, Debug)]
pub struct GraphOptions {
    /// The scope.
    pub scope: Scope,
    /// How classes of symmetric states are told.
    pub symmetry: Mode,
    /// Draw representatives only; steps lead to the representative of their target.
    pub reduced: bool,
    /// The most states to compute.
    pub max_nodes: usize,
}

/// A state of the graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphNode {
    /// Names and values; constants first where there are several set-ups.
    pub values: Vec<(String, String)>,
    /// Operations from initialisation.
    pub depth: usize,
    /// Its class of symmetric states.
    pub class: usize,
    /// The first one of its class.
    pub representative: bool,
    /// An initial state.
    pub initial: bool,
    /// Names of the operations that are possible, sorted.
    pub enabled: Vec<String>,
}

/// A state space.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StateGraph {
    /// The states, in the order in which they were found.
    pub nodes: Vec<GraphNode>,
    /// From, to, operation with arguments and results.
    pub edges: Vec<(usize, usize, String)>,
    /// There are more states than were asked for.
    pub cut: bool,
}

impl StateGraph {
    /// Computes the graph of a model.
    pub fn of(model: &Model, options: &GraphOptions) -> Result<StateGraph, CheckError> {
        let system = compile(model, &options.scope)?;
        let elements = beeline_symmetry::elements(model, &system, None)?;
        Ok(Drawing::new(&system, &elements, options).run())
    }

    /// States with the same possible operations become one.
    pub fn folded(&self) -> StateGraph {
        let mut places: HashMap<&[String], usize> = HashMap::new();
        let (mut folded, mut counts) = (StateGraph::default(), Vec::new());
        let mut place = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let next = folded.nodes.len();
            let at = *places.entry(&node.enabled).or_insert(next);
            if at == next {
                folded.nodes.push(GraphNode { representative: true, ..node.clone() });
                counts.push(0usize);
            }
            counts[at] += 1;
            folded.nodes[at].initial |= node.initial;
            place.push(at);
        }
        for (node, count) in folded.nodes.iter_mut().zip(counts) {
            let enabled = if node.enabled.is_empty() {
                "nothing".to_owned()
            } else {
                node.enabled.join(", ")
            };
            node.values =
                vec![("states".to_owned(), count.to_string()), ("possible".to_owned(), enabled)];
        }
        for (from, to, label) in &self.edges {
            let name = label.split(['(', ' ']).next().unwrap_or(label);
            folded.edges.push((place[*from], place[*to], name.to_owned()));
        }
        folded.edges.sort();
        folded.edges.dedup();
        folded.cut = self.cut;
        folded
    }
}

/// A state and the number of its set-up.
type Place = (SetupIndex, State);

/// A graph in the making.
struct Drawing<'a> {
    system: &'a System,
    elements: &'a Elements,
    options: &'a GraphOptions,
    setups: Vec<Constants>,
    places: Vec<Place>,
    known: HashMap<Place, usize>,
    /// The first state of each class, by key.
    classes: HashMap<(SetupIndex, Vec<u32>), usize>,
    graph: StateGraph,
}

impl<'a> Drawing<'a> {
    fn new(system: &'a System, elements: &'a Elements, options: &'a GraphOptions) -> Drawing<'a> {
        Drawing {
            system,
            elements,
            options,
            setups: Vec::new(),
            places: Vec::new(),
            known: HashMap::new(),
            classes: HashMap::new(),
            graph: StateGraph::default(),
        }
    }

    fn run(mut self) -> StateGraph {
        let mut scratch = self.system.scratch();
        let most = self.options.max_nodes;
        let setups = &mut self.setups;
        self.system.setups(&mut scratch, &mut |constants| {
            setups.push(constants.owned());
            if setups.len() < most { Flow::More } else { Flow::Enough }
        });
        let setups = self.setups.clone();
        let mut classifiers: Vec<Classifier<'_>> = setups
            .iter()
            .map(|constants| Classifier::general(self.system, self.elements, constants.view()))
            .collect();
        for (number, constants) in setups.iter().enumerate() {
            let mut found = Vec::new();
            self.system.initial(constants.view(), &mut scratch, &mut |state| {
                found.push(state.owned());
                if found.len() <= most { Flow::More } else { Flow::Enough }
            });
            for state in found {
                if let Some(at) = self.node((SetupIndex(number), state), 0, &mut classifiers) {
                    self.graph.nodes[at].initial = true;
                }
            }
        }
        let mut next = 0;
        while next < self.places.len() && !self.graph.cut {
            self.expand(next, &setups, &mut classifiers, &mut scratch);
            next += 1;
        }
        self.graph
    }

    fn expand(
        &mut self,
        at: usize,
        setups: &[Constants],
        classifiers: &mut [Classifier<'_>],
        scratch: &mut beeline_compile::Scratch,
    ) {
        let (number, state) = self.places[at].clone();
        let mut steps: Vec<(OperationIndex, String, State)> = Vec::new();
        let most = self.options.max_nodes.saturating_mul(100);
        let system = self.system;
        let constants = setups[number.0].view();
        system.successors(constants, state.view(), scratch, &mut |step| {
            steps.push((step.operation, label(system, &step), step.target.owned()));
            if steps.len() < most { Flow::More } else { Flow::Enough }
        });
        let depth = self.graph.nodes[at].depth + 1;
        for (operation, label, target) in steps {
            let name = &system.operation(operation).name;
            let enabled = &mut self.graph.nodes[at].enabled;
            if !enabled.contains(name) {
                enabled.push(name.clone());
                enabled.sort();
            }
            if let Some(to) = self.node((number, target), depth, classifiers) {
                self.graph.edges.push((at, to, label));
            }
        }
    }

    /// The node of a state, or of its representative.
    fn node(
        &mut self,
        place: Place,
        depth: usize,
        classifiers: &mut [Classifier<'_>],
    ) -> Option<usize> {
        if let Some(at) = self.known.get(&place) {
            return Some(*at);
        }
        let classifier = &mut classifiers[place.0.0];
        // They are asked about rows of the plain layout, which are states.
        let row = RowRef(&place.1.0);
        let halves = |key: u128| (0..4).map(|i| (key >> (32 * i)) as u32).collect();
        let key: Vec<u32> = match self.options.symmetry {
            Mode::None => row.words().to_vec(),
            Mode::Markers => halves(classifier.marker(row)),
            Mode::TreeMarkers => halves(classifier.tree_marker(row)),
            _ => {
                let mut form = row.words().to_vec();
                classifier.canonical(RowMut(&mut form));
                form
            }
        };
        let next = self.graph.nodes.len();
        let class = *self.classes.entry((place.0, key)).or_insert(next);
        if class != next && self.options.reduced {
            return Some(class);
        }
        if next >= self.options.max_nodes {
            self.graph.cut = true;
            return None;
        }
        let (system, several) = (self.system, self.setups.len() > 1);
        let constants =
            system.constants().iter().zip(&self.setups[place.0.0].0).filter(|_| several);
        let constants = constants.map(|(s, w)| (s.name.clone(), system.show(*w, s.ty)));
        let variables = system.variables().iter().zip(&place.1.0);
        let variables = variables.map(|(s, w)| (s.name.clone(), system.show(*w, s.ty)));
        self.graph.nodes.push(GraphNode {
            values: constants.chain(variables).collect(),
            depth,
            class,
            representative: class == next,
            initial: false,
            enabled: Vec::new(),
        });
        self.places.push(place.clone());
        self.known.insert(place, next);
        Some(next)
    }
}

/// An operation with its arguments and results.
fn label(system: &System, step: &Step<'_>) -> String {
    let operation = system.operation(step.operation);
    let list = |names: &[(String, beeline_model::TypeId)], words: &[u32]| {
        let values = names.iter().zip(words).map(|((_, ty), word)| system.show(*word, *ty));
        values.collect::<Vec<_>>().join(", ")
    };
    let mut label = operation.name.clone();
    if !step.arguments.is_empty() {
        label += &format!("({})", list(&operation.parameters, step.arguments.words()));
    }
    if !step.results.is_empty() {
        label += &format!(" --> {}", list(&operation.results, step.results));
    }
    label
}
