//! Facts that exclude each other because of the values that names can have: what `beeline-bounds` knows.

use crate::replace::is_large_pred;
use beeline_bounds::{Analysis, Env};
use beeline_prove::{Obligation, Source};

/// So often all facts are taken in.
const ROUNDS: usize = 2;
/// Contexts with more facts are not looked at.
const MAX_FACTS: usize = 400;

/// A source that knows intervals, elements and cardinalities. What it proves holds for any `MININT` and `MAXINT`.
#[derive(Default)]
pub struct Ranges {
    /// What the facts of a context say, by the number of the context.
    last: Option<(usize, Env)>,
}

impl Ranges {
    fn context(&mut self, analysis: &Analysis<'_>, obligation: &Obligation<'_>) -> Env {
        if let Some((number, env)) = &self.last
            && *number == obligation.context.number
        {
            return env.clone();
        }
        let mut env = Env::new();
        let facts = &obligation.context.facts;
        if facts.len() <= MAX_FACTS {
            for _ in 0..ROUNDS {
                facts.iter().for_each(|p| analysis.assume(p, true, &mut env));
            }
        }
        self.last = Some((obligation.context.number, env.clone()));
        env
    }
}

impl Source for Ranges {
    fn name(&self) -> &'static str {
        "bounds"
    }

    fn excludes(&mut self, obligation: &Obligation<'_>) -> bool {
        // Whatever MININT and MAXINT are: at most and at least 0.
        let analysis = Analysis::of_any_formulas(obligation.model, 0, 0);
        let mut env = self.context(&analysis, obligation);
        for _ in 0..ROUNDS {
            let before = env.clone();
            for p in obligation.facts.iter().filter(|p| !is_large_pred(p)) {
                analysis.assume(p, true, &mut env);
            }
            if env.is_dead() || env.is_same(&before) {
                break;
            }
        }
        env.is_dead()
    }
}
