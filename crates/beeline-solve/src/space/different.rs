//! Variables that are all different.
//!
//! The cheap pass takes the value of a fixed variable from the others. The dear one (after Régin
//! 1994) finds a way to give each its own value, and then every value that some such way has: those
//! on a cycle of variables that hand their values on, or on a chain that ends at a value nobody needs.
//! It runs when everything else is done, and less often where it finds nothing.

use super::{Conflict, Space, Var};
use crate::domain::{Bits, Domain};
use beeline_fault::{Flaw, planted};

/// Variables, none equal to another.
#[derive(Clone)]
pub(crate) struct Different {
    /// The first `unfixed` of them were not yet fixed when last looked at.
    pub vars: Vec<Var>,
    /// Where that number is kept.
    pub unfixed: usize,
}

/// The same variables, for the dear pass.
#[derive(Clone)]
pub(crate) struct Matching {
    pub vars: Vec<Var>,
    /// The value that each had in the last matching: most are still good.
    pub last: Vec<i64>,
    /// How often it found nothing in a row, and how many calls are left out for that.
    pub idle: u32,
    pub skip: u32,
}

impl Space {
    pub(crate) fn look_different(&mut self, different: &mut Different) -> Result<(), Conflict> {
        let vars = &mut different.vars;
        let mut unfixed = self.state.get(different.unfixed) as usize;
        let mut i = 0;
        while i < unfixed {
            let Some(value) = self.value(vars[i]) else {
                i += 1;
                continue;
            };
            self.work += unfixed as u64 / 16;
            let (mut changed, mut settled) = (false, true);
            for (j, &other) in vars[..unfixed].iter().enumerate() {
                if i != j {
                    let before = self.domains[other].contains(value);
                    self.remove(other, value)?;
                    if planted(Flaw::DifferentRemoves) {
                        self.remove(other, value + 1)?;
                    }
                    let after = self.domains[other].contains(value);
                    changed |= before && !after;
                    settled &= !after;
                }
            }
            if settled {
                unfixed -= 1;
                vars.swap(i, unfixed);
                changed = true;
            }
            // Variables before this place may have become fixed. A wide domain keeps no holes: there
            // the value is to be taken from it again when it is narrower.
            i = if changed { 0 } else { i + 1 };
        }
        self.state.set(&mut self.trail, different.unfixed, unfixed as u64);
        Ok(())
    }

    pub(crate) fn look_matching(&mut self, matching: &mut Matching) -> Result<(), Conflict> {
        if matching.skip > 0 {
            matching.skip -= 1;
            return Ok(());
        }
        let (mut lo, mut hi) = (i64::MAX, i64::MIN);
        let mut unfixed = Vec::with_capacity(matching.vars.len());
        for (i, var) in matching.vars.iter().enumerate() {
            let d = &self.domains[*var];
            if !d.is_fixed() {
                unfixed.push(i);
                lo = lo.min(d.lo());
                hi = hi.max(d.hi());
            }
        }
        if unfixed.len() < 2 {
            return Ok(());
        }
        self.work += 1 + unfixed.len() as u64;
        let before = self.domains_size(matching, &unfixed);
        let window = if hi.abs_diff(lo) < 64 {
            Window::From(lo)
        } else {
            match self.few_values(matching, &unfixed) {
                Some(values) => Window::List(values),
                None => return Ok(()),
            }
        };
        let outcome = self.match_values(matching, &unfixed, &window);
        if outcome.is_err() || self.domains_size(matching, &unfixed) < before {
            matching.idle = 0;
        } else {
            matching.idle += 1;
            matching.skip = (matching.idle / 8).min(64);
        }
        outcome
    }

    fn domains_size(&self, matching: &Matching, unfixed: &[usize]) -> u64 {
        unfixed.iter().fold(0, |n, i| n.saturating_add(self.domains[matching.vars[*i]].size()))
    }

    /// All values, if there are at most 64.
    fn few_values(&self, matching: &Matching, unfixed: &[usize]) -> Option<Vec<i64>> {
        let mut values: Vec<i64> = Vec::new();
        for i in unfixed {
            let d = &self.domains[matching.vars[*i]];
            if d.size() > 64 || !d.has_mask() {
                return None;
            }
            values.extend(d.iter());
        }
        values.sort_unstable();
        values.dedup();
        (values.len() <= 64).then_some(values)
    }

    fn match_values(
        &mut self,
        matching: &mut Matching,
        unfixed: &[usize],
        window: &Window,
    ) -> Result<(), Conflict> {
        let masks: Vec<u64> =
            unfixed.iter().map(|i| window.mask(&self.domains[matching.vars[*i]])).collect();
        let all = masks.iter().fold(0, |a, m| a | m);
        if (all.count_ones() as usize) < unfixed.len() {
            return Err(Conflict);
        }
        let mut graph = Graph::new(masks);
        for (n, &i) in unfixed.iter().enumerate() {
            if let Some(bit) = window.bit(matching.last[i]) {
                graph.suggest(n, bit);
            }
        }
        for n in 0..unfixed.len() {
            if graph.value[n] == NOBODY && !graph.augment(n) {
                return Err(Conflict);
            }
        }
        for (n, &i) in unfixed.iter().enumerate() {
            matching.last[i] = window.value(graph.value[n]);
        }
        let partners = graph.partners(all);
        for (n, &i) in unfixed.iter().enumerate() {
            let keep = graph.masks[n] & partners[n];
            if keep != graph.masks[n] {
                let var = matching.vars[i];
                let new = window.keep(&self.domains[var], keep);
                self.narrow(var, new)?;
            }
        }
        Ok(())
    }
}

