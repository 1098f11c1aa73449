//! What fuzzing checks: one function a target, for any bytes.
//!
//! A target panics if a promise is broken. `cargo fuzz` (in `fuzz/`), the plain mutation fuzzer
//! (`cargo xtask fuzz`) and the replay of old findings call the same functions. This crate knows
//! nothing of how inputs are made; [`hostile`] has models for the program as a whole.

mod hostile;
pub mod mutate;
mod targets;

pub use hostile::{Hostile, hostile};
pub use targets::{TARGETS, Target, target};
