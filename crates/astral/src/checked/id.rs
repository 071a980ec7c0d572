//! Indices into the tables of a specification.

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident)*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
            pub struct $name(u32);

            impl $name {
                pub(crate) fn new(index: usize) -> Self {
                    $name(u32::try_from(index).expect("a file of 4 GiB has fewer names"))
                }

                /// The index into its table.
                pub fn index(self) -> usize {
                    self.0 as usize
                }
            }
        )*
    };
}

ids! {
    /// A process type.
    ProcessId
    /// An instance or an array of instances.
    InstancesId
    /// A declared type.
    TypeId
    /// A constant.
    ConstantId
    /// A variable.
    VariableId
    /// A definition.
    DefineId
    /// A transition.
    TransitionId
    /// A bound variable or parameter.
    BoundId
    /// A term.
    TermId
}
