//! What is known of a model without running it, as data that can be shown.

mod bounds;
mod in_scope;
mod states;
mod telling;

pub use bounds::{BoundsReport, OperationKnown, bounds};
pub use in_scope::InScope;
pub use states::{ConjunctKnown, NodeKnown, StatesReport, states};
pub use telling::{Because, Known};
