//! What is known of how operations influence each other, as tables, CSV and JSON.

mod enabling;
mod reads;
mod table;

pub use enabling::{EnablingReport, EnablingRow};
pub use reads::{ReadsReport, ReadsRow};
