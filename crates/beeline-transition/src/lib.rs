//! Transition systems, as a search sees them.
//!
//! [`TransitionSystem`] is what a search asks of what it searches: initial states, steps, whether checks
//! hold, in rows and batches. [`Signature`] says what there is, [`Wrap`] is for systems that stand
//! between another one and the search (a reduction, a counter). Words have types that say what they mean
//! ([`RowRef`], [`StateRef`], [`ConstantsRef`], [`ArgumentsRef`]). Beside answers stand what was left out
//! ([`Cut`]) and what a model does wrong ([`Fault`]).
//!
//! This crate refuses to know how a system is made, and how it is searched.
//!
//! A system of four states, which nobody checks:
//!
//! ```
//! use beeline_transition::{
//!     Answer, Ask, At, ConstantsRef, Flow, Label, OperationIndex, RowRef, Setup, Signature, State,
//!     StateRef, TransitionSystem,
//! };
//!
//! struct Ring(Signature);
//!
//! impl TransitionSystem for Ring {
//!     type Scratch = ();
//!     fn signature(&self) -> &Signature {
//!         &self.0
//!     }
//!     fn scratch(&self) {}
//!     fn initial(
//!         &self,
//!         _: Setup<'_>,
//!         _: &mut (),
//!         sink: &mut dyn FnMut(RowRef<'_>) -> Flow,
//!     ) -> Answer {
//!         Answer::of(sink(RowRef(&[0])))
//!     }
//!     fn successors(
//!         &self,
//!         at: At<'_>,
//!         _: &mut (),
//!         _: &mut Ask<'_>,
//!         sink: &mut dyn FnMut(OperationIndex, RowRef<'_>) -> Flow,
//!     ) -> Answer {
//!         Answer::of(sink(OperationIndex(0), RowRef(&[(at.row[0] + 1) % 4])))
//!     }
//! }
//!
//! let next = Label { name: "next".to_owned(), reads: vec![0], writes: vec![0] };
//! let ring = Ring(Signature { variables: 1, operations: vec![next], ..Signature::default() });
//! let mut reached = Vec::new();
//! ring.steps((ConstantsRef(&[]), StateRef(&[3])), None, &mut (), &mut |step| {
//!     reached.push(step.target.owned());
//!     Flow::More
//! });
//! assert_eq!(reached, [State(vec![0])]);
//! ```

mod answer;
mod emitted;
mod error;
mod hash;
mod memory;
mod reduce;
mod setups;
mod signature;
mod system;
mod terms;
mod translate;
mod words;
mod wrap;

pub use beeline_model::{ConjunctId, Promise};

pub use answer::{Answer, Cut, CutReason, Fault, FaultKind, Flow, Truth};
pub use emitted::Emitted;
pub use hash::{digest, mixed};
pub use memory::resident_bytes;
pub use reduce::{Look, Reducer, Twins};
pub use setups::Setups;
pub use signature::{Check, Label, PredId, Prover, Signature};
pub use system::TransitionSystem;
pub use terms::{
    Ask, At, Change, Digit, Hearer, Measure, OperationSet, Setup, Step, Steps, Tally, Wanted,
};
pub use translate::Translate;
pub use words::{
    Arguments, ArgumentsRef, Constants, ConstantsRef, OperationIndex, Row, RowMut, RowRef,
    SetupIndex, State, StateRef,
};
pub use wrap::{InnerScratch, Wrap};
