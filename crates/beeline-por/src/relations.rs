//! What must be known of operations, as plain data.
//!
//! An operation with all its parameters and choices is one action. It is *live* in a state if it has a step
//! there or fails there: to fail is taken for a step into a state of its own, in which all others go on for
//! ever. Every set may be larger than it need be, which costs states; one that is too small loses findings.

use crate::Set;

/// What is known of the operations of a system.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Relations {
    /// Of each operation.
    pub operations: Vec<Behaviour>,
    /// How many conditions [`Guard::condition`] chooses from.
    pub conditions: usize,
    /// What must not be missed, beside deadlocks.
    pub properties: Vec<Property>,
    /// Must no state without steps be missed?
    pub deadlock: bool,
}

/// What is known of one operation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Behaviour {
    /// Conditions without which it is not live, whatever its parameters are.
    pub guards: Vec<Guard>,
    /// Where it is not live, it does not become live before one of these has taken a step.
    pub enablers: Set,
    /// Those with which it does not accord: where both are live, one may end the other, or their order may
    /// make a difference.
    pub conflicts: Set,
    /// It may fail in some state.
    pub may_fail: bool,
}

/// A condition, and who can make it true.
#[derive(Clone, Debug, PartialEq)]
pub struct Guard {
    /// Its number.
    pub condition: usize,
    /// Is it waited for to be true, or false?
    pub wanted: bool,
    /// Where it is not as wanted, it does not become so before one of these has taken a step.
    pub enablers: Set,
}

/// Something that must not be missed: a state in which a conjunct is violated, or a goal reached.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Property {
    /// All of these hold in such a state.
    pub guards: Vec<Guard>,
    /// From a state that is none such, one of these takes a step before one is reached.
    pub enablers: Set,
}
