//! The scope of an evaluation: integer bounds, sizes of given sets, limits.

use beeline_model::{GivenSet, Model};
use num_bigint::BigInt;

/// Scope and limits. The scope is part of every verdict; what a limit ends is unknown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// `MAXINT`
    pub maxint: BigInt,
    /// `MININT`
    pub minint: BigInt,
    /// The size of each given set.
    pub set_sizes: Vec<u32>,
    /// Steps one question may take.
    pub max_steps: u64,
    /// Steps to try to list a comprehension before it is kept as a description.
    pub eager_steps: u64,
    /// Elements a listed set may have.
    pub max_elements: usize,
    /// How deep evaluation may nest.
    pub max_depth: u32,
}

impl Settings {
    /// What the model itself asks for, and defaults for the rest.
    pub fn of(model: &Model) -> Settings {
        let preference = |name: &str| -> Option<i64> {
            model.preference(name).and_then(|p| p.value.as_str().trim().parse().ok())
        };
        let default_size = preference("DEFAULT_SETSIZE").and_then(|n| u64::try_from(n).ok());
        Settings {
            maxint: preference("MAXINT").unwrap_or(3).into(),
            minint: preference("MININT").unwrap_or(-1).into(),
            set_sizes: model.sets.iter().map(|s| size_of(s, default_size.unwrap_or(2))).collect(),
            max_steps: 20_000_000,
            eager_steps: 2_000_000,
            max_elements: 1_000_000,
            max_depth: 30_000,
        }
    }
}

/// The default size, moved into the bounds that the text gives.
fn size_of(set: &GivenSet, default_size: u64) -> u32 {
    let size = match &set.elements {
        Some(elements) => elements.len() as u64,
        None => {
            let at_most = set.size.max.unwrap_or(u64::MAX).max(set.size.min);
            default_size.clamp(set.size.min, at_most)
        }
    };
    u32::try_from(size).unwrap_or(u32::MAX)
}
