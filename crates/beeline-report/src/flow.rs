//! What is known of how operations influence each other, as tables, CSV and JSON.

mod reads;
mod table;

pub use reads::{ReadsReport, ReadsRow};
