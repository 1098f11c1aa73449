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
