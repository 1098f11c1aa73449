//! How much work an analysis may be, who is asked, and how far it has come.

use beeline_prove::Source;

/// Steps of work for each pair of operations. They are counted, not timed, so that results are the same each time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Formulas that are looked at, and inequalities that are joined.
    pub steps: u64,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort { steps: 100_000 }
    }
}

/// How far it has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Pairs that were looked at.
    pub pairs: usize,
    /// All there are.
    pub of: usize,
}

/// An analysis that asks others, and can be broken off.
pub struct Job<'j> {
    /// For each pair.
    pub effort: Effort,
    /// Who is asked, in this order, where the closure decides nothing.
    pub sources: Vec<&'j mut dyn Source>,
    /// Asked before each pair; after a `false` all others are unknown.
    pub go_on: &'j mut dyn FnMut(Progress) -> bool,
}
