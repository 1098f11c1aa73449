//! How elements are used in one value: paths, links between elements, deeper structure.
//!
//! A profile is made once for each value of each slot; a state's marker and its colours are then
//! sums over profiles. Paths are those of Leuschel & Massart 2007, Def. 1, with the rules `to`,
//! `from` and `leftright`; a path is hashed while it is walked. `NonSym` is read as *holds no
//! element that may be permuted*, which is more precise than the paper's inductive definition
//! (it includes nonempty sets) and just as invariant.

use crate::content::Contents;
use crate::elements::Elements;
use crate::hash::{mix, of, scramble};
use crate::permute::Permuter;
use beeline_fault::{Flaw, planted};
use beeline_value::{Node, Store, Val};

// Steps of a path.
pub(crate) const LEFT: u64 = 1;
pub(crate) const RIGHT: u64 = 2;
pub(crate) const BOTH: u64 = 3;
pub(crate) const TO: u64 = 4;
pub(crate) const FROM: u64 = 5;
pub(crate) const MEMBER: u64 = 6;
pub(crate) const FIELD: u64 = 7;
pub(crate) const CASE: u64 = 8;
pub(crate) const PART: u64 = 9;

/// Two elements that stand in one pair (or record) of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Link {
    pub left: u32,
    pub right: u32,
    /// Where, and with what beside them.
    pub how: u128,
}

/// How a value uses one element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Use {
    /// The element.
    pub number: u32,
    /// Sum of the paths to it (Def. 1): a hash.
    pub sum: u128,
    /// The tuples it is in alone, with its own place left blank. Of a value without links and deeper
    /// structure this is all that there is about the element: two elements that are used by the same
    /// word are used alike, whatever hashes say.
    pub how: Val,
}

/// What one value says about the elements in it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Profile {
    /// All elements in it, by number.
    pub uses: Vec<Use>,
    /// The value is a set of tuples, and these are its tuples with two elements.
    pub links: Vec<Link>,
    /// The value has more structure than paths and links can tell.
    pub deep: bool,
    /// What no permutation changes: tuples without elements. Nothing for the empty set.
    pub rest: u128,
    /// Is there such a rest?
    pub bare: bool,
}

/// Makes profiles.
pub(crate) struct Profiler<'a> {
    pub store: &'a Store,
    pub elements: &'a Elements,
    pub permuter: Permuter<'a>,
    contents: Contents<'a>,
}

