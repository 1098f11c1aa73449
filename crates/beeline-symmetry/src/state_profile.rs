//! A state as symmetry sees it: a label for each element, links between them, deeper values.
//!
//! Everything is a sum over the profiles of the slots, which are remembered; a value is walked
//! once, however many states it occurs in. Nothing here decides which states are equal.

use crate::elements::Elements;
use crate::hash::{mix, of, scramble};
use crate::profile::{Link, Profile, Profiler, Use};
use beeline_compile::System;
use beeline_transition::{ConstantsRef, StateRef};
use beeline_value::{Node, Store, Val};
use rustc_hash::FxHashMap;

/// One use of a profile. Before them comes a head: what no permutation changes, and how many
/// there are; if it has more, one cell stands between, with the place in `more`.
#[derive(Clone, Copy)]
struct Cell {
    sum: u128,
    number: u32,
    how: Val,
}

/// Heads with this bit have links, or deeper structure.
const MORE: u32 = 1 << 31;

/// Profiles of one slot, found by the number of the node or element. Paths lie one after the
/// other: most of the time of a marker is waiting for them.
#[derive(Default)]
struct Cache {
    /// Place of the head plus one, by number of the node.
    nodes: Vec<u32>,
    /// The same for everything else.
    others: FxHashMap<u32, u32>,
    cells: Vec<Cell>,
    /// Links and deeper structure, of the few that have them.
    more: Vec<(Vec<Link>, bool)>,
}

/// Nodes with larger numbers are found through a map.
const DIRECT: usize = 1 << 22;

impl Cache {
    #[inline]
    fn find(&self, value: Val) -> Option<usize> {
        let place = match value.node_index() {
            Some(index) if index < DIRECT => *self.nodes.get(index)?,
            _ => *self.others.get(&value.raw())?,
        };
        (place > 0).then(|| place as usize - 1)
    }

    /// The uses of a profile that was found.
    fn uses(&self, place: usize) -> &[Cell] {
        let head = self.cells[place].number;
        let from = place + 1 + usize::from(head & MORE != 0);
        &self.cells[from..from + (head & !MORE) as usize]
    }

    fn add(&mut self, value: Val, profile: Profile) -> usize {
        let head = self.cells.len();
        let more = profile.deep || !profile.links.is_empty();
        let number = profile.uses.len() as u32 | if more { MORE } else { 0 };
        self.cells.push(Cell { sum: profile.rest, number, how: Val::UNSET });
        if more {
            self.cells.push(Cell { sum: 0, number: self.more.len() as u32, how: Val::UNSET });
            self.more.push((profile.links, profile.deep));
        }
        let cell = |u: &Use| Cell { sum: u.sum, number: u.number, how: u.how };
        self.cells.extend(profile.uses.iter().map(cell));
        let place = head as u32 + 1;
        match value.node_index() {
            Some(index) if index < DIRECT => {
                if self.nodes.len() <= index {
                    self.nodes.resize((index + 1).next_power_of_two(), 0);
                }
                self.nodes[index] = place;
            }
            _ => {
                self.others.insert(value.raw(), place);
            }
        }
        head
    }
}

/// What the constants of a set-up contribute to each of its states.
#[derive(Clone, Debug, Default)]
pub(crate) struct Base {
    pub labels: Vec<u128>,
    links: Vec<Link>,
    deep: Vec<(usize, Val)>,
    rest: u128,
    /// For each element the constants that use it, and how each does.
    uses: Vec<Vec<(u32, u32)>>,
}

impl Base {
    /// The constants that use an element, and how each does: equal for two elements exactly if
    /// constants without links and deeper structure use them alike.
    pub fn uses(&self, element: usize) -> &[(u32, u32)] {
        self.uses.get(element).map_or(&[], Vec::as_slice)
    }

    /// Do paths say all there is about the elements in it?
    pub fn is_flat(&self) -> bool {
        self.links.is_empty() && self.deep.is_empty()
    }

    /// What no permutation changes.
    pub fn rest(&self) -> u128 {
        self.rest
    }
}

