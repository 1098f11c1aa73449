//! Have two graphs the same traces? Internal steps do not show in a trace.
//!
//! Every prefix of a trace is one, so only one question matters: can the other graph follow? A state of one
//! graph is followed by the set of all states the other one may be in. Of sets that are met with the same
//! state only the least are kept, since whoever is followed by fewer states is followed by more (antichains:
//! De Wulf, Doyen, Henzinger and Raskin 2006). In the worst case there are exponentially many.

use crate::graph::{Edge, Graph, INTERNAL};
use crate::{Interrupted, look};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;

/// Which graph has the trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Only {
    /// The first.
    Left,
    /// The second.
    Right,
}

/// A trace that only one of two graphs has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceDifference {
    /// Which one.
    pub only: Only,
    /// Its labels. No shorter trace of that graph is missing in the other one.
    pub trace: Vec<String>,
}

/// A trace that only one of two graphs has; nothing if they have the same.
pub fn trace_difference(
    left: &Graph,
    right: &Graph,
    stop: &AtomicBool,
) -> Result<Option<TraceDifference>, Interrupted> {
    for (only, has, may_lack) in [(Only::Left, left, right), (Only::Right, right, left)] {
        if let Some(trace) = Chase::new(has, may_lack).run(stop)? {
            return Ok(Some(TraceDifference { only, trace }));
        }
    }
    Ok(None)
}

/// A state, what follows it, and how it was met.
struct Met {
    state: u32,
    set: u32,
    before: u32,
    /// The label of the step to it.
    label: u32,
}

struct Chase<'g> {
    graph: &'g Graph,
    other: &'g Graph,
    /// The number that each label has in the other graph.
    labels: Vec<Option<u32>>,
    met: Vec<Met>,
    sets: Vec<Box<[u32]>>,
    numbers: FxHashMap<Box<[u32]>, u32>,
    /// Sets that were met with a state, by the least element.
    known: FxHashMap<(u32, u32), Vec<u32>>,
}

impl<'g> Chase<'g> {
    fn new(graph: &'g Graph, other: &'g Graph) -> Chase<'g> {
        let numbers: FxHashMap<&str, u32> =
            other.labels().iter().zip(0..).skip(1).map(|(text, i)| (text.as_str(), i)).collect();
        let labels = graph.labels().iter().map(|text| numbers.get(text.as_str()).copied());
        Chase {
            graph,
            other,
            labels: labels.collect(),
            met: Vec::new(),
            sets: Vec::new(),
            numbers: FxHashMap::default(),
            known: FxHashMap::default(),
        }
    }

    /// Follows breadth-first, so that the first trace that cannot be followed is a shortest one.
    fn run(mut self, stop: &AtomicBool) -> Result<Option<Vec<String>>, Interrupted> {
        let start = self.closed(std::iter::once(self.other.initial()));
        self.meet(self.graph.initial(), start, u32::MAX, INTERNAL);
        // Internal steps cost nothing: what they lead to belongs to the same level.
        let (mut level, mut next) = (vec![0u32], Vec::new());
        while !level.is_empty() {
            // All of them first: what a step that shows leads to is met one level later.
            let mut at = 0;
            while let Some(&number) = level.get(at) {
                at += 1;
                let Met { state, set, .. } = self.met[number as usize];
                for edge in self.graph.edges(state).iter().take_while(|e| e.label == INTERNAL) {
                    level.extend(self.meet(edge.target, set, number, INTERNAL));
                }
            }
            for (i, number) in level.drain(..).enumerate() {
                if i & 0xFF == 0 {
                    look(stop)?;
                }
                if let Some(label) = self.follow(number, &mut next) {
                    return Ok(Some(self.trace(number, label)));
                }
            }
            std::mem::swap(&mut level, &mut next);
        }
        Ok(None)
    }

    /// Takes all steps that show; the label of one that the other graph has no answer to.
    fn follow(&mut self, number: u32, next: &mut Vec<u32>) -> Option<u32> {
        let Met { state, set, .. } = self.met[number as usize];
        // Edges with the same label stand side by side.
        let mut last: Option<(u32, u32)> = None;
        for edge in self.graph.edges(state).iter().filter(|e| e.label != INTERNAL) {
            let after = match last {
                Some((label, after)) if label == edge.label => after,
                _ => self.after(set, edge.label),
            };
            last = Some((edge.label, after));
            if self.sets[after as usize].is_empty() {
                return Some(edge.label);
            }
            next.extend(self.meet(edge.target, after, number, edge.label));
        }
        None
    }

    /// Notes a state with what follows it; its number, if that is new.
    fn meet(&mut self, state: u32, set: u32, before: u32, label: u32) -> Option<u32> {
        let elements = &self.sets[set as usize];
        let is_part = |small: &[u32], large: &[u32]| {
            let mut rest = large.iter();
            small.iter().all(|wanted| rest.any(|element| element == wanted))
        };
        for least in elements.iter() {
            let list = self.known.get(&(state, *least)).map_or(&[][..], Vec::as_slice);
            if list.iter().any(|known| is_part(&self.sets[*known as usize], elements)) {
                return None;
            }
        }
        let least = elements.first().copied()?;
        let sets = &self.sets;
        let list = self.known.entry((state, least)).or_default();
        // Larger sets are of no use any more.
        list.retain(|known| !is_part(elements, &sets[*known as usize]));
        list.push(set);
        let number = self.met.len() as u32;
        self.met.push(Met { state, set, before, label });
        Some(number)
    }

    /// Where a step with this label leads from a set.
    fn after(&mut self, set: u32, label: u32) -> u32 {
        let Some(label) = self.labels[label as usize] else { return self.number(&[]) };
        let mut targets: Vec<u32> = Vec::new();
        for state in &self.sets[set as usize] {
            let edges = self.other.edges(*state);
            let from = edges.partition_point(|edge| edge.label < label);
            let same = edges[from..].iter().take_while(|edge| edge.label == label);
            targets.extend(same.map(|edge| edge.target));
        }
        self.closed(targets.into_iter())
    }

    /// The number of a set with all that internal steps lead to.
    fn closed(&mut self, states: impl Iterator<Item = u32>) -> u32 {
        let mut set = BTreeSet::new();
        let mut open: Vec<u32> = states.collect();
        while let Some(state) = open.pop() {
            if set.insert(state) {
                let internal = |edge: &&Edge| edge.label == INTERNAL;
                let edges = self.other.edges(state).iter().take_while(internal);
                open.extend(edges.map(|edge| edge.target));
            }
        }
        let set: Vec<u32> = set.into_iter().collect();
        self.number(&set)
    }

    fn number(&mut self, set: &[u32]) -> u32 {
        if let Some(number) = self.numbers.get(set) {
            return *number;
        }
        let number = self.sets.len() as u32;
        self.sets.push(set.into());
        self.numbers.insert(set.into(), number);
        number
    }

    /// The labels on the way to a state, and one more.
    fn trace(&self, mut at: u32, last: u32) -> Vec<String> {
        let mut labels = vec![last];
        while let Some(met) = self.met.get(at as usize) {
            if met.label != INTERNAL {
                labels.push(met.label);
            }
            at = met.before;
        }
        labels.iter().rev().map(|label| self.graph.label(*label).to_owned()).collect()
    }
}
