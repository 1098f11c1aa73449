//! The set of visited states: exact, shared by all workers, with a parent for each state.
//!
//! States are vectors of words of one length; what the words mean is not known here. Insertion
//! happens in *waves*: many threads insert at once, each with a key that says which insertion
//! would have come first in a sequential run. [`Table::settle`] ends a wave and gives the new
//! states in the order of their keys, so that numbers of threads cannot be told apart afterwards.

mod records;
mod shard;
mod table;

pub use shard::Insert;
pub use table::{Fresh, StateId, Table};
