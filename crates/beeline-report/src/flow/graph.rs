//! The flow graph as it is shown.

use super::code::code_text;
use super::code_b::b_text;
use super::reads::name;
use crate::graph::{DrawnNode, Picture};
use beeline_flow::{Effort, Enabling, FlowEdge, FlowGraph, FlowNode, structure};
use beeline_model::{Model, Pred};
use serde::Serialize;
use std::fmt::Write as _;

/// A flow graph.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FlowReport {
    /// The machine.
    pub model: String,
    /// All nodes are here.
    pub complete: bool,
    /// The operations that are enabled; for the first node, initialisation.
    pub nodes: Vec<Vec<String>>,
    /// Steps.
    pub edges: Vec<FlowRow>,
    /// Some of it was proved in the scope of one check only.
    pub in_scope: bool,
    /// Nodes in which nothing is enabled: deadlocks, if there are such states.
    pub dead_ends: Vec<usize>,
    /// Structured code that does the same, if the model is deterministic enough.
    pub code: Option<String>,
    /// Why there is none.
    pub no_code: Option<String>,
    /// The same as a machine in B.
    pub b_code: Option<String>,
    /// Why there is none.
    pub no_b_code: Option<String>,
}

/// Steps of one operation from one node to another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FlowRow {
    /// From this node.
    pub from: usize,
    /// To this one.
    pub to: usize,
    /// The operation.
    pub operation: String,
    /// What is not certain, and holds before the step; nothing if all of it is certain.
    pub predicate: Option<String>,
}

impl FlowReport {
    /// Of a graph.
    pub fn new(enabling: &Enabling, graph: &FlowGraph, effort: Effort) -> FlowReport {
        let model = &enabling.model;
        let code = structure(enabling, graph);
        let b_code = code.clone().and_then(|code| b_text(enabling, &code, effort));
        let code = code.map(|code| code_text(model, &code));
        let node = |n: &FlowNode| match n {
            FlowNode::Start => vec![name(model, None)],
            FlowNode::Enabled(list) => list.iter().map(|id| name(model, Some(*id))).collect(),
        };
        let edge = |e: &FlowEdge| FlowRow {
            from: e.from,
            to: e.to,
            operation: name(model, e.operation),
            predicate: predicate(model, &e.predicates),
        };
        FlowReport {
            model: model.name.to_string(),
            complete: !graph.cut,
            nodes: graph.nodes.iter().map(node).collect(),
            edges: graph.edges.iter().map(edge).collect(),
            in_scope: enabling.relations.iter().any(|r| r.basis.scope || r.kept_by.scope),
            dead_ends: graph.dead_ends(),
            no_code: code.as_ref().err().cloned(),
            code: code.ok(),
            no_b_code: b_code.as_ref().err().cloned(),
            b_code: b_code.ok(),
        }
    }

    /// For people: each node with the steps from it.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for (at, node) in self.nodes.iter().enumerate() {
            let _ = writeln!(text, "{at}: {}", braces(node));
            for edge in self.edges.iter().filter(|e| e.from == at) {
                let when = edge.predicate.as_ref().map_or(String::new(), |p| format!(" if {p}"));
                let _ = writeln!(text, "    {} -> {}{when}", edge.operation, edge.to);
            }
        }
        if self.in_scope {
            text += "some of it was proved for the sizes of sets and integers of this scope only\n";
        }
        if !self.dead_ends.is_empty() {
            text += "possible deadlock: a state in which nothing is enabled is not excluded\n";
        }
        if !self.complete {
            text += "there are more nodes or steps: a limit was reached; raise it with --max-nodes N or \
                     --pair-steps N\n";
        }
        match (&self.code, &self.no_code) {
            (Some(code), _) => _ = write!(text, "\n{code}"),
            (_, Some(why)) => _ = writeln!(text, "no structured code: {why}"),
            _ => {}
        }
        text
    }

    /// As a picture: a node in which nothing is enabled has a double frame.
    pub fn picture(&self) -> Picture {
        let rows = self.depths();
        let node = |(at, names): (usize, &Vec<String>)| DrawnNode {
            lines: vec![braces(names)],
            row: rows[at],
            double: self.dead_ends.contains(&at),
            initial: at == 0,
        };
        let edge = |e: &FlowRow| {
            let when = e.predicate.as_ref().map_or(String::new(), |p| format!(" [{p}]"));
            (e.from, e.to, format!("{}{when}", e.operation))
        };
        Picture {
            title: format!("{}{}", self.model, if self.in_scope { " (in this scope)" } else { "" }),
            nodes: self.nodes.iter().enumerate().map(node).collect(),
            edges: self.edges.iter().map(edge).collect(),
        }
    }

    /// Steps from the start.
    fn depths(&self) -> Vec<usize> {
        let mut depths = vec![0; self.nodes.len()];
        // Nodes are numbered in the order in which they were found.
        for edge in &self.edges {
            if edge.to > edge.from && depths[edge.to] == 0 {
                depths[edge.to] = depths[edge.from] + 1;
            }
        }
        depths
    }
}

fn braces(names: &[String]) -> String {
    format!("{{{}}}", names.join(", "))
}

/// One of these holds; nothing if one of them is certain.
fn predicate(model: &Model, ways: &[Vec<Pred>]) -> Option<String> {
    if ways.iter().any(Vec::is_empty) {
        return None;
    }
    let way =
        |list: &Vec<Pred>| list.iter().map(|p| model.show_pred(p)).collect::<Vec<_>>().join(" & ");
    let mut texts: Vec<String> = ways.iter().map(way).collect();
    texts.dedup();
    match &texts[..] {
        [one] => Some(one.clone()),
        _ => Some(texts.iter().map(|t| format!("({t})")).collect::<Vec<_>>().join(" or ")),
    }
}
