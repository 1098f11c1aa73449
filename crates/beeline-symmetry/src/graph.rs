//! A state as a coloured graph for canonical labelling.
//!
//! Vertices are the elements, and one for each deeper value that holds some. Ties between them
//! have a kind each; nauty knows edges of one kind only, so that each vertex becomes a column of
//! copies, and the bits of a kind say in which layers its edge is drawn.

use crate::hash::{mix, of};
use crate::profile::{CASE, FIELD, LEFT, MEMBER, PART, RIGHT};
use crate::refine::{Colours, Tie};
use crate::state_profile::StateProfile;
use beeline_fault::{Flaw, planted};
use beeline_nauty::Labeller;
use beeline_value::{Node, Val};
use rustc_hash::FxHashMap;

/// Builds graphs and has them labelled.
#[derive(Default)]
pub(crate) struct Graphs {
    labeller: Labeller,
    ties: Vec<Tie>,
    colours: Vec<u128>,
    /// Vertices of deeper values.
    vertices: FxHashMap<u32, u32>,
}

impl Graphs {
    /// The elements of the state last looked at in canonical order, and how many vertices it
    /// took. `None`: the graph is too large.
    pub fn order(
        &mut self,
        profile: &mut StateProfile<'_>,
        colours: &Colours,
    ) -> Option<Vec<usize>> {
        self.ties.clone_from(&colours.ties);
        self.colours.clone_from(&colours.of);
        self.vertices.clear();
        let mut hashes = FxHashMap::default();
        for i in 0..profile.deep.len() {
            let (slot, value) = profile.deep[i];
            let root = self.vertex(profile, value, &colours.of, &mut hashes)?;
            let colour = &mut self.colours[root as usize];
            *colour = colour.wrapping_add(of(400, slot as u64));
        }
        self.ties.sort_unstable_by_key(|t| (t.from, t.to));
        self.ties.dedup_by(|next, first| {
            let same = (next.from, next.to) == (first.from, first.to);
            if same {
                first.how = first.how.wrapping_add(next.how);
            }
            same
        });
        self.label(colours.of.len())
    }

    fn label(&mut self, elements: usize) -> Option<Vec<usize>> {
        let mut kinds: Vec<u128> = self.ties.iter().map(|t| t.how).collect();
        kinds.sort_unstable();
        kinds.dedup();
        let layers = (usize::BITS - kinds.len().leading_zeros()).max(1) as usize;
        let n = self.colours.len();
        if !self.labeller.begin(n.checked_mul(layers)?) {
            return None;
        }
        for tie in &self.ties {
            let kind = kinds.binary_search(&tie.how).ok()? + 1;
            for layer in (0..layers).filter(|l| kind >> l & 1 == 1) {
                self.labeller.edge(layer * n + tie.from as usize, layer * n + tie.to as usize);
            }
        }
        for vertex in 0..n {
            for layer in 1..layers {
                self.labeller.edge((layer - 1) * n + vertex, layer * n + vertex);
                self.labeller.edge(layer * n + vertex, (layer - 1) * n + vertex);
            }
        }
        // Elements come before values, layer after layer.
        let mut sorted: Vec<usize> = (0..n).collect();
        sorted.sort_unstable_by_key(|&v| (v >= elements, self.colours[v]));
        let mut cells: Vec<Vec<usize>> = Vec::new();
        for layer in 0..layers {
            for (i, &v) in sorted.iter().enumerate() {
                let key = |v: usize| (v >= elements, self.colours[v]);
                let known =
                    if i > 0 && key(sorted[i - 1]) == key(v) { cells.last_mut() } else { None };
                match known {
                    Some(cell) => cell.push(layer * n + v),
                    None => cells.push(vec![layer * n + v]),
                }
            }
        }
        if planted(Flaw::LabelIgnored) {
            return Some(sorted.into_iter().filter(|v| *v < elements).collect());
        }
        let order = self.labeller.order(&cells)?;
        Some(order.into_iter().filter(|v| *v < elements).collect())
    }

    fn tie(&mut self, from: u32, to: u32, role: u128) {
        self.ties.push(Tie { from, to, how: mix(role, of(401, 0)) });
        self.ties.push(Tie { from: to, to: from, how: mix(role, of(402, 0)) });
    }

    fn new_vertex(&mut self, colour: u128) -> Option<u32> {
        if self.colours.len() >= beeline_nauty::MAX_VERTICES {
            return None;
        }
        self.colours.push(colour);
        Some(self.colours.len() as u32 - 1)
    }

    /// The vertex of an element or of a value that holds some.
    fn vertex(
        &mut self,
        profile: &mut StateProfile<'_>,
        value: Val,
        words: &[u128],
        hashes: &mut FxHashMap<u32, u128>,
    ) -> Option<u32> {
        if let Some(number) = profile.elements.number(value) {
            return Some(number as u32);
        }
        if let Some(known) = self.vertices.get(&value.raw()) {
            return Some(*known);
        }
        // The hash says everything about the parts that are no elements.
        let me = self.new_vertex(profile.hash(value, words, hashes))?;
        self.vertices.insert(value.raw(), me);
        let store = profile.profiler.store;
        let parts: Vec<(u128, Val)> = match store.node(value) {
            Some(Node::Pair(a, b)) => vec![(of(LEFT, 0), *a), (of(RIGHT, 0), *b)],
            Some(Node::Set(parts)) => parts.iter().map(|p| (of(MEMBER, 0), *p)).collect(),
            Some(Node::Rel(left, right)) => {
                for (a, b) in left.iter().zip(right) {
                    self.row(profile, me, *a, *b, words, hashes)?;
                }
                Vec::new()
            }
            Some(Node::Rec(parts)) => numbered(FIELD, parts),
            Some(Node::Sym(_, parts)) => numbered(PART, parts),
            Some(Node::Free(_, constructor, Some(argument))) => {
                vec![(of(CASE, u64::from(*constructor)), *argument)]
            }
            _ => Vec::new(),
        };
        for (role, part) in parts {
            if profile.profiler.permuter.holds(part) {
                let part = stacker::maybe_grow(64 << 10, 1 << 20, || {
                    self.vertex(profile, part, words, hashes)
                })?;
                self.tie(me, part, role);
            }
        }
        Some(me)
    }

    /// A pair of a relation.
    fn row(
        &mut self,
        profile: &mut StateProfile<'_>,
        relation: u32,
        a: Val,
        b: Val,
        words: &[u128],
        hashes: &mut FxHashMap<u32, u128>,
    ) -> Option<()> {
        let (left, right) = (profile.hash(a, words, hashes), profile.hash(b, words, hashes));
        let me = self.new_vertex(mix(mix(of(403, 0), left), right))?;
        self.tie(relation, me, of(MEMBER, 0));
        for (role, part) in [(of(LEFT, 0), a), (of(RIGHT, 0), b)] {
            if profile.profiler.permuter.holds(part) {
                let part = self.vertex(profile, part, words, hashes)?;
                self.tie(me, part, role);
            }
        }
        Some(())
    }
}

fn numbered(step: u64, parts: &[Val]) -> Vec<(u128, Val)> {
    parts.iter().enumerate().map(|(i, p)| (of(step, i as u64), *p)).collect()
}
