//! The scope of a run: set sizes, integer bounds, limits.

use beeline_model::Model;
use beeline_plan::Policy;

/// Everything a user may choose that changes what is computed.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// `MAXINT`
    pub max_int: i64,
    /// `MININT`
    pub min_int: i64,
    /// Size of deferred sets of which nothing else is known.
    pub default_set_size: u64,
    /// Sizes asked for by name, over what the model says.
    pub set_sizes: Vec<(String, u64)>,
    /// Steps that one evaluation (one operation in one state, one invariant, …) may take; without
    /// end by default, as limits of time and memory are the user's.
    pub steps: u64,
    /// Elements that a set may have before it stays symbolic or is a cut.
    pub elements: usize,
    /// In which order the planner takes conjuncts. The answers are the same.
    pub policy: Policy,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            max_int: 3,
            min_int: -1,
            default_set_size: 2,
            set_sizes: Vec::new(),
            steps: u64::MAX,
            elements: 4_000_000,
            policy: Policy::default(),
        }
    }
}

impl Settings {
    /// The defaults, changed by the main machine's `SET_PREF_…` definitions.
    pub fn of(model: &Model) -> Settings {
        let mut settings = Settings::default();
        let number = |name: &str| model.preference(name).and_then(|p| p.value.parse::<i64>().ok());
        if let Some(n) = number("MAXINT") {
            settings.max_int = n;
        }
        if let Some(n) = number("MININT") {
            settings.min_int = n;
        }
        if let Some(n) = number("DEFAULT_SETSIZE") {
            settings.default_set_size = n.max(1) as u64;
        }
        settings
    }
}