impl<'a> Profiler<'a> {
    pub fn new(store: &'a Store, elements: &'a Elements) -> Profiler<'a> {
        let permuter = Permuter::new(store, elements);
        Profiler { store, elements, permuter, contents: Contents::new(store) }
    }

    /// The profile of a value in a slot.
    pub fn profile(&mut self, slot: usize, value: Val) -> Profile {
        let mut profile = Profile::default();
        let start = of(100, slot as u64);
        if !self.permuter.holds(value) {
            if value != Val::EMPTY {
                profile.rest = mix(start, self.content(value));
                profile.bare = !planted(Flaw::NamedIgnored);
            }
            return profile;
        }
        let mut paths = Vec::new();
        self.paths(value, start, &mut paths);
        paths.sort_unstable_by_key(|p| p.0);
        for same in paths.chunk_by(|a, b| a.0 == b.0) {
            let number = same[0].0;
            let sum = same.iter().fold(0u128, |sum, p| sum.wrapping_add(p.1));
            // As long as nothing better is known, an element is used as itself.
            profile.uses.push(Use { number, sum, how: self.elements.atom(number as usize) });
        }
        self.tuples(value, start, &mut profile);
        if !profile.deep {
            self.surroundings(value, &mut profile.uses);
        }
        profile
    }

    /// Finds out how elements of a tuple, or of a set of tuples, are used that are alone in them.
    fn surroundings(&mut self, value: Val, uses: &mut [Use]) {
        let store = self.store;
        let mut blanks: Vec<(u32, Val)> = Vec::new();
        match store.node(value) {
            Some(Node::Set(parts)) => {
                blanks.extend(parts.iter().filter_map(|part| self.blank(*part)));
            }
            Some(Node::Rel(left, right)) => {
                let pairs = left.iter().zip(right);
                blanks.extend(pairs.filter_map(|(a, b)| self.blank_pair(*a, *b)));
            }
            _ => blanks.extend(self.blank(value)),
        }
        blanks.sort_by_key(|b| b.0);
        for same in blanks.chunk_by(|a, b| a.0 == b.0) {
            if let Ok(at) = uses.binary_search_by_key(&same[0].0, |u| u.number) {
                uses[at].how = store.set(same.iter().map(|b| b.1).collect());
            }
        }
    }

    fn blank_pair(&mut self, a: Val, b: Val) -> Option<(u32, Val)> {
        let store = self.store;
        match (self.permuter.holds(a), self.permuter.holds(b)) {
            (true, false) => self.blank(a).map(|(n, a)| (n, store.pair(a, b))),
            (false, true) => self.blank(b).map(|(n, b)| (n, store.pair(a, b))),
            _ => None,
        }
    }

    /// A tuple with one element: the element, and the tuple without it.
    fn blank(&mut self, value: Val) -> Option<(u32, Val)> {
        if let Some(number) = self.elements.number(value) {
            return Some((number as u32, Val::FALSE));
        }
        let store = self.store;
        match store.node(value)? {
            Node::Pair(a, b) => self.blank_pair(*a, *b),
            Node::Rec(fields) => {
                let mut holding = (0..fields.len()).filter(|&i| self.permuter.holds(fields[i]));
                let (at, None) = (holding.next()?, holding.next()) else { return None };
                let (number, blank) = self.blank(fields[at])?;
                let mut fields = fields.to_vec();
                fields[at] = blank;
                Some((number, store.record(fields)))
            }
            _ => None,
        }
    }

    /// The content of a value without permutable elements.
    pub fn content(&mut self, value: Val) -> u128 {
        self.contents.of(value)
    }

    /// Def. 1: adds the hash of each path to each element.
    fn paths(&mut self, value: Val, path: u128, out: &mut Vec<(u32, u128)>) {
        if let Some(number) = self.elements.number(value) {
            out.push((number as u32, scramble(path)));
            return;
        }
        let store = self.store;
        let Some(node) = store.node(value) else { return };
        stacker::maybe_grow(64 << 10, 1 << 20, || match node {
            Node::Pair(a, b) => self.pair_paths(*a, *b, path, out),
            Node::Set(parts) => {
                let path = mix(path, of(MEMBER, 0));
                for part in parts.iter().filter(|p| !p.is_immediate() || p.as_atom().is_some()) {
                    self.paths(*part, path, out);
                }
            }
            Node::Rel(left, right) => {
                let path = mix(path, of(MEMBER, 0));
                for (a, b) in left.iter().zip(right) {
                    self.pair_paths(*a, *b, path, out);
                }
            }
            Node::Rec(fields) => {
                // As the rules for pairs: what is not symmetric beside it belongs to the path.
                let beside = self.beside(fields);
                for (i, field) in fields.iter().enumerate() {
                    let path = mix(mix(path, of(FIELD, i as u64)), beside);
                    self.paths(*field, path, out);
                }
            }
            Node::Free(_, constructor, Some(argument)) => {
                self.paths(*argument, mix(path, of(CASE, u64::from(*constructor))), out);
            }
            Node::Sym(tag, parts) => {
                let path = mix(path, of(PART, u64::from(*tag)));
                let beside = self.beside(parts);
                for (i, part) in parts.iter().enumerate() {
                    self.paths(*part, mix(mix(path, of(PART, i as u64)), beside), out);
                }
            }
            _ => {}
        });
    }

    /// The parts without permutable elements, with their places.
    fn beside(&mut self, parts: &[Val]) -> u128 {
        let mut sum = 0u128;
        for (i, part) in parts.iter().enumerate() {
            if !self.permuter.holds(*part) {
                sum = sum.wrapping_add(mix(of(PART, i as u64), self.content(*part)));
            }
        }
        sum
    }

    fn pair_paths(&mut self, a: Val, b: Val, path: u128, out: &mut Vec<(u32, u128)>) {
        match (self.permuter.holds(a), self.permuter.holds(b)) {
            (false, false) => {}
            (true, false) => {
                let content = self.content(b);
                self.paths(a, mix(mix(path, of(TO, 0)), content), out);
            }
            (false, true) => {
                let content = self.content(a);
                self.paths(b, mix(mix(path, of(FROM, 0)), content), out);
            }
            (true, true) if a == b => self.paths(a, mix(path, of(BOTH, 0)), out),
            (true, true) => {
                self.paths(a, mix(path, of(LEFT, 0)), out);
                self.paths(b, mix(path, of(RIGHT, 0)), out);
            }
        }
    }

    /// Finds links, and whether there is more than tuples.
    fn tuples(&mut self, value: Val, start: u128, profile: &mut Profile) {
        let store = self.store;
        let (mut found, path) = (Vec::new(), mix(start, of(MEMBER, 0)));
        match store.node(value) {
            // An element, or one tuple outside any set: paths say all there is.
            None => {}
            Some(Node::Set(parts)) => {
                for part in parts.iter() {
                    found.clear();
                    let Some(how) = self.tuple(*part, 0, &mut found) else {
                        profile.deep = true;
                        break;
                    };
                    self.link(path, how, &found, profile);
                }
            }
            Some(Node::Rel(left, right)) => {
                for (a, b) in left.iter().zip(right) {
                    found.clear();
                    let how = self.tuple(*a, 1, &mut found).zip(self.tuple(*b, 2, &mut found));
                    let Some((a, b)) = how else {
                        profile.deep = true;
                        break;
                    };
                    self.link(path, mix(a, b), &found, profile);
                }
            }
            Some(_) => profile.deep = self.tuple(value, 0, &mut found).is_none(),
        }
        if profile.deep {
            profile.links.clear();
            profile.rest = 0;
        }
    }

    /// One or two elements in a tuple of a set; more are deeper structure.
    fn link(&self, path: u128, how: u128, found: &[u32], profile: &mut Profile) {
        match *found {
            [] => {
                profile.rest = profile.rest.wrapping_add(scramble(mix(path, how)));
                profile.bare = true;
            }
            [_] => {}
            [left, right] => profile.links.push(Link { left, right, how: mix(path, how) }),
            _ => profile.deep = true,
        }
    }

    /// Walks a tuple: pairs and records down to elements and values without any. Its hash leaves
    /// the elements blank; nothing if it holds a set or something symbolic with elements in it.
    fn tuple(&mut self, value: Val, place: u64, found: &mut Vec<u32>) -> Option<u128> {
        if let Some(number) = self.elements.number(value) {
            found.push(number as u32);
            return Some(of(102, place));
        }
        if !self.permuter.holds(value) {
            return Some(mix(of(103, place), self.content(value)));
        }
        match self.store.node(value) {
            Some(Node::Pair(a, b)) => {
                let (a, b) = (*a, *b);
                let left = self.tuple(a, 1, found)?;
                Some(mix(of(104, place), mix(left, self.tuple(b, 2, found)?)))
            }
            Some(Node::Rec(fields)) => {
                let mut hash = of(105, place);
                for (i, field) in fields.iter().enumerate() {
                    hash = mix(hash, self.tuple(*field, 3 + i as u64, found)?);
                }
                Some(hash)
            }
            _ => None,
        }
    }
}
