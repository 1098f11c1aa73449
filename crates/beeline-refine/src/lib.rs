//! Refinement checking: does everything that a refinement does match something that its abstraction can do?
//!
//! [`Levels`] says what two neighbouring levels of a model have to do with each other, `pair` makes one
//! model of them that can be compiled. [`Product`] is a transition system like any other: a state is one
//! of the refinement together with the set of abstract states that match everything seen so far (the
//! subset construction), so that a fault is found only where no choice of the abstraction fits. The
//! explorer searches it with its limits, threads and cuts. What it finds, `confirm` has the judge replay
//! on both machines, each as it was written, and tells why each candidate fails.
//!
//! Start reading at `product`, then `abstraction` (what the abstraction can do, remembered) and `confirm`.
//!
//! It does not know how a search is run, nor how anything is shown.

mod abstraction;
mod begin;
mod both;
mod confirm;
mod ends;
mod expand;
mod faults;
mod glue;
mod judges;
mod levels;
mod outcome;
mod owed;
mod pair;
mod product;
mod rename;
mod story;

pub use begin::{Prepared, prepare};
pub use levels::Levels;
pub use outcome::{Found, Outcome, Side, Told, decide};
pub use product::{Product, ProductScratch};
pub use story::Candidate;

/// What is compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Mode {
    /// Each step is matched by one of the abstraction after which the invariant of the refinement holds
    /// of both states. Nothing is owed where the abstraction may not be called.
    #[default]
    Simulation,
    /// Traces of operations with their arguments and results; preconditions are guards.
    Trace,
    /// The same, and nothing is refused that the abstraction cannot refuse.
    Failures,
}

impl Mode {
    /// All of them.
    pub const ALL: [Mode; 3] = [Mode::Simulation, Mode::Trace, Mode::Failures];

    /// Its name on the command line and in machine output.
    pub fn name(self) -> &'static str {
        match self {
            Mode::Simulation => "simulation",
            Mode::Trace => "trace",
            Mode::Failures => "failures",
        }
    }

    /// The mode of a name.
    pub fn by_name(name: &str) -> Option<Mode> {
        Mode::ALL.into_iter().find(|mode| mode.name() == name)
    }
}

/// How refinement is checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// What is compared.
    pub mode: Mode,
    /// Has the refinement a step wherever the abstraction has one?
    pub enabledness: bool,
}