/// A state as it is seen, and what is remembered from one state to the next.
pub(crate) struct StateProfile<'a> {
    pub elements: &'a Elements,
    pub profiler: Profiler<'a>,
    /// Which slots of the state hold permutable elements.
    symmetric: Vec<bool>,
    first_variable: usize,
    caches: Vec<Cache>,
    /// Sum of the paths to each element: `paths(d, s)` of Def. 1.
    pub labels: Vec<u128>,
    /// Tuples of two elements.
    pub links: Vec<Link>,
    /// Slots with deeper values.
    pub deep: Vec<(usize, Val)>,
    /// What no permutation changes in slots that could hold elements.
    pub rest: u128,
}

impl<'a> StateProfile<'a> {
    pub fn new(system: &'a System, elements: &'a Elements) -> StateProfile<'a> {
        let store: &'a Store = system.store();
        let constants = system.constants().len();
        let slots = constants + system.variables().len();
        StateProfile {
            elements,
            profiler: Profiler::new(store, elements),
            symmetric: system.variables().iter().map(|v| elements.in_type(v.ty)).collect(),
            first_variable: constants,
            caches: (0..slots).map(|_| Cache::default()).collect(),
            labels: Vec::new(),
            links: Vec::new(),
            deep: Vec::new(),
            rest: 0,
        }
    }

    /// The label of an element that occurs nowhere.
    pub fn unused(&self, number: usize) -> u128 {
        of(200, self.elements.class(number) as u64)
    }

    fn blank(&self) -> Base {
        let labels = (0..self.elements.len()).map(|n| self.unused(n));
        Base { labels: labels.collect(), ..Base::default() }
    }

    /// What the constants contribute.
    pub fn base(&mut self, constants: ConstantsRef<'_>) -> Base {
        self.start(&self.blank());
        let mut uses = vec![Vec::new(); self.elements.len()];
        for (slot, word) in constants.iter().enumerate() {
            self.slot(slot, Val::from_raw(word));
            self.uses(slot, Val::from_raw(word), &mut uses);
        }
        Base {
            uses,
            labels: self.labels.clone(),
            links: self.links.clone(),
            deep: self.deep.clone(),
            rest: self.rest,
        }
    }

    #[inline]
    fn start(&mut self, base: &Base) {
        self.labels.clear();
        self.labels.extend_from_slice(&base.labels);
        self.links.clear();
        self.links.extend_from_slice(&base.links);
        self.deep.clear();
        self.deep.extend_from_slice(&base.deep);
        self.rest = base.rest;
    }

    /// Where the profile of a value is.
    #[inline]
    fn find(&mut self, slot: usize, value: Val) -> usize {
        let cache = &mut self.caches[slot];
        match cache.find(value) {
            Some(place) => place,
            None => {
                let profile = self.profiler.profile(slot, value);
                cache.add(value, profile)
            }
        }
    }

    /// Adds how a value uses each element.
    fn uses(&mut self, slot: usize, value: Val, uses: &mut [Vec<(u32, u32)>]) {
        let place = self.find(slot, value);
        for cell in self.caches[slot].uses(place) {
            uses[cell.number as usize].push((slot as u32, cell.how.raw()));
        }
    }

    /// How a state uses each element, exactly: two elements that nothing links are interchangeable
    /// if and only if these lists are equal.
    pub fn all_uses(&mut self, base: &Base, state: StateRef<'_>, uses: &mut Vec<Vec<(u32, u32)>>) {
        uses.clone_from(&base.uses);
        for (i, word) in state.iter().enumerate() {
            if self.symmetric[i] {
                self.uses(self.first_variable + i, Val::from_raw(word), uses);
            }
        }
    }

    /// Calls back with the elements of the deeper values of the state last looked at.
    pub fn each_deep(&mut self, mut found: impl FnMut(usize)) {
        for i in 0..self.deep.len() {
            let (slot, value) = self.deep[i];
            let place = self.find(slot, value);
            self.caches[slot].uses(place).iter().for_each(|cell| found(cell.number as usize));
        }
    }

    #[inline]
    fn slot(&mut self, slot: usize, value: Val) {
        let place = self.find(slot, value);
        let cache = &self.caches[slot];
        let head = cache.cells[place];
        self.rest = self.rest.wrapping_add(head.sum);
        let (mut from, count) = (place + 1, (head.number & !MORE) as usize);
        if head.number & MORE != 0 {
            let (links, deep) = &cache.more[cache.cells[from].number as usize];
            self.links.extend_from_slice(links);
            if *deep {
                self.deep.push((slot, value));
            }
            from += 1;
        }
        for cell in &cache.cells[from..from + count] {
            let label = &mut self.labels[cell.number as usize];
            *label = label.wrapping_add(cell.sum);
        }
    }

    /// Looks at a state: at the variables that can hold elements.
    #[inline]
    pub fn look(&mut self, base: &Base, state: StateRef<'_>) {
        self.start(base);
        for (i, word) in state.iter().enumerate() {
            if self.symmetric[i] {
                self.slot(self.first_variable + i, Val::from_raw(word));
            }
        }
    }

    /// The marker of the state last looked at (Leuschel & Massart 2007, Def. 2) with these words
    /// for its elements, as a hash.
    ///
    /// In a set, or a set of pairs with one element each, the words of the elements say in which
    /// slots they are: the multiset of all words is as good as the values with words in them.
    /// Links and deeper values are hashed with the words in place. What stands in other variables
    /// is not in it.
    #[inline]
    pub fn marker(&mut self, words: Option<&[u128]>) -> u128 {
        let own = std::mem::take(&mut self.labels);
        let words = words.unwrap_or(&own);
        let mut sum = self.rest;
        for word in words {
            sum = sum.wrapping_add(scramble(*word));
        }
        for link in &self.links {
            let ends = mix(words[link.left as usize], words[link.right as usize]);
            sum = sum.wrapping_add(mix(link.how, ends));
        }
        for i in 0..self.deep.len() {
            let (slot, value) = self.deep[i];
            let hash = self.hash(value, words, &mut FxHashMap::default());
            sum = sum.wrapping_add(mix(of(201, slot as u64), hash));
        }
        self.labels = own;
        sum
    }

    /// A value with words in place of its elements, as a hash.
    pub fn hash(&mut self, value: Val, words: &[u128], seen: &mut FxHashMap<u32, u128>) -> u128 {
        if let Some(number) = self.elements.number(value) {
            return scramble(words[number]);
        }
        let store = self.profiler.store;
        if value.is_immediate() || !self.profiler.permuter.holds(value) {
            return mix(of(202, 0), self.profiler.content(value));
        }
        if let Some(known) = seen.get(&value.raw()) {
            return *known;
        }
        let list = |me: &mut Self, start: u128, parts: &[Val], seen: &mut FxHashMap<u32, u128>| {
            parts.iter().fold(start, |hash, part| mix(hash, me.hash(*part, words, seen)))
        };
        let hash = stacker::maybe_grow(64 << 10, 1 << 20, || match store.node(value) {
            Some(Node::Pair(a, b)) => {
                let left = self.hash(*a, words, seen);
                mix(mix(of(203, 0), left), self.hash(*b, words, seen))
            }
            Some(Node::Set(parts)) => {
                parts.iter().fold(of(204, parts.len() as u64), |sum, part| {
                    sum.wrapping_add(scramble(self.hash(*part, words, seen)))
                })
            }
            Some(Node::Rel(left, right)) => {
                let pairs = left.iter().zip(right);
                pairs.fold(of(205, left.len() as u64), |sum, (a, b)| {
                    let left = self.hash(*a, words, seen);
                    sum.wrapping_add(mix(mix(of(203, 0), left), self.hash(*b, words, seen)))
                })
            }
            Some(Node::Rec(fields)) => list(self, of(206, 0), fields, seen),
            Some(Node::Free(ty, constructor, argument)) => {
                let head = mix(of(207, u64::from(*ty)), of(208, u64::from(*constructor)));
                argument.map_or(head, |a| mix(head, self.hash(a, words, seen)))
            }
            Some(Node::Sym(tag, parts)) => list(self, of(209, u64::from(*tag)), parts, seen),
            _ => of(210, 0),
        });
        seen.insert(value.raw(), hash);
        hash
    }
}
