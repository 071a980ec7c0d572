//! What can go wrong while a model runs.

use std::fmt;

use lurcher_syntax::Span;

/// A run-time fault of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// Division or remainder by zero.
    DivisionByZero,
    /// An array index outside the array: index, number of elements.
    IndexOutOfBounds(i32, u32),
    /// A channel variable that names no channel.
    NoChannel,
    /// A channel whose creator has died.
    DeadChannel,
    /// A message with more or fewer fields than the channel carries: given, carried.
    FieldCount(usize, usize),
    /// A rendezvous channel was polled; it never holds a message.
    PolledRendezvous,
    /// A statement inside a `d_step` was not executable.
    BlockedInDStep,
    /// A rendezvous send inside a `d_step`.
    RendezvousInDStep,
    /// A `d_step` that did not end after so many statements.
    EndlessDStep(u32),
    /// More processes than the limit.
    TooManyProcesses(u16),
    /// More channels than a state can name.
    TooManyChannels,
    /// A priority outside 1 to 255.
    BadPriority(i32),
    /// `enabled()` asked about the process that asks.
    EnabledOfSelf,
    /// A `D_proctype` had a choice.
    Nondeterminism,
    /// An event that the `trace` does not allow.
    TraceMismatch,
    /// An event sequence that the `notrace` forbids.
    NoTraceMatched,
    /// Two alternatives of an event trace match the same event.
    TraceChoice,
}

impl Fault {
    /// What reports call it: a violation of the event trace, or a fault of the model.
    pub fn kind(&self) -> &'static str {
        match self {
            Fault::TraceMismatch | Fault::NoTraceMatched | Fault::TraceChoice => "trace",
            _ => "fault",
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::DivisionByZero => write!(f, "division by zero"),
            Fault::IndexOutOfBounds(index, count) => write!(f, "index {index} out of bounds for {count} elements"),
            Fault::NoChannel => write!(f, "use of an uninitialised channel"),
            Fault::DeadChannel => write!(f, "use of a channel whose creator has died"),
            Fault::FieldCount(given, carried) => {
                write!(f, "{given} message fields for a channel that carries {carried}")
            }
            Fault::PolledRendezvous => write!(f, "a rendezvous channel cannot be polled"),
            Fault::BlockedInDStep => write!(f, "a statement inside a d_step is not executable"),
            Fault::RendezvousInDStep => write!(f, "a rendezvous send inside a d_step"),
            Fault::EndlessDStep(steps) => write!(f, "a d_step did not end after {steps} statements"),
            Fault::TooManyProcesses(limit) => write!(f, "more than {limit} processes"),
            Fault::TooManyChannels => write!(f, "too many channels"),
            Fault::BadPriority(value) => write!(f, "priority {value} is not between 1 and 255"),
            Fault::EnabledOfSelf => write!(f, "enabled() asks about the process that asks"),
            Fault::Nondeterminism => write!(f, "a D_proctype has a choice"),
            Fault::TraceMismatch => write!(f, "an event that the trace does not allow"),
            Fault::NoTraceMatched => write!(f, "the events that notrace forbids"),
            Fault::TraceChoice => write!(f, "two alternatives of the event trace match"),
        }
    }
}

impl std::error::Error for Fault {}

/// A violation met by a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Violation {
    /// An assertion did not hold, at this place.
    Assertion(Span),
    /// A fault, at this place.
    Fault {
        /// What happened.
        fault: Fault,
        /// Where.
        span: Span,
        /// There is no state after it.
        fatal: bool,
        /// The first half of a rendezvous met it, so the second does not belong to the trace.
        half: bool,
    },
}

impl Violation {
    /// Is there no state after it?
    pub fn is_fatal(&self) -> bool {
        matches!(self, Violation::Fault { fatal: true, .. })
    }

    /// Did the first half of a rendezvous meet it?
    pub fn is_half(&self) -> bool {
        matches!(self, Violation::Fault { half: true, .. })
    }

    /// Where it happened.
    pub fn span(&self) -> Span {
        match self {
            Violation::Assertion(span) | Violation::Fault { span, .. } => *span,
        }
    }
}
