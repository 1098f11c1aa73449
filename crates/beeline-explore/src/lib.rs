//! Exploring a compiled model: which states are reachable, and what is wrong with them.
//!
//! [`explore`] takes a [`beeline_compile::System`] and [`Options`] and gives an [`Exploration`]:
//! counts, findings with a path to each, and a list of everything that was left out. It does not
//! say what that means for the model: verdicts are made elsewhere. Nothing here prints.
//!
//! Start reading at `search` (the loop of waves), then `worker` (what happens to one state),
//! `frontier` (search orders), `reduce` (states that count as one), `pool` (threads) and `watch` (limits and cancellation).
//! Whatever the number of threads, counts, findings and paths are the same.

mod cuts;
mod finding;
mod frontier;
mod options;
mod path;
mod pool;
mod proof;
mod reduce;
mod search;
mod watch;
mod worker;

pub use cuts::{CutNote, Cuts};
pub use finding::{Finding, FindingKind, Path, PathStep};
pub use frontier::Order;
pub use options::{Checks, Limits, Options, ProofUse};
pub use reduce::{Look, Reducer, Reduction};
pub use search::{Counts, Exploration, explore, explore_reduced};
pub use watch::{Cancel, Progress, resident_bytes};
