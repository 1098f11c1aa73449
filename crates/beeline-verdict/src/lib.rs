//! From an exploration to a verdict that can be trusted.
//!
//! [`decide`] turns facts and cuts into a [`Verdict`]. The types see to the promises: a verdict
//! that the model holds can be made from an empty list of cuts only, and a verdict that it is
//! violated from a trace only that the judge has replayed. This crate refuses to know terminals
//! and files.
//!
//! Start reading at `verdict`, then `decide`, `confirm` (the judge) and `trace`.

mod confirm;
mod conflict;
mod convert;
mod decide;
mod describe;
mod inspect;
mod parts;
mod replay;
mod sanity;
mod trace;
mod unchecked;
mod unconfirmed;
mod verdict;

pub use confirm::{Tracer, judge_settings, judge_trace};
pub use decide::{Found, Outcome, decide, decide_within};
pub use describe::{Described, kind_word};
pub use inspect::{Inspected, inspect};
pub use parts::{Part, parts};
pub use replay::{Obstacle, ReplayError, follow};
pub use sanity::Observation;
pub use trace::{
    Bindings, INITIALISATION, SETUP, TRACE_SCHEMAS, Trace, TraceError, TraceScope, TraceStep,
};
pub use unconfirmed::Unconfirmed;
pub use verdict::{Complete, Confirmed, ModelError, Undetermined, Verdict, VerdictKind};
