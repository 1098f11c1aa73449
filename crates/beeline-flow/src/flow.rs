//! The flow graph: its nodes are sets of enabled operations, its edges steps with predicates composed of
//! enabling predicates (Figs. 18 and 19).
//!
//! Every reachable state that satisfies the invariant lies in the node of the operations that are enabled in it, and
//! every step from one is along an edge, unless the graph was cut at a limit.

use crate::bases::Bases;
use crate::effort::Effort;
use crate::enabling::{Effect, Enabling, Relation};
use crate::known::Known;
use crate::make;
use beeline_model::{OperationId, Pred, PredKind};
use std::collections::HashMap;

/// An expansion of more targets is cut.
const MAX_TARGETS: usize = 512;

/// States in which the same operations are enabled.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum FlowNode {
    /// Before initialisation.
    Start,
    /// These are enabled, and no others; sorted.
    Enabled(Vec<OperationId>),
}

/// Steps of one operation between two nodes.
#[derive(Clone, Debug)]
pub struct FlowEdge {
    /// From this node.
    pub from: usize,
    /// To this one.
    pub to: usize,
    /// The operation; without one, initialisation.
    pub operation: Option<OperationId>,
    /// One of these held before the step; each is a conjunction of what is not certain.
    pub predicates: Vec<Vec<Pred>>,
}

/// Nodes and edges.
#[derive(Clone, Debug, Default)]
pub struct FlowGraph {
    /// The first is [`FlowNode::Start`].
    pub nodes: Vec<FlowNode>,
    /// In the order in which they were found.
    pub edges: Vec<FlowEdge>,
    /// There is more than what is here: a limit was reached.
    pub cut: bool,
}

impl FlowGraph {
    /// Nodes in which nothing is enabled: deadlocks, if there are such states.
    pub fn dead_ends(&self) -> Vec<usize> {
        let dead = |n: &FlowNode| matches!(n, FlowNode::Enabled(list) if list.is_empty());
        (0..self.nodes.len()).filter(|at| dead(&self.nodes[*at])).collect()
    }
}

/// The flow graph with at most so many nodes; so much work is done for each node and operation.
pub fn flow_graph(enabling: &Enabling, most: usize, effort: Effort) -> FlowGraph {
    flow_graph_with(enabling, most, effort, &mut |_| true)
}

/// The same; `go_on` is asked before each node, with the number of nodes that were found.
pub fn flow_graph_with(
    enabling: &Enabling,
    most: usize,
    effort: Effort,
    go_on: &mut dyn FnMut(usize) -> bool,
) -> FlowGraph {
    let mut maker = Maker {
        enabling,
        operations: &enabling.model.concrete().operations,
        bases: Bases::new(&enabling.model, effort),
        known: HashMap::new(),
        graph: FlowGraph {
            nodes: vec![FlowNode::Start],
            cut: !enabling.complete,
            ..FlowGraph::default()
        },
        numbers: HashMap::from([(FlowNode::Start, 0)]),
        most,
        effort,
    };
    let mut at = 0;
    while at < maker.graph.nodes.len() {
        if !go_on(maker.graph.nodes.len()) {
            maker.graph.cut = true;
            break;
        }
        maker.expand(at);
        at += 1;
    }
    maker.graph
}

struct Maker<'e> {
    enabling: &'e Enabling,
    operations: &'e [OperationId],
    bases: Bases<'e>,
    /// What is known before a step along each path, by the place of the operation.
    known: HashMap<usize, Vec<Known<'e>>>,
    graph: FlowGraph,
    numbers: HashMap<FlowNode, usize>,
    most: usize,
    effort: Effort,
}

/// One step that is being expanded.
struct Step<'e> {
    relations: &'e [Relation],
    /// What is enabled before; nothing for initialisation.
    node: Option<Vec<bool>>,
    path: usize,
    /// What was found: what is enabled afterwards, and what must hold before.
    found: Vec<(Vec<bool>, Vec<Pred>)>,
    cut: bool,
}

