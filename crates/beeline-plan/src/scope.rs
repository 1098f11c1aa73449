//! What of the scope of a check the planner estimates with.

/// Set sizes and bounds of integers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scope {
    /// `MININT`
    pub min_int: i64,
    /// `MAXINT`
    pub max_int: i64,
    /// How many elements each given set has, in the order of the model.
    pub set_sizes: Vec<u64>,
}
