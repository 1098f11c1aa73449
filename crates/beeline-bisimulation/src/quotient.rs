//! One state for each block: the smallest graph that cannot be told from the one it is made of.

use crate::contract::contract;
use crate::graph::{Builder, Graph, INTERNAL, TooLarge};
use crate::refine::refine;
use crate::{Interrupted, Relation, look};
use std::sync::atomic::AtomicBool;

/// A graph of classes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Minimised {
    /// Classes as states, numbered in the order of their first members. A class in which internal steps can
    /// go on for ever has an internal step to itself, if that counts.
    pub graph: Graph,
    /// The class of each state of the graph it is made of.
    pub class: Vec<u32>,
}

impl Minimised {
    /// The first state of each class, and how many there are.
    pub fn members(&self) -> Vec<(u32, u64)> {
        let mut members = vec![(u32::MAX, 0); self.graph.states()];
        for (state, class) in self.class.iter().enumerate() {
            let (first, count) = &mut members[*class as usize];
            *first = (*first).min(state as u32);
            *count += 1;
        }
        members
    }
}

/// Merges states that are equal. States that cannot be reached are kept: ask [`Graph::reachable`] first.
pub fn minimise(
    graph: &Graph,
    relation: Relation,
    stop: &AtomicBool,
) -> Result<Minimised, Interrupted> {
    if relation == Relation::Strong {
        let partition = refine(graph, false, false, stop)?;
        return merged(graph, &Merge::Strong, partition.block, partition.blocks, stop);
    }
    let small = contract(graph, relation == Relation::Branching, stop)?;
    let partition = refine(&small.graph, true, false, stop)?;
    let block = small.place.iter().map(|place| partition.block[*place as usize]).collect();
    let endless = match relation {
        Relation::Branching => small.endless(),
        _ => Vec::new(),
    };
    drop(small.graph);
    merged(graph, &Merge::Branching { endless }, block, partition.blocks, stop)
}

/// What becomes of the edges of a block.
pub(crate) enum Merge {
    /// All members have the same.
    Strong,
    /// Members may have some of them; internal steps inside a block are left out, and those classes with one
    /// of these states get one to themselves.
    Branching { endless: Vec<bool> },
}

/// The graph of blocks.
pub(crate) fn merged(
    graph: &Graph,
    how: &Merge,
    mut class: Vec<u32>,
    blocks: usize,
    stop: &AtomicBool,
) -> Result<Minimised, Interrupted> {
    let number = renumber(&mut class, blocks);
    // The members of each class side by side.
    let mut first = vec![0u32; number + 1];
    class.iter().for_each(|c| first[*c as usize + 1] += 1);
    (0..number).for_each(|i| first[i + 1] += first[i]);
    let (mut next, mut members) = (first.clone(), vec![0u32; class.len()]);
    for state in graph.all() {
        let at = &mut next[class[state as usize] as usize];
        members[*at as usize] = state;
        *at += 1;
    }
    let mut builder = Builder::like(graph);
    for block in 0..number {
        if block & 0xFFF == 0 {
            look(stop)?;
        }
        let all = &members[first[block] as usize..first[block + 1] as usize];
        match how {
            Merge::Strong => {
                let edges = graph.edges(all[0]).iter();
                edges.for_each(|edge| builder.edge(edge.label, class[edge.target as usize]));
            }
            Merge::Branching { endless } => {
                for edge in all.iter().flat_map(|member| graph.edges(*member)) {
                    let to = class[edge.target as usize];
                    if edge.label != INTERNAL || to as usize != block {
                        builder.edge(edge.label, to);
                    }
                }
                // All members agree about it.
                if all.iter().any(|member| endless.get(*member as usize) == Some(&true)) {
                    builder.edge(INTERNAL, block as u32);
                }
            }
        }
        // It is no larger than the graph it is made of.
        builder.end_state().map_err(|TooLarge| Interrupted)?;
    }
    let initial = class[graph.initial() as usize];
    let graph = builder.finish(initial, number).map_err(|TooLarge| Interrupted)?;
    Ok(Minimised { graph, class })
}

/// Numbers classes in the order of their first members. How many are there?
fn renumber(class: &mut [u32], blocks: usize) -> usize {
    let mut fresh = vec![u32::MAX; blocks];
    let mut count = 0u32;
    for block in class {
        let number = &mut fresh[*block as usize];
        if *number == u32::MAX {
            *number = count;
            count += 1;
        }
        *block = *number;
    }
    count as usize
}
