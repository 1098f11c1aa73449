//! What is known of the values of a model without running it.
//!
//! [`Bounds`] is predicate analysis: what `PROPERTIES`, the invariant and guards say of the names in
//! them, with the conjuncts that say it. [`States`] is abstract interpretation: what is true of every
//! reachable state, and which conjuncts of the invariant that proves; [`Proved`] is as much of that as spares evaluations,
//! [`ByFlow`] the same with one abstract state for each set of enabled operations.
//! [`Analysis::narrowed`] is what the conjuncts of one query say, for whoever looks for values. Everything is an over-approximation:
//! a value that a name can have is among those that its [`Value`] stands for, and what is not understood
//! may be anything.
//!
//! Start reading at `domain` (abstract values), then `eval` (expressions), `assume` (predicates, with
//! narrowing), `predicate`, `execute` (substitutions) and `states`. Nothing here knows states, search, evaluators or the solver: others hold
//! what is said here against states. Claims are made in B ([`Claims`]), so that what is printed is what
//! is checked.

mod analysis;
mod assume;
mod claims;
mod defined;
mod domain;
mod env;
mod eval;
mod execute;
mod fails;
mod polyvariant;
mod predicate;
mod preserve;
mod query;
mod scope;
mod states;
mod writes;

pub use analysis::Analysis;
pub use claims::Claims;
pub use domain::{Atom, Elements, Ints, Relation, Set, Value};
pub use env::{Env, Name};
pub use polyvariant::{ByFlow, Node};
pub use predicate::{Bound, Bounds, OperationBounds, Reason, guard_of};
pub use preserve::Proved;
pub use scope::narrow_scope;
pub use states::States;