/// At most 64 values, a bit for each.
enum Window {
    /// From this one on.
    From(i64),
    /// These, sorted.
    List(Vec<i64>),
}

impl Window {
    fn bit(&self, value: i64) -> Option<u32> {
        match self {
            Window::From(base) => {
                value.checked_sub(*base).filter(|b| (0..64).contains(b)).map(|b| b as u32)
            }
            Window::List(values) => values.binary_search(&value).ok().map(|b| b as u32),
        }
    }

    fn value(&self, bit: u8) -> i64 {
        match self {
            Window::From(base) => base + i64::from(bit),
            Window::List(values) => values[usize::from(bit)],
        }
    }

    fn mask(&self, d: &Domain) -> u64 {
        match self {
            Window::From(base) => d.window(*base),
            Window::List(_) => {
                d.iter().filter_map(|v| self.bit(v)).fold(0, |mask, bit| mask | 1 << bit)
            }
        }
    }

    fn keep(&self, d: &Domain, mask: u64) -> Option<Domain> {
        match self {
            Window::From(base) => Domain::from_window(*base, mask),
            Window::List(_) => d.filter(|v| self.bit(v).is_some_and(|bit| mask >> bit & 1 == 1)),
        }
    }
}

const NOBODY: u8 = u8::MAX;

/// Variables against values, both at most 64.
struct Graph {
    /// The values of each variable.
    masks: Vec<u64>,
    /// The value that each variable has in the matching, and who has each value.
    value: Vec<u8>,
    owner: [u8; 64],
    /// Values that are taken.
    taken: u64,
}

impl Graph {
    fn new(masks: Vec<u64>) -> Graph {
        let value = vec![NOBODY; masks.len()];
        Graph { masks, value, owner: [NOBODY; 64], taken: 0 }
    }

    /// A value that would do, if it still does.
    fn suggest(&mut self, var: usize, bit: u32) {
        if self.masks[var] & !self.taken & 1 << bit != 0 {
            self.give(var, bit);
        }
    }

    fn give(&mut self, var: usize, bit: u32) {
        self.value[var] = bit as u8;
        self.owner[bit as usize] = var as u8;
        self.taken |= 1 << bit;
    }

    /// Finds a value for a variable; others may have to hand theirs on.
    fn augment(&mut self, start: usize) -> bool {
        let mut seen = 0u64;
        // From whom a value would be taken over.
        let mut from = [0u8; 64];
        let mut queue = vec![start];
        let mut next = 0;
        while let Some(&var) = queue.get(next) {
            next += 1;
            let fresh = self.masks[var] & !seen;
            seen |= fresh;
            Bits(fresh).for_each(|bit| from[bit as usize] = var as u8);
            let free = fresh & !self.taken;
            if free != 0 {
                let mut bit = free.trailing_zeros();
                loop {
                    let var = usize::from(from[bit as usize]);
                    let old = self.value[var];
                    self.give(var, bit);
                    if var == start {
                        return true;
                    }
                    bit = u32::from(old);
                }
            }
            queue.extend(Bits(fresh).map(|bit| usize::from(self.owner[bit as usize])));
        }
        false
    }

    /// For each variable, the values it may have in some matching: its own, and those of others who
    /// can find another in return.
    fn partners(&self, all: u64) -> Vec<u64> {
        let own = |var: usize| 1u64 << self.value[var];
        // Values whose owners can move, one after the other, until a free value is used.
        let mut easy = all & !self.taken;
        let mut stuck: Vec<usize> = (0..self.masks.len()).collect();
        loop {
            let before = stuck.len();
            stuck.retain(|&var| {
                let moves = self.masks[var] & easy != 0;
                easy |= if moves { own(var) } else { 0 };
                !moves
            });
            if stuck.len() == before {
                break;
            }
        }
        let mut partners = vec![easy; self.masks.len()];
        if stuck.is_empty() {
            return partners;
        }
        // The others have as many values as they are: whose values can each get at, in the end?
        let mut reach: Vec<u64> = stuck.iter().map(|var| self.masks[*var]).collect();
        for (k, &through) in stuck.iter().enumerate() {
            let (bit, more) = (own(through), reach[k]);
            reach.iter_mut().filter(|r| **r & bit != 0).for_each(|r| *r |= more);
        }
        for &var in &stuck {
            partners[var] = own(var);
            for (k, &other) in stuck.iter().enumerate() {
                if reach[k] & own(var) != 0 {
                    partners[var] |= own(other);
                }
            }
        }
        partners
    }
}
