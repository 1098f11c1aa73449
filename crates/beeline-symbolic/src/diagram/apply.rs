//! Union, intersection, difference, projection.

use super::{Diagrams, Halt, Set, what};
use rustc_hash::FxHashSet;

/// An operation on two sets.
type Two = fn(&mut Diagrams, Set, Set) -> Result<Set, Halt>;

impl Diagrams {
    /// What is in one of them.
    pub fn union(&mut self, a: Set, b: Set) -> Result<Set, Halt> {
        match (a, b) {
            (Set::EMPTY, other) | (other, Set::EMPTY) => return Ok(other),
            (Set::ALL, _) | (_, Set::ALL) => return Ok(Set::ALL),
            _ if a == b => return Ok(a),
            _ => {}
        }
        self.recursive(what::UNION, Diagrams::union, a.min(b), a.max(b))
    }

    /// What is in both.
    pub fn intersection(&mut self, a: Set, b: Set) -> Result<Set, Halt> {
        match (a, b) {
            (Set::EMPTY, _) | (_, Set::EMPTY) => return Ok(Set::EMPTY),
            (Set::ALL, other) | (other, Set::ALL) => return Ok(other),
            _ if a == b => return Ok(a),
            _ => {}
        }
        self.recursive(what::INTERSECTION, Diagrams::intersection, a.min(b), a.max(b))
    }

    /// What is in the first and not in the second.
    pub fn difference(&mut self, a: Set, b: Set) -> Result<Set, Halt> {
        match (a, b) {
            (Set::EMPTY, _) | (_, Set::ALL) => return Ok(Set::EMPTY),
            (_, Set::EMPTY) => return Ok(a),
            _ if a == b => return Ok(Set::EMPTY),
            _ => {}
        }
        self.recursive(what::DIFFERENCE, Diagrams::difference, a, b)
    }

    /// What is in exactly one of them.
    pub fn symmetric(&mut self, a: Set, b: Set) -> Result<Set, Halt> {
        match (a, b) {
            (Set::EMPTY, other) | (other, Set::EMPTY) => return Ok(other),
            (Set::ALL, other) | (other, Set::ALL) => return self.difference(Set::ALL, other),
            _ if a == b => return Ok(Set::EMPTY),
            _ => {}
        }
        self.recursive(what::SYMMETRIC, Diagrams::symmetric, a.min(b), a.max(b))
    }

    /// What is in `a` inside of a set, and in `b` outside of it.
    pub fn chosen(&mut self, by: Set, a: Set, b: Set) -> Result<Set, Halt> {
        if a == b || by == Set::ALL {
            return Ok(a);
        }
        let a = self.intersection(a, by)?;
        let b = self.difference(b, by)?;
        self.union(a, b)
    }

    /// Does a set depend on levels alone that `kept` names?
    pub fn depends_only_on(&self, set: Set, kept: &dyn Fn(u32) -> bool) -> bool {
        let (mut seen, mut waiting) = (FxHashSet::default(), vec![set]);
        while let Some(set) = waiting.pop() {
            if set > Set::ALL && seen.insert(set) {
                let level = self.level(set);
                if !kept(level) {
                    return false;
                }
                let (without, with) = self.parts(set, level);
                waiting.extend([without, with]);
            }
        }
        true
    }

    fn recursive(&mut self, name: u64, two: Two, a: Set, b: Set) -> Result<Set, Halt> {
        if let Some(known) = self.recall(name, a, b) {
            return Ok(known);
        }
        self.step()?;
        let level = self.level(a).min(self.level(b));
        let ((a0, a1), (b0, b1)) = (self.parts(a, level), self.parts(b, level));
        let without = two(self, a0, b0)?;
        let with = two(self, a1, b1)?;
        let result = self.node(level, without, with)?;
        Ok(self.remember(name, a, b, result))
    }

    /// The vectors that agree with one of the set in the bits that are kept: `kept` says so for each level,
    /// `number` tells lists of levels apart.
    pub fn projection(&mut self, set: Set, number: u64, kept: &[bool]) -> Result<Set, Halt> {
        if set <= Set::ALL {
            return Ok(set);
        }
        if let Some(known) = self.recall(what::PROJECTION + number, set, set) {
            return Ok(known);
        }
        self.step()?;
        let level = self.level(set);
        let (without, with) = self.parts(set, level);
        let without = self.projection(without, number, kept)?;
        let keep = kept.get(level as usize).copied().unwrap_or(false);
        // A set that is everything already does not get larger.
        let result = if !keep && without == Set::ALL {
            without
        } else {
            let with = self.projection(with, number, kept)?;
            match keep {
                true => self.node(level, without, with)?,
                false => self.union(without, with)?,
            }
        };
        Ok(self.remember(what::PROJECTION + number, set, set, result))
    }

    /// All vectors with this bit at a level.
    pub fn bit(&mut self, level: u32, with: bool) -> Result<Set, Halt> {
        let (zero, one) = if with { (Set::EMPTY, Set::ALL) } else { (Set::ALL, Set::EMPTY) };
        self.node(level, zero, one)
    }

    /// The numbers below a bound, in binary, the highest bit at the first of these levels.
    pub fn below(&mut self, levels: &[u32], bound: u64) -> Result<Set, Halt> {
        let width = levels.len() as u32;
        if width < 64 && bound >> width > 0 {
            return Ok(Set::ALL);
        }
        let mut set = Set::EMPTY;
        for (bit, level) in levels.iter().rev().enumerate() {
            set = match bound >> bit & 1 {
                1 => self.node(*level, Set::ALL, set)?,
                _ => self.node(*level, set, Set::EMPTY)?,
            };
        }
        Ok(set)
    }
}
