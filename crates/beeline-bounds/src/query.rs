//! What the conjuncts of a query say of the names in it: for whoever looks for their values.
//!
//! A value may be left out of a search only if no error is lost with it. So a conjunct is assumed only
//! where it surely has a meaning for all values that are left: what it excludes makes it false, and a
//! conjunction with a false part is false, whatever its other parts are. Nothing else is leant on: not
//! `PROPERTIES`, which may be the query itself, and not the invariant, which may be violated.

use crate::analysis::Analysis;
use crate::domain::Ints;
use crate::env::Env;
use beeline_model::{Model, Pred};

/// So often all conjuncts are assumed.
const ROUNDS: usize = 6;

impl<'m> Analysis<'m> {
    /// For formulas alone. Nothing is executed, so that there is no chain that has to come to an end.
    pub fn of_formulas(model: &'m Model, min_int: i64, max_int: i64) -> Analysis<'m> {
        let (min, max) = (Ints::one(min_int.into()), Ints::one(max_int.into()));
        Analysis::resting(model, min, max, Vec::new())
    }

    /// The same for a `MININT` of at most, and a `MAXINT` of at least so much.
    pub fn of_any_formulas(model: &'m Model, min_int: i64, max_int: i64) -> Analysis<'m> {
        let (min, max) = (Ints::to(Some(min_int.into())), Ints::from(Some(max_int.into())));
        Analysis::resting(model, min, max, Vec::new())
    }

    /// What is known of the names where all of these conjuncts are true. For every value that is not
    /// among those that are known, whatever the other names are, one of the conjuncts is false.
    pub fn narrowed(&self, conjuncts: &[Pred]) -> Env {
        let mut env = Env::new();
        for _ in 0..ROUNDS {
            let before = env.clone();
            for conjunct in conjuncts {
                self.refill();
                if self.is_defined_pred(conjunct, &env) {
                    self.refill();
                    self.assume(conjunct, true, &mut env);
                }
            }
            if env.is_dead() || env.is_same(&before) || self.is_exhausted() {
                break;
            }
        }
        env
    }
}
