//! Partial-order reduction: of steps that do not influence each other one order is enough.
//!
//! In each state a *stubborn set* of operations is found, and only their steps are taken; the others wait.
//! Start reading at [`relations`] (what must be known of operations, as plain data), then `stubborn` (which
//! operations of a state are enough), `find` (the relations of a model, found without running it) and
//! `reduced` (the wrapper that leaves steps out). [`audit`] says what a reduced search has lost.
//!
//! Why nothing is lost, in any search order and without a look at cycles, stands in
//! `docs/decisions/0056-partial-order.md`. Nothing here knows search orders, rows or verdicts.

pub mod audit;
mod find;
mod reduced;
pub mod relations;
mod set;
mod stubborn;

pub use audit::{Audit, Told};
pub use find::{Found, Wanted, find};
pub use reduced::{PartialOrder, Tallied};
pub use relations::{Behaviour, Guard, Property, Relations};
pub use set::Set;
pub use stubborn::{Choices, choices};

/// What is made of partial order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Usage {
    /// All steps of a state are taken.
    #[default]
    Off,
    /// Steps that can wait are left out.
    On,
    /// The same, and then the whole state space is explored and compared.
    Audit,
}

impl Usage {
    /// All of them.
    pub const ALL: [Usage; 3] = [Usage::Off, Usage::On, Usage::Audit];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Usage::Off => "off",
            Usage::On => "on",
            Usage::Audit => "audit",
        }
    }

    /// The one of this name.
    pub fn by_name(name: &str) -> Option<Usage> {
        Usage::ALL.into_iter().find(|usage| usage.name() == name)
    }
}
