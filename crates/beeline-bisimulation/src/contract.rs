//! Internal cycles become one state each: what branching bisimulation makes of them anyway.
//!
//! What is left has no internal cycle, and its states are numbered so that internal steps lead to smaller
//! numbers. An endless run of internal steps shows as a label of its own, if it is to count. (Groote and
//! Vaandrager 1990; Tarjan's algorithm, without recursion.)

use crate::graph::{Builder, Edge, Graph, INTERNAL, TooLarge};
use crate::{Interrupted, look};
use std::sync::atomic::AtomicBool;

/// A graph without internal cycles.
pub(crate) struct Contracted {
    pub graph: Graph,
    /// The state of it that each state of the other graph became.
    pub place: Vec<u32>,
    /// The label that stands for an endless run of internal steps, where it is to count.
    pub diverges: Option<u32>,
}

impl Contracted {
    /// Which states of the graph it was made of lie on an internal cycle, if that was to count.
    pub fn endless(&self) -> Vec<bool> {
        let on_cycle = |place: &u32| {
            let edges = self.graph.edges(*place);
            edges.iter().any(|edge| Some(edge.label) == self.diverges)
        };
        self.place.iter().map(on_cycle).collect()
    }
}

const NONE: u32 = u32::MAX;

/// Contracts internal cycles.
pub(crate) fn contract(
    graph: &Graph,
    divergence: bool,
    stop: &AtomicBool,
) -> Result<Contracted, Interrupted> {
    let place = components(graph, stop)?;
    let count = place.iter().max().map_or(0, |p| *p as usize + 1);
    // The members of each component side by side.
    let mut first = vec![0u32; count + 1];
    place.iter().for_each(|p| first[*p as usize + 1] += 1);
    (0..count).for_each(|i| first[i + 1] += first[i]);
    let mut next = first.clone();
    let mut members = vec![0u32; place.len()];
    for state in graph.all() {
        let at = &mut next[place[state as usize] as usize];
        members[*at as usize] = state;
        *at += 1;
    }
    let mut builder = Builder::like(graph);
    let diverges = divergence.then(|| builder.fresh_label());
    for component in 0..count {
        if component & 0xFFF == 0 {
            look(stop)?;
        }
        let mut endless = false;
        for member in &members[first[component] as usize..first[component + 1] as usize] {
            for edge in graph.edges(*member) {
                let target = place[edge.target as usize];
                match edge.label {
                    INTERNAL if target as usize == component => endless = true,
                    INTERNAL => builder.edge(INTERNAL, target),
                    label => builder.edge(label, target),
                }
            }
        }
        if let Some(label) = diverges.filter(|_| endless) {
            builder.edge(label, component as u32);
        }
        // It is no larger than the graph it was made of.
        builder.end_state().map_err(|TooLarge| Interrupted)?;
    }
    let initial = place[graph.initial() as usize];
    let graph = builder.finish(initial, count).map_err(|TooLarge| Interrupted)?;
    Ok(Contracted { graph, place, diverges })
}

/// The strongly connected component of each state by internal steps. A component has its number after all
/// that can be reached from it.
fn components(graph: &Graph, stop: &AtomicBool) -> Result<Vec<u32>, Interrupted> {
    let states = graph.states();
    let (mut index, mut low) = (vec![NONE; states], vec![0u32; states]);
    let mut place = vec![NONE; states];
    let (mut open, mut calls): (Vec<u32>, Vec<(u32, u32)>) = (Vec::new(), Vec::new());
    let (mut met, mut count) = (0u32, 0u32);
    for root in graph.all() {
        if root & 0xFFF == 0 {
            look(stop)?;
        }
        if index[root as usize] != NONE {
            continue;
        }
        calls.push((root, 0));
        while let Some((state, at)) = calls.pop() {
            let s = state as usize;
            if at == 0 {
                (index[s], low[s]) = (met, met);
                met += 1;
                open.push(state);
            }
            match internal(graph, state).get(at as usize) {
                Some(edge) => {
                    calls.push((state, at + 1));
                    let t = edge.target as usize;
                    if index[t] == NONE {
                        calls.push((edge.target, 0));
                    } else if place[t] == NONE {
                        low[s] = low[s].min(index[t]);
                    }
                }
                None => {
                    if low[s] == index[s] {
                        while let Some(member) = open.pop() {
                            place[member as usize] = count;
                            if member == state {
                                break;
                            }
                        }
                        count += 1;
                    }
                    if let Some((caller, _)) = calls.last() {
                        let c = *caller as usize;
                        low[c] = low[c].min(low[s]);
                    }
                }
            }
        }
    }
    Ok(place)
}

/// The internal steps of a state: they come first.
pub(crate) fn internal(graph: &Graph, state: u32) -> &[Edge] {
    let edges = graph.edges(state);
    &edges[..edges.partition_point(|edge| edge.label == INTERNAL)]
}
