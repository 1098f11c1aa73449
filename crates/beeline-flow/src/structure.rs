//! Structured code from a flow graph in which at most one operation is enabled at a time (Fig. 21).
//!
//! An operation that may enable itself again becomes a loop, steps to several nodes become an `IF`. Conditions are what is
//! left of guards after the step before: what that step makes certain is not asked.

use crate::enabling::{Effect, Enabling};
use crate::flow::{FlowGraph, FlowNode};
use crate::make;
use beeline_model::{OperationId, Pred, PredKind};
use std::collections::BTreeSet;

/// Longer code is not made.
const MAX_STATEMENTS: usize = 500;

/// A statement.
#[derive(Clone, Debug, PartialEq)]
pub enum Code {
    /// A step; without an operation, of initialisation.
    Do(Option<OperationId>),
    /// Steps of one operation while the condition holds.
    While(Pred, OperationId),
    /// One step at least.
    Repeat(OperationId, Pred),
    /// The first condition that holds decides; `None` means otherwise.
    If(Vec<(Option<Pred>, Vec<Code>)>),
    /// From here on this operation is enabled, again and again.
    Forever(OperationId),
    /// The beginning of what [`Code::Again`] returns to.
    Label(usize),
    /// Back to the label.
    Again(usize),
    /// Nothing is enabled.
    Stop,
}

/// The code of a flow graph; the reason if there is none.
pub fn structure(enabling: &Enabling, graph: &FlowGraph) -> Result<Vec<Code>, String> {
    if graph.cut {
        return Err("the flow graph is not complete".to_owned());
    }
    let several = |n: &&FlowNode| matches!(n, FlowNode::Enabled(list) if list.len() > 1);
    if let Some(FlowNode::Enabled(list)) = graph.nodes.iter().find(several) {
        let names: Vec<&str> =
            list.iter().map(|id| enabling.model.operation(*id).name.as_str()).collect();
        return Err(format!("several operations may be enabled at once: {}", names.join(", ")));
    }
    let mut writer =
        Writer { enabling, graph, active: Vec::new(), again: BTreeSet::new(), statements: 0 };
    let code = writer.from(0, None).ok_or("the code would be too long")?;
    Ok(tidy(labelled(code, &writer.again)))
}

struct Writer<'e> {
    enabling: &'e Enabling,
    graph: &'e FlowGraph,
    active: Vec<usize>,
    again: BTreeSet<usize>,
    statements: usize,
}

