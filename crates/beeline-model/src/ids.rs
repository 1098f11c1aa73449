//! Typed indices into the tables of a [`crate::Model`].

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {
        $($(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub struct $name(pub u32);

        impl $name {
            /// The position in its table.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        })*
    };
}

ids! {
    /// A ground type of [`crate::TypeTable`].
    TypeId;
    /// A given set: deferred, enumerated or a set parameter.
    SetId;
    /// A free type.
    FreeTypeId;
    /// A constant, or a scalar machine parameter.
    ConstantId;
    /// A state variable.
    VariableId;
    /// A bound name: quantified, operation parameter, result, ANY/LET/VAR variable …
    LocalId;
    /// An operation or event.
    OperationId;
    /// A machine of the composition, as instantiated.
    ComponentId;
    /// An external function, predicate or substitution.
    ExternalId;
}

/// A conjunct that is checked in the states of the level that is run: which list of
/// [`crate::Model::concrete`] it stands in, and where.
///
/// Engines, findings, proofs, the judge's claims and reports all speak of conjuncts by this id, and
/// nobody counts again. Conjuncts that glue levels together are not among them: no state of one
/// level can break one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum ConjunctId {
    /// Position in [`crate::Level::invariants`].
    Invariant(u32),
    /// Position in [`crate::Level::assertions`].
    Assertion(u32),
}

impl ConjunctId {
    /// The position in its list.
    pub fn index(self) -> usize {
        match self {
            ConjunctId::Invariant(i) | ConjunctId::Assertion(i) => i as usize,
        }
    }

    /// How people count it, from 1: its name where it has no label.
    pub fn number(self) -> usize {
        self.index() + 1
    }
}
