//! The graph: states by number, edges row by row, each label once.
//!
//! Eight bytes an edge and four a state: graphs have millions of them.

use rustc_hash::FxHashMap;
use std::fmt;

/// The label of internal steps, in every graph.
pub const INTERNAL: u32 = 0;

/// No graph has more states than this: one bit of their numbers has another use.
pub const MAX_STATES: usize = (1 << 31) - 1;

/// A step: the number of its label, and the state it leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Edge {
    /// The number of the label.
    pub label: u32,
    /// The state it leads to.
    pub target: u32,
}

/// A labelled transition system with one initial state. Its states need not all be reachable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graph {
    labels: Vec<String>,
    initial: u32,
    /// Where the edges of each state begin; one more than there are states.
    first: Vec<u32>,
    edges: Vec<Edge>,
}

/// There are more states or edges than numbers for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("there are more states or transitions than can be numbered")
    }
}

impl std::error::Error for TooLarge {}

impl Graph {
    /// One state that can do nothing.
    pub fn single() -> Graph {
        Graph { labels: vec!["tau".to_owned()], initial: 0, first: vec![0, 0], edges: Vec::new() }
    }

    /// How many states.
    pub fn states(&self) -> usize {
        self.first.len() - 1
    }

    /// How many edges.
    pub fn transitions(&self) -> usize {
        self.edges.len()
    }

    /// The state it begins in.
    pub fn initial(&self) -> u32 {
        self.initial
    }

    /// The text of each label, [`INTERNAL`] first.
    pub fn labels(&self) -> &[String] {
        &self.labels
    }

    /// The text of a label.
    pub fn label(&self, number: u32) -> &str {
        self.labels.get(number as usize).map_or("", String::as_str)
    }

    /// The edges of a state: sorted, each once.
    pub fn edges(&self, state: u32) -> &[Edge] {
        &self.edges[self.first[state as usize] as usize..self.first[state as usize + 1] as usize]
    }

    /// All states.
    pub fn all(&self) -> std::ops::Range<u32> {
        0..self.states() as u32
    }

    /// Has it internal steps?
    pub fn has_internal(&self) -> bool {
        self.edges.iter().any(|edge| edge.label == INTERNAL)
    }

    /// From edges in any order. States that are named beyond `states` count as well.
    pub fn from_edges(
        mut builder: Builder,
        states: usize,
        initial: u32,
        list: &[(u32, Edge)],
    ) -> Result<Graph, TooLarge> {
        let named = list.iter().map(|(from, edge)| (*from).max(edge.target)).max();
        let most = named.map_or(0, |n| n as usize + 1).max(states).max(initial as usize + 1);
        if most > MAX_STATES || list.len() > u32::MAX as usize {
            return Err(TooLarge);
        }
        let mut first = vec![0u32; most + 1];
        for (from, _) in list {
            first[*from as usize + 1] += 1;
        }
        for i in 0..most {
            first[i + 1] += first[i];
        }
        let mut next = first.clone();
        let mut edges = vec![Edge { label: 0, target: 0 }; list.len()];
        for (from, edge) in list {
            let place = &mut next[*from as usize];
            edges[*place as usize] = *edge;
            *place += 1;
        }
        for state in 0..most {
            let row = first[state] as usize..first[state + 1] as usize;
            builder.edges.extend_from_slice(&edges[row]);
            builder.end_state()?;
        }
        builder.finish(initial, most)
    }

    /// The same with the steps of some labels internal.
    pub fn hide(mut self, is_hidden: impl Fn(&str) -> bool) -> Graph {
        let hidden: Vec<bool> = self.labels.iter().map(|label| is_hidden(label)).collect();
        let (mut from, mut kept) = (0, 0);
        for state in 0..self.states() {
            let end = self.first[state + 1] as usize;
            for edge in &mut self.edges[from..end] {
                if hidden[edge.label as usize] {
                    edge.label = INTERNAL;
                }
            }
            self.edges[from..end].sort_unstable();
            let begin = kept;
            for at in from..end {
                if kept == begin || self.edges[at] != self.edges[kept - 1] {
                    self.edges[kept] = self.edges[at];
                    kept += 1;
                }
            }
            self.first[state] = begin as u32;
            from = end;
        }
        self.edges.truncate(kept);
        if let Some(last) = self.first.last_mut() {
            *last = kept as u32;
        }
        self
    }

