//! Colours of elements: labels refined by the labels of those they are linked with.
//!
//! This is colour refinement (Weisfeiler & Leman) on the state. The colour of an element is the
//! hash of the tree of everything that can be reached from it, to the depth at which no further
//! elements are told apart: the paths of Def. 1 become trees, as Leuschel & Massart propose in the
//! discussion of 2007 and did not implement. All links between two elements are taken together,
//! so that a cycle of length two shows.

use crate::hash::{mix, of, scramble};
use crate::profile::{BOTH, CASE, FIELD, LEFT, MEMBER, PART, RIGHT};
use crate::state_profile::StateProfile;
use beeline_value::{Node, Val};
use rustc_hash::FxHashMap;

/// All links from one element to another, added up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tie {
    pub from: u32,
    pub to: u32,
    pub how: u128,
}

/// Colours of the elements of a state, as fine as refinement makes them.
#[derive(Default)]
pub(crate) struct Colours {
    pub of: Vec<u128>,
    /// Sorted by `from`, then `to`.
    pub ties: Vec<Tie>,
    /// Elements that occur in deeper values.
    pub deep: Vec<bool>,
    next: Vec<u128>,
    sorted: Vec<u128>,
}

impl Colours {
    /// Colours the state that was last looked at.
    pub fn refine(&mut self, profile: &mut StateProfile<'_>) {
        self.of.clone_from(&profile.labels);
        self.deep.clear();
        self.deep.resize(self.of.len(), false);
        self.tie(profile);
        if self.ties.is_empty() && profile.deep.is_empty() {
            return;
        }
        let mut count = self.count();
        // Each round but the last splits a cell.
        for round in 0..=self.of.len() as u64 {
            if count == self.of.len() {
                break;
            }
            self.round(profile, round);
            let now = self.count();
            if now <= count {
                break;
            }
            count = now;
        }
    }

    fn tie(&mut self, profile: &StateProfile<'_>) {
        self.ties.clear();
        for link in &profile.links {
            let (from, to) = (link.left, link.right);
            self.ties.push(Tie { from, to, how: mix(link.how, of(LEFT, 0)) });
            self.ties.push(Tie { from: to, to: from, how: mix(link.how, of(RIGHT, 0)) });
        }
        self.ties.sort_unstable_by_key(|t| (t.from, t.to));
        self.ties.dedup_by(|next, first| {
            let same = (next.from, next.to) == (first.from, first.to);
            if same {
                first.how = first.how.wrapping_add(next.how);
            }
            same
        });
    }

    /// How many different colours there are.
    fn count(&mut self) -> usize {
        self.sorted.clone_from(&self.of);
        self.sorted.sort_unstable();
        self.sorted.dedup();
        self.sorted.len()
    }

    fn round(&mut self, profile: &mut StateProfile<'_>, round: u64) {
        self.next.clear();
        self.next.extend(self.of.iter().map(|c| mix(*c, of(300, round))));
        for tie in &self.ties {
            let next = &mut self.next[tie.from as usize];
            *next = next.wrapping_add(mix(tie.how, self.of[tie.to as usize]));
        }
        let mut walk = Walk {
            colours: &self.of,
            next: &mut self.next,
            deep: &mut self.deep,
            seen: FxHashMap::default(),
        };
        for i in 0..profile.deep.len() {
            let (slot, value) = profile.deep[i];
            walk.down(profile, value, of(301, slot as u64));
        }
        std::mem::swap(&mut self.of, &mut self.next);
    }
}

/// Takes what surrounds an element down to it.
struct Walk<'c> {
    colours: &'c [u128],
    next: &'c mut [u128],
    deep: &'c mut [bool],
    seen: FxHashMap<u32, u128>,
}

impl Walk<'_> {
    fn hash(&mut self, profile: &mut StateProfile<'_>, value: Val) -> u128 {
        profile.hash(value, self.colours, &mut self.seen)
    }

    fn down(&mut self, profile: &mut StateProfile<'_>, value: Val, path: u128) {
        if let Some(number) = profile.elements.number(value) {
            self.next[number] = self.next[number].wrapping_add(scramble(path));
            self.deep[number] = true;
            return;
        }
        if !profile.profiler.permuter.holds(value) {
            return;
        }
        let store = profile.profiler.store;
        stacker::maybe_grow(64 << 10, 1 << 20, || match store.node(value) {
            Some(Node::Pair(a, b)) => self.pair(profile, *a, *b, path),
            Some(Node::Set(parts)) => {
                let path = mix(path, mix(of(MEMBER, 0), self.hash(profile, value)));
                parts.iter().for_each(|part| self.down(profile, *part, path));
            }
            Some(Node::Rel(left, right)) => {
                let path = mix(path, mix(of(MEMBER, 0), self.hash(profile, value)));
                let pairs = left.iter().zip(right);
                pairs.for_each(|(a, b)| self.pair(profile, *a, *b, path));
            }
            Some(Node::Rec(fields)) => {
                let path = mix(path, self.hash(profile, value));
                for (i, field) in fields.iter().enumerate() {
                    self.down(profile, *field, mix(path, of(FIELD, i as u64)));
                }
            }
            Some(Node::Free(_, constructor, Some(argument))) => {
                self.down(profile, *argument, mix(path, of(CASE, u64::from(*constructor))));
            }
            Some(Node::Sym(tag, parts)) => {
                let path = mix(mix(path, self.hash(profile, value)), of(PART, u64::from(*tag)));
                for (i, part) in parts.iter().enumerate() {
                    self.down(profile, *part, mix(path, of(PART, i as u64)));
                }
            }
            _ => {}
        });
    }

    fn pair(&mut self, profile: &mut StateProfile<'_>, a: Val, b: Val, path: u128) {
        if a == b {
            return self.down(profile, a, mix(path, of(BOTH, 0)));
        }
        let (left, right) = (self.hash(profile, a), self.hash(profile, b));
        self.down(profile, a, mix(path, mix(of(LEFT, 0), right)));
        self.down(profile, b, mix(path, mix(of(RIGHT, 0), left)));
    }
}
