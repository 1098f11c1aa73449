//! From formulas, substitutions and plans to closures over a frame.
//!
//! `context` is what the compiler knows while it works; `expr`, `pred`, `subst`, `steps` (plans) and
//! `constrain` (questions for the solver) make closures of what they are named after, each a part of
//! the same compiler. Nothing is planned or decided here, and nothing runs.

mod constrain;
pub(crate) mod context;
mod demand;
pub(crate) mod distance;
pub(crate) mod expr;
mod external;
pub(crate) mod measure;
mod pred;
mod project;
mod recursion;
mod steps;
pub(crate) mod subst;
