//! Concrete runs of a process.

use lurcher_ir::timed::{ImportedId, TransitionId, TransitionRef, VariableId};

/// A run up to an instant. It says what the process and its environment choose; everything else follows: a transition that
/// starts ends after its duration, a variable keeps its value until it changes.
///
/// A run is plain data and may be illegal.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Run {
    /// The values of all constants, also of those with a given value; index by constant.
    pub constants: Vec<i64>,
    /// The values of all variables at 0; index by variable.
    pub initial: Vec<i64>,
    /// What happens, in ascending order.
    pub events: Vec<Event>,
    /// The last instant.
    pub horizon: i64,
}

/// Something that happens at an instant.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Event {
    /// The instant.
    pub at: i64,
    /// What happens.
    pub kind: EventKind,
}

/// What happens. The order is that of the events at one instant.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum EventKind {
    /// A variable gets another value: an imported one at any instant but 0, an own one where a transition ends.
    Change {
        /// The variable.
        variable: VariableId,
        /// Its value from now on.
        value: i64,
    },
    /// The transition that an imported instance executes ends.
    ImportedEnd {
        /// The transition.
        transition: ImportedId,
    },
    /// A transition is called. A call that is pending already does not count.
    Call {
        /// An exported transition of the process, or an imported one.
        transition: TransitionRef,
        /// The values of its parameters.
        arguments: Vec<i64>,
    },
    /// A transition of another instance starts.
    ImportedStart {
        /// The transition.
        transition: ImportedId,
        /// The values of its parameters.
        arguments: Vec<i64>,
    },
    /// A transition of the process starts. It ends after the duration of the case, if the run goes on until then.
    Start {
        /// The transition.
        transition: TransitionId,
        /// An index into its cases.
        case: u32,
        /// The values of its parameters.
        arguments: Vec<i64>,
    },
}
