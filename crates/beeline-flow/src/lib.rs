//! How operations influence each other, found without running the model.
//!
//! Start reading at [`part`] (a variable, or a part of its value), then [`reads`] (which parts an operation
//! looks at and changes). Nothing here knows states, search or evaluation: others hold what is said
//! against states.

pub mod part;
pub mod reads;

pub use part::{Part, PartStep};
pub use reads::{ReadSets, read_sets};
