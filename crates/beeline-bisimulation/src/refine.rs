//! Partition refinement: blocks of states are split until all states of a block can do the same.
//!
//! It goes in rounds. What a state can do, its signature, is the set of labels and blocks its steps lead to,
//! as they were at the end of the round before. A block is split into as many parts as there are
//! signatures; the largest part keeps the number of the block, and only states with a step to one of the
//! other parts are looked at again ("process the smaller half"). A state's block gets a new number at most
//! log n times, so that each edge is looked at O(k log n) times, where k is the number of edges of one state.
//! (Hopcroft 1971, Paige and Tarjan 1987; with signatures Blom and Orzan 2005, and, in this form, Jacobs and
//! Wißmann 2023.)
//!
//! For branching bisimulation a signature takes over those of the states that an internal step inside the
//! block leads to (Blom and van de Pol 2009). Then the graph has no internal cycles, and internal steps lead
//! to smaller numbers. A state whose signature changes makes all of its block look again that lead to it unseen: long
//! internal ways and many rounds take O(n m) in the worst case.

use crate::graph::{Graph, INTERNAL};
use crate::history::History;
use crate::{Interrupted, look};
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::Hasher;
use std::sync::atomic::AtomicBool;

/// The coarsest stable partition.
pub(crate) struct Partition {
    /// The block of each state.
    pub block: Vec<u32>,
    /// How many blocks.
    pub blocks: usize,
    /// When states were told apart, if somebody asked.
    pub history: Option<History>,
}

/// Refines until nothing changes. `branching`: internal steps inside a block do not count.
pub(crate) fn refine(
    graph: &Graph,
    branching: bool,
    keep: bool,
    stop: &AtomicBool,
) -> Result<Partition, Interrupted> {
    let mut engine = Engine::new(graph, branching);
    let mut history = keep.then(|| History::new(graph.states()));
    let mut round = 0u32;
    while !engine.touched.is_empty() {
        round = round.saturating_add(1);
        engine.split_all(stop)?;
        if let Some(history) = &mut history {
            engine.moves.iter().for_each(|(state, block)| history.note(*state, round, *block));
        }
        engine.settle(stop)?;
    }
    Ok(Partition { blocks: engine.ranges.len(), block: engine.block, history })
}

/// A place in the list of states.
type Range = (u32, u32);

/// States of one block with the same signature.
struct Group {
    /// Where its signature is.
    signature: (usize, usize),
    hash: u64,
    count: u32,
    /// Where its states begin, while a block is split.
    next: u32,
}

struct Engine<'g> {
    graph: &'g Graph,
    branching: bool,
    back: Back,
    block: Vec<u32>,
    /// All states, those of a block side by side; the ones to look at come first.
    states: Vec<u32>,
    place: Vec<u32>,
    ranges: Vec<Range>,
    /// How many states of each block are to be looked at.
    marked: Vec<u32>,
    /// Blocks with such states.
    touched: Vec<u32>,
    /// States that move at the end of the round, and where to.
    moves: Vec<(u32, u32)>,
    group: Vec<u32>,
    groups: Vec<Group>,
    signatures: Vec<u64>,
}