impl Writer<'_> {
    fn operation(&self, node: usize) -> Option<OperationId> {
        match &self.graph.nodes[node] {
            FlowNode::Start => None,
            FlowNode::Enabled(list) => list.first().copied(),
        }
    }

    fn next(&self, node: usize) -> Vec<usize> {
        let edges = self.graph.edges.iter().filter(|e| e.from == node);
        let all: BTreeSet<usize> = edges.map(|e| e.to).collect();
        all.into_iter().collect()
    }

    /// Everything from a node on, up to another one.
    fn from(&mut self, node: usize, stop: Option<usize>) -> Option<Vec<Code>> {
        self.statements += 1;
        if self.statements > MAX_STATEMENTS {
            return None;
        }
        if Some(node) == stop {
            return Some(Vec::new());
        }
        if self.active.contains(&node) {
            self.again.insert(node);
            return Some(vec![Code::Again(node)]);
        }
        if matches!(&self.graph.nodes[node], FlowNode::Enabled(list) if list.is_empty()) {
            return Some(vec![Code::Stop]);
        }
        self.active.push(node);
        let code = self.steps(node, stop);
        self.active.pop();
        code
    }

    fn steps(&mut self, node: usize, stop: Option<usize>) -> Option<Vec<Code>> {
        let operation = self.operation(node);
        let mut next = self.next(node);
        let itself = next.contains(&node);
        next.retain(|n| *n != node);
        let mut code = vec![Code::Label(node)];
        code.push(match (operation, itself, next.is_empty()) {
            (Some(id), true, true) => Code::Forever(id),
            (Some(id), true, false) => Code::Repeat(id, self.condition(node, node)?),
            _ => Code::Do(operation),
        });
        match &next[..] {
            [] => {}
            [one] => code.extend(self.from(*one, stop)?),
            _ => code.extend(self.branches(node, &next, stop)?),
        }
        Some(code)
    }

    fn branches(&mut self, node: usize, next: &[usize], stop: Option<usize>) -> Option<Vec<Code>> {
        let join = self.join(node, next);
        let mut branches = Vec::new();
        for target in next.iter().filter(|n| Some(**n) != join) {
            let condition = self.condition(node, *target);
            branches.push((condition, self.from(*target, join.or(stop))?));
        }
        // Otherwise comes last.
        branches.sort_by_key(|(condition, _)| condition.is_none());
        let mut code = vec![Code::If(branches)];
        if let Some(join) = join {
            code.extend(self.from(join, stop)?);
        }
        Some(code)
    }

    /// The first node to which all ways lead.
    fn join(&self, node: usize, next: &[usize]) -> Option<usize> {
        let reached: Vec<Vec<usize>> = next.iter().map(|n| self.reached(*n, node)).collect();
        let first = reached.first()?;
        first.iter().copied().find(|n| reached.iter().all(|r| r.contains(n)))
    }

    /// Nodes that can be reached, nearest first, without the one where it began and those before it.
    fn reached(&self, from: usize, without: usize) -> Vec<usize> {
        let mut all = vec![from];
        let mut at = 0;
        while let Some(node) = all.get(at).copied() {
            at += 1;
            for n in self.next(node) {
                if n != without && !self.active.contains(&n) && !all.contains(&n) {
                    all.push(n);
                }
            }
        }
        all
    }

    /// What is left of the guard of a node's operation after a step from another node.
    fn condition(&self, from: usize, to: usize) -> Option<Pred> {
        let (first, second) = (self.operation(from), self.operation(to)?);
        let operations = &self.enabling.model.concrete().operations;
        let at = operations.iter().position(|id| *id == second)?;
        let guard = self.enabling.guards[at].as_ref()?;
        let mut relations = self.enabling.relations.iter();
        let relation = relations.find(|r| r.first == first && r.second == second)?;
        let left: Vec<Pred> = match &relation.effect {
            Effect::If(cases) => {
                let kept: BTreeSet<usize> = cases.iter().flat_map(|c| c.left.clone()).collect();
                kept.into_iter().map(|i| guard.conjuncts[i].clone()).collect()
            }
            _ => Vec::new(),
        };
        let all = make::and(left);
        Some(match guard.parameters.is_empty() {
            true => all,
            false => make::pred(PredKind::Exists(guard.parameters.clone(), Box::new(all))),
        })
    }
}

/// Without the labels that nobody returns to.
fn labelled(code: Vec<Code>, again: &BTreeSet<usize>) -> Vec<Code> {
    let keep = |c: &Code| !matches!(c, Code::Label(n) if !again.contains(n));
    let inside = |c: Code| match c {
        Code::If(branches) => {
            Code::If(branches.into_iter().map(|(p, code)| (p, labelled(code, again))).collect())
        }
        other => other,
    };
    code.into_iter().filter(keep).map(inside).collect()
}

/// `IF c THEN REPEAT s WHILE c END` is a loop.
fn tidy(code: Vec<Code>) -> Vec<Code> {
    let one = |c: Code| match c {
        Code::If(branches) => match &branches[..] {
            [(Some(p), body)] => match &body[..] {
                [Code::Repeat(id, q)] if p == q => Code::While(p.clone(), *id),
                _ => Code::If(inner(branches)),
            },
            _ => Code::If(inner(branches)),
        },
        other => other,
    };
    code.into_iter().map(one).collect()
}

fn inner(branches: Vec<(Option<Pred>, Vec<Code>)>) -> Vec<(Option<Pred>, Vec<Code>)> {
    branches.into_iter().map(|(p, code)| (p, tidy(code))).collect()
}
