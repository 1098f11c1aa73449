//! What steps of plans came to when they were run, used in the place of estimates when the same query
//! is planned again.
//!
//! It does not know who counts, in which states, or who decides that a plan is worth another look.

use crate::name::as_name;
use crate::plan::Generator;
use beeline_model::Expr;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};

/// Measured fan-outs, by what a step is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figures(FxHashMap<u64, f64>);

impl Figures {
    /// Is nothing known?
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many values a generator gave for each choice before it, where that was counted.
    pub fn of(&self, generator: &Generator) -> Option<f64> {
        // Most plans are made without figures: no key is needed for them.
        if self.0.is_empty() {
            return None;
        }
        self.0.get(&Figures::key(generator)?).copied()
    }

    /// Notes what was counted.
    pub fn learn(&mut self, key: u64, fanout: f64) {
        self.0.insert(key, fanout);
    }

    /// What a step that may give several values is: the same number whenever it is planned. Two steps
    /// that share one by chance share their figures, which does no harm but to an estimate.
    pub fn key(generator: &Generator) -> Option<u64> {
        let mut hash = FxHasher::default();
        // Not the whole formula: places tell nearly all of them apart, and hashing stays cheap.
        let set = |hash: &mut FxHasher, set: &Expr| {
            (set.span, set.ty, std::mem::discriminant(&set.kind)).hash(hash);
        };
        match generator {
            Generator::Member { pattern, set: of } => {
                (0, as_name(pattern)).hash(&mut hash);
                set(&mut hash, pattern);
                set(&mut hash, of);
            }
            Generator::Within { name, set: of, .. } => {
                (1, name).hash(&mut hash);
                set(&mut hash, of);
            }
            Generator::Subset { name, set: of, .. } => {
                (2, name).hash(&mut hash);
                set(&mut hash, of);
            }
            Generator::Between { name, lows, highs, .. } => {
                (3, name, lows.len()).hash(&mut hash);
                lows.iter().chain(highs).for_each(|bound| set(&mut hash, bound));
            }
            Generator::Type(name) => (4, name).hash(&mut hash),
            Generator::Value { .. }
            | Generator::Recursive(_)
            | Generator::Any { .. }
            | Generator::Pieces { .. } => return None,
        }
        Some(hash.finish())
    }
}
