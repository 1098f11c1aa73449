//! How operations influence each other, found without running the model.
//!
//! Start reading at [`part`] (a variable, or a part of its value), then [`reads`] (which parts an operation
//! looks at and changes). [`action`] has what an operation does as deterministic paths, [`guard`] when it can be
//! done, and [`mod@enabling`] what the one does to the other; `known` is what follows from what, `bases` what is known
//! before a step, and `asker` asks others ([`beeline_prove::Source`]) where that decides nothing. [`mod@disabled`] is as
//! much of that as a search may lean on, [`mod@influence`] what reductions ask. [`flow`]
//! unfolds that into a graph of sets of enabled operations, [`mod@structure`] makes code of it. Nothing here knows
//! states, search or evaluation: others hold what is said against states.

pub mod action;
mod asker;
mod bases;
mod carry;
pub mod disabled;
mod effort;
pub mod enabling;
pub mod flow;
pub mod guard;
pub mod influence;
mod keep;
mod known;
mod linear;
mod make;
mod offer;
pub mod part;
mod preserve;
mod ranges;
pub mod reads;
mod replace;
mod sets;
pub mod structure;
mod terms;
mod variant;

pub use action::{Action, Path};
pub use disabled::{Disabled, disabled};
pub use effort::{Effort, Job, Progress};
pub use enabling::{
    Basis, Case, Effect, Enabling, Independence, Relation, enabling, enabling_with,
};
pub use flow::{FlowEdge, FlowGraph, FlowNode, flow_graph, flow_graph_with};
pub use guard::Guard;
pub use influence::Influence;
pub use offer::Offer;
pub use part::{Part, PartStep};
pub use preserve::{Preserves, preserved};
pub use ranges::Ranges;
pub use reads::{ReadSets, parts_read, read_sets};
pub use structure::{Code, structure};
