//! The truth of formulas and traces in a graph, found naively: by what they mean, in all states at once.
//!
//! This is what vouches for a difference that is shown. It shares nothing with how differences are found.

use crate::formula::{Action, Formula, Part, below};
use crate::graph::{Graph, INTERNAL};
use crate::{Interrupted, look};
use std::sync::atomic::AtomicBool;

impl Formula {
    /// Is it true in the initial state of this graph?
    pub fn holds_in(&self, graph: &Graph, stop: &AtomicBool) -> Result<bool, Interrupted> {
        let mut last = vec![0; self.parts.len()];
        for (i, part) in self.parts.iter().enumerate() {
            below(part).into_iter().for_each(|b| last[b] = i);
        }
        let mut truth: Vec<Vec<bool>> = Vec::with_capacity(self.parts.len());
        let mut endless: Option<Vec<bool>> = None;
        for (i, part) in self.parts.iter().enumerate() {
            look(stop)?;
            let found = match part {
                Part::All(list) => {
                    let all = |state: u32| list.iter().all(|p| truth[*p][state as usize]);
                    graph.all().map(all).collect()
                }
                Part::Not(one) => truth[*one].iter().map(|t| !t).collect(),
                Part::Step(action, then) => can_step(graph, action, &truth[*then]),
                Part::Until(hold, Action::Internal, then) => {
                    through(graph, &truth[*hold], truth[*then].clone())
                }
                Part::Until(hold, action, then) => {
                    let mut there = can_step(graph, action, &truth[*then]);
                    there.iter_mut().zip(&truth[*hold]).for_each(|(t, h)| *t &= *h);
                    through(graph, &truth[*hold], there)
                }
                Part::Endless(hold) => {
                    let cycles = endless.get_or_insert_with(|| on_cycles(graph));
                    let there = cycles.iter().zip(&truth[*hold]).map(|(c, h)| *c && *h).collect();
                    through(graph, &truth[*hold], there)
                }
            };
            truth.push(found);
            // Of long formulas only what is still needed is kept.
            for b in below(part).into_iter().filter(|b| last[*b] == i) {
                truth[b] = Vec::new();
            }
        }
        Ok(truth.last().is_none_or(|whole| whole[graph.initial() as usize]))
    }
}

/// States with such a step to a state in which something holds.
fn can_step(graph: &Graph, action: &Action, then: &[bool]) -> Vec<bool> {
    let wanted: Option<u32> = match action {
        Action::Internal => Some(INTERNAL),
        // The first label is that of internal steps, whatever its text is.
        Action::Visible(text) => {
            let found = graph.labels().iter().skip(1).position(|label| label == text);
            found.map(|at| at as u32 + 1)
        }
    };
    let can = |state: u32| {
        let mut edges = graph.edges(state).iter();
        edges.any(|edge| Some(edge.label) == wanted && then[edge.target as usize])
    };
    graph.all().map(can).collect()
}

/// States from which internal steps lead there, through states in which something holds.
fn through(graph: &Graph, hold: &[bool], mut there: Vec<bool>) -> Vec<bool> {
    let mut before: Vec<Vec<u32>> = vec![Vec::new(); graph.states()];
    for state in graph.all() {
        for edge in graph.edges(state).iter().filter(|edge| edge.label == INTERNAL) {
            before[edge.target as usize].push(state);
        }
    }
    let mut open: Vec<u32> = graph.all().filter(|s| there[*s as usize]).collect();
    while let Some(state) = open.pop() {
        for source in &before[state as usize] {
            let source = *source as usize;
            if hold[source] && !there[source] {
                there[source] = true;
                open.push(source as u32);
            }
        }
    }
    there
}

/// States on internal cycles: what is left when those without an internal step into, and then those without
/// one out of what is left are dropped, reaches such a cycle and is reached from one; each is asked.
fn on_cycles(graph: &Graph) -> Vec<bool> {
    let internal = |state: u32| {
        graph.edges(state).iter().filter(|edge| edge.label == INTERNAL).map(|edge| edge.target)
    };
    let mut found = vec![false; graph.states()];
    let mut seen = vec![u32::MAX; graph.states()];
    let candidates = kernel(graph);
    for state in graph.all().filter(|s| candidates[*s as usize]) {
        if found[state as usize] {
            continue;
        }
        let mut open: Vec<u32> = internal(state).collect();
        while let Some(next) = open.pop() {
            if next == state {
                found[state as usize] = true;
                break;
            }
            if candidates[next as usize] && seen[next as usize] != state {
                seen[next as usize] = state;
                open.extend(internal(next));
            }
        }
    }
    found
}

/// States with internal steps to and from states of the same kind: all cycles lie among them.
fn kernel(graph: &Graph) -> Vec<bool> {
    let mut kept = vec![true; graph.states()];
    loop {
        let mut into = vec![false; graph.states()];
        let mut out = vec![false; graph.states()];
        for state in graph.all().filter(|s| kept[*s as usize]) {
            for edge in graph.edges(state).iter().filter(|edge| edge.label == INTERNAL) {
                if kept[edge.target as usize] {
                    into[edge.target as usize] = true;
                    out[state as usize] = true;
                }
            }
        }
        let left: Vec<bool> = into.iter().zip(&out).map(|(i, o)| *i && *o).collect();
        if left.iter().zip(&kept).all(|(now, before)| now == before) {
            return kept;
        }
        kept = left;
    }
}

/// Has the graph this trace, with internal steps anywhere in between?
pub fn has_trace(graph: &Graph, trace: &[String]) -> bool {
    let start = std::iter::once(graph.initial());
    let mut at = through_internal(graph, start);
    for wanted in trace {
        let next = at.iter().flat_map(|state| {
            let edges = graph.edges(*state).iter();
            edges.filter(|edge| edge.label != INTERNAL && graph.label(edge.label) == wanted)
        });
        at = through_internal(graph, next.map(|edge| edge.target));
    }
    !at.is_empty()
}

/// These states and all that internal steps lead to.
fn through_internal(graph: &Graph, states: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut seen = std::collections::BTreeSet::new();
    let mut open: Vec<u32> = states.collect();
    while let Some(state) = open.pop() {
        if seen.insert(state) {
            let internal = graph.edges(state).iter().filter(|edge| edge.label == INTERNAL);
            open.extend(internal.map(|edge| edge.target));
        }
    }
    seen.into_iter().collect()
}
