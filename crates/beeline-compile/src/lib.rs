//! From the typed model to something that runs fast.
//!
//! A [`Builder`] gives every variable and constant a slot, plans every query (operation
//! parameters, quantifiers, comprehensions, properties), and turns formulas and substitutions into
//! closures over a flat frame of words. [`System`] then answers: which set-ups, which initial
//! states, which successors, does this predicate hold — always with a list of what was left out.
//!
//! This crate refuses to know about search: visited states, orders, verdicts.
//!
//! Each module uses only those before it: `answer`, `error`, `settings` and `breaking` (data), `eval` (what runs:
//! frames, sets, operators, queries), `solver` (questions in finite domains), `compiler` (closures from
//! formulas and plans), `system` (the compiled model). How queries are planned is told in
//! `beeline-plan`. Start reading at `system` (the door), then `eval/frame` and `compiler/expr`.

mod answer;
mod breaking;
mod compiler;
mod error;
mod eval;
mod settings;
mod solver;
mod system;

pub use answer::{Answer, Cut, CutReason, Fault, FaultKind, Flow, Stop, Truth};
pub use beeline_plan::Policy;
pub use beeline_transition::{
    Arguments, ArgumentsRef, Change, Constants, ConstantsRef, OperationIndex, Prover, Signature,
    State, StateRef, resident_bytes,
};
pub use compiler::distance::{Target, guard_of};
pub use error::CompileError;
pub use settings::Settings;
pub use system::{
    Builder, Check, Contents, ExprId, OperationInfo, PredId, Replanned, Sample, Scratch, Slot,
    Step, System,
};
