//! Decision diagrams: sets of bit vectors, each kept once.
//!
//! A [`Set`] is the number of a node; two sets are equal exactly when their numbers are. Nodes live until
//! [`Diagrams::collect`] finds that nobody holds them. Nothing here panics when a diagram explodes: an operation
//! that finds no room, or is told to stop, ends with a [`Halt`]. It does not know states, layouts or relations
//! between them: levels are numbers, and the smallest is on top.

mod apply;
pub mod bits;
mod count;
mod image;
mod saturate;

pub use image::{Relation, Touch};

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A set of bit vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Set(u32);

impl Set {
    /// The empty set.
    pub const EMPTY: Set = Set(0);
    /// All vectors.
    pub const ALL: Set = Set(1);

    /// Is it the empty one?
    pub fn is_empty(self) -> bool {
        self == Set::EMPTY
    }
}

/// Why an operation did not end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halt {
    /// There is no room for more nodes.
    Full,
    /// Somebody wants an end.
    Stopped,
}

/// A node: below it the vectors without and with the bit of its level.
#[derive(Clone, Copy)]
struct Node {
    level: u32,
    without: u32,
    with: u32,
    /// The next node with the same hash, or the next one that is free.
    next: u32,
}

/// The level of both ends, below all others.
const END: u32 = u32::MAX;
/// The level of a node that is free.
const FREE: u32 = u32::MAX - 1;
/// Nodes at the beginning.
const FIRST: usize = 1 << 14;
/// Results that are remembered, at most.
const MOST_REMEMBERED: usize = 1 << 22;
/// Steps between two looks at whether somebody wants an end.
const LOOK: u64 = 1 << 12;
/// Fewer nodes than this are not worth a collection.
const WORTH: usize = 1 << 18;

/// A result that is remembered.
#[derive(Clone, Copy)]
struct Known {
    what: u64,
    a: u32,
    b: u32,
    result: u32,
}

const UNKNOWN: Known = Known { what: u64::MAX, a: 0, b: 0, result: 0 };

/// All nodes, and what was computed with them.
pub struct Diagrams {
    nodes: Vec<Node>,
    heads: Vec<u32>,
    known: Vec<Known>,
    free: u32,
    live: usize,
    /// With so many nodes the next collection is due.
    due: usize,
    /// Bytes that all tables together may take.
    budget: usize,
    stop: Arc<AtomicBool>,
    steps: u64,
    /// No room is left after so many steps.
    most_steps: u64,
    /// Sets that are held while an operation is under way.
    held: Vec<Set>,
    /// Sets that somebody else holds, said before a long operation.
    roots: Vec<Set>,
    peak: usize,
    collections: u64,
    /// Tells saturations apart: what they came to depends on relations that grow.
    age: u64,
}

impl Diagrams {
    /// None yet. All tables together take at most so many bytes; `stop` ends every operation soon.
    pub fn new(budget: usize, stop: Arc<AtomicBool>) -> Diagrams {
        let end = Node { level: END, without: 0, with: 0, next: 0 };
        let mut nodes = Vec::with_capacity(FIRST);
        nodes.extend([end, Node { without: 1, with: 1, ..end }]);
        Diagrams {
            nodes,
            heads: vec![0; FIRST],
            known: vec![UNKNOWN; FIRST],
            free: 0,
            live: 2,
            due: WORTH,
            budget: budget.max(4 << 20),
            stop,
            steps: 0,
            most_steps: u64::MAX,
            held: Vec::new(),
            roots: Vec::new(),
            peak: 2,
            collections: 0,
            age: 0,
        }
    }

    /// The most nodes that there were at once.
    pub fn peak(&self) -> usize {
        self.peak
    }

    /// Steps of all operations so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// From now on only what comes counts for [`Diagrams::peak`].
    pub fn forget_peak(&mut self) {
        self.peak = self.live;
    }

    /// How often nodes were collected.
    pub fn collections(&self) -> u64 {
        self.collections
    }