impl<'g> Engine<'g> {
    fn new(graph: &'g Graph, branching: bool) -> Engine<'g> {
        let n = graph.states() as u32;
        Engine {
            graph,
            branching,
            back: Back::of(graph),
            block: vec![0; n as usize],
            states: (0..n).collect(),
            place: (0..n).collect(),
            ranges: vec![(0, n)],
            marked: vec![n],
            touched: vec![0],
            moves: Vec::new(),
            group: vec![0; n as usize],
            groups: Vec::new(),
            signatures: Vec::new(),
        }
    }

    /// Splits all blocks with states to look at. Numbers of blocks stay as they are.
    fn split_all(&mut self, stop: &AtomicBool) -> Result<(), Interrupted> {
        self.moves.clear();
        for (i, block) in std::mem::take(&mut self.touched).into_iter().enumerate() {
            if i & 0xFF == 0 {
                look(stop)?;
            }
            self.split(block, stop)?;
        }
        Ok(())
    }

    fn split(&mut self, block: u32, stop: &AtomicBool) -> Result<(), Interrupted> {
        let (begin, end) = self.ranges[block as usize];
        let marked = std::mem::take(&mut self.marked[block as usize]);
        if end - begin <= 1 || marked == 0 {
            return Ok(());
        }
        let mut list = self.states[begin as usize..(begin + marked) as usize].to_vec();
        if self.branching {
            // Then signatures of states that internal steps lead to are there when they are needed.
            list.sort_unstable();
        }
        self.find_groups(block, &list, begin + marked, stop)?;
        let largest = (0..self.groups.len()).max_by_key(|g| (self.groups[*g].count, !*g));
        let Some(largest) = largest.filter(|_| self.groups.len() > 1) else { return Ok(()) };
        // States that were not looked at stand behind all others, and so does their group, the first.
        let mut at = begin;
        for g in (1..self.groups.len()).chain([0]) {
            self.groups[g].next = at;
            let until = at + self.groups[g].count;
            if g == largest {
                self.ranges[block as usize] = (at, until);
            } else {
                self.ranges.push((at, until));
                self.marked.push(0);
            }
            at = until;
        }
        for state in &list {
            let next = &mut self.groups[self.group[*state as usize] as usize].next;
            self.states[*next as usize] = *state;
            self.place[*state as usize] = *next;
            *next += 1;
        }
        let fresh = self.ranges.len() + 1 - self.groups.len();
        for number in fresh..self.ranges.len() {
            let (from, to) = self.ranges[number];
            let members = &self.states[from as usize..to as usize];
            self.moves.extend(members.iter().map(|state| (*state, number as u32)));
        }
        Ok(())
    }

    /// Sorts states of a block by what they can do. The first group has those that need no look, if any.
    fn find_groups(
        &mut self,
        block: u32,
        list: &[u32],
        unmarked: u32,
        stop: &AtomicBool,
    ) -> Result<(), Interrupted> {
        self.groups.clear();
        self.signatures.clear();
        let mut known = Known::new(list.len());
        let mut own = Vec::new();
        let rest = self.ranges[block as usize].1 - unmarked;
        if rest > 0 {
            let state = self.last_of(self.states[unmarked as usize], block);
            self.signature(state, block, unmarked, &mut own);
            let group = self.grouped(&own, &mut known);
            self.groups[group as usize].count += rest;
        }
        for (i, state) in list.iter().enumerate() {
            if i & 0xFFF == 0 {
                look(stop)?;
            }
            self.signature(*state, block, unmarked, &mut own);
            let group = self.grouped(&own, &mut known);
            self.groups[group as usize].count += 1;
            self.group[*state as usize] = group;
        }
        Ok(())
    }

    /// A state without internal steps inside its block that such steps lead to. All that need no look can do
    /// the same, so it is as good as the one that is asked about.
    fn last_of(&self, mut state: u32, block: u32) -> u32 {
        if self.branching {
            while let Some(edge) = self
                .graph
                .edges(state)
                .iter()
                .take_while(|edge| edge.label == INTERNAL)
                .find(|edge| self.block[edge.target as usize] == block)
            {
                state = edge.target;
            }
        }
        state
    }

    /// What a state can do. States before `unmarked` have a group if they come before it.
    fn signature(&self, state: u32, block: u32, unmarked: u32, own: &mut Vec<u64>) {
        own.clear();
        for edge in self.graph.edges(state) {
            let to = self.block[edge.target as usize];
            if self.branching && edge.label == INTERNAL && to == block {
                let is_marked = self.place[edge.target as usize] < unmarked;
                let group = if is_marked { self.group[edge.target as usize] } else { 0 };
                let (from, to) = self.groups[group as usize].signature;
                own.extend_from_slice(&self.signatures[from..to]);
            } else {
                own.push(u64::from(edge.label) << 32 | u64::from(to));
            }
        }
        own.sort_unstable();
        own.dedup();
    }

    /// The group with this signature.
    fn grouped(&mut self, own: &[u64], known: &mut Known) -> u32 {
        let mut hasher = FxHasher::default();
        own.iter().for_each(|word| hasher.write_u64(*word));
        let hash = hasher.finish();
        let equal = |group: &Group| {
            group.hash == hash && self.signatures[group.signature.0..group.signature.1] == *own
        };
        let next = self.groups.len() as u32;
        let found = match known {
            Known::Few => (0..next).find(|g| equal(&self.groups[*g as usize])),
            Known::Many(map) => {
                let list = map.entry(hash).or_default();
                let found = list.iter().find(|g| equal(&self.groups[**g as usize])).copied();
                if found.is_none() {
                    list.push(next);
                }
                found
            }
        };
        found.unwrap_or_else(|| {
            let from = self.signatures.len();
            self.signatures.extend_from_slice(own);
            let signature = (from, self.signatures.len());
            self.groups.push(Group { signature, hash, count: 0, next: 0 });
            next
        })
    }

    /// Gives states that moved their new blocks, and marks all that may be able to do something else now.
    fn settle(&mut self, stop: &AtomicBool) -> Result<(), Interrupted> {
        let moves = std::mem::take(&mut self.moves);
        for (state, block) in &moves {
            self.block[*state as usize] = *block;
        }
        let mut open = Vec::new();
        for (i, (state, block)) in moves.iter().enumerate() {
            if i & 0xFFF == 0 {
                look(stop)?;
            }
            for at in self.back.of_state(*state) {
                let from = self.back.sources[at] >> 1;
                self.mark(from, &mut open);
            }
            if self.branching {
                // An internal step that led to its own block may lead to another one now.
                let internal =
                    self.graph.edges(*state).iter().take_while(|edge| edge.label == INTERNAL);
                if internal.map(|edge| self.block[edge.target as usize]).any(|b| b != *block) {
                    self.mark(*state, &mut open);
                }
            }
        }
        // What a state can do changes what those can do that come to it unseen.
        while let Some(state) = open.pop() {
            let block = self.block[state as usize];
            for at in self.back.of_state(state) {
                let source = self.back.sources[at];
                if source & 1 == 1 && self.block[(source >> 1) as usize] == block {
                    self.mark(source >> 1, &mut open);
                }
            }
        }
        self.moves = moves;
        Ok(())
    }

    /// The state is to be looked at, unless it is alone in its block.
    fn mark(&mut self, state: u32, open: &mut Vec<u32>) {
        let block = self.block[state as usize] as usize;
        let (begin, end) = self.ranges[block];
        let (at, border) = (self.place[state as usize], begin + self.marked[block]);
        if at < border || end - begin == 1 {
            return;
        }
        if self.marked[block] == 0 {
            self.touched.push(block as u32);
        }
        self.marked[block] += 1;
        let other = self.states[border as usize];
        self.states.swap(at as usize, border as usize);
        self.place[other as usize] = at;
        self.place[state as usize] = border;
        if self.branching {
            open.push(state);
        }
    }
}

/// How groups are found: a map costs more than a look at a few of them.
enum Known {
    Few,
    Many(FxHashMap<u64, Vec<u32>>),
}

impl Known {
    fn new(states: usize) -> Known {
        if states <= 16 { Known::Few } else { Known::Many(FxHashMap::default()) }
    }
}

/// Edges backwards: where they come from, and whether they are internal (the last bit).
struct Back {
    first: Vec<u32>,
    sources: Vec<u32>,
}

impl Back {
    fn of(graph: &Graph) -> Back {
        let mut first = vec![0u32; graph.states() + 1];
        for state in graph.all() {
            graph.edges(state).iter().for_each(|edge| first[edge.target as usize + 1] += 1);
        }
        (0..graph.states()).for_each(|i| first[i + 1] += first[i]);
        let mut next = first.clone();
        let mut sources = vec![0; graph.transitions()];
        for state in graph.all() {
            for edge in graph.edges(state) {
                let place = &mut next[edge.target as usize];
                sources[*place as usize] = state << 1 | u32::from(edge.label == INTERNAL);
                *place += 1;
            }
        }
        Back { first, sources }
    }

    fn of_state(&self, state: u32) -> std::ops::Range<usize> {
        self.first[state as usize] as usize..self.first[state as usize + 1] as usize
    }
}
