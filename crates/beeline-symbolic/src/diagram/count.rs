//! How many vectors a set has, exactly, and how many nodes.

use super::{Diagrams, END, Set};
use num_bigint::BigUint;
use rustc_hash::{FxHashMap, FxHashSet};

impl Diagrams {
    /// How many vectors of bits at these levels (sorted) are in a set that depends on no others.
    pub fn count(&self, set: Set, levels: &[u32]) -> BigUint {
        let mut known = FxHashMap::default();
        let below = self.count_below(set, levels, &mut known);
        below << self.rank(set, levels)
    }

    /// The place of a set's level among these.
    fn rank(&self, set: Set, levels: &[u32]) -> usize {
        match self.level(set) {
            END => levels.len(),
            level => levels.partition_point(|l| *l < level),
        }
    }

    /// The same for the levels from that of the set on.
    fn count_below(
        &self,
        set: Set,
        levels: &[u32],
        known: &mut FxHashMap<Set, BigUint>,
    ) -> BigUint {
        if set <= Set::ALL {
            return BigUint::from(set.0);
        }
        if let Some(count) = known.get(&set) {
            return count.clone();
        }
        let (without, with) = self.parts(set, self.level(set));
        let next = self.rank(set, levels) + 1;
        let mut sum = BigUint::ZERO;
        for part in [without, with] {
            let below = self.count_below(part, levels, known);
            sum += below << self.rank(part, levels).saturating_sub(next);
        }
        known.insert(set, sum.clone());
        sum
    }

    /// Nodes of a set, its ends among them.
    pub fn size(&self, set: Set) -> usize {
        let (mut seen, mut waiting) = (FxHashSet::default(), vec![set]);
        while let Some(set) = waiting.pop() {
            if seen.insert(set) && set > Set::ALL {
                let (without, with) = self.parts(set, self.level(set));
                waiting.extend([without, with]);
            }
        }
        seen.len()
    }
}