    /// Bytes of all tables.
    pub fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.heads.len() * 4
            + self.known.len() * size_of::<Known>()
    }

    /// The vectors of a set without and with the bit of a level, for levels that are not below its own.
    #[inline]
    fn parts(&self, set: Set, level: u32) -> (Set, Set) {
        let node = &self.nodes[set.0 as usize];
        if node.level == level { (Set(node.without), Set(node.with)) } else { (set, set) }
    }

    #[inline]
    fn level(&self, set: Set) -> u32 {
        self.nodes[set.0 as usize].level
    }

    /// The set with these parts.
    fn node(&mut self, level: u32, without: Set, with: Set) -> Result<Set, Halt> {
        if without == with {
            return Ok(without);
        }
        let head = hash(u64::from(level), without.0, with.0) & (self.heads.len() - 1);
        let mut at = self.heads[head];
        while at != 0 {
            let node = &self.nodes[at as usize];
            if (node.level, node.without, node.with) == (level, without.0, with.0) {
                return Ok(Set(at));
            }
            at = node.next;
        }
        let node = Node { level, without: without.0, with: with.0, next: self.heads[head] };
        let place = match self.free {
            0 => {
                self.make_room()?;
                self.nodes.push(node);
                (self.nodes.len() - 1) as u32
            }
            place => {
                self.free = self.nodes[place as usize].next;
                self.nodes[place as usize] = node;
                place
            }
        };
        // Tables may have grown, and the head with them.
        let head = hash(u64::from(level), without.0, with.0) & (self.heads.len() - 1);
        self.nodes[place as usize].next = self.heads[head];
        self.heads[head] = place;
        self.live += 1;
        self.peak = self.peak.max(self.live);
        Ok(Set(place))
    }

    /// Sees to room for one more node.
    fn make_room(&mut self) -> Result<(), Halt> {
        if self.nodes.len() < self.nodes.capacity() {
            return Ok(());
        }
        let more = self.nodes.capacity() / 2;
        let results = self.heads.len().min(MOST_REMEMBERED / 2) * 2;
        // While a table moves, its old place is still there.
        let bytes = (2 * self.nodes.capacity() + more) * size_of::<Node>()
            + self.heads.len() * 12
            + (results + self.known.len()) * size_of::<Known>();
        if bytes > self.budget || self.nodes.len() + more >= FREE as usize {
            return Err(Halt::Full);
        }
        self.nodes.reserve_exact(more);
        if self.nodes.len() > self.heads.len() {
            self.heads = vec![0; self.heads.len() * 2];
            self.link();
            if results > self.known.len() {
                self.known = vec![UNKNOWN; results];
            }
        }
        Ok(())
    }

    /// Puts all nodes in use into the lists of their hashes, and the others into that of the free ones.
    fn link(&mut self) {
        self.heads.fill(0);
        self.free = 0;
        for place in (2..self.nodes.len()).rev() {
            let node = self.nodes[place];
            let list = match node.level {
                FREE => &mut self.free,
                level => {
                    let head = hash(u64::from(level), node.without, node.with);
                    let count = self.heads.len();
                    &mut self.heads[head & (count - 1)]
                }
            };
            self.nodes[place].next = std::mem::replace(list, place as u32);
        }
    }

    /// Says which sets are held by somebody else, until the next call.
    pub fn hold(&mut self, sets: impl IntoIterator<Item = Set>) {
        self.roots.clear();
        self.roots.extend(sets);
    }

    /// Are there so many nodes that a collection is worth it?
    pub fn is_due(&self) -> bool {
        self.live >= self.due
    }

    /// Frees all nodes that nobody holds: neither those of [`Diagrams::hold`], nor an operation under way.
    pub fn collect(&mut self) {
        let mut used = vec![false; self.nodes.len()];
        (used[0], used[1]) = (true, true);
        let mut waiting: Vec<u32> = self.roots.iter().chain(&self.held).map(|set| set.0).collect();
        while let Some(place) = waiting.pop() {
            if !std::mem::replace(&mut used[place as usize], true) {
                let node = &self.nodes[place as usize];
                waiting.extend([node.without, node.with]);
            }
        }
        for (node, used) in self.nodes.iter_mut().zip(&used) {
            if !used {
                node.level = FREE;
            }
        }
        self.live = used.iter().filter(|used| **used).count();
        self.due = (2 * self.live).max(WORTH);
        self.known.fill(UNKNOWN);
        self.link();
        self.collections += 1;
    }

    /// To be called in each step of an operation.
    #[inline]
    fn step(&mut self) -> Result<(), Halt> {
        self.steps += 1;
        if self.steps.is_multiple_of(LOOK) {
            if self.stop.load(Ordering::Relaxed) {
                return Err(Halt::Stopped);
            }
            if self.steps > self.most_steps {
                return Err(Halt::Full);
            }
        }
        Ok(())
    }

    /// Does something that may take about so many steps; what takes more ends as if there were no room.
    pub fn within<T>(&mut self, steps: u64, work: impl FnOnce(&mut Diagrams) -> T) -> T {
        let before = std::mem::replace(&mut self.most_steps, self.steps.saturating_add(steps));
        let result = work(self);
        self.most_steps = before;
        result
    }

    /// What an operation on these came to, if that is remembered.
    #[inline]
    fn recall(&self, what: u64, a: Set, b: Set) -> Option<Set> {
        let known = &self.known[hash(what, a.0, b.0) & (self.known.len() - 1)];
        ((known.what, known.a, known.b) == (what, a.0, b.0)).then_some(Set(known.result))
    }

    /// Remembers a result, in the place of another one.
    #[inline]
    fn remember(&mut self, what: u64, a: Set, b: Set, result: Set) -> Set {
        let place = hash(what, a.0, b.0) & (self.known.len() - 1);
        self.known[place] = Known { what, a: a.0, b: b.0, result: result.0 };
        result
    }
}

fn hash(what: u64, a: u32, b: u32) -> usize {
    let mixed = (u64::from(a) << 32 | u64::from(b)) ^ what.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mixed = (mixed ^ mixed >> 29).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    (mixed ^ mixed >> 32) as usize
}

/// What an operation is, where results are remembered.
mod what {
    pub const UNION: u64 = 0;
    pub const INTERSECTION: u64 = 1;
    pub const DIFFERENCE: u64 = 2;
    pub const SYMMETRIC: u64 = 3;
    /// With the number of a list of levels.
    pub const PROJECTION: u64 = 1 << 60;
    /// With the number of a relation.
    pub const AFTER: u64 = 2 << 60;
    pub const BEFORE: u64 = 3 << 60;
    /// With age and group.
    pub const SATURATION: u64 = 4 << 60;
}

#[cfg(test)]
mod tests;