    /// The same without states that cannot be reached; numbers are given anew, in the order of a
    /// breadth-first search.
    pub fn reachable(self) -> Graph {
        let mut number = vec![u32::MAX; self.states()];
        let mut order = vec![self.initial];
        number[self.initial as usize] = 0;
        let mut next = 0;
        while let Some(&state) = order.get(next) {
            next += 1;
            for edge in self.edges(state) {
                let place = &mut number[edge.target as usize];
                if *place == u32::MAX {
                    *place = order.len() as u32;
                    order.push(edge.target);
                }
            }
        }
        let (mut first, mut edges) = (Vec::with_capacity(order.len() + 1), Vec::new());
        first.push(0);
        for state in order {
            let from = edges.len();
            edges.extend(
                self.edges(state).iter().map(|e| Edge { target: number[e.target as usize], ..*e }),
            );
            edges[from..].sort_unstable();
            first.push(edges.len() as u32);
        }
        Graph { labels: self.labels, initial: 0, first, edges }
    }

    /// Two graphs side by side, with the labels of both, and the initial states of both.
    pub fn beside(left: &Graph, right: &Graph) -> Result<(Graph, u32, u32), TooLarge> {
        let mut both = Builder::new();
        let shift = left.states() as u32;
        if left.states() + right.states() > MAX_STATES {
            return Err(TooLarge);
        }
        for (graph, shift) in [(left, 0), (right, shift)] {
            let labels: Vec<u32> = graph.labels.iter().map(|text| both.label(text)).collect();
            for state in graph.all() {
                for edge in graph.edges(state) {
                    // The number of internal steps is the same in all graphs.
                    let label = match edge.label {
                        INTERNAL => INTERNAL,
                        label => labels[label as usize],
                    };
                    both.edge(label, edge.target + shift);
                }
                both.end_state()?;
            }
        }
        let states = both.ended();
        Ok((both.finish(left.initial, states)?, left.initial, right.initial + shift))
    }
}

/// A graph in the making: edges state by state, in the order of their numbers.
#[derive(Debug)]
pub struct Builder {
    labels: Vec<String>,
    numbers: FxHashMap<String, u32>,
    first: Vec<u32>,
    edges: Vec<Edge>,
}

impl Default for Builder {
    fn default() -> Builder {
        Builder::new()
    }
}

impl Builder {
    /// Nothing yet but the label of internal steps.
    pub fn new() -> Builder {
        let labels = vec!["tau".to_owned()];
        Builder { labels, numbers: FxHashMap::default(), first: vec![0], edges: Vec::new() }
    }

    /// Nothing yet but the labels of a graph, with the same numbers.
    pub(crate) fn like(graph: &Graph) -> Builder {
        let mut builder = Builder::new();
        builder.labels.clone_from(&graph.labels);
        for (text, number) in graph.labels.iter().zip(0..).skip(1) {
            builder.numbers.entry(text.clone()).or_insert(number);
        }
        builder
    }

    /// A label that is not the same as any other, whatever its text is.
    pub(crate) fn fresh_label(&mut self) -> u32 {
        self.labels.push(String::new());
        self.labels.len() as u32 - 1
    }

    /// The number of a label. Internal steps have none that can be asked for: they are [`INTERNAL`].
    pub fn label(&mut self, text: &str) -> u32 {
        if let Some(number) = self.numbers.get(text) {
            return *number;
        }
        let number = self.labels.len() as u32;
        self.labels.push(text.to_owned());
        self.numbers.insert(text.to_owned(), number);
        number
    }

    /// An edge of the state whose turn it is.
    #[inline]
    pub fn edge(&mut self, label: u32, target: u32) {
        self.edges.push(Edge { label, target });
    }

    /// The state has no more edges: the next one has its turn.
    pub fn end_state(&mut self) -> Result<(), TooLarge> {
        let from = self.first.last().map_or(0, |f| *f as usize);
        self.edges[from..].sort_unstable();
        // Equal edges are one: sorted, they stand side by side.
        let mut kept = from;
        for i in from..self.edges.len() {
            if i == from || self.edges[i] != self.edges[kept - 1] {
                self.edges[kept] = self.edges[i];
                kept += 1;
            }
        }
        self.edges.truncate(kept);
        if self.first.len() > MAX_STATES {
            return Err(TooLarge);
        }
        self.first.push(u32::try_from(kept).map_err(|_| TooLarge)?);
        Ok(())
    }

    /// How many states had their turn.
    pub fn ended(&self) -> usize {
        self.first.len() - 1
    }

    /// How many edges there are by now.
    pub fn transitions(&self) -> usize {
        self.edges.len()
    }

    /// The graph, with so many states in all: those that never had a turn have no edges.
    pub fn finish(mut self, initial: u32, states: usize) -> Result<Graph, TooLarge> {
        while self.ended() < states.max(initial as usize + 1) {
            self.end_state()?;
        }
        let states = self.ended() as u32;
        debug_assert!(self.edges.iter().all(|edge| edge.target < states));
        Ok(Graph { labels: self.labels, initial, first: self.first, edges: self.edges })
    }
}
