//! What is known of how operations influence each other, as tables, CSV and JSON.

mod code;
mod code_b;
mod enabling;
mod graph;
mod reads;
mod table;

pub use enabling::{EnablingReport, EnablingRow, Offered};
pub use graph::{FlowReport, FlowRow};
pub use reads::{ReadsReport, ReadsRow};