impl Maker<'_> {
    fn expand(&mut self, from: usize) {
        match self.graph.nodes[from].clone() {
            FlowNode::Start => self.steps(from, 0, None),
            FlowNode::Enabled(list) => {
                let node: Vec<bool> = self.operations.iter().map(|o| list.contains(o)).collect();
                for at in (0..node.len()).filter(|at| node[*at]) {
                    self.steps(from, at + 1, Some(&node));
                }
            }
        }
    }

    /// All steps of one operation from a node; `action` counts initialisation.
    fn steps(&mut self, from: usize, action: usize, node: Option<&Vec<bool>>) {
        let enabling = self.enabling;
        let Some(steps) = &enabling.actions[action] else {
            self.graph.cut = true;
            return;
        };
        let bases = &self.bases;
        let known = self.known.entry(action).or_insert_with(|| bases.with_invariant(steps));
        let count = self.operations.len();
        let mut all = Vec::new();
        for (path, known) in known.iter().enumerate() {
            let mut step = Step {
                relations: &enabling.relations[action * count..(action + 1) * count],
                node: node.cloned(),
                path,
                found: Vec::new(),
                cut: false,
            };
            let mut known = known.with(self.effort.steps);
            self.enabling.assume_node(&mut known, node);
            step.resolve(enabling, known, &mut Vec::new(), &mut Vec::new());
            self.graph.cut |= step.cut;
            all.extend(step.found);
        }
        let operation = action.checked_sub(1).map(|at| self.operations[at]);
        for (enabled, predicate) in all {
            self.edge(from, operation, &enabled, predicate);
        }
    }

    fn edge(
        &mut self,
        from: usize,
        operation: Option<OperationId>,
        enabled: &[bool],
        predicate: Vec<Pred>,
    ) {
        let pairs = self.operations.iter().zip(enabled).filter(|(_, e)| **e);
        let node = FlowNode::Enabled(pairs.map(|(id, _)| *id).collect());
        let next = self.graph.nodes.len();
        let to = match self.numbers.get(&node) {
            Some(to) => *to,
            None if next >= self.most => {
                self.graph.cut = true;
                return;
            }
            None => {
                self.numbers.insert(node.clone(), next);
                self.graph.nodes.push(node);
                next
            }
        };
        let same = |e: &&mut FlowEdge| (e.from, e.to, e.operation) == (from, to, operation);
        match self.graph.edges.iter_mut().find(same) {
            Some(edge) => edge.predicates.push(predicate),
            None => {
                let predicates = vec![predicate];
                self.graph.edges.push(FlowEdge { from, to, operation, predicates });
            }
        }
    }
}

impl Enabling {
    /// Takes in which guards hold in a node, and which do not. Of guards with parameters nothing is taken in:
    /// their names stand for values after the step.
    fn assume_node(&self, known: &mut Known<'_>, node: Option<&Vec<bool>>) {
        for (guard, enabled) in self.guards.iter().zip(node.into_iter().flatten()) {
            let Some(guard) = guard.as_ref().filter(|g| g.parameters.is_empty()) else { continue };
            if *enabled {
                known.assume(&guard.conjuncts);
            } else {
                deny(known, &guard.conjuncts);
            }
        }
    }
}

/// Takes in that not all of these hold, if they have a meaning.
fn deny(known: &mut Known<'_>, list: &[Pred]) {
    if list.iter().all(|p| known.is_defined(p)) {
        known.assume([&make::not(make::and(list.to_vec()))]);
    }
}

impl Step<'_> {
    /// Decides about one operation after the other.
    fn resolve(
        &mut self,
        enabling: &Enabling,
        known: Known<'_>,
        enabled: &mut Vec<bool>,
        predicate: &mut Vec<Pred>,
    ) {
        if self.cut || known.is_contradictory() {
            return;
        }
        let at = enabled.len();
        let Some(relation) = self.relations.get(at) else {
            match self.found.len() < MAX_TARGETS {
                true => self.found.push((enabled.clone(), predicate.clone())),
                false => self.cut = true,
            }
            return;
        };
        let kept = self.node.as_ref().filter(|_| relation.independent.is_some()).map(|n| n[at]);
        let possible = |b: bool| kept.is_none_or(|kept| kept == b);
        let case = match &relation.effect {
            Effect::Always => Some(Some(&[][..])),
            Effect::Never => Some(None),
            Effect::If(cases) => {
                let case = cases.iter().find(|c| c.path == self.path);
                case.map(|c| c.predicate.as_deref())
            }
            Effect::Unknown => None,
        };
        let without_parameters =
            enabling.guards[at].as_ref().is_some_and(|g| g.parameters.is_empty());
        for value in [true, false].into_iter().filter(|b| possible(*b)) {
            let (mut before, mut known) = (known.clone(), known.clone());
            let length = predicate.len();
            match case {
                Some(Some([])) if !value => continue,
                Some(None) if value => continue,
                Some(Some(list)) if value => known.assume(list),
                Some(Some(list)) if without_parameters => deny(&mut known, list),
                _ => {}
            }
            if kept.is_none()
                && let Some(Some(list)) = case
                && !list.is_empty()
            {
                let said = said(enabling, at, list, value);
                // What is certain by now is not said again.
                if before.truth(&said) != Some(true) {
                    predicate.push(said);
                }
            }
            enabled.push(value);
            self.resolve(enabling, known, enabled, predicate);
            enabled.pop();
            predicate.truncate(length);
        }
    }
}

/// An enabling predicate, or its opposite.
fn said(enabling: &Enabling, at: usize, list: &[Pred], value: bool) -> Pred {
    let all = make::and(list.to_vec());
    if value {
        return all;
    }
    match enabling.guards[at].as_ref().map(|g| g.parameters.clone()) {
        Some(names) if !names.is_empty() => {
            make::not(make::pred(PredKind::Exists(names, Box::new(all))))
        }
        _ => make::not(all),
    }
}
