//! Successors and predecessors of a set by one relation, in one pass: no renaming, no frames.
//!
//! A relation speaks of bits before and after a step: bit `i` of a state is at level `2 * i`, the same bit after the
//! step at level `2 * i + 1`. It knows only the bits that an operation looks at or changes; all others stay
//! as they are without a node for that.

use super::{Diagrams, END, Halt, Set, what};

/// What a relation does to a bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Touch {
    /// Neither reads nor writes.
    Leaves,
    /// Reads.
    Reads,
    /// Gives it a value; it may have read it.
    Writes,
}

/// The steps of one operation.
#[derive(Clone, Debug)]
pub struct Relation {
    /// Tells relations apart.
    pub number: u64,
    /// What it does to each bit.
    pub touches: Vec<Touch>,
    /// The first bit that it touches.
    pub top: Option<u32>,
    /// The steps.
    pub steps: Set,
}

impl Relation {
    /// One without steps.
    pub fn new(number: u64, touches: Vec<Touch>) -> Relation {
        let top = touches.iter().position(|t| *t != Touch::Leaves).map(|p| p as u32);
        Relation { number, touches, top, steps: Set::EMPTY }
    }

    fn touch(&self, bit: u32) -> Touch {
        self.touches.get(bit as usize).copied().unwrap_or(Touch::Leaves)
    }
}

impl Diagrams {
    /// The first bit that one of two sets depends on.
    #[inline]
    fn first_bit(&self, a: Set, b: Set) -> u32 {
        match self.level(a).min(self.level(b)) {
            END => END,
            level => level / 2,
        }
    }

    /// The four parts of a relation by one bit: before and after.
    #[inline]
    fn quarters(&self, steps: Set, bit: u32) -> [[Set; 2]; 2] {
        let (zero, one) = self.parts(steps, 2 * bit);
        let (zz, zo) = self.parts(zero, 2 * bit + 1);
        let (oz, oo) = self.parts(one, 2 * bit + 1);
        [[zz, zo], [oz, oo]]
    }

    /// All states that one step leads to from these.
    pub fn after(&mut self, set: Set, relation: &Relation) -> Result<Set, Halt> {
        self.after_by(set, relation.steps, relation)
    }

    fn after_by(&mut self, set: Set, steps: Set, relation: &Relation) -> Result<Set, Halt> {
        if set.is_empty() || steps.is_empty() {
            return Ok(Set::EMPTY);
        }
        let bit = self.first_bit(set, steps);
        if bit == END {
            return Ok(Set::ALL);
        }
        let name = what::AFTER + relation.number;
        if let Some(known) = self.recall(name, set, steps) {
            return Ok(known);
        }
        self.step()?;
        let (zero, one) = self.parts(set, 2 * bit);
        let quarters = self.quarters(steps, bit);
        let parts = match relation.touch(bit) {
            // A relation that leaves a bit alone does not mention it: all quarters are the same.
            Touch::Leaves | Touch::Reads => [
                self.after_by(zero, quarters[0][0], relation)?,
                self.after_by(one, quarters[1][0], relation)?,
            ],
            Touch::Writes => {
                let mut parts = [Set::EMPTY; 2];
                for (to, part) in parts.iter_mut().enumerate() {
                    let a = self.after_by(zero, quarters[0][to], relation)?;
                    let b = self.after_by(one, quarters[1][to], relation)?;
                    *part = self.union(a, b)?;
                }
                parts
            }
        };
        let result = self.node(2 * bit, parts[0], parts[1])?;
        Ok(self.remember(name, set, steps, result))
    }

    /// All states from which one step leads into these.
    pub fn before(&mut self, set: Set, relation: &Relation) -> Result<Set, Halt> {
        self.before_by(set, relation.steps, relation)
    }

    fn before_by(&mut self, set: Set, steps: Set, relation: &Relation) -> Result<Set, Halt> {
        if set.is_empty() || steps.is_empty() {
            return Ok(Set::EMPTY);
        }
        let bit = self.first_bit(set, steps);
        if bit == END {
            return Ok(Set::ALL);
        }
        let name = what::BEFORE + relation.number;
        if let Some(known) = self.recall(name, set, steps) {
            return Ok(known);
        }
        self.step()?;
        let (zero, one) = self.parts(set, 2 * bit);
        let quarters = self.quarters(steps, bit);
        let mut parts = [Set::EMPTY; 2];
        for (from, part) in parts.iter_mut().enumerate() {
            *part = match relation.touch(bit) {
                Touch::Leaves | Touch::Reads => {
                    let own = [zero, one][from];
                    self.before_by(own, quarters[from][0], relation)?
                }
                Touch::Writes => {
                    let a = self.before_by(zero, quarters[from][0], relation)?;
                    let b = self.before_by(one, quarters[from][1], relation)?;
                    self.union(a, b)?
                }
            };
        }
        let result = self.node(2 * bit, parts[0], parts[1])?;
        Ok(self.remember(name, set, steps, result))
    }
}
