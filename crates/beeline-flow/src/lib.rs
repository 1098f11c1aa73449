//! How operations influence each other, found without running the model.
//!
//! Start reading at [`part`] (a variable, or a part of its value), then [`reads`] (which parts an operation
//! looks at and changes). [`action`] has what an operation does as deterministic paths, [`guard`] when it can be
//! done, and [`mod@enabling`] what the one does to the other; `known` is what follows from what. [`mod@disabled`] is as much of
//! that as a search may lean on. [`flow`]
//! unfolds that into a graph of sets of enabled operations, [`mod@structure`] makes code of it. Nothing here knows
//! states, search or evaluation: others hold what is said against states.

pub mod action;
pub mod disabled;
pub mod enabling;
pub mod flow;
pub mod guard;
pub mod influence;
mod known;
mod linear;
mod make;
pub mod part;
pub mod reads;
mod replace;
mod sets;
pub mod structure;
mod terms;

pub use action::{Action, Path};
pub use disabled::{Disabled, disabled};
pub use enabling::{Case, Effect, Enabling, Independence, Relation, enabling};
pub use flow::{FlowEdge, FlowGraph, FlowNode, flow_graph};
pub use guard::Guard;
pub use influence::Influence;
pub use part::{Part, PartStep};
pub use reads::{ReadSets, parts_read, read_sets};
pub use structure::{Code, structure};
