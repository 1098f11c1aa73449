//! Exploring a transition system: which states are reachable, and what is wrong with them.
//!
//! [`explore`] takes a [`beeline_transition::TransitionSystem`] and a [`Job`] and gives an
//! [`Exploration`]: counts, findings with a path to each, and a list of everything that was left out.
//! It does not say what that means for a model: verdicts are made elsewhere. Nothing here prints.
//!
//! Start reading at `search` (the loop of waves), then `worker` (what happens to one state),
//! `frontier` (search orders), `tested` and `proof` (what is checked, and what need not be), `skip` (what need not be tried), `spot` (whether that is so), `pool` (threads), `watch` (limits
//! and cancellation), `checkpoint` (saving and going on) and `spill` (states on disk). `shorten` cuts a
//! path down afterwards.
//! Whatever the number of threads, counts, findings and paths are the same.

mod checkpoint;
mod crawl;
mod cuts;
mod exploration;
mod finding;
mod frontier;
mod options;
mod order;
mod output;
mod path;
mod pool;
mod proof;
mod replan;
mod search;
mod shared;
mod shorten;
mod skip;
mod spill;
mod spot;
mod stats;
mod supply;
mod tested;
mod watch;
mod worker;

pub use checkpoint::{Checkpoint, Digest, Refusal};
pub use cuts::{CutNote, Cuts};
pub use exploration::{Counts, Exploration, Made, Sample, SetOperations, Symbolic};
pub use finding::{Finding, FindingKind, Path, PathStep};
pub use frontier::{FrontierCost, frontier_cost};
pub use options::{Checks, First, Limits, Options, Skip, Spill};
pub use order::{Order, Words};
pub use proof::{Contradiction, Proof};
pub use search::{Job, Keeper, explore};
pub use shorten::{Effort, shorten};
pub use skip::{Influence, WrongSkip};
pub use stats::{Replan, Spent, Stats};
pub use supply::{Source, Supply};
pub use watch::{Cancel, Progress, Watch, resident_bytes};
